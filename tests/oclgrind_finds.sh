#!/usr/bin/env bash
# Does oclgrind.sh find what it is there for? Spoils Convolve_Local in a copy of the kernels, once for
# each kind of mistake, and expects a finding of that kind.
# usage: oclgrind_finds.sh SHIM PROGRAM KERNEL_FILE
set -eu
shim=$1
program=$2
kernel_file=$3
here=$(dirname "$0")
command -v oclgrind > /dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# expect FINDING SED_EXPRESSION: with the expression applied to Convolve_Local, Oclgrind's log says FINDING.
expect() {
  sed "/^__kernel void Convolve_Local(/,/^}/ { $2 }" "$kernel_file" > "$folder/broken.cl"
  if cmp -s "$kernel_file" "$folder/broken.cl"; then
    echo "nothing to replace: $2"
    exit 1
  fi
  if "$here/oclgrind.sh" "$shim" "$program" --filter-width 4 --kernel Convolve_Local \
    --kernel-file "$folder/broken.cl" > "$folder/out" 2>&1; then
    echo "NOT FOUND: $2"
    exit 1
  fi
  if ! grep -q "$1" "$folder/out"; then
    echo "found something other than '$1' with $2:"
    cat "$folder/out"
    exit 1
  fi
  echo "found: $1 ($2)"
}

expect 'data race' '/barrier(/d'
# Two work-items write the same value to the same place.
expect 'Write-write data race' 's/output\[y \* output_width + x\] = sum/output[y * output_width + x \/ 2] = 0.25f/'
expect 'Uninitialized' 's/float sum = 0.0f/float sum/'
expect 'Invalid read' 's/input\[(group_y + tile_y)/input[1000 + (group_y + tile_y)/'
expect 'Invalid write' 's/output\[y \* output_width/output[-9999999 + y * output_width/'
