// Kernels that convolve by Fourier transforms of tiles, for GPUs. The host defines FILTER_WIDTH,
// INPUT_WIDTH, OUTPUT_WIDTH and STEP_X; the input has room for tiles that reach beyond the image.
// In front of this file stand two arrays with powers of w = exp(2 pi i / 64):
//   twiddle[k], k < 32: w^K, with K the five bits of k in reverse: 1, i, s, is, ... (s is w^8)
//   root[k], k < 32: w^-k: 1, 1/w, 1/w^2, ...
// spectrum[64 * x + y] is the factor for place (x, y) of a transformed tile. With X and Y, the six
// bits of x and y in reverse, it is the sum of tap[r][c] * w^-(c * X + r * Y), divided by 64 * 64.

#define TILE 64           // 2^6: a transform has six levels
#define PITCH (TILE + 1)  // of a tile's rows: a column too is in all banks
// Rows that a tile gets right; further down the filter wraps around. STEP_X columns are kept.
#define STEP_Y (TILE - FILTER_WIDTH + 1)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

INLINED float2 multiply(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// (a, b) becomes (a + factor * b, a - factor * b), in six multiply-adds. known: the compiler knows
// the factor, and leaves out what is multiplied by 0 if the factor is 1, i or -i.
INLINED void butterfly(float2* a, float2* b, float2 factor, bool known) {
  const float2 part = known && factor.x == 0.0f ? *a : *a + factor.x * *b;
  const float2 sum = known && factor.y == 0.0f ? part : part + factor.y * (float2)(-b->y, b->x);
  *b = 2.0f * *a - sum;
  *a = sum;
}

// `levels` levels of the forward transform: the first joins values `stride` apart, each other level
// values half as far apart. Each halves the blocks; block k has the factor twiddle[k]. At first the
// values are of block number `block`. After all six levels the order is bit-reversed.
INLINED void forward(float2* value, int count, int stride, int levels, int block, bool known) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = stride >> level;
#pragma unroll
    for (int i = 0; i < count / 2; i++) {
      const int k = i / distance * distance + i;
      const float2 factor = twiddle[(block << level) + i / distance % (1 << level)];
      butterfly(&value[k], &value[k + distance], factor, known);
    }
  }
}

// `levels` levels of the inverse transform: the first joins values `stride` apart, each other level
// values twice as far apart. Each makes one block of two halves; place p in a half of n values has
// the factor root[32 / n * p]. At first n is `n`, and value 0 at place `at` of a half; if n is 1
// the compiler knows the factors. table: root[] as a buffer, for neighbours that need different
// factors: constant memory serves one address at a time. In the end values are 64 times too large.
INLINED void inverse(
    float2* value, int count, int stride, int levels, int n, int at, const __global float2* table) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = stride << level;
#pragma unroll
    for (int i = 0; i < count / 2; i++) {
      const int k = i / distance * distance + i;
      const int power = (at + i % distance / stride * n) * (TILE / 2 / n >> level);
      butterfly(&value[k], &value[k + distance], table ? table[power] : root[power], n == 1);
    }
  }
}

// Work-item i gives column i and gets row i, or the other way round: real parts, then imaginary
// parts, in half the memory. It writes only where it alone has read, so each takes one barrier.
INLINED void transpose(float2 value[TILE], __local float part[TILE][PITCH], int i) {
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    part[k][i] = value[k].x;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k].x = *(volatile __local float*)&part[i][k];  // or PoCL 7.1 loads it too late
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
  forward(value, TILE, TILE / 2, 6, 0, true);  // down the column, in six levels
  transpose(value, part, i);                   // columns become rows
  forward(value, TILE, TILE / 2, 6, 0, true);  // along the row
