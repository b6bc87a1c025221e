#!/bin/bash
# Which fault turns this test red alone: a program that does not read the reader's kernels as they are now, beside its
# own or in their place, that calls a wrong one right or times it, or names another file where it does not build.
#
#   against.sh BUILD_DIR
# shellcheck disable=SC2016  # eval expands it
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/programs.bash"

run() { ends "$1" "$build/$2" --size 37x23 "${@:3}"; } # STATUS PROGRAM [ARGS]

# Of every step the last kernel that it adds, and one of each study, in a copy that writes nothing but a number in front
# of its output. Is it really the copy that runs, and are the number and what the kernel before has left seen?
check_kernel() { # PROGRAM KERNEL FILE FILTER_WIDTH [WRONG ARGS]
  sed "/void $2(/,/^}/ s/{\$/{ output[-1] = 0; return;/" "$repository/$3" > idle.cl
  run 2 "$1" --verify-only --kernel "$2" --against idle.cl "${@:6}"
  expect "$1: not $2 and $2:idle" grep -qE "^width +$4  $2  +ok," out
  expect "$1: not ${5-}$2:idle is wrong" \
    test "$(sed -nE "s/^$1: (.*), filter width $4: wrong at .*/\1/p" err | paste -sd,)" == "${5-}$2:idle"
  expect "$1: a write outside" grep -q "^$1: $2:idle.*wrote outside" err
}
# In Part II with a Convolve that is wrong by one and a half times its tolerance, which is not that of other kernels.
sed 's/= sum;/= sum * 1.0000088f;/' "$repository/step1_naive/convolution.cl" > imprecise.cl
for step in "${steps[@]}"; do
  number=${step#step} number=${number%%_*} more=()
  ((number < 7)) || more=(Convolve, --kernel-file imprecise.cl --filter box)
  ((number != 9)) || number=8 # which adds none
  IFS=, read -r kernel _ file _ < <(awk -F, -v number="$number" '
    $2 == number && $3 != "" && $1 !~ /:|_Image/ { row = $0 } END { print row }' "$repository/kernels.csv")
  check_kernel "$step" "$kernel" "$(report step "$number")/$file" 7 "${more[@]}"
done
check_kernel median median_gray_x16 median/median.cl 3
check_kernel edge_conditions Smooth_Clamp studies/edge_conditions/smooth.cl 3

# The table, the comparison, the CSV; a copy that is wrong is named and not timed, everything else is.
cp "$repository/step1_naive/convolution.cl" my.cl
run 0 step1_naive --against my.cl --time-budget 0 --csv out.csv
expect "no comparison" grep -qE \
  '^(Convolve(:my)? is [0-9.]+ times as fast as Convolve(:my)? \(|Convolve:my and Convolve: no difference was shown \()' out
expect "more than the pair in the CSV" test "$(awk -F, '!/^#/ { print $1 }' out.csv | paste -sd,)" == kernel,Convolve,Convolve:my
sed 's/input\[input_row + c\]/input[input_row + c + 1]/' "$repository/step2_unroll/convolution.cl" > wrong.cl
run 2 step2_unroll --against wrong.cl --time-budget 0 --csv out.csv
expect "the wrong copy is not named" grep -q '^step2_unroll: Convolve_Unroll:wrong, filter width 7: wrong at (0, 0)' err
expect "other rows than the originals'" test "$(awk -F, '!/^#/ { print $1 }' out.csv | paste -sd,)" == kernel,Convolve,Convolve_Unroll

# In place of the program's own, which it reads from the source folder, where the reader edits them: what is wrong is
# named, a baseline too; edited back, they are right again.
original=$repository/step2_unroll/convolution.cl
expect "step2_unroll does not read $original" grep -qaF "$original" "$build/step2_unroll"
sed '/^__kernel void Convolve(/,/^}/ s/output\[/output[1 + /' "$original" > kernels.cl
run 2 step2_unroll --kernel-file kernels.cl --verify-only
expect "the wrong Convolve is not named" grep -q '^step2_unroll: Convolve,' err
cp "$original" kernels.cl
run 0 step2_unroll --kernel-file kernels.cl --verify-only

# What does not build names the reader's file and line, whatever the compiler was given, and as seen from here.
mkdir folder
file="folder/with space.cl"
sed 's/float sum/floot sum/' "$repository/step1_naive/convolution.cl" > "$file"
line=$(grep -n floot "$file" | cut -d: -f1)
for device in '' llvmpipe; do
  command=(env RUSTICL_ENABLE=llvmpipe "$build/step1_naive" --device "$device" --size 8x8 --filter-width 7)
  "${command[@]}" --time-budget 0 > out 2> err || continue
  "${command[@]}" --against "$PWD/$file" > out 2> err
  expect "$device: not $file:$line:3: error" grep -qF "$file:$line:3: error: " err
done

finish
