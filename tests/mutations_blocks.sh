#!/usr/bin/env bash
# As mutations.sh, for the kernels of one of Part II's files, which stand on functions and macros that
# several of them may use.
# usage: mutations_blocks.sh BUILD_DIR STEP FILE
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/programs.bash" "$1"
program=$build/$2
require_built "$program"
file=$3
kernel_file=$repository/$2/$file
declare -A noticed=()

# A cross, with hardly any taps, of both signs.
awk 'BEGIN {
  for (r = 0; r < 9; r++) {
    for (c = 0; c < 9; c++) printf "%s ", (r == 2 || c == 6 ? 0.25 * r - c + 0.125 : 0)
    print ""
  }
}' > cross.txt

run() { # KERNELS
  interpreted "$program" --verify-only --kernel "$1" --kernel-file broken.cl "${arguments[@]}" > out 2> err
  status=$?
} 2> /dev/null # bash announces a crash

is_named() {
  ((status == 2)) && grep -Eq "$1,.*(wrong at \([0-9]+, [0-9]+\): expected .*, got |outside)" err
}

# mistake KERNELS FORMS SED_EXPRESSION: every kernel of the file whose name begins with KERNELS must be
# found wrong in every one of the FORMS, in which the image's rows are ragged or whole vectors.
mistake() {
  local names name form arguments
  sed "$3" "$kernel_file" > broken.cl
  if cmp -s "$kernel_file" broken.cl; then
    report_failure "changes nothing: $3"
    return
  fi
  names=$(kernels_where "file == \"$file\" && /^$1/")
  [[ -n $names ]] || report_failure "no such kernel: $1"
  for form in ${2//,/ }; do
    case $form in
      ragged) arguments=(--size "$ragged") ;;
      # Of the last block at most half lies within the image.
      whole) arguments=(--size "$whole") ;;
    esac
    arguments+=("${filter[@]}" --block "$block")
    run "$names"
    for name in ${names//,/ }; do
      checks=$((checks + 1))
      if ! is_named "$name"; then
        run "$name"
        ((status == 139)) || is_named "$name" ||
          report_failure "not noticed (exit status $status): $name, $form, with $3"
      fi
      noticed[$name]=$((${noticed[$name]-0} + 1))
    done
  done
}

# What all kernels with blocks have in common; some call the lengths of the rows by constants.
mistakes_of_blocks() { # KERNELS
  mistake "$1" ragged 's/\(const int x = get_global_id(0) \* BLOCK_WIDTH\)/\1 + 4/'
  mistake "$1" ragged 's/\(const int y = get_global_id(1) \* BLOCK_HEIGHT\)/\1 + 1/'
  mistake "$1" ragged 's/(y + t < output_height)/(y + t <= output_height)/'
  mistake "$1" ragged 's/(y + t < output_height)/(y + t < output_height - 1)/'
  mistake "$1" ragged 's/\(float[0-9]* [a-z]*\[.*\) = {{0.0f}};/\1 = {{0.001f}};/'
  mistake "$1" ragged 's/row = input + y \*/row = input + (y + 1) */'
  mistake "$1" ragged 's/\(row = input + .*\) + x;/\1 + x + 1;/'
  mistake "$1" ragged 's/const int r = i - t;/const int r = i - t + 1;/'
  mistake "$1" ragged 's/r < FILTER_WIDTH\([) ]\)/r < FILTER_WIDTH - 1\1/'
  mistake "$1" ragged 's/(r >= 0 \&\&/(r >= 1 \&\&/'
}

# How store_row() stores: pixel by pixel where rows are ragged, else by float4.
mistakes_of_store_row() { # KERNELS
  mistake "$1" ragged 's/row\[v\] = sum\[v\]/row[v] = sum[0]/'
  mistake "$1" ragged 's/!by_float4 && v < columns/!by_float4 \&\& v < columns - 1/'
  mistake "$1" ragged 's/!by_float4 && v < columns/!by_float4 \&\& v <= columns/'
  mistake "$1" ragged 's/WIDTH % 4 == 0/WIDTH % 4 != 0/;s/width % 4 == 0/width % 4 != 0/'
  mistake "$1" whole 's/sum\[v + 3\])/sum[v + 2])/'
  mistake "$1" whole 's/(float4)(sum\[v\]/(float4)(sum[0]/'
  mistake "$1" whole 's/v % 4 == 0 && v < columns/v % 8 == 4 \&\& v < columns/'
  mistake "$1" whole 's/v % 4 == 0 && v < columns/v % 4 == 0 \&\& v < columns - 4/'
  mistake "$1" whole 's/by_float4 && v % 4 == 0 && v < columns/by_float4 \&\& v % 4 == 0/'
}

