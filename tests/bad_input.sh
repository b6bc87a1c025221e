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
  local pattern=$1 status
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

# --- Image files ------------------------------------------------------------------------------------

# A small one of each format to begin with.
"$program" --size 37x23 --filter-width 1 --verify-only --output good.png > /dev/null || exit 1
"$program" --size 37x23 --filter-width 1 --verify-only --output good.pgm > /dev/null || exit 1
"$program" --size 37x23 --filter-width 1 --verify-only --output good.ppm > /dev/null || exit 1
cp "$repository/tests/photo/gray.jpg" good.jpg

bad_image() { # PATTERN FILE
  refuses "$1" "$program" --input "$2" --csv out.csv --output out.png
}

bad_image 'missing.png' missing.png
bad_image 'irectory' .
: > empty
bad_image 'empty' empty

for format in png pgm ppm jpg; do
  checks=$((checks + 1))
  "$program" --input "good.$format" --filter-width 3 --verify-only > out 2> err ||
    report_failure "good.$format is refused"
  # Cut off within the signature, within the header, halfway, and just before the end.
  size=$(wc -c < "good.$format")
  for keep in 1 2 3 7 $((size / 2)) $((size - 1)); do
    head -c "$keep" "good.$format" > "cut_at_$keep.$format"
    # A JPEG without its end marker is still whole.
    [[ $format == jpg && $keep == $((size - 1)) ]] || bad_image "cut_at_$keep.$format" "cut_at_$keep.$format"
  done
done

# Random bytes, as they are and behind the signature of each format; the same at every run.
awk 'BEGIN { srand(1); for (i = 0; i < 4000; ++i) printf "%c", 1 + int(rand() * 255) }' > noise
for signature in '' 'P5\n' 'P2\n' 'P6\n' 'P3\n' '\211PNG\r\n\032\n' '\377\330\377\340'; do
  # shellcheck disable=SC2059  # the signature is a format on purpose
  { printf "$signature"; cat noise; } > random
  bad_image 'random' random
done

absurd() { # NAME TEXT: the text, with printf's escapes, is a bad image
  printf '%b' "$2" > "$1"
  bad_image "$1" "$1"
}
absurd huge.pgm 'P5 2000000000 2000000000 255\nabc'
absurd wraps_32_bits.pgm 'P5 65536 65537 255\nabc'
absurd wraps_64_bits.pgm 'P5 4294967296 4294967297 255\nabc'
absurd above_int.pgm 'P5 99999999999999999999 1 255\nabc'
absurd too_large.pgm 'P5 16385 16384 255\nabc'
absurd no_width.pgm 'P5 0 3 255\nabc'
absurd no_height.pgm 'P5 3 0 255\nabc'
absurd negative_width.pgm 'P5 -3 1 255\nabc'
absurd negative_height.pgm 'P5 1 -3 255\nabc'
absurd no_maxval.pgm 'P5 3 1 0\nabc'
absurd large_maxval.pgm 'P5 3 1 65536\nabcdef'
absurd negative_maxval.pgm 'P5 3 1 -255\nabc'
absurd no_number.pgm 'P5 three 1 255\nabc'
absurd sample_above_maxval.pgm 'P5 3 1 96\nabc'
absurd only_comment.pgm 'P5 # nothing else'
absurd text_form.pgm 'P2 3 1 255\n1 2 3'
absurd bitmap.pbm 'P4 8 1\nx'
absurd float.pfm 'Pf\n1 1\n-1.0\n\0\0\0\0'
absurd text.png 'This is text, whatever its name says.\n'
# 2000000000 x 2000000000 and 100000 x 100000 pixels; all else in these PNG files is as it should be.
base64 -d > absurd.png <<< 'iVBORw0KGgoAAAANSUhEUnc1lAB3NZQACAAAAAB+Szv6AAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
bad_image absurd.png absurd.png
base64 -d > huge.png <<< 'iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAAAAACNOVQUAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
bad_image huge.png huge.png
patch_jpeg_size() { # NAME BYTES: height and width, two bytes each, 5 bytes behind the marker FF C0
  local marker
  marker=$(grep -obaP -m 1 '\xff\xc0' good.jpg | head -n 1)
  cp good.jpg "$1"
  printf '%b' "$2" | dd of="$1" bs=1 seek=$((${marker%%:*} + 5)) conv=notrunc status=none
  bad_image "$1" "$1"
}
patch_jpeg_size huge.jpg '\377\377\377\377'
patch_jpeg_size no_height.jpg '\0\0\0\045'
patch_jpeg_size no_width.jpg '\0\027\0\0'

# A changed byte may leave a good image or a bad one, but never a crash.
for format in png pgm jpg; do
  size=$(wc -c < "good.$format")
  for i in 1 2 3 4 5 6 7 8; do
    offset=$((i * 7919 % (size < 200 ? size : 200)))
    cp "good.$format" "changed.$format"
    printf '\377' | dd of="changed.$format" bs=1 seek="$offset" conv=notrunc status=none
    checks=$((checks + 1))
    timeout 60 "$program" --input "changed.$format" --filter-width 3 --verify-only > out 2> err
    status=$?
    ((status <= 1)) || report_failure "exit status $status: changed.$format, byte $offset"
    ((status == 0)) || (($(wc -l < err) == 1)) ||
      report_failure "not one line on stderr: changed.$format, byte $offset"
  done
