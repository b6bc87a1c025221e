#!/bin/bash
# The program that reads results, on data made for it: the very figures of the READMEs' tables, of the ledger and of the
# summary, under a locale with decimal commas too; what is stale or broken is found.
#
#   report.sh BUILD_DIR
# shellcheck disable=SC2016  # the dollars and backticks are Markdown
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/checks.bash"
report=$build/report
does() { ends 0 "$report" "$@"; } # ARGUMENTS
# says TEXT ARGUMENTS...: report fails with one message, in which there is this text.
says() {
  ends 1 "$report" "${@:2}"
  expect "output: ${*:2}" test ! -s "$work/out"
  expect "not one message with '$1': ${*:2}" test "$(grep -cF -- "$1" "$work/err"),$(grep -c ^report: "$work/err")" == 1,1
}

# --- In the repository: steps, differences, the list of claims --------------------------------------

cd "$repository" || exit 1

says "step 1 follows no other: read step1_naive/main.cpp" diff 1
says "no step '99'" diff 99
says "no kernel 'Foo'" diff Foo Convolve
says "'kernel' is not a command with its arguments" kernel

# --- The READMEs' blocks: the committed ones are the golden figures --------------------------------------

mkdir "$work/copy"
(tar -c --exclude=./{build,results,.git,plots/charts} .) | tar -x -C "$work/copy"
cd "$work/copy" || exit 1
mkdir results
printf '%s\n' kernel,filter_width,median_ms Convolve,7,10 Convolve,7,11 > plots/data/twice.csv
cp step2_unroll/README.md stale.md
line=$(grep -n '^<!-- begin: table .* data/h200/ladder.csv' stale.md | sed -n '1s/:.*//p')
sed -i "$((line + 3))s/[0-9]/7777/" stale.md
says "stale.md:$line: stale, and ./tutorial readme refreshes it: table " readme --check stale.md
does readme stale.md
expect "stale.md is not refreshed" cmp step2_unroll/README.md stale.md

while IFS='#' read -r command message; do
  printf '# Title\n\n<!-- begin: %s -->\n<!-- end -->\n' "$command" > bad.md
  says "bad.md:3: $message" readme bad.md
done << 'END_OF_FILE'
./tutorial run#'./tutorial run' is not a command
table median_ms 3 data/h200/ladder.csv -- Convolve_Foo#no value for `Convolve_Foo`
table median_ms 3,55 data/h200/ladder.csv#no value under '55'
table median_ms 3 data/none.csv#cannot read plots/data/none.csv: 
table median_ms 3#'table median_ms 3' is not a command with its arguments
table median_ms 7 data/twice.csv#plots/data/twice.csv: several rows of Convolve at width 7
rows published/facts.csv id=X value#no value under 'value'
claims CPU=data/none#no folder 'plots/data/none'
exercises none#cannot read none/EXERCISES.md: 
END_OF_FILE

# --- Verdicts -----------------------------------------------------------------------------------------

write() { # FILE KERNEL/WIDTH/LOW/MEDIAN/HIGH[/RELATIVE]...: times in ms
  {
    printf '# device: a <CPU>\n# device_type: CPU\n# size: 8 x 8\n'
    echo kernel,filter_width,low_ms,median_ms,high_ms,gpixels_per_s,relative_percent
    printf '%s\n' "${@:2}" | awk -F/ -v OFS=, '{ print $1, $2, $3, $4, $5, 0.24 / $4, $6 == "" ? 10 * $4 : $6 }'
  } > "results/$1"
}
verdict() { # ID VERDICT [MEASURED [LOW HIGH]]: as results/claims.csv must have it
  does summary results
  local got
  got=$(awk -F, -v id="$1" '$1 == id { print $10 ($7 == "" ? "" : " " $7 " " $8 " " $9) }' results/claims.csv)
  [[ "$got " == "${*:2} "* ]] || report_failure "$1 is '$got', not '${*:2}'"
}
# The median of six widths decides about C5.1: it must be below 0.9.
convolve=(Convolve/{2..7}/9.9/10/10.1)
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3,4}/7.9/8/8.1 Convolve_Def/5/8.4/8.5/8.6 Convolve_Def/{6,7}/9.9/10/10.1
verdict C5.1 holds 0.825 0.806931 0.843434
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3}/7.9/8/8.1 Convolve_Def/{4,5}/9.4/9.5/9.6 Convolve_Def/{6,7}/9.9/10/10.1
verdict C5.1 does not hold 0.95 0.930693 0.969697
# Published, and today the compiler's work: it shows with the optimiser off.
write unoptimised.csv "${convolve[@]}" Convolve_Def/{2..7}/7.9/8/8.1
write ladder.csv "${convolve[@]}" Convolve_Def/{2..7}/9.9/10/10.1
verdict C5.1 holds with the optimiser off 1 0.980198 1.0202
"$report" claims results > out
expect "no second figure" grep -q 'C5.1 .* 1.000 (0.800) .*holds with the optimiser off' out
rm results/unoptimised.csv
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3}/7.9/8/8.1 Convolve_Def/{4,5}/8/9.5/9.6 Convolve_Def/{6,7}/9.9/10/10.1
verdict C5.1 not shown 0.95 0.792079 0.969697
sed -i '/^Convolve_Def,7/d' results/ladder.csv
verdict C5.1 not measured
expect "which row is missing?" grep -q '^C5.1,.*no row of Convolve_Def at filter_width=7: ./tutorial run --all' results/claims.csv
# A rate is low where the time is high.
write chapter7-600x400.csv Convolve_Local_Read4_UnrollAll/7/0.09/0.1/0.11
verdict C7.5 holds 2.4 2.18182 2.66667
# A claim about GPUs, rows of another sweep.
sed -i 's/device_type: CPU/device_type: GPU/' results/ladder.csv
verdict CH.5 not measurable here
printf '%s\n' experiment,kernel,work_group,items,median_ms,ns_per_item group,medianfilter_rgba,64,1000,2,2 \
  global,medianfilter_rgba,64,2560,5,3 > results/median_work_groups.csv
