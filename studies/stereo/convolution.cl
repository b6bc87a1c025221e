// Stereo matching. For each pixel of the right picture: how many columns further to the right does
// the left picture show the same?
//     output[y][x] = the first d in 0..disparities-1 with the least
//                    sum over r, c of |right[y + r][x + c] - left[y + r][x + d + c]|
// with r and c in 0..window-1. The host has padded both pictures, so no kernel tests for their
// edges. input_width is the row pitch of both in floats. All grey values are whole numbers.

// Stereo: one work-item per output pixel, nothing optimised. The 100 % line of the chart.
__kernel void Stereo(
    const __global float* right, const __global float* left, __global float* output,
    const int input_width, const int window, const int disparities, const int output_width,
    const int output_height) {
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float least = INFINITY;
  int best = 0;
  for (int d = 0; d < disparities; d++) {
    float sum = 0.0f;
    for (int r = 0; r < window; r++) {
      const __global float* right_row = right + (y + r) * input_width + x;
      const __global float* left_row = left + (y + r) * input_width + x + d;
      for (int c = 0; c < window; c++) {
        sum += fabs(right_row[c] - left_row[c]);
      }
    }
    if (sum < least) {
      least = sum;
      best = d;
    }
  }
  output[y * output_width + x] = best;
}

// Of a wide window the text would become too long.
#if WINDOW <= 8
#define UNROLL_IF_NARROW _Pragma("unroll")
#else
#define UNROLL_IF_NARROW
#endif

// Stereo_Def: Stereo with constants from the host, and no loop left.
__kernel void Stereo_Def(
    const __global float* right, const __global float* left, __global float* output,
    const int input_width, const int window, const int disparities, const int output_width,
    const int output_height) {
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float least = INFINITY;
  int best = 0;
  UNROLL_IF_NARROW
  for (int d = 0; d < DISPARITIES; d++) {
    float sum = 0.0f;
    UNROLL_IF_NARROW
    for (int r = 0; r < WINDOW; r++) {
      const __global float* right_row = right + (y + r) * input_width + x;
      const __global float* left_row = left + (y + r) * input_width + x + d;
      UNROLL_IF_NARROW
      for (int c = 0; c < WINDOW; c++) {
        sum += fabs(right_row[c] - left_row[c]);
      }
    }
    if (sum < least) {
      least = sum;
      best = d;
    }
  }
  output[y * output_width + x] = best;
}

// Of a vector of VECTOR floats, 16, 8 or 4: its type, how to load and how to store it, such as
// float8, vload8 and vstore8.
#define JOIN(name, n) name##n
#define JOINED(name, n) JOIN(name, n)
#define floatN JOINED(float, VECTOR)
#define vloadN JOINED(vload, VECTOR)
#define vstoreN JOINED(vstore, VECTOR)

// A block needs so many rows of the input.
#define INPUT_ROWS (BLOCK_HEIGHT + WINDOW - 1)

// An array can live in registers only if no function is really called with it.
#define INLINED __attribute__((always_inline)) inline

// For a vector of pixels: is this sum less than the least so far? Then d is the best so far.
INLINED void keep_least(floatN sum, int d, floatN* least, floatN* best) {
  *best = select(*best, (floatN)(d), sum < *least);
  *least = min(*least, sum);
}

// Stores a block's pixels, of which the image may have only some.
INLINED void store_block(
    __global float* output, int output_width, int columns, int rows, const floatN* best) {
  for (int t = 0; t < min(rows, BLOCK_HEIGHT); t++) {
    __global float* row = output + t * output_width;
    float pixels[VECTOR];
    vstoreN(best[t], 0, pixels);
    for (int v = 0; v < min(columns, VECTOR); v++) {
      row[v] = pixels[v];
    }
  }
}

