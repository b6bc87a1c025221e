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

build=$1 program=$2 kernel=$3
shift 3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
against='' arguments=()
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
  POCL_CACHE_DIR=$1 CUDA_CACHE_DISABLE=1 TUTORIAL_BINARIES=$1 "$build/$program" --verify-only --size 256x256 \
    --kernel "$kernel" ${arguments[@]+"${arguments[@]}"} "${@:2}" > "$work/output" 2>&1 || { cat "$work/output" >&2; exit 1; }
}

# listings FOLDER: of each binary in it that has the kernel, one a line.
listings() {
  local file
  while read -r file; do
    case $file in
      *.so) objdump -dl --no-show-raw-insn "$file" > "$file.s" ;;
      *)
        grep -q "\.entry $kernel(" "$file" || continue
        cp "$file" "$file.s"
        if command -v ptxas > /dev/null && command -v nvdisasm > /dev/null; then
          ptxas -arch="$(sed -nE 's/^\.target (sm_[0-9a-z]+).*/\1/p' "$file")" "$file" -o "$file.cubin" && nvdisasm -c "$file.cubin" > "$file.s"
        fi
        ;;
    esac
    echo "$file.s"
  done < <(find "$1" -name "$kernel.so" -o -name '*.binary')
}

# What makes the compiler tell lines, or registers, and changes no code.
run "$work/first"
case $(sed -n 's/^device *//p' "$work/output") in
  *Portable*) extra=-g ;;
  *NVIDIA*) extra=-cl-nv-verbose ;;
  *) fail "shows the code of PoCL and of NVIDIA's driver, not of this device: $(sed -n 's/^device *//p' "$work/output")" ;;
esac
export TUTORIAL_BUILD_OPTIONS="$extra ${TUTORIAL_BUILD_OPTIONS-}"
run "$work/ours"
ours=$(listings "$work/ours" | head -n 1)
[[ -n $ours ]] || fail "$kernel was not built: $(grep -m 1 "$kernel.*skipped" "$work/output")"
verbose=$(sed -nE "/ $kernel[ ']/,/Used/ s/.*(Used .*|.*spill.*)/\1/p" "$work/output")
theirs=''
if [[ -n $against ]]; then
  run "$work/theirs" --against "$against"
  while read -r theirs; do
    ! cmp -s "$ours" "$theirs" || continue
    break
  done < <(listings "$work/theirs")
fi
file=$(awk -F, -v kernel="$kernel" '$1 == kernel { print $3 }' "$root/kernels.csv")
for source in "$root"/{,studies/,background/}"$program/$file"; do [[ ! -f $source ]] || break; done
"$build/report" asm "$kernel" "$ours" "$source" ${theirs:+"$theirs" "$against"}
echo "${verbose:+"The driver: $verbose"}"
