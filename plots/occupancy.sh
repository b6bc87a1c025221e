#!/usr/bin/env bash
# How the size of a block decides registers, work-items in flight and time: one CSV row for each kernel, block and
# filter width.
#     plots/occupancy.sh KERNELS BLOCKS WORD [ARGUMENTS of step 9's program] --csv OUT
#     plots/occupancy.sh Convolve_Block 4x1,4x2,4x4 - --size 4096x4096 --csv occupancy.csv
# With a WORD such as restrict each kernel also runs without that word, as KERNEL:without_restrict; - is no word.
#
# Only NVIDIA's compiler tells the registers. in_flight is what they allow: the work-items that share a compute unit's
# 65,536 registers, in whole groups of 32 x 4, at most 2048. A work-item's registers are given out eight at a time.
set -euo pipefail
word=${3#-}
csv=$(realpath -m "${!#}")
arguments=("${@:4:$#-5}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
programs=${PROGRAMS:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Other compilers do not know the option; an empty one asks for their log, too, which tells no registers.
export TUTORIAL_BUILD_OPTIONS=${TUTORIAL_BUILD_OPTIONS-}
[[ $("$programs/devices") != *NVIDIA* ]] || TUTORIAL_BUILD_OPTIONS+=' -cl-nv-verbose'

for kernel in ${1//,/ }; do
  against=()
  if [[ $word ]]; then
    sed "s/\b$word\b//g" "$(grep -l "^__kernel void $kernel(" step*/*.cl | tail -n 1)" > "$work/without_$word.cl"
    against=(--against "$work/without_$word.cl" --as-asked)
  fi
  for block in ${2//,/ }; do
    "$programs/step9_autotune" --kernel "$kernel" --block "$block" "${against[@]}" --csv "$work/csv" \
      "${arguments[@]}" > "$work/out" 2> "$work/log" || { cat "$work/out" "$work/log" >&2; exit 1; }
    # Its rows, each with the registers that the log tells: kernels are built in the rows' order.
    sed -nE "/entry function .$kernel\b/,/Used/s/.*Used ([0-9]+) registers.*/\1/p" "$work/log" |
      awk -F, -v OFS=, -v block="$block" -v begun="$([[ ! -s $work/rows ]] || echo yes)" '
        FILENAME == "-" { used[FNR] = $1; next }
        /^#/ && !begun
        /^kernel,/ && !begun { print $0, "block", "outputs", "registers", "in_flight" }
        !/^(#|kernel,|Convolve,)/ {
          split(block, side, "x")
          registers = used[++row]
          items = registers ? int(65536 / (int((registers + 7) / 8) * 8) / 128) * 128 : ""
          print $0, block, side[1] * side[2], registers, (items > 2048 ? 2048 : items)
        }' - "$work/csv" >> "$work/rows"
  done
done
# The file without the word follows from the kernel's own.
[[ ! ${TUTORIAL_INPUTS-} ]] || sed -i "/ ${work//\//\\/}\//d" "$TUTORIAL_INPUTS"
sed "s|$work/||g" "$work/rows" > "$csv"
