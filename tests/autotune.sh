#!/usr/bin/env bash
# Step 9 as a user runs it: the search, its file of winners, a candidate that is wrong, and work-groups and
# blocks for which there is no room.
# usage: autotune.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
step=step9_autotune

run() { # STATUS ARGS
  local expected=$1 status where=''
  shift
  checks=$((checks + 1))
  [[ " $* " != *' --verify-only '* && " $* " != *' --search-budget 3600 '* ]] || where=interpreted
  $where "$build/$step" --size 70x41 --time-budget 0 --search-budget 0.001 --filter-width 3 "$@" > out 2> err < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: $*"
  ! grep -q 'warning' err || report_failure "the compiler warns: $*"
}

# A search that ends as soon as something works is not remembered; one with time enough is.
run 0 --kernel Tuned
expect "no search" grep -qE '^width  3  1 candidates in [0-9.]+ s, then time was up; not remembered$' out
expect "the best is not named" grep -qE '^ +best: Convolve_[A-Za-z0-9_]+ [0-9]+x[0-9]+, group [0-9]+x[0-9]+$' out
expect "no row for Tuned" grep -qE '^Tuned ' out
expect "a winner against nothing" test ! -e winners.csv
run 0 --kernel Tuned --search-budget 3600 --size 17x9
expect "fewer than 10 candidates" grep -qE '^width  3  [1-9][0-9]+ candidates in [0-9.]+ s$' out
best=$(sed -n 's/^ *best: //p' out)
expect "the winner is not kept" grep -q ",17x9,random,3,${best%% *}," winners.csv
cp winners.csv kept.csv
run 0 --kernel Tuned --search-budget 3600 --size 17x9
expect "the winner is not known" grep -qxF "width  3  known: $best" out
# --verify-only takes all candidates, and no winner.
run 0 --kernel Tuned --verify-only --size 17x9
expect "fewer than 16 results" test "$(grep -c ' ok, ' out)" -ge 16
expect "the file has changed" cmp kept.csv winners.csv

# A known winner that is wrong now is never taken, and named.
winner=${best%% *}
file=$(cd "$repository" && echo step[78]*/"$(awk -F, -v kernel="$winner" '$1 == kernel { print $3 }' kernels.csv)")
sed "/^__kernel void $winner(/,/^}/ s/get_global_id(0) \* BLOCK_WIDTH/& + 1/" "$repository/$file" > broken.cl
expect "the edit changes nothing" eval '! cmp "$repository/$file" broken.cl'
run 2 --kernel Tuned --size 17x9 --search-budget 3600 --kernel-file broken.cl
expect "the wrong winner is not named" \
  grep -qE "^$step: $winner:[0-9]+x.*, filter width 3: (wrong at \([0-9]+, [0-9]+\)|.*outside)" err
expect "a wrong kernel wins" eval '! grep -qE "(best|known): $winner " out'
expect "no other winner" grep -qE '^ +best: Convolve_' out

# No room, and what does not suit a kernel: it is skipped, and the rest runs.
kernels=$(kernels_where 'step ~ /^[0-9]/ && step >= 7')
for group in 65536x65536 4096x4096; do
  run 0 --kernel "$kernels" --block-group "$group" --verify-only
  expect "a work-group of $group is not skipped" \
    test "$(grep -cE 'skipped: ([0-9]+ work-items|for filters with)' out)" == "$(tr ',' '\n' <<< "$kernels" | wc -l)"
  expect "the baseline does not run" grep -q 'Convolve  *ok' out
done
# A multiple of 4 for floats, of 16 for vectors; that of Convolve_Two cannot be set.
run 0 --kernel "$kernels" --block 6x4 --verify-only
expect "a block of 6x4" test "$(grep -cE 'skipped: needs a block width that is a multiple of (4|16)$' out)" == \
  "$(tr ',' '\n' <<< "$kernels" | grep -cvx Convolve_Two)"
run 0 --kernel "$kernels" --block 4x4 --csv rows.csv
expect "a block of 4x4" test "$(grep -c 'skipped: needs a block width that is a multiple of 16$' out)" == \
  "$(tr ',' '\n' <<< "$kernels" | grep -c 16)"
expect "what is skipped has a row in the CSV" eval '! grep -q "^Convolve_[A-Za-z]*16" rows.csv'
run 1 --kernel Tuned --winners missing/winners.csv
expect "not one line on stderr" test "$(cat err)" == "$step: cannot write missing/winners.csv: No such file or directory"

echo "$checks checks, $failures failures"
((failures == 0))
