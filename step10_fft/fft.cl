// Kernels that convolve by Fourier transforms of tiles, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n, -DOUTPUT_WIDTH=n and -DSTEP_X=n,
// and puts two arrays of TILE / 2 factors in front of it: twiddle[] and root[]. It has made room in
// the input for what the tiles at the right and lower edge read beyond the image.

#define TILE 64
#define LEVELS 6  // TILE is 2 to the power of LEVELS
// Outputs of a tile downwards; to the right there are STEP_X, as many or a few less. The others are
// wrong: for them the filter reaches over the tile's end, where it finds the tile's beginning.
#define STEP_Y (TILE - FILTER_WIDTH + 1)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

INLINED float2 multiply(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// (a, b) becomes (a + factor * b, a - factor * b), in six multiply-adds. known: the compiler knows the
// factor, and 1, i and -i need no multiplication.
INLINED void butterfly(float2* a, float2* b, float2 factor, bool known) {
  float2 sum;
  if (known && factor.y == 0.0f) {
    sum = *a + *b;
  } else if (known && factor.x == 0.0f) {
    sum = (float2)(a->x - factor.y * b->y, a->y + factor.y * b->x);
  } else {
    sum.x = a->x + factor.x * b->x - factor.y * b->y;
    sum.y = a->y + factor.x * b->y + factor.y * b->x;
  }
  *b = 2.0f * *a - sum;
  *a = sum;
}

// `levels` levels of the forward transform of block `block`, whose values are `stride` apart. Each
// level halves the blocks; all butterflies of a block have the same factor. What was in order ends
// up in bit-reversed order.
INLINED void forward(float2* value, int levels, int stride, int block, bool known) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = 1 << (levels - 1 - level);
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int part = i / distance;  // 0..2^level - 1
      const int k = (part * distance + i) * stride;
      const float2 factor = twiddle[(block << level) + part];
      butterfly(&value[k], &value[k + distance * stride], factor, known);
    }
  }
}

// `levels` levels of the inverse transform: bit-reversed order becomes order again, and the values
// are TILE times too large after LEVELS levels. Each level joins two blocks; here the factor depends
// on the place in the block. Value k stands at place first + k * places.
INLINED void inverse(float2* value, int levels, int stride, int first, int places, bool known) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = 1 << level;
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int k = (i / distance * distance + i) * stride;
      const int place = first + i % distance * places;  // 0..distance * places - 1
      const float2 factor = root[place * (TILE / 2 / (distance * places))];
      butterfly(&value[k], &value[k + distance * stride], factor, known);
    }
  }
}

// Work-item i holds column i of the tile and gets row i, or the other way round: real parts first,
// then imaginary parts, which takes half the local memory. A work-item writes only where nobody but
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

// Kernel 22: two tiles side by side, as the real and the imaginary part of one. A work-item is a
// column of the tile, then a row, then a column again.
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void Convolve_Fft(
    const __global float* restrict input, const __global float2* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  __local float part[TILE][TILE + 1];            // one more: a column too is in all banks
  const int i = get_local_id(0);                 // 0..TILE - 1
  const int x = get_group_id(0) * 2 * STEP_X + i;  // this column of the left tile
  const int y = get_group_id(1) * STEP_Y;        // both tiles' first row
  float2 value[TILE];

  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = (float2)(pixel[k * INPUT_WIDTH], pixel[k * INPUT_WIDTH + STEP_X]);
  }
  forward(value, LEVELS, 1, 0, true);
  transpose(value, part, i);
  forward(value, LEVELS, 1, 0, true);
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = multiply(value[k], spectrum[k * TILE + i]);
  }
  inverse(value, LEVELS, 1, 0, 1, true);
  transpose(value, part, i);
  inverse(value, LEVELS, 1, 0, 1, true);

  // How many of this column's outputs are in the image, in the left and in the right tile.
  const int left = i < STEP_X && x < OUTPUT_WIDTH ? output_height - y : 0;
  const int right = i < STEP_X && x + STEP_X < OUTPUT_WIDTH ? output_height - y : 0;
  __global float* result = output + y * OUTPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < STEP_Y; k++) {
    if (k < left) {
      result[k * OUTPUT_WIDTH] = value[k].x;
    }
    if (k < right) {
      result[k * OUTPUT_WIDTH + STEP_X] = value[k].y;
    }
  }
}

