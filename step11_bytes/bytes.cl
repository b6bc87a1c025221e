// A kernel in which each work-item computes a block of outputs from pixels of one byte, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n, -DOUTPUT_WIDTH=n, the lengths
// of the rows, and -DBLOCK_WIDTH=n (a multiple of 4) and -DBLOCK_HEIGHT=n. In front of it, it puts
// the filter's taps, which have been rounded to 16 bits, as constants, and a macro that does
// something for each input row of a block:
//     __constant float baked_filter[] = {...};
//     #define FOR_EACH_INPUT_ROW(DO) DO(0) DO(1) ...
// Sums are floats. If the exact sum is almost halfway between two grey levels, their rounding may
// decide for the other one.

#define HALF 0.5f
// A block needs WINDOW pixels of an input row, in whole uchar4s.
#define WINDOW ((BLOCK_WIDTH + FILTER_WIDTH - 1 + 3) / 4 * 4)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// Adds input row i of the block, to the sums of the output rows that use it.
// A tap that is 0 costs nothing.
INLINED void add_row(const __global uchar* row, int i, float sum[BLOCK_HEIGHT][BLOCK_WIDTH]) {
  float window[WINDOW];
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
      if (r >= 0 && r < FILTER_WIDTH && baked_filter[r * FILTER_WIDTH + c] != 0.0f) {
#pragma unroll
        for (int v = 0; v < BLOCK_WIDTH; v++) {
          sum[t][v] += baked_filter[r * FILTER_WIDTH + c] * window[c + v];
        }
      }
    }
  }
}

// Four pixels as one word, each without its fraction and limited to 0..255.
INLINED uint pack(float s0, float s1, float s2, float s3) {
  return as_uint(convert_uchar4_sat((float4)(s0, s1, s2, s3)));
}

// Stores a row of the block, as far as the image reaches: `columns` from here. by_word: the image
// has whole words of four pixels in a row, so that each is aligned, and is inside the image or
// outside.
INLINED void store_row(
    __global uchar* row, int columns, bool by_word, const float sum[BLOCK_WIDTH]) {
#pragma unroll
  for (int v = 0; v < BLOCK_WIDTH; v++) {
    const int first = v / 4 * 4;
    const uint word = pack(sum[first], sum[first + 1], sum[first + 2], sum[first + 3]);
    if (by_word && v % 4 == 0 && v < columns) {
      *(__global uint*)&row[v] = word;
    } else if (!by_word && v < columns) {
      row[v] = word >> 8 * (v % 4);
    }
  }
}

// Compilers stop unrolling long loops, whatever a pragma says, so the host writes out this one.
#define ADD_ROW(i) add_row(row + (i)*INPUT_WIDTH, i, sum);

// Convolve_Bytes: Convolve_Baked for bytes. Each becomes a float as soon as it is loaded.
__kernel void Convolve_Bytes(
    const __global uchar* restrict input, __constant float* filter, __global uchar* restrict output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= OUTPUT_WIDTH || y >= output_height) {
    return;
  }

  float sum[BLOCK_HEIGHT][BLOCK_WIDTH];
#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < BLOCK_WIDTH; v++) {
      sum[t][v] = HALF;
    }
  }
  const __global uchar* row = input + y * INPUT_WIDTH + x;
  FOR_EACH_INPUT_ROW(ADD_ROW)

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    if (y + t < output_height) {
      __global uchar* pixels = output + (y + t) * OUTPUT_WIDTH + x;
      store_row(pixels, OUTPUT_WIDTH - x, OUTPUT_WIDTH % 4 == 0, sum[t]);
    }
  }
}
