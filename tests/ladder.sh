#!/bin/bash
# The rules of the ladder, which keep its steps short enough to be lessons:
#   - in Part I convolution.cl only grows; in Part II each kernel stands in one file;
#   - a step's main.cpp differs from its predecessor's by few lines, and is short enough to be read in one go;
#   - from step 7 on a kernel file has at most 200 lines, a kernel in it with its helpers at most 95 of code; in
#     step 10, whose kernels have more helpers, 120;
#   - the last program of each part has its kernels of kernels.csv, in that order and from those files;
#   - every step's README has the same headings in the same order.
#
#   ladder.sh BUILD_DIR
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/checks.bash"
report=$build/report
cd "$repository" || exit 1
headings='Goal Why The-diff Run-it What-you-should-see When-it-does-not-help Exercises'
# Lines of main.cpp that may differ from the step that it is diffed with, for steps 1, 2, ...
host_budgets=(0 6 6 20 45 45 45 20 45 45)
part_1=6 # its last step

at_most() { expect "$3: $2 lines, more than $1" test "$2" -le "$1"; } # LIMIT COUNT WHAT

mapfile -t steps < <("$report" steps ladder)
((${#steps[@]} == ${#host_budgets[@]})) || report_failure "kernels.csv: ${#steps[@]} steps, not ${#host_budgets[@]}"
at_most 150 "$(wc -l < "${steps[0]}/main.cpp")" "${steps[0]}/main.cpp"
at_most 220 "$(wc -l < "${steps[-1]}/main.cpp")" "${steps[-1]}/main.cpp"

for ((number = 1; number <= ${#steps[@]}; ++number)); do
  step=${steps[number - 1]}
  # A '## ' in a code block is not a heading.
  found=$(sed '/^ *```/,/^ *```/d' "$step/README.md" | sed -n 's/^## //p' | tr ' ' '-' | paste -sd ' ')
  [[ $found == "$headings" ]] || report_failure "$step/README.md: the headings are not: $headings"
  ((number > 1)) || continue
  if ((number <= part_1)); then
    removed=$(diff "${steps[number - 2]}/convolution.cl" "$step/convolution.cl" | grep -c '^<')
    ((removed == 0)) || report_failure "$step/convolution.cl: $removed lines of ${steps[number - 2]} are changed or removed"
  fi
  "$report" diff "$number" > /dev/null || report_failure "./tutorial diff $number fails"
  at_most "${host_budgets[number - 1]}" "$("$report" diff "$number" host | grep -cE '^[-+]([^-+]|$)')" "the diff of $step/main.cpp"
done

# The rows of the last program of each part: name and file, unless that is convolution.cl. Part II has two of Part I.
in_main() { # STEP
  sed -n '/ kernels = {$/,/^ *};/p' "$1/main.cpp" | sed -nE 's/^[^"]*"(Convolve[^"]*)"([^"]*"([^"]*\.cl)")?.*/\1 \3/; s/ $//; /^Convolve/p'
}
listed() { # FIRST_STEP LAST_STEP
  awk -F, -v first="$1" -v last="$2" '$2 ~ /^[0-9]+$/ && $2 <= last && $3 != "" && ($2 >= first || $1 ~ /^Convolve(_Def)?$/) {
    print $1 ($3 == "convolution.cl" ? "" : " " $3) }' kernels.csv
}
for range in "1 $part_1" "$((part_1 + 1)) ${#steps[@]}"; do
  step=${steps[${range#* } - 1]}
  # shellcheck disable=SC2086  # two numbers
  difference=$(diff <(listed $range) <(in_main "$step") | grep '^[<>]' | paste -sd ' ')
  [[ ! $difference ]] || report_failure "$step/main.cpp: its kernels are not those of kernels.csv: $difference"
done

while IFS=, read -r kernel number file _; do
  [[ $kernel != kernel && $file ]] || continue
  path=$("$report" step "$number")/$file
  count=$("$report" kernel "${kernel%:*}" | grep -cvE '^ *(//.*)?$')
  [[ $file != convolution.cl ]] || continue
  at_most $((number < 10 ? 95 : 120)) "$count" "$path: kernel $kernel with its helpers"
  at_most 200 "$(wc -l < "$path")" "$path"
done < kernels.csv

finish
