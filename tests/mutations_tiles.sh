#!/usr/bin/env bash
# As mutations.sh, for the kernels that compute blocks: they stand on functions above them, and have two
# forms (--lanes). Each mistake must be noticed in every form that contains it.
# usage: mutations_tiles.sh PROGRAM KERNEL_FILE PREDECESSOR'S_KERNEL_FILE
set -eu
program=$1
kernel_file=$2
predecessor=$3
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
count=0

# The lines of a kernel and of the functions and macros above it: from the end of the kernel before.
lines_of() {
  awk -v name="$1" '/^__kernel void / { inside = 1; wanted = index($0, " " name "(") > 0 }
    inside && /^}/ { if (wanted) print from + 1 "," NR; inside = 0; from = NR }' "$kernel_file"
} 2> /dev/null  # bash announces a crash

run() {
  status=0
  "$program" --verify-only --size "$size" --filter "$filter" --filter-width "$width" --lanes "$lanes" --tile "$tile" \
    --kernel "$kernel" --kernel-file "$1" > "$folder/out" 2> "$folder/err" || status=$?
}

# mistake FORMS SED_EXPRESSION: FORMS are of the names below. The expression must change something.
mistake() {
  local form size filter lanes tile width
  sed "$(lines_of "$kernel") { $2 }" "$kernel_file" > "$folder/broken.cl"
  if cmp -s "$kernel_file" "$folder/broken.cl"; then
    echo "CHANGES NOTHING: $kernel with $2"
    exit 1
  fi
  for form in ${1//,/ }; do
    width=5
    case $form in
      float | pairs) size=37x23 filter=random lanes=1 tile=4x2 ;;
      float_aligned) size=48x23 filter=random lanes=1 tile=4x2 ;;
      float16) size=37x23 filter=random lanes=16 tile=16x2 ;;
      float16_aligned) size=48x23 filter=random lanes=16 tile=16x2 ;;
      # At width 5 the blur still has most taps.
      float16_sparse) size=37x23 filter=motion-blur width=7 lanes=16 tile=16x2 ;;
      *) exit 1 ;;
    esac
    run "$folder/broken.cl"
    # A wrong pixel, a write outside, or a crash.
    if [ "$status" -ne 139 ] && ! { [ "$status" -eq 2 ] &&
      grep -Eq "$kernel.*(wrong at \([0-9]+, [0-9]+\): expected .*, got |outside)" "$folder/err"; }; then
      echo "NOT NOTICED (exit status $status): $kernel, $form, with $2"
      cat "$folder/out" "$folder/err"
      exit 1
    fi
    noticed[$form]=$((${noticed[$form]-0} + 1))
  done
}

# What all these kernels have in common; some call the image's width by a constant.
mistakes_of_blocks() {
  mistake "$1" 's/\(const int x = get_global_id(0) \* TILE_WIDTH\)/\1 + 4/'
  mistake "$1" 's/\(const int y = get_global_id(1) \* TILE_HEIGHT\)/\1 + 1/'
  mistake "$1" 's/(y + t < output_height)/(y + t <= output_height)/'
  mistake "$1" 's/(y + t) \* \([A-Za-z_]*\) + x;/(y + t) * \1 + x + 1;/'
  mistake "$1" 's/\(store_row(output_row, [A-Za-z_]* - x\)/\1 + 1/'
  mistake "$1" 's/\(sum\[t\]\[[vp]\].*\) = 0.0f;/\1 = 0.001f;/'
  mistake "$1" 's/row = input + y \*/row = input + (y + 1) */'
}

# The three loops over rows, in Convolve_Tile and, by float16, in Convolve_Baked.
mistakes_of_loops() {
  mistake "$1" 's/i < TILE_HEIGHT - 1; i++, row/i < TILE_HEIGHT - 2; i++, row/'
  mistake "$1" 's/int i = TILE_HEIGHT - 1; i < FILTER_WIDTH;/int i = TILE_HEIGHT; i < FILTER_WIDTH;/'
  mistake "$1" 's/i < TILE_ROWS; i++/i < TILE_ROWS - 1; i++/'
  mistake "$1" 's/add_row(row, \([a-z_]*\), i, true/add_row(row + 1, \1, i, true/'
}

mistakes_of_a_row() { # FORMS, of add_row() or add_baked_row()
  mistake "$1" 's/const int r = i - t;/const int r = i - t + 1;/'
  mistake "$1" 's/r < FILTER_WIDTH\([) ]\)/r < FILTER_WIDTH - 1\1/'
  mistake "$1" 's/(int c = 0; c < FILTER_WIDTH;/(int c = 1; c < FILTER_WIDTH;/'
  mistake "$1" 's/\[r \* FILTER_WIDTH + c\], pixels/[c * FILTER_WIDTH + r], pixels/'
  mistake "$1" 's/pixels(row, window, c, v), sum/pixels(row, window, c, 0 * v), sum/'
}

