#!/bin/bash
# The script ./tutorial as far as it needs no build: what it says of itself, and how it refuses what it does not know.
#
#   tutorial_script.sh BUILD_DIR
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

report_failure() {
  echo "FAILED: $*"
  sed 's/^/  /' "$work/out" "$work/err" | tail -n 10
  failures=$((failures + 1))
}
tutorial() { # EXPECTED_STATUS ARGS: runs the script from another folder
  local expected=$1 status
  shift
  checks=$((checks + 1))
  (cd "$work" && "$repository/tutorial" "$@") > "$work/out" 2> "$work/err" < /dev/null
  status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: ./tutorial $*"
}
refuses() { # MESSAGE ARGS: in one line, before anything is installed or built
  tutorial 1 "${@:2}"
  [[ ! -s $work/out && $(wc -l < "$work/err") == 1 ]] || report_failure "not one line on stderr: ./tutorial ${*:2}"
  grep -qE -- "$1" "$work/err" || report_failure "stderr does not say '$1': ./tutorial ${*:2}"
}

tutorial 0 help
! grep -q '.\{81\}' "$work/out" || report_failure "help is wider than 80 columns"
for command in run test 'step N' 'xray N' 'diff N' 'diff K1 K2' 'kernel K' charts book devices --all --no-install; do
  grep -qF -- "$command" "$work/out" || report_failure "help does not say: $command"
done
for command in '' frobnicate step xray kernel diff 'diff 1 2 3' 'charts a b c' 'test --frobnicate' 'book x y'; do
  # shellcheck disable=SC2086  # a command with its arguments
  tutorial 1 $command
  grep -q '^usage:' "$work/err" || report_failure "no usage: ./tutorial $command"
done
refuses "run does not know '--bogus'" run --bogus
refuses 'run: --device needs a value' run --all --device
refuses 'it takes --device alone' run --all --seed 5
refuses "no step '99'.* step1_naive .* step9_autotune" step 99
refuses "no step '../tests'" step ../tests
refuses "no step 'plots'" xray plots
refuses "no CSV in '/nonexistent'" charts /nonexistent

echo "$checks checks, $failures failures"
((failures == 0))
