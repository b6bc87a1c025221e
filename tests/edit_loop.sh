#!/bin/bash
# The loop that the exercises live on: edit a kernel, run again, no build in between; and a kernel that
# is wrong is called wrong, with the first wrong pixel, exit status 2 and no data.
#
#   edit_loop.sh BUILD_DIR
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"

run() { # EXPECTED_STATUS STEP [ARGS]
  local expected=$1 step=$2 status where=''
  shift 2
  checks=$((checks + 1))
  [[ " $* " != *' --verify-only '* ]] || where=interpreted  # where kernels are ready at once
  $where "$build/$step" --size 37x23 --filter-width 7 "$@" > out 2> err < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: $*"
}

step=step2_unroll
original=$repository/$step/convolution.cl
# Without --kernel-file a program reads the file in the source folder, where the reader edits it.
expect "$step does not read $original" grep -qaF "$original" "$build/$step"

cp "$original" kernels.cl
run 0 "$step" --verify-only --kernel-file kernels.cl

# Off by one column, in Convolve_Unroll alone.
sed -i '/^__kernel void Convolve_Unroll(/,/^}/ s/input\[input_row + c\]/input[input_row + c + 1]/' kernels.cl
expect "the edit changes nothing" eval '! cmp "$original" kernels.cl'
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

# Where a step has several kernel files, the reader's takes the place of those whose kernels it defines.
step=step8_baked_filter
kernels=Convolve_Unroll,Convolve_Block_Restrict,Convolve_Baked
sed 's/output + (y + t) \* OUTPUT_WIDTH + x/& + 1/' "$repository/$step/baked.cl" > baked.cl
run 2 "$step" --verify-only --kernel "$kernels" --kernel-file baked.cl
expect "the wrong Convolve_Baked is not named" grep -q "^$step: Convolve_Baked," err
expect "more than Convolve_Baked is wrong" test "$(grep -c "^$step: " err)" == 1
sed 's/input\[input_row + c + 1\]/input[input_row + c]/' "$repository/$step/convolution.cl" > convolution.cl
run 2 "$step" --verify-only --kernel "$kernels" --kernel-file convolution.cl
expect "the wrong Convolve_Unroll is not named" grep -q "^$step: Convolve_Unroll," err
expect "Convolve_Block_Restrict is not the program's own" grep -q 'Convolve_Block_Restrict  *ok' out
expect "Convolve_Baked is not the program's own" grep -q 'Convolve_Baked  *ok' out

echo "$checks checks, $failures failures"
((failures == 0))
