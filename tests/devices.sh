#!/bin/bash
# Which fault turns this test red alone: a device of which `./tutorial devices` lacks a number, or a wrong product.
# usage: devices.sh BUILD_DIR
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/programs.bash"

"$build/devices" > out 2> err || report_failure "exit status $?"
expect "something on stderr" test ! -s err
# How long a device's name is, is not ours to say.
expect "wider than 80 columns" eval "! grep -v '^[0-9]' out | grep -q '.\{81\}'"
listed=$("$build/${steps[0]}" --list-devices | grep -c '^[0-9]')
for line in 'compute units  *[1-9][0-9]*$' 'preferred multiple  *[1-9][0-9]*$' 'fill  *[0-9]+ x [0-9]+ x 2 = [0-9]+ work-items$' \
  'largest work-group  *[1-9][0-9]* work-items, at most ' 'local memory  *[1-9][0-9]* KiB, ' \
  'global memory  *[1-9][0-9]* MiB$' 'its cache  *(none|[1-9])' 'vector of floats  *[0-9]+ wide, preferred [1-9]' \
  'images  *(no|yes, up to [1-9][0-9]* x [1-9][0-9]*)$' 'clock  *[0-9]+ MHz at most$'; do
  expect "not one line per device: $line" test "$(grep -cE "^     $line" out)" == "$listed"
done
expect "the fill is not units x multiple x 2" awk '
  /compute units/ { units = $3 }
  /preferred multiple/ { multiple = $3 }
  /fill/ && !($2 == units && $4 == multiple && $8 == units * multiple * 2) { exit 1 }' out

# PoCL takes compiler flags from the environment; with this one nothing builds.
if grep -q '^     Portable Computing Language' out; then
  POCL_EXTRA_BUILD_FLAGS=--no-such-flag "$build/devices" > out 2> err || report_failure "exit status $?"
  expect "the failed build is not explained" grep -q 'clBuildProgram failed: CL_' out
  expect "a fill without a multiple" grep -q '^     fill  *unknown without the multiple$' out
fi

"$build/devices" 0:0 > out 2> err
expect "no usage error" eval "(($? == 1)) && grep -q 'takes no arguments' err"
finish
