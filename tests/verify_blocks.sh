#!/usr/bin/env bash
# The kernels of one of Part II's files, of which each work-item computes a block of outputs: all filter
# widths, the sizes of verify.sh, blocks that fit neither image nor filter, work-groups that reach beyond
# the image, and taps that are 0.
# usage: verify_blocks.sh BUILD_DIR STEP FILE
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/$2
require_built "$program"
file=$3
kernels=$(kernels_where "file == \"$file\"")
kernel_count=$(tr ',' '\n' <<< "$kernels" | wc -l)

# verify FILTER_WIDTHS ARGUMENTS...: the kernels must be right at all of the widths on the device, and none is
# skipped.
verify() {
  verify_on "" "$@"
}

# The same on Oclgrind: see interpreted.sh. The baseline, which always runs, has a file of its own there: the other
# kernels of convolution.cl need not be compiled.
report kernel Convolve > baseline.cl
verify_interpreted() {
  verify_on interpreted "$@" --kernel-file baseline.cl
}

verify_on() {
  local where=$1 widths=$2
  shift 2
  [[ $widths == of-file ]] || set -- --filter-width "$widths" "$@"
  # shellcheck disable=SC2086  # no word where it is empty
  passes $where "$program" --verify-only --kernel "$kernels" "$@"
  ! grep -q 'skipped' out || report_failure "a kernel is skipped: $*"
}

# Filters of every width most of whose taps are 0: a cross with its centre off the middle, up to width 3
# its column alone; and nothing but zeros.
cross() { # WIDTH
  awk -v n="$1" 'BEGIN {
    row = n < 4 ? n : int(n / 4); column = n - 1 - int(n / 3)
    for (r = 0; r < n; r++) {
      for (c = 0; c < n; c++) printf "%s ", (n > 1 && (r == row || c == column) ? 0.25 * r - c + 0.125 : 0)
      print ""
    }
  }'
}
for width in {1..32}; do
  cross "$width" > "cross$width.txt"
done
for width in 4 9; do
  cross "$width" | sed 's/[^ ][^ ]*/0/g' > "zeros$width.txt"
done

case $file in
  block.cl | baked.cl | fast.cl)
    block=4x2
    blocks='4x1 8x5 16x7 4x16'
    sizes='22x17 24x16'
    ;;
  block16.cl | baked16.cl)
    block=16x2
    blocks='16x1 48x5 64x16'
    sizes='34x17 48x16'
    ;;
  *)
    report_failure "it is not known how to verify the kernels of $file"
    ;;
esac
# A motion blur is sparse from width 6 on; the crosses below are at all widths.
device_filter=random
device_widths=1,2,3,4,7,17
if [[ $file == baked16.cl ]]; then
  device_filter=motion-blur
  device_widths=6,7,8,9,32
fi

# At WIDTHS on Oclgrind: random filters, or where the kernels are for sparse ones, crosses.
at_widths() { # WIDTHS ARGUMENTS...
  local width widths=$1
  shift
  if [[ $file != baked16.cl ]]; then
    verify_interpreted "$widths" "$@"
    return
  fi
  for width in ${widths//,/ }; do
    verify_interpreted of-file --filter "cross$width.txt" "$@"
  done
}

# All widths; all remainders of a width by 4, narrow and wide, on the device too, where compiling takes a second or two
# for each.
verify "$device_widths" --size 31x17 --filter "$device_filter" --block "$block"
at_widths "$(seq -s, 32)" --size 5x3 --block "$block"
# Single pixels, rows and columns, and both sides of multiples of 16. Every tap of every pixel is interpreted, so
# wide filters have small images.
for size in 1x1 1x40 40x1 15x17; do
  at_widths 1,2,3,4,7,8 --size "$size" --block "$block"
done
# Blocks that fit neither image nor filter: higher than the filter, wider than the image, of one row. The image's
# rows are ragged, or whole vectors.
for size in $sizes; do
  for other_block in $blocks; do
    at_widths 2,7 --size "$size" --block "$other_block"
  done
done
for group in 3x5 32x4 1x1; do
  at_widths 1,4 --size 51x11 --block "$block" --block-group "$group"
done
# As many rows as are written out: the highest block and one of the widest filters.
verify_interpreted of-file --size 5x16 --filter cross32.txt --block "${block%x*}x16"
# Taps that are 0, where the compiler sees them.
if grep -q baked_filter "$repository/$2/$file"; then
  for size in 21x17 32x6; do
    verify_interpreted 7,8 --size "$size" --filter motion-blur --block "$block"
    for filter in cross9.txt zeros4.txt zeros9.txt; do
      verify_interpreted of-file --size "$size" --filter "$filter" --block "$block"
    done
  done
fi
# The device's own compiler once more: rows of whole vectors, the default block, and one that fits nothing.
verify 7 --size 64x64 --filter motion-blur
verify 7 --size 101x67 --filter motion-blur --block "${blocks%% *}" --block-group 3x5

echo "$checks checks of $kernel_count kernels, $failures failures"
((failures == 0))
