// A kernel in which each work-item computes a block of outputs from pixels of one byte, as vectors,
// for CPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DVECTOR=n (16 pixels, or as many floats as the
// CPU's vectors have: 8 or 4), -DBLOCK_WIDTH=n (a multiple of that) and -DBLOCK_HEIGHT=n. It has
// made room in the input for what the blocks at the right and lower edge read beyond the image. The
// taps are floats that have been rounded to 16 bits. Sums are floats, as in Convolve_Bytes.

// Of a vector of VECTOR numbers: its types, and how to load, to store and to convert it, such as
// float8, vload8, vstore8 and convert_float8.
#define JOIN(name, n) name##n
#define JOINED(name, n) JOIN(name, n)
#define floatN JOINED(float, VECTOR)
#define ucharN JOINED(uchar, VECTOR)
#define vloadN JOINED(vload, VECTOR)
#define vstoreN JOINED(vstore, VECTOR)
#define convert_floatN JOINED(convert_float, VECTOR)
#define convert_intN JOINED(convert_int, VECTOR)
#define convert_ucharN JOINED(convert_uchar, VECTOR)

// A block needs INPUT_ROWS rows of the input. All its output rows use the rows from FIRST_FULL_ROW
// up to FULL_ROWS_END.
#define VECTORS (BLOCK_WIDTH / VECTOR)
#define INPUT_ROWS (BLOCK_HEIGHT + FILTER_WIDTH - 1)
#define FIRST_FULL_ROW (BLOCK_HEIGHT - 1)
#define FULL_ROWS_END (FILTER_WIDTH > FIRST_FULL_ROW ? FILTER_WIDTH : FIRST_FULL_ROW)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// Adds input row i of the block, 0..INPUT_ROWS - 1, to the sums of the output rows that use it.
// full: all of them do. To load a vector again, one pixel further, costs less than to shift it.
INLINED void add_row(
    const __global uchar* row, __constant float* filter, int i, bool full,
    floatN sum[BLOCK_HEIGHT][VECTORS]) {
  for (int c = 0; c < FILTER_WIDTH; c++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      const floatN pixels = convert_floatN(vloadN(v, row + c));
#pragma unroll
      for (int t = 0; t < BLOCK_HEIGHT; t++) {
        const int r = i - t;  // the filter's row for output row t
        if (full || (r >= 0 && r < FILTER_WIDTH)) {
          sum[t][v] += filter[r * FILTER_WIDTH + c] * pixels;
        }
      }
    }
  }
}

// Stores a vector of pixels, each without its fraction and limited to 0..255, or as many as the
// image's row has left: `columns`.
INLINED void storeN(__global uchar* row, int columns, floatN sum) {
  const ucharN pixels = convert_ucharN(convert_intN(fmax(fmin(sum, 255.0f), 0.0f)));
  if (columns >= VECTOR) {
    vstoreN(pixels, 0, row);
  } else {
    uchar pixel[VECTOR];
    vstoreN(pixels, 0, pixel);
    for (int v = 0; v < columns; v++) {
      row[v] = pixel[v];
    }
  }
}

// Convolve_Bytes16: Convolve_Block16 for bytes.
__kernel void Convolve_Bytes16(
    const __global uchar* input, __constant float* filter, __global uchar* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  floatN sum[BLOCK_HEIGHT][VECTORS];
#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      sum[t][v] = 0.5f;
    }
  }
  const __global uchar* row = input + y * input_width + x;
#pragma unroll
  for (int i = 0; i < FIRST_FULL_ROW; i++, row += input_width) {
    add_row(row, filter, i, false, sum);
  }
  for (int i = FIRST_FULL_ROW; i < FILTER_WIDTH; i++, row += input_width) {
    add_row(row, filter, i, true, sum);
  }
#pragma unroll
  for (int i = FULL_ROWS_END; i < INPUT_ROWS; i++, row += input_width) {
    add_row(row, filter, i, false, sum);
  }

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      if (y + t < output_height) {
        const int column = x + VECTOR * v;
        storeN(output + (y + t) * output_width + column, output_width - column, sum[t][v]);
      }
    }
  }
}
