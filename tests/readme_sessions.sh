#!/bin/bash
# Do the programs print what a README says that they print? In the READMEs of step 1 and of background/opencl a line
# `    $ COMMAND` is followed by lines of its output; `...` stands for anything there. Each of them must occur, in this
# order. A diff of background/opencl/README.md is applied to its program. And are the lines that it quotes those of it?
source "$(dirname "$0")/programs.bash"

first=$repository/background/opencl
ln -s "$repository/step1_naive" .
cp "$first/first.cpp" .
# The compiler's messages are PoCL's.
export TUTORIAL_DEVICE='Portable Computing Language'
"$build/step1_naive" --verify-only --size 8x8 > /dev/null 2>&1 || { echo "PoCL is not installed"; exit 77; }

# expect_output LINE...: these lines, in this order, stand in `out`.
expect_output() {
  local line pattern='*'
  for line in "$@"; do
    pattern+=$(sed -E 's/[][*?\\]/\\&/g; s/\.\.\./*/g' <<< "$line")$'\n*'
  done
  # shellcheck disable=SC2053  # a pattern
  [[ $(cat out)$'\n' == $pattern ]]
}

check_session() {
  [[ -z $command ]] && return
  eval "${command//.\/tutorial step 1/\"$build/step1_naive\" --verify-only}" > out 2>&1 < /dev/null
  : > err
  ((${#expected[@]} == 0)) || expect "$command does not print: ${expected[*]}" expect_output "${expected[@]}"
  command=
}

command=
while IFS= read -r line; do
  case ${change+in a diff: }$line in
    '```diff') # what the reader changes by hand
      check_session
      change= ;;
    'in a diff: ```')
      expect "background/opencl/README.md: a diff does not apply" patch --silent first.cpp <<< "$change"
      unset change ;;
    'in a diff: '*) change+=$line$'\n' ;;
    '    $ '*)
      check_session
      command=${line#'    $ '} expected=() ;;
    '    '*) expected+=("${line#    }") ;;
    *) check_session ;;
  esac
done < <(cat "$repository/step1_naive/README.md" "$first/README.md")
expect "there are no sessions" test "$checks" -ge 1

# Quoted lines, from code blocks that are not generated.
while read -r line; do
  expect "background/opencl/README.md: first.cpp does not have the line $line" grep -qF -- "$line" "$first/first.cpp"
done < <(sed '/^<!-- begin/,/^<!-- end/d; /^```diff/,/^```$/d' "$first/README.md" | sed -n '/^```/,/^```/p' | sed '/^```/d; s/^ *//')
finish
