#!/bin/bash
# Can every chart be drawn without a complaint, and opened by librsvg, as file managers do? Does its text stay in the
# picture? Those that the repository has, those of its data, and those of made-up runs: of all kernels, and one with the
# worst that a busy machine and a device may give: wide intervals, long numbers and names, missing kernels.
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

text_outside() { # CHART: prints the texts that begin or end outside of the picture
  awk '
    match($0, /viewBox="0 0 [0-9]+ [0-9]+"/) { split(substr($0, RSTART + 9, RLENGTH - 10), box, " ") }
    /<g transform="translate/ {
      at = $0
      sub(/.*<g transform="translate\(/, "", at)
      split(at, place, /[,)]/)
      turned = /rotate\((270|-90)/
      anchor = /text-anchor="middle"/ ? 0.5 : /text-anchor="end"/ ? 1 : 0
      size = $0
      sub(/.*font-size="/, "", size)
    }
    /<text>/ {
      text = $0
      gsub(/<[^>]*>/, "", text)
      gsub(/&[a-z0-9#]+;/, "x", text)
      gsub(/^[ \t]+|[ \t]+$/, "", text)
      wide = 0.55 * size * length(text)  # letters of a usual font are about so wide
      begin = turned ? place[2] + anchor * wide : place[1] - anchor * wide
      end = turned ? begin - wide : begin + wide
      side = turned ? box[4] : box[3]
      if (begin < 0 || end < 0 || begin > side || end > side) print text
    }' "$1"
}

render() { # FOLDER
  local chart
  for chart in "$1"/*.svg; do
    charts=$((charts + 1))
    rsvg-convert "$chart" > /dev/null 2> "$work/err" || report_failure "$chart: $(head -n 1 "$work/err")"
    text_outside "$chart" > "$work/err"
    [[ ! -s $work/err ]] || report_failure "$chart: text leaves the picture: $(head -n 1 "$work/err")"
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
# A PNG is the same chart by another terminal: the made-up runs have them.
export CHART_FORMATS=svg
for folder in "$repository"/plots/data/*/; do draw "${folder%/}" "$(basename "$folder")"; done
export CHART_FORMATS="svg png"
made_up sweep 2 3 4 7 8 16
made_up one_width 7
# The median filter without another library beside it.
cp "$repository/plots/data/h200/median.csv" "$work/one_width"
for run in sweep one_width; do
  draw "$work/$run" "$run.charts"
  for chart in step{1,2,3,4a,4b,5,6,7,8,9} baseline ladder; do
    [[ -s $work/$run.charts/$chart.svg && -s $work/$run.charts/$chart.png ]] || report_failure "$run: no $chart"
  done
done

# A copy of real results: a kernel whose first interval reaches from a 35th of its median to 35 times of it, one that takes 40
# times as long, two that were not run, and a device with a long name.
mkdir "$work/stress"
for csv in "$repository"/plots/data/h200/*.csv; do
  awk -F, -v OFS=, -v device="A device with a name of sixty letters, which is rather long !" '
    /^# device:/ { print "# device: " device; next }
    /^#/ || !head++ { if (!/^#/) for (i = 1; i <= NF; i++) column[$i] = i; print; next }
    !("median_ms" in column) || !("low_ms" in column) { print; next }
    {
      kernel = $column["kernel"]
      if (kernel == "Convolve_Float4" || kernel == "Convolve_Block") next
      if (kernel ~ /^(Convolve_Unroll|Convolve_Def_Local_Unroll|median_gray|medianfilter_rgba|Smooth_Clamp|NPP)$/ && !wide[kernel]++) {
        $column["low_ms"] /= 35
        $column["high_ms"] *= 35
      }
      if (kernel ~ /^(Convolve_Def_Unroll|Convolve_Local|Convolve_Two|median_float|Smooth_Image)$/) {
        $column["median_ms"] *= 40; $column["low_ms"] *= 40; $column["high_ms"] *= 40
        if ("relative_percent" in column) { $column["relative_percent"] *= 40; $column["gpixels_per_s"] /= 40 }
        if ("x_floor" in column) $column["x_floor"] *= 40
      }
      print
    }' "$csv" > "$work/stress/$(basename "$csv")"
done
CHART_FORMATS=svg draw "$work/stress" stress.charts
# The wide interval does not stretch the axis: it is cut off, and the legend says so.
[[ $(grep -c "interval goes on" "$work/stress.charts/step2.svg") == 1 ]] || report_failure "step2: no interval is cut off"
! grep -qE ">[ 0-9]*[0-9]{4}<" "$work/stress.charts/step2.svg" || report_failure "step2: an interval stretches the axis"

# The bars stand in the order of kernels.csv; gnuplot writes the lowest first.
[[ $(grep -oE '>(Convolve[A-Za-z0-9_:]*|OpenMP|Tuned)<' "$work/sweep.charts/ladder.svg" | tr -d '<>' | tac) == \
  "$(sed '1d; s/,.*//' "$repository/kernels.csv")" ]] || report_failure "ladder.svg is not in the order of kernels.csv"

# A README says in words what there is to see in a chart, and the chart is there.
while IFS=: read -r readme picture; do
  words=${picture#"!["}
  words=${words%%]*}
  path=${picture##*(}
  grep -q './tutorial run' "$readme" || report_failure "$readme does not say what makes its charts"
  [[ -s $(dirname "$readme")/${path%)} ]] || report_failure "$readme shows ${path%)}, which is not there"
  ((${#words} >= 30)) || report_failure "$readme: ${path%)} has no words that say what to see"
done < <(cd "$repository" && grep -oH "!\[[^]]*\]([^)]*charts/[^)]*)" README.md ./*/README.md | grep -v charts/xray | sed "s|^|$repository/|")

echo "$charts charts, $failures failures"
((failures == 0))
