#!/usr/bin/env bash
# Step 9 as a user runs it: the search, its file of winners, what makes that file invalid, a candidate that
# is wrong, work-groups and blocks for which there is no room, and bad values of the flags of blocks.
# usage: autotune.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
step=step9_autotune
program=$build/$step

run() { # STATUS ARGS
  local expected=$1 status where='timeout 300'
  shift
  checks=$((checks + 1))
  [[ " $* " != *' --verify-only '* && " $* " != *' --search-budget 3600 '* ]] || where=interpreted
  $where "$program" --size 70x41 --time-budget 0 --search-budget 0.001 "$@" > out 2> err < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: $*"
  ! grep -q 'warning' err || report_failure "the compiler warns: $*"
}

search() { # STATUS ARGS
  local expected=$1
  shift
  run "$expected" --kernel Tuned "$@"
  awk 'length > 80 && !/^device / { exit 1 }' out || report_failure "wider than 80 columns: $*"
}

searched='candidates in [0-9.]+ s'

# --- The first run searches, the second knows -------------------------------------------------------

# Until something works: that is the first candidate.
search 0 --filter-width 3
expect "no search" grep -qE "^width  3  [0-9]+ $searched" out
expect "the best is not named" grep -qE '^ +best: Convolve_[A-Za-z0-9_]+ [0-9]+x[0-9]+, group [0-9]+x[0-9]+$' out
expect "no row for Tuned" grep -qE '^Tuned ' out
best=$(sed -n 's/^ *best: //p' out)
expect "no file of winners" test -s winners.csv
expect "one winner" test "$(grep -c '^3,' winners.csv)" == 1
cp winners.csv first.csv

search 0 --filter-width 3
expect "the winner is not known" grep -qxF "width  3  known: $best" out
expect "searched again" eval "! grep -qE '$searched' out"
expect "the file has changed" cmp first.csv winners.csv

# Another width is searched, and kept beside the first.
search 0 --filter-width 2:3
expect "width 3 is known" grep -q '^width  3  known: ' out
expect "width 2 is searched" grep -qE "^width  2  [0-9]+ $searched" out
expect "two winners" test "$(grep -cE '^[23],' winners.csv)" == 2

# --verify-only reads and writes no winners.
cp winners.csv second.csv
search 0 --filter-width 3 --verify-only
expect "known, though only verifying" eval '! grep -q known: out'
expect "fewer than 16 results" test "$(grep -c ' ok, ' out)" -ge 16
expect "the file has changed" cmp second.csv winners.csv

# A search with time enough: on Oclgrind, where all its kernels are ready at once.
search 0 --filter-width 3 --search-budget 3600 --winners full.csv --size 17x9
expect "fewer than 10 candidates" grep -qE "^width  3  [1-9][0-9]+ $searched\$" out
expect "the winner is not kept" grep -qE "^3,[0-9a-f]+,Convolve_" full.csv

# --- What makes the file invalid --------------------------------------------------------------------

# Any of the kernel files may have changed; here the user's takes the place of one.
winner=${best%% *}
file=$(awk -F, -v kernel="$winner" '$1 == kernel { print $3 }' "$repository/kernels.csv")
{ cat "$repository/$step/$file"; echo '// a comment'; } > commented.cl
search 0 --filter-width 3 --kernel-file commented.cl
expect "other kernel files are not noticed" \
  grep -qxF 'winners winners.csv: of another device, driver, size, kernels or blocks; ignored' out
expect "no new search" grep -qE "$searched" out
expect "the winners of the old files are still there" eval '! grep -q ^2, winners.csv'
search 0 --filter-width 3 --kernel-file commented.cl
expect "the new winner is not known" grep -q '^width  3  known: ' out

# A file that claims that a kernel is the best, which is wrong now: it is never taken, and named.
sed "/^__kernel void $winner(/,/^}/ s/get_global_id(0) \* BLOCK_WIDTH/& + 1/" \
  "$repository/$step/$file" > broken.cl
