// The kernels of the tutorial. Each step's file is its predecessor's and what the step adds.
//
// All of them compute the same, for every output pixel:
//     output[y][x] = sum over r, c of filter[r][c] * input[y + r][x + c]
// with r and c in 0..filter_width-1. The host has padded the input, so no kernel tests for the
// image's edges. input_width is the row pitch of the padded input in floats.

// Convolve: one work-item per output pixel, nothing optimised. The 100 % line of every chart.
__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    for (int c = 0; c < filter_width; c++) {
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum;
}

// The first of two passes for a filter that is a column of taps times a row of taps:
//     output[y][x] = sum over c of row[c] * input[y][x + c]
// for every row of the padded input. Its name begins with that of the kernel below, which it helps.
__kernel void Convolve_Separable_Rows(
    const __global float* input, __constant float* row, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..padded height - 1

  float sum = 0.0f;
  const int input_row = y * input_width + x;
  for (int c = 0; c < filter_width; c++) {
    sum += row[c] * input[input_row + c];
  }
  output[y * output_width + x] = sum;
}

// The second pass. Its input is the output of the first, so input_width is the output's width:
//     output[y][x] = sum over r of column[r] * input[y + r][x]
__kernel void Convolve_Separable(
    const __global float* input, __constant float* column, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    sum += column[r] * input[(y + r) * input_width + x];
  }
  output[y * output_width + x] = sum;
}

// Both passes in blocks (step 7). The host builds the file with -DFILTER_WIDTH=n, -DVECTOR=n
// (floats in a vector: 16, 8 or 4), -DBLOCK_WIDTH=n and -DBLOCK_HEIGHT=n, and has made room for
// what blocks at the edges read beyond the image.

#define VECTORS (BLOCK_WIDTH / VECTOR)
#define WINDOW ((BLOCK_WIDTH + FILTER_WIDTH - 1 + VECTOR - 1) / VECTOR)

// Of such a vector: its type, how to load and how to store it, such as float8, vload8 and vstore8.
#define JOIN(name, n) name##n
#define JOINED(name, n) JOIN(name, n)
#define floatN JOINED(float, VECTOR)
#define vloadN JOINED(vload, VECTOR)
#define vstoreN JOINED(vstore, VECTOR)

// Stores past the cache, which would first read what the store replaces.
#if defined(__x86_64__) || defined(__aarch64__)
#define STORE_PAST_CACHE(pixels, row) __builtin_nontemporal_store(pixels, (__global floatN*)(row))
#else
#define STORE_PAST_CACHE(pixels, row) vstoreN(pixels, 0, row)
#endif

// Convolve_Separable_Block16: for CPUs. A work-item computes the sums of columns for its block, and
// for what the filter adds to its width, in vectors; then the sums of these along the rows.
// What lies between the passes stays in the cache.
__kernel void Convolve_Separable_Block16(
    const __global float* input, __constant float* column, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __constant float* row) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  float between[BLOCK_HEIGHT][VECTOR * WINDOW];
  for (int w = 0; w < WINDOW; w++) {
    floatN sum[BLOCK_HEIGHT] = {0.0f};
#pragma unroll
    for (int i = 0; i < BLOCK_HEIGHT + FILTER_WIDTH - 1; i++) {  // an input row of the block
      const floatN pixels = vloadN(w, input + (y + i) * input_width + x);
#pragma unroll
      for (int t = 0; t < BLOCK_HEIGHT; t++) {
        const int r = i - t;  // the filter's row for output row t
        if (r >= 0 && r < FILTER_WIDTH) {
          sum[t] += column[r] * pixels;
        }
      }
    }
#pragma unroll
    for (int t = 0; t < BLOCK_HEIGHT; t++) {
      vstoreN(sum[t], w, between[t]);
    }
  }

  for (int v = 0; v < VECTORS; v++) {
    floatN sum[BLOCK_HEIGHT] = {0.0f};
#pragma unroll
    for (int c = 0; c < FILTER_WIDTH; c++) {
#pragma unroll
      for (int t = 0; t < BLOCK_HEIGHT; t++) {
        sum[t] += row[c] * vloadN(v, between[t] + c);
      }
    }
    const int columns = output_width - x - VECTOR * v;  // that the image has from here on
    for (int t = 0; t < BLOCK_HEIGHT && y + t < output_height; t++) {
      __global float* pixels = output + (y + t) * output_width + x + VECTOR * v;
      if (output_width % VECTOR == 0 && columns > 0) {
        STORE_PAST_CACHE(sum[t], pixels);
        continue;
      }
      float pixel[VECTOR];
      vstoreN(sum[t], 0, pixel);
      for (int i = 0; i < VECTOR && i < columns; i++) {
        pixels[i] = pixel[i];
      }
    }
  }
}

// Convolve_Separable_Shared: for GPUs. A group of 128 work-items computes 128 x 16 outputs. Each
// adds up its columns in registers, for 16 rows at a time, and shares the sums in local memory.
// Then each adds up 16 outputs of a row, and hands them over to be stored by column.

#define TILE_WIDTH 128
#define TILE_HEIGHT 16
#define TILE_PITCH 161  // floats between rows: 5 * 32 + 1, so that 16 rows begin in 16 banks

__kernel __attribute__((reqd_work_group_size(TILE_WIDTH, 1, 1))) void Convolve_Separable_Shared(
    const __global float* input, __constant float* column, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __constant float* row) {
  __local float tile[TILE_HEIGHT][TILE_PITCH];
  const int group_x = get_group_id(0) * TILE_WIDTH;   // the group's first column and row,
  const int group_y = get_group_id(1) * TILE_HEIGHT;  // in the image
  const int item = get_local_id(0);                   // 0..127
  const int columns = TILE_WIDTH + FILTER_WIDTH - 1;

  for (int tile_x = item; tile_x < columns; tile_x += TILE_WIDTH) {
    float sum[TILE_HEIGHT] = {0.0f};
#pragma unroll
    for (int i = 0; i < TILE_HEIGHT + FILTER_WIDTH - 1; i++) {  // a row of the input
      const float pixel = input[(group_y + i) * input_width + group_x + tile_x];
#pragma unroll
      for (int t = 0; t < TILE_HEIGHT; t++) {
        const int r = i - t;  // the filter's row for output row t
        if (r >= 0 && r < FILTER_WIDTH) {
          sum[t] += column[r] * pixel;
        }
      }
    }
#pragma unroll
    for (int t = 0; t < TILE_HEIGHT; t++) {
      tile[t][tile_x] = sum[t];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // all sums are there

  // The same, turned by a quarter: 16 outputs side by side in one of the tile's rows.
  __local float* pixels = &tile[item % 16][item / 16 * 16];
  float sum[16] = {0.0f};
#pragma unroll
  for (int i = 0; i < 16 + FILTER_WIDTH - 1; i++) {  // a column of the tile
    const float pixel = pixels[i];
#pragma unroll
    for (int t = 0; t < 16; t++) {
      const int c = i - t;  // the filter's column for output column t
      if (c >= 0 && c < FILTER_WIDTH) {
        sum[t] += row[c] * pixel;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // everybody has read
#pragma unroll
  for (int t = 0; t < 16; t++) {
    pixels[t] = sum[t];
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // all outputs are there

  const int x = group_x + item;
  for (int t = 0; t < TILE_HEIGHT; t++) {
    const int y = group_y + t;
    if (x < output_width && y < output_height) {
      output[y * output_width + x] = tile[t][item];
    }
  }
}
