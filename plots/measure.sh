#!/bin/bash
# Measures what the charts and the tables of the READMEs show: `report plan` makes pieces of measurements.csv.
#     plots/measure.sh PROGRAMS RESULTS short|all [ARGUMENTS of the ladder's programs]
# The device is that of the environment's TUTORIAL_DEVICE, as in the programs. RESULTS gets one CSV per measurement,
# RESULTS/pieces/DEVICE-... what they are made of: only what is missing or out of date there is measured. Exit status:
# 0 all measured; 2 all but what stderr says; 1 not even the ladder.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PROGRAMS=$1
results=$2
mkdir -p "$results/pieces"
[[ $* != *$'\n'* ]] || { echo "an argument contains a line break" >&2; exit 1; }

# Runs the command of FOLDER.part in there. That becomes FOLDER when it is complete: what the program wrote; the
# `command`; the `inputs` that it read; and what it said of a kernel that was `wrong`.
piece() { # FOLDER
  local part=$1.part status=0 words
  mapfile -t words < "$part/command" # the hash of the program's file, build options, the program, its arguments
  : > "$part/inputs"
  local -x TUTORIAL_INPUTS=$part/inputs
  [[ ! ${words[1]} ]] || local -x TUTORIAL_BUILD_OPTIONS=${words[1]}
  "${words[@]:2}" > "$part/log" 2>&1 < /dev/null || status=$?
  case $status in
    0) ;;
    2) cp "$part/log" "$part/wrong" ;; # the rows of the others count
    130) exit 1 ;; # interrupted; the next call goes on
    *) cat "$part/log"; echo "exit status $status"; return ;;
  esac
  [[ -f $part/rows.csv ]] || { cat "$part/log"; echo "it wrote no rows"; return; }
  rm -rf "$1" "$part/log" && mv "$part" "$1"
}

# What the device is, and how wide a filter that stands in a file, by a run of a moment.
filter=''
for ((i = 4; i < $#; i++)); do [[ ${!i} != --filter ]] || filter=${*:i+1:1}; done
probe=$results/pieces/probe.csv
"$PROGRAMS/step1_naive" --size 16x16 ${filter:+--filter "$filter"} --time-budget 0.01 --csv "$probe" > /dev/null || exit 1

"$PROGRAMS/report" plan "$@" >&2 || exit 1
mapfile -t todo < "$results/pieces/todo"
for i in "${!todo[@]}"; do
  echo "[$((i + 1))/${#todo[@]}] ${todo[i]#*$'\t'}"
  piece "${todo[i]%%$'\t'*}" || true
done >&2
status=0
problems=$("$PROGRAMS/report" collect "$@") || exit 1
if [[ $problems ]]; then
  echo "$problems" >&2
  status=2
fi
[[ -f $results/ladder.csv ]] || status=1
if (($# == 3 && status != 1)); then # what can be sent, as a folder of plots/data
  device=$(sed -n 's/^# device: //p' "$probe" | tr -cs 'A-Za-z0-9\n' -)
  (cd "$results" && tar --exclude claims.csv --transform "s|^|$device/|" -czf device.tar.gz -- *.csv) &&
    echo "To show this device in DEVICES.md, send $results/device.tar.gz: CONTRIBUTING.md says how."
fi
exit "$status"