# How store16() stores: a vector, or what is left of the row.
mistakes_of_store16() { # KERNELS
  mistake "$1" ragged 's/columns >= 16/columns >= 1/'
  mistake "$1" ragged 's/row\[v\] = pixel\[v\]/row[v] = pixel[0]/'
  mistake "$1" ragged 's/v < columns; v++/v < columns - 1; v++/'
  mistake "$1" ragged 's/int column = x + 16 \* v/int column = x + 16 * v + 1/'
  mistake "$1" ragged 's/vstore16(pixels, 0, row)/vstore16(1.001f * pixels, 0, row)/'
}

# The three loops over the rows of the input where they are not written out.
mistakes_of_loops() { # KERNELS
  mistake "$1" ragged 's/i < FIRST_FULL_ROW; i++/i < FIRST_FULL_ROW - 1; i++/'
  mistake "$1" ragged 's/int i = FIRST_FULL_ROW;/int i = FIRST_FULL_ROW + 1;/'
  mistake "$1" ragged 's/i < FILTER_WIDTH; i++/i < FILTER_WIDTH + 1; i++/'
  mistake "$1" ragged 's/int i = FULL_ROWS_END;/int i = FULL_ROWS_END + 1;/'
  mistake "$1" ragged 's/i < INPUT_ROWS; i++/i < INPUT_ROWS - 1; i++/'
  mistake "$1" ragged 's/add_row(row, filter, i, true/add_row(row + 1, filter, i, true/'
  mistake "$1" ragged 's/add_row(row, filter, i, false/add_row(row + 1, filter, i, false/'
}

# Rows that are written out. The filter and the block need those of the last macro too.
mistakes_of_rows() { # KERNELS
  mistake "$1" ragged 's/(i >= INPUT_ROWS)/(i >= INPUT_ROWS - 1)/'
  mistake "$1" ragged 's/ADD_ROW(i + 2)/ADD_ROW(i + 3)/'
  mistake "$1" ragged 's/ADD_FOUR_ROWS(i + 4)/ADD_FOUR_ROWS(i + 8)/'
  mistake "$1" ragged 's/^  ADD_SIXTEEN_ROWS(0)//'
  mistake "$1" ragged 's/(row + (i)\*INPUT_WIDTH/(row + (i + 1)*INPUT_WIDTH/'
}

# Another window, of the kernels with floats.
mistakes_of_window() { # KERNELS
  mistake "$1" ragged 's/w < WINDOW; w += 4/w < WINDOW - 4; w += 4/'
  mistake "$1" ragged 's/\] = quad.w;/] = quad.z;/'
  mistake "$1" ragged 's/\] = quad.x;/] = quad.y;/'
  mistake "$1" ragged 's/global float4\*)&row\[w\]/global float4*)\&row[0]/'
}

