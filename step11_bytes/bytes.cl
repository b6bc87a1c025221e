// A kernel in which each work-item computes a block of outputs from pixels of one byte, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DSHIFT=n, -DINPUT_WIDTH=n, -DOUTPUT_WIDTH=n,
// the lengths of the rows, and -DBLOCK_WIDTH=n (a multiple of 4) and -DBLOCK_HEIGHT=n. In front of
// it, it puts the filter's taps, each times 2^SHIFT and rounded, as constants:
//     __constant int baked_filter[] = {...};
// An output is the sum of tap * pixel, plus HALF, shifted right by SHIFT, and limited to 0..255:
// exact, in integers.

#define HALF ((1 << SHIFT) / 2)
// A block needs INPUT_ROWS rows of the input, and WINDOW pixels of each, in whole uchar4s.
#define INPUT_ROWS (BLOCK_HEIGHT + FILTER_WIDTH - 1)
#define WINDOW ((BLOCK_WIDTH + FILTER_WIDTH - 1 + 3) / 4 * 4)

// An array can live in registers only if no function is really called with it.
#define INLINED __attribute__((always_inline)) inline

// Adds input row i of the block, 0..INPUT_ROWS - 1, to the sums of the output rows that use it.
// A tap that is 0 costs nothing.
INLINED void add_row(const __global uchar* row, int i, int sum[BLOCK_HEIGHT][BLOCK_WIDTH]) {
  if (i >= INPUT_ROWS) {
    return;
  }
  int window[WINDOW];
#pragma unroll
  for (int w = 0; w < WINDOW; w += 4) {
    const uchar4 quad = *(const __global uchar4*)&row[w];
    window[w] = quad.x;
    window[w + 1] = quad.y;
    window[w + 2] = quad.z;
    window[w + 3] = quad.w;
  }
#pragma unroll
  for (int c = 0; c < FILTER_WIDTH; c++) {
#pragma unroll
    for (int t = 0; t < BLOCK_HEIGHT; t++) {
      const int r = i - t;  // the filter's row for output row t
      if (r >= 0 && r < FILTER_WIDTH && baked_filter[r * FILTER_WIDTH + c] != 0) {
#pragma unroll
        for (int v = 0; v < BLOCK_WIDTH; v++) {
          sum[t][v] += baked_filter[r * FILTER_WIDTH + c] * window[c + v];
        }
      }
    }
  }
}

// Stores a row of the block, as far as the image reaches: `columns` from here. by_uchar4: the image
// has whole uchar4s in a row, so that each is aligned, and is inside the image or outside.
INLINED void store_row(
    __global uchar* row, int columns, bool by_uchar4, const int sum[BLOCK_WIDTH]) {
#pragma unroll
  for (int v = 0; v < BLOCK_WIDTH; v += 4) {
    const int4 four = (int4)(sum[v], sum[v + 1], sum[v + 2], sum[v + 3]) >> SHIFT;
    const uchar4 pixels = convert_uchar4(clamp(four, 0, 255));
    if (by_uchar4 && v < columns) {
      *(__global uchar4*)&row[v] = pixels;
    } else if (!by_uchar4) {
      // clang-format off
      if (v < columns) { row[v] = pixels.x; }
      if (v + 1 < columns) { row[v + 1] = pixels.y; }
      if (v + 2 < columns) { row[v + 2] = pixels.z; }
      if (v + 3 < columns) { row[v + 3] = pixels.w; }
      // clang-format on
    }
  }
}

// Compilers stop unrolling long loops, whatever a pragma says, so the rows are written out. 48 are
// enough for the widest filter and blocks of up to 17 rows; those beyond the block's last vanish.
#define ADD_ROW(i) add_row(row + (i)*INPUT_WIDTH, i, sum);
#define ADD_FOUR_ROWS(i) ADD_ROW(i) ADD_ROW(i + 1) ADD_ROW(i + 2) ADD_ROW(i + 3)
#define ADD_SIXTEEN_ROWS(i) \
  ADD_FOUR_ROWS(i) ADD_FOUR_ROWS(i + 4) ADD_FOUR_ROWS(i + 8) ADD_FOUR_ROWS(i + 12)

// Convolve_Bytes: Convolve_Baked for bytes.
__kernel void Convolve_Bytes(
    const __global uchar* restrict input, __constant int* filter, __global uchar* restrict output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= OUTPUT_WIDTH || y >= output_height) {
    return;
  }

  int sum[BLOCK_HEIGHT][BLOCK_WIDTH];
#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < BLOCK_WIDTH; v++) {
      sum[t][v] = HALF;
    }
  }
  const __global uchar* row = input + y * INPUT_WIDTH + x;
  ADD_SIXTEEN_ROWS(0)
  ADD_SIXTEEN_ROWS(16)
  ADD_SIXTEEN_ROWS(32)

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    if (y + t < output_height) {
      __global uchar* pixels = output + (y + t) * OUTPUT_WIDTH + x;
      store_row(pixels, OUTPUT_WIDTH - x, OUTPUT_WIDTH % 4 == 0, sum[t]);
    }
  }
}
