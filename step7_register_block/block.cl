// Kernels in which each work-item computes more than one output, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DBLOCK_WIDTH=n (a multiple of 4) and
// -DBLOCK_HEIGHT=n. It has made room in the input for what the blocks at the right and lower edge
// read beyond the image.

// Convolve_Two: two outputs side by side. They share all inputs but one at each end, so each input
// is loaded once and used twice.
__kernel void Convolve_Two(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * 2;  // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);      // 0..output_height - 1, or beyond it
  if (x >= output_width || y >= output_height) {
    return;
  }

  float left = 0.0f;
  float right = 0.0f;
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
    float pixel = input[input_row];
    for (int c = 0; c < FILTER_WIDTH; c++) {
      const float next = input[input_row + c + 1];
      left += filter[filter_row + c] * pixel;
      right += filter[filter_row + c] * next;
      pixel = next;
    }
  }
  output[y * output_width + x] = left;
  if (x + 1 < output_width) {
    output[y * output_width + x + 1] = right;
  }
}

// A block needs INPUT_ROWS rows of the input, and WINDOW pixels of each, in whole float4s. All its
// output rows use the rows from FIRST_FULL_ROW up to FULL_ROWS_END.
#define INPUT_ROWS (BLOCK_HEIGHT + FILTER_WIDTH - 1)
#define FIRST_FULL_ROW (BLOCK_HEIGHT - 1)
#define FULL_ROWS_END (FILTER_WIDTH > FIRST_FULL_ROW ? FILTER_WIDTH : FIRST_FULL_ROW)
#define WINDOW ((BLOCK_WIDTH + FILTER_WIDTH - 1 + 3) / 4 * 4)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// Adds input row i of the block, 0..INPUT_ROWS - 1, to the sums of the output rows that use it.
// full: all of them do.
INLINED void add_row(
    const __global float* row, __constant float* filter, int i, bool full,
    float sum[BLOCK_HEIGHT][BLOCK_WIDTH]) {
  float window[WINDOW];
#pragma unroll
  for (int w = 0; w < WINDOW; w += 4) {
    const float4 quad = *(const __global float4*)&row[w];
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
      if (full || (r >= 0 && r < FILTER_WIDTH)) {
#pragma unroll
        for (int v = 0; v < BLOCK_WIDTH; v++) {
          sum[t][v] += filter[r * FILTER_WIDTH + c] * window[c + v];
        }
      }
    }
  }
}

// Stores a row of the block, as far as the image reaches: `columns` from here. by_float4: the image
// has whole float4s in a row, so that each is aligned, and is inside the image or outside.
INLINED void store_row(
    __global float* row, int columns, bool by_float4, const float sum[BLOCK_WIDTH]) {
#pragma unroll
  for (int v = 0; v < BLOCK_WIDTH; v++) {
    if (by_float4 && v % 4 == 0 && v < columns) {
      *(__global float4*)&row[v] = (float4)(sum[v], sum[v + 1], sum[v + 2], sum[v + 3]);
    } else if (!by_float4 && v < columns) {
      row[v] = sum[v];
    }
  }
}

// Convolve_Block: a block of BLOCK_WIDTH x BLOCK_HEIGHT outputs. Each input row is loaded once,
// into registers, and serves all output rows that it lies under.
__kernel void Convolve_Block(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  float sum[BLOCK_HEIGHT][BLOCK_WIDTH] = {{0.0f}};
  const __global float* row = input + y * input_width + x;
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
    if (y + t < output_height) {
      __global float* pixels = output + (y + t) * output_width + x;
      store_row(pixels, output_width - x, output_width % 4 == 0, sum[t]);
    }
  }
}

// Convolve_Block_Restrict: Convolve_Block, with the promise that the output does not overlap the
// input.
__kernel void Convolve_Block_Restrict(
    const __global float* restrict input, __constant float* filter, __global float* restrict output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  float sum[BLOCK_HEIGHT][BLOCK_WIDTH] = {{0.0f}};
  const __global float* row = input + y * input_width + x;
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
    if (y + t < output_height) {
      __global float* pixels = output + (y + t) * output_width + x;
      store_row(pixels, output_width - x, output_width % 4 == 0, sum[t]);
    }
  }
}
