#!/bin/bash
# The rules of the ladder, which keep its steps short enough to be lessons:
#   - a step carries the kernel files of its predecessor unchanged, but convolution.cl grows up to step 6;
#   - a step's main.cpp differs from its predecessor's by few lines, and is short enough to be read in one go;
#   - a kernel file of Part II has at most 200 lines, a kernel in it with its helpers at most 95 of
#     code;
#   - the last step's main.cpp has the kernels of kernels.csv, in its order and from its files, and they are there;
#   - every step's README has the same headings in the same order;
#   - `./tutorial diff N` works for every step.
#
#   ladder.sh BUILD_DIR               checks the repository
#   ladder.sh BUILD_DIR --self-test   breaks each rule in a copy, and fails if that goes unnoticed
# shellcheck disable=SC2016  # a dollar of sed
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

headings='Goal
Why
The diff
Run it
What you should see
When it does not help
Exercises'
# Lines of main.cpp that may differ from the step before, for steps 1, 2, ...
host_budgets=(0 6 6 20 45 45 45 20 45)

# check_ladder ROOT: prints a line for every broken rule and returns 1 if there was one.
check_ladder() {
  local root=$1 steps i step previous path file count kernel number broken=0
  mapfile -t steps < <(sed -n '/^set(TUTORIAL_STEPS/,/)/p' "$root/CMakeLists.txt" |
    grep -oE '^ *step[0-9]+_[a-z0-9_]+' | tr -d ' ')
  complain() {
    echo "$*"
    broken=1
  }
  at_most() { # LIMIT COUNT WHAT
    (($2 <= $1)) || complain "$3: $2 lines, more than $1"
  }

  ((${#steps[@]} == ${#host_budgets[@]})) ||
    complain "CMakeLists.txt: ${#steps[@]} steps, not ${#host_budgets[@]}"
  at_most 150 "$(wc -l < "$root/${steps[0]}/main.cpp")" "${steps[0]}/main.cpp"
  at_most 220 "$(wc -l < "$root/${steps[-1]}/main.cpp")" "${steps[-1]}/main.cpp"

  for ((i = 0; i < ${#steps[@]}; ++i)); do
    step=${steps[i]}
    [[ $step == step$((i + 1))_* ]] || complain "$step: is number $((i + 1)) in CMakeLists.txt"

    # A '## ' in a code block is not a heading.
    if [[ $(awk '/^ *```/ { code = !code } !code && sub(/^## /, "")' "$root/$step/README.md") != "$headings" ]]; then
      complain "$step/README.md: the headings are not: $(paste -sd, <<< "$headings")"
    fi

    ((i > 0)) || continue
    previous=${steps[i - 1]}
    for path in "$root/$previous"/*.cl; do
      file=${path##*/}
      [[ $file != swapped.cl ]] || continue  # an exercise of step 1
      if ((i < 6)) && [[ $file == convolution.cl ]]; then
        count=$(diff "$path" "$root/$step/$file" | grep -c '^<')
        ((count == 0)) || complain "$step/$file: $count lines of $previous are changed or removed"
      else
        cmp -s "$path" "$root/$step/$file" || complain "$step/$file is not that of $previous"
      fi
    done

    count=$(diff "$root/$previous/main.cpp" "$root/$step/main.cpp" | grep -c '^[<>]')
    at_most "${host_budgets[i]}" "$count" "the diff of $step/main.cpp"

    "$root/tutorial" diff $((i + 1)) > /dev/null || complain "./tutorial diff $((i + 1)) fails"
  done

  # One row per kernel: its name and its file, unless that is convolution.cl.
  local listed in_main
  listed=$(awk -F, 'NR > 1 && $3 != "" { print $1 ($3 == "convolution.cl" ? "" : " " $3) }' "$root/kernels.csv")
  in_main=$(sed -n '/ kernels = {$/,/^};/p' "$root/${steps[-1]}/main.cpp" |
    sed -nE 's/^[^"]*"([^"]*)"[^"]*("([^"]*)")?.*/\1 \3/; s/ $//; /^Convolve/p')
  [[ $in_main == "$listed" ]] ||
    complain "${steps[-1]}/main.cpp: its kernels are not those of kernels.csv: $(
      diff <(echo "$listed") <(echo "$in_main") | grep '^[<>]' | paste -sd ' ')"

  while IFS=, read -r kernel number file _; do
    [[ $kernel != kernel && -n $file ]] || continue
    path=${steps[number - 1]}/$file
    [[ -f $root/$path ]] || { complain "$path: there is no such file"; continue; }
    count=$(awk -f "$root/tools/kernel_text.awk" -v kernel="${kernel%:*}" "$root/$path" |
      grep -cvE '^ *(//.*)?$')
    ((count > 0)) || complain "$path: no kernel $kernel"
    [[ $file != convolution.cl ]] || continue
    at_most 95 "$count" "$path: kernel $kernel with its helpers"
    at_most 200 "$(wc -l < "$root/$path")" "$path"
  done < "$root/kernels.csv"
  return "$broken"
}

self_test() {
  local work status=0 before
  work=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder's name is to be expanded now
  trap "rm -rf '$work'" EXIT

  # must_notice WHAT COMMAND...: runs the command in a fresh copy; check_ladder must then, and only then, say WHAT.
  must_notice() {
    local what=$1
    shift
    copy
    (cd "$work/copy" && "$@")
    if grep -qF -- "$what" <<< "$before"; then
      echo "SAID WITHOUT A CAUSE: $what"
      status=1
    elif grep -qF -- "$what" <<< "$(check_ladder "$work/copy" 2>&1)"; then
      echo "noticed: $what"
    else
      echo "NOT NOTICED: $what"
      status=1
    fi
  }
  copy() {
    rm -rf "$work/copy"
    mkdir "$work/copy"
    cp -r "$repository"/{CMakeLists.txt,kernels.csv,tools,tutorial,step*/} "$work/copy"
  }
  add_lines() { # FILE COUNT [LINE_NUMBER]: adds blank lines, after this line or at the end
    sed -i "${3:-\$}s/\$/$(printf '\\n%.0s' $(seq "$2"))/" "$1"
  }
  copy
  before=$(check_ladder "$work/copy" 2>&1)

  must_notice "step5_local_memory/convolution.cl: 1 lines" sed -i 1d step5_local_memory/convolution.cl
  must_notice "step7_register_block/convolution.cl is not that of" sed -i '$a // end' step7_register_block/convolution.cl
  must_notice "step9_autotune/fast.cl is not that of" rm step9_autotune/fast.cl
  must_notice "step8_baked_filter/block16.cl is not that of" sed -i 1d step8_baked_filter/block16.cl
  must_notice "step1_naive/main.cpp: " add_lines step1_naive/main.cpp 60
  must_notice "step9_autotune/main.cpp: " add_lines step9_autotune/main.cpp 221
  must_notice "the diff of step2_unroll/main.cpp: " add_lines step2_unroll/main.cpp 7
  must_notice "the diff of step8_baked_filter/main.cpp: " add_lines step8_baked_filter/main.cpp 21
  must_notice "the diff of step9_autotune/main.cpp: " add_lines step9_autotune/main.cpp 46
  must_notice "step7_register_block/block.cl: 3" add_lines step7_register_block/block.cl 200
  must_notice "step8_baked_filter/fast.cl: kernel Convolve_Fast with its helpers: " \
    sed -i '/^__kernel/,/{$/s/{$/{ int unused;'"$(printf '\\nunused++;%.0s' {1..95})"'/' step8_baked_filter/fast.cl
  must_notice "not those of kernels.csv: > Convolve_Def" sed -i '/^Convolve_Def,/d' kernels.csv
  must_notice "not those of kernels.csv: < Convolve_Two" sed -i '/"Convolve_Two"/d' step9_autotune/main.cpp
  must_notice "not those of kernels.csv: < Convolve_Fast fast.cl > Convolve_Fast" \
    sed -i '/"Convolve_Fast"/s/fast.cl/baked.cl/' step9_autotune/main.cpp
  must_notice "not those of kernels.csv: < Convolve_Unroll > Convolve_Unroll" \
    sed -i '/"Convolve_Unroll"/{h;d};/"Convolve_UnrollIf"/G' step9_autotune/main.cpp
  must_notice "no kernel Convolve_Local_Read4" sed -i 's/Convolve_Local_Read4/Convolve_Read4/' step6_float4/convolution.cl
  must_notice "step2_unroll/README.md: the headings" sed -i 's/^## Why$/## Because/' step2_unroll/README.md
  must_notice "step2_unroll/README.md: the headings" sed -i '/^## Exercises$/d' step2_unroll/README.md
  must_notice "step2_unroll/README.md: the headings" sed -i 's/^## Goal$/## Why/;t;s/^## Why$/## Goal/' step2_unroll/README.md
  must_notice "step2_unroll/README.md: the headings" rm -f step2_unroll/README.md
  must_notice "./tutorial diff 2 fails" sed -i '/^Convolve_Unroll,/s/,Convolve,/,,/' kernels.csv
  must_notice "step2_unroll: is number 1" sed -i '/^  step1_naive/d' CMakeLists.txt
  return "$status"
}

case ${2-} in
  '') check_ladder "$repository" && echo "the ladder is in order" ;;
  --self-test) self_test ;;
  *) echo "usage: ladder.sh BUILD_DIR [--self-test]" >&2 && exit 1 ;;
esac