filter=(--filter random --filter-width 5)
case $file in
  block.cl)
    block=8x2
    ragged=21x11
    whole=28x11
    mistake Convolve_Two ragged 's/get_global_id(0) \* 2;/get_global_id(0) * 2 + 1;/'
    mistake Convolve_Two ragged 's/int y = get_global_id(1);/int y = get_global_id(1) + 1;/'
    mistake Convolve_Two ragged 's/float left = 0.0f/float left = 0.001f/'
    mistake Convolve_Two ragged 's/float right = 0.0f/float right = 0.001f/'
    mistake Convolve_Two ragged 's/for (int r = 0; r < FILTER_WIDTH/for (int r = 1; r < FILTER_WIDTH/'
    mistake Convolve_Two ragged 's/for (int c = 0; c < FILTER_WIDTH; c++) {$/for (int c = 1; c < FILTER_WIDTH; c++) {/'
    mistake Convolve_Two ragged 's/input\[input_row + c + 1\]/input[input_row + c]/'
    mistake Convolve_Two ragged 's/pixel = input\[input_row\]/pixel = input[input_row + 1]/'
    mistake Convolve_Two ragged 's/pixel = next/next/'
    mistake Convolve_Two ragged 's/(y + r) \* input_width/(y - r) * input_width/'
    mistake Convolve_Two whole 's/(x + 1 < output_width)/(x + 2 < output_width)/'
    mistake Convolve_Two ragged 's/(x + 1 < output_width)/(x <= output_width)/'
    mistake Convolve_Two ragged 's/output_width + x + 1\] = right/output_width + x + 1] = left/'
    mistake Convolve_Two ragged 's/output_width + x\] = left/output_width + x] = right/'
    mistakes_of_blocks Convolve_Block
    mistakes_of_store_row Convolve_Block
    mistakes_of_loops Convolve_Block
    mistakes_of_window Convolve_Block
    mistake Convolve_Block ragged 's/window\[c + v\]/window[c]/'
    mistake Convolve_Block ragged 's/window\[c + v\]/window[v]/'
    mistake Convolve_Block ragged 's/filter\[r \* FILTER_WIDTH + c\] \* window/filter[c * FILTER_WIDTH + r] * window/'
    mistake Convolve_Block ragged 's/output + (y + t) \* output_width + x/& + 1/'
    mistake Convolve_Block whole 's/output + (y + t) \* output_width + x/& + 4/'
    ;;
  block16.cl)
    block=32x2
    ragged=37x11
    whole=48x11
    mistakes_of_blocks Convolve_Block16
    mistakes_of_store16 Convolve_Block16
    mistakes_of_loops Convolve_Block16
    mistake Convolve_Block16 ragged 's/for (int c = 0; c < FILTER_WIDTH/for (int c = 1; c < FILTER_WIDTH/'
    mistake Convolve_Block16 ragged 's/vload16(v, row + c)/vload16(v, row + c + 1)/'
    mistake Convolve_Block16 ragged 's/vload16(v, row + c)/vload16(0, row + c)/'
    mistake Convolve_Block16 ragged 's/filter\[r \* FILTER_WIDTH + c\]/filter[c * FILTER_WIDTH + r]/'
    # What is stored past the cache, and what is not.
    mistake Convolve_Block16_Stream whole 's/STORE_PAST_CACHE(sum\[t\]\[v\]/STORE_PAST_CACHE(1.001f * sum[t][v]/'
    mistake Convolve_Block16_Stream whole 's/STORE_PAST_CACHE(sum\[t\]\[v\], pixels)/STORE_PAST_CACHE(sum[t][v], pixels + 16)/'
    mistake Convolve_Block16_Stream whole 's/ && column < output_width)/)/'
    mistake Convolve_Block16_Stream ragged 's/output_width % 16 == 0 &&/output_width % 16 != 0 \&\&/'
    mistake Convolve_Block16_Stream ragged 's/store16(pixels, output_width - column/store16(pixels, output_width - column + 1/'
    ;;
  baked.cl)
    block=8x2
    ragged=21x11
    whole=28x11
    mistakes_of_blocks Convolve_Baked
    mistakes_of_store_row Convolve_Baked
    mistakes_of_window Convolve_Baked
    mistakes_of_rows Convolve_Baked
    mistake Convolve_Baked ragged 's/(int c = 0; c < FILTER_WIDTH;/(int c = 1; c < FILTER_WIDTH;/'
    mistake Convolve_Baked ragged 's/window\[c + v\]/window[c]/'
    mistake Convolve_Baked ragged 's/\] != 0.0f)/] > 0.0f)/'
    mistake Convolve_Baked ragged 's/\] \* window/] * 1.001f * window/'
    mistake Convolve_Baked ragged 's/output + (y + t) \* OUTPUT_WIDTH + x/& + 1/'
    mistake Convolve_Baked whole 's/output + (y + t) \* OUTPUT_WIDTH + x/& + 4/'
    ;;
  baked16.cl)
    block=32x2
    ragged=37x11
    whole=48x11
    filter=(--filter cross.txt)
    mistakes_of_blocks Convolve_Baked16
    mistakes_of_store16 Convolve_Baked16
    mistakes_of_rows Convolve_Baked16
    mistake Convolve_Baked16 ragged 's/(int c = 0; c < FILTER_WIDTH;/(int c = 1; c < FILTER_WIDTH;/'
    mistake Convolve_Baked16 ragged 's/vload16(v, row + c)/vload16(v, row + c + 1)/'
    mistake Convolve_Baked16 ragged 's/vload16(v, row + c)/vload16(0, row + c)/'
    mistake Convolve_Baked16 ragged 's/\] != 0.0f)/] == 0.0f)/'
    mistake Convolve_Baked16 ragged 's/\] != 0.0f)/] > 0.0f)/'
    ;;
  fast.cl)
    block=8x2
    ragged=21x11
    whole=28x11
    mistakes_of_blocks Convolve_Fast
    mistakes_of_store_row Convolve_Fast
    mistakes_of_window Convolve_Fast
    mistakes_of_rows Convolve_Fast
    mistake Convolve_Fast ragged 's/window\[2 \* k\] - window\[2 \* k + 1\]/window[2 * k + 1] - window[2 * k]/'
    mistake Convolve_Fast ragged 's/window\[2 \* k + 2\] - window/window[2 * k] - window/'
    mistake Convolve_Fast ragged 's/2 \* k + 2 < WINDOW ?/2 * k + 2 < WINDOW - 4 ?/'
    mistake Convolve_Fast ragged 's/const int k = pair + c \/ 2;/const int k = pair + c;/'
    mistake Convolve_Fast ragged 's/c < FILTER_WIDTH - 1; c += 2/c < FILTER_WIDTH - 3; c += 2/'
    mistake Convolve_Fast ragged 's/taps\[c\] \* fall/taps[c + 1] * fall/'
    mistake Convolve_Fast ragged 's/(taps\[c\] + taps\[c + 1\])/(taps[c] - taps[c + 1])/'
    mistake Convolve_Fast ragged 's/taps\[c + 1\] \* rise/taps[c] * rise/'
    mistake Convolve_Fast ragged 's/FILTER_WIDTH % 2 == 1/FILTER_WIDTH % 2 == 0/'
    mistake Convolve_Fast ragged 's/window\[2 \* pair + FILTER_WIDTH - 1\]/window[2 * pair + FILTER_WIDTH]/'
    mistake Convolve_Fast ragged 's/window\[2 \* pair + FILTER_WIDTH\]/window[2 * pair + FILTER_WIDTH - 1]/'
    mistake Convolve_Fast ragged 's/left\[t\]\[pair\] + both/left[t][pair] + right/'
    mistake Convolve_Fast ragged 's/both\[t\]\[pair\] + right/both[t][pair] + left/'
    mistake Convolve_Fast ragged 's/output + (y + t) \* OUTPUT_WIDTH + x/& + 1/'
    mistake Convolve_Fast whole 's/output + (y + t) \* OUTPUT_WIDTH + x/& + 4/'
    ;;
esac

# Rows beyond the sixteenth: a wider filter of hardly any taps, and a higher block.
if grep -q "^  ADD_SIXTEEN_ROWS(32)" "$kernel_file"; then
  awk 'BEGIN { for (r = 0; r < 18; r++) { for (c = 0; c < 18; c++) printf "%s ", (c == 6 ? r + 1 : 0); print "" } }' > column.txt
  filter=(--filter column.txt)
  block=$((${block%x*} / 2))x16
  ragged=37x23
  mistake Convolve ragged 's/^  ADD_SIXTEEN_ROWS(16)//'
  mistake Convolve ragged 's/^  ADD_SIXTEEN_ROWS(32)//'
fi

for name in $(kernels_where "file == \"$file\"" | tr ',' ' '); do
  echo "$name: ${noticed[$name]-0} mistakes noticed"
  ((${noticed[$name]-0} >= 10)) || report_failure "too few mistakes are known for $name"
done
echo "$checks mistakes, $failures failures"
((failures == 0))
