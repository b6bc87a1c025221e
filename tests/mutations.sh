#!/usr/bin/env bash
# Breaks every kernel that is new in a step by one index, in a copy, and sees the program notice: a
# check that cannot fail proves nothing.
# usage: mutations.sh PROGRAM KERNEL_FILE [PREDECESSOR'S_KERNEL_FILE]
set -eu
program=$1
kernel_file=$2
predecessor=${3:-/dev/null}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

kernels_of() {
  sed -n 's/^__kernel void \([A-Za-z0-9_]*\)(.*/\1/p' "$1"
}

# mutate KERNEL SED_EXPRESSION: in the copy the expression is applied to that kernel alone.
mutate() {
  sed "/^__kernel void $1(/,/^}/ { $2 }" "$kernel_file" > "$folder/broken.cl"
  ! cmp -s "$kernel_file" "$folder/broken.cl"
}

# A wrong pixel or a write outside of the output, named with its kernel; exit status 2. A kernel that
# crashes (139: a float4 read from an odd address) has been noticed as well.
noticed() {
  status=0
  "$program" --verify-only --size 37x23 --filter-width 7 --kernel "$1" \
    --kernel-file "$folder/broken.cl" > "$folder/out" 2> "$folder/err" || status=$?
  [ "$status" -eq 139 ] && return
  [ "$status" -eq 2 ] &&
    grep -Eq "$1.*(wrong at \([0-9]+, [0-9]+\): expected .*, got |outside)" "$folder/err"
}

count=0
for kernel in $(kernels_of "$kernel_file"); do
  kernels_of "$predecessor" | grep -qx "$kernel" && continue
  of_this_kernel=0
  for mutation in \
    's/^\( *output\[.*\] = \)/\1 1.0001f * /' \
    's/^\( *output\[\)/\11 + /' \
    's/for (int r = 0;/for (int r = 1;/' \
    's/\(int x = get_global_id(0)\)/\1 + 1/' \
    's/\(int y = get_global_id(1)\)/\1 - 1/' \
    's/\[input_row + c\]/[input_row + c + 1]/' \
    's/\[tile_row + c\]/[tile_row + c + 1]/' \
    's/filter_width - 1;$/filter_width - 2;/' \
    's/^\( *\)\(output\[\)/\1if (x != 5 || y != 7) \2/'; do
    mutate "$kernel" "$mutation" || continue
    if ! noticed "$kernel"; then
      echo "NOT NOTICED (exit status $status): $kernel with $mutation"
      cat "$folder/out" "$folder/err"
      exit 1
    fi
    of_this_kernel=$((of_this_kernel + 1))
  done
  echo "$kernel: $of_this_kernel mistakes noticed"
  [ "$of_this_kernel" -ge 4 ]
  count=$((count + 1))
done
[ "$count" -ge 1 ]
