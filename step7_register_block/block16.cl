// Kernels in which each work-item computes a block of outputs as vectors, for CPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DVECTOR=n (16 floats, or what the CPU has: 8 or
// 4), -DBLOCK_WIDTH=n (a multiple of that) and -DBLOCK_HEIGHT=n. It has made room in the input for
// what the blocks at the right and lower edge read beyond the image.

// Of a vector of VECTOR floats: its type, how to load and how to store it, such as float8, vload8
// and vstore8.
#define JOIN(name, n) name##n
#define JOINED(name, n) JOIN(name, n)
#define floatN JOINED(float, VECTOR)
#define vloadN JOINED(vload, VECTOR)
#define vstoreN JOINED(vstore, VECTOR)

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
    const __global float* row, __constant float* filter, int i, bool full,
    floatN sum[BLOCK_HEIGHT][VECTORS]) {
  for (int c = 0; c < FILTER_WIDTH; c++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      const floatN pixels = vloadN(v, row + c);
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

// Stores a vector of pixels, or as many as the image's row has left: `columns`.
INLINED void storeN(__global float* row, int columns, floatN pixels) {
  if (columns >= VECTOR) {
    vstoreN(pixels, 0, row);
  } else {
    float pixel[VECTOR];
    vstoreN(pixels, 0, pixel);
    for (int v = 0; v < columns; v++) {
      row[v] = pixel[v];
    }
  }
}

// Convolve_Block16: Convolve_Block in vectors.
__kernel void Convolve_Block16(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  floatN sum[BLOCK_HEIGHT][VECTORS] = {{0.0f}};
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
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      if (y + t < output_height) {
        const int column = x + VECTOR * v;
        storeN(output + (y + t) * output_width + column, output_width - column, sum[t][v]);
      }
    }
  }
}

// Asks for an input before it is needed; and stores past the cache, which would first read what the
// store replaces. OpenCL C has a name only for the first, and it does nothing in PoCL.
#if defined(__x86_64__) || defined(__aarch64__)
#define FETCH_SOON(address) __builtin_prefetch(address)
#define STORE_PAST_CACHE(pixels, row) __builtin_nontemporal_store(pixels, (__global floatN*)(row))
#else
#define FETCH_SOON(address)
#define STORE_PAST_CACHE(pixels, row) vstoreN(pixels, 0, row)
#endif

// Asks for a row of a block, one cache line of 16 floats at a time. The address may be beyond the
// input: such a request is ignored.
INLINED void fetch_soon(const __global float* row) {
#pragma unroll
  for (int column = 0; column < BLOCK_WIDTH; column += 16) {
    FETCH_SOON(row + column);
  }
}

// Convolve_Block16_Stream: Convolve_Block16, which fetches the inputs of the block after the next
// and stores past the cache where the image's rows are whole vectors.
__kernel void Convolve_Block16_Stream(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  floatN sum[BLOCK_HEIGHT][VECTORS] = {{0.0f}};
  const __global float* row = input + y * input_width + x;
#pragma unroll
  for (int i = 0; i < FIRST_FULL_ROW; i++, row += input_width) {
    fetch_soon(row + 2 * BLOCK_WIDTH);
    add_row(row, filter, i, false, sum);
  }
  for (int i = FIRST_FULL_ROW; i < FILTER_WIDTH; i++, row += input_width) {
    fetch_soon(row + 2 * BLOCK_WIDTH);
    add_row(row, filter, i, true, sum);
  }
#pragma unroll
  for (int i = FULL_ROWS_END; i < INPUT_ROWS; i++, row += input_width) {
    fetch_soon(row + 2 * BLOCK_WIDTH);
    add_row(row, filter, i, false, sum);
  }

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      if (y + t < output_height) {
        const int column = x + VECTOR * v;
        __global float* pixels = output + (y + t) * output_width + column;
        if (output_width % VECTOR == 0 && column < output_width) {
          STORE_PAST_CACHE(sum[t][v], pixels);
        } else {
          storeN(pixels, output_width - column, sum[t][v]);
        }
      }
    }
  }
}
