#!/usr/bin/env bash
# A program's kernels under Oclgrind, which interprets them and watches every access: bounds, data races,
# uninitialised memory, and misuse of the API. Oclgrind's exit status is the program's own, so its log decides.
# usage: oclgrind.sh SHIM PROGRAM [ARGUMENTS]
#   SHIM  the library built from oclgrind_shim.cpp
set -eu
shim=$1
program=$2
shift 2
[ -x "$program" ] || { echo "FAILED: there is no program $program: the build has failed, or it was not built"; exit 1; }
if ! command -v oclgrind > /dev/null; then
  echo "Oclgrind is not installed"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# The shim must come before the library that Oclgrind itself preloads, so it is added within.
# Optimisation is off, because it would hide a sum that was never set to 0.
# shellcheck disable=SC2016 # the inner shell expands LD_PRELOAD
watched() {
  oclgrind --data-races --uniform-writes --uninitialized --check-api --build-options -cl-opt-disable \
    --log "$folder/log" --max-errors 1000000 \
    sh -c 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"' "$shim" \
    "$program" --verify-only --device oclgrind "$@" > "$folder/out" 2> "$folder/err"
}

# Small images, because every access is interpreted; not multiples of a work-group of 16 x 16.
for size in 17x5 33x18; do
  status=0
  watched --size "$size" "$@" || status=$?
  # Oclgrind 21.10 takes whatever read_imagef returns for uninitialised.
  awk -v RS= '!(/^Uninitialized/ && /Kernel: Convolve_Image/) { print $0 "\n" }' "$folder/log" > "$folder/findings"
  mv "$folder/findings" "$folder/log"
  if [ -s "$folder/log" ] || grep -q 'Oclgrind' "$folder/err"; then
    echo "FOUND by Oclgrind: $(basename "$program") --size $size $*"
    echo "kinds of findings:"
    sed -n 's/ \(at\|of size\|written\) .*//p' "$folder/log" | sort | uniq -c
    echo "the first ones:"
    head -n 20 "$folder/log"
    cat "$folder/err"
    exit 1
  fi
  if [ "$status" -ne 0 ] || grep -q skipped "$folder/out"; then
    echo "FAILED: $(basename "$program") --size $size $*"
    cat "$folder/out" "$folder/err"
    exit 1
  fi
done
tail -n 1 "$folder/out"
