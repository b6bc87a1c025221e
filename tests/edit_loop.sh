#!/bin/bash
# Which fault turns this test red alone: a program that does not read the kernel file as it is now, or that calls a
# wrong kernel right or measures it.
#
#   edit_loop.sh BUILD_DIR
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/programs.bash"

run() { ends "$1" "$build/$2" --size 37x23 --filter-width 7 "${@:3}"; } # STATUS STEP [ARGS]

step=step2_unroll
original=$repository/$step/convolution.cl
# Without --kernel-file a program reads the file in the source folder, where the reader edits it.
expect "$step does not read $original" grep -qaF "$original" "$build/$step"

cp "$original" kernels.cl
# Off by one column, in Convolve_Unroll alone.
sed -i '/^__kernel void Convolve_Unroll(/,/^}/ s/input\[input_row + c\]/input[input_row + c + 1]/' kernels.cl
run 2 "$step" --kernel-file kernels.cl --csv out.csv --time-budget 0
expect "the first wrong pixel is not named" \
  grep -qE 'Convolve_Unroll.* wrong at \(0, 0\): expected -?[0-9.e-]+, got -?[0-9.e-]+' err
expect "Convolve, which is right, has no row in the CSV" grep -q '^Convolve,7,' out.csv
expect "Convolve_Unroll, which is wrong, has a row in the CSV" eval '! grep -q "^Convolve_Unroll," out.csv'

# A wrong baseline: nothing is relative to it.
sed -i '/^__kernel void Convolve(/,/^}/ s/output\[/output[1 + /' kernels.cl
run 2 "$step" --kernel-file kernels.cl --verify-only
expect "the wrong Convolve is not named" grep -q '^step2_unroll: Convolve,' err

# Edited back: right again, with the same program.
cp "$original" kernels.cl
run 0 "$step" --verify-only --kernel-file kernels.cl

finish
