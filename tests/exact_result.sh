#!/bin/bash
# Is the result what the README promises? The programs check themselves against common/reference.cpp;
# here an implementation that shares nothing with it, a few lines of awk, recomputes the whole way from
# image file to result file: border repeated, filter not turned around, even widths too.
#
#   exact_result.sh BUILD_DIR
#
# shellcheck disable=SC2016  # the dollars in single quotes are those of awk and sed
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"

# Turns numbers, one per line, into bytes.
to_bytes() {
  # shellcheck disable=SC2059  # the bytes are a format on purpose
  printf "$(awk '{ printf "\\%03o", $1 }')"
}

# WIDTH.pgm of random pixels, 0..200, and the same as text for awk: width, height, maximum, pixels.
make_image() { # WIDTH HEIGHT
  awk -v width="$1" -v height="$2" 'BEGIN {
    srand(width * 1000 + height)
    print width, height, 200
    for (i = 0; i < width * height; ++i) print int(rand() * 201)
  }' > "$1.txt"
  { echo P5 "$1" "$2" 200; tail -n +2 "$1.txt" | to_bytes; } > "$1.pgm"
}

make_filter() { # WIDTH: random taps of both signs
  awk -v width="$1" 'BEGIN {
    srand(width)
    for (r = 0; r < width; ++r) {
      for (c = 0; c < width; ++c) printf "%.4f ", 2 * rand() - 1
      print ""
    }
  }'
}

# The floats of a PFM file, top row first, one a line: the file has the bottom row first.
pfm_values() { # FILE WIDTH HEIGHT
  tail -c $(($2 * $3 * 4)) "$1" | od -An -v -t f4 -w$(($2 * 4)) | tac | tr -s ' ' '\n' | grep .
}

# compare IMAGE FILTER RESULT: recomputes RESULT (one value a line) and says where it is wrong. Float
# may differ from exact by n * 2^-23 * sum |filter * pixel|, n being the number of taps.
compare() {
  awk '
    FNR == 1 { ++file }
    file == 1 && FNR == 1 { width = $1; height = $2; maxval = $3; next }
    file == 1 { pixel[pixels++] = $1 / maxval }
    file == 2 { filter_width = NF; for (i = 1; i <= NF; ++i) tap[taps++] = $i }
    file == 3 { result[results++] = $1 }
    function clamp(i, last) { return i < 0 ? 0 : i > last ? last : i }
    END {
      if (results != width * height) { print results " values instead of " width * height; exit 1 }
      before = int((filter_width - 1) / 2)
      for (y = 0; y < height; ++y)
        for (x = 0; x < width; ++x) {
          sum = size = 0
          for (r = 0; r < filter_width; ++r)
            for (c = 0; c < filter_width; ++c) {
              from = clamp(y + r - before, height - 1) * width + clamp(x + c - before, width - 1)
              product = tap[r * filter_width + c] * pixel[from]
              sum += product
              size += product < 0 ? -product : product
            }
          got = result[y * width + x]
          error = got < sum ? sum - got : got - sum
          # What od prints has about seven digits. Awks do not agree on comparisons with NaN.
          if (error > taps * size / 8388608 + 1e-6 * size || got ~ /[a-z][a-z]/) {
            print "wrong at (" x ", " y "): expected " sum ", got " got
            exit 1
          }
        }
    }' "$@"
}

check() { # STEP WIDTH HEIGHT FILTER_WIDTH [ARGS]
  local step=$1 width=$2 height=$3 filter_width=$4 where=''
  shift 4
  # Step 1 on Oclgrind, where its kernel is ready at once at any width; the last step on the device.
  [[ $step != "${steps[0]}" ]] || where=interpreted
  checks=$((checks + 1))
  make_filter "$filter_width" > filter.txt
  rm -f result.pfm
  if ! $where "$build/$step" --input "$width.pgm" --filter filter.txt --verify-only --output result.pfm \
    "$@" > out 2> err; then
    report_failure "$step, $width x $height, filter width $filter_width"
    return
  fi
  pfm_values result.pfm "$width" "$height" > values
  compare "$width.txt" filter.txt values > out ||
    report_failure "$step, $width x $height, filter width $filter_width: another result"
}

make_image 31 17
make_image 5 3
make_image 1 1
for filter_width in {1..32}; do
  check "${steps[0]}" 5 3 "$filter_width"
done
for filter_width in 1 2 3 4 7 16 31 32; do
  check "${steps[0]}" 1 1 "$filter_width"
done
for filter_width in 1 2 3 4 7 8 15 16; do
  check "${steps[0]}" 31 17 "$filter_width"
done
# The last kernel of the ladder.
last=$(kernels_where 'step ~ /^[0-9]/')
for filter_width in 1 2 7 17; do
  check "${steps[-1]}" 31 17 "$filter_width" --kernel "${last##*,}"
done

# Does this test see anything? A result that is shifted, or upside down, or has a NaN, must not pass.
make_filter 3 > filter.txt
"$build/${steps[0]}" --input 31.pgm --filter filter.txt --verify-only --output result.pfm > out 2> err
pfm_values result.pfm 31 17 > values
must_notice() { # WHAT COMMAND...: the values that the command makes of the right ones
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" values > spoiled
  if compare 31.txt filter.txt spoiled > out || ! grep -q "$what" out; then
    report_failure "not noticed: $*"
  fi
}
must_notice 'wrong at (0, 0)' sed '1{h;d};${p;g}'
must_notice 'wrong at (0, 0)' tac
must_notice 'wrong at (6, 3)' sed '100s/.*/nan/'
must_notice 'wrong at (13, 6)' awk 'NR == 200 { $1 += 0.00001 } { print }'
must_notice '526 values instead of 527' sed 1d

echo "$checks checks, $failures failures"
((failures == 0))
