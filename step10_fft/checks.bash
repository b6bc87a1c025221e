# How the tests run the kernels of this step: see `settings` in tests/programs.bash.
# shellcheck shell=bash disable=SC2034
kind=tiles
every=40 # half a second each
# Not on the second implementation: it has less local memory, and compiles float16 for minutes.
elsewhere=(-)
# Transforms read whole tiles whatever the size: one image that needs both tiles of a pair is enough.
simulated_at=(--kernel "$kernels" --filter-width 31) simulated_sizes=33x18
# Both tiles of a pair, both edges of the image; a second pair; rows of whole vectors.
if [[ $file == *16.cl ]]; then
  runs=('--filter-width 18 --size 100x2' '--filter-width 17 --size 239x113' '--filter-width 4 --size 32x124')
else
  runs=('--filter-width 22 --size 44x3' '--filter-width 31 --size 70x36' '--filter-width 4 --size 64x61')
fi
