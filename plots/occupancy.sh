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

# shellcheck disable=SC2154  # the columns are read by their names
# The rows of a run, each with the registers that its log tells: kernels are built in the rows' order.
rows() { # KERNEL BLOCK
  local used names kernel in_flight i=0
  mapfile -t used < <(sed -nE "/entry function .$1\b/,/Used/s/.*Used ([0-9]+) registers.*/\1/p" "$work/log")
  {
    IFS=, read -ra names
    while IFS=, read -r "${names[@]}"; do
      [[ $kernel != Convolve ]] || continue
      in_flight=${used[i]:+$((65536 / ((used[i] + 7) / 8 * 8) / 128 * 128))}
      ((${in_flight:-0} <= 2048)) || in_flight=2048
      echo "$kernel,$filter_width,$2,$((${2/x/*})),${used[i]-},$in_flight,$median_ms,$low_ms,$high_ms,$relative_percent,$x_floor,$relative_low,$relative_high"
      i=$((i + 1))
    done
  } < <(grep -v '^#' "$work/csv")
}

for kernel in ${1//,/ }; do
  against=()
  if [[ $word ]]; then
    sed "s/\b$word\b//g" "$(grep -l "^__kernel void $kernel(" step*/*.cl | tail -n 1)" > "$work/without_$word.cl"
    against=(--against "$work/without_$word.cl" --as-asked)
  fi
  for block in ${2//,/ }; do
    "$programs/step9_autotune" --kernel "$kernel" --block "$block" "${against[@]}" --csv "$work/csv" \
      "${arguments[@]}" > "$work/out" 2> "$work/log" || { cat "$work/out" "$work/log" >&2; exit 1; }
    [[ -s $work/rows ]] || {
      grep '^#' "$work/csv" | sed "s|$work/||g"
      echo kernel,filter_width,block,outputs,registers,in_flight,median_ms,low_ms,high_ms,relative_percent,x_floor,relative_low,relative_high
    } > "$work/rows"
    rows "$kernel" "$block" >> "$work/rows"
  done
done
# The file without the word follows from the kernel's own.
[[ ! ${TUTORIAL_INPUTS-} ]] || sed -i "/ ${work//\//\\/}\//d" "$TUTORIAL_INPUTS"
mv "$work/rows" "$csv"
