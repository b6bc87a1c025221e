#!/usr/bin/env bash
# The kernels that are new in a step's convolution.cl: all filter widths, the telling ones on the device too;
# sizes that break such code, which are single pixels, rows and columns, primes, and both sides of multiples of
# 16; and unusual work-groups. The older kernels had that in their own step. good_runs.sh runs all of them in every
# step on the device, at more sizes and widths. What Part II adds is for verify_blocks.sh; step 9's search is verified here.
# usage: verify.sh BUILD_DIR STEP
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/$2
require_built "$program"
number=$(in_kernels_csv "$2")

# verify KERNELS ARGUMENTS...: on the device. Every kernel must run: skipped is only what the asked work-group
# does not suit.
verify() {
  verify_on "" "$@"
}

# The same on Oclgrind: see interpreted.sh.
verify_interpreted() {
  verify_on interpreted "$@"
}

verify_on() {
  local where=$1
  shift
  # shellcheck disable=SC2086  # no word where it is empty
  passes $where "$program" --verify-only --kernel "$@"
  ! grep 'skipped' out | grep -vq 'multiple of 4$' || report_failure "a kernel is skipped: $*"
}

new=$(kernels_where "step == $number && file == \"convolution.cl\"")
if [[ -n $new ]]; then
  # All remainders of a width by 4, narrow and wide: PoCL takes a second for each width, Oclgrind runs all of them.
  verify "$new" --size 31x17 --filter-width 1,2,3,4,7,17
  verify "$new" --size 64x64 --filter-width 2,7
  verify_interpreted "$new" --size 5x3 --filter-width 1:32
  for size in 1x1 1x40 40x1; do
    verify_interpreted "$new" --size "$size" --filter-width 1,2,3,4,7,8
  done
  verify_interpreted "$new" --size 15x17 --filter-width 1,2,3,4,7,8
fi

# The halo: sizes one below, at and one above what whole work-groups cover; groups that are not square.
local_kernels=$(kernels_where "step == $number && /_Local/ && file == \"convolution.cl\"")
if [[ -n $local_kernels ]]; then
  for size in 16x17 31x32 33x15; do
    verify_interpreted "$local_kernels" --size "$size" --filter-width 1,2,3,4,7
  done
  for group in 8x32 32x4 64x1 1x16 20x3; do
    verify_interpreted "$local_kernels" --size 33x17 --filter-width 1,2,7 --work-group "$group"
  done
  verify "$local_kernels" --size 33x31 --filter-width 7 --work-group 20x3
fi

# All candidates of the search: with rows that are ragged, where the input has hardly any room beyond the
# image, and with rows that are whole vectors.
if "$program" --help | grep -q -- --winners; then
  verify_interpreted Tuned --size 33x17 --filter-width 8
  verify_interpreted Tuned --size 1x1 --filter-width 1
  verify_interpreted Tuned --size 64x16 --filter motion-blur --filter-width 7
  # What a GPU's search tries.
  for block in 4x4 4x2 4x8 4x6 8x4; do
    verify_interpreted Convolve_Block,Convolve_Block_Restrict,Convolve_Baked,Convolve_Fast \
      --size 33x17 --filter-width 3 --block "$block" --block-group 32x4
  done
fi

echo "$checks checks, $failures failures"
((failures == 0))
