#!/bin/bash
# Which fault turns this test red alone: an inner loop that is not found, or an instruction of another kind.
source "$(dirname "$0")/programs.bash"

# kinds NUMBER...: multiply-adds, other float arithmetic, loads, stores, spills, branches, all else; of the last table.
kinds() {
  expect "$* by hand, counted $(grep -oP '^[a-z].*  +\K[0-9]+$' out | paste -sd' ')" \
    test "$(grep -oP '^[a-z].*  +\K[0-9]+$' out | head -n 7 | paste -sd' ')" == "$*"
}

# A loop of four taps and one of one, in NVIDIA's two languages.
touch some.cl
report asm Some tests/listings/some.ptx "$PWD/some.cl" > out
kinds 2 1 2 1 1 1 2
report asm Some tests/listings/some.sass "$PWD/some.cl" > out
kinds 2 1 2 0 1 1 1

# As a reader calls it, where the device is PoCL on x86-64. The loop stands in step 1's page.
if [[ $("$build/step1_naive" --verify-only --size 8x8) == *Portable* && $(uname -m) == x86_64 ]] && command -v objdump > /dev/null; then
  export TUTORIAL_BUILD_OPTIONS=
  "$repository/tools/asm.sh" "$build" step1_naive Convolve > out 2> err
  if grep -q ' vgather' out; then echo "not counted by hand: the inner loop is over pixels"; else kinds 1 0 2 0 0 1 2; fi
  expect "no line of the source" grep -qE '^ +v.* sum \+= filter' out
  sed "s/sum += /sum += 1.0f * /" "$repository/step1_naive/convolution.cl" > my.cl
  "$repository/tools/asm.sh" "$build" step1_naive Convolve --kernel-file my.cl > out 2> err
  expect "not the text of the reader's file" grep -q "sum += 1.0f" out
  "$build/step1_naive" --size 8x8 --time-budget 0 --csv driver.csv > out
  "$repository/tools/asm.sh" "$build" step4_invariants Convolve_Def_UnrollAll > out 2> err
  vectors='8|16'
  if grep -q '^# driver: 5\.0' driver.csv; then vectors=1; fi # PoCL 5.0 makes none, see SETUP.md
  expect "not vectors of $vectors" grep -qE "^floats in a multiply-add +($vectors)$" out
fi

finish
