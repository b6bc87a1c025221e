#!/bin/bash
# Every program as a user runs it with good input: what it prints, what it writes, and that it fits a
# terminal of 80 columns.
#
#   good_runs.sh BUILD_DIR
#
# shellcheck disable=SC2016  # the dollars in single quotes are awk's
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"

# works COMMAND...: exit status 0, nothing on stderr, at most 80 columns; the output stays in `out`.
works() {
  local status
  checks=$((checks + 1))
  timeout 300 "$@" > out 2> err < /dev/null
  status=$?
  ((status == 0)) || report_failure "exit status $status: $*"
  [[ ! -s err ]] || report_failure "something on stderr: $*"
  # How long a device's name is, is not ours to say.
  awk 'length > 80 && !/^device / { print "line of " length " columns: " $0; exit 1 }' out ||
    report_failure "wider than 80 columns: $*"
}

# The CSV that README and charts stand on: its columns, and a row for every kernel and width.
csv_columns=kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,low_ms,high_ms,min_ms,relative_percent,gpixels_per_s,max_error,clock,x_floor

expect_csv() { # FILE WIDTHS KERNELS: the numbers of widths and kernels
  local rows
  expect "header of $1" grep -qxF "$csv_columns" "$1"
  for key in program platform device driver commit size filter options; do
    expect "$1 says nothing about $key" grep -qE "^# $key: ." "$1"
  done
  rows=$(grep -cE '^Convolve' "$1")
  expect "$rows rows for $3 kernels at $2 widths in $1" test "$rows" == $(($2 * $3))
  # Of each row: 16 fields, low <= median <= high, min <= median, no result without a bounded error, a
  # distance from the floor (the host's loop has one only where the host is the device).
  expect "rows of $1" awk -F, '
    /^#/ || /^kernel,/ { next }
    NF != 16 || $8 <= 0 || $9 > $8 || $8 > $10 || $11 > $8 || $12 <= 0 || $13 < 0 || $14 > 0.01 ||
      $15 !~ /^(event|host)$/ { exit 1 }
    $1 != "OpenMP" && $16 <= 0 { exit 1 }
    $1 == "Convolve" && $12 != 100 { exit 1 }' "$1"
}

kernels_up_to() { # STEP
  local number=${1#step}
  kernels_where "step <= ${number%%_*} && file != \"baked16.cl\""  # which is for sparse filters
}

# writes_csv STEP WIDTHS ARGUMENTS...: all kernels, measured at so many filter widths. What a search prints as it
# goes, and what it finds, is the matter of autotune.sh.
writes_csv() {
  local program=$build/$1 widths=$2 kernels
  kernels=$(kernels_up_to "$1")
  rm -f out.csv
  works "$program" "${@:3}" --time-budget 0 --csv out.csv --kernel "$kernels,OpenMP"
  expect_csv out.csv "$widths" "$(tr ',' '\n' <<< "$kernels" | wc -l)"
  expect "$program does not say that all is verified" grep -q 'verified' out
}

for step in "${steps[@]}" median edge_conditions roofline; do
  [[ -x $build/$step ]] || continue
  program=$build/$step
  works "$program" --help
  expect "$step --help names no --device" grep -q -- --device out
  works "$program" --list-devices
  expect "$step lists no device 0:0" grep -q '^0:0 ' out
  works "$program" --size 33x21 --verify-only
  if [[ $step == step* ]]; then
    writes_csv "$step" 1 --size 33x21
  else
    works "$program" --size 33x21 --time-budget 0
  fi
done
writes_csv "${steps[-1]}" 2 --size 65x43 --filter-width 3,8

program=$build/${steps[1]}
last_program=$build/${steps[-1]}
# What the device's compiler has no part in is run where a kernel is ready at once.
interpreted=$repository/tests/interpreted.sh

# Image files in; all formats out.
for photo in color.jpg gray.jpg progressive.jpg; do
  works "$interpreted" "$program" --input "$repository/tests/photo/$photo" --filter gaussian --filter-width 5 --verify-only \
    --output photo.png
  works "$interpreted" "$program" --input photo.png --filter sharpen --filter-width 3 --verify-only --output photo.ppm
  works "$interpreted" "$program" --input photo.ppm --filter motion-blur --filter-width 7 --verify-only --output photo.pgm
  works "$interpreted" "$program" --input photo.pgm --filter box --filter-width 4 --verify-only --output photo.pfm
  expect "photo.png is not a PNG" grep -qa '^.PNG' photo.png
  expect "photo.pgm is not a PGM of 27 x 19" test "$(head -c 13 photo.pgm | tr '\n' ' ')" == 'P5 27 19 255 '
  expect "photo.pfm has another size" test "$(tail -n +4 photo.pfm | wc -c)" == $((27 * 19 * 4))
done
# A filter with nothing but a one leaves an image as it is.
echo 1 > identity.txt
works "$interpreted" "$program" --input photo.pgm --filter identity.txt --output same.pgm --verify-only
expect "the identity changes an image" cmp photo.pgm same.pgm
# Numbers with commas, comments and any white space make a filter too.
printf '# a comment\n0,\t0, 0\n0 1.0 0  # another\n\n0 0 0\r\n' > identity.txt
works "$interpreted" "$program" --input photo.pgm --filter identity.txt --output same.pgm --verify-only
expect "the 3 x 3 identity changes an image" cmp photo.pgm same.pgm

# The same seed gives the same result, another seed another.
works "$interpreted" "$program" --size 20x10 --seed 7 --verify-only --output a.pfm
works "$interpreted" "$program" --size 20x10 --seed 7 --verify-only --output b.pfm
works "$interpreted" "$program" --size 20x10 --seed 8 --verify-only --output c.pfm
expect "--seed 7 twice" cmp a.pfm b.pfm
expect "--seed 7 and 8 give the same" eval '! cmp a.pfm c.pfm'

# --kernel: the baseline and what is named, no other.
works "$last_program" --size 33x21 --filter-width 3 --time-budget 0 --kernel Convolve_Def --csv one.csv
expect_csv one.csv 1 2
works "$last_program" --size 33x21 --filter-width 3 --time-budget 0 --kernel Convolve_Def,Convolve_Unroll,Convolve_Def --csv three.csv
expect_csv three.csv 1 4
# Ranges of widths; a stride may be longer than the range.
works "$interpreted" "$program" --size 9x9 --filter-width 1:32:5 --verify-only
expect "--filter-width 1:32:5" test "$(grep -c 'Convolve_Unroll ' out)" == 7
works "$interpreted" "$program" --size 9x9 --filter-width 2:3,30,1:32:2147483647 --verify-only
expect "--filter-width 2:3,30,1:32:2147483647" test "$(grep -c 'Convolve_Unroll ' out)" == 4
# The device by number, by name in any case, by environment.
works "$program" --size 9x9 --verify-only --device 0:0
device=$(sed -n 's/^device *\(.*\) (.*/\1/p' out)
works "$program" --size 9x9 --verify-only --device "${device,,}"
works env TUTORIAL_DEVICE="${device^^}" "$program" --size 9x9 --verify-only
expect "TUTORIAL_DEVICE does not choose the device" grep -qF "$device" out
# Of a flag that is given twice the last counts, as everywhere: so scripts have defaults that a user may override.
works "$program" --size 9x9 --size 12x5 --verify-only
expect "the second --size" grep -q '12 x 5' out

echo "$checks checks, $failures failures"
((failures == 0))
