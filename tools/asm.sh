#!/bin/bash
# Shows the machine code of a kernel's inner loop, as the device's own compiler makes it, and counts it by kind.
#
#   ./tutorial asm KERNEL [ARGS]
#   tools/asm.sh BUILD_DIR PROGRAM KERNEL ...
#
# ARGS go to the step's program, such as --device, --filter-width and, for a text of your own, --kernel-file. On PoCL
# the lines of the source stand at the right. On NVIDIA it is PTX; where ptxas and nvdisasm are found, what they make
# of it.
set -euo pipefail

fail() {
  echo "asm: $*" >&2
  exit 1
}

build=$1 program=$2 kernel=$3 source='' extra=''
shift 3
[[ " $* " != *' --help '* ]] || exec sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
for ((i = 1; i < $#; i++)); do [[ ${!i} != --kernel-file ]] || source=$(realpath "${*:i+1:1}"); done
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

run() { # FOLDER ARGS: the program on a small image; what the device's compiler makes goes into the folder
  mkdir "$1"
  [[ $extra != -cl-nv* ]] || export TUTORIAL_BINARIES=$1 CUDA_CACHE_DISABLE=1
  TUTORIAL_BUILD_OPTIONS="$extra ${TUTORIAL_BUILD_OPTIONS-}" POCL_CACHE_DIR=$1 "$build/$program" --verify-only --size 256x256 \
    --kernel "$kernel" "${@:2}" > "$work/output" 2>&1 || { cat "$work/output" >&2; exit 1; }
}

# What makes the compiler tell lines, or registers, and changes no code.
run "$work/device" "$@"
case $(grep '^device ' "$work/output") in
  *Portable*) extra=-g ;;
  *NVIDIA*) extra=-cl-nv-verbose ;;
  *) fail "knows the code of PoCL and of NVIDIA's driver, and not of this $(grep '^device ' "$work/output")" ;;
esac
run "$work/code" "$@"
binary=$({ find "$work/code" -name "$kernel.so"; grep -ls "\.entry $kernel(" "$work/code"/*.ptx || true; } | head -n 1)
[[ $binary ]] || fail "$kernel was not built: $(grep -m 1 'skipped' "$work/output" || true)"
target=$(sed -nE 's/^\.target (sm_[0-9a-z]+).*/\1/p' "$binary")
if [[ $binary == *.so ]]; then
  objdump -dl --no-show-raw-insn "$binary" | sed -E '/file format/d; s|^/.*(\.cl:[0-9]+).*|\1|' > "$work/listing"
elif ! { ptxas -arch="$target" "$binary" -o "$work/cubin" && nvdisasm -c "$work/cubin"; } > "$work/listing" 2> /dev/null; then
  cp "$binary" "$work/listing"
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
"$build/tutorial" asm "$kernel" "$work/listing" \
  "${source:-$("$build/tutorial" step "$program")/$(awk -F, -v kernel="$kernel" '$1 == kernel { print $3 }' kernels.csv)}"
awk -v kernel="$kernel" '$NF == kernel && /properties for/ { getline; spills = $0; getline; print "The driver: " $0 ";" spills; exit }' \
  "$work/output"
