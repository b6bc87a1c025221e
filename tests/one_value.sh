#!/bin/bash
# One measured value is changed in a copy: the READMEs that show it are reported stale, and the chart, the ledger of
# claims and the page follow. So nothing of them is typed in.
#
#   one_value.sh BUILD_DIR
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/copy"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work/copy"
cd "$work/copy"
data=plots/data/h200
failures=0

# What readers see of the data, into folder $1.
see() {
  mkdir -p "$1"
  awk -v results=$data -v csv="$1/claims.csv" -f tools/claims.awk plots/published/claims.csv > /dev/null
  gnuplot -e "data='$data/ladder.csv'; out='$1/step2.svg'" plots/step2.gp 2> /dev/null
  mkdir -p "$work/results"
  cp $data/*.csv "$1/claims.csv" "$work/results"
  tools/page.sh "$work/results"
  mv "$work/results/index.html" "$1"
}
expect() { # WHAT COMMAND...
  local what=$1
  shift
  "$@" > /dev/null 2>&1 || {
    echo "FAILED: $what"
    failures=$((failures + 1))
  }
}

expect "a README is stale before anything is changed" "$build/readme_tool" --check --root .
see "$work/before"
see "$work/again"
for file in claims.csv step2.svg index.html; do
  expect "$file differs without a change" cmp "$work/before/$file" "$work/again/$file"
done

# Convolve_Unroll at width 16 takes half of its time.
awk -F, -v OFS=, '
  $1 == "kernel" { for (i = 1; i <= NF; i++) column[$i] = i }
  $1 == "Convolve_Unroll" && $2 == 16 {
    split("median_ms low_ms high_ms min_ms relative_percent x_floor", names, " ")
    for (i in names) $column[names[i]] /= 2
  }
  { print }' $data/ladder.csv > "$work/ladder.csv"
mv "$work/ladder.csv" $data/ladder.csv
see "$work/after"
for file in claims.csv step2.svg index.html; do
  expect "$file does not follow the data" eval "! cmp '$work/before/$file' '$work/after/$file'"
done
status=0
"$build/readme_tool" --check --root . 2> "$work/stale" || status=$?
expect "exit status $status of readme_tool --check" test $status == 1
for readme in README.md step2_unroll/README.md; do
  expect "$readme is not reported stale" grep -q "^$readme:" "$work/stale"
done

((failures == 0)) && echo "all follow"
