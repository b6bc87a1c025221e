#!/usr/bin/env bash
# Every kernel of a step, for all filter widths, on sizes that break such code: single pixels, rows and
# columns, primes, and both sides of multiples of 16. Kernels with local memory also in work-groups
# that are not square.
# usage: verify.sh PROGRAM KERNEL_FILE
set -eu
program=$1
kernel_file=$2

verify() {
  if ! output=$("$program" --verify-only "$@" 2>&1); then
    printf '%s\n' "$output" | grep -v ' ok, ' || true
    echo "FAILED: $(basename "$program") $*"
    exit 1
  fi
  echo "$*: $(printf '%s\n' "$output" | tail -n 1)"
}

for size in 1x1 1x40 40x1 15x33 31x17 64x64 101x67; do
  verify --size "$size" --filter-width 1:32
done

# The halo: sizes one below, at and one above what whole work-groups cover.
local_kernels=$(sed -n 's/^__kernel void \([A-Za-z0-9_]*Local[A-Za-z0-9_]*\)(.*/\1/p' "$kernel_file" | paste -sd,)
[ -n "$local_kernels" ] || exit 0
for size in 16x17 31x32 33x15; do
  verify --size "$size" --filter-width 1:32 --kernel "$local_kernels"
done
for group in 8x32 32x4 64x1 1x16 20x3; do
  verify --size 33x31 --filter-width 1,2,7,16,17,32 --work-group "$group" --kernel "$local_kernels"
done
