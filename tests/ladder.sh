#!/bin/bash
# The rules of the ladder, which keep its steps short enough to be lessons:
#   - in Part I, the steps with a convolution.cl, that file only grows; later each kernel stands in one file;
#   - later a step's main.cpp differs from its predecessor's by few lines (those of Part I: hosts_test.cpp);
#   - later, too, the launches of a step: launch.cpp has at most 120 lines; the first program of all 100;
#   - later a kernel file has at most 200 lines, a kernel in it with its helpers at most 120 of code;
#   - the last program of each part has its kernels of kernels.csv, in that order;
#   - every step's README has the same headings in the same order.
source "$(dirname "$0")/checks.bash"
report=$build/tutorial
cd "$repository" || exit 1
headings='Goal Why The-diff Run-it What-you-should-see When-it-does-not-help' # and Exercises, where there are some

at_most() { expect "$3: $2 lines, more than $1" test "$2" -le "$1"; } # LIMIT COUNT WHAT

mapfile -t steps < <("$report" steps ladder)
at_most 100 "$(wc -l < background/opencl/first.cpp)" background/opencl/first.cpp
part_1=$(compgen -G 'step*/convolution.cl' | wc -l) # its last step

for ((number = 1; number <= ${#steps[@]}; ++number)); do
  step=${steps[number - 1]}
  # A '## ' in a code block is not a heading. The first step has no diff.
  found=$(sed '/^ *```/,/^ *```/d' "$step/README.md" | sed -n 's/^## //p' | tr ' ' '-' | paste -sd ' ')
  wanted=$headings
  ((number > 1)) || wanted=${headings/The-diff/The-kernel}
  [[ ${found% Exercises} == "$wanted" ]] || report_failure "$step/README.md: the headings are not: $wanted"
  ((number > 1)) || continue
  ((number > part_1)) || at_most 0 "$(diff "${steps[number - 2]}/convolution.cl" "$step/convolution.cl" | grep -c '^<')" "what $step/convolution.cl changes or removes"
  "$report" diff "$number" > /dev/null || report_failure "./tutorial diff $number fails"
  ((number <= part_1 + 1)) ||
    at_most 20 "$(diff "${steps[number - 2]}/main.cpp" "$step/main.cpp" | grep -c '^[<>]')" "the diff of $step/main.cpp"
  ((number <= part_1)) || at_most 90 "$(wc -l < "$step/main.cpp")" "$step/main.cpp"
  [[ ! -f $step/launch.cpp ]] || at_most 120 "$(wc -l < "$step/launch.cpp")" "$step/launch.cpp"
done

# The kernels of the last program of each part, as --kernel names them. The later ones begin with two of Part I.
listed() { # FIRST_STEP LAST_STEP
  awk -F, -v first="$1" -v last="$2" '$2 ~ /^[0-9]+$/ && $2 <= last && $3 != "" && ($2 >= first || $1 ~ /^Convolve(_Def)?$/) {
    print $1 }' kernels.csv | paste -sd,
}
for range in "1 $part_1" "$((part_1 + 1)) ${#steps[@]}"; do
  step=${steps[${range#* } - 1]}
  # shellcheck disable=SC2086  # two numbers
  expected=$(listed $range)
  found=$("$build/$step" --kernel none 2>&1 | sed 's/.* one of //; s/, not .*//; s/, Tuned$//; s/, [^ ]*:bytes//; s/, /,/g')
  expect "the kernels of $step are $found, those of kernels.csv $expected" test "$found" == "$expected"
done

# Each kernel of a step of your own may say which step its host follows.
cd "$work" && ln -s "$repository"/step* . && mkdir my_step && cp step1_naive/main.cpp my_step || exit 1
{ cat "$repository/kernels.csv"; printf 'Convolve_%s,my_step,convolution.cl,Convolve,6,7,1,1,,\n' Mine Yours; } > kernels.csv
expect "no diff of a step with two rows" "$report" diff my_step host
cd "$repository" || exit 1

while IFS=, read -r kernel number file _; do
  [[ $kernel != kernel && $file && $file != convolution.cl ]] || continue
  path=$("$report" step "$number")/$file
  count=$("$report" kernel "${kernel%:*}" | grep -cvE '^ *(//.*)?$')
  at_most 120 "$count" "$path: kernel $kernel with its helpers"
  at_most 200 "$(wc -l < "$path")" "$path"
done < kernels.csv

finish
