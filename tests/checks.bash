# What the tests that are shell scripts begin with; they source this file with their BUILD_DIR as $1. It leaves them in
# an empty folder of their own, which is removed at their end, and sets
#   build, repository, work   absolute paths; work is that folder
#   failures, checks          0, for them to count
# shellcheck shell=bash disable=SC2034  # the variables are for the script that sources this one
set -uo pipefail
build=$(cd "$1" && pwd)
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
checks=0
touch out err

# report_failure WHAT...: counts a failure and shows what the last program printed, in `out` and `err`.
report_failure() {
  echo "FAILED: $*"
  sed 's/^/  /' "$work/out" "$work/err" | tail -n 12
  failures=$((failures + 1))
}

# expect WHAT COMMAND...: what the last program left must pass the command.
expect() {
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" > /dev/null 2>&1 || report_failure "$what"
}

# ends STATUS COMMAND...: it must end like this; its output stays in `out` and `err`. With --verify-only it runs on
# Oclgrind, where a kernel is ready at once.
ends() {
  local expected=$1 status where=()
  shift
  checks=$((checks + 1))
  [[ " $* " != *' --verify-only '* ]] || where=("$repository/tests/interpreted.sh")
  timeout --foreground 300 "${where[@]}" "$@" > "$work/out" 2> "$work/err" < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: $*"
}

# comma_locale: lets "${commas[@]}" COMMAND... run in a locale with decimal commas, where that can be made.
comma_locale() {
  commas=()
  localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2> err && commas=(env "LOCPATH=$work" LC_ALL=de_DE.UTF-8)
}

# finish: the last line of a test, which gives its exit status.
finish() {
  echo "$checks checks, $failures failures"
  ((failures == 0 && checks > 0))
}

# other_simulator: is Oclgrind here another version than the one that the committed counts are of? Says so.
other_simulator() {
  local ours here
  ours=$(sed -n 's/^# simulator: //p' "$repository/plots/xray/ladder.csv")
  here=$(oclgrind --version | grep -m 1 Oclgrind)
  [[ $here != "$ours" ]] && echo "not compared: the counts are those of $ours, and this is $here"
}
