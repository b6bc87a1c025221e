#!/bin/bash
# Shows the machine code of a kernel's inner loop, as the device's own compiler makes it, and counts it by kind.
#
#   ./tutorial asm KERNEL [--against FILE] [ARGS]
#   tools/asm.sh BUILD_DIR PROGRAM KERNEL ...
#
# FILE has a kernel of the same name, whose code comes beside it. ARGS go to the step's program, such as --device and
# --filter-width. On PoCL the lines of the source stand at the right. On NVIDIA it is PTX; where ptxas and nvdisasm are
# found, what they make of it.
set -euo pipefail

fail() {
  echo "asm: $*" >&2
  exit 1
}

build=$1 program=$2 kernel=$3 against='' extra='' arguments=(--kernel "$3")
shift 3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
while (($#)); do
  case $1 in
    --help) exec sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" ;;
    --against) against=${2-}; [[ -f $against ]] || fail "--against needs a file"; shift ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

run() { # FOLDER ARGS: the program on a small image; what the device's compiler makes goes into the folder
  mkdir -p "$1"
  [[ $extra != -cl-nv* ]] || export TUTORIAL_BINARIES=$1 CUDA_CACHE_DISABLE=1
  TUTORIAL_BUILD_OPTIONS="$extra ${TUTORIAL_BUILD_OPTIONS-}" POCL_CACHE_DIR=$1 "$build/$program" --verify-only --size 256x256 \
    "${arguments[@]}" "${@:2}" > "$work/output" 2>&1 || { cat "$work/output" >&2; exit 1; }
}

# What makes the compiler tell lines, or registers, and changes no code.
run "$work/device"
case $(grep '^device ' "$work/output") in
  *Portable*) extra=-g ;;
  *NVIDIA*) extra=-cl-nv-verbose ;;
  *) fail "knows the code of PoCL and of NVIDIA's driver, and not of this $(grep '^device ' "$work/output")" ;;
esac

listings() { # FOLDER: of each binary in it that has the kernel, one a line
  local file target
  for file in $(find "$1" -name "$kernel.so") $(grep -ls "\.entry $kernel(" "$1"/*.ptx); do
    target=$(sed -nE 's/^\.target (sm_[0-9a-z]+).*/\1/p' "$file")
    if [[ $file == *.so ]]; then
      objdump -dl --no-show-raw-insn "$file" | sed -E '/file format/d; s|^/.*(\.cl:[0-9]+).*|\1|' > "$file.s"
    elif ! { ptxas -arch="$target" "$file" -o "$file.cubin" && nvdisasm -c "$file.cubin"; } > "$file.s" 2> /dev/null; then
      cp "$file" "$file.s"
    fi
    echo "$file.s"
  done
}

run "$work/ours"
mapfile -t ours < <(listings "$work/ours")
((${#ours[@]})) || fail "$kernel was not built: $(grep -m 1 'skipped' "$work/output" || true)"
driver=$(awk -v kernel="$kernel" '$NF == kernel && /properties for/ { getline; spills = $0; getline; print $0 ";" spills; exit }' "$work/output")
theirs=()
if [[ -n $against ]]; then
  run "$work/theirs" --against "$against"
  # The other of the two that the program has built.
  mapfile -t theirs < <(for file in $(listings "$work/theirs"); do cmp -s "$file" "${ours[0]}" || echo "$file"; done)
  ((${#theirs[@]})) || echo "$kernel of $against has the same code."
fi
file=$(awk -F, -v kernel="$kernel" '$1 == kernel { print $3 }' "$root/kernels.csv")
for source in "$root"/{,studies/,background/}"$program/$file"; do [[ ! -f $source ]] || break; done
"$build/report" asm "$kernel" "${ours[0]}" "$source" ${theirs[0]+"${theirs[0]}" "$against"}
[[ -z $driver ]] || echo "The driver: $driver"
