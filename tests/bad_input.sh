#!/bin/bash
# What the programs do with bad input: exit status 1, one clear line on stderr, no file written, no
# crash. (A kernel that does not build: several lines, with the compiler's log.)
#
#   bad_input.sh BUILD_DIR
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/${steps[1]}

# refuses PATTERN COMMAND...: the command must fail as described above; stderr must match PATTERN.
refuses() {
  local pattern=$1
  shift
  fails_cleanly "$@" || return
  (($(wc -l < err) == 1)) || report_failure "not one line on stderr: $*"
  grep -qE -- "$pattern" err || report_failure "stderr does not say '$pattern': $*"
  grep -q '[^[:print:]]' err && report_failure "unprintable characters on stderr: $*"
}

fails_cleanly() {
  local status
  checks=$((checks + 1))
  rm -f out.csv out.png
  timeout 120 "$@" > out 2> err < /dev/null
  status=$?
  if ((status != 1)); then
    report_failure "exit status $status, not 1: $*"
    return 1
  fi
  grep -qE 'Sanitizer|runtime error|terminate called' err && report_failure "crash or sanitizer report: $*"
  [[ ! -e out.csv && ! -e out.png ]] || report_failure "a file was written: $*"
}

# --- Image files: image_test knows all that can be wrong in one ------------------------------------

for format in png pgm; do
  "$program" --size 37x23 --filter-width 1 --verify-only --output "good.$format" > /dev/null || exit 1
done
cp "$repository/tests/photo/gray.jpg" good.jpg
mkdir folder
: > empty
printf 'This is text, whatever its name says.\n' > text.png
printf 'P5 2000000000 2000000000 255\nabc' > huge.pgm
printf 'P5 3 1 96\nabc' > above_maximum.pgm
# 2000000000 x 2000000000 pixels; all else in this file is as it should be.
base64 -d > huge.png <<< 'iVBORw0KGgoAAAANSUhEUnc1lAB3NZQACAAAAAB+Szv6AAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
for format in png pgm jpg; do
  head -c $(($(wc -c < "good.$format") / 2)) "good.$format" > "half.$format"
  head -c 3 "good.$format" > "start.$format"
done
for file in missing.png folder empty text.png huge.pgm above_maximum.pgm huge.png half.* start.*; do
  refuses "cannot read $file: ." "$program" --input "$file" --csv out.csv --output out.png
done

# --- Filter files: filters_test knows the rest -------------------------------------------------------

printf '1 2 3\n1 2\n1 2 3\n' > ragged.txt
printf '1 nan\n1 2\n' > nan.txt
printf '1 2\n3 4\n' > two.txt
for case in 'ragged.txt:2: .' 'nan.txt:1: .' 'missing.txt' 'folder: Is a directory' 'good.png:1: .' 'empty: .'; do
  refuses "$case" "$program" --filter "${case%%:*}" --size 8x8 --csv out.csv --output out.png
done
refuses 'two.txt.* 2 ' "$program" --filter two.txt --filter-width 3 --size 8x8 --csv out.csv

# --- Flags: options_test knows all the values ---------------------------------------------------------

refuses "--size: must be .* not '0x5'" "$program" --size 0x5 --csv out.csv
refuses 'no-such-flag' "$program" --size 8x8 --no-such-flag --csv out.csv
refuses 'stray' "$program" --size 8x8 stray --csv out.csv
refuses '--size' "$program" --size 8x8 --input good.png --csv out.csv
refuses '--output|out.gif' "$program" --size 8x8 --output out.gif --csv out.csv
refuses 'out.png' "$program" --size 8x8 --output missing/out.png --csv out.csv
refuses 'out.csv' "$program" --size 8x8 --csv missing/out.csv
refuses ' \.|\.:' "$program" --size 8x8 --csv .
[[ ! -w /dev/full ]] || refuses '/dev/full' "$program" --size 8x8 --csv /dev/full --time-budget 0

# --- Device, kernel, driver: every program ----------------------------------------------------------

echo '__kernel void Foo(__global float* output) { output[0] = 1.0f; }' > foo.cl
for step in "${steps[@]}" median edge_conditions roofline; do
  [[ -x $build/$step ]] || continue
  refuses 'no such thing' "$build/$step" --size 8x8 --device 'no such thing' --csv out.csv
  refuses 'No_Such_Kernel' "$build/$step" --size 8x8 --kernel No_Such_Kernel --csv out.csv
  refuses 'missing.cl' "$build/$step" --size 8x8 --kernel-file missing.cl --csv out.csv
  refuses 'directory' "$build/$step" --size 8x8 --kernel-file . --csv out.csv
  refuses '--size' "$build/$step" --size 0x5 --csv out.csv
  # Which package to install?
  refuses 'pocl-opencl-icd' env OCL_ICD_VENDORS=/nonexistent-folder/ "$build/$step" --size 8x8 --csv out.csv
  [[ $step != roofline ]] || continue
  refuses 'missing.cl: No such file' "$build/$step" --size 8x8 --against missing.cl --csv out.csv
  refuses "foo.cl has no kernel of $step; it defines: Foo" \
    "$build/$step" --size 8x8 --against foo.cl --csv out.csv
  refuses 'it defines: no kernel' "$build/$step" --size 8x8 --against /dev/null --csv out.csv
done
refuses '99:0' "$program" --size 8x8 --device 99:0 --csv out.csv
refuses 'no such thing' env TUTORIAL_DEVICE='no such thing' "$program" --size 8x8 --csv out.csv
refuses 'pocl-opencl-icd' env OCL_ICD_VENDORS=/nonexistent-folder/ "$program" --list-devices

# A kernel that does not build: file, device, options, and the compiler's own words.
echo '__kernel void Convolve(__global float* output) { output[0] = no_such_name; }' > broken.cl
if fails_cleanly "$build/${steps[3]}" --size 8x8 --filter-width 5 --kernel Convolve --kernel-file broken.cl --csv out.csv; then
  for word in broken.cl "$("$program" --size 1x1 --filter-width 1 --verify-only |
    sed -n 's/^device *\(.*\) (.*/\1/p')" 'FILTER_WIDTH=5' no_such_name; do
    grep -qF -- "$word" err || report_failure "the build's failure does not name '$word'"
  done
fi
# One without the kernel that is wanted, and one whose parameters are not those that the host sets.
refuses 'Convolve' "$program" --size 8x8 --kernel-file foo.cl --csv out.csv
sed 's/Foo/Convolve/' foo.cl > fewer.cl
refuses 'arameter|CL_INVALID_ARG' "$build/${steps[0]}" --size 8x8 --kernel-file fewer.cl --csv out.csv

if "$program" --list-devices | grep -q 'Portable Computing Language'; then
  export TUTORIAL_DEVICE='Portable Computing Language'
  # A kernel that builds with a warning: PoCL's log has the place, and all widths have the same.
  sed '0,/{/s//&\n  int zero; if (zero = 0) return;/' "$repository/step4_invariants/convolution.cl" > warns.cl
  "$build/${steps[3]}" --size 8x8 --filter-width 3,4 --verify-only --kernel-file warns.cl > out 2> err
  expect "the warning is not shown once" test "$(grep -c '^warns.cl:[0-9]*:[0-9]*: warning: ' err)" == 1
  # A device without enough memory: PoCL can be told to have 1 GB, of which a buffer may take a
  # quarter; this image needs a little more.
  refuses 'smaller image' env POCL_MEMORY_LIMIT=1 \
    "$build/${steps[0]}" --size 8192x8200 --filter-width 1 --verify-only --csv out.csv
fi

echo "$checks checks, $failures failures"
((failures == 0))
