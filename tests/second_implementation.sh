#!/usr/bin/env bash
# The same kernels on a second OpenCL implementation: Mesa's rusticl, if it is installed. What only
# works by the grace of one compiler shows up here.
# usage: second_implementation.sh PROGRAM [ARGUMENTS]
#   ARGUMENTS  which kernels at which filter widths; default: all kernels, at all kinds of widths
set -eu -o pipefail
program=$1
shift
[[ -x $program ]] || { echo "FAILED: there is no program $program: the build has failed, or it was not built"; exit 1; }
export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe

if ! "$program" --list-devices > /dev/null 2>&1; then
  echo "rusticl is not installed"
  exit 77
fi

verify() {
  local output
  output=$("$program" --verify-only "$@")
  if grep 'skipped' <<< "$output"; then
    echo "FAILED: a kernel is skipped: $(basename "$program") $*"
    exit 1
  fi
  tail -n 1 <<< "$output"
}

if (($# > 0)); then
  for size in 33x18 48x7; do
    verify --size "$size" "$@"
  done
  exit
fi
# A work-group may have 32 work-items there.
group=()
if "$program" --help | grep -q -- --work-group; then group=(--work-group 8x4); fi
for size in 40x1 31x17; do
  verify --size "$size" --filter-width 1,2,3,4,7,8,17,32 "${group[@]}"
done
few=()
if [[ $program == *step* ]]; then few=(--kernel Convolve); fi
# rusticl's events read 0 or 1 ns; the program must notice, use the host clock and say so.
"$program" --size 64x64 --filter-width 3 --time-budget 0 "${few[@]}" | grep -q "timed by the host clock"
