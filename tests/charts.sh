#!/bin/bash
# Which fault turns this test red alone: a committed chart that is not what its data give, and a chart of poor data (one
# filter width, missing kernels, an endless interval, none) that gnuplot or librsvg complains about, or that is left.
source "$(dirname "$0")/checks.bash"
export REPORT=$build/tutorial
cd "$repository" || exit 1
for program in gnuplot rsvg-convert; do
  command -v "$program" > /dev/null || { echo "$program is not installed"; exit 77; }
done

draw() { # RESULTS OUT [OTHER]: all charts whose data are there
  local chart
  ends 0 plots/charts.sh "$@"
  expect "charts of $1: $(head -n 1 "$work/err")" test ! -s "$work/err"
  for chart in "$2"/*.svg; do
    expect "$chart is no SVG" rsvg-convert "$chart"
  done
}

ends 0 plots/charts.sh reference "$work/charts"
expect "charts: $(head -n 1 "$work/err")" test ! -s "$work/err"
expect "other charts than in plots/charts" \
  diff <(cd "$work/charts" && find . -name '*.svg' | sort) <(cd plots/charts && find . -name '*.svg' ! -path './xray/*' | sort)
while read -r new; do
  expect "$new is no SVG" rsvg-convert "$new"
  old=plots/${new#"$work/"}
  # Another version of gnuplot draws the same data with other strokes.
  [[ $(grep -a Produced "$new") != $(grep -a Produced "$old") ]] ||
    expect "$old is stale: plots/charts.sh reference" cmp "$new" "$old"
done < <(find "$work/charts" -name '*.svg')

mkdir "$work/poor"
grep -E '^#|^kernel,|^[A-Za-z0-9_:]+,6,' plots/data/h200/ladder.csv |
  grep -vE '^Convolve_(Float4|Def_Unroll|Block),' |
  awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i == "relative_high") high = i } /^Convolve_Unroll,/ { $high = 999999 } 1' \
    > "$work/poor/ladder.csv"
printf '%s\n' kernel,filter_width,median_ms,low_ms,high_ms,relative_percent,relative_low,relative_high,x_floor \
  Convolve,6,1,1,1,100,100,100,9 Convolve_Unroll,6,1,1,1,80,70,90,7 > "$work/poor/unoptimised.csv"
# A step of your own that is no convolution: another baseline, no floor.
sed 's/^Convolve,/Smooth,/; /^OpenMP/d' plots/data/h200/two_passes.csv | awk -F, -v OFS=, '/^[CS]/ { $16 = "" } 1' > "$work/poor/two_passes.csv"
draw "$work/poor" "$work/poor/charts"
expect "a chart without data" test ! -e "$work/poor/charts/peers.svg"
expect "sawtooth: no published points" grep -q '>published: Unroll, AMD 2009<' "$work/poor/charts/sawtooth.svg"
expect "step2: an interval stretches the axis" eval '! grep -E ">[ 0-9]*[0-9]{4}<" "$work/poor/charts/step2.svg"'
expect "two_passes: not over its own baseline" grep -q ">% of Smooth's time" "$work/poor/charts/two_passes.svg"
# A chart whose data are gone goes as well.
mv "$work/poor/ladder.csv" "$work/poor/peers.csv"
draw "$work/poor" "$work/poor/charts"
expect "a chart of other data is left" test ! -e "$work/poor/charts/step2.svg"

# Data that give no chart leave the charts that are there.
mkdir "$work/none"
: > "$work/none/ladder.csv"
ends 1 plots/charts.sh "$work/none" "$work/poor/charts"
expect "not said: no chart" grep -q "^no chart can be drawn from $work/none\$" "$work/err"
expect "old charts are gone" test -s "$work/poor/charts/peers.svg"

finish