expect "the edit changes nothing" eval '! cmp "$repository/$step/$file" broken.cl'
search 2 --filter-width 3 --kernel-file broken.cl
expect "the wrong candidate is not named" \
  grep -qE "^$step: $winner:[0-9]+x.*, filter width 3: (wrong at \([0-9]+, [0-9]+\)|.*outside)" err
expect "no other winner" grep -qE '^ +best: Convolve_' out
expect "a wrong kernel wins" eval '! grep -qE "^ +best: $winner " out'
expect "a wrong kernel is kept" eval '! grep -q ",$winner," winners.csv'
kept=$(grep '^3,' winners.csv)
# The same with a row that claims it, under the head of the broken file.
sed "s/^3,\([0-9a-f]*\),[A-Za-z0-9_]*,/3,\1,$winner,/" winners.csv > claims.csv
expect "no row is claimed" eval '! cmp winners.csv claims.csv'
search 2 --filter-width 3 --kernel-file broken.cl --winners claims.csv
expect "a wrong winner counts as known" eval '! grep -q known: out'
expect "it is not replaced" eval '! grep -q ",$winner," claims.csv'
expect "no winner instead (was $kept)" grep -qE '^3,[0-9a-f]+,Convolve_' claims.csv
search 2 --filter-width 3 --kernel-file broken.cl --verify-only
expect "verify-only does not name it" grep -q "$step: $winner:" err

# --- No room, and what does not suit a kernel: it is skipped, and the rest runs ---------------------

kernels=$(kernels_where 'step ~ /^[0-9]/ && step >= 7')
for group in 65536x65536 4096x4096; do
  run 0 --filter-width 1 --kernel "$kernels" --block-group "$group" --verify-only
  expect "a work-group of $group is not skipped" \
    test "$(grep -cE 'skipped: ([0-9]+ work-items|for filters with)' out)" == "$(tr ',' '\n' <<< "$kernels" | wc -l)"
  expect "the baseline does not run" grep -q 'Convolve  *ok' out
  run 0 --filter-width 1 --kernel "$kernels" --work-group "$group" --block-group "$group" --csv rows.csv
  expect "what is skipped has a row in the CSV" test "$(grep -c '^Convolve' rows.csv)" == 1
done
# A multiple of 4 for floats, of 16 for vectors; Convolve_Two has no block.
run 0 --filter-width 1 --kernel "$kernels" --block 6x4 --verify-only
expect "a block of 6x4" test "$(grep -cE 'skipped: needs a block width that is a multiple of (4|16)$' out)" == \
  "$(tr ',' '\n' <<< "$kernels" | grep -cvx Convolve_Two)"
run 0 --filter-width 1 --kernel "$kernels" --block 4x4 --verify-only
expect "a block of 4x4" test "$(grep -c 'skipped: needs a block width that is a multiple of 16$' out)" == \
  "$(tr ',' '\n' <<< "$kernels" | grep -c 16)"

# --- Bad values -------------------------------------------------------------------------------------

refuses() { # PATTERN ARGS: exit status 1 and one clear line
  local pattern=$1
  shift
  run 1 --filter-width 1 --kernel Tuned "$@"
  (($(wc -l < err) == 1)) || report_failure "not one line on stderr: $*"
  grep -qE -- "$pattern" err || report_failure "stderr does not say '$pattern': $*"
}
for block in 0x4 4x0 -4x4 4 x axb 4x4x4 68x4 4x17 4096x4096 99999999999x1 ''; do
  refuses '^step9_autotune: --block: must be WIDTHxHEIGHT, at most 64x16, not ' --block "$block"
done
for group in 0x1 1x0 -1x1 1 x axb 99999999999x1 ''; do
  refuses '^step9_autotune: --block-group: must be WIDTHxHEIGHT, e.g. 32x4, not ' --block-group "$group"
done
for seconds in 0 -1 nan inf soon ''; do
  refuses '--search-budget: must be a number from ' --search-budget "$seconds"
done
refuses 'missing/winners.csv: cannot be written' --winners missing/winners.csv
refuses '\.: cannot be written' --winners .
refuses '--winners: must name a file' --winners ''

echo "$checks checks, $failures failures"
((failures == 0))
