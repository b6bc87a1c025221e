#!/usr/bin/env bash
# Which fault turns this test red alone: a way that is wrong at a size that breaks such code, and a fault of Intel's
# listings that the program does not notice (HISTORY.md has the worst).
source "$(dirname "$0")/programs.bash"
program=$build/edge_conditions
require_built "$program"

# at SIZE VERIFIED LINE...: at this size so many results are verified, and these lines are printed. PoCL compiles all
# kernels anew for each size, so small images are for Oclgrind, which compiles at once.
at() {
  local size=$1 verified=$2 line where=''
  shift 2
  ((${#size} > 5)) || where=interpreted
  passes $where "$program" --verify-only --size "$size"
  # A device without images has fewer results, and says so.
  verified=$((verified - $(grep -cE '^width.*skipped: (the device|no images)' out)))
  for line in "$@" "all $verified results verified"; do
    expect "$size: no line '$line'" grep -qF -- "$line" out
  done
}
none='skipped: no pixel has all four neighbours'
few='skipped: fewer than 8 columns have all their neighbours'
at 1x1 4 'edge    1 of 1 pixels lack a neighbour, 100.00 %' "Smooth_Clamp $none"
at 9x1 4 "Smooth_Interior $none"
at 2x2 4 "Smooth_Clamp $none"
at 40x2 4
at 3x3 6 'Smooth_Interior writes 1 x 1 pixels at (1, 1), leaves 8' "Smooth_Interior:multiple_of_8 $few"
at 9x3 6 "Smooth_Interior:multiple_of_8 $few"
at 10x3 7 'Smooth_Interior:multiple_of_8 writes 8 x 1 pixels at (1, 1), leaves 22'
at 1921x1081 7
# The pixels at the edge, and the two sizes of Intel's text: 1912 columns leave six of the interior's uncomputed.
at 1920x1080 7 'edge    5996 of 2073600 pixels lack a neighbour, 0.29 %' \
  'Smooth_Interior writes 1918 x 1078 pixels at (1, 1), leaves 5996' \
  'Smooth_Interior:multiple_of_8 writes 1912 x 1078 pixels at (1, 1), leaves 12464'

# printed KERNEL SED_EXPRESSION [PATTERN]: with the expression applied to that kernel, the program says so.
printed() {
  sed "/^__kernel void ${1%%:*}(/,/^}/ { $2 }; ${4-}" "$repository/studies/edge_conditions/smooth.cl" > broken.cl
  expect "changes nothing: $2" eval "! cmp -s '$repository/studies/edge_conditions/smooth.cl' broken.cl"
  interpreted "$program" --verify-only --size 37x23 --kernel "$1" --kernel-file broken.cl > out 2> err
  expect "$1: not noticed (exit status $?): $2" grep -Eq "$1, filter width 3: .*${3-wrong at}" err
}
printed Smooth_Branches 's/x < width - 1/x + 1 < width - 1/' 'wrong at \(35, 0\)'
printed Smooth_Clamp 's/height - 2)/(int)get_global_size(0) - 2)/'
printed Smooth_Clamp 's/input\[centre - 1\]/input[centre_y * width + max(x - 1, 0)]/'
printed Smooth_Clamp_Neighbours 's/min(x + 1, width - 1)/x + 1/'
printed Smooth_Padded 's/width + 2;/get_global_size(0);/'
printed Smooth_Clamp 's/output\[y \* width + x\]/output[centre]/' 'wrong at \(0, 0\): expected .*, got .*; 116 of'
if interpreted "$program" --verify-only --size 8x8 --kernel Smooth_Image | grep -q 'Smooth_Image  *ok'; then
  printed Smooth_Image '' '116 of 851 pixels are wrong' 's/CLAMP_TO_EDGE/CLAMP/'
fi
# The interior is written and nothing else: a right value in a wrong place is an error too, or one before the output.
printed Smooth_Interior 's/^  output\[/  if (x == 1) output[y * width] = 0.5f;\n  output[/' 'wrong at \(0, 1\): expected nan, got 0.5; 21 of'
printed Smooth_Interior:multiple_of_8 's/^  output\[/  output[centre + 8] = 0.5f;\n  output[/'
printed Smooth_Branches 's/^  output\[/  output[centre - width] = 0.5f;\n  output[/' outside

finish
