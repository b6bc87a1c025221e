# What the tests of the programs begin with; they source this file with their BUILD_DIR as $1. It leaves
# them in an empty folder of their own, which is removed at their end, and sets
#   build, repository   absolute paths
#   steps               the steps of the ladder, in order
#   failures, checks    0, for them to count
# and defines report_failure, expect, kernels_where, and what verify.sh and verify_blocks.sh share.
# Without an OpenCL device the test is skipped.
# shellcheck shell=bash disable=SC2034  # the variables are for the script that sources this one
set -uo pipefail
build=$(cd "$1" && pwd)
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C
# OpenCL drivers never free all that they allocate.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}
failures=0
checks=0

mapfile -t steps < <("$repository/tools/steps.sh" ladder)
"$build/${steps[0]}" --list-devices > /dev/null 2>&1 || { echo "no OpenCL device"; exit 77; }

# report_failure WHAT...: counts a failure and shows what the last program printed, in `out` and `err`.
report_failure() {
  echo "FAILED: $*"
  sed 's/^/  /' out err | tail -n 12
  failures=$((failures + 1))
}

# expect WHAT COMMAND...: what the last program left must pass the command.
expect() {
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" > /dev/null 2>&1 || report_failure "$what"
}

# kernels_where CONDITION: the kernels for whose row in kernels.csv the awk expression CONDITION is true,
# with commas between them. It may use step (what in_kernels_csv gives) and file.
kernels_where() {
  awk -F, "NR > 1 && \$3 != \"\" { step = \$2; file = \$3; if ($1) print \$1 }" "$repository/kernels.csv" |
    paste -sd,
}

# in_kernels_csv FOLDER: what kernels.csv calls this step, for the condition above: a number, or "FOLDER".
in_kernels_csv() {
  if [[ $1 =~ ^step([0-9]+)_ ]]; then echo "${BASH_REMATCH[1]}"; else echo "\"$1\""; fi
}

# The sizes at which kernels are verified, and at which filter widths: PoCL compiles most kernels anew for
# every size and width. The size that fits nothing takes every width; the others take the narrowest and
# the widest, and those around multiples of four and sixteen.
sizes='1x1 1x40 40x1 15x33 31x17 64x64 101x67'
declare -A widths=([31x17]=1:32)
for size in 1x1 1x40 40x1 15x33 64x64 101x67; do
  widths[$size]=1,2,3,4,7,8,15,16,17,32
done
unset size
