#!/bin/bash
# Which fault turns this test red alone: a puzzle that its first text solves, or its solution does not; a wrong kernel
# that is called solved, or one that reaches its goals by a trick; a reader's file that is overwritten; a lost hint.
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
! other_simulator || exit 77

# What each first text misses, and nothing else.
missing=('' 'the right result[^|]*' 'sectors .*: 32, goal 5'
  'longest chain .*: 49, goal 29' 'conditional jumps: 57, goal 36' 'conditional jumps: 273, goal 0'
  'the right result[^|]*' 'Read-write data race\|the right result[^|]*' 'words .*: 2, goal 1'
  'instructions .*: 49, goal 28\|loads of inputs: 49, goal 28\|longest chain .*: 49, goal 28' 'loads of inputs: 49, goal 28\|loads of taps: 49, goal 24.5'
  'loads of inputs: 49, goal 6.25' 'loads of taps: 256, goal 0\|conditional jumps: 528, goal 0'
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
expect "no share of the time" grep -qE '^  ours takes [0-9.]+ % of your time \([0-9.]+ to [0-9.]+\)' out
puzzle 0
expect "not all are solved, or there are others" test "$(grep -c '^\[x\]' out) $(grep -c '^\[' out)" == "$((n - 1)) $((n - 1))"
expect "the list is wider than 80 columns" test "$(wc -L < out)" -le 80

# Wrong: beyond a buffer, where groups are not full, at one width alone, with negative taps; not a kernel. Right by
# a trick, or in another way than ours.
rm puzzles/solved
while IFS='|' read -r status n from edit said; do
  sed -E "$edit" "$texts/$n/$from.cl" > "puzzles/$n.cl"
  puzzle "$status" "$n"
  expect "$n does not say '$said'" grep -qe "$said" out err
  expect "solved or not: $n" test "$(grep -c '^Solved' out)" == $((status == 0))
done << 'END'
2|1|solution|s/= sum;/= sum + 0.0f * input[1 << 20];/|] Invalid read
2|7|solution|/nobody/d; s/^      output.*/& barrier(CLK_LOCAL_MEM_FENCE);/|] a barrier that only some work-items reach
2|8|start|s/= tile_width;/= filter_width == 7 ? 48 : tile_width;/|] words that .*, goal 1
2|9|solution|s/fours \+= (.*) \* (.*);/sum += dot(\1, \2);/|] instructions .*: 49, goal 28
2|10|solution|/if \(x \+ 1 < output_width\)/d; s/^    (output\[.*right;)/  \1 {/|] the right .* with 7 x 7 taps and 67 x 19 pixels
2|12|start|s/= filter\[/= baked_filter[/|] loads of taps
2|13|solution|s/ && y < output_height//|] the right .* with 7 x 7 taps and 67 x 19 pixels
2|14|solution|/pragma/d|] loads of private memory
2|3|start|s/float sum = 0.0f;/volatile __global float* sum = output + y * output_width + x; *sum = 0;/; s/sum \+=/*&/; /= sum;/d|] longest chain .*: 49
2|4|solution|s/& 2\) !=.*/\& 3) == 3) {/|] the right .* with 10 x 10 taps
2|4|start|s/for \(int c = 0; c < f/int c = 0;\n#define TAP(i) sum += filter[filter_row + c + i] * input[input_row + c + i];\n for (; c + 3 < f/; s/c\+\+/c += 4/; s/^      sum.*/TAP(0) TAP(1) TAP(2) TAP(3)/; s/^    \}/    } switch (filter_width - c) { case 3: TAP(2) case 2: TAP(1) case 1: TAP(0) }/|Your device computes the right result
2|8|start|/^    for \(int r/,/^    \}/H; s/^    for \(int r/if (local_y % 2)\n&/; /^    output/ { x; s/^/else/; G }|] conditional jumps: 64
2|9|solution|s/fours \+= (.*);/float4 p = \1; sum += p.x; sum += p.y; sum += p.z; sum += p.w;/|] longest chain .*: 51
2|12|solution|s/ != 0.0f/ > 0.0f/|] the right .* with 4 x 4 taps
2|12|solution|s/if .tap .*\{/{/; s/sum \+= (.*);/float p = \1; sum += p;/|] multiply-adds: 256
2|13|solution|s/get_local_size\(1\) \+ filter_width - 1/22/|] the right .* with 10 x 10 taps
0|3|start|s/sum = 0.0f/sum[2] = {0.0f}/; s/sum \+=/sum[c \& 1] +=/; s/= sum;/= sum[0] + sum[1];/|x] longest chain of additions: 29$
1|1|solution|s/sum \+=/sun +=/|puzzles/1.cl:13:
1|1|start|s/.*/floot/|puzzles/1.cl has no kernel Convolve$
END

# The reader's file stays; hints come in turn, and stay.
for hint in 1 2 3 3; do
  puzzle 0 1 --hint
  expect "hint $hint" test "$(head -n -1 out | tr -d '\n ')" == "$(sed -nE "s/^[1-$hint]\. //p" "$texts/1/hints.md" | tr -d '\n ')"
done
puzzle 0 1 --solution
expect "no diff to the reader's" grep -qx -e -floot out
puzzle 1 1 --hint 1
expect "--hint 1: $(< err)" grep -q "'--hint 1' is neither" err
expect "the reader's file was changed" grep -qx floot puzzles/1.cl
puzzle 1 99
finish
