#!/usr/bin/env bash
# Every kernel of a step, for all filter widths, on sizes that break such code: single pixels, rows and
# columns, primes, and both sides of multiples of 16. Kernels with local memory also in work-groups
# that are not square. Kernels that compute blocks in both forms (--lanes), with blocks and work-groups
# that fit no image.
# usage: verify.sh PROGRAM KERNEL_FILE [PREDECESSOR'S_KERNEL_FILE]
set -eu
program=$1
kernel_file=$2
predecessor=${3:-/dev/null}

verify() {
  if ! output=$("$program" --verify-only "$@" 2>&1); then
    printf '%s\n' "$output" | grep -v ' ok, ' || true
    echo "FAILED: $(basename "$program") $*"
    exit 1
  fi
  echo "$*: $(printf '%s\n' "$output" | tail -n 1)"
}

kernels_of() {
  sed -n 's/^__kernel void \([A-Za-z0-9_]*\)(.*/\1/p' "$1"
}

# Steps that compute blocks. The kernels before them stand in their own step's file too, where they pass
# through everything below; here once at a few widths, because the host's buffers have grown.
if grep -q TILE_WIDTH "$kernel_file"; then
  folder=$(mktemp -d)
  trap 'rm -r "$folder"' EXIT
  # A cross, with hardly any taps: where most are 0, Convolve_Baked unrolls on a CPU as well.
  awk 'BEGIN { for (r = 0; r < 9; r++) { for (c = 0; c < 9; c++) printf "%s ", r == 2 || c == 6 ? 0.25 * r - c : 0
    print "" } }' > "$folder/cross.txt"
  awk 'BEGIN { for (r = 0; r < 4; r++) print "0 0 0 0" }' > "$folder/nothing.txt"

  every=$(kernels_of "$kernel_file" | grep -v '^Convolve_Fast$' | paste -sd,)
  verify --size 33x18 --filter-width 2,7,16 --kernel "$every"

  new=$(kernels_of "$kernel_file" | grep -vxFf <(kernels_of "$predecessor") | paste -sd,)
  if [ -z "$new" ]; then
    # The search's own way of building: one kernel, and room for the largest block. All its candidates,
    # where the input has hardly any room beyond the image, and where rows are whole vectors.
    verify --size 33x31 --filter-width 1,2,3,8 --kernel Tuned
    verify --size 1x1 --filter-width 1,8 --kernel Tuned
    verify --size 64x64 --filter-width 2,3 --kernel Tuned
    verify --size 33x31 --filter motion-blur --filter-width 7 --kernel Tuned
    # What a GPU's search tries.
    for tile in 4x4 4x2 4x8 4x6 8x4; do
      verify --size 33x31 --filter-width 3,8 --kernel Convolve_Tile,Convolve_Baked,Convolve_Fast --lanes 1 \
        --tile "$tile" --tile-group 32x4
    done
    exit
  fi
  # Compiling takes nearly all of the time, so from here on the older kernels are left out of a copy.
  awk '/^__kernel void Convolve_Unroll\(/ { skip = 1 } /^\/\/ Kernel 15:/ { skip = 0 } !skip' \
    "$kernel_file" > "$folder/new.cl"
  by_float() {
    verify --kernel-file "$folder/new.cl" --lanes 1 --kernel "$new" "$@"
  }
  by_float16() {
    verify --kernel-file "$folder/new.cl" --lanes 16 --kernel "${new%,Convolve_Fast}" "$@"
  }
  if [ "$new" = Convolve_Tile ]; then
    for size in 1x1 1x40 40x1 15x33 31x17 64x64 101x67; do
      by_float16 --size "$size" --filter-width 1:32
      by_float --size "$size" --filter-width 1:32 --tile 4x2
    done
  else
    # From step 8 on the program is another for every width of image, though not for every height; and
    # by float all taps are unrolled, which takes seconds for the widest filters.
    for size in 31x17 31x1 31x40; do
      by_float16 --size "$size" --filter-width 1:32
      by_float --size "$size" --filter-width 1:14 --tile 4x2
      by_float --size "$size" --filter-width 15:32 --tile 4x1
    done
    for size in 64x64 101x67; do
      by_float16 --size "$size" --filter-width 1:32 --tile 16x2
      by_float --size "$size" --filter-width 1:14,17 --tile 4x2
    done
    by_float --size 64x64 --filter-width 32 --tile 4x1
    for size in 1x1 1x40 40x1 15x33; do
      by_float16 --size "$size" --filter-width 1,2,7,19 --tile 16x2
      by_float --size "$size" --filter-width 1,2,7 --tile 4x2
    done
  fi
  # Blocks that fit neither image nor filter: higher than the filter, wider than the image, of one row.
  for size in 33x31 64x48; do
    for tile in 8x5 4x1 16x7; do
      by_float --size "$size" --filter-width 1,2,7 --tile "$tile"
    done
    for tile in 16x1 64x16 48x5; do
      by_float16 --size "$size" --filter-width 1,2,7,19 --tile "$tile"
    done
  done
  # Work-groups that reach beyond the image.
  for group in 3x5 32x4 1x1; do
    by_float --size 101x67 --filter-width 1,2,7 --tile 4x2 --tile-group "$group"
    by_float16 --size 101x67 --filter-width 1,2,7 --tile 16x2 --tile-group "$group"
  done
  # Taps that are 0.
  for filter in motion-blur box "$folder/cross.txt" "$folder/nothing.txt"; do
    widths=(--filter-width "2,7,16")
    [ ! -e "$filter" ] || widths=()
    for size in 31x17 64x64; do
      by_float16 --size "$size" --filter "$filter" "${widths[@]}"
      by_float --size "$size" --filter "$filter" "${widths[@]}" --tile 4x2
    done
  done
  exit
fi

for size in 1x1 1x40 40x1 15x33 31x17 64x64 101x67; do
  verify --size "$size" --filter-width 1:32
done

# The halo: sizes one below, at and one above what whole work-groups cover.
local_kernels=$(kernels_of "$kernel_file" | grep Local | paste -sd,) || true
[ -n "$local_kernels" ] || exit 0
for size in 16x17 31x32 33x15; do
  verify --size "$size" --filter-width 1:32 --kernel "$local_kernels"
done
for group in 8x32 32x4 64x1 1x16 20x3; do
  verify --size 33x31 --filter-width 1,2,7,16,17,32 --work-group "$group" --kernel "$local_kernels"
done
