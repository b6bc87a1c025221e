#!/bin/bash
# Is plots/published/claims.csv complete, and does tools/claims.awk judge by what was measured?
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

report_failure() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# --- The list ---------------------------------------------------------------------------------------

claims=plots/published/claims.csv
ids=$(grep -v '^#' $claims | sed 1d | cut -d, -f1)
twice=$(sort <<< "$ids" | uniq -d)
[[ -z $twice ]] || report_failure "claims.csv has several rows of $twice"
awk -F, '!/^#/ && (NF != 15 || length($2) > 40)' $claims | grep . >&2 && report_failure "rows with other than 15 fields, or a statement of more than 40 characters"
while read -r id; do
  grep -qxF "$id" <<< "$ids" || report_failure "claims.csv has no row of $id"
done < <(grep -hoE '\bC[4-7AHI]\.[0-9]+' plots/published/*.csv ./*.md ./*/README.md | sort -u)
# Every file, kernel and size of a rule is one that a reference device has.
for folder in plots/data/*/; do
  awk -v results="$folder" -v csv="$work/reference.csv" -f tools/claims.awk $claims > "$work/table" ||
    report_failure "$folder: claims.awk fails"
  awk "length > 80" "$work/table" | grep . >&2 && report_failure "$folder: lines of more than 80 characters"
  awk -F, 'NF != 11 || ($7 != "" && !($8 <= $7 && $7 <= $9))' "$work/reference.csv" | grep . |
    grep -v '^id,' >&2 && report_failure "$folder: a row of claims.csv is odd"
  grep -v ',not measured,' "$work/reference.csv" | cut -d, -f1
done > "$work/measured"
for id in $ids; do
  grep -qxF "$id" "$work/measured" || report_failure "no reference device has what the rule of $id asks for"
done

# --- Verdicts, on data made for them ----------------------------------------------------------------

results="$work/my results"
ledger=$work/claims.csv
mkdir "$results"

# write FILE KERNEL/WIDTH/LOW/MEDIAN/HIGH...: times in ms
write() {
  {
    echo "# device_type: CPU"
    echo kernel,filter_width,low_ms,median_ms,high_ms,gpixels_per_s
    printf '%s\n' "${@:2}" | awk -F/ -v OFS=, '{ print $1, $2, $3, $4, $5, 0.24 / $4 }'
  } > "$results/$1"
}

judge() {
  awk -v results="$results" -v csv="$ledger" -f tools/claims.awk $claims > "$work/table" || report_failure "claims.awk fails"
}

# expect ID VERDICT [MEASURED [LOW [HIGH]]]
expect() {
  judge
  local got
  got=$(awk -F, -v id="$1" '$1 == id { print $10 ($7 == "" ? "" : " " $7 " " $8 " " $9) }' "$ledger")
  [[ "$got " == "${*:2} "* ]] || report_failure "line ${BASH_LINENO[0]}: $1 is '$got', not '${*:2}'"
}

# The median of six widths decides about C5.1: it must be below 0.9.
convolve=(Convolve/{2..7}/9.9/10/10.1)
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3,4}/7.9/8/8.1 Convolve_Def/5/8.4/8.5/8.6 Convolve_Def/{6,7}/9.9/10/10.1
expect C5.1 holds 0.825 0.806931 0.843434
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3}/7.9/8/8.1 Convolve_Def/{4,5}/9.4/9.5/9.6 Convolve_Def/{6,7}/9.9/10/10.1
expect C5.1 does not hold 0.95 0.930693 0.969697
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3}/7.9/8/8.1 Convolve_Def/{4,5}/8/9.5/9.6 Convolve_Def/{6,7}/9.9/10/10.1
expect C5.1 not shown 0.95 0.792079 0.969697
sed -i '/^Convolve_Def,7/d' "$results/ladder.csv"
expect C5.1 not measured
grep -q '^C5.1,.*no row of Convolve_Def at filter_width=7: ./tutorial run --all' "$ledger" || report_failure "which row is missing?"
write chapter7-600x400.csv Convolve_Local_Read4_UnrollAll/7/0.09/0.1/0.11
rm "$results/ladder.csv"
expect C5.1 not measured
grep -q '^C5.1,.*no ladder.csv: ./tutorial run --all' "$ledger" || report_failure "which file is missing?"

# A rate is low where the time is high.
expect C7.5 holds 2.4 2.18182 2.66667
write chapter7-600x400.csv Convolve_Local_Read4_UnrollAll/7/0.099/0.1/0.13
expect C7.5 not shown 2.4 1.84615 2.42424

# `largest < 0.96`: width 19 decides. `smallest > 1.08`: over both neighbours, each in percent of Convolve.
write ladder.csv Convolve/{16..20}/10/10/10 Convolve_Unroll/{16,17,18,20}/9/9/9 Convolve_Unroll/19/9.7/9.7/9.7
expect C4.1 does not hold 0.97 0.97 0.97
expect C4.4 does not hold 1.07778 1.07778 1.07778
sed -i '/^Convolve_Unroll,19/s/9.7/9.8/g' "$results/ladder.csv"
expect C4.4 holds 1.08889 1.08889 1.08889
sed -i '/^Convolve,20/s/10/8/g' "$results/ladder.csv"
expect C4.4 does not hold 0.871111 0.871111 0.871111

# The rules hold for the very figures that were published.
awk -F, -v OFS=, '/^id,/ { print "kernel,filter_width,median_ms" } /^C6/ { print $2, $3, $4 }' \
  plots/published/amd-step6-third-party.csv > "$results/ladder.csv"
for id in C6.{1..5}; do expect "$id" holds; done
awk -F, -v OFS=, '/^id,/ { print "kernel,filter_width,median_ms" } /^C4/ { print $2, $3, $4; print "Convolve", $3, 100 }' \
  plots/published/amd-step4.csv > "$results/ladder.csv"
expect C4.1 holds 0.92
expect C4.4 holds 1.16456
awk -F, -v OFS=, '/^id,/ { print "kernel,filter_width,median_ms\nConvolve_Local:tight,7,1" }
  $3 == "Radeon HD 6970" { if ($1 == "C7.1") local = 1 / $4; print $2, 7, ($1 < "C7.3" ? 1 : local) / $4 }' \
  plots/published/chapter7.csv > "$results/chapter7-4096x4096.csv"
expect C7.1 holds 0.909091
expect C7.2 holds 0.704225
expect C7.3 holds 0.416667
expect C7.4 holds 0.15873

# A claim about CPUs, and one about a single GPU.
write ladder.csv Convolve_Unroll/{8,16}/10/10/10 Convolve_Float4/{8,16}/5/5/5
expect CH.5 holds 0.5 0.5 0.5
sed -i 's/device_type: CPU/device_type: GPU/' "$results/ladder.csv"
expect CH.5 not measurable here
expect C7.6 not measurable here

# Rows of another sweep, of another file, and of the first file that is there.
cat > "$results/median_work_groups.csv" <<'TEXT'
experiment,kernel,work_group,items,median_ms,low_ms,high_ms,ns_per_item
group,medianfilter_rgba,64,1000,2,2,2,2
global,medianfilter_rgba,64,2560,5,5,5,3
TEXT
expect CH.3 holds 1.5 1.5 1.5
write work-group-16x16.csv {Convolve,Convolve_Def_Local_UnrollAll}/7/4/4/4
expect C7.11 not measured
write work-group-32x8.csv Convolve/7/4/4/4 Convolve_Def_Local_UnrollAll/7/2/2/2
expect C7.11 does not hold 2 2 2
write ladder.csv Convolve_Def/15/9/9/9 Tuned/15/6/6/6
expect CA.2 does not hold 0.666667 0.666667 0.666667
write blocks.csv Convolve/15/9/9/9 Tuned/15/3/3/3
expect CA.2 holds 0.333333 0.333333 0.333333

# One measured value on a copy of a reference device's results: this claim's verdict follows, no other does.
cp plots/data/h200/*.csv "$results"
sed -i -E 's/^(Convolve_Local_Read4,7,4096,4096,16,16,[0-9]+),[0-9.]+,[0-9.]+,[0-9.]+/\1,9,8,10/' "$results/chapter7-4096x4096.csv"
judge
cp "$ledger" "$work/before.csv"
sed -i -E 's/^(Convolve_Local_Read4,7,4096,4096,16,16,[0-9]+),9,8,10/\1,0.09,0.08,0.1/' "$results/chapter7-4096x4096.csv"
judge
[[ $(diff "$work/before.csv" "$ledger" | grep '^>' | cut -c3- | cut -d, -f1,10 | tr '\n' ' ') == "C7.2,holds C7.8,does not hold " ]] ||
  report_failure "a changed time changes other rows than these: $(diff "$work/before.csv" "$ledger")"

awk -v results="$work" -f tools/claims.awk $claims > "$work/table" 2>&1 && report_failure "a folder without data passes"
[[ $(cat "$work/table") == "$work: no CSV that a claim is about" ]] || report_failure "says of no data: $(cat "$work/table")"

((failures == 0)) || exit 1
echo "all as expected"
