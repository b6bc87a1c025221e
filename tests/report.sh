#!/bin/bash
# The program that reads results, on data made for it: the very figures of the READMEs' tables and of the
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

# --- In the repository: steps, differences --------------------------------------

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
rows published/anchors.csv id=X work#no value under 'work'
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
data/paired.csv A < C at 3#plots/data/paired.csv has no C at 3
data/paired.csv A < B#'data/paired.csv A < B' is not FILE A < B at WIDTHS
data/h200/ladder.csv A < B at 3#the table above is not of h200/ladder.csv
END_OF_FILE

# --- Tables of times -----------------------------------------------------------------------------------------

write() { # FILE KERNEL/WIDTH/LOW/MEDIAN/HIGH[/RELATIVE[/LOW/HIGH]]...: times in ms, percent; the last two in all rows or none
  {
    printf '# device: a <CPU>\n# device_type: %s\n# size: 8 x 8\n' "${type-CPU}"
    printf '%s\n' "${@:2}" | awk -F/ -v OFS=, '
      NR == 1 { print "kernel,filter_width,low_ms,median_ms,high_ms,gpixels_per_s,kind,relative_percent" (NF == 8 ? ",relative_low,relative_high" : "") }
      { print $1, $2, $3, $4, $5, 0.24 / $4, "kernel", ($6 == "" ? 10 * $4 : $6) (NF == 8 ? "," $7 "," $8 : "") }'
  } > "results/$1"
}

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
{ "$report" summary results && "$report" page results && cat whole.md; } > out
while IFS= read -r line; do
  expect "no line '$line'" grep -qxE -e "$line" out
done << 'END_OF_FILE'
Convolve_Block +50\.0 +50\.0 +50\.0 +0\.0480 +1\.25
\| kernel \| CPU, Gpixel/s \|
\| `Convolve_Block` \| 0\.0480 \|
\| Convolve_Block \| 50\.0 \| 50\.0 \| 50\.0 \| 0\.0480 \| 1\.25 \|
\| Convolve_Block \| 50\.0 \| [0-9.]+ \| 50\.0 \| [0-9.]+ \| 50\.0 \| [0-9.]+ \|
It is <!-- = .* -->2\.0<!-- / --> times as fast, <!-- = .* -->1\.25<!-- / --> floors, and <!-- = .* -->15\.0<!-- / --> ms\.
On this device the ladder makes .* 2\.0 times as fast: .* with `Convolve_Block`\. That is 80 % .*
END_OF_FILE
expect "a file's name is read as HTML" grep -qF 'Image: \<img src\=x\>\_\*1\*\.jpg,' out
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
write ladder.csv Convolve/{2..7}/1/10/99/100/100/100 Convolve_Unroll/{2..7}/1/10/99/100/98/102 Convolve_Def_Unroll/{2..7}/1/9/99/90/88/92
rounds 'Convolve 1 1 1 1 1 1' 'Convolve_Unroll 1? 1? 1 1 1 1' 'Convolve_Def_Unroll .8 .8 .8 .8 .8 .8' > results/ladder.rounds.csv
sed -i '$a 2,Convolve,3,1 1 1.01\n2,Convolve,4,1.04 1.04 1.04' results/ladder.rounds.csv
does summary results
expect "programs that differ" grep -q 'the ladder.s programs differ by more than 3 % .* by up to 4.0 %' "$work/out"
# Nine rounds are enough for an interval without the extremes.
rounds 'Convolve 1 1 1 1 1 1 1 1 1' 'Convolve_Unroll 1 1 1 1 1 1 1 1 1' 'Convolve_Def_Unroll .1 .8 .8 .8 .8 .8 .8 .8 .99' > results/ladder.rounds.csv
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
comma_locale || { echo "no locale with decimal commas here"; commas=(env); }
see > german
expect "decimal commas change the figures" cmp before german

finish
