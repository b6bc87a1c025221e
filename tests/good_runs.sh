#!/bin/bash
# Which fault turns this test red alone: a program that says something on stderr or more than 80 columns, lacks a row of
# its CSV or has one of a kernel that does not suit, or gives another image than by hand.
source "$(dirname "$0")/programs.bash"

# works COMMAND...: exit status 0, nothing on stderr, at most 80 columns; the output stays in `out`.
works() {
  ends 0 "$@"
  expect "something on stderr: $*" test ! -s err
  # How long a device's name is, is not ours to say.
  expect "wider than 80 columns: $*" eval '! grep -v "^device " out | grep -E ".{81}"'
}

# writes_csv STEP WIDTHS ARGUMENTS...: the kernels that the step adds, measured at so many filter widths, give the CSV
# that README and charts stand on: its columns, and a row for each. What a search finds is the matter of autotune.sh.
# Image and widths are verify.sh's, whose kernels are in the driver's cache.
writes_csv() {
  local number=${1#step} kernels rows key
  number=${number%%_*}
  # baked16.cl is for sparse filters, dot.cl and matrix.cl are for NVIDIA's GPUs; verify.sh runs the transforms, which
  # take long to compile.
  kernels=$(kernels_where "\$1 == \"Convolve\" || (step == $number && file !~ /baked16|fft|dot[.]cl|matrix/)")
  rm -f out.csv
  works "$build/$1" "${@:3}" --time-budget 0 --csv out.csv --kernel "$kernels,OpenMP"
  for key in program platform device driver commit size filter options; do
    expect "the CSV says nothing about $key" grep -qE "^# $key: ." out.csv
  done
  rows=$(grep -cE '^Convolve' out.csv)
  expect "$rows rows for $kernels at $2 widths" \
    test "$rows" == $(($2 * $(tr "," "\n" <<< "$kernels" | wc -l) - $(grep -c "skipped: no images" out)))
  # low <= median <= high, min <= median, a bounded error, a distance from the floor
  expect "rows of $1" awk -F, '/^Convolve/ && (NF != 23 || $17 > $12 || $12 > $18 || $8 <= 0 || $9 > $8 || $8 > $10 || $11 > $8 || $14 > 0.01 || $16 <= 0 || $19 > $16 || $16 > $20) { exit 1 }' out.csv
  # as many rounds as in the CSV, and those that were left out
  expect "rounds of $1" test "$(awk -F, '/^[CO]/ { print $1, $2, $22 ~ /time/ ? $7 : $7 + $21 }' out.csv)" == \
    "$(awk -F, '/^[CO]/ { n = split($3, all, " "); print $1, $2, n }' out.rounds.csv)"
  expect "$1 does not say that all is verified" grep -q 'verified' out
}

for step in "${steps[@]}" median edge_conditions roofline; do
  [[ -x $build/$step ]] || continue
  works "$build/$step" --help
  expect "$step --help names no --device" grep -q -- --device out
  works "$build/$step" --size 17x9 --verify-only
  if [[ $step == step* ]]; then
    writes_csv "$step" 1 --size 31x17 --filter-width 4
  else
    works "$build/$step" --size 33x21 --time-budget 0
  fi
done
writes_csv "${steps[0]}" 2 --size 31x17 --filter-width 3,4
! grep -q 'Portable Computing Language' out.csv || expect "not timed by its events" grep -q '^Convolve,.*,event,' out.csv

# Is the result what the README promises? Computed by hand: the border repeated (an even width has more of it on the
# right and below), the filter not turned around. A PFM has its bottom row first. A transform's numbers are rounded.
printf 'P5 3 2 1\n\1\0\0\0\0\1' > small.pgm
printf '1 10\n100 1000\n' > 2.txt
printf '1 2 4\n8 16 32\n64 128 256\n' > 3.txt
for expected in '2.txt: 0 1010 1111 1 1000 1100' '3.txt: 3 289 432 27 265 384'; do
  for step in "${steps[0]} --kernel Convolve" "step10_fft --kernel Convolve_Fft"; do
    # shellcheck disable=SC2086  # several words
    works "$build/"$step --input small.pgm --filter "${expected%%:*}" --verify-only --output result.pfm
    expect "$step, $expected" test "$(tail -c 24 result.pfm | od -An -v -t f4 -w4 | awk '{ print int($1 + 0.5) }' | xargs)" == "${expected#*: }"
  done
done

# What does not suit a kernel is said, and there is no row for it.
kernels=$(kernels_where 'step ~ /^[0-9]/ && step >= 7 && step <= 9')
ends 0 "$build/step9_autotune" --size 70x41 --filter-width 3 --time-budget 0 --kernel "$kernels" --block-group 65536x65536 --csv rows.csv
expect "a work-group of 65536 x 65536 is not skipped" \
  test "$(grep -cE 'skipped: ([0-9]+ work-items|for filters with)' out)" == "$(tr ',' '\n' <<< "$kernels" | wc -l)"
expect "other rows than the baseline's" test "$(grep -o '^Convolve[^,]*' rows.csv)" == Convolve
# Blocks of 6 suit none but Convolve_Two, which has none, and those of 24 only kernels of float4.
for block in "6x1 ${kernels#Convolve_Two,}" "24x1 $(tr ',' '\n' <<< "$kernels" | grep 16 | paste -sd,)"; do
  ends 0 "$build/step9_autotune" --size 70x41 --verify-only --kernel "$kernels" --filter motion-blur --filter-width 7 --block "${block% *}"
  skipped=$(sed -nE 's/.* (Convolve\w+) skipped: needs a block width that is a multiple of (4|16)$/\1/p' out | paste -sd,)
  expect "skipped with blocks of ${block% *}: $skipped" test "$skipped" == "${block#* }"
done

# What a tile in local memory needs and a work-group or the device has not is said.
for group in 6x4:1 4x6:0; do
  ends 0 "$build/step6_float4" --verify-only --size 8x8 --work-group "${group%:*}" --kernel Convolve_Local_Read4
  expect "groups of $group" test "$(grep -c 'Convolve_Local_Read4 skipped: .* width that is a multiple of 4' out)" == "${group#*:}"
done
if command -v oclgrind > /dev/null; then
  ends 0 "$build/step5_local_memory" --verify-only --size 8x8 --filter-width 32 --work-group 1024x1 --kernel Convolve_Local
  expect "a tile beyond the local memory" grep -q 'Convolve_Local skipped: needs 135040 bytes of local memory' out
fi

# The device by number, and by name in any case in the environment.
program=$build/${steps[1]}
works "$program" --size 9x9 --time-budget 0 --device 0:0
device=$(sed -n 's/^device *\(.*\) (.*/\1/p' out)
works env TUTORIAL_DEVICE="${device^^}" "$program" --size 9x9 --time-budget 0
expect "TUTORIAL_DEVICE does not choose the device" grep -qF "$device" out

# Each device has its numbers; the fill is two groups of the preferred multiple for each compute unit.
ends 0 "$build/devices"
expect "no device 0:0" grep -q "^0:0 " out
listed=$(grep -c "^[0-9]" out)
expect "not $listed devices" test "$(grep -cE '^     local memory +[1-9][0-9]* KiB' out)" == "$listed"
expect "the fill of $listed devices" test "$(awk '
  /compute units/ { units = $3 }
  /preferred multiple/ { multiple = $3 }
  /fill/ && $2 == units && $4 == multiple && $8 == units * multiple * 2' out | wc -l)" == "$listed"

finish
