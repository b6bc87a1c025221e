#!/bin/bash
# Runs a program of the tutorial in the simulator Oclgrind and shows what its kernels really did.
#
#   ./tutorial xray N [--work-group WxH] [--warp 16|32|64] [--csv FILE] [--svg DIR] [ARGS]
#   xray/xray.sh BUILD_DIR PROGRAM ...
#
# ARGS go to the program. The README beside this file says what the numbers mean.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
  echo "xray: $*" >&2
  exit 1
}

build=$1 name=$2
shift 2
program=$build/$name
plugin=$build/libxray.so
command -v oclgrind > /dev/null || fail "needs the simulator Oclgrind: Debian's and Ubuntu's package oclgrind"
[[ -f $plugin ]] || fail "needs the headers of Oclgrind: Debian's and Ubuntu's package liboclgrind-dev"

group=32x4 warp=32 csv='' svg='' arguments=() size=(--size 128x32)
while (($#)); do
  [[ $1 != --*=* ]] || set -- "${1%%=*}" "${1#*=}" "${@:2}"
  case $1 in
    --work-group | --warp | --csv | --svg | --size | --input)
      (($# > 1)) || fail "$1 needs a value"
      ;;&
    --work-group)
      [[ $2 =~ ^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$ ]] || fail "--work-group must be WxH, not '$2'"
      group=$2
      # Only programs whose kernels need to know it have the option.
      [[ $("$program" --help) != *--work-group* ]] || arguments+=(--work-group "$2")
      shift
      ;;
    --warp)
      [[ $2 =~ ^(16|32|64)$ ]] || fail "--warp must be 16, 32 or 64, not '$2'"
      warp=$2
      shift
      ;;
    --csv) csv=$2; shift ;;
    --svg) svg=$2; shift ;;
    --size | --input) size=() arguments+=("$1" "$2"); shift ;;
    --help) exec sed -n '2,/^$/s/^# \{0,1\}//p' "$here/xray.sh" ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir "$work/cells"
touch "$work/counts"
# On a terminal, how far it is. A job in the background does not hear Ctrl-C, so it ends when $work is gone.
show_progress() {
  while sleep 1 && [[ -d $work ]]; do
    printf '\rSimulating: %d kernels done' "$(wc -l < "$work/counts")" >&2
  done
}
if [[ -t 2 ]]; then
  show_progress &
  progress=$!
  disown
fi
status=0
# The kernels are compiled as drivers do it: with all optimisations.
XRAY_COUNTS=$work/counts XRAY_CELLS=${svg:+$work/cells} XRAY_GROUP=$group XRAY_WARP=$warp \
  oclgrind --build-options -O3 --plugins "$plugin" \
  "$program" --verify-only --device oclgrind "${size[@]}" "${arguments[@]}" > "$work/output" 2>&1 || status=$?
if [[ -t 2 ]]; then
  kill "$progress"
  printf '\r\033[K' >&2
fi
# After a failure, what was counted before may tell why.
((status == 0)) || grep -v -e '^width ' -e '^device ' -e '^image ' "$work/output" >&2
[[ -s $work/counts ]] || exit "$status"

[[ -z $csv ]] || : > "$csv"
# A kernel is launched after its helpers, the kernels NAME_... above NAME.
helpers=$(for file in "$here/../$name"/*.cl; do
  "$build/report" kernels "$file" |
    awk '{ for (i = 1; i < NR; ++i) if (index(above[i], $1 "_") == 1) print $1 ":" above[i]; above[NR] = $1 }'
done | paste -sd ' ')
awk -v program="$name" -v helpers="$helpers" -v simulator="$(oclgrind --version | grep -m 1 Oclgrind)" -v group="$group" -v warp="$warp" \
  -v csv="$csv" -v launches="$work/launches" -f "$here/table.awk" "$work/output" "$work/counts"
grep ' skipped: ' "$work/output" || true

if [[ -n $svg ]]; then
  mkdir -p "$svg"
  launch=0
  while read -r kernel width shape; do
    launch=$((launch + 1))
    [[ -f $work/cells/$launch.cells ]] || continue
    awk -v title="$kernel, $width × $width" -v group="$shape" -f "$here/picture.awk" \
      "$work/cells/$launch.cells" > "$svg/${kernel//:/_}-$width.svg"
  done < "$work/launches"
  echo "Pictures: $svg"
fi
exit "$status"
