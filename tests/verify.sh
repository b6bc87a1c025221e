#!/usr/bin/env bash
# The kernels that a step adds in one of its files: at all filter widths, at sizes that break such code (single
# pixels, rows and columns, primes, both sides of multiples of 16), with unusual work-groups, and those that compute
# blocks with blocks that fit neither image nor filter and with taps that are 0. Most of it runs on Oclgrind (see
# interpreted.sh), the telling part on the device. Every kernel must run.
# usage: verify.sh BUILD_DIR STEP FILE [all]     FILE `-`: the candidates of the step's search
#   all  what checks.bash leaves out, too
source "$(dirname "$0")/programs.bash"
program=$build/$2 file=$3
require_built "$program"
[[ $file == - ]] || settings "$2" "$file"

# device WIDTHS ARGUMENTS..., simulated WIDTHS ARGUMENTS...: WIDTHS is `-` where the filter's file decides.
device() { verify "$program --verify-only" "$@"; }
simulated() { verify served "$@"; }
serve "$program"
verify() {
  local command=$1 widths=$2
  shift 2
  [[ $widths == - ]] || set -- --filter-width "$widths" "$@"
  # shellcheck disable=SC2086  # several words
  passes $command --kernel "$kernels" "$@"
  # Only what the asked work-group, or the device, does not suit.
  ! grep "skipped" out | grep -vqE "multiple of 4$|no images of single floats" || report_failure "a kernel is skipped: $*"
}

if [[ ${verified[*]-} && ${4-} != all ]]; then
  device - "${verified[@]}"
  finish
  exit
fi

# Filters of every width most of whose taps are 0: a cross with its centre off the middle, up to width 3 its column
# alone. Those of odd width have tiny taps.
for width in {1..32}; do
  awk -v n="$width" 'BEGIN {
    size = n % 2 ? 1e-6 : 1; row = n < 4 ? n : int(n / 4); column = n - 1 - int(n / 3)
    for (r = 0; r < n; r++) {
      for (c = 0; c < n; c++) printf "%s ", (n > 1 && (r == row || c == column) ? size * (0.25 * r - c + 0.125) : 0)
      print ""
    }
  }' > "cross$width.txt"
done
for width in 4 9; do sed 's/[^ ][^ ]*/0/g' "cross$width.txt" > "zeros$width.txt"; done

# On Oclgrind at each of the widths; a kernel for sparse filters with crosses.
at() { # WIDTHS ARGUMENTS...
  local width widths=$1
  shift
  if [[ $kind != sparse ]]; then
    simulated "$widths" "$@"
  else
    for width in ${widths//,/ }; do simulated - --filter "cross$width.txt" "$@"; done
  fi
}

# Transforms read whole tiles, which is faster from a compiler that does not optimise than interpreted: all widths, each
# with two pairs of tiles to the right, and two downwards; and sizes of a single row or column. All files at the same
# size, so that PoCL has the baseline of one in its cache for the others.
if [[ ${kind-} == tiles ]]; then
  quickly() { verify "unoptimised $program --verify-only" "$@"; }
  quickly "$(seq -s, 32)" --size 259x99
  for size in 1x1 1x40 40x1; do quickly 6 --size "$size"; done
  device 7 --size 64x64
  file=''
fi

some=1,2,3,4,7,8
[[ ${kind-} != sparse ]] || some=4,7 # each filter is a run of its own

# All widths, of wide ones all columns and rows too: a small image shows the same in most of them. On the device, which
# compiles a second for each, all remainders of a width by 4, with those below.
if [[ $file && $file != - ]]; then
  if [[ $kind == sparse ]]; then
    device 6,8,9,32 --filter motion-blur --size 31x17 "${block[@]}"
  else
    device "$([[ $file == convolution.cl ]] || echo 2,)1,4" --size 31x17 "${block[@]}"
  fi
  # A block costs as much as a whole one where the image has only its corner.
  if [[ $blocks ]]; then
    at "$(seq -s, 1 2 32)" --size 5x2 "${block[@]}"
    at "$(seq -s, 2 2 32)" --size 4x3 "${block[@]}"
  else
    at "$(seq -s, 32)" --size 5x3
  fi
  for size in 1x18 18x1; do at 31,32 --size "$size" "${block[@]}"; done
  for size in 1x1 1x40 40x1 15x17; do at "$some" --size "$size" "${block[@]}"; done
fi

if [[ $file == convolution.cl ]]; then
  device 2,7 --size 64x64
  # The halo: sizes one below, at and one above what whole work-groups cover; groups that are not square.
  kernels=$(kernels_where "step == $(in_kernels_csv "$2") && /_Local/ && file == \"$file\"")
  if [[ -n $kernels ]]; then
    for size in 8x5 15x8 17x3; do simulated 1,2,3,4,7 --size "$size" --work-group 8x4; done
    for group in 8x32 32x4 64x1 1x16 20x3; do simulated 1,2,7 --size 33x17 --work-group "$group"; done
    device 7 --size 33x31 --work-group 20x3
  fi
elif [[ $file == - ]]; then
  # Rows that are ragged, where the input has hardly any room beyond the image, and rows that are whole vectors.
  kernels=Tuned
  simulated 8 --size 33x17
  simulated 1 --size 1x1
  simulated 7 --size 64x16 --filter motion-blur
  # What a GPU's search tries.
  kernels=Convolve_Block,Convolve_Block_Restrict,Convolve_Baked,Convolve_Fast
  for size in 4x4 4x2 4x8 4x6 8x4; do simulated 3 --size 33x17 --block "$size" --block-group 32x4; done
elif [[ $file ]]; then
  # Blocks that are higher than the filter, wider than the image, of one row; rows that are ragged, or whole vectors.
  for size in $sizes; do
    for other in $blocks; do at 2,7 --size "$size" --block "$other"; done
  done
  if [[ $blocks ]]; then
    for group in 3x5 32x4 1x1; do at 1,4 --size 51x11 "${block[@]}" --block-group "$group"; done
    # As many rows as are written out: the highest block and one of the widest filters. PoCL 6 needs 20 minutes for it.
    ! command -v oclgrind > /dev/null || simulated - --filter cross32.txt --size 5x16 --block "${block[1]%x*}x16"
  fi
  # Taps that are 0, where the compiler sees them.
  if [[ $constant_taps ]]; then
    for size in 21x17 32x6; do
      simulated 7,8 --size "$size" --filter motion-blur "${block[@]}"
      for filter in cross9 zeros4 zeros9; do simulated - --size "$size" --filter "$filter.txt" "${block[@]}"; done
    done
  fi
  # The device's own compiler once more: rows of whole vectors, the default block, and one that fits nothing; tiles.
  device 7 --size 64x64 --filter motion-blur
  if [[ $blocks ]]; then
    device 7 --size 101x67 --filter motion-blur --block "${blocks%% *}" --block-group 3x5
  else
    for size in 131x17 256x33; do device "$(seq -s, 32)" --size "$size"; done
  fi
  for filter in $filters; do device - --size 101x67 --filter "$filter" "${block[@]}"; done
  # What it makes for older processors.
  cp "$path/$file" older.cl
  for form in "${forms[@]}"; do
    sed -i "s/defined($form)/0/" older.cl
    device 4,7 --size 101x67 "${block[@]}" --kernel-file older.cl
  done
fi

finish
