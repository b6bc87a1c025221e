#!/usr/bin/env bash
# The program edge_conditions as a user runs it: all five ways, on sizes that break such code, and what it
# says about the pixels at the edge.
# usage: edge_conditions.sh PROGRAM [--rusticl]
# With --rusticl on Mesa's rusticl, a second OpenCL implementation, if it is installed.
set -eu
program=$1
interpreted=$(dirname "$0")/interpreted.sh
rusticl=no
if [ "${2-}" = --rusticl ]; then
  rusticl=yes
  export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe
  unset TUTORIAL_DEVICE
fi
if ! "$program" --list-devices > /dev/null 2>&1; then
  echo "no OpenCL device"
  exit 77
fi

# expect SIZE VERIFIED LINE...: at this size so many results are verified, and these lines are printed.
expect() {
  local size=$1 verified=$2 output line where=env
  shift 2
  # PoCL compiles all kernels anew for each size, so small images are for Oclgrind, which compiles at once.
  if [ "$rusticl" = no ] && [ "${#size}" -lt 6 ]; then where=$interpreted; fi
  if ! output=$("$where" "$program" --verify-only --size "$size" 2>&1); then
    echo "FAILED at $size:"
    echo "$output"
    exit 1
  fi
  # A device without images has one result less, and says so.
  ! grep -q '^width.* Smooth_Image  *skipped: the device' <<< "$output" || verified=$((verified - 1))
  for line in "$@" "all $verified results verified"; do
    if ! grep -qF -- "$line" <<< "$output"; then
      echo "FAILED at $size: no line '$line' in:"
      echo "$output"
      exit 1
    fi
  done
  echo "$size: $(tail -n 1 <<< "$output")"
}

none='skipped: no pixel has all four neighbours'
few='skipped: fewer than 8 columns have all their neighbours'
expect 1x1 3 'edge    1 of 1 pixels lack a neighbour, 100.00 %' "Smooth_Clamp $none"
expect 1x9 3 "Smooth_Interior $none" "Smooth_Interior:multiple_of_8 $none"
expect 9x1 3 "Smooth_Interior $none"
expect 2x2 3 "Smooth_Clamp $none"
expect 2x40 3
expect 40x2 3
expect 3x3 5 'Smooth_Interior writes 1 x 1 pixels at (1, 1), leaves 8' \
  "Smooth_Interior:multiple_of_8 $few"
expect 5x3 5 'Smooth_Interior writes 3 x 1 pixels at (1, 1), leaves 12'
expect 9x3 5 "Smooth_Interior:multiple_of_8 $few"
expect 10x3 6 'Smooth_Interior:multiple_of_8 writes 8 x 1 pixels at (1, 1), leaves 22'
expect 17x31 6
expect 640x480 6
expect 1921x1081 6
# E13, and the two sizes of Intel's text: 1912 columns leave six of the interior's uncomputed.
expect 1920x1080 6 'edge    5996 of 2073600 pixels lack a neighbour, 0.29 %' \
  'Smooth_Interior writes 1918 x 1078 pixels at (1, 1), leaves 5996' \
  'Smooth_Interior:multiple_of_8 writes 1912 x 1078 pixels at (1, 1), leaves 12464'
