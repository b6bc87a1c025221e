#!/bin/bash
# Runs a program of the tutorial in the simulator Oclgrind and shows what its kernels really did.
#
#   ./tutorial xray N [--work-group WxH] [--banks 16|32] [--csv FILE] [--svg DIR] [ARGS]
#   tools/xray/xray.sh BUILD_DIR PROGRAM ...
#
# ARGS go to the program. The README beside this file says what the numbers mean.
set -euo pipefail

fail() {
  echo "xray: $*" >&2
  exit 1
}

build=$1 name=$2
shift 2
program=$build/$name plugin=$build/libxray.so
command -v oclgrind > /dev/null || fail "needs the simulator Oclgrind: the package oclgrind, or see SETUP.md"
[[ -f $plugin ]] || fail "needs the headers of Oclgrind: the package liboclgrind-dev, or see SETUP.md"

declare -A given=([--work-group]=32x4 [--banks]=32 [--csv]='' [--svg]='')
declare -A form=([--work-group]='^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$' [--banks]='^(16|32)$')
declare -A must_be=([--work-group]=WxH [--banks]='16 or 32')
arguments=()
while (($#)); do
  [[ $1 != --*=* ]] || set -- "${1%%=*}" "${1#*=}" "${@:2}"
  case $1 in
    --work-group | --banks | --csv | --svg)
      (($# > 1)) || fail "$1 needs a value"
      [[ $2 =~ ${form[$1]-} ]] || fail "$1 must be ${must_be[$1]}, not '$2'"
      given[$1]=$2
      # Only programs whose kernels need to know it have the option.
      [[ $1 != --work-group || $("$program" --help) != *--work-group* ]] || arguments+=("$1" "$2")
      shift
      ;;
    --help) exec sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
group=${given[--work-group]} banks=${given[--banks]} csv=${given[--csv]} svg=${given[--svg]}
# The simulator cannot tell groups of one work-item that are asked for from those left to OpenCL.
[[ "${arguments[*]-} " != *'--block-group 1x1 '* ]] || group=1x1

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
printf '# %s\n' "program: $name" "simulator: $(oclgrind --version | grep -m 1 Oclgrind)" "work_group: $group" \
  "warp: 32" "banks: $banks" > "$work/counts"
[[ ! -t 2 ]] || echo "Simulating; this may take a minute" >&2
status=0
# The kernels are compiled as drivers do it: with all optimisations.
XRAY_FOLDER=$work XRAY_GROUP=$group XRAY_BANKS=$banks \
  oclgrind --local-mem-size 65536 --build-options -O3 --plugins "$plugin" \
  "$program" --verify-only --device oclgrind --size 128x32 "${arguments[@]}" > "$work/output" 2>&1 || status=$?
# After a failure, what was counted before may tell why.
((status == 0)) || grep -v -e '^width ' -e '^device ' -e '^image ' "$work/output" >&2
[[ -f $work/1.cells ]] || exit "$status"
(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && "$build/tutorial" xray "$work")
grep ' skipped: ' "$work/output" || true
[[ -z $csv ]] || cp "$work/csv" "$csv"
if [[ $svg ]]; then
  mkdir -p "$svg"
  for picture in "$work"/*.svg; do cp "$picture" "$svg" && echo "$svg/${picture##*/}"; done
fi
exit "$status"
