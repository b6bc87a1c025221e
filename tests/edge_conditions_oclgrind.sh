#!/usr/bin/env bash
# The kernels of edge_conditions under Oclgrind: bounds, data races, uninitialised memory, misuse of the API.
# Oclgrind's exit status is the program's own, so its log decides.
# usage: edge_conditions_oclgrind.sh PROGRAM
set -eu
program=$1
if ! command -v oclgrind > /dev/null; then
  echo "Oclgrind is not installed"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# clean SIZE KERNELS [OPTION...]: the kernels run without a finding, under Oclgrind with these options too.
clean() {
  local size=$1 kernels=$2
  shift 2
  oclgrind --data-races --check-api --build-options -cl-opt-disable "$@" --log "$folder/log" \
    "$program" --verify-only --size "$size" --kernel "$kernels" --device oclgrind \
    > "$folder/out" 2> "$folder/err" || { cat "$folder/out" "$folder/err"; exit 1; }
  if [ -s "$folder/log" ] || grep -q 'Oclgrind' "$folder/err"; then
    echo "FAILED: --size $size --kernel $kernels"
    cat "$folder/log" "$folder/err"
    exit 1
  fi
}

buffers=Smooth_Branches,Smooth_Padded,Smooth_Clamp,Smooth_Interior,Smooth_Interior:multiple_of_8
for size in 1x1 1x9 9x1 2x2 3x3 5x3 17x31; do
  clean "$size" "$buffers" --uninitialized
  # Oclgrind 21.10 takes whatever read_imagef returns for uninitialised, so it is not asked about that here.
  clean "$size" Smooth_Image
done

# Its images are at most 8192 wide: then that kernel is left out, and nothing else.
oclgrind "$program" --verify-only --size 8200x3 --device oclgrind > "$folder/out" 2>&1 ||
  { cat "$folder/out"; exit 1; }
if ! grep -q "Smooth_Image  *skipped: the device's images are at most 8192 x 8192" "$folder/out"; then
  echo "FAILED: too wide an image for the device is not skipped"
  cat "$folder/out"
  exit 1
fi
tail -n 1 "$folder/out"