// Kernel 23: kernel 22 with 4 * TILE work-items, each of which holds 16 values at a time.
__kernel __attribute__((reqd_work_group_size(TILE, 4, 1))) void Convolve_Fft_Shared(
    const __global float* restrict input, const __global float2* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  __local float2 tile[TILE][TILE + 1];             // one more: a column too is in all banks
  const int i = get_local_id(0);                   // 0..TILE - 1: a column of the tile, or a row
  const int quarter = get_local_id(1);             // 0..3
  const int down = 4 * quarter + i / 16;           // 0..15
  const int right = i % 16;                        // 0..15
  const int x = get_group_id(0) * 2 * STEP_X + i;  // this column of the left tile
  const int y = get_group_id(1) * STEP_Y + quarter;
  float2 value[16];

  // Every fourth row of a column: the first four levels downwards.
  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = (float2)(pixel[4 * k * INPUT_WIDTH], pixel[4 * k * INPUT_WIDTH + STEP_X]);
  }
  forward(value, 4, 1, 0, true);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    tile[quarter + 4 * k][i] = value[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Four rows of every 16th column: the last two levels downwards, and the first two to the right.
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = tile[4 * down + k / 4][right + k % 4 * 16];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    forward(value + k, 2, 4, down, false);
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    forward(value + 4 * k, 2, 1, 0, true);
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
  forward(value, 4, 1, quarter, false);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = multiply(value[k], spectrum[(16 * quarter + k) * TILE + i]);
  }
  inverse(value, 4, 1, 0, 1, true);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    tile[i][16 * quarter + k] = value[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Four rows of every 16th column again: two levels back to the left, and two upwards.
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = tile[4 * down + k / 4][right + k % 4 * 16];
  }
  // inverse() for values 16 apart. The factors come from the buffer, where root[] stands behind the
  // spectrum: constant memory is slow when neighbours want different elements.
  const float2 near = spectrum[TILE * TILE + 2 * right];
  const float2 far = spectrum[TILE * TILE + right];
  const float2 farther = spectrum[TILE * TILE + right + 16];
#pragma unroll
  for (int k = 0; k < 16; k += 4) {
    butterfly(&value[k], &value[k + 1], near, false);
    butterfly(&value[k + 2], &value[k + 3], near, false);
    butterfly(&value[k], &value[k + 2], far, false);
    butterfly(&value[k + 1], &value[k + 3], farther, false);
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    inverse(value + k, 2, 4, 0, 1, true);
  }
#pragma unroll
  for (int k = 0; k < 16; k++) {
    if (k % 4 * 16 < STEP_X) {  // the other columns are not needed any more
      tile[4 * down + k / 4][right + k % 4 * 16] = value[k];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= STEP_X) {
    return;
  }

  // Every fourth row of a column again: the last four levels upwards.
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = tile[quarter + 4 * k][i];
  }
  inverse(value, 4, 1, quarter, 4, false);
  // How many more rows there are from here, in the left and in the right tile.
  const int rows = min(STEP_Y - quarter, output_height - y);
  const int rows_left = x < OUTPUT_WIDTH ? rows : 0;
  const int rows_right = x + STEP_X < OUTPUT_WIDTH ? rows : 0;
  __global float* result = output + y * OUTPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; 4 * k < STEP_Y; k++) {
    if (4 * k < rows_left) {
      result[4 * k * OUTPUT_WIDTH] = value[k].x;
    }
    if (4 * k < rows_right) {
      result[4 * k * OUTPUT_WIDTH + STEP_X] = value[k].y;
    }
  }
}
