#!/bin/bash
# Can every chart be drawn without a complaint, and opened by librsvg, as file managers do? Those of both reference devices,
# which must be those in plots/charts, and those of a poor run: one filter width, missing kernels, an endless interval.
#
#   charts.sh BUILD_DIR
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
REPORT=$(cd "$1" && pwd)/report
export REPORT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$repository" || exit 1
failures=0
charts=0

for program in gnuplot rsvg-convert; do
  command -v "$program" > /dev/null || { echo "$program is not installed"; exit 77; }
done

report_failure() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

draw() { # RESULTS OUT [ARGUMENTS of make]: all charts whose data are there
  local chart
  make -f plots/charts.mk DATA="$1" OUT="$2" "${@:3}" > "$work/log" 2> "$work/err" || report_failure "charts of $1"
  [[ ! -s $work/err ]] || report_failure "charts of $1: $(head -n 1 "$work/err")"
  for chart in "$2"/*.svg; do
    charts=$((charts + 1))
    rsvg-convert "$chart" > /dev/null 2> "$work/err" || report_failure "$chart: $(head -n 1 "$work/err")"
  done
}

names="baseline chapter7 edge_conditions ladder median median_access median_global_size median_work_group own_step peers"
names+=" step1 step2 step3 step4a step4b step5 step5_published step5_work_group step6 step7 step8 step9"
other=h200
for device in pocl-xeon h200; do
  draw plots/data/$device "$work/$device" OTHER=plots/data/$other
  other=$device
  for name in $names; do
    new=$work/$device/$name.svg old=plots/charts/$device/$name.svg
    # Another version of gnuplot draws the same data with other strokes.
    if [[ ! -s $new ]]; then
      report_failure "$device: no $name"
    elif [[ $(grep -a Produced "$new") == $(grep -a Produced "$old") ]] && ! cmp -s "$new" "$old"; then
      report_failure "$old is stale: make -f plots/charts.mk reference"
    fi
  done
done

mkdir "$work/poor"
grep -E '^#|^kernel,|^[A-Za-z0-9_:]+,7,' plots/data/h200/ladder.csv |
  grep -vE '^Convolve_(Float4|Def_Unroll|Block)?,' |
  sed -E 's/^(Convolve_Unroll,7(,[^,]*){6},)[^,]*/\1999999/' > "$work/poor/ladder.csv"
echo "Convolve,7,1,1,0,0,7,1,1,1,1,100,1,0,event,1" >> "$work/poor/ladder.csv"
draw "$work/poor" "$work/poor/charts" CHART_FORMATS="svg png"
[[ -s $work/poor/charts/step2.png ]] || report_failure "no PNG"
[[ ! -e $work/poor/charts/peers.svg ]] || report_failure "a chart without data"
! grep -qE '>[ 0-9]*[0-9]{4}<' "$work/poor/charts/step2.svg" || report_failure "step2: an interval stretches the axis"
# A chart whose data are gone goes as well.
mv "$work/poor/ladder.csv" "$work/poor/peers.csv"
draw "$work/poor" "$work/poor/charts"
[[ ! -e $work/poor/charts/step2.svg ]] || report_failure "a chart of other data is left"

# The bars stand in the order of kernels.csv; gnuplot writes the lowest first.
[[ $(grep -oE '>(Convolve[A-Za-z0-9_:]*|OpenMP|Tuned)<' "$work/pocl-xeon/ladder.svg" | tr -d '<>' | tac) == \
  "$(sed '1d; s/,.*//' kernels.csv | grep -xF -f <(cut -d, -f1 plots/data/pocl-xeon/ladder.csv))" ]] || report_failure "ladder.svg: not in order"

echo "$charts charts, $failures failures"
((failures == 0 && charts > 44))