// Stereo_Block16: each work-item computes a block of outputs, as vectors. A difference
// is computed once for all output rows whose windows share it.
__kernel void Stereo_Block16(
    const __global float* right, const __global float* left, __global float* output,
    const int input_width, const int window, const int disparities, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * VECTOR;        // the block's first column
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // and row

  floatN least[BLOCK_HEIGHT], best[BLOCK_HEIGHT];
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    least[t] = INFINITY;
  }
  for (int d = 0; d < DISPARITIES; d++) {
    floatN sum[BLOCK_HEIGHT] = {0.0f};
#pragma unroll
    for (int i = 0; i < INPUT_ROWS; i++) {
      const __global float* right_row = right + (y + i) * input_width + x;
      const __global float* left_row = left + (y + i) * input_width + x + d;
      for (int c = 0; c < WINDOW; c++) {
        const floatN difference = fabs(vloadN(0, right_row + c) - vloadN(0, left_row + c));
#pragma unroll
        for (int t = 0; t < BLOCK_HEIGHT; t++) {
          const int r = i - t;  // the window's row for output row t
          if (r >= 0 && r < WINDOW) {
            sum[t] += difference;
          }
        }
      }
    }
    for (int t = 0; t < BLOCK_HEIGHT; t++) {
      keep_least(sum[t], d, &least[t], &best[t]);
    }
  }
  store_block(
      output + y * output_width + x, output_width, output_width - x, output_height - y, best);
}

// A vector from any address. PoCL takes a vload16 apart and subtracts two floats at a time.
typedef floatN __attribute__((aligned(4))) unaligned;
INLINED floatN load(const __global float* row) {
  return *(const __global unaligned*)row;
}

// Stereo_Whole: Stereo_Block16 with vectors that PoCL leaves whole.
__kernel void Stereo_Whole(
    const __global float* right, const __global float* left, __global float* output,
    const int input_width, const int window, const int disparities, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * VECTOR;        // the block's first column
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // and row

  floatN least[BLOCK_HEIGHT], best[BLOCK_HEIGHT];
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    least[t] = INFINITY;
  }
  for (int d = 0; d < DISPARITIES; d++) {
    floatN sum[BLOCK_HEIGHT] = {0.0f};
#pragma unroll
    for (int i = 0; i < INPUT_ROWS; i++) {
      const __global float* right_row = right + (y + i) * input_width + x;
      const __global float* left_row = left + (y + i) * input_width + x + d;
      for (int c = 0; c < WINDOW; c++) {
        const floatN difference = fabs(load(right_row + c) - load(left_row + c));
#pragma unroll
        for (int t = 0; t < BLOCK_HEIGHT; t++) {
          const int r = i - t;  // the window's row for output row t
          if (r >= 0 && r < WINDOW) {
            sum[t] += difference;
          }
        }
      }
    }
    for (int t = 0; t < BLOCK_HEIGHT; t++) {
      keep_least(sum[t], d, &least[t], &best[t]);
    }
  }
  store_block(
      output + y * output_width + x, output_width, output_width - x, output_height - y, best);
}

// Stereo_Running: Stereo_Whole, but each row of a window is summed up once, for all windows that
// it belongs to. From one output row to the next a row enters the sum and another leaves it.
__kernel void Stereo_Running(
    const __global float* right, const __global float* left, __global float* output,
    const int input_width, const int window, const int disparities, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * VECTOR;        // the block's first column
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // and row

  floatN least[BLOCK_HEIGHT], best[BLOCK_HEIGHT];
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    least[t] = INFINITY;
  }
  for (int d = 0; d < DISPARITIES; d++) {
    floatN row_sum[INPUT_ROWS];
    floatN sum = 0.0f;
    for (int i = 0; i < INPUT_ROWS; i++) {
      const __global float* right_row = right + (y + i) * input_width + x;
      const __global float* left_row = left + (y + i) * input_width + x + d;
      row_sum[i] = 0.0f;
#pragma unroll
      for (int c = 0; c < WINDOW; c++) {
        row_sum[i] += fabs(load(right_row + c) - load(left_row + c));
      }
      sum += row_sum[i];
      const int t = i - (WINDOW - 1);  // the output row whose window ends here
      if (t >= 0) {
        keep_least(sum, d, &least[t], &best[t]);
        sum -= row_sum[t];
      }
    }
  }
  store_block(
      output + y * output_width + x, output_width, output_width - x, output_height - y, best);
}