mapfile -t kernels < <(sed -n 's/^__kernel void \([A-Za-z0-9_]*\)(.*/\1/p' "$kernel_file")
for kernel in "${kernels[@]}"; do
  grep -q " $kernel(" "$predecessor" && continue
  declare -A noticed=()
  case $kernel in
    Convolve_Tile)
      mistakes_of_blocks float,float16
      mistakes_of_loops float,float16
      mistakes_of_a_row float
      mistake float16 's/(int c = 0; c < FILTER_WIDTH;/(int c = 1; c < FILTER_WIDTH;/'
      mistake float 's/return window\[c + v\]/return window[c + v + 1]/'
      mistake float,float_aligned 's/= quad.w;/= quad.z;/'
      mistake float 's/q < WINDOW; q += 4/q < WINDOW - 4; q += 4/'
      mistake float 's/row\[v\] = sum\[v\]/row[v] = sum[0]/'
      mistake float_aligned 's/sum\[v + 3\])/sum[v + 2])/'
      mistake float_aligned 's/v % 4 == 0 && v < columns/v % 8 == 4 \&\& v < columns/'
      mistake float,float16 's/output_width % 16 == 0/output_width % 16 != 0/'
      mistake float16 's/vload16(v, row + c)/vload16(v, row + c + 1)/'
      mistake float16 's/row\[16 \* v + k\] = lanes\[k\]/row[16 * v + k] = lanes[0]/'
      mistake float16 's/vstore16(sum\[v\], v, row)/vstore16(1.001f * sum[v], v, row)/'
      mistake float16_aligned 's/STORE_FINAL(sum\[v\], (/STORE_FINAL(1.001f * sum[v], (/'
      mistake float16 's/16 \* v + 16 <= columns/16 * v + 15 <= columns + 15/'
      ;;
    Convolve_Baked)
      mistakes_of_blocks float,float16,float16_sparse
      mistakes_of_loops float16
      mistakes_of_a_row float
      # Its taps are those of a diagonal, so some mistakes change nothing there.
      mistake float16_sparse 's/const int r = i - t;/const int r = i - t + 1;/'
      mistake float16_sparse 's/(int c = 0; c < FILTER_WIDTH;/(int c = 1; c < FILTER_WIDTH;/'
      mistake float 's/\] != 0.0f)/] > 0.0f)/'
      mistake float16_sparse 's/\] != 0.0f)/] == 0.0f)/'
      mistake float,float16_sparse 's/(i >= TILE_ROWS)/(i >= TILE_ROWS - 1)/'
      mistake float,float16_sparse 's/ROW(i + 2)/ROW(i + 3)/'
      mistake float,float16_sparse 's/EIGHT(ROW, 0)/EIGHT(ROW, 1)/'
      mistake float,float16_sparse 's/(row + (i)\*INPUT_WIDTH/(row + (i + 1)*INPUT_WIDTH/'
      mistake float,float16 's/OUTPUT_WIDTH % 16 == 0/OUTPUT_WIDTH % 16 != 0/'
      ;;
    Convolve_Fast)
      mistakes_of_blocks pairs
      mistake pairs 's/const int r = i - t;/const int r = i - t + 1;/'
      mistake pairs 's/r < FILTER_WIDTH)/r < FILTER_WIDTH - 1)/'
      mistake pairs 's/(i >= TILE_ROWS)/(i >= TILE_ROWS - 1)/'
      mistake pairs 's/window\[2 \* k\] - window\[2 \* k + 1\]/window[2 * k + 1] - window[2 * k]/'
      mistake pairs 's/window\[2 \* k + 2\] - window/window[2 * k] - window/'
      mistake pairs 's/fma(a + b,/fma(a - b,/'
      mistake pairs 's/fma(b, rise/fma(a, rise/'
      mistake pairs 's/const int k = p + c \/ 2;/const int k = p + c;/'
      mistake pairs 's/fma(a, window\[2 \* k + 1\]/fma(a, window[2 * k]/'
      mistake pairs 's/r \* FILTER_WIDTH + c + 1\]/r * FILTER_WIDTH + c]/'
      mistake pairs 's/sum\[t\]\[p\]\[1\] + sum\[t\]\[p\]\[2\]/sum[t][p][0] + sum[t][p][2]/'
      mistake pairs 's/(row + (i)\*INPUT_WIDTH/(row + (i + 1)*INPUT_WIDTH/'
      mistake pairs 's/OUTPUT_WIDTH % 16 == 0/OUTPUT_WIDTH % 16 != 0/'
      ;;
    *)
      echo "no mistakes are known for $kernel"
      exit 1
      ;;
  esac
  for form in "${!noticed[@]}"; do
    echo "$kernel, $form: ${noticed[$form]} mistakes noticed"
    count=$((count + noticed[$form]))
  done
done
echo "$count mistakes noticed"
[ "$count" -ge 20 ]
