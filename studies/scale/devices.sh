#!/usr/bin/env bash
# The rate of one device or of several, or of parts of one, in rounds:
#     studies/scale/devices.sh SECONDS OUT.csv 0:0 "0:0 --sub-devices 2" 0:0,1:0 ...
# Each of these is what follows --device. A round begins while the SECONDS are not over. The CSV has the medians in
# Gpixel/s; `of_first` is the median of the ratios to the first one within the rounds, with the lowest and the highest.
set -euo pipefail
seconds=$1 csv=$(realpath -m "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scale=$(realpath "${PROGRAMS:-build/release}")/scale
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
size=16384x4096
"$scale" --size $size --filter box --filter-width 1 --output "$work/in.pgm" > /dev/null
for ((round = 0; round == 0 || SECONDS < seconds; round++)); do
  for ((i = 3; i <= $#; i++)); do
    read -ra options <<< "${!i}"
    "$scale" --input "$work/in.pgm" --memory 24M --output "$work/out.pgm" --device "${options[@]}" > "$work/log"
    awk -v of="$round $i" '/^predicted/ { rate = $4 } /^measured/ { print of, rate, $4 }' "$work/log"
  done
done | awk '$2 == 3 { first = $4 } { print $0, $4 / first }' > "$work/rounds"

values() { awk -v of="$1" -v field="$2" '$2 == of { print $field }' "$work/rounds" | sort -g; } # NUMBER FIELD, sorted
middle() { awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] "," value[1] "," value[NR] }'; }
{
  "$scale" --size 16x16 --device "${3%% *}" --output "$work/out.pgm" --csv "$work/head.csv" --time-budget 0 > /dev/null
  grep -E '^# (platform|device|device_type|driver|opencl_c|commit):' "$work/head.csv"
  printf '%s\n' "# image: rings" "# size: ${size/x/ x }" "# rounds: $(values 3 1 | wc -l); in Gpixel/s"
  echo devices,predicted,measured,of_first,of_first_low,of_first_high
  for ((i = 3; i <= $#; i++)); do
    echo "\"${!i}\",$(values $i 3 | middle | cut -d , -f 1),$(values $i 4 | middle | cut -d , -f 1),$(values $i 5 | middle)"
  done
} > "$csv"
