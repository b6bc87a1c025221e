#!/bin/bash
# Which fault turns this test red alone: ./tutorial taking a command that it does not know, or refusing one in more than
# one line; as far as that needs no build.
#
#   tutorial_script.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/checks.bash"

tutorial() { ends "$1" "$repository/tutorial" "${@:2}"; } # EXPECTED_STATUS ARGS
refuses() { # MESSAGE ARGS: in one line, before anything is installed or built
  tutorial 1 "${@:2}"
  expect "not one line on stderr: ${*:2}" test "$(wc -l < out),$(wc -l < err)" == 0,1
  expect "stderr does not say '$1': ${*:2}" grep -qE -- "$1" err
}

tutorial 0 help
expect "help is wider than 80 columns" test "$(wc -L < out)" -le 80
for command in '' frobnicate step xray kernel diff 'diff 1 2 3' 'charts a b c' 'test --frobnicate' 'book x y'; do
  # shellcheck disable=SC2086  # a command with its arguments
  tutorial 1 $command
  expect "no usage: $command" grep -q '^usage:' err
done
refuses "run does not know '--bogus'" run --bogus
refuses 'run: --device needs a value' run --all --device
refuses 'it takes --device alone' run --all --seed 5
refuses "no step '99'.* step1_naive .* step9_autotune" step 99
refuses "no step '../tests'" step ../tests
refuses "no step 'plots'" xray plots
refuses "no CSV in '/nonexistent'" charts /nonexistent

finish