verdict CH.3 holds 1.5 1.5 1.5

# --- The ladder is two programs: their pieces are joined by Convolve -----------------------------------

write one.csv Convolve/7/9/10/11/100 Convolve_Def/7/7.5/8/8.5/80
write two.csv Convolve/7/19/20/21/100 Convolve_Def/7/14/15/16/75 Convolve_Block/7/9/10/11/50
write three.csv Convolve/3/4/4/4/100 Convolve_Def/{3,16}/4/4/4/100 Convolve_Block/{3,16}/2/2/2/50
sed -i '1i # options: --size 8x8 --csv a.csv --winners b --filter-width 7 --seed 1' results/one.csv
sed -i '1i # copy_bytes_per_s: 9e9\n# copy_type: float' results/one.csv
sed -i '1i # copy_bytes_per_s: 1e10\n# copy_type: float4' results/two.csv
"$report" join results/ladder.csv results/{one,two,three}.csv
[[ $(grep -v '^# [ds]' results/ladder.csv) == '# copy_bytes_per_s: 1e10
# copy_type: float4
# options: --size 8x8 --seed 1
kernel,filter_width,low_ms,median_ms,high_ms,gpixels_per_s,relative_percent
Convolve,7,9,10,11,0.024,100
Convolve_Def,7,7.5,8,8.5,0.03,80
Convolve_Block,7,9,10,11,0.024,50
Convolve,3,4,4,4,0.06,100
Convolve_Def,3,4,4,4,0.06,100
Convolve_Def,16,4,4,4,0.06,100
Convolve_Block,3,2,2,2,0.12,50
Convolve_Block,16,2,2,2,0.12,50' ]] || report_failure "the joined ladder: $(cat results/ladder.csv)"
verdict CH.8 holds 0.625 0.529412 0.733333
expect "the ladder's row of Convolve_Block" grep -qE '^Convolve_Block +50.0 +50.0 +50.0 +0.0240 +-$' "$work/out"
says "other columns" join results/torn.csv results/one.csv plots/data/twice.csv

# --- A quiet machine, other locales --------------------------------------------------

write ladder.csv K/{2..4}/1/1/1.3 K/5/1/1/1.9 K/{6..17}/1/1/1
verdict CH.8 not measured
expect "a quiet machine is warned of" eval '! grep -q "not quiet" "$work/out"'
write ladder.csv K/{2..5}/1/1/1.3 K/6/1/1/1.9 K/{7..17}/1/1/1
verdict CH.8 not measured
expect "a loud machine" grep -q 'not quiet: 5 of 16 ' "$work/out"

see() { # what readers see of the data
  cp plots/data/h200/*.csv results
  "${commas[@]}" "$report" summary results && "${commas[@]}" "$report" page results && cat results/claims.csv &&
    "${commas[@]}" "$report" readme --check ./*.md */*.md
}
commas=()
rm results/* ./*.md && cp "$repository"/*.md . && see > before || report_failure "nothing to see"
comma_locale || { echo "no locale with decimal commas here"; commas=(env); }
see > german
expect "decimal commas change the figures" cmp before german

finish
