#!/bin/bash
# The program that reads results, on data made for it: the very figures of the READMEs' tables, of the ledger and of the
# summary, under a locale with decimal commas too; what is stale or broken is found.
source "$(dirname "$0")/checks.bash"
report=$build/tutorial
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

# --- The READMEs' blocks: the committed ones are the golden figures --------------------------------------

mkdir "$work/copy"
(tar -c --exclude=./{build,results,.git,plots/charts} .) | tar -x -C "$work/copy"
cd "$work/copy" || exit 1
mkdir results
printf '%s\n' kernel,filter_width,median_ms Convolve,7,10 Convolve,7,11 > plots/data/twice.csv
cp step1_naive/README.md stale.md
line=$(grep -n '^<!-- begin: table .*data/h200/ladder.csv' stale.md | sed -n '1s/:.*//p')
sed -i "$((line + 3))s/[0-9]/7777/" stale.md
says "stale.md:$line: stale, and ./tutorial readme refreshes it: table " readme --check stale.md
does readme stale.md
expect "stale.md is not refreshed" cmp step1_naive/README.md stale.md

while IFS='#' read -r command message; do
  printf '# Title\n\n<!-- begin: %s -->\n<!-- end -->\n' "$command" > bad.md
  says "bad.md:3: $message" readme bad.md
done << 'END_OF_FILE'
./tutorial run#'./tutorial run' is not a command
table median_ms 3 data/h200/ladder.csv -- Convolve_Foo#no value for `Convolve_Foo`
table median_ms 3,55 data/h200/ladder.csv -- Convolve#no value under '55'
table median_ms 3 data/none.csv#cannot read plots/data/none.csv: 
table median_ms 3#'table median_ms 3' is not a command with its arguments
table median_ms 7 data/twice.csv -- Convolve#plots/data/twice.csv: several rows of Convolve at width 7
rows published/claims.csv id=X page#no value under 'page'
claims CPU=data/none#no folder 'plots/data/none'
claims Nobody CPU=data/h200#no claims of 'Nobody'
claims Nobody#claims needs LABEL=FOLDER
exercises none#cannot read none/EXERCISES.md: 
END_OF_FILE
for mark in ' <!-- begin: file x -->' '<!-- = times -->9'; do
  echo "$mark" > bad.md
  says "bad.md:1: a mark that is not alone on its line, or lacks its end: " readme bad.md
done

# --- Sentences that are held to their table ---------------------------------------------------------------

printf '%s\n' kernel,filter_width,relative_percent,relative_low,relative_high B,{3..9},100,100,100 A,3,50,49,51 A,{4..8},99,98,101 A,9,103,102,104 \
  > plots/data/paired.csv
holds() { # CLAIM
  printf '%s\n' '' '<!-- begin: rows data/paired.csv kernel,filter_width -->' '<!-- end -->' Text. "<!-- holds: $1 -->" > held.md
  "$report" readme held.md > /dev/null 2>&1
}
for claim in 'A < B at 3' 'B > A at 3' 'A = B at 4:6,8' 'B = A at 4:6,8' 'A > B at 9'; do
  holds "data/paired.csv $claim"
  expect "$claim" "$report" readme --check held.md
done
while IFS='#' read -r claim message; do
  holds "$claim"
  says "held.md:$(grep -n holds: held.md | cut -d: -f1): $message" readme --check held.md
done << 'END_OF_FILE'
data/paired.csv A < B at 3:5#the data say A = B at 4: 0.980..1.010 of its time
data/paired.csv A > B at 3#the data say A < B at 3: 0.490..0.510 of its time
data/paired.csv A = B at 9#the data say A > B at 9: 1.020..1.040 of its time
data/paired.csv A < C at 3#not measured on this device: C at filter width 3
data/paired.csv A < B#'data/paired.csv A < B' is not FILE A < B at WIDTHS
data/h200/ladder.csv A < B at 3#the table above is not of data/h200/ladder.csv
END_OF_FILE

# --- Verdicts -----------------------------------------------------------------------------------------

