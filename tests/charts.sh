#!/bin/bash
# Can every chart be drawn without a complaint, and opened by librsvg, as file managers do? Those that the repository
# has, those of its data, and those of a made-up run of all kernels.
#
#   charts.sh BUILD_DIR
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
charts=0

for program in gnuplot rsvg-convert; do
  command -v "$program" > /dev/null || { echo "$program is not installed"; exit 77; }
done

report_failure() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

render() { # FOLDER
  local chart
  for chart in "$1"/*.svg; do
    charts=$((charts + 1))
    rsvg-convert "$chart" > /dev/null 2> "$work/err" || report_failure "$chart: $(head -n 1 "$work/err")"
  done
}

draw() { # RESULTS NAME: draws the charts into a folder of this name
  "$repository/plots/charts.sh" "$1" "$work/$2" > "$work/log" 2> "$work/err" || report_failure "charts.sh $1"
  [[ ! -s $work/err ]] || report_failure "charts.sh $1: $(head -n 1 "$work/err")"
  render "$work/$2"
}

made_up() { # NAME WIDTH...: a run of all kernels at these widths
  local name=$1
  shift
  mkdir "$work/$name"
  awk -F, -v widths="$*" '
    BEGIN {
      count = split(widths, width, " ")
      print "# device: made up\n# size: 64 x 64\n# image: test card"
      print "kernel,filter_width,width,height,median_ms,low_ms,high_ms,relative_percent,gpixels_per_s,clock,x_floor"
    }
    NR > 1 {
      for (i = 1; i <= count; ++i) {
        ms = width[i] ^ 2 / NR
        printf "%s,%d,64,64,%g,%g,%g,%g,%g,event,%g\n", $1, width[i], ms, ms * 0.9, ms * 1.1, 300 / NR, 1 / ms, 100 / NR
      }
    }' "$repository/kernels.csv" > "$work/$name/ladder.csv"
}

for folder in "$repository"/plots/charts/*/; do render "${folder%/}"; done
for folder in "$repository"/plots/data/*/; do draw "${folder%/}" "$(basename "$folder")"; done
made_up sweep 2 3 4 7 8 16
made_up one_width 7
for run in sweep one_width; do
  draw "$work/$run" "$run.charts"
  for chart in step{1,2,3,4a,4b,5,6,7,8,9} baseline ladder; do
    [[ -s $work/$run.charts/$chart.svg && -s $work/$run.charts/$chart.png ]] || report_failure "$run: no $chart"
  done
done

# The bars stand in the order of kernels.csv; gnuplot writes the lowest first.
[[ $(grep -oE '>(Convolve[A-Za-z0-9_:]*|OpenMP|Tuned)<' "$work/sweep.charts/ladder.svg" | tr -d '<>' | tac) == \
  "$(sed '1d; s/,.*//' "$repository/kernels.csv")" ]] || report_failure "ladder.svg is not in the order of kernels.csv"

echo "$charts charts, $failures failures"
((failures == 0))
