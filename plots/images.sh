#!/usr/bin/env bash
# Draws the PNGs of plots/drawings, before and after side by side, with the programs of step 1, median and stereo in
# build/release. It runs in the repository.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "build/release/$1" --size 384x256 --verify-only "${@:2}" > "$work/log" || { cat "$work/log"; exit 1; }; }
run step1_naive --filter box --filter-width 1 --output "$work/card.png" # one tap of 1 leaves the image as it is
run step1_naive --filter gaussian --filter-width 15 --output "$work/gaussian.png"
run step1_naive --filter motion-blur --filter-width 15 --output "$work/motion.png"
run median --noise 0.1 --kernel median_gray_rows --noisy "$work/noisy.png" --output "$work/median.png"
run median --noise 1 --noisy "$work/dots.png" # every pixel black or white
run stereo --input "$work/dots.png" --output "$work/disparity.png"

beside() { # OUT LEFT RIGHT
  gnuplot << END
set terminal png size 800,272
set output "plots/drawings/$1.png"
set margins at screen 0, at screen 1, at screen 0, at screen 1
unset border; unset tics; unset key; unset colorbox
set palette defined (0 "black", 1 "white")
set cbrange [0:255]
set xrange [0:800]
set yrange [0:272]
plot "$work/$2.png" binary filetype=png origin=(8.5, 8.5) using 1 with image, \
     "$work/$3.png" binary filetype=png origin=(408.5, 8.5) using 1 with image
END
}
beside blur card gaussian
beside motion_blur card motion
beside median noisy median
beside disparity dots disparity
