#!/usr/bin/env bash
# Draws every chart of plots/charts.csv whose data are there, and those of your own steps. It runs in the repository.
#     plots/charts.sh DATA OUT [OTHER [CHARTS]]
#     plots/charts.sh reference [OUT]   those of plots/charts: what the pages show
# DATA is the folder with the CSVs, OUT gets the pictures: of CHARTS, a list, these alone.
# OTHER, another device's results, adds a second panel to the ladder's chart.
set -euo pipefail
# Without a locale gnuplot complains about characters that it does not even draw.
export LC_ALL=C.UTF-8
if [[ $1 == reference ]]; then
  out=${2-plots/charts}
  for folder in plots/data/*/; do # DEVICES.md shows the front of each
    device=$(basename "$folder") other=pocl-epyc
    [[ $device != "$other" ]] || other=h200
    mapfile -t shown < <(grep -ohP "plots/charts/$device/\K\w+" ./*.md ./*/*.md ./*/*/*.md)
    [[ -f $folder/ladder.csv || ${shown[*]} ]] || continue # one table of it is all that is shown
    "$0" "$folder" "$out/$device" "plots/data/$other" "front ${shown[*]}"
  done
  exec "$0" plots/data "$out" '' devices
fi
export REPORT=${REPORT:-build/release/tutorial}
[[ -x $REPORT ]] || { echo "$REPORT is not built: ./tutorial readme builds it" >&2; exit 1; }
data=$1 out=$2 other=${3:-no other} only=${4-}
command -v gnuplot > /dev/null ||
  { echo "No charts: gnuplot is not installed. plots/charts.sh $data $out draws them where it is."; exit; }
[[ $data$out$other != *\'* ]] || { echo "gnuplot takes no folder with an apostrophe in its name" >&2; exit 1; }
mkdir -p "$out"

declare -A gone=() # a chart whose data are gone is not left as if it were of these
drawn=0
draw() { # CHART SCRIPT DATA
  [[ ! $only || " $only " == *" $1 "* ]] || return 0
  local settings="chart='$1';" input file status=0
  gone[$1.svg]=1
  for input in $3; do
    file=$data/${input#*=}
    [[ $input != *=OTHER/* ]] || file=$other/${input#*=OTHER/}
    if [[ -f $file ]]; then
      settings+=" ${input%%[?=]*}='$file';"
    elif [[ $input != *'?='* ]]; then
      return 0
    fi
  done
  # On a full disk gnuplot leaves a part of the picture, and says nothing.
  gnuplot -e "$settings out='$out/.$1.svg'; load 'plots/csv.gp'" "plots/$2.gp" < /dev/null &&
    tail -c 12 "$out/.$1.svg" | grep -aq "</svg>" || status=$?
  case $status in
    0) mv "$out/.$1.svg" "$out/$1.svg" && unset "gone[$1.svg]" && drawn=1 && echo "$out/$1.svg" || return 1 ;;
    3) rm -f "$out/.$1.svg" # the data have nothing for this chart
      [[ -z ${step-} ]] || echo "no chart of $1: its CSV has none of the step's kernels beside the baseline" >&2 ;;
    *) rm -f "$out/.$1.svg"; echo "gnuplot could not draw $1.svg" >&2; return 1 ;;
  esac
}

failed=0
while IFS=, read -r chart script inputs _; do
  draw "$chart" "$script" "$inputs" || failed=1
done < <(sed '/^#/d; /^chart,/d' plots/charts.csv)
for step in $("$REPORT" steps own); do
  draw "$step" steps "data=$step.csv" || failed=1
done
if ((!drawn)); then
  rmdir --ignore-fail-on-non-empty "$out"
  echo "no chart can be drawn from $data" >&2
  exit 1
fi
(cd "$out" && rm -f -- "${!gone[@]}")
exit "$failed"
