#!/usr/bin/env bash
# The same kernels on a second OpenCL implementation: Mesa's rusticl, if it is installed. What only works by the grace
# of one compiler shows up here.
# usage: second_implementation.sh BUILD_DIR PROGRAM [FILE]   FILE: the kernels that the step adds in it
export OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe
unset TUTORIAL_DEVICE
source "$(dirname "$0")/programs.bash"
program=$build/$2
require_built "$program"
elsewhere=()
[[ ! ${3-} ]] || settings "$2" "$3"
[[ ${elsewhere[*]} != - ]] || { echo "not on that implementation, see checks.bash of the step"; exit 77; }
# A work-group may have 32 work-items there.
group=()
if "$program" --help | grep -q -- --work-group && [[ $2 == step* ]]; then group=(--work-group 8x4); fi
for size in 40x3 31x17 48x7; do
  passes "$program" --verify-only --size "$size" "${group[@]}" "${elsewhere[@]}"
  expect "a kernel is skipped: $size" eval '! grep -v "no such groups" out | grep skipped'
done
finish
