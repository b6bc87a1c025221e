# How the tests run these kernels: see `settings` in tests/programs.bash. Each computes 16 windows for a pixel, so all
# widths, or all mutants, take minutes, and so does the second implementation.
# shellcheck shell=bash disable=SC2034
every=12
verified=(--size 37x19 --filter-width 4,7)
simulated_at=(--filter-width 3)
elsewhere=(-)
