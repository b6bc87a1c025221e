#!/usr/bin/env bash
# Which fault turns this test red alone: a real kernel that is taken although it is wrong, and a winner that is
# remembered without a contest or not found again. autotune_test has the rest.
source "$(dirname "$0")/programs.bash"
step=step9_autotune

run() { # STATUS ARGS
  ends "$1" "$build/$step" --size 70x41 --time-budget 0 --search-budget 0.001 --filter-width 3 "${@:2}"
}

# A search that ends as soon as something works marks its winner.
run 0 --kernel Tuned --csv rows.csv

# A known winner is taken; one that is wrong now never is, and it is named.
winner=Convolve_Block file=block.cl known='4x4, group 32x4'
! grep -qx '# device_type: CPU' rows.csv || { winner=Convolve_Block16 file=block16.cl known='64x4, group 1x1'; }
sed -i -E "2s/,3,Convolve_.*,([0-9a-f]*),0$/,3,$winner,$(tr x , <<< "${known/, group /x}"),\1,1/" winners.csv
run 0 --kernel Tuned
expect "the winner is not known" grep -qxF "width  3  known: $winner $known" out
sed "/^__kernel void $winner(/,/^}/ s/get_global_id(0) \* BLOCK_WIDTH/& + 1/" \
  "$repository/step7_register_block/$file" > broken.cl
run 2 --kernel Tuned --kernel-file broken.cl
expect "the wrong winner is not named" grep -qE "^$step: $winner:[0-9]+x.*, filter width 3: (wrong at|.*outside)" err
expect "a wrong kernel wins" eval '! grep -qE "(best|known): $winner " out'
expect "no other winner" grep -qE '^ +best: Convolve_' out

finish
