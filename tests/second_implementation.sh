#!/usr/bin/env bash
# The same kernels on a second OpenCL implementation: Mesa's rusticl, if it is installed. What only
# works by the grace of one compiler shows up here.
# usage: second_implementation.sh PROGRAM
set -eu
program=$1
export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe

if ! "$program" --list-devices > /dev/null 2>&1; then
  echo "rusticl is not installed"
  exit 77
fi
for size in 40x1 31x17; do
  "$program" --verify-only --size "$size" --filter-width 1,2,3,4,7,8,17,32 | tail -n 1
done
# rusticl's events read 0 or 1 ns; the program must notice, use the host clock and say so.
"$program" --size 64x64 --filter-width 3 --time-budget 0 | grep -q 'timed by the host clock'
