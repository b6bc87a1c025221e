#!/usr/bin/env bash
# Which fault turns this test red alone: a kernel that is wrong at a size that breaks such code, and the published
# kernels as they are printed, unnoticed (HISTORY.md has the worst).
source "$(dirname "$0")/programs.bash"
program=$build/median
require_built "$program"

# A picture of random pixels, with few levels per channel, so that luminances are often equal.
random_picture() { # WIDTH HEIGHT LEVELS
  perl -e '($width, $height, $levels) = @ARGV; srand "$width$height"; print "P6 $width $height 255\n";
    print chr(int(rand $levels) * int(255 / ($levels - 1))) for 1 .. 3 * $width * $height' "$@"
}

# PoCL compiles all kernels anew for each size, so most sizes are for Oclgrind, which compiles at once.
for size in 1x1 1x9 9x1 2x2 3x3 5x3 16x8 17x31 64x9 65x8 131x5; do
  random_picture "${size%x*}" "${size#*x}" 4 > random.ppm
  passes interpreted "$program" --verify-only --input random.ppm
done
# With another alpha in each pixel, which has no part in the luminance.
passes interpreted "$program" --verify-only --input "$repository/tests/png/rgba8.png"
for size in 17x31 640x480 1921x1081; do
  passes "$program" --verify-only --noise 0.2 --size "$size"
done

# A black pixel in a white picture is gone afterwards. --noisy has the picture before, --output after; the samples of a PGM
# of 25 pixels are its last 25 bytes. Nothing else is written: not over a file that was there.
perl -e 'print "P5 5 5 255\n", map chr($_ == 13 ? 0 : 255), 1 .. 25' > spot.pgm
black() { tail -c 25 "$1" | od -An -v -t u1 -w1 | grep -c ' 0$'; }
echo mine > out-before.pgm
for kernel in medianfilter_rgba median_gray_packed; do
  passes interpreted "$program" --verify-only --input spot.pgm --kernel "$kernel" --noisy in.pgm --output out.pgm
  expect "--output of $kernel" test "$(black in.pgm),$(black out.pgm)" == 1,0
done
expect "a file that was there has changed" test "$(< out-before.pgm)" == mine
ends 1 "$program" --input spot.pgm --noisy ./spot.pgm

# printed KERNEL OLD NEW: with NEW instead of OLD the kernel is wrong, or crashes, as unaligned vectors may.
printed() {
  sed "s/$2/$3/" "$repository/median/median.cl" > broken.cl
  expect "changes nothing: $2" eval '! cmp -s "$repository/median/median.cl" broken.cl'
  interpreted "$program" --verify-only --input random.ppm --kernel "$1" --kernel-file broken.cl > out 2> err
  local status=$?
  ((status == 139)) || expect "$1: not noticed (exit status $status): $3" grep -Eq "$1, filter width 3: .*wrong at" err
}
random_picture 70 50 256 > random.ppm
printed medianfilter_rgba '(size_t)y \* input_pitch + x;' '(size_t)y * input_pitch + x + 1;'
printed medianfilter_rgba 'sort3(&p02, &p11, &p20)' 'sort3(\&p00, \&p11, \&p22)'
# The printed network gives the median in 4 of 7 orders of nine values, so 3 of 7 pixels of the interior, 48 x 68, are
# wrong: 1399. That is a share of random pixels, so within 10 %.
wrong=$(sed -n 's/.* \([0-9]*\) of 3500 pixels are wrong.*/\1/p' err)
expect "the printed network is wrong at $wrong pixels, not at about 1399" test "$wrong" -ge 1259 -a "$wrong" -le 1539

# Groups in which the kernel is wrong are not measured.
sed '/void medianfilter_rgba/,/^}/ s/output\[/output[1 + /' "$repository/median/median.cl" > broken.cl
ends 2 "$build/median_work_groups" --size 64x9 --kernel-file broken.cl --time-budget 0 --csv groups.csv
expect "a wrong kernel was measured" eval '! grep ^medianfilter_rgba: groups.csv'

finish
