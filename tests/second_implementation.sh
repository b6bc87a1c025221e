#!/usr/bin/env bash
# The same kernels on a second OpenCL implementation: Mesa's rusticl, if it is installed. What only
# works by the grace of one compiler shows up here.
# usage: second_implementation.sh PROGRAM
set -eu -o pipefail
program=$1
export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe

if ! "$program" --list-devices > /dev/null 2>&1; then
  echo "rusticl is not installed"
  exit 77
fi
if "$program" --help | grep -q -- --lanes; then
  # The kernels that compute blocks, in both forms; the others had their turn in their own steps.
  kernels=Convolve_Tile
  [[ $program == *step7* ]] || kernels=Convolve_Tile,Convolve_Baked,Convolve_Fast
  widths=1,2,7
  [[ $program != *step9* ]] || widths=2  # its kernels are those of step 8
  for size in 33x18 48x7; do
    "$program" --verify-only --size "$size" --filter-width "$widths" --kernel "${kernels%,Convolve_Fast}" \
      --lanes 16 --tile 32x3 | tail -n 1
    "$program" --verify-only --size "$size" --filter-width "$widths" --kernel "$kernels" \
      --lanes 1 --tile 4x2 | tail -n 1
  done
else
  for size in 40x1 31x17; do
    "$program" --verify-only --size "$size" --filter-width 1,2,3,4,7,8,17,32 | tail -n 1
  done
fi
few=()
if [[ $program == *step* ]]; then few=(--kernel Convolve); fi
# rusticl's events read 0 or 1 ns; the program must notice, use the host clock and say so.
"$program" --size 64x64 --filter-width 3 --time-budget 0 "${few[@]}" | grep -q "timed by the host clock"