write() { # FILE KERNEL/WIDTH/LOW/MEDIAN/HIGH[/RELATIVE[/LOW/HIGH]]...: times in ms, percent; the last two in all rows or none
  {
    printf '# device: a <CPU>\n# device_type: %s\n# size: 8 x 8\n' "${type-CPU}"
    printf '%s\n' "${@:2}" | awk -F/ -v OFS=, '
      NR == 1 { print "kernel,filter_width,low_ms,median_ms,high_ms,gpixels_per_s,kind,relative_percent" (NF == 8 ? ",relative_low,relative_high" : "") }
      { print $1, $2, $3, $4, $5, 0.24 / $4, "kernel", ($6 == "" ? 10 * $4 : $6) (NF == 8 ? "," $7 "," $8 : "") }'
  } > "results/$1"
}
verdict() { # ID VERDICT MEASURED LOW HIGH: as the summary must have it
  does summary results
  expect "$*: $(grep "^$1 " "$work/out")" grep -qE "^$1 .* $3 +$4 +$5 +[<>] [0-9.]+ +$2\$" "$work/out"
}
unjudged() { # ID WHY: as the page must have it
  does page results
  expect "$*: $(grep "^| $1:" "$work/out")" grep -qE "^\| $1: .* \| $2 \|\$" "$work/out"
}
# The median of six widths decides about C5.1: it must be below 0.9.
convolve=(Convolve/{2..7}/9.9/10/10.1)
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3,4}/7.9/8/8.1 Convolve_Def/5/8.4/8.5/8.6 Convolve_Def/{6,7}/9.9/10/10.1
verdict C5.1 holds 0.825 0.807 0.843
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3}/7.9/8/8.1 Convolve_Def/{4,5}/9.4/9.5/9.6 Convolve_Def/{6,7}/9.9/10/10.1
verdict C5.1 "does not hold" 0.950 0.931 0.970
write ladder.csv "${convolve[@]}" Convolve_Def/{2,3}/7.9/8/8.1 Convolve_Def/{4,5}/8/9.5/9.6 Convolve_Def/{6,7}/9.9/10/10.1
verdict C5.1 "not shown" 0.950 0.792 0.970
sed -i '/^Convolve_Def,7/d' results/ladder.csv
unjudged C5.1 'not measured on this device: Convolve_Def at filter width 7'
# A width at which nothing was measured does not count.
sed -i '/^Convolve,7/d' results/ladder.csv
verdict C5.1 "not shown" 0.950 0.792 0.970
write ladder.csv Convolve/{16,19}/9.9/10/10.1 Convolve_Unroll/16/7.9/8/8.1 Convolve_Unroll/19/9.1/9.2/9.3
unjudged C4.2 'not measured on this device: Convolve_Unroll at filter width 2: ./tutorial run --all measures it'

# In files with the intervals of the pairs, a ratio's is theirs, however uncertain the times are: of one pair exactly,
# of two the quotient.
pairs=(Convolve/{2..7}/1/10/99/100/100/100 Convolve_Def/{2..7}/1/8/99/80/79/81
  Convolve_Unroll/{2..7}/1/10/99/100/98/102 Convolve_Def_Unroll/{2..7}/1/9/99/90/88/92)
write ladder.csv "${pairs[@]}"
verdict C5.1 holds 0.800 0.790 0.810
verdict C5.2 holds 0.900 0.863 0.939
# A claim about GPUs, or a vendor's; also if the file is measured on those only.
type=GPU write ladder.csv Convolve/7/9/10/11
unjudged CH.5 'a claim about CPUs'
unjudged CH.11 'not measured on this device: restrict.csv: ./tutorial run --all measures it'
does summary results
expect "--all measures more" grep -qx "./tutorial run --all measures more." "$work/out"
write ladder.csv Convolve/7/9/10/11
unjudged CH.11 'a claim about GPUs'
type=GPU write chapter7-4096x4096.csv Convolve_Local:tight/7/1/10/99/100/100/100 Convolve_Local_Read4/7/1/9/99/102/101/103
unjudged C7.8 "a claim about NVIDIA GPUs"
sed -i '1i # platform: NVIDIA CUDA' results/chapter7-4096x4096.csv
verdict C7.8 holds 1.020 1.010 1.030
unjudged C7.6 "needs a VLIW GPU as AMD's graphics cards were until 2011"
printf '%s\n' '# device_type: GPU' kernel,work_group,ns_per_item medianfilter_rgba,64,2 medianfilter_rgba,65,3 > results/median_work_groups.csv
verdict CH.2 holds 1.500 1.500 1.500

