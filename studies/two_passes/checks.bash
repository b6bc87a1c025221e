# How the tests run these kernels: see `settings` in tests/programs.bash. Some compute a pixel in each work-item, one a
# block of vectors, as in step 7.
# shellcheck shell=bash disable=SC2034
block=(--block 16x2) blocks='16x1 48x5 64x16' sizes='36x17 48x16'
runs=('--filter-width 7 --block 32x2 --size 18x8' '--filter-width 5,6,8 --block 32x2 --block-group 3x5 --size 25x5'
  '--filter-width 3 --block 16x16 --size 33x18' '--filter-width 3 --block 32x2 --size 48x6'
  '--filter-width 5 --size 140x18')
simulated_at+=(--block 16x2 --block-group 2x4) elsewhere+=(--block 16x2)
