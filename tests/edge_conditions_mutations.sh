#!/usr/bin/env bash
# Breaks every kernel of edge_conditions, in a copy, and sees the program notice: each by one index, and as
# Intel's listings are broken (the numbers are those of ERRATA.md).
# usage: edge_conditions_mutations.sh PROGRAM KERNEL_FILE
set -eu
program=$1
interpreted=$(dirname "$0")/interpreted.sh
kernel_file=$2
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
count=0

# notices KERNEL SED_EXPRESSION [PATTERN]: with the expression applied to that kernel alone, the program ends
# with status 2 and says something that matches the pattern.
notices() {
  local kernel=$1 status=0 function=${1%%:*}
  sed "/^__kernel void $function(/,/^}/ { $2 }" "$kernel_file" > "$folder/broken.cl"
  if cmp -s "$kernel_file" "$folder/broken.cl"; then
    echo "CHANGES NOTHING: $kernel with $2"
    exit 1
  fi
  # Neither side is a multiple of 8, and they differ.
  "$interpreted" "$program" --verify-only --size 37x23 --kernel "$kernel" --kernel-file "$folder/broken.cl" \
    > "$folder/out" 2> "$folder/err" || status=$?
  if [ "$status" -ne 2 ] || ! grep -Eq "$kernel, filter width 3: .*${3-wrong at}" "$folder/err"; then
    echo "NOT NOTICED (exit status $status): $kernel with $2"
    cat "$folder/out" "$folder/err"
    exit 1
  fi
  count=$((count + 1))
}

for kernel in Smooth_Branches Smooth_Padded Smooth_Clamp Smooth_Interior; do
  notices "$kernel" 's/input\[centre\]/input[centre + 1]/'
  notices "$kernel" 's/input\[centre - 1\]/input[centre]/'
  notices "$kernel" 's/input\[centre + 1\]/input[centre]/'
  notices "$kernel" 's/input\[centre - \(input_\)*width\]/input[centre]/'
  notices "$kernel" 's/input\[centre + \(input_\)*width\]/input[centre]/'
  notices "$kernel" 's/output\[\(.*\)\] =/output[\1 + 1] =/'
  notices "$kernel" 's/output\[\(.*\)\] =/output[\1 - 1] =/'
  notices "$kernel" 's/output\[\(.*\)\] =/output[\1] = 1.0001f */'
  notices "$kernel" 's/^  output\[/  if (x != 5 || y != 7) output[/' 'wrong at \(5, 7\): expected .*, got nan; 1 of'
done
# The interior is written and nothing else: a right value in a wrong place is an error too.
for kernel in Smooth_Interior Smooth_Interior:multiple_of_8; do
  notices "$kernel" 's/input\[centre\]/input[centre + 1]/'
  notices "$kernel" 's/^  output\[/  if (x == 1) output[y * width] = 0.5f;\n  output[/' \
    'wrong at \(0, 1\): expected nan, got 0.5; 21 of'
done
notices Smooth_Interior:multiple_of_8 's/^  output\[/  output[centre + 8] = 0.5f;\n  output[/'
# A write before or behind the output.
notices Smooth_Branches 's/^  output\[/  output[centre - width] = 0.5f;\n  output[/' outside

# Each branch: at the border it is about, and the divisor.
notices Smooth_Branches 's/x > 0/x > 1/' 'wrong at \(1, 0\)'
notices Smooth_Branches 's/y > 0/y > 1/' 'wrong at \(0, 1\)'
notices Smooth_Branches 's/int present = 1/int present = 0/'
notices Smooth_Branches 's/(float)present/5.0f/' 'wrong at \(0, 0\).* 116 of'
# E11: the pixels beside the last column and the last row are left out.
notices Smooth_Branches 's/x < width - 1/x + 1 < width - 1/' 'wrong at \(35, 0\)'
notices Smooth_Branches 's/y < height - 1/y + 1 < height - 1/' 'wrong at \(0, 21\)'

notices Smooth_Padded 's/width + 2;/width + 1;/'
notices Smooth_Padded 's/(y + 1) \*/y */'
notices Smooth_Padded 's/+ x + 1;/+ x;/'
# E16: the global size taken for the length of a row.
notices Smooth_Padded 's/width + 2;/get_global_size(0);/'
notices Smooth_Interior 's/y \* width/y * (int)get_global_size(0)/'

notices Smooth_Clamp 's/clamp(x, 1,/clamp(x, 0,/'
notices Smooth_Clamp 's/clamp(y, 1,/clamp(y, 2,/'
notices Smooth_Clamp 's/width - 2)/width - 3)/'
notices Smooth_Clamp 's/height - 2)/height - 3)/'
# E12: the height is read from the width's dimension.
notices Smooth_Clamp 's/height - 2)/(int)get_global_size(0) - 2)/'
# E14, E17: the neighbours clamped instead of the centre; the output written to the clamped place.
notices Smooth_Clamp 's/input\[centre - 1\]/input[centre_y * width + max(x - 1, 0)]/'
notices Smooth_Clamp 's/output\[y \* width + x\]/output[centre]/' 'wrong at \(0, 0\): expected .*, got nan; 116 of'

if "$interpreted" "$program" --verify-only --size 8x8 --kernel Smooth_Image | grep -q 'Smooth_Image  *ok'; then
  notices Smooth_Image 's/(int2)(x, y)/(int2)(x, y + 1)/'
  notices Smooth_Image 's/(x - 1, y)/(x, y)/'
  notices Smooth_Image 's/(x + 1, y)/(x, y)/'
  notices Smooth_Image 's/(x, y - 1)/(x, y)/'
  notices Smooth_Image 's/(x, y + 1)/(x, y)/'
  notices Smooth_Image 's/output\[y \* width + x\]/output[y * width + x + 1]/'
  notices Smooth_Image 's/^  output\[/  if (x != 5 || y != 7) output[/' 'wrong at \(5, 7\): expected .*, got nan; 1 of'
  # E18: outside of the image black is read. The sampler stands before the kernel.
  sed 's/CLAMP_TO_EDGE/CLAMP/' "$kernel_file" > "$folder/clamp.cl"
  status=0
  "$interpreted" "$program" --verify-only --size 37x23 --kernel Smooth_Image --kernel-file "$folder/clamp.cl" \
    > /dev/null 2> "$folder/err" || status=$?
  if [ "$status" -ne 2 ] || ! grep -q 'Smooth_Image.* 116 of 851 pixels are wrong' "$folder/err"; then
    echo "NOT NOTICED: Smooth_Image with CLK_ADDRESS_CLAMP"
    cat "$folder/err"
    exit 1
  fi
  count=$((count + 1))
fi
echo "$count broken kernels were noticed"
