#!/usr/bin/env bash
# Which fault turns this test red alone: a winner that is lost, known where it is wrong or kept without a contest, and a
# kernel that runs with a block or a work-group that does not suit it.
# usage: autotune.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/programs.bash"
step=step9_autotune

run() { # STATUS ARGS
  ends "$1" "$build/$step" --size 70x41 --time-budget 0 --search-budget 0.001 --filter-width 3 "${@:2}"
}
# A search with time enough, or what it has found.
search() { ends "$1" "$repository/tests/interpreted.sh" "$build/$step" --size 17x9 --time-budget 0 --filter-width 3 \
  --kernel Tuned --search-budget 3600 "${@:2}"; }

# A search that ends as soon as something works is not remembered; one with time enough is.
run 0 --kernel Tuned
expect "no search" grep -qE '^width  3  1 candidates in [0-9.]+ s, then time was up; not remembered$' out
expect "the best is not named" grep -qE '^ +best: Convolve_[A-Za-z0-9_]+ [0-9]+x[0-9]+, group [0-9]+x[0-9]+$' out
expect "a winner against nothing" test ! -e winners.csv
search 0
expect "fewer than 10 candidates" grep -qE '^width  3  [1-9][0-9]+ candidates in [0-9.]+ s$' out
best=$(sed -n 's/^ *best: //p' out)
expect "the winner is not kept" grep -q ",17x9,random,3,${best%% *}," winners.csv
search 0
expect "the winner is not known" grep -qxF "width  3  known: $best" out
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
kernels=$(kernels_where 'step ~ /^[0-9]/ && step >= 7 && step <= 9')
run 0 --kernel "$kernels" --block-group 65536x65536 --verify-only
expect "a work-group of 65536 x 65536 is not skipped" \
  test "$(grep -cE 'skipped: ([0-9]+ work-items|for filters with)' out)" == "$(tr ',' '\n' <<< "$kernels" | wc -l)"
expect "the baseline does not run" grep -q 'Convolve  *ok' out
run 0 --kernel "$kernels" --block 4x4 --csv rows.csv
expect "a block of 4x4" test "$(grep -c 'skipped: needs a block width that is a multiple of 16$' out)" == \
  "$(tr ',' '\n' <<< "$kernels" | grep -c 16)"
expect "what is skipped has a row in the CSV" eval '! grep -q "^Convolve_[A-Za-z]*16" rows.csv'
run 1 --kernel Tuned --winners missing/winners.csv
expect "not one line on stderr" test "$(cat err)" == "$step: cannot write missing/winners.csv: No such file or directory"

finish
