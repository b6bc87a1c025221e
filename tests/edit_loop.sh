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

# Where a step reads several kernel files, the reader's takes the place of those whose kernels it defines.
step=step8_baked_filter
kernels=Convolve_Block_Restrict,Convolve_Baked
for wrong in ${kernels//,/ }; do
  case $wrong in
    Convolve_Baked) file=$repository/$step/baked.cl ;;
    *) file=$repository/step7_register_block/block.cl ;;
  esac
  sed 's/get_global_id(0)/(get_global_id(0) + 1)/' "$file" > mine.cl
  expect "the edit of $file changes nothing" eval '! cmp "$file" mine.cl'
  run 2 "$step" --verify-only --kernel "$kernels" --kernel-file mine.cl
  expect "the wrong $wrong is not named" grep -q "^$step: $wrong," err
  expect "more than $wrong is wrong" test "$(grep -c "^$step: " err)" == 1
done

echo "$checks checks, $failures failures"
((failures == 0))
