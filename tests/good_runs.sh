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
  checks=$((checks + 1))
  timeout 300 "$@" > out 2> err < /dev/null || report_failure "exit status $?: $*"
  [[ ! -s err ]] || report_failure "something on stderr: $*"
  # How long a device's name is, is not ours to say.
  ! grep -v '^device ' out | grep -E '.{81}' || report_failure "wider than 80 columns: $*"
}

# The CSV that README and charts stand on: its columns, and a row for every kernel and width.
expect_csv() { # FILE WIDTHS KERNELS: the numbers of widths and kernels
  local rows
  expect "header of $1" grep -qxF \
    kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,low_ms,high_ms,min_ms,relative_percent,gpixels_per_s,max_error,clock,x_floor "$1"
  for key in program platform device driver commit size filter options; do
    expect "$1 says nothing about $key" grep -qE "^# $key: ." "$1"
  done
  rows=$(grep -cE '^Convolve' "$1")
  expect "$rows rows for $3 kernels at $2 widths in $1" test "$rows" == $(($2 * $3))
  # low <= median <= high, min <= median, a bounded error, a distance from the floor
  expect "rows of $1" awk -F, '/^Convolve/ && (NF != 16 || $8 <= 0 || $9 > $8 || $8 > $10 || $11 > $8 || $14 > 0.01 || $16 <= 0) { exit 1 }' "$1"
  expect "Convolve is not 100 % in $1" awk -F, '$1 == "Convolve" && $12 != 100 { exit 1 }' "$1"
}

# writes_csv STEP WIDTHS ARGUMENTS...: all kernels, measured at so many filter widths. What a search prints as it
# goes, and what it finds, is the matter of autotune.sh.
writes_csv() {
  local number=${1#step} kernels
  number=${number%%_*}
  # From step 7 on a program has of the first six steps only these two; baked16.cl is for sparse filters.
  kernels=$(kernels_where "step <= $number && ($number < 7 || step >= 7 || \$1 ~ /^Convolve(_Def)?\$/) && file != \"baked16.cl\"")
  rm -f out.csv
  works "$build/$1" "${@:3}" --time-budget 0 --csv out.csv --kernel "$kernels,OpenMP"
  expect_csv out.csv "$2" "$(tr ',' '\n' <<< "$kernels" | wc -l)"
  expect "$1 does not say that all is verified" grep -q 'verified' out
}

for step in "${steps[@]}" median edge_conditions roofline; do
  [[ -x $build/$step ]] || continue
  works "$build/$step" --help
  expect "$step --help names no --device" grep -q -- --device out
  works "$build/$step" --list-devices
  expect "$step lists no device 0:0" grep -q '^0:0 ' out
  works "$build/$step" --size 33x21 --verify-only
  if [[ $step == step* ]]; then
    writes_csv "$step" 1 --size 33x21
  else
    works "$build/$step" --size 33x21 --time-budget 0
  fi
done
writes_csv "${steps[-1]}" 2 --size 65x43 --filter-width 3,8

program=$build/${steps[1]}
# What the device's compiler has no part in is run where a kernel is ready at once.
quickly=("$repository/tests/interpreted.sh" "$program" --verify-only)

# Image files in; all formats out. Filters that leave an image as it is, also in even widths; numbers with
# commas, comments and any white space make a filter too.
echo 1 > identity.txt
printf '# a comment\n0,\t0, 0\n0 1.0 0  # another\n\n0 0 0\r\n' > identity3.txt
for photo in color.jpg gray.jpg progressive.jpg; do
  works "${quickly[@]}" --input "$repository/tests/photo/$photo" --filter gaussian --filter-width 5 --output photo.png
  works "${quickly[@]}" --input photo.png --filter identity3.txt --output photo.pgm
  works "${quickly[@]}" --input photo.pgm --filter box --filter-width 4 --output photo.pfm
  works "${quickly[@]}" --input photo.png --filter identity.txt --output same.pgm
  expect "photo.png is not a PNG" grep -qa '^.PNG' photo.png
  expect "photo.pgm is not a PGM of 27 x 19" test "$(head -c 13 photo.pgm | tr '\n' ' ')" == 'P5 27 19 255 '
  expect "the identity changes an image" cmp photo.pgm same.pgm
  expect "photo.pfm has another size" test "$(tail -n +4 photo.pfm | wc -c)" == $((27 * 19 * 4))
done

# Is the result what the README promises? Computed by hand: the border repeated (an even width has more of it on the
# right and below), the filter not turned around. A PFM has its bottom row first.
printf 'P5 3 2 1\n\1\0\0\0\0\1' > small.pgm
printf '1 10\n100 1000\n' > 2.txt
printf '1 2 4\n8 16 32\n64 128 256\n' > 3.txt
for expected in '2.txt: 0 1010 1111 1 1000 1100' '3.txt: 3 289 432 27 265 384'; do
  for step in "${steps[0]}" "${steps[-1]}"; do
    works "$build/$step" --input small.pgm --filter "${expected%%:*}" --verify-only --output result.pfm
    expect "$step, $expected" test "$(tail -c 24 result.pfm | od -An -v -t f4 | xargs)" == "${expected#*: }"
  done
done

# The same seed gives the same result, another seed another.
for run in '7 a' '7 b' '8 c'; do
  works "${quickly[@]}" --size 20x10 --seed "${run% *}" --output "${run#* }.pfm"
done
expect "--seed 7 twice" cmp a.pfm b.pfm
expect "--seed 7 and 8 give the same" eval '! cmp a.pfm c.pfm'

# --kernel: the baseline and what is named, no other.
last_program=$build/${steps[-1]}
works "$last_program" --size 33x21 --filter-width 3 --time-budget 0 --kernel Convolve_Def --csv one.csv
expect_csv one.csv 1 2
works "$program" --size 33x21 --filter-width 3 --time-budget 0 --kernel Convolve_Unroll,Convolve_Unroll --csv twice.csv
expect_csv twice.csv 1 3
# The device by number, by name in any case, by environment.
works "$program" --size 9x9 --verify-only --device 0:0
device=$(sed -n 's/^device *\(.*\) (.*/\1/p' out)
works "$program" --size 9x9 --verify-only --device "${device,,}"
works env TUTORIAL_DEVICE="${device^^}" "$program" --size 9x9 --verify-only
expect "TUTORIAL_DEVICE does not choose the device" grep -qF "$device" out

echo "$checks checks, $failures failures"
((failures == 0))
