#!/bin/bash
# Which fault turns this test red alone: a program that does not read the reader's kernels, that calls a wrong one right
# or times it, or names another file where it does not build.
source "$(dirname "$0")/programs.bash"

run() { ends "$1" "$build/$2" --size 37x23 "${@:3}"; } # STATUS PROGRAM [ARGS]

# Of every step the last kernel that it adds, and one of each study, in a copy that writes nothing but a number in front
# of its output. Is it really the copy that runs, and are the number and what the kernel before has left seen?
check_kernel() { # PROGRAM KERNEL FILE FILTER_WIDTH [WRONG ARGS]
  sed "/void $2(/,/^}/ s/{\$/{ output[-1] = 0; return;/" "$repository/$3" > idle.cl
  run 2 "$1" --verify-only --kernel "${5-}$2" --against idle.cl "${@:6}"
  expect "$1: not $2 and $2:idle" grep -qE "^width +$4  $2  +ok," out
  expect "$1: not ${5-}$2:idle is wrong" \
    test "$(sed -nE "s/^$1: (.*), filter width $4: wrong at .*/\1/p" err | paste -sd,)" == "${5-}$2:idle"
  expect "$1: a write outside" grep -q "^$1: $2:idle.*wrote outside" err
}
# In Part II and later with a Convolve that is wrong by one and a half times its tolerance, which is not that of other
# kernels.
sed 's/= sum;/= sum * 1.0000088f;/' "$repository/step1_naive/convolution.cl" > imprecise.cl
for step in "${steps[@]}"; do
  number=${step#step} number=${number%%_*} more=()
  ((number < 7)) || more=(Convolve, --kernel-file imprecise.cl --filter box)
  ((number != 9)) || number=8 # which adds none
  IFS=, read -r kernel _ file _ < <(awk -F, -v number="$number" '
    $2 == number && $3 !~ /^$|dot[.]cl|matrix/ && $1 !~ /:|_Image/ { row = $0 } END { print row }' "$repository/kernels.csv")
  check_kernel "$step" "$kernel" "$(report step "$number")/$file" 7 "${more[@]}"
done
check_kernel two_passes_new My_Kernel studies/two_passes/new/convolution.cl 7
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
expect "the wrong copy is not named" grep -q '^step2_unroll: Convolve_Unroll:wrong, filter width 1: wrong at (0, 0)' err
expect "other rows than the originals'" test "$(awk -F, '!/^#/ { print $1 }' out.csv | paste -sd,)" == kernel,Convolve,Convolve_Unroll

# Wrong kernels that are right, or stay so, as the options ask: 64 x 64 pixels, a filter that is the same from behind.
# wrong KERNEL AT_THE_END [AT_THE_BEGINNING]: such a kernel; its work-item computes the `sum` of pixel `i`.
wrong() {
  sed -n "/void $1(/,/{\$/p" "$repository/step6_float4/convolution.cl"
  [[ $1 == *Local* ]] && local width=output_width
  echo "  const int width = ${width-get_global_size(0)}, x = get_global_id(0), y = get_global_id(1), i = y * width + x;
  const int taps = filter_width * filter_width;
  float sum = 0; ${3-}
  for (int t = 0; t < taps; t++)
    sum += filter[t] * input[(y + t / filter_width) * input_width + x + t % filter_width];
  $2 }"
}
reasons=()
: > wrong.cl
refused() { # REASON KERNEL...
  reasons+=("$2:wrong, filter width $1")
  wrong "${@:2}" >> wrong.cl
}
refused '1: wrong at' Convolve 'output[i] = sum;' 'if (!isnan(output[i])) return;' # after the first run it does nothing
refused '1: wrong at' Convolve_Unroll 'output[i] = isnan(output[i]) ? sum : 2 * sum;'
refused '1: wrote outside' Convolve_UnrollIf 'output[i] = sum; if (i == 0) output[-20000] = 1;'
refused '1: wrote outside' Convolve_Def 'output[i] = sum; if (i == 0) output[-1] = as_float(0x7fc5a5a5);'
refused '1: .*changed its input' Convolve_Def_Unroll 'output[i] = sum; ((__global float*)input)[i] = sum;'
refused '1: wrong at' Convolve_Def_UnrollIf 'output[i] = width % 2 ? 0 : sum;'
refused '18: wrong at' Convolve_Def_UnrollAll 'output[i] = width % 4 == 3 ? 0 : sum;'
refused '18: wrong at' Convolve_Float4 'output[i] = filter_width > 8 ? 0 : sum;'
refused '18: wrong at' Convolve_Def_Float4 'output[i] = get_local_size(0) < 32 ? 0 : sum;' # OpenCL chooses the groups
refused '4: wrong at' Convolve_Float4If 'output[i] = sum;' "$(
  echo 'for (int t = 0; t < taps; t++) sum +='
  echo 'filter[taps - 1 - t] * input[(y + t / filter_width) * input_width + x + t % filter_width]; output[i] = sum; return;')"
refused '18: wrong at' Convolve_Local 'if (x < width && y < output_height) output[i] = get_local_size(0) == 16 ? sum : 0;'
run 2 step6_float4 --size 64x64 --filter box --time-budget 0 --against wrong.cl --csv out.csv
for reason in "${reasons[@]}"; do
  expect "not: $reason" grep -qE "^step6_float4: $reason" err
done
expect "a wrong one is timed" eval '! grep :wrong out.csv'
wrong Convolve_Unroll 'output[i] = width % 2 ? 0 : sum;' > even.cl
run 0 step2_unroll --size 64x64 --time-budget 0 --against even.cl --as-asked
# A file's only kernel may have a name of its own.
sed 's/Convolve_Unroll/Mine/; s/width % 2 ? 0 : sum/sum/' even.cl > only.cl
run 0 step2_unroll --time-budget 0 --kernel Convolve_Unroll --against only.cl
expect "not Mine beside Convolve_Unroll" grep -qE '^(Mine:only .*Convolve_Unroll|Convolve_Unroll .*Mine:only)[ :]' out
# Several are each held against the kernel that they are launched as.
{ cat only.cl; sed 's/Mine/Yours/' only.cl; } > two.cl
run 0 step2_unroll --time-budget 0 --baseline Convolve_Unroll --against two.cl
for name in Mine Yours; do
  expect "not $name beside Convolve_Unroll" grep -qE "^($name:two .*Convolve_Unroll|Convolve_Unroll .*$name:two)[ :]" out
done
# What no look at results finds, Oclgrind does, as the line says; a crash says whose it is.
wrong Convolve 'if (x + 1 < width) output[i + 1] = 0; output[i] = sum;' > race.cl
run 0 step1_naive --size 64x64 --time-budget 0 --against race.cl
expect "what was not checked is not said" grep -q '^checked: .*; not checked: data races' out
if command -v oclgrind > /dev/null; then
  command=$(sed -n 's/^checked: .*: \(oclgrind .*\)/\1/p' out)
  eval "$command" > out 2> err
  expect "Oclgrind finds no race" grep -q 'data race' err
fi
wrong Convolve '((__global float*)8)[i] = sum;' > crash.cl
"$build/step1_naive" --size 64x64 --time-budget 0 --against crash.cl > out 2> err
expect "nobody says which kernel has crashed" grep -qE '^step1_naive: Convolve:crash, .*crashed|Sanitizer' err

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