#pragma unroll
  for (int k = 0; k < TILE; k++) {
    value[k] = multiply(value[k], spectrum[k * TILE + i]);  // the whole filter
  }
  inverse(value, TILE, 1, 6, 1, 0, 0);  // back along the row
  transpose(value, part, i);            // rows become columns
  inverse(value, TILE, 1, 6, 1, 0, 0);  // and up the column

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

// Where a work-item's value 4 * g + n is in the tile: at start + g * group_step + n * step.
// clang-format off
typedef struct { int start, group_step, step; } Places;
// clang-format on
// Values change hands in local memory: a work-item writes to `to`, of each group the first `kept`,
// and reads at `from`. It writes only where it alone has read before, so one barrier is enough.
INLINED void exchange(float2* value, __local float2* tile, Places to, Places from, int kept) {
#pragma unroll
  for (int k = 0; k < 16; k++) {
    if (k % 4 < kept) {
      tile[to.start + k / 4 * to.group_step + k % 4 * to.step] = value[k];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = tile[from.start + k / 4 * from.group_step + k % 4 * from.step];
  }
}

// Convolve_Fft_Shared: Convolve_Fft with 4 * TILE work-items, each of which holds 16 values: first
// every fourth of a column, then every 16th of four rows, then a quarter of a row, and so back.
__kernel __attribute__((reqd_work_group_size(TILE, 4, 1))) void Convolve_Fft_Shared(
    const __global float* restrict input, const __global float2* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height, const __global float2* restrict roots) {
  __local float2 tile[TILE * PITCH];
  const int i = get_local_id(0);                   // 0..TILE - 1: a column of the tile, or a row
  const int quarter = get_local_id(1);             // 0..3
  const int four = 4 * quarter + i / 16;           // 0..15: these four rows
  const int x = get_group_id(0) * 2 * STEP_X + i;  // this column of the left tile
  const int y = get_group_id(1) * STEP_Y + quarter;
  const Places column = {quarter * PITCH + i, 16 * PITCH, 4 * PITCH};
  const Places rows = {4 * four * PITCH + i % 16, PITCH, 16};
  const Places row = {i * PITCH + 16 * quarter, 4, 1};
  float2 value[16];

  const __global float* pixel = input + y * INPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = (float2)(pixel[4 * k * INPUT_WIDTH], pixel[4 * k * INPUT_WIDTH + STEP_X]);
  }
  forward(value, 16, 8, 4, 0, true);  // four levels downwards
  exchange(value, tile, column, rows, 4);
  forward(value, 16, 8, 2, four, false);  // the last two downwards
  forward(value, 16, 2, 2, 0, true);      // the first two to the right
  exchange(value, tile, rows, row, 4);
  forward(value, 16, 8, 4, quarter, false);  // four to the right
#pragma unroll
  for (int k = 0; k < 16; k++) {
    value[k] = multiply(value[k], spectrum[(16 * quarter + k) * TILE + i]);
  }
  inverse(value, 16, 1, 4, 1, 0, 0);  // four to the left
  exchange(value, tile, row, rows, 4);
  inverse(value, 16, 1, 2, 16, i % 16, roots);  // the last two to the left
  inverse(value, 16, 4, 2, 1, 0, 0);            // the first two upwards
  exchange(value, tile, rows, column, (STEP_X + 15) / 16);
  if (i >= STEP_X || x >= OUTPUT_WIDTH) {
    return;
  }
  inverse(value, 16, 1, 4, 4, quarter, 0);  // four upwards

  const int left = min(STEP_Y - quarter, output_height - y);  // rows
  const int right = x + STEP_X < OUTPUT_WIDTH ? left : 0;
  __global float* result = output + y * OUTPUT_WIDTH + x;
#pragma unroll
  for (int k = 0; 4 * k < STEP_Y; k++) {
    if (4 * k < left) {
      result[4 * k * OUTPUT_WIDTH] = value[k].x;
    }
    if (4 * k < right) {
      result[4 * k * OUTPUT_WIDTH + STEP_X] = value[k].y;
    }
  }
}
