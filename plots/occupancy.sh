#!/usr/bin/env bash
# How the size of a block decides registers and time: one CSV row per block.
#     plots/occupancy.sh PROGRAM KERNEL BLOCKS [ARGUMENTS of the program]  > occupancy.csv
#     plots/occupancy.sh build/release/step7_register_block Convolve_Block "4x1 4x2 4x4" --size 4096x4096
# Registers are known only where the compiler's log tells them, as NVIDIA's does. LABEL, in the environment, replaces
# the kernel's name in the first column.
set -euo pipefail
program=$1
kernel=$2
blocks=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TUTORIAL_BUILD_OPTIONS=${TUTORIAL_BUILD_OPTIONS-}

echo "kernel,filter_width,block,outputs,registers,median_ms,low_ms,high_ms,relative_percent,x_floor"
for block in $blocks; do
  "$program" --kernel "$kernel" --block "$block" --csv "$work/$block.csv" "$@" > "$work/out" 2> "$work/log" ||
    { cat "$work/out" "$work/log" >&2; exit 1; }
  # NVIDIA's compiler names a kernel and then its registers, once for each filter width.
  registers=$(awk -v name="entry function '$kernel'" '
    index($0, name) { inside = 1 } inside && /Used [0-9]+ registers/ { sub(/.*Used /, ""); print $1; inside = 0 }' \
    "$work/log" | paste -sd' ')
  awk -F, -v kernel="$kernel" -v label="${LABEL:-$kernel}" -v block="$block" -v registers="$registers" '
    /^#/ { next }
    !rows++ { for (i = 1; i <= NF; i++) column[$i] = i; split(registers, used, " "); next }
    $1 == kernel {
      split(block, side, "x")
      print label "," $column["filter_width"] "," block "," side[1] * side[2] "," used[++n] "," $column["median_ms"] "," \
        $column["low_ms"] "," $column["high_ms"] "," $column["relative_percent"] "," $column["x_floor"]
    }' "$work/$block.csv"
done