# --- The ladder is two programs: their pieces are joined by Convolve -----------------------------------

write one.csv Convolve/7/9/10/11/100 Convolve_Def/7/7.5/8/8.5/80
write two.csv Convolve/7/19/20/21/100 Convolve_Def/7/14/15/16/75 Convolve_Block/7/9/10/11/50
write three.csv Convolve/3/4/4/4/100 Convolve_Def/{3,16}/4/4/4/100 Convolve_Block/{3,16}/2/2/2/50
sed -i '1i # options: --size 8x8 --csv a.csv --winners b --filter-width 7 --seed 1' results/three.csv
sed -i '1i # copy_bytes_per_s: 9e9\n# copy_type: float' results/three.csv
sed -i '1i # copy_bytes_per_s: 1e10\n# copy_type: float4' results/two.csv
sed -i '1i # copy_bytes_per_s: 5e10\n# copy_type: float16' results/one.csv
printf '%s\n' kernel,filter_width,rounds_ms 'Convolve,7,18 22? 20' > results/two.rounds.csv
"$report" join results/ladder.csv results/{three,one,two}.csv
[[ $(grep -v '^# [ds]' results/ladder.csv) == '# copy_bytes_per_s: 1e10
# copy_type: float4
# options: --size 8x8 --seed 1
kernel,filter_width,low_ms,median_ms,high_ms,gpixels_per_s,kind,relative_percent
Convolve,3,4,4,4,0.06,kernel,100
Convolve_Def,3,4,4,4,0.06,kernel,100
Convolve_Def,16,4,4,4,0.06,kernel,100
Convolve_Block,3,2,2,2,0.12,kernel,50
Convolve_Block,16,2,2,2,0.12,kernel,50
Convolve,7,9,10,11,0.024,kernel,100
Convolve_Def,7,7.5,8,8.5,0.03,kernel,80
Convolve_Block,7,9,10,11,0.024,kernel,50' ]] || report_failure "the joined ladder: $(cat results/ladder.csv)"
expect "the joined rounds" test "$(< results/ladder.rounds.csv)" == $'run,kernel,filter_width,rounds_ms\n1,Convolve,7,18 22? 20'
verdict CH.8 holds 0.625 0.529 0.733
# A machine that changes its pace: times are ratios within the rounds, at the pace of the middle run. A quotient
# of medians would be 45 %.
columns=kernel,filter_width,median_ms,gpixels_per_s,relative_percent,relative_low,relative_high,x_floor
printf '%s\n' $columns A,7,11,1,100,100,100,5.1 > results/fast.csv
printf '%s\n' $columns A,7,20,1,100,100,100,5 B,7,9,2,45,44,46,2.25 B,9,10,2,50,40,60,2.5 > results/slow.csv
printf '%s\n' kernel,filter_width,rounds_ms "floor,7,2 1 3" "A,7,10 8 12" > results/fast.rounds.csv
printf '%s\n' kernel,filter_width,rounds_ms "floor,7,4 4? 5" "A,7,18 20 40" "B,7,9 6 16" > results/slow.rounds.csv
"$report" join results/paces.csv results/{fast,slow}.csv
expect "the pace of the rounds" test "$(grep , results/paces.csv)" == "$columns"$'\nA,7,15,0.73333,100,100,100,7.5\nB,7,6,3,40,30,50,3\nB,9,10,2,50,40,60,2.5'
expect "the rounds of the floor" grep -qx "2,floor,7,2 2? 2.5" results/paces.rounds.csv
says "other columns" join results/torn.csv results/one.csv plots/data/twice.csv
does join results/roofline.csv "$repository/plots/data/h200/roofline.csv" # neither kernels nor rounds

# --- The whole way: from a CSV's rows, to which results_test.cpp has the way from the times, to every page ----

# The second program found the machine half as fast. Times on pages are quotients of what the tables show.
sed -i 's/^Convolve_Block,7,9,10,11,0.024/Convolve_Block,7,4.5,5,5.5,0.048/' results/ladder.csv
sed -i 's/^kernel,.*/&,x_floor/; s/^Convolve_Block,7,.*/&,1.25/; t; s/^Convolve.*/&,9/' results/ladder.csv
sed -i '1i # image: <img src=x>_*1*.jpg' results/ladder.csv
cp results/ladder.csv plots/data/whole.csv
printf '%s\n' '# Title' '' '<!-- begin: table gpixels_per_s 7 CPU=data/whole.csv -- Convolve_Block -->' '<!-- end -->' \
  'It is <!-- = times whole.csv 7 Convolve Convolve_Block -->9<!-- / --> times as fast, <!-- = x_floor:2 whole.csv 7 Convolve_Block --><!-- / --> floors, and <!-- = median_ms whole.csv 7 Convolve+Convolve_Block --><!-- / --> ms.' > whole.md
does readme whole.md
printf "%s\n" "# device_type: GPU" kernel,filter_width,measured_over_predicted K,7,1.381 > results/model.csv
cp plots/data/h200/edge_conditions-1920x1080.csv results
{ "$report" summary results && "$report" page results && cat whole.md; } > out
while IFS= read -r line; do
  expect "no line '$line'" grep -qxE -e "$line" out
done << 'END_OF_FILE'
Convolve_Block +50\.0 +50\.0 +50\.0 +0\.0480 +1\.25
CH\.8 .* 0\.625 .*holds
\| kernel \| CPU, Gpixel/s \|
\| `Convolve_Block` \| 0\.0480 \|
\| Convolve_Block \| 50\.0 \| 50\.0 \| 50\.0 \| 0\.0480 \| 1\.25 \|
\| Convolve_Block \| 50\.0 \| [0-9.]+ \| 50\.0 \| [0-9.]+ \| 50\.0 \| [0-9.]+ \|
\| CH\.8: .* \| \*\*yes\*\*: 38 % less time \|
\| CH\.6: .* \| \*\*yes\*\*: 38 % more time than predicted \|
\| C7\.12: .* \| \*\*yes\*\*: 27 % fewer sectors \|
\| CI\.7: .* \| not measured on this device: Smooth_Interior:non_uniform \|
\| of [0-9]+ published claims \| hold \| do not hold \| .* \| are unclear \|
\| here \| [0-9]+ \| [0-9]+ \| [0-9]+ \| [0-9]+ \|
\| counted in the simulator \| 5 \| 0 \| 0 \| 0 \|
It is <!-- = .* -->2\.0<!-- / --> times as fast, <!-- = .* -->1\.25<!-- / --> floors, and <!-- = .* -->15\.0<!-- / --> ms\.
On this device the ladder makes .* 2\.0 times as fast: .* with `Convolve_Block`\. That is 80 % .*
END_OF_FILE
expect "a file's name is read as HTML" grep -qF 'Image: \<img src\=x\>\_\*1\*\.jpg,' out
rm results/{model,edge_conditions-1920x1080}.csv
sed -i 's/^kernel,.*/&,unsure/; s/^Convolve_Block,7,.*/&,time x_floor/; t; s/^Convolve.*/&,/' results/ladder.csv
does page results
expect "unsure figures in the first sentence" grep -q 'to about 0\.0480 with `Convolve_Block`\. That is about 80 %' "$work/out"

# A filter in a file has one width.
write ladder.csv Convolve/5/1/2/3/100
does summary results
expect "no rate at width 5" grep -qE '^Convolve +100 +0.120 +-$' "$work/out"

# Kernels of one run are compared in its rounds, whatever their times are; of several runs by the runs' Convolve.
rounds() { # 'KERNEL ROUND...'...: at widths 2 to 7
  local row width
  echo run,kernel,filter_width,rounds_ms
  for row; do for width in {2..7}; do echo "1,${row%% *},$width,${row#* }"; done; done
}
write ladder.csv "${pairs[@]}"
rounds 'Convolve 1 2 3 4 5 6' 'Convolve_Unroll 1 2 3 4 5 6' 'Convolve_Def_Unroll .8 1.6 2.4 3.2 4 4.86' > results/ladder.rounds.csv
verdict C5.2 holds 0.800 0.800 0.810
rounds 'Convolve 1 1 1 1 1 1' 'Convolve_Unroll 1? 1? 1 1 1 1' 'Convolve_Def_Unroll .8 .8 .8 .8 .8 .8' > results/ladder.rounds.csv
verdict C5.2 "not shown" 0.800 0.800 0.800
sed -i '$a 2,Convolve,3,1 1 1.01\n2,Convolve,4,1.04 1.04 1.04' results/ladder.rounds.csv
does summary results
expect "programs that differ" grep -q 'the ladder.s programs differ by more than 3 % .* by up to 4.0 %' "$work/out"
# Nine rounds are enough for one interval without the extremes, and not for the six that C5.2 looks at.
rounds 'Convolve 1 1 1 1 1 1 1 1 1' 'Convolve_Unroll 1 1 1 1 1 1 1 1 1' 'Convolve_Def_Unroll .1 .8 .8 .8 .8 .8 .8 .8 .99' > results/ladder.rounds.csv
verdict C5.2 "not shown" 0.800 0.100 0.990
cp results/ladder.csv plots/data/paired.csv && cp results/ladder.rounds.csv plots/data/paired.rounds.csv
holds 'data/paired.csv Convolve_Def_Unroll < Convolve_Unroll at 2'
expect "a pair of one width" "$report" readme --check held.md
sed -i 's/1 1 1/1? 1? 1?/g' plots/data/paired.rounds.csv
says "0.800..0.800 of its time, on a busy machine" readme --check held.md
rm results/ladder.rounds.csv plots/data/paired.rounds.csv

# --- A quiet machine, other locales --------------------------------------------------

# Of 20 figures two may be unsure or have a wide interval.
write ladder.csv K/2/1/1/1.3/100/100/100 K/3/1/1/1.9/100/100/100 K/{4..11}/1/1/1/100/100/100
does summary results
expect "a quiet machine is warned of" eval '! grep -q "not quiet" "$work/out"'
sed -i '/^kernel/s/$/,x_floor_low,x_floor_high,unsure/; /^K/s/$/,1,1,/; /^K,7/s/$/time/; /^K,5/s/$/x_floor/' results/ladder.csv
does summary results
expect "an unsure rate is marked" grep -qE '^K .* 0.240[?] ' "$work/out"
expect "a loud machine" grep -q 'not quiet: of 30 figures 2 are unsure, .* and 2 have' "$work/out"
does gate plots/published/anchors.csv
says "results/ladder.csv: The machine was not quiet: of 30 figures 2 are unsure" gate results/ladder.csv
sed -i '/^K,5/s/x_floor//; /^K,7/s/time//' results/ladder.csv
does gate results/ladder.csv

# Readers divide: a time by its x floor is the floor of its width and size, but for the little by which a median of
# quotients differs from a quotient of medians.
one_floor() { # CSV
  grep -v '^#' "$1" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
    place["filter_width"] && $place["x_floor"] > 0 {
      floor = $place["median_ms"] / $place["x_floor"]; at = $place["filter_width"] "," $place["width"]
      if (!(at in least) || floor < least[at]) least[at] = floor
      if (floor > most[at]) most[at] = floor
    }
    END { for (at in most) if (most[at] > 1.1 * least[at]) { print at, least[at], most[at]; failed = 1 } exit failed }'
}

# The committed data.
cd "$repository" || exit 1
for csv in plots/data/*/*.csv; do
  [[ $csv == *.rounds.csv ]] || expect "$csv: one floor at each width" one_floor "$csv"
  [[ $csv == *.rounds.csv ]] || does gate "$csv"
done
cd "$work/copy" || exit 1

see() { # what readers see of the data
  cp plots/data/h200/*.csv results
  "${commas[@]}" "$report" summary results && "${commas[@]}" "$report" page results &&
    "${commas[@]}" "$report" readme --check ./*.md */*.md */*/*.md
}
commas=()
rm results/* ./*.md && cp "$repository"/*.md . && see > before || report_failure "nothing to see"
expect "--all measures no more" eval '! grep "measures more" before'
expect "nor could it" grep -q '^| CI.7: .* | not measured on this device: Smooth_Interior:non_uniform |$' before
comma_locale || { echo "no locale with decimal commas here"; commas=(env); }
see > german
expect "decimal commas change the figures" cmp before german

finish
