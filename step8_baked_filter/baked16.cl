// A kernel in which each work-item computes a block of outputs as vectors, for CPUs and for filters
// most of whose taps are 0.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n, -DOUTPUT_WIDTH=n, the lengths
// of the rows, -DVECTOR=n (16 floats, or what the CPU has: 8 or 4), -DBLOCK_WIDTH=n (a multiple of
// that) and -DBLOCK_HEIGHT=n. In front of it, it puts the filter's taps as constants, and a macro
// that does something for each input row of a block:
//     __constant float baked_filter[] = {...};
//     #define FOR_EACH_INPUT_ROW(DO) DO(0) DO(1) ...

// Of a vector of VECTOR floats: its type, how to load and how to store it, such as float8, vload8
// and vstore8.
#define JOIN(name, n) name##n
#define JOINED(name, n) JOIN(name, n)
#define floatN JOINED(float, VECTOR)
#define vloadN JOINED(vload, VECTOR)
#define vstoreN JOINED(vstore, VECTOR)

#define VECTORS (BLOCK_WIDTH / VECTOR)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// Adds input row i of the block, to the sums of the output rows that use it.
// A tap that is 0 costs nothing.
INLINED void add_row(const __global float* row, int i, floatN sum[BLOCK_HEIGHT][VECTORS]) {
#pragma unroll
  for (int c = 0; c < FILTER_WIDTH; c++) {
#pragma unroll
    for (int t = 0; t < BLOCK_HEIGHT; t++) {
      const int r = i - t;  // the filter's row for output row t
      if (r >= 0 && r < FILTER_WIDTH && baked_filter[r * FILTER_WIDTH + c] != 0.0f) {
#pragma unroll
        for (int v = 0; v < VECTORS; v++) {
          sum[t][v] += baked_filter[r * FILTER_WIDTH + c] * vloadN(v, row + c);
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

// Compilers stop unrolling long loops, whatever a pragma says, so the host writes out this one.
#define ADD_ROW(i) add_row(row + (i)*INPUT_WIDTH, i, sum);

// Convolve_Baked16: Convolve_Block16 with all of the invariants, unrolled like Convolve_Baked.
__kernel void Convolve_Baked16(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= OUTPUT_WIDTH || y >= output_height) {
    return;
  }

  floatN sum[BLOCK_HEIGHT][VECTORS] = {{0.0f}};
  const __global float* row = input + y * INPUT_WIDTH + x;
  FOR_EACH_INPUT_ROW(ADD_ROW)

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      if (y + t < output_height) {
        const int column = x + VECTOR * v;
        storeN(output + (y + t) * OUTPUT_WIDTH + column, OUTPUT_WIDTH - column, sum[t][v]);
      }
    }
  }
}
