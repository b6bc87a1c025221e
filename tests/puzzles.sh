#!/bin/bash
# Which fault turns this test red alone: a puzzle that its first text solves, or its solution does not; a wrong kernel
# that is called solved; a reader's file that is overwritten; a hint that is left out.
#
#   puzzles.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/programs.bash"
require_built "$build/puzzle"
comma_locale
puzzle() { ends "$1" "${commas[@]}" "$repository/tools/puzzles/puzzle.sh" "$build" "${@:2}"; } # STATUS ARGUMENTS
open() { sed -nE "s/^  \[ \] (.*)/\1/p" out | paste -sd'|'; }                                    # what the judge misses
texts=$repository/tools/puzzles

# Without the simulator the time decides, of right kernels alone.
mkdir -p puzzles bin
ln -s "$build/puzzle" bin
puzzle 0 1
"$texts/puzzle.sh" bin 1 > out
expect "wrong, without the simulator" grep -q '\[ \] the right result' out
if ! command -v oclgrind > /dev/null || [[ ! -f $build/libxray.so ]]; then echo "no Oclgrind"; exit 77; fi

# What each first text misses, and nothing else.
missing=('' 'the right result[^|]*' 'sectors .*: 32, goal 5'
  'longest chain .*: 49, goal 29' 'conditional jumps: 57, goal 36' 'conditional jumps: 273, goal 0'
  'the right result[^|]*' 'Read-write data race\|the right result[^|]*' 'words .*: 2, goal 1'
  'instructions .*: 49, goal 28\|loads of inputs: 49, goal 28' 'loads of inputs: 49, goal 28\|loads of taps: 49, goal 24.5'
  'loads of inputs: 49, goal 6.25' 'loads of taps: 49, goal 0\|conditional jumps: 56, goal 0'
  'multiply-adds: 56, goal 16.7\|loads of inputs: 49, goal 9.7' 'loads of inputs: 49, goal 5.25\|bytes of inputs: 49, goal 28')
for ((n = 1; n < ${#missing[@]}; n++)); do
  [[ -e puzzles/$n.cl ]] || puzzle 0 $n
  puzzle 2 $n
  expect "$n misses $(open)" grep -qxE "${missing[n]}" <(open)
  cp "$texts/$n/solution.cl" puzzles/$n.cl
  puzzle 0 $n
  expect "$n, solved, misses $(open)" test -z "$(open)"
  expect "wider than 80 columns" test "$(wc -L < out)" -le 80
done
puzzle 0
expect "not all are solved, or there are others" test "$(grep -c '^\[x\]' out) $(grep -c '^\[' out)" == "$((n - 1)) $((n - 1))"
expect "the list is wider than 80 columns" test "$(wc -L < out)" -le 80

# Fast and wrong, on one side of an image of odd width alone; beyond a buffer; not a kernel.
rm puzzles/solved
sed '/if (x + 1 < output_width)/d; s/^    output\[.*right;/  output[y * output_width + x + 1] = right; {/' "$texts/10/solution.cl" > puzzles/10.cl
puzzle 2 10
expect "wrong, and misses $(open)" grep -q '^the right result; with 7 x 7 taps and 67 x 43 pixels' <(open)
sed 's/= sum;/= sum + 0.0f * input[1 << 20];/' "$texts/1/solution.cl" > puzzles/1.cl
puzzle 2 1
expect "not found: a read beyond the input" grep -q '^Invalid read' <(open)
echo 'floot' > puzzles/1.cl
puzzle 1 1
expect "no line of puzzles/1.cl" grep -q 'puzzles/1.cl:1:' err
expect "a wrong kernel is called solved" test ! -e puzzles/solved

# The reader's file stays; hints come in turn.
for hint in 1 2 3; do
  puzzle 0 1 --hint
  expect "hint $hint" test "$(head -n -1 out | tr -d '\n ')" == "$(sed -n ${hint}p "$texts/1/hints.txt" | tr -d ' ')"
done
puzzle 1 1 --hint
puzzle 0 1 --solution
expect "no diff to the reader's" grep -qx -e -floot out
expect "the reader's file was changed" test "$(< puzzles/1.cl)" == floot
puzzle 1 99
puzzle 1 1 --frobnicate
finish
