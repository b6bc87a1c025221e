#!/usr/bin/env bash
# The comparison with other libraries, where any of them is installed: their results are right at
# widths on both sides of every change of method, --kernel chooses among them, and a broken kernel of
# ours is noticed beside them.
# usage: convolution_peers.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/convolution_peers
[[ -x $program ]] || { echo "no other library was found, so there is no such program"; exit 77; }

# compare STATUS TEXT ARGUMENTS...: the program's exit status, and a text in what it prints.
compare() {
  local status=$1 text=$2 got
  shift 2
  checks=$((checks + 1))
  timeout 300 "$program" "$@" > out 2> err < /dev/null
  got=$?
  ((got == status)) && grep -qF -e "$text" out err || report_failure "exit status $got, not $status with '$text': $*"
}

# Without --kernel everything that works here is compared; with it, what it names.
compare 0 "measurements: all.csv" --size 40x30 --filter-width 3 --time-budget 0 --search-budget 1 --csv all.csv
mapfile -t peers < <(awk -F, '!/^#/ && $1 !~ /^(kernel$|Convolve|Tuned)/ { print $1 }' all.csv)
step6=$repository/step6_float4/convolution.cl  # builds at once at any width, unlike the baked kernels
for peer in "${peers[@]}"; do
  compare 0 "all 2 results verified" --kernel-file "$step6" --size 40x30 --filter-width 3 --kernel "$peer" --verify-only
done
compare 0 "all 3 results verified" --size 40x30 --filter-width 3 --kernel Tuned --time-budget 0 --search-budget 0.001 --winners other.csv
compare 1 "Tuned, not 'Convolve_Best'" --kernel Convolve_Best

# An even width, those around OpenCV's change to a Fourier transform (11, 12), and the widest; then an
# image smaller than the filter.
names=Convolve_Def_Float4$(printf ',%s' "${peers[@]}")
compare 0 " results verified" --kernel-file "$step6" --kernel "$names" --size 61x47 --filter-width 1,2,7,11,12,32 --verify-only
compare 0 " results verified" --kernel-file "$step6" --kernel "$names" --size 5x9 --filter-width 8 --verify-only

sed 's/input_row + c]/input_row + c + 1]/' "$step6" > wrong.cl
compare 2 "Convolve, filter width 3: wrong at" --kernel Convolve --kernel-file wrong.cl --size 40x30 --filter-width 3 --verify-only

echo "$checks checks, $failures failures, ${#peers[@]} peers: ${peers[*]}"
((failures == 0))
