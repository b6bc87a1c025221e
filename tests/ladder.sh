#!/bin/bash
# The rules of the ladder, which keep its steps short enough to be lessons:
#   - in Part I convolution.cl only grows; from step 4 on no other file of a step repeats one of another step;
#   - a step's main.cpp differs from its predecessor's by few lines, and is short enough to be read in one go;
#   - a kernel file of Part II has at most 200 lines, a kernel in it with its helpers at most 95 of code;
#   - the last program of each part has its kernels of kernels.csv, in that order and from those files;
#   - every step's README has the same headings in the same order.
#
#   ladder.sh BUILD_DIR
set -uo pipefail
report=$(realpath "$1")/report
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
headings='Goal Why The-diff Run-it What-you-should-see When-it-does-not-help'
# Lines of main.cpp that may differ from the step that it is diffed with, for steps 1, 2, ...
host_budgets=(0 6 6 20 45 45 45 20 45)
part_1=6 # its last step
broken=0

complain() {
  echo "$*"
  broken=1
}
at_most() { # LIMIT COUNT WHAT
  (($2 <= $1)) || complain "$3: $2 lines, more than $1"
}

mapfile -t steps < <("$report" steps ladder)
((${#steps[@]} == ${#host_budgets[@]})) || complain "kernels.csv: ${#steps[@]} steps, not ${#host_budgets[@]}"
at_most 150 "$(wc -l < "${steps[0]}/main.cpp")" "${steps[0]}/main.cpp"
at_most 220 "$(wc -l < "${steps[-1]}/main.cpp")" "${steps[-1]}/main.cpp"

for ((number = 1; number <= ${#steps[@]}; ++number)); do
  step=${steps[number - 1]}
  [[ $step == step${number}_* ]] || complain "$step: is number $number in kernels.csv"
  # A '## ' in a code block is not a heading.
  found=$(sed '/^ *```/,/^ *```/d' "$step/README.md" | sed -n 's/^## //p' | tr ' ' '-' | paste -sd ' ')
  [[ $found == "$headings" ]] || complain "$step/README.md: the headings are not: $headings"
  ((number > 1)) || continue
  if ((number <= part_1)); then
    removed=$(diff "${steps[number - 2]}/convolution.cl" "$step/convolution.cl" | grep -c '^<')
    ((removed == 0)) || complain "$step/convolution.cl: $removed lines of ${steps[number - 2]} are changed or removed"
  fi
  "$report" diff "$number" > /dev/null || complain "./tutorial diff $number fails"
  at_most "${host_budgets[number - 1]}" "$("$report" diff "$number" host | grep -cE '^[-+]([^-+]|$)')" "the diff of $step/main.cpp"
done
[[ $("$report" diff $((part_1 + 1)) host | head -n 1) == "--- ${steps[3]}/main.cpp" ]] || complain "Part II does not begin from step 4"

# NAME FILE of each kernel that a part adds, the baselines of Part II first; FILE from the folder of the part's last step.
listed() { # LAST_STEP FIRST_STEP LAST_NUMBER
  while IFS=, read -r kernel number file _; do
    [[ $number == [1-9]* && $file && $number -le $3 ]] || continue
    [[ $number -ge $2 || $2 -gt 1 && $kernel =~ ^Convolve(_Def)?$ ]] || continue
    folder=${steps[number - 1]}
    if [[ $folder == "$1" || $2 == 1 ]]; then echo "$kernel $file"; else echo "$kernel ../$folder/$file"; fi
  done < kernels.csv | sed 's/ convolution\.cl$//'
}
in_main() { # STEP: what stands in the rows of its table
  sed -n '/ kernels = {$/,/^ *};/p' "$1/main.cpp" | sed -nE 's/^[^"]*"(Convolve[^"]*)"([^"]*"([^"]*\.cl)")?.*/\1 \3/; s/ $//; /^Convolve/p'
}
for range in "1 $part_1" "$((part_1 + 1)) ${#steps[@]}"; do
  read -r first last <<< "$range"
  step=${steps[last - 1]}
  difference=$(diff <(listed "$step" "$first" "$last") <(in_main "$step") | grep '^[<>]' | paste -sd ' ')
  [[ ! $difference ]] || complain "$step/main.cpp: its kernels are not those of kernels.csv: $difference"
done

while IFS=, read -r kernel number file _; do
  [[ $kernel != kernel && $file ]] || continue
  path=$("$report" step "$number")/$file
  count=$("$report" kernel "${kernel%:*}" "$path" | grep -cvE '^ *(//.*)?$')
  ((count > 0)) || complain "$path: no kernel $kernel"
  [[ $file != convolution.cl ]] || continue
  at_most 95 "$count" "$path: kernel $kernel with its helpers"
  at_most 200 "$(wc -l < "$path")" "$path"
done < kernels.csv
twice=$(cat step[7-9]*/*.cl | grep -oE '^(__)?kernel void \w+|^__kernel void \w+' | sort | uniq -d)
[[ ! $twice ]] || complain "from step 7 on a kernel's text stands in one place: $twice"

((broken == 0)) && echo "the ladder is in order"
