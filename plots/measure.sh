#!/bin/bash
# Measures what the charts and the tables of the READMEs show: `report plan` makes rules for ninja of measurements.csv.
#     plots/measure.sh PROGRAMS RESULTS short|all [ARGUMENTS of the ladder's programs]
# The device is that of the environment's TUTORIAL_DEVICE, as in the programs. RESULTS gets one CSV per measurement,
# RESULTS/pieces/DEVICE-... what they are made of: only what is missing or out of date there is measured. Exit status:
# 0 all measured; 2 all but what stderr says; 1 not even the ladder.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PROGRAMS=$1
results=$2 extent=$3
mkdir -p "$results/pieces"

# What the device is, and how wide a filter that stands in a file, by a run of a moment.
filter=''
for ((i = 4; i < $#; i++)); do [[ ${!i} != --filter ]] || filter=${*:i+1:1}; done
probe=$results/pieces/probe.csv
"$PROGRAMS/step1_naive" --size 16x16 ${filter:+--filter "$filter"} --time-budget 0.01 --csv "$probe" > /dev/null || exit 1

"$PROGRAMS/tutorial" plan "$@" >&2 || exit 1
status=0
ninja -k 0 -j 1 -f "$results/pieces/build.ninja" < /dev/null >&2 || status=$?
((status <= 1)) || exit 1 # interrupted; the next call goes on
problems=$("$PROGRAMS/tutorial" collect "$@") || exit 1
status=0
if [[ $problems ]]; then
  echo "$problems" >&2
  status=2
fi
[[ -f $results/ladder.csv ]] || status=1
if (($# == 3 && status != 1)); then # what can be sent, as a folder of plots/data
  device=$(sed -n 's/^# device: //p' "$probe" | tr -cs 'A-Za-z0-9\n' -)
  (cd "$results" && tar --transform "s|^|$device/|" -czf device.tar.gz -- *.csv) &&
    echo "To show this device in DEVICES.md, send $results/device.tar.gz: CONTRIBUTING.md says how."
fi
exit "$status"
