#!/usr/bin/env bash
# Which fault turns this test red alone: another library's result that is wrong at a width where its method changes.
# Runs where such a library is installed.
source "$(dirname "$0")/programs.bash"
program=$build/convolution_peers
[[ -x $program ]] || { echo "no other library was found, so there is no such program"; exit 77; }

# compare TEXT ARGUMENTS...: the program succeeds, and there is the text in what it prints.
compare() {
  passes unoptimised "$program" "${@:2}"
  expect "not said: $1" grep -qF -e "$1" out
}

# Does one of them work on this device? Those that were not found are left out like those that do not.
names=$("$program" --kernel none 2>&1 | sed 's/.* one of //; s/, not .*//; s/, /\n/g' | grep -vE '^(Convolve|Tuned)' | paste -sd,)
"$program" --verify-only --size 5x9 --filter-width 3 --kernel "$names" > out
expect "a library that was found was not built" eval '! grep "left out: .*cannot open shared" out'
(($(grep -c ' is left out: ' out) < $(tr , '\n' <<< "$names" | wc -l))) ||
  { echo "none of the libraries works on this device"; exit 77; }
lacking=$(sed -n 's/ is left out: .*//p' out | head -n 1)
[[ ! $lacking ]] || ends 1 "$program" --size 5x9 --filter-width 3 --verify-only --kernel "$lacking"

# Without --kernel everything that works here is compared.
compare "measurements: all.csv" --size 40x30 --filter-width 3 --time-budget 0 --search-budget 1 --csv all.csv
mapfile -t peers < <(awk -F, '!/^#/ && $1 !~ /^(kernel$|Convolve|Tuned)/ { print $1 }' all.csv)
step6=$repository/step6_float4/convolution.cl  # builds at once at any width, unlike the baked kernels
expect "no version of ${peers[0]}" grep -qE "^# version of ${peers[0]}: .*[0-9]" all.csv
# An even width, those around OpenCV's change to a Fourier transform (11, 12), and the widest, in an image of several
# tiles; then an image smaller than the filter; a filter of rank 1; the transforms of ours.
names=Convolve_Def_Float4$(printf ',%s' "${peers[@]}")
# Halide compiles for many seconds at the widest.
compare " results verified" --kernel-file "$step6" --kernel "$names" --size 300x270 --filter-width 1,2,7,12 --verify-only
compare " results verified" --kernel-file "$step6" --kernel "${names/,Halide/}" --size 300x270 --filter-width 11,32 --verify-only
compare " results verified" --kernel-file "$step6" --kernel "$names" --size 5x9 --filter-width 8 --verify-only
[[ ${peers[0]} != OpenCV ]] ||
  compare "OpenCV_sep  " --kernel OpenCV_sep --filter gaussian --size 61x47 --filter-width 1,2,7,12,31 --verify-only
# One whose first row adds up to much: what a tile at the edge holds beyond the image comes into the result.
printf '3 3 3\n3 3 3\n3 3 3\n' > three.txt
compare " results verified" --kernel-file "$step6" --kernel "$names" --filter three.txt --size 300x300 --verify-only
compare " results verified" --kernel Convolve_Fft,Convolve_Fft_Shared,Convolve_Fft16 --size 150x140 --filter-width 15 --verify-only
expect "no transform ran" grep -qE '^width 15  Convolve_Fft.* ok' out
# On bytes.
program=$build/byte_peers
names=Convolve_Def_Float4,OpenCV,OpenCV_split,NPP
compare " results verified" --kernel-file "$step6" --kernel "$names" --size 300x270 --filter-width 1,2,7,11,12,32 --verify-only
compare " results verified" --kernel-file "$step6" --kernel "$names" --size 5x9 --filter-width 8 --verify-only

echo "${#peers[@]} peers: ${peers[*]}"
finish
