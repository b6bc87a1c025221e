# What the tests of the programs begin with; they source this file with their BUILD_DIR as $1. It leaves
# them in an empty folder of their own, which is removed at their end, and sets
#   build, repository   absolute paths
#   steps               the steps of the ladder, in order
#   failures, checks    0, for them to count
# and defines require_built, report_failure, expect, kernels_where, interpreted and passes.
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

# require_built PROGRAM: without it no test has anything to say.
require_built() {
  [[ -x $1 ]] || { echo "FAILED: there is no program $1: the build has failed, or it was not built"; exit 1; }
}

# report VERB ARGUMENTS...: what the program that reads results says.
report() { (cd "$repository" && "$build/report" "$@"); }
mapfile -t steps < <(report steps ladder)
require_built "$build/${steps[0]}"
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

# interpreted PROGRAM ARGUMENTS...: on Oclgrind, if it is installed.
interpreted() {
  "$repository/tests/interpreted.sh" "$@"
}

# passes COMMAND...: it must succeed, without a compiler's warning or an access beyond a buffer.
passes() {
  checks=$((checks + 1))
  "$@" > out 2> err || report_failure "exit status $?: $*"
  ! grep -qE '^Invalid|warning' err || report_failure "on stderr: $*"
  echo "${*#"$build/"}: $(tail -n 1 out)"
}
