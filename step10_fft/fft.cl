// Kernels that convolve by Fourier transforms of tiles, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n and -DOUTPUT_WIDTH=n, and puts two
// arrays of TILE / 2 factors in front of it: twiddle[] and root[]. It has made room in the input for
// what the tiles at the right and lower edge read beyond the image.

#define TILE 64
#define LEVELS 6  // TILE is 2 to the power of LEVELS
// Outputs of a tile in each direction. The others are wrong: for them the filter reaches over the
// tile's end, where it finds the tile's beginning.
#define STEP (TILE - FILTER_WIDTH + 1)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// (a, b) becomes (a + factor * b, a - factor * b), in six multiply-adds.
INLINED void butterfly(float2* a, float2* b, float2 factor) {
  const float2 sum = (float2)(
      a->x + factor.x * b->x - factor.y * b->y, a->y + factor.x * b->y + factor.y * b->x);
  *b = 2.0f * *a - sum;
  *a = sum;
}

INLINED float2 multiply(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// `levels` levels of the forward transform of block `block`, whose values are `stride` apart. Each
// level halves the blocks; all butterflies of a block have the same factor. What was in order ends
// up in bit-reversed order.
INLINED void forward(float2* value, int levels, int stride, int block) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = 1 << (levels - 1 - level);
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int part = i / distance;  // 0..2^level - 1
      const int k = (part * distance + i) * stride;
      butterfly(&value[k], &value[k + distance * stride], twiddle[(block << level) + part]);
    }
  }
}

// `levels` levels of the inverse transform: bit-reversed order becomes order again, and the values
// are TILE times too large after LEVELS levels. Each level joins two blocks; here the factor depends
// on the place in the block. Value k stands at place first + k * places.
INLINED void inverse(float2* value, int levels, int stride, int first, int places) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = 1 << level;
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int k = (i / distance * distance + i) * stride;
      const int place = first + i % distance * places;  // 0..distance * places - 1
      const float2 factor = root[place * (TILE / 2 / (distance * places))];
      butterfly(&value[k], &value[k + distance * stride], factor);
    }
  }
}

// Work-item i holds column i of the tile and gets row i, or the other way round: real parts first,
// then imaginary parts, which takes part the local memory. A work-item writes only where nobody but
// it has read before, so one barrier is enough for each part.
INLINED void transpose(float2 value[TILE], __local float part[TILE][TILE + 1], int i) {
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    part[k][i] = value[k].x;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k].x = part[i][k];
    part[i][k] = value[k].y;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k].y = part[k][i];
  }
}

// Kernel 24: two tiles, one below the other, as the real and the imaginary part of one. A work-item
// is a column of the tile, then a row, then a column again.
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void Convolve_Fft(
    const __global float* restrict input, const __global float2* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  __local float part[TILE][TILE + 1];        // one more, so that a column is in all banks too
  const int i = get_local_id(0);             // 0..TILE - 1
  const int x = get_group_id(0) * STEP + i;  // this column of both tiles
  const int y = get_group_id(1) * 2 * STEP;  // the upper tile's first row
  float2 value[TILE];

  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = (float2)(pixel[k * INPUT_WIDTH], pixel[(k + STEP) * INPUT_WIDTH]);
  }
  forward(value, LEVELS, 1, 0);
  transpose(value, part, i);
  forward(value, LEVELS, 1, 0);
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = multiply(value[k], spectrum[k * TILE + i]);
  }
  inverse(value, LEVELS, 1, 0, 1);
  transpose(value, part, i);
  inverse(value, LEVELS, 1, 0, 1);

  if (i < STEP && x < OUTPUT_WIDTH) {
    __global float* result = output + y * OUTPUT_WIDTH + x;
#pragma unroll
    for (int k = 0; k < STEP; k++) {
      if (y + k < output_height) {
        result[k * OUTPUT_WIDTH] = value[k].x;
      }
      if (y + k + STEP < output_height) {
        result[(k + STEP) * OUTPUT_WIDTH] = value[k].y;
      }
    }
  }
}

// Kernel 25: kernel 24 with 4 * TILE work-items, each with 16 values of the tile instead of TILE.
__kernel __attribute__((reqd_work_group_size(TILE, 4, 1))) void Convolve_Fft_Shared(
    const __global float* restrict input, const __global float2* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  __local float2 tile[TILE][TILE + 1];  // one more, so that a column is in all banks too
  const int i = get_local_id(0);        // 0..TILE - 1: a column of the tile, or a row
  const int quarter = get_local_id(1);  // 0..3
  const int down = (quarter * TILE + i) / 16;   // 0..15: a block of 4 rows
  const int right = i % 16;                     // 0..15: every 16th column from here
  const int x = get_group_id(0) * STEP + i;  // this column of both tiles
  const int y = get_group_id(1) * 2 * STEP + quarter;  // the upper tile's first row of these
  float2 value[16];

  // Every fourth row of a column: the first four levels downwards.
  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = (float2)(pixel[4 * k * INPUT_WIDTH], pixel[(4 * k + STEP) * INPUT_WIDTH]);
  }
  forward(value, 4, 1, 0);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    tile[quarter + 4 * k][i] = value[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // 4 x 4 values: the last two levels downwards, and the first two to the right.
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = tile[4 * down + k / 4][right + k % 4 * 16];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    forward(value + k, 2, 4, down);
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    forward(value + 4 * k, 2, 1, 0);
  }
#pragma unroll
  for (int k = 0; k < 16; k++) {
    tile[4 * down + k / 4][right + k % 4 * 16] = value[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // A quarter of a row: the last four levels to the right, the product, and four levels back.
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = tile[i][16 * quarter + k];
  }
  forward(value, 4, 1, quarter);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = multiply(value[k], spectrum[(16 * quarter + k) * TILE + i]);
  }
  inverse(value, 4, 1, 0, 1);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    tile[i][16 * quarter + k] = value[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = tile[4 * down + k / 4][right + k % 4 * 16];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    inverse(value + 4 * k, 2, 1, right, 16);
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    inverse(value + k, 2, 4, 0, 1);
  }
#pragma unroll
  for (int k = 0; k < 16; k++) {
    tile[4 * down + k / 4][right + k % 4 * 16] = value[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (i < STEP && x < OUTPUT_WIDTH) {
#pragma unroll
    for (int k = 0; k < 16; k++) {
      value[k] = tile[quarter + 4 * k][i];
    }
    inverse(value, 4, 1, quarter, 4);
    __global float* result = output + y * OUTPUT_WIDTH + x;
#pragma unroll
    for (int k = 0; k < 16; k++) {
      if (quarter + 4 * k < STEP && y + 4 * k < output_height) {
        result[4 * k * OUTPUT_WIDTH] = value[k].x;
      }
      if (quarter + 4 * k < STEP && y + 4 * k + STEP < output_height) {
        result[(4 * k + STEP) * OUTPUT_WIDTH] = value[k].y;
      }
    }
  }
}
