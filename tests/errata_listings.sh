#!/usr/bin/env bash
# Rows of ERRATA.md that no result shows: E15 needs a look at the source, E17 needs Oclgrind.
# usage: errata_listings.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# E15: the language promises the alignment of the declared type and no more. So no pointer to floats in
# local memory is made into one to float4; a parameter that is to hold float4 says so.
local_cast='\(__local +float4 *\*\) *[&a-z]'
echo '  quads = (__local float4*)&tile[4 * i];' | grep -qE "$local_cast" # the pattern finds what it should
if grep -nE "$local_cast" "$repository"/*/*.cl; then
  echo "FAILED: E15: local memory is cast to float4"
  exit 1
fi
if ! sed -n '/__kernel void Convolve_Local_Read4(/,/{$/p' "$repository/step6_float4/convolution.cl" |
  grep -q '__local float4\*'; then
  echo "FAILED: E15: Convolve_Local_Read4 does not declare a __local float4*"
  exit 1
fi
echo "E15: local memory that holds float4 is declared so"

if ! command -v oclgrind > /dev/null; then
  echo "Oclgrind is not installed"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# races KERNEL_FILE: Oclgrind finds two work-items that write to the same place. They write the same
# value, so only --uniform-writes makes it speak of them.
races() {
  oclgrind --data-races --uniform-writes --log "$folder/log" \
    "$build/edge_conditions" --verify-only --device oclgrind --size 9x7 --kernel Smooth_Clamp \
    --kernel-file "$1" > "$folder/out" 2>&1 || true
  grep -q 'Write-write data race' "$folder/log"
}

# E17: items at the border write where an item further in writes too.
sed '/__kernel void Smooth_Clamp(/,/^}/ s/output\[.*\] =/output[centre] =/' \
  "$repository/edge_conditions/smooth.cl" > "$folder/as_printed.cl"
if ! races "$folder/as_printed.cl" || races "$repository/edge_conditions/smooth.cl"; then
  echo "FAILED: E17"
  cat "$folder/log" "$folder/out"
  exit 1
fi
echo "E17: the clamped output position is a data race, the item's own is none"
