// Kernels that convolve by Fourier transforms of tiles, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n and -DOUTPUT_WIDTH=n, and puts two
// arrays in front of it: twiddle[] and root[], TILE / 2 factors each. It has made room in the input
// for what the tiles at the right and lower edge read beyond the image.

#define TILE 64
#define LEVELS 6  // TILE is 2 to the power of LEVELS
// Outputs of a tile in each direction: the others are wrong, because there the filter reaches over
// the tile's end and finds the tile's beginning.
#define STEP (TILE - FILTER_WIDTH + 1)

// An array can live in registers only if no function is really called with it.
#define INLINED __attribute__((always_inline)) inline

// (a, b) becomes (a + factor * b, a - factor * b), in six multiply-adds.
INLINED void butterfly(float2* a, float2* b, float2 factor) {
  const float2 sum = (float2)(
      a->x + factor.x * b->x - factor.y * b->y, a->y + factor.x * b->y + factor.y * b->x);
  *b = 2.0f * *a - sum;
  *a = sum;
}

// The complex product.
INLINED float2 multiply(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// TILE values in their order become TILE sums of waves in bit-reversed order. Each level halves the
// blocks of the level before; all butterflies of a block have the same factor.
INLINED void forward(float2 value[TILE]) {
#pragma unroll
  for (int level = 0; level < LEVELS; level++) {
    const int distance = TILE >> (level + 1);
#pragma unroll
    for (int i = 0; i < TILE / 2; i++) {
      const int block = i / distance;           // 0..2^level - 1
      const int k = block * distance + i;       // in the block's first distance
      butterfly(&value[k], &value[k + distance], twiddle[block]);
    }
  }
}

// The way back, but for a factor of TILE: bit-reversed order becomes order again. Each level joins
// two blocks of the level before; here the factor depends on the place in the block.
INLINED void inverse(float2 value[TILE]) {
#pragma unroll
  for (int level = 0; level < LEVELS; level++) {
    const int distance = 1 << level;
#pragma unroll
    for (int i = 0; i < TILE / 2; i++) {
      const int k = i / distance * distance + i;
      butterfly(&value[k], &value[k + distance], root[i % distance * (TILE / 2 / distance)]);
    }
  }
}

// Work-item i holds column i of the tile and gets row i, or the other way round: real parts first,
// imaginary parts then, which takes distance the local memory. A work-item writes only where it alone
// has read before, so that one barrier a part is enough.
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
  __local float part[TILE][TILE + 1];         // one more, so that a column is in all banks too
  const int i = get_local_id(0);              // 0..TILE - 1
  const int x = get_group_id(0) * STEP + i;   // this column of both tiles
  const int y = get_group_id(1) * 2 * STEP;   // first row of the upper tile
  float2 value[TILE];

  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = (float2)(pixel[k * INPUT_WIDTH], pixel[(k + STEP) * INPUT_WIDTH]);
  }
  forward(value);
  transpose(value, part, i);
  forward(value);
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = multiply(value[k], spectrum[k * TILE + i]);
  }
  inverse(value);
  transpose(value, part, i);
  inverse(value);

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
