#!/usr/bin/env bash
# How the size of a block decides registers, work-items in flight and time: one CSV row for each kernel, block and
# filter width.
#     plots/occupancy.sh PROGRAMS "KERNELS" "BLOCKS" [--without WORD] --csv OUT [ARGUMENTS of step 9's program]
#     plots/occupancy.sh build/release Convolve_Block "4x1 4x2 4x4" --csv occupancy.csv --size 4096x4096
# With --without restrict each kernel also runs without that word, as KERNEL:without_restrict.
#
# Only NVIDIA's compiler tells the registers. in_flight is what they allow: the work-items that share a compute unit's
# 65,536 registers, in whole groups of 32 x 4, at most 2048. A work-item's registers are given out eight at a time.
set -euo pipefail
programs=$(realpath "$1")
read -ra kernels <<< "$2"
read -ra blocks <<< "$3"
shift 3
word='' csv='' arguments=()
while (($#)); do
  case $1 in
    --without) word=$2 && shift ;;
    --csv) csv=$(realpath -m "$2") && shift ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Other compilers do not know the option; an empty one asks for their log, too, which tells no registers.
export TUTORIAL_BUILD_OPTIONS=
! "$programs/step1_naive" --list-devices | grep -q NVIDIA || TUTORIAL_BUILD_OPTIONS=-cl-nv-verbose

# The rows of one run, $1.csv, with the registers that its log $1.log tells. The compiler names a kernel each time that
# it builds it: for each filter width, first the original, then the one without the word.
rows() { # RUN BLOCK
  awk -F, -v block="$2" -v both="${word:+1}" '
    FNR == NR {
      if (match($0, /entry function .[A-Za-z0-9_]+/)) kernel = substr($0, RSTART + 16, RLENGTH - 16)
      if (match($0, /Used [0-9]+ registers/)) used[kernel, ++builds[kernel]] = substr($0, RSTART + 5) + 0
      next
    }
    /^#/ { next }
    !columns { columns = NF; for (i = 1; i <= NF; ++i) column[$i] = i; next }
    $1 != "Convolve" {
      name = $1
      without = sub(/:.*/, "", name)
      build = both ? 2 * widths[$1]++ + 1 + without : ++widths[$1]
      registers = used[name, build]
      split(block, side, "x")
      items = registers ? 128 * int(65536 / (8 * int((registers + 7) / 8)) / 128) : ""
      print $1 "," $column["filter_width"] "," block "," side[1] * side[2] "," registers "," \
        (items > 2048 ? 2048 : items) "," $column["median_ms"] "," $column["low_ms"] "," $column["high_ms"] "," \
        $column["relative_percent"] "," $column["x_floor"]
    }' "$1.log" "$1.csv"
}

for kernel in "${kernels[@]}"; do
  against=()
  if [[ $word ]]; then
    file=step9_autotune/$(awk -F, -v kernel="$kernel" '$1 == kernel { print $3 }' kernels.csv)
    sed "s/\b$word\b//g" "$file" > "$work/without_$word.cl"
    against=(--against "$work/without_$word.cl")
  fi
  for block in "${blocks[@]}"; do
    run=$work/$kernel-$block
    "$programs/step9_autotune" --kernel "$kernel" --block "$block" "${against[@]}" --csv "$run.csv" \
      "${arguments[@]}" > "$run.out" 2> "$run.log" || { cat "$run.out" "$run.log" >&2; exit 1; }
    if [[ ! -s $work/rows ]]; then
      grep '^#' "$run.csv" | sed "s|$work/||g" > "$work/rows"
      echo "kernel,filter_width,block,outputs,registers,in_flight,median_ms,low_ms,high_ms,relative_percent,x_floor" \
        >> "$work/rows"
    fi
    rows "$run" "$block" >> "$work/rows"
  done
done
mv "$work/rows" "$csv"
