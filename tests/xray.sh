#!/bin/bash
# Which fault turns this test red alone: a count of xray/ that differs from the one by hand, and committed counts, which
# the READMEs show, that the kernels do not have any more.
source "$(dirname "$0")/programs.bash"
command -v oclgrind > /dev/null || { echo "Oclgrind is not installed"; exit 77; }
[[ -f $build/libxray.so ]] || { echo "libxray.so was not built: Oclgrind's headers are missing"; exit 77; }
! other_simulator || exit 77
comma_locale

# xray EXPECTED_STATUS PROGRAM ARGS: counts into the file `csv`.
xray() {
  rm -f csv
  ends "$1" "${commas[@]}" "$repository/tools/xray/xray.sh" "$build" "$2" --csv csv "${@:3}"
}

# counts KERNEL COLUMN=NUMBER...: of the last run, at its one filter width.
counts() {
  local pair counted
  for pair in "${@:2}"; do
    counted=$(awk -F, -v kernel="$1" -v column="${pair%%=*}" '
      $1 == "kernel" { for (i = 1; i <= NF; i++) if ($i == column) wanted = i }
      $1 == kernel { print $wanted }' csv)
    expect "$1: $pair by hand, counted $counted" test "$counted" == "${pair#*=}"
  done
}

# committed FILE PROGRAM ARGS: counts likewise, what plots/xray/FILE has.
committed() {
  local stale
  xray 0 "${@:2}"
  stale=$(grep -v '^#' csv | grep -vxF -f "$repository/plots/xray/$1")
  expect "plots/xray/$1 is stale: $stale" test -z "$stale"
}

# --- By hand ----------------------------------------------------------------------------------------

xray 0 step1_naive --filter-width 3
# 32 neighbours load 128 bytes: 4 sectors if they begin with one, as one of six loads does, else 5. A group of 32 x 4
# loads 34 x 6 different inputs: 32 * 4 * 9 / (34 * 6).
counts Convolve multiply_adds=9 input_loads=9 input_bytes=36 tap_loads=9 local_loads=0 stores=1 store_bytes=4 \
  sectors=4.833 least_sectors=4 group=32x4 reuse=5.647
expect "the table does not show it" grep -q '^ *3 Convolve  *9  *9  *9  *-  *13  *-  *5.65  *4.83  *-$' out
# Two outputs at 7 x 7 load 8 inputs for each row: 56. A block of 4 x 4 loads 10 rows of 3 float4: 30.
committed ladder.csv step9_autotune --filter-width 7 --kernel Convolve_Two,Convolve_Block,Convolve_Fast
counts Convolve_Two multiply_adds=49 input_loads=28 input_bytes=112 tap_loads=24.5 stores=1 group=32x4
counts Convolve_Block multiply_adds=49 multiply_add_instructions=49 input_loads=1.875 input_bytes=30 stores=0.25 store_bytes=4
# A tile of 22 x 22 for 256 outputs. 16 x 16: two rows of a tile share banks; 32 x 8: one row fills all banks.
for group in 16x16 32x8; do
  committed "group-$group.csv" step5_local_memory --work-group "$group" --size 256x16 --filter-width 7 --kernel Convolve_Local
  [[ $group != 16x16 ]] || counts Convolve_Local input_loads=1.891 local_stores=1.891 local_loads=49 reuse=1 conflicts=2
  [[ $group != 32x8 ]] || counts Convolve_Local group=32x8 conflicts=1 worst_conflict=1
done
# The counts that the ledger judges by, at one of their three groups.
committed read-16x16.csv step6_float4 --work-group 16x16 --size 256x16 --filter-width 7 --kernel Convolve_Local:tight,Convolve_Local,Convolve_Local_Read4
# With constant taps: 17 of this filter's 49 are not 0.
committed motion-blur.csv step9_autotune --filter motion-blur --kernel Convolve_Baked,Convolve_Baked16
counts Convolve_Baked multiply_adds=17 tap_loads=0
# Bytes: a block of 4 x 8 has 14 rows of three words of four for 32 outputs.
committed bytes.csv step11_bytes --kernel Convolve_Bytes,Convolve_Bytes16,Convolve_Bytes_Dot32
counts Convolve_Bytes multiply_adds=49 input_loads=1.312 input_bytes=5.25 tap_loads=0
# What has no filter. Three rows sorted by 6 minima and maxima each; 8 for the largest low, median middle and smallest
# high; 4 for the middle one of these. Two comparisons find the end of the picture, four its border.
committed median.csv median
counts median_gray min_max=30 min_max_instructions=30 comparisons=6 input_loads=9
# Six columns sorted for four pixels of four channels, as a vector of four and one of two.
counts median_channels_x4 min_max=84 min_max_instructions=6
# Five loads, four sums and a quotient.
committed edge_conditions.csv edge_conditions
counts Smooth_Padded input_loads=5 other_arithmetic=5 comparisons=0 branches=0 min_max=0 stores=1
# Of 16 windows of 7 x 7, 49 differences and 49 sums each. A block of 16 rows needs 22: 22 * 7 / 16 differences for each
# pixel; as many sums, of a row, and 22 / 16 + 1 of a window, for rows that enter and that leave.
committed stereo.csv stereo --size 32x16 --kernel Stereo_Running
counts Stereo other_arithmetic=1568
counts Stereo_Running other_arithmetic=346 input_loads=19.25

# --- Changed kernels --------------------------------------------------------------------------------

# Column by column: no two of 32 neighbours share a sector. The image is square, so the result stays right.
committed swapped.csv step1_naive --size 64x64 --against "$repository/step1_naive/swapped.cl"
counts Convolve:swapped sectors=32 least_sectors=4
# More for each output: an addition of vectors, a sum, a multiply-add, and a load for which work-items share banks. The
# result is wrong, and counted all the same.
more='float4 v = vload4(0, input) + vload4(1, input); float sum = v.x + v.y + v.z + v.w + tile[2 * local_x] + 0.5f * input[0];'
sed "/^__kernel void Convolve_Local(/,/^}/ s/float sum = 0.0f;/$more/" "$repository/step5_local_memory/convolution.cl" > changed.cl
xray 2 step5_local_memory --work-group 32x8 --size 64x8 --filter-width 3 --kernel Convolve_Local --kernel-file changed.cl
counts Convolve_Local multiply_adds=10 other_arithmetic=8 tap_loads=9 local_loads=10 conflicts=1.1 worst_conflict=2
expect "does not say what is wrong" grep -q 'Convolve_Local, filter width 3: wrong at (0, 0)' err

# --- The committed counts ---------------------------------------------------------------------------

committed ladder.csv step6_float4 --filter-width 7 --kernel Convolve_Float4,Convolve_Local:tight,Convolve_Local_Read4_UnrollAll
# A row for the helper too, which computes 7 taps for 32 + 6 rows where there are 32 outputs: 7 * 38 / 32.
committed two_passes.csv two_passes --filter-width 7 --kernel Convolve_Separable
counts Convolve_Separable_Rows multiply_adds=8.312
# All but those with instructions of NVIDIA's.
while IFS=, read -r kernel step file _; do
  [[ $step != [1-9]* || -z $file || $step/$file =~ ^11/(dot|matrix).cl$ ]] || expect "plots/xray/ has no $kernel" \
    grep -q "^$kernel,7," "$repository"/plots/xray/{ladder,motion-blur,fft,bytes}.csv
done < "$repository/kernels.csv"

# --- Pictures ---------------------------------------------------------------------------------------

xray 0 step1_naive --svg pictures
expect "the committed picture" cmp {pictures,"$repository/plots/charts/xray"}/Convolve-7.svg

# --- Bad input --------------------------------------------------------------------------------------

rejects() { # MESSAGE ARGS
  xray 1 "${@:2}"
  expect "not on one line of stderr: $1" test "$(wc -l < err),$(grep -c -- "$1" err)" == 1,1
}
rejects 'banks must be 16 or 32' step1_naive --banks 33

finish
