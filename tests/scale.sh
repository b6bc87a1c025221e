#!/bin/bash
# Which fault turns this test red alone: an image whose pixels depend on how it was cut, or on who computed which band;
# a result that half stands under its name; a bad file, a full disk or a lost rank that ends in anything but one line.
source "$(dirname "$0")/programs.bash"
scale=$build/scale
require_built "$scale"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# same ARGUMENTS...: the image of these is that of the whole one in $whole; it leaves nothing beside it.
same() {
  rm -f out."$kind"
  ends 0 "${@:1:command}" "$scale" "${@:command+1}" "${image[@]}" --output out."$kind"
  expect "another image: $*, ${image[*]}" cmp "$whole" out."$kind"
  expect "a part is left: $*" test ! -e out."$kind".part
}

# --- Cut as one likes -----------------------------------------------------------------------------

# Sizes that divide nothing, narrower than the filter, one row; widths odd and even. The whole image is compared with
# the step's own result for the same pixels, the pieces with the whole.
command=0
for kind in pgm pfm; do
  floats=()
  [[ $kind == pgm ]] || floats=(--floats)
  for size in 101x67:7 3x41:8 33x1:5 1x1:32 400x50:19; do
    width=${size#*:} whole=whole.$kind
    image=(--size "${size%:*}" --filter-width "$width" "${floats[@]}")
    ends 0 "$scale" "${image[@]}" --carriers 1 --output $whole
    if [[ $kind == pgm ]]; then
      # A filter of one tap leaves the image as it is: so it is a file for a step's program.
      ends 0 "$scale" --size "${size%:*}" --filter box --filter-width 1 --output in.pgm
      ends 0 "$build/step11_bytes" --kernel Convolve_Bytes_Dot32 --input in.pgm --filter-width "$width" --verify-only --output step.pgm
      expect "not the step's image: ${image[*]}" cmp $whole step.pgm
    fi
    same --memory $((${#floats[@]} ? 1200 : 300))K
  done
  image=(--size 301x211 --filter-width 7 "${floats[@]}")
  ends 0 "$scale" "${image[@]}" --carriers 1 --output $whole
  [[ $("$scale" --size 9x9 --sub-devices 2 2>&1) == *DEVICE_PARTITION_FAILED* ]] || same --sub-devices 2 --memory 400K # not PoCL 7.1
  same --carriers 5
  # The image as a file, and its pixels alone.
  ends 0 "$scale" --size 301x211 --filter box --filter-width 1 "${floats[@]}" --output in.$kind
  ends 0 "$scale" --size 301x211 --filter box --filter-width 1 "${floats[@]}" --output in.raw
  same --input in.$kind --memory 400K
  same --input in.raw
  if command -v mpirun > /dev/null && ldd "$scale" | grep -q libmpi; then
    command=5
    for ranks in $([[ $kind == pgm ]] && echo 1 2 7) 3; do
      same mpirun --map-by :oversubscribe -np $ranks --input in.$kind --memory 400K
    done
    command=0
  fi
done

# Whose standard output is closed: no file that it opens takes its place, and its lines.
ends 0 "$scale" --size 300x200 --filter box --filter-width 3 --time-budget 0 --csv right.csv --output right.pgm
"$scale" --size 300x200 --filter box --filter-width 3 --time-budget 0 --csv m.csv --output m.pgm >&- 2> err
expect "no word of a closed output" test "$?,$(wc -l < err)" == 1,1
expect "another image without standard output" cmp right.pgm m.pgm

# Beyond a band there may be garbage, which a transform spreads over its tile.
ends 0 env MALLOC_PERTURB_=128 "$scale" --size 301x211 --filter-width 9 --floats --kernel Convolve_Fft16
# Another implementation beside the first, with a kernel that it can build.
! RUSTICL_ENABLE=llvmpipe "$build/devices" | grep -q "^1:0" ||
  ends 0 env RUSTICL_ENABLE=llvmpipe "$scale" --size 301x211 --device 0:0,1:0 --memory 1M

# --- Never half -----------------------------------------------------------------------------------

# refuses PATTERN COMMAND...: one line on stderr that matches, status 1, no file, and what was there before stays.
refuses() {
  echo before > out.pgm
  ends 1 "${@:2}"
  expect "not one line on stderr: ${*:2}" test "$(wc -l < err)" == 1
  expect "stderr does not say '$1': ${*:2}" grep -qE -- "$1" err
  expect "the result is not as before: ${*:2}" test "$(cat out.pgm)" == before -a ! -e out.pgm.part
}
head -c 60000 in.pgm > short.pgm
printf 'P5 %s %s\n255\n' 301 999999999 > lies.pgm
printf 'P5 99999999999 9 255\n' > large.pgm
printf 'Pf 3 3 1.0\n%036d' 0 > big_endian.pfm
printf 'P5 3 3 65535\n%018d' 0 > words.pgm
printf 'P5 3.7 40\n255\n%0150d' 0 > fraction.pgm
printf 'P6 3 3 255\n%027d' 0 > colour.pgm
for bad in 'short.pgm:shorter than 301 x 211' 'lies.pgm:shorter than' 'large.pgm:width' 'big_endian.pfm:high byte' \
    'words.pgm:0..255' 'fraction.pgm:whole numbers' 'colour.pgm:no PGM' 'missing.pgm:No such file' 'blur.png:its name'; do
  refuses "cannot read ${bad%:*}: .*${bad#*:}" "$scale" --input "${bad%:*}" --output out.pgm
done
refuses 'memory: one row' "$scale" --size 9999x9 --memory 1K --output out.pgm
refuses 'cannot read out.pgm.part: its name' "$scale" --input out.pgm.part --output out.pgm
refuses 'no floats' "$scale" --input in.pfm --output out.pgm
refuses 'cannot write o.png: its name' "$scale" --size 9x9 --output o.png
# A limit on files is a full disk that needs no mount.
refuses 'cannot write out.pgm: File too large' bash -c 'trap "" XFSZ; ulimit -f 100; "$@"' - "$scale" --size 4096x4096 --output out.pgm
ln -s /dev/full full.pgm
refuses 'not a regular file' "$scale" --size 9x9 --output full.pgm

# Killed, the program leaves what was there; a rank that is killed takes the others with it.
echo before > out.pgm
killed() {
  rm -f out.pgm.part
  "$@" --size 30000x30000 --output out.pgm > out 2> err &
  until [[ -e out.pgm.part || ! -d /proc/$! ]]; do sleep 0.02; done
  sleep 0.3
}
killed "$scale"
kill -9 $! && wait $! 2> /dev/null
expect "killed, something else stands under its name" test "$(cat out.pgm)" == before
if command -v mpirun > /dev/null && ldd "$scale" | grep -q libmpi; then
  killed mpirun --map-by :oversubscribe -np 3 "$scale"
  kill -9 "$(pgrep -P $! -n)"
  wait $!
  expect "a job without one of its ranks ends as if it were whole" test $? != 0
  expect "nobody says which rank is missing" grep -qz 'rank.*Killed' err
  expect "without a rank, something else stands under its name" test "$(cat out.pgm)" == before
  # What one rank cannot do is said once.
  rm -f out.pgm
  ends 1 mpirun --map-by :oversubscribe -np 3 "$scale" --input short.pgm --output out.pgm
  expect "a rank's failure is not said once" test "$(grep -c '^scale: ' err)" == 1
  expect "a file of a failed job" test ! -e out.pgm
  ends 1 mpirun --map-by :oversubscribe -np 3 "$scale" --no-such-flag
  expect "a usage error is not said once" test "$(grep -c '^scale: ' err)" == 1
fi

# --- The table --------------------------------------------------------------------------------------

ends 0 "$scale" --size 500x500 --memory 600K --time-budget 0 --csv out.csv
expect "rows of the CSV" test "$(grep -cE '^(read|copy-in|kernel|copy-out|write|series|stream):bytes,7,500,500' out.csv)" == 7
# Of two devices, here the same one twice: the first one and both, without the files and with them.
ends 0 "$scale" --size 500x500 --memory 600K --time-budget 0 --device 0:0,0:0 --csv two.csv
expect "rows of two devices" test "$(grep -oE '^(one-device|devices|one-stream|stream):bytes,7,500,500' two.csv | wc -l)" == 4
expect "two devices are one" test "$(grep -cE '^device .*, Convolve' out)" == 2

# The rates of ranks: twice as many, at most all cores and sixteen; one rank is as fast as it is.
if command -v mpirun > /dev/null && ldd "$scale" | grep -q libmpi && [[ -w /dev/shm ]]; then
  ends 0 env PROGRAMS="$build" "$repository/studies/scale/ranks.sh" 64 0 ranks.csv
  expect "rows of one rank" test "$(grep -cE '^Convolve_Bytes[^,]+,(7|31),1(,[0-9.]+){8}$' ranks.csv)" == 2
  expect "rates of no rank" eval '! grep -qE ",(0|0.000)?(,|$)" ranks.csv'
  expect "predicted faster than all ranks" awk -F, \
    '/^Convolve/ { if ($3 == 1) one = $4; if ($4 > 1.01 * $3 * one) exit 1 }' ranks.csv
fi

# The page quotes the program.
while read -r line; do
  expect "the program does not have the line $line" grep -qF -- "$line" "$repository"/studies/scale/{carrier.hpp,main.cpp}
done < <(sed -n '/^```cpp/,/^```$/p' "$repository/studies/scale/README.md" | sed '/^```/d; s/^ *//')

finish
