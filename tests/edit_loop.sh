#!/bin/bash
# The loop that the exercises live on: edit a kernel, run again, no build in between; and a kernel that
# is wrong is called wrong, with the first wrong pixel, exit status 2 and no data.
#
#   edit_loop.sh BUILD_DIR
set -uo pipefail
build=$(cd "$1" && pwd)
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}

step=step2_unroll
program=$build/$step
"$program" --list-devices > /dev/null 2>&1 || { echo "no OpenCL device"; exit 77; }

fail() {
  echo "FAILED: $*"
  cat out err
  exit 1
}

run() { # EXPECTED_STATUS [ARGS]
  local expected=$1 status
  shift
  "$program" --size 37x23 --filter-width 7 "$@" > out 2> err < /dev/null
  status=$?
  ((status == expected)) || fail "exit status $status, not $expected: $*"
}

# Without --kernel-file a program reads the file in the source folder, where the reader edits it.
grep -qaF "$repository/$step/convolution.cl" "$program" ||
  fail "$program does not read $repository/$step/convolution.cl"

cp "$repository/$step/convolution.cl" kernels.cl
run 0 --verify-only --kernel-file kernels.cl

# Off by one column, in Convolve_Unroll alone.
sed -i '/^__kernel void Convolve_Unroll(/,/^}/ s/input\[input_row + c\]/input[input_row + c + 1]/' kernels.cl
cmp -s "$repository/$step/convolution.cl" kernels.cl && fail "the edit changed nothing"
run 2 --kernel-file kernels.cl --csv out.csv --time-budget 0
grep -qE 'Convolve_Unroll.* wrong at \(0, 0\): expected -?[0-9.e-]+, got -?[0-9.e-]+' err ||
  fail "the first wrong pixel is not named"
grep -q '^Convolve,7,' out.csv || fail "Convolve, which is right, has no row in the CSV"
grep -q '^Convolve_Unroll,' out.csv && fail "Convolve_Unroll, which is wrong, has a row in the CSV"

# A wrong baseline: nothing is relative to it.
sed -i '/^__kernel void Convolve(/,/^}/ s/output\[/output[1 + /' kernels.cl
run 2 --kernel-file kernels.cl --verify-only
grep -q '^step2_unroll: Convolve,' err || fail "the wrong Convolve is not named"

# Edited back: right again, with the same program.
cp "$repository/$step/convolution.cl" kernels.cl
run 0 --verify-only --kernel-file kernels.cl

echo "the edit loop works"
