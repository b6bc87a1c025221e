#!/usr/bin/env bash
# The kernels of one of Part II's files, of which each work-item computes a block of outputs: all filter
# widths, the sizes of verify.sh, blocks that fit neither image nor filter, work-groups that reach beyond
# the image, and taps that are 0.
# usage: verify_blocks.sh BUILD_DIR STEP FILE
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/$2
file=$3
kernels=$(kernels_where "file == \"$file\"")
kernel_count=$(tr ',' '\n' <<< "$kernels" | wc -l)

# verify FILTER_WIDTHS ARGUMENTS...: the kernels must be right at all of the widths, and none is skipped.
verify() {
  local widths=$1
  shift
  checks=$((checks + 1))
  [[ $widths == of-file ]] || set -- --filter-width "$widths" "$@"
  "$program" --verify-only --kernel "$kernels" "$@" > out 2> err || report_failure "exit status $?: $*"
  ! grep -q 'skipped' out || report_failure "a kernel is skipped: $*"
  echo "$*: $(tail -n 1 out)"
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
  # Built anew for every filter width and block. A block of 4 rows is higher than the narrowest filters.
  block.cl)
    for size in $sizes; do
      verify "${widths[$size]}" --size "$size"
    done
    blocks='4x1 4x2 8x5 16x7 4x16'
    block=4x2
    ;;
  block16.cl)
    for size in $sizes; do
      verify "${widths[$size]}" --size "$size"
    done
    blocks='16x1 16x2 48x5 64x16'
    block=16x2
    ;;
  # Built anew for every width of image too, though not for every height; and all taps are unrolled, which
  # takes seconds for the widest filters. So these run on few widths of image, of whole vectors and not.
  baked.cl | fast.cl)
    for size in 31x17 31x1 31x40; do
      verify 1:12 --size "$size" --block 4x2
      verify 15,16,17,24,31,32 --size "$size" --block 4x1
    done
    verify 1:8,14,17 --size 64x64 --block 4x2
    verify 32 --size 64x64 --block 4x1
    verify 3,7,8,13 --size 101x67 --block 4x2
    for size in 1x1 1x40 40x1 15x33; do
      verify 1,2,7 --size "$size" --block 4x2
    done
    # As many rows as are written out.
    verify of-file --size 31x17 --filter cross31.txt --block 4x4
    blocks='8x5 4x1 16x7 4x16'
    block=4x2
    ;;
  baked16.cl)
    for size in 31x17 31x1 31x40; do
      for width in {1..12} 15 16 17 24 31 32; do
        verify of-file --size "$size" --filter "cross$width.txt" --block 16x2
      done
    done
    verify 7,8,16,31 --size 64x64 --filter motion-blur --block 16x2
    verify 7,32 --size 64x64 --filter motion-blur
    for size in 1x1 1x40 40x1 15x33 101x67; do
      verify 7,19 --size "$size" --filter motion-blur --block 16x2
      verify of-file --size "$size" --filter cross2.txt --block 16x2
    done
    # The highest block and the widest filter: all rows that are written out.
    verify of-file --size 31x40 --filter cross32.txt --block 16x16
    for size in 33x31 64x48; do
      for block in 16x1 48x5 64x16; do
        for filter in cross2.txt cross9.txt; do
          verify of-file --size "$size" --filter "$filter" --block "$block"
        done
      done
    done
    for group in 3x5 32x4 1x1; do
      verify of-file --size 101x67 --filter cross9.txt --block 16x2 --block-group "$group"
    done
    ;;
  *)
    report_failure "it is not known how to verify the kernels of $file"
    ;;
esac

if [[ $file != baked16.cl ]]; then
  # Blocks that fit neither image nor filter: higher than the filter, wider than the image, of one row.
  for size in 33x31 64x48; do
    for other_block in $blocks; do
      verify 1,2,7 --size "$size" --block "$other_block"
    done
  done
  for group in 3x5 32x4 1x1; do
    verify 1,2,7 --size 101x67 --block "$block" --block-group "$group"
  done
fi
# Taps that are 0.
for size in 31x17 64x64; do
  [[ $file == baked16.cl ]] || verify 2,7,16 --size "$size" --filter box --block "${block}"
  verify 7,16 --size "$size" --filter motion-blur --block "$block"
  for filter in cross9.txt zeros4.txt zeros9.txt; do
    verify of-file --size "$size" --filter "$filter" --block "$block"
  done
done

echo "$checks checks of $kernel_count kernels, $failures failures"
((failures == 0))