done

# --- Filter files -----------------------------------------------------------------------------------

bad_filter() { # PATTERN TEXT
  printf '%b' "$2" > filter.txt
  refuses "$1" "$program" --filter filter.txt --size 8x8 --csv out.csv --output out.png
}
bad_filter 'filter.txt' ''
bad_filter 'filter.txt' '# only a comment\n'
bad_filter 'filter.txt:2' '1 2 3\n1 2\n1 2 3\n'
bad_filter 'filter.txt' '1 2 3\n1 2 3\n'
bad_filter 'filter.txt' '1 2\n1 2\n1 2\n'
bad_filter "filter.txt:2.*'x'" '1 2\n1 x\n'
bad_filter 'filter.txt:2' '1 2\n1 2y\n'
bad_filter 'filter.txt:1' '1 nan\n1 2\n'
bad_filter 'filter.txt:1' '1 inf\n1 2\n'
bad_filter 'filter.txt:1' '1 1e99\n1 2\n'
bad_filter 'filter.txt' "$(for _ in {1..33}; do printf '1 %.0s' {1..33}; printf '\\n'; done)"
refuses 'random' "$program" --filter random_ --size 8x8 --csv out.csv
refuses '[Dd]irectory|cannot be read' "$program" --filter . --size 8x8 --csv out.csv
refuses 'noise' "$program" --filter noise --size 8x8 --csv out.csv
refuses 'good.png' "$program" --filter good.png --size 8x8 --csv out.csv
printf '1 2\n3 4\n' > filter.txt
refuses 'filter.txt.* 2 ' "$program" --filter filter.txt --filter-width 3 --size 8x8 --csv out.csv

# --- Flags: options_test knows all the values ---------------------------------------------------------

refuses "--filter-width: must be .* not '5:2'" "$program" --filter-width 5:2 --size 8x8 --csv out.csv
refuses "--size: must be .* not '0x5'" "$program" --size 0x5 --csv out.csv
refuses "--time-budget: must be a number from 0 to 3600, not 'nan'" "$program" --size 8x8 --time-budget nan --csv out.csv
refuses "--seed: must be a whole number from 0 .* not 'abc'" "$program" --size 8x8 --seed abc --csv out.csv
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
  refuses '99:0' "$build/$step" --size 8x8 --device 99:0 --csv out.csv
  refuses 'No_Such_Kernel' "$build/$step" --size 8x8 --kernel No_Such_Kernel --csv out.csv
  refuses 'missing.cl' "$build/$step" --size 8x8 --kernel-file missing.cl --csv out.csv
  if [[ $step != roofline ]]; then
    refuses '/missing.cl cannot be read' "$build/$step" --size 8x8 --against missing.cl --csv out.csv
    refuses "foo.cl has no kernel of $step; it defines: Foo; $step has: " \
      "$build/$step" --size 8x8 --against foo.cl --csv out.csv
    refuses 'it defines: no kernel;' "$build/$step" --size 8x8 --against /dev/null --csv out.csv
  fi
  refuses 'cannot be read|irectory' "$build/$step" --size 8x8 --kernel-file . --csv out.csv
  refuses '--size' "$build/$step" --size 0x5 --csv out.csv
  # Which package to install?
  refuses 'pocl-opencl-icd' env OCL_ICD_VENDORS=/nonexistent-folder/ "$build/$step" --size 8x8 --csv out.csv
done
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
# One that builds with a warning: PoCL's log has the place, and all widths have the same.
sed '0,/{/s//&\n  int zero; if (zero = 0) return;/' "$repository/step4_invariants/convolution.cl" > warns.cl
if "$program" --list-devices | grep -q 'Portable Computing Language'; then
  TUTORIAL_DEVICE='Portable Computing Language' "$build/${steps[3]}" --size 8x8 --filter-width 3,4 --verify-only \
    --kernel-file warns.cl > out 2> err
  expect "the warning is not shown once" test "$(grep -c '^warns.cl:[0-9]*:[0-9]*: warning: ' err)" == 1
fi
# One that builds, but without the kernel that is wanted.
echo '__kernel void Other(__global float* output) { output[0] = 1.0f; }' > other.cl
refuses 'Convolve' "$program" --size 8x8 --kernel-file other.cl --csv out.csv
# One whose parameters are not those that the host sets.
echo '__kernel void Convolve(__global float* output) { output[0] = 1.0f; }' > fewer.cl
refuses 'arameter|CL_INVALID_ARG' "$build/${steps[0]}" --size 8x8 --kernel-file fewer.cl --csv out.csv

# A device without enough memory. PoCL can be told to have 1 GB, of which a buffer may take a quarter;
# this image needs a little more.
if "$program" --list-devices | grep -q 'Portable Computing Language'; then
  refuses 'smaller image' env POCL_MEMORY_LIMIT=1 TUTORIAL_DEVICE='Portable Computing Language' \
    "$build/${steps[0]}" --size 8192x8200 --filter-width 1 --verify-only --csv out.csv
fi

echo "$checks checks, $failures failures"
((failures == 0))
