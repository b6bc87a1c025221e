// Kernels that convolve by Fourier transforms of tiles, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n, -DOUTPUT_WIDTH=n and
// -DSTEP_X=n, and puts two arrays of TILE / 2 factors in front of it: twiddle[] and root[]. It has
// made room in the input for what the tiles at the right and lower edge read beyond the image.

#define TILE 64
#define LEVELS 6          // TILE is 2 to the power of LEVELS
#define PITCH (TILE + 1)  // of a tile's rows: a column too is in all banks
// Outputs of a tile downwards; to the right there are STEP_X, as many or a few less. The others are
// wrong: for them the filter reaches over the tile's end, where it finds the tile's beginning.
#define STEP_Y (TILE - FILTER_WIDTH + 1)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

INLINED float2 multiply(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// (a, b) becomes (a + factor * b, a - factor * b), in six multiply-adds. known: the compiler knows
// the factor, and 1, i and -i need no multiplication.
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

// `levels` levels of the forward transform of block `block`. Each level halves the blocks; all
// butterflies of a block have the same factor. What was in order ends up in bit-reversed order.
INLINED void forward(float2* value, int levels, int block, bool known) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = 1 << (levels - 1 - level);
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int part = i / distance;  // 0..2^level - 1
      const int k = part * distance + i;
      butterfly(&value[k], &value[k + distance], twiddle[(block << level) + part], known);
    }
  }
}

// `levels` levels of the inverse transform: bit-reversed order becomes order again, and the values
// are TILE times too large after LEVELS levels. Each level joins two blocks; here the factor
// depends on the place in the block. Value k stands at place first + k * places.
INLINED void inverse(float2* value, int levels, int first, int places, bool known) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = 1 << level;
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int k = i / distance * distance + i;
      const int place = first + i % distance * places;  // 0..distance * places - 1
      const float2 factor = root[place * (TILE / 2 / (distance * places))];
      butterfly(&value[k], &value[k + distance], factor, known);
    }
  }
}

// Work-item i holds column i of the tile and gets row i, or the other way round: real parts first,
// then imaginary parts, which takes half the local memory. A work-item writes only where nobody but
// it has read before, so one barrier is enough for each part.
INLINED void transpose(float2 value[TILE], __local float part[TILE][PITCH], int i) {
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

// Convolve_Fft: two tiles side by side, as the real and the imaginary part of one. A work-item is a
// column of the tile, then a row, then a column again.
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void Convolve_Fft(
    const __global float* restrict input, const __global float2* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  __local float part[TILE][PITCH];
  const int i = get_local_id(0);                   // 0..TILE - 1
  const int x = get_group_id(0) * 2 * STEP_X + i;  // this column of the left tile
  const int y = get_group_id(1) * STEP_Y;          // both tiles' first row
  float2 value[TILE];

  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = (float2)(pixel[k * INPUT_WIDTH], pixel[k * INPUT_WIDTH + STEP_X]);
  }
  forward(value, LEVELS, 0, true);
  transpose(value, part, i);
  forward(value, LEVELS, 0, true);
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = multiply(value[k], spectrum[k * TILE + i]);
  }
  inverse(value, LEVELS, 0, 1, true);
  transpose(value, part, i);
  inverse(value, LEVELS, 0, 1, true);

  const int columns = i < STEP_X ? OUTPUT_WIDTH - x : 0;  // that the image has from here
  __global float* result = output + y * OUTPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < STEP_Y; k++) {
    if (y + k < output_height && columns > 0) {
      result[k * OUTPUT_WIDTH] = value[k].x;
    }
    if (y + k < output_height && columns > STEP_X) {
      result[k * OUTPUT_WIDTH + STEP_X] = value[k].y;
    }
  }
}

// Two levels of a transform of four values: a, b at stride_b from it, c at stride_c, d at both.
INLINED void two_levels(
    float2* a, int stride_b, int stride_c, float2 ab, float2 ac, float2 bd, bool known) {
  butterfly(a, a + stride_b, ab, known);
  butterfly(a + stride_c, a + stride_b + stride_c, ab, known);
  butterfly(a, a + stride_c, ac, known);
  butterfly(a + stride_b, a + stride_b + stride_c, bd, known);
}

