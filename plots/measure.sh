#!/usr/bin/env bash
# Measures what the charts and the tables of the READMEs show; measurements.csv has the plan, measure.mk the rules.
#     plots/measure.sh PROGRAMS RESULTS short|all [ARGUMENTS of the ladder's programs]
# The device is that of the environment's TUTORIAL_DEVICE, as in the programs. RESULTS gets one CSV per measurement,
# RESULTS/pieces/DEVICE what they are made of: only what is missing or out of date there is measured. Exit status:
# 0 all measured; 2 all but what stderr says; 1 not even the ladder, or another run is measuring.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PROGRAMS=$1
results=$2 extent=$3
shift 3
mkdir -p "$results/pieces"
[[ $results/.lock -ef /dev/fd/9 ]] || exec 9> "$results/.lock" # open already in a run of ./tutorial
flock -n 9 || { echo "Another run is measuring into $results." >&2; exit 1; }

# The device, by a run of a moment; and the one width of a filter that stands in a file.
probe=$results/pieces/probe.csv filter='' width=''
for ((i = 1; i < $#; i++)); do [[ ${!i} != --filter ]] || filter=${*:i+1:1}; done
"$PROGRAMS/step1_naive" --size 16x16 ${filter:+--filter "$filter"} --time-budget 0.01 --csv "$probe" > /dev/null || exit 1
[[ ! -f $filter ]] || width=$(sed -n 's/^Convolve,\([0-9]*\),.*/\1/p' "$probe")
head_of() { sed -n "s/^# $2: //p" "$1"; }
device=$(head_of "$probe" device)
# Arguments of the reader's have pieces of their own, so that they replace no others.
name="$device $(head_of "$probe" driver) $*"
here=$results/pieces/${name//[^A-Za-z0-9.]/-}
mkdir -p "$here"
# What was measured with another version of the reader's file is measured anew.
for argument; do [[ ! -f $argument ]] || find "$here" -path '*/ladder-*.csv' ! -newer "$argument" -delete; done
rm -f "$here/wrong"
type=$(head_of "$probe" device_type)
sed -nE "s/^([^,]+),$type,([^,]*),([^,]*),(.*)/\1 = \2 \3 \4\nplan += \1/; T; s/\|/,/g; p" plots/measurements.csv > "$here/plan"

# RESULTS is of one device; the results of another get a folder of their own.
previous=$(head_of "$results/ladder.csv" device 2> /dev/null) || true
if [[ $previous && $previous != "$device" ]]; then
  other=$results/$(tr -cs 'A-Za-z0-9\n' - <<< "$previous")
  mkdir -p "$other"
  mv "$results"/*.csv "$other"
fi

arguments=${*@Q}  # quoted for the shell; make wants two dollars for one
measure() {
  make -k -f plots/measure.mk HERE="$here" TYPE="$type" EXTENT="$extent" WIDTH="$width" \
    ARGS="${arguments//\$/\$\$}" "$@" 2>&1
}
count=$(measure -n | grep -c "^echo 'piece") || true
number=0 status=0 format='[%d/%d] %s\n'
[[ ! -t 2 ]] || format='\r[%d/%d] %-60s'
measure | while IFS= read -r line; do
  case $line in
    piece\ *) printf "$format" $((++number)) "$count" "${line#* }" ;;
    failed\ *) (cd "$results" && rm -f ${line#* }) ;; # names of CSVs
    make*\ Error\ * | make*'not remade because of errors.') ;;
    *) printf '%s\n' "$line" ;;
  esac
done >&2 || status=$?
((status <= 2)) || exit 1  # killed; the next call goes on

shopt -s nullglob
for csv in "$here"/*.csv; do
  cmp -s "$csv" "$results/${csv##*/}" && continue
  cp "$csv" "$results/.part" && mv "$results/.part" "$results/${csv##*/}" || exit 1
done
if [[ -s $here/wrong ]]; then
  status=2
  cat "$here/wrong" >&2
fi
[[ -f $results/ladder.csv ]] || status=1
if [[ $extent == all ]]; then # what can be sent, as a folder of plots/data
  folder=$(tr -cs 'A-Za-z0-9\n' - <<< "$device")
  mkdir -p "$results/$folder" && cp "$here"/*.csv "$results/$folder" && tar -C "$results" -czf "$results/device.tar.gz" "$folder" &&
    echo "To show this device in DEVICES.md, send $results/device.tar.gz: studies/own_step/README.md says how."
fi
exit "$status"
