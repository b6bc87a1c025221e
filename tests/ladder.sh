#!/bin/bash
# The rules of the ladder, which keep `./tutorial diff N` short enough to be a lesson:
#   - a step's convolution.cl is its predecessor's with something added, nothing changed or removed;
#   - a step's main.cpp differs from its predecessor's by at most 30 lines (steps 5, 6 and 9: 60);
#   - step 1's main.cpp is at most 150 lines;
#   - every step's README has the same headings in the same order;
#   - `./tutorial diff N` works for every step, so every kernel's parent is known.
#
#   ladder.sh BUILD_DIR               checks the repository
#   ladder.sh BUILD_DIR --self-test   breaks each rule in a copy, and fails if that goes unnoticed
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

headings='Goal
Why
The diff
Run it
What you should see
When it does not help
Exercises'

# check_ladder ROOT: prints a line for every broken rule and returns 1 if there was one.
check_ladder() {
  local root=$1 steps i step previous count budget broken=0
  mapfile -t steps < <(sed -n '/^set(TUTORIAL_STEPS/,/)/p' "$root/CMakeLists.txt" |
    grep -oE '^ *step[0-9]+_[a-z0-9_]+' | tr -d ' ')
  complain() {
    echo "$*"
    broken=1
  }

  ((${#steps[@]} > 1)) || complain "CMakeLists.txt: no list of steps"
  count=$(wc -l < "$root/${steps[0]}/main.cpp")
  ((count <= 150)) || complain "${steps[0]}/main.cpp: $count lines, more than 150"

  for ((i = 0; i < ${#steps[@]}; ++i)); do
    step=${steps[i]}
    [[ $step == step$((i + 1))_* ]] || complain "$step: is number $((i + 1)) in CMakeLists.txt"

    # A '## ' in a code block is no heading.
    if [[ $(awk '/^ *```/ { code = !code } !code && sub(/^## /, "")' "$root/$step/README.md") != "$headings" ]]; then
      complain "$step/README.md: the headings are not: $(paste -sd, <<< "$headings")"
    fi

    ((i > 0)) || continue
    previous=${steps[i - 1]}
    count=$(diff "$root/$previous/convolution.cl" "$root/$step/convolution.cl" | grep -c '^<')
    ((count == 0)) || complain "$step/convolution.cl: $count lines of $previous are changed or removed"

    budget=30
    [[ ! $((i + 1)) =~ ^[569]$ ]] || budget=60
    count=$(diff "$root/$previous/main.cpp" "$root/$step/main.cpp" | grep -c '^[<>]')
    ((count <= budget)) || complain "$step/main.cpp: $count lines differ from $previous, more than $budget"

    "$root/tutorial" diff $((i + 1)) > /dev/null || complain "./tutorial diff $((i + 1)) fails"
  done
  return "$broken"
}

self_test() {
  local work status=0 last line
  work=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder's name is to be expanded now
  trap "rm -rf '$work'" EXIT
  last=$(sed -n '/^set(TUTORIAL_STEPS/,/)/p' "$repository/CMakeLists.txt" |
    grep -oE 'step[0-9]+_\w+' | tail -1)

  # must_notice WHAT COMMAND...: runs the command in a fresh copy; check_ladder must then say WHAT.
  must_notice() {
    local what=$1
    shift
    rm -rf "$work/copy"
    mkdir "$work/copy"
    cp -r "$repository"/{CMakeLists.txt,tutorial,step*/} "$work/copy"
    (cd "$work/copy" && "$@")
    if grep -qF -- "$what" <<< "$(check_ladder "$work/copy" 2>&1)"; then
      echo "noticed: $what"
    else
      echo "NOT NOTICED: $what"
      status=1
    fi
  }
  add_blank_lines() { # FILE COUNT
    for ((line = 0; line < $2; ++line)); do echo >> "$1"; done
  }

  must_notice "$last/convolution.cl: 1 lines" sed -i '0,/sum = 0.0f/s//sum = 0/' "$last/convolution.cl"
  must_notice "step2_unroll/convolution.cl: 1 lines" sed -i 1d step2_unroll/convolution.cl
  must_notice "step1_naive/main.cpp: 1" add_blank_lines step1_naive/main.cpp 60
  must_notice "step2_unroll/main.cpp: " add_blank_lines step2_unroll/main.cpp 31
  must_notice "step5_local_memory/main.cpp: " add_blank_lines step5_local_memory/main.cpp 61
  must_notice "step2_unroll/README.md: the headings" sed -i 's/^## Why$/## Because/' step2_unroll/README.md
  must_notice "step2_unroll/README.md: the headings" sed -i '/^## Exercises$/d' step2_unroll/README.md
  must_notice "step2_unroll/README.md: the headings" sed -i 's/^## Goal$/## Why/;t;s/^## Why$/## Goal/' step2_unroll/README.md
  must_notice "step2_unroll/README.md: the headings" rm -f step2_unroll/README.md
  must_notice "./tutorial diff 2 fails" sed -i '/\[Convolve_Unroll\]=/d' tutorial
  must_notice "step2_unroll: is number 1" sed -i '/^  step1_naive/d' CMakeLists.txt
  return "$status"
}

case ${2-} in
  '') check_ladder "$repository" && echo "the ladder is in order" ;;
  --self-test) self_test ;;
  *) echo "usage: ladder.sh BUILD_DIR [--self-test]" >&2 && exit 1 ;;
esac