// The tile's values change hands through local memory: value k goes to to[k / 4 * to_4 + k % 4 *
// to_1] and the next one comes from from[k / 4 * from_4 + k % 4 * from_1]. A work-item writes only
// where nobody but it has read before, so one barrier is enough. Of every four values only the
// first `kept` are needed by anybody.
INLINED void exchange(
    float2* value, __local float2* to, int to_4, int to_1, int kept, const __local float2* from,
    int from_4, int from_1) {
#pragma unroll
  for (int k = 0; k < 16; k++) {
    if (k % 4 < kept) {
      to[k / 4 * to_4 + k % 4 * to_1] = value[k];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = from[k / 4 * from_4 + k % 4 * from_1];
  }
}

// Convolve_Fft_Shared: Convolve_Fft with 4 * TILE work-items, each of which holds 16 values at a
// time: first every fourth of a column, then every 16th of four rows, then a quarter of a row, and
// the same way back.
__kernel __attribute__((reqd_work_group_size(TILE, 4, 1))) void Convolve_Fft_Shared(
    const __global float* restrict input, const __global float2* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  __local float2 tile[TILE * PITCH];
  const int i = get_local_id(0);                   // 0..TILE - 1: a column of the tile, or a row
  const int quarter = get_local_id(1);             // 0..3
  const int four = 4 * quarter + i / 16;           // 0..15: these four rows
  const int across = i % 16;                       // 0..15
  const int x = get_group_id(0) * 2 * STEP_X + i;  // this column of the left tile
  const int y = get_group_id(1) * STEP_Y + quarter;
  __local float2* column = tile + quarter * PITCH + i;      // every fourth value from here
  __local float2* rows = tile + 4 * four * PITCH + across;  // every 16th value of four rows
  __local float2* row = tile + i * PITCH + 16 * quarter;    // 16 values of a row
  float2 value[16];

  // Downwards, the first four levels.
  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = (float2)(pixel[4 * k * INPUT_WIDTH], pixel[4 * k * INPUT_WIDTH + STEP_X]);
  }
  forward(value, 4, 0, true);
  exchange(value, column, 16 * PITCH, 4 * PITCH, 4, rows, PITCH, 16);

  // The last two levels downwards, and the first two to the right. Where neighbours want different
  // factors, these come from the buffer, behind the spectrum: constant memory gives one at a time.
  const __global float2* factor = spectrum + TILE * TILE;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    two_levels(&value[k], 8, 4, factor[four], factor[2 * four], factor[2 * four + 1], false);
  }
#pragma unroll
  for (int k = 0; k < 16; k += 4) {
    two_levels(&value[k], 2, 1, twiddle[0], twiddle[0], twiddle[1], true);
  }
  exchange(value, rows, PITCH, 16, 4, row, 4, 1);

  // The last four levels to the right, the product, and the first four levels back.
  forward(value, 4, quarter, false);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = multiply(value[k], spectrum[(16 * quarter + k) * TILE + i]);
  }
  inverse(value, 4, 0, 1, true);
  exchange(value, row, 4, 1, 4, rows, PITCH, 16);

  // Two levels back to the left, then two upwards.
  factor += TILE / 2;
#pragma unroll
  for (int k = 0; k < 16; k += 4) {
    two_levels(&value[k], 1, 2, factor[2 * across], factor[across], factor[across + 16], false);
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    two_levels(&value[k], 4, 8, root[0], root[0], root[16], true);
  }
  exchange(value, rows, PITCH, 16, (STEP_X + 15) / 16, column, 16 * PITCH, 4 * PITCH);

  if (i >= STEP_X) {
    return;
  }

  // The last four levels upwards, and the outputs that are in the tile and in the image. The
  // compiler knows some of them to be outside of the tile, and does not compute them.
  inverse(value, 4, quarter, 4, false);
  const int rows_left = min(STEP_Y - quarter, output_height - y);
  const int left = x < OUTPUT_WIDTH ? rows_left : 0;
  const int right = x + STEP_X < OUTPUT_WIDTH ? rows_left : 0;
  __global float* result = output + y * OUTPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    if (4 * k < STEP_Y && 4 * k < left) {
      result[4 * k * OUTPUT_WIDTH] = value[k].x;
    }
    if (4 * k < STEP_Y && 4 * k < right) {
      result[4 * k * OUTPUT_WIDTH + STEP_X] = value[k].y;
    }
  }
}
