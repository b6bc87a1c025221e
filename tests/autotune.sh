#!/usr/bin/env bash
# Step 9 as a user runs it: the search, its file of winners, what makes that file invalid, a candidate that
# is wrong, and bad values of the flags that came with blocks.
# usage: autotune.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
step=step9_autotune
program=$build/$step
# Nothing compiled before counts: what a compiler has to say it says the first time.
mkdir cache
export POCL_CACHE_DIR=$work/cache

report_failure() {
  echo "FAILED: $*"
  sed 's/^/  /' out err | tail -n 12
  failures=$((failures + 1))
}

# expect WHAT COMMAND...
expect() {
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" > /dev/null 2>&1 || report_failure "$what"
}

run() { # STATUS ARGS
  local expected=$1 status
  shift
  checks=$((checks + 1))
  timeout 300 "$program" --size 70x41 --time-budget 0 --search-budget 5 --kernel Tuned "$@" > out 2> err < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: $*"
  awk 'length > 80 && !/^device / { exit 1 }' out || report_failure "wider than 80 columns: $*"
  ! grep -q 'warning' err || report_failure "the compiler warns: $*"
}

searched='candidates in [0-9.]+ s'

# --- The first run searches, the second knows -------------------------------------------------------

cp "$repository/$step/convolution.cl" kernels.cl
run 0 --filter-width 3 --kernel-file kernels.cl
expect "no search" grep -qE "^width  3  [0-9]+ $searched" out
expect "the best is not named" grep -qE '^ +best: Convolve_(Tile|Baked|Fast) [0-9]+x[0-9]+' out
expect "no row for Tuned" grep -qE '^Tuned ' out
best=$(sed -n 's/^ *best: //p' out)
expect "no file of winners" test -s winners.csv
expect "one winner" test "$(grep -c '^3,' winners.csv)" == 1
cp winners.csv first.csv

run 0 --filter-width 3 --kernel-file kernels.cl
expect "the winner is not known" grep -qxF "width  3  known: $best" out
expect "searched again" eval "! grep -qE '$searched' out"
expect "the file has changed" cmp first.csv winners.csv

# Another width is searched, and kept beside the first.
run 0 --filter-width 2:3 --kernel-file kernels.cl
expect "width 3 is known" grep -q '^width  3  known: ' out
expect "width 2 is searched" grep -qE "^width  2  [0-9]+ $searched" out
expect "two winners" test "$(grep -cE '^[23],' winners.csv)" == 2

# --verify-only reads and writes no winners.
cp winners.csv second.csv
run 0 --filter-width 3 --kernel-file kernels.cl --verify-only
expect "known, though only verifying" eval '! grep -q known: out'
expect "fewer than 16 results" test "$(grep -c ' ok, ' out)" -ge 16
expect "the file has changed" cmp second.csv winners.csv

# --- What makes the file invalid --------------------------------------------------------------------

echo '// a comment' >> kernels.cl
run 0 --filter-width 3 --kernel-file kernels.cl
expect "another source is not noticed" grep -qxF 'winners winners.csv: made for another source; ignored' out
expect "no new search" grep -qE "$searched" out
expect "the winners of the old source are still there" eval '! grep -q ^2, winners.csv'
run 0 --filter-width 3 --kernel-file kernels.cl
expect "the new winner is not known" grep -q '^width  3  known: ' out

# One that is no winner: wrong now, so never taken, and named.
sed '/^__kernel void Convolve_Baked(/,/^}/ s/OUTPUT_WIDTH + x;/OUTPUT_WIDTH + x + 1;/' kernels.cl > broken.cl
expect "the edit changed nothing" eval '! cmp kernels.cl broken.cl'
sed "s/^# source: .*/$(sed -n '/^# source/p' winners.csv)/" winners.csv > mine.csv
run 2 --filter-width 3 --kernel-file broken.cl --winners mine.csv
expect "the wrong candidate is not named" \
  grep -qE '^step9_autotune: Convolve_Baked [0-9]+x.*, filter width 3: (wrong at \([0-9]+, [0-9]+\)|.*outside)' err
expect "the winner is not another kernel" grep -qE '^ +best: Convolve_(Tile|Fast) ' out
expect "a wrong kernel is kept" eval '! grep -q Convolve_Baked mine.csv'
# The same with a file that claims it: the hash is that of the broken source.
row=$(grep '^3,' mine.csv)
sed "s/^3,\([0-9a-f]*\),.*/3,\1,Convolve_Baked,16,64,4,1,1/" mine.csv > claims.csv
expect "no row is claimed" eval '! cmp mine.csv claims.csv'
run 2 --filter-width 3 --kernel-file broken.cl --winners claims.csv
expect "a wrong winner counts as known" eval '! grep -q known: out'
expect "it is not replaced" eval '! grep -q Convolve_Baked claims.csv'
expect "no winner instead (was $row)" grep -qE '^3,[0-9a-f]+,Convolve_(Tile|Fast),' claims.csv
run 2 --filter-width 3 --kernel-file broken.cl --verify-only
expect "verify-only does not name it" grep -q 'step9_autotune: Convolve_Baked' err

# --- Bad values -------------------------------------------------------------------------------------

refuses() { # PATTERN ARGS: exit status 1 and one clear line
  local pattern=$1
  shift
  run 1 --filter-width 1 "$@"
  (($(wc -l < err) == 1)) || report_failure "not one line on stderr: $*"
  grep -qE -- "$pattern" err || report_failure "stderr does not say '$pattern': $*"
}
for tile in 0x4 4x0 -4x4 4 x axb 4x4x4 68x4 4x17 4096x4096 99999999999x1 ''; do
  refuses '--tile' --tile "$tile"
done
refuses 'multiple of 4' --lanes 1 --tile 6x4
refuses 'multiple of 16' --lanes 16 --tile 24x4
for lanes in 0 2 3 32 -1 x 1.0 ''; do
  refuses '--lanes' --lanes "$lanes"
done
for group in 0x1 1x0 -1x1 1 x axb 65536x65536 99999999999x1 ''; do
  refuses '--tile-group' --tile-group "$group"
done
for seconds in 0 -1 nan inf soon ''; do
  refuses '--search-budget' --search-budget "$seconds"
done
refuses 'missing/winners.csv: cannot be written' --winners missing/winners.csv
refuses '\.: cannot be written' --winners .
refuses '--winners' --winners ''

# --- The other steps with blocks --------------------------------------------------------------------

for other in step7_register_tile step8_baked_filter; do
  for form in '--lanes 1 --tile 8x3' '--lanes 16'; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086  # flags with their values
    "$build/$other" --size 70x41 --filter-width 2,3 --time-budget 0 $form > out 2> err ||
      report_failure "$other $form"
    [[ ! -s err ]] || report_failure "something on stderr: $other $form"
    awk 'length > 80 && !/^device / { exit 1 }' out || report_failure "wider than 80 columns: $other $form"
  done
done
expect "step 8 does not say why Convolve_Fast is left out" grep -q 'Convolve_Fast .*--lanes 1' out

echo "$checks checks, $failures failures"
((failures == 0))
