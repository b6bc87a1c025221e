#!/bin/bash
# Does xray/ count what a kernel does? Its counts are compared with those derived by hand, with those of kernels
# that were changed on purpose, and with the committed ones, which the READMEs show.
#
#   xray.sh BUILD_DIR
#
# shellcheck disable=SC2016  # the dollars in single quotes are awk's
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/programs.bash"
command -v oclgrind > /dev/null || { echo "Oclgrind is not installed"; exit 77; }
[[ -f $build/libxray.so ]] || { echo "Oclgrind's headers are not installed"; exit 77; }

# xray EXPECTED_STATUS PROGRAM ARGS: counts into the file `csv`.
xray() {
  local expected=$1 status=0
  shift
  checks=$((checks + 1))
  rm -f csv
  "$repository/xray/xray.sh" "$build" "$1" --csv csv "${@:2}" > out 2> err || status=$?
  ((status == expected)) || report_failure "exit status $status, not $expected: xray $*"
}

# counts KERNEL COLUMN=NUMBER...: at the one filter width of the last run; or COLUMN=LEAST..MOST.
counts() {
  local kernel=$1 pair counted
  shift
  for pair in "$@"; do
    counted=$(awk -F, -v kernel="$kernel" -v column="${pair%%=*}" '
      /^kernel,/ { for (i = 1; i <= NF; ++i) if ($i == column) c = i }
      $1 == kernel && c { print $c }' csv 2> /dev/null)
    expect "$kernel: $pair by hand, counted ${counted:-nothing}" \
      awk -v range="${pair#*=}" -v counted="$counted" '
        BEGIN { if (split(range, end, /\.\./) == 1) exit counted != range; exit !(counted >= end[1] + 0 && counted <= end[2] + 0) }'
  done
}

# committed FILE ROWS: the rows of the last run stand in plots/xray/FILE.
committed() {
  local row file=$repository/plots/xray/$1
  expect "$1: rows counted" test "$(sed '1,/^kernel,/d' csv | wc -l)" == "$2"
  # Another version of the simulator may compile the kernels differently.
  [[ $(grep '^# simulator' csv) == "$(grep '^# simulator' "$file")" ]] || return 0
  while read -r row; do
    expect "plots/xray/$1 is stale: $row" grep -qxF -e "$row" "$file"
  done < <(sed '1,/^kernel,/d' csv)
}

# --- By hand ----------------------------------------------------------------------------------------

xray 0 step1_naive --filter-width 3
# 32 neighbours load 128 bytes: 4 sectors, or 5 where they do not begin with one.
counts Convolve multiply_adds=9 input_loads=9 input_bytes=36 tap_loads=9 local_loads=0 stores=1 store_bytes=4 \
  sectors=4..5 least_sectors=4 group=32x4
# A group of 32 x 4 loads 34 x 6 different inputs.
counts Convolve reuse="$(awk 'BEGIN { printf "%.4g", 32 * 4 * 9 / (34 * 6) }')"

# Two outputs at 7 x 7 load 8 inputs for each row: 56. A block of 4 x 4 loads 10 rows of 3 float4: 30.
xray 0 step7_register_block --filter-width 7 --kernel Convolve_Local,Convolve_Two,Convolve_Block
counts Convolve_Two multiply_adds=49 input_loads=28 input_bytes=112 tap_loads=24.5 stores=1
counts Convolve_Block multiply_adds=49 multiply_add_instructions=49 input_loads=1.875 input_bytes=30 stores=0.25 store_bytes=4
# A tile of 22 x 22 for 256 outputs. 16 x 16: two rows of a tile share banks; 32 x 8: one row fills all banks.
counts Convolve_Local group=16x16 input_loads=1.891 local_stores=1.891 local_loads=49 reuse=1 conflicts=2 \
  worst_conflict=2
xray 0 step5_local_memory --filter-width 7 --kernel Convolve_Local --work-group 32x8
counts Convolve_Local group=32x8 conflicts=1 worst_conflict=1
expect "the table names other work-groups" grep -qx 'Work-groups: 32x8.' out
# Half as many neighbours need half as many sectors.
xray 0 step1_naive --filter-width 3 --warp=16
counts Convolve least_sectors=2
xray 0 step1_naive --filter-width 2,3
expect "the table does not say which width is whose" test "$(awk '/^Filter/ { printf "%s:", $3 } $1 == "Convolve" { printf "%s ", $2 }' out)" == "2:4 3:9 "
# With constant taps: 17 of this filter's 49 are not 0.
xray 0 step8_baked_filter --filter motion-blur --filter-width 7 --kernel Convolve_Baked
counts Convolve_Baked multiply_adds=17 tap_loads=0

# What has no filter. Of 128 x 32 pixels 126 x 30 are inside and have all their neighbours.
inside() { # NUMBER [MORE]: a pixel's share of NUMBER for each pixel inside and MORE for every pixel
  awk -v inside="$1" -v all="${2-0}" 'BEGIN { printf "%.4g", inside * 126 * 30 / (128 * 32) + all }'
}
xray 0 median
# Three rows sorted by 6 each; 8 for the largest low, median middle and smallest high; 4 for the middle one of these.
# Two comparisons find the end of the picture, four its border.
counts median_gray min_max=30 min_max_instructions=30 comparisons=6 input_loads=9
# Vectors of four channels.
counts median_channels min_max=120 min_max_instructions=30 comparisons=6
# Six columns sorted for four pixels, as a vector of four and one of two.
counts median_channels_x4 min_max=$((4 * (6 * 6 / 4 + 12))) min_max_instructions=6
# Eight outputs from ten rows sorted by 6, or 5 where neighbours share pairs; 10 for each output.
for kernel in median_gray_rows:17.5 median_gray_x16:1.094 median_float_x4:4.375; do
  counts "${kernel%:*}" min_max=17.5 min_max_instructions="${kernel#*:}"
done
counts median_gray_packed min_max=16.25 min_max_instructions=8.125
# 21 comparisons of luminances inside, one of which is in vain, so that a compiler may leave it out.
counts medianfilter_rgba min_max=0 comparisons="$(inside 20 6)..$(inside 21 6)"
committed median.csv 10
expect "the table does not show what is compared" grep -q '^median_gray  *30  *9  *6 ' out
xray 0 edge_conditions
# Five loads, four sums and a quotient. The branches leave out a load and a sum on each side of the image.
counts Smooth_Branches input_loads=4.922 other_arithmetic=4.922 comparisons=4 branches=4 min_max=0 stores=1
counts Smooth_Padded input_loads=5 other_arithmetic=5 comparisons=0 branches=0 min_max=0 stores=1
counts Smooth_Clamp input_loads=5 other_arithmetic=5 comparisons=0 branches=0 min_max=4 stores=1
counts Smooth_Interior input_loads="$(inside 5)" other_arithmetic="$(inside 5)" min_max=0 stores="$(inside 1)"
counts Smooth_Image input_loads=5 other_arithmetic=5 stores=1
committed edge_conditions.csv 6
expect "the table is wider than 80 columns" eval "! grep -q '.\{81\}' out"

# --- Changed kernels --------------------------------------------------------------------------------

changed() { # FILE SED_EXPRESSION: the kernels with it, in changed.cl
  sed "$2" "$repository/$1" > changed.cl
  expect "nothing to replace: $2" eval "! cmp -s changed.cl '$repository/$1'"
}
# Column by column: no two of 32 neighbours share a sector. The image is square, so the result stays right.
xray 0 step1_naive --filter-width 3 --size 64x64 --kernel-file "$repository/step1_naive/swapped.cl"
counts Convolve sectors=32 least_sectors=4
xray 0 step1_naive --filter-width 3 --size 64x64 --against "$repository/step1_naive/swapped.cl"
counts Convolve sectors=4..5 least_sectors=4
counts Convolve:swapped sectors=32 least_sectors=4
# One load and one multiply-add more for each output; the result is wrong, and counted all the same.
changed step1_naive/convolution.cl 's/^\( *\)output\[/\1sum += input[0] * 0.5f;\n&/'
xray 2 step1_naive --filter-width 3 --kernel-file changed.cl
counts Convolve multiply_adds=10 input_loads=10 tap_loads=9
expect "does not say what is wrong" grep -q 'Convolve, filter width 3: wrong at (0, 0)' err

# Medians: a copy of what median/README.md is made from, fresh at first.
mkdir -p copy/plots
cp -r "$repository"/{tutorial,kernels.csv,tools,median} copy
cp -r "$repository"/plots/{data,xray} copy/plots
fresh() { # EXPECTED_STATUS
  local status=0
  "$build/readme_tool" --check --root copy median/README.md > out 2> err || status=$?
  expect "readme_tool: exit status $status, not $1" test "$status" == "$1"
}
fresh 0
# One `min` less, and so one `max` whose result nobody uses. The result is wrong, and the README stale in one table.
changed median/median.cl '/^__kernel void median_float(/,/^}/s/min(min(high0, high1), high2)/min(high0, high1)/'
xray 2 median --kernel-file changed.cl
counts median_float min_max=28 min_max_instructions=28 comparisons=6
counts median_gray min_max=30
cp csv copy/plots/xray/median.csv
fresh 1
expect "not one stale table" eval "test \$(wc -l < err) == 1 && grep -q 'README.md:[0-9]*: .*xray/median.csv' err"
# One `max` spelled out: a comparison and a select.
changed median/median.cl '/^__kernel void median_float(/,/^}/s/max(max(low0, low1), low2)/max(low0 < low1 ? low1 : low0, low2)/'
xray 0 median --kernel median_float --kernel-file changed.cl
counts median_float min_max=29 comparisons=7 selects=2

# --- The committed counts ---------------------------------------------------------------------------

xray 0 step9_autotune --filter-width 7 --kernel Convolve_Local,Convolve_Float4,Convolve_Local:tight,Convolve_Block,Convolve_Fast,Convolve_Local_Read4_UnrollAll
committed ladder.csv 7
expect "the table does not name the tile's work-groups" grep -qx 'Work-groups: 32x4, and 16x16 where the program names them.' out
expect "the table does not show the other sums" grep -q '^Convolve_Fast  *38.5  *1.88  *-  *-  *0.25  *6 ' out
expect "the table is wider than 80 columns" eval "! grep -q '.\{81\}' out"
for group in 16x16 32x8 64x4 256x1; do
  xray 0 step5_local_memory --work-group "$group" --size 256x16 --filter-width 7 --kernel Convolve_Local
  committed "group-$group.csv" 2
done
xray 0 step1_naive --size 64x64 --against "$repository/step1_naive/swapped.cl"
committed swapped.csv 2
xray 0 step9_autotune --filter motion-blur --kernel Convolve_Baked,Convolve_Baked16
committed motion-blur.csv 3
# A row for each helper too.
# Its rows at width 31, too, would take twenty seconds; what changes them changes those at width 7.
xray 0 own_step --filter-width 7
committed own_step.csv 3
counts_of_rows=$(awk -F, '/^kernel,/ { for (i = 1; i <= NF; ++i) if ($i == "multiply_adds") c = i } /_Rows,7,/ { print $c }' csv)
# 7 taps for each of 32 + 6 rows where there are 32 outputs.
expect "Convolve_Separable_Rows: $counts_of_rows multiply-adds" test "$counts_of_rows" == "$(awk 'BEGIN { printf "%.4g", 7 * 38 / 32 }')"
while IFS=, read -r kernel step file _; do
  [[ $step != [1-9]* || -z $file ]] || expect "plots/xray/ has no $kernel" \
    grep -q "^$kernel,7," "$repository"/plots/xray/{ladder,motion-blur}.csv
done < "$repository/kernels.csv"

# --- The table and the pictures ---------------------------------------------------------------------

xray 0 step7_register_block --filter-width 5 --kernel Convolve_Block --svg pictures
expect "the table is wider than 80 columns" eval "! grep -q '.\{81\}' out"
# 8 rows of 2 float4 for 16 outputs.
expect "the table has no Convolve_Block" grep -q '^Convolve_Block  *25  *1 ' out
for kernel in Convolve Convolve_Block; do
  expect "no picture of $kernel" grep -q "$kernel, 5 × 5" "pictures/$kernel-5.svg"
  ! command -v rsvg-convert > /dev/null || expect "picture of $kernel" rsvg-convert "pictures/$kernel-5.svg"
done
# A work-item loads 25 inputs, the group 36 x 8, one square each; 2 x 20 for the legends, 1 paper, 2 frames.
expect "squares of Convolve" test "$(grep -c '<rect' pictures/Convolve-5.svg)" == $((25 + 36 * 8 + 2 * 20 + 3))

# --- Bad input --------------------------------------------------------------------------------------

for arguments in '--warp 33' '--warp' '--work-group 0x4' '--work-group 32' '--filter-width 99'; do
  # shellcheck disable=SC2086  # an option with its value
  xray 1 step1_naive $arguments
  expect "$arguments: not one line on stderr" test "$(wc -l < err)" == 1
done
xray 1 step1_naive --kernel-file missing.cl
expect "does not name the file" grep -q 'missing.cl' err

echo "$checks checks, $failures failures"
((failures == 0))
