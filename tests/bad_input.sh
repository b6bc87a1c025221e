#!/bin/bash
# Which fault turns this test red alone: bad input that ends in a crash, another exit status than 1, more than one clear
# line on stderr (but for a kernel that does not build), or a file.
source "$(dirname "$0")/programs.bash"
program=$build/${steps[1]}

# refuses PATTERN COMMAND...: the command must fail as described above; stderr must match PATTERN.
refuses() {
  fails_cleanly "${@:2}"
  expect "not one line on stderr: ${*:2}" test "$(wc -l < err)" == 1
  expect "stderr does not say '$1': ${*:2}" grep -qE -- "$1" err
  expect "unprintable characters on stderr: ${*:2}" eval '! grep "[^[:print:]]" err'
}
fails_cleanly() {
  rm -f out.csv out.png
  ends 1 "$@"
  expect "crash or sanitizer report: $*" eval '! grep -E "Sanitizer|runtime error|terminate called" err'
  expect "a file was written: $*" test ! -e out.csv -a ! -e out.png
}

# --- Image files: image_test knows all that can be wrong in one ------------------------------------

"$program" --size 37x23 --filter-width 1 --verify-only --output good.png > out 2> err
head -c 60 good.png > half.png
for file in missing.png half.png; do
  refuses "cannot read $file: ." "$program" --input "$file" --csv out.csv --output out.png
done

# --- Filter files: image_test knows the rest ---------------------------------------------------------

printf '1 2\n3 4\n' > two.txt
refuses 'good.png: .' "$program" --filter good.png --size 8x8 --csv out.csv --output out.png
refuses 'two.txt.* 2 ' "$program" --filter two.txt --filter-width 3 --size 8x8 --csv out.csv
mkfifo fifo.txt
for file in fifo.txt /dev/zero; do
  refuses "cannot read $file: this is a folder, a device or a pipe" "$program" --filter $file --size 8x8 --csv out.csv
done
refuses 'control character' "$program" --input $'a\e[31m.png' --csv out.csv

# --- Files to write: options_test knows the other flags -----------------------------------------------

mkdir folder.png
refuses 'out.gif: the name must end in .png' "$program" --size 8x8 --output out.gif --csv out.csv
refuses 'folder.png: this is not a regular file' "$program" --size 8x8 --output folder.png --csv out.csv
refuses 'missing/out.png: No such file' "$program" --size 8x8 --output missing/out.png --csv out.csv
refuses 'out.csv' "$program" --size 8x8 --csv missing/out.csv
refuses 'cannot write missing/winners.csv: No such file' "$build/step9_autotune" --size 8x8 --filter-width 1 \
  --search-budget 0.001 --kernel Tuned --winners missing/winners.csv --csv out.csv
# None that is read too, or is not what its flag says.
ln -s good.png link.png
sed 's/+=/-=/' "$repository/step1_naive/convolution.cl" > wrong.cl
for flags in '--csv two.txt --filter ./two.txt' '--csv wrong.cl --kernel-file wrong.cl' '--csv wrong.cl --against wrong.cl' \
    '--output good.png --input link.png' '--csv out.png --output ./out.png'; do
  # shellcheck disable=SC2086  # flags with their values
  refuses 'is read too, or written by another flag' "$build/step1_naive" $flags
done
refuses 'good.png is another file' "$build/step9_autotune" --size 8x8 --filter-width 1 --kernel Tuned --winners good.png

# --- Output that nobody gets is no success, and no crash ------------------------------------------------

refuses 'the output cannot be written' bash -c '"$@" >&-' - "$program" --help
if [[ -w /dev/full ]]; then
  refuses '/dev/full' "$program" --size 8x8 --csv /dev/full --time-budget 0
  refuses 'the output cannot be written' bash -c '"$@" > /dev/full' - "$program" --help
  refuses 'the output cannot be written' bash -c '"$@" > /dev/full' - "$program" --size 8x8 --filter-width 1 --time-budget 0
  ends 1 bash -c '"$@" 2> /dev/full' - "$program" --size 0x0
  ends 2 bash -c '"$@" 2> /dev/full' - "$build/step1_naive" --size 8x8 --filter-width 2 --kernel-file wrong.cl --time-budget 0
fi

# --- Device, kernel, driver: programs of both parts, and those that are no steps ------------------------

printf '__kernel void %s(__global float* output) { output[0] = 1.0f; }\n' Foo Goo > foo.cl
for step in "${steps[0]}" "${steps[-1]}" median edge_conditions roofline; do
  refuses 'no such thing' "$build/$step" --size 8x8 --device 'no such thing' --csv out.csv
  refuses 'No_Such_Kernel' "$build/$step" --size 8x8 --kernel No_Such_Kernel --csv out.csv
  refuses 'missing.cl' "$build/$step" --size 8x8 --kernel-file missing.cl --csv out.csv
  # Which package to install?
  refuses 'pocl-opencl-icd' env OCL_ICD_VENDORS=/nonexistent-folder/ "$build/$step" --size 8x8 --csv out.csv
  [[ $step != roofline ]] || continue
  refuses 'missing.cl: No such file' "$build/$step" --size 8x8 --against missing.cl --csv out.csv
  refuses "foo.cl has no kernel of $step; it defines: Foo, Goo" \
    "$build/$step" --size 8x8 --against foo.cl --csv out.csv
done
refuses 'takes no arguments' "$build/devices" 0:0
refuses 'no such thing' env TUTORIAL_DEVICE='no such thing' "$program" --size 8x8 --csv out.csv

# A kernel that does not build: file, device, options, and the compiler's own words.
echo '__kernel void Convolve(__global float* output) { output[0] = no_such_name; }' > broken.cl
fails_cleanly "$build/${steps[3]}" --size 8x8 --filter-width 5 --kernel Convolve --kernel-file broken.cl --csv out.csv
device=$("$program" --size 1x1 --filter-width 1 --verify-only | sed -n 's/^device *\(.*\) (.*/\1/p')
for word in broken.cl "$device" 'FILTER_WIDTH=5' no_such_name; do
  expect "the build's failure does not name '$word'" grep -qF -- "$word" err
done
# One without the kernel that is wanted, and one whose parameters are not those that the host sets.
refuses 'Convolve' "$program" --size 8x8 --kernel-file foo.cl --csv out.csv
sed 's/Foo/Convolve/' foo.cl > fewer.cl
refuses 'arameter|CL_INVALID_ARG' "$build/${steps[0]}" --size 8x8 --kernel-file fewer.cl --csv out.csv

export TUTORIAL_DEVICE="Portable Computing Language"
if POCL_MEMORY_LIMIT=1 "$build/devices" | grep -q "largest buffer *256 MiB"; then
  # A device without enough memory: PoCL can be told to have 1 GB, of which up to version 6 a buffer may take a
  # quarter; this image needs a little more.
  refuses 'smaller image' env POCL_MEMORY_LIMIT=1 \
    "$build/${steps[0]}" --size 8192x8200 --filter-width 1 --time-budget 0 --csv out.csv
fi

finish
