#!/usr/bin/env bash
# A step's whole program: the kernels that are new in convolution.cl at all filter widths, on sizes that
# break such code: single pixels, rows and columns, primes, and both sides of multiples of 16. The older
# ones had that in their own step; here they run at a few widths, because the host around them has
# changed. What Part II adds is for verify_blocks.sh; step 9's search is verified here.
# usage: verify.sh BUILD_DIR STEP
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/$2
number=$(in_kernels_csv "$2")

# Every kernel must run: skipped is only what the asked work-group does not suit.
verify() {
  checks=$((checks + 1))
  "$program" --verify-only "$@" > out 2> err || report_failure "exit status $?: $*"
  ! grep 'skipped' out | grep -vq 'multiple of 4$' || report_failure "a kernel is skipped: $*"
  echo "$*: $(tail -n 1 out)"
}

new=$(kernels_where "step == $number && file == \"convolution.cl\"")
if [[ -n $new ]]; then
  # What is unrolled completely takes seconds to compile for each of the widest filters.
  rolled=$(tr ',' '\n' <<< "$new" | grep -v UnrollAll | paste -sd,)
  unrolled=$(tr ',' '\n' <<< "$new" | grep UnrollAll | paste -sd,)
  # A step of one's own has all of its kernels in its own table.
  every=()
  [[ $number == \"* ]] || every=(--kernel "$(kernels_where "step <= $number"),OpenMP")
  for size in $sizes; do
    verify --size "$size" --filter-width "${widths[$size]}" --kernel "$rolled"
    [[ -z $unrolled ]] || verify --size "$size" --filter-width 1:8,11,16,17,31 --kernel "$unrolled"
    verify --size "$size" --filter-width 2,7,19 "${every[@]}"
  done
else
  # All kernels but Convolve_Baked16, which is for sparse filters.
  every=$(kernels_where "step <= $number && file != \"baked16.cl\""),OpenMP
  verify --size 33x18 --filter-width 2,7,16 --kernel "$every"
  verify --size 64x3 --filter-width 3 --kernel "$every"
fi

# The halo: sizes one below, at and one above what whole work-groups cover; groups that are not square.
local_kernels=$(kernels_where "step == $number && /_Local/ && file == \"convolution.cl\"")
if [[ -n $local_kernels ]]; then
  for size in 16x17 31x32 33x15; do
    verify --size "$size" --filter-width 1:8,11,16,17,31 --kernel "$local_kernels"
  done
  # Compiled anew for every group; with both loops unrolled, which takes seconds, at narrow widths alone.
  rolled=$(kernels_where "step == $number && /_Local/ && !/UnrollAll/ && file == \"convolution.cl\"")
  for group in 8x32 32x4 64x1 1x16 20x3; do
    verify --size 33x31 --filter-width 1,2,7 --work-group "$group" --kernel "$local_kernels"
    verify --size 33x31 --filter-width 16,17,32 --work-group "$group" --kernel "$rolled"
  done
fi

# All candidates of the search: with rows that are ragged, where the input has hardly any room beyond the
# image, and with rows that are whole vectors.
if "$program" --help | grep -q -- --winners; then
  verify --size 33x31 --filter-width 8 --kernel Tuned
  verify --size 1x1 --filter-width 1 --kernel Tuned
  verify --size 64x64 --filter motion-blur --filter-width 7 --kernel Tuned
  # What a GPU's search tries.
  for block in 4x4 4x2 4x8 4x6 8x4; do
    verify --size 33x31 --filter-width 3 --kernel Convolve_Block,Convolve_Block_Restrict,Convolve_Baked,Convolve_Fast \
      --block "$block" --block-group 32x4
  done
fi

echo "$checks checks, $failures failures"
((failures == 0))
