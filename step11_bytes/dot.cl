// A kernel that multiplies pixels of one byte in pairs, for NVIDIA's GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DSHIFT=n, -DINPUT_WIDTH=n, -DOUTPUT_WIDTH=n,
// the lengths of the rows, and -DBLOCK_WIDTH=n (a multiple of 4) and -DBLOCK_HEIGHT=n. In front of
// it, it puts the filter's taps in pairs, and a macro that does something for each input row of a
// block:
//     __constant int baked_pairs[] = {...};
//     #define FOR_EACH_INPUT_ROW(DO) DO(0) DO(1) ...
// For each row of the filter and each k in 0..FILTER_WIDTH / 2 there are two pairs of 16-bit taps:
// even outputs 2x meet pixels 2x + 2k (lower half) and 2x + 2k + 1 with the first, odd outputs
// 2x + 1 meet the same pixels with the second, whose taps are one further to the left. An output is
// the sum of tap * pixel, plus HALF, shifted right by SHIFT, and limited to 0..255: exact, in
// integers.

#define HALF ((1 << SHIFT) / 2)
#define PAIRS (FILTER_WIDTH / 2 + 1)  // of a row of the filter
// A block needs WINDOW words of an input row, of four pixels.
#define WINDOW ((BLOCK_WIDTH + FILTER_WIDTH + 3) / 4)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// sum += two products: of the lower or the upper two of four pixels and a pair of taps. OpenCL C
// has no name for this, so it is written in the language below, PTX.
INLINED void add_products(int* sum, int pair, uint pixels, bool upper) {
  if (upper) {
    asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(*sum) : "r"(pair), "r"(pixels));
  } else {
    asm("dp2a.lo.s32.u32 %0, %1, %2, %0;" : "+r"(*sum) : "r"(pair), "r"(pixels));
  }
}

// Adds input row i of the block, to the sums of the output rows that use it.
// A pair of taps that are 0 costs nothing.
INLINED void add_row(const __global uchar* row, int i, int sum[BLOCK_HEIGHT][BLOCK_WIDTH]) {
  uint window[WINDOW];
#pragma unroll
  for (int w = 0; w < WINDOW; w++) {
    window[w] = *(const __global uint*)&row[4 * w];
  }
#pragma unroll
  for (int k = 0; k < PAIRS; k++) {
#pragma unroll
    for (int t = 0; t < BLOCK_HEIGHT; t++) {
      const int r = i - t;  // the filter's row for output row t
      if (r >= 0 && r < FILTER_WIDTH) {
#pragma unroll
        for (int v = 0; v < BLOCK_WIDTH; v++) {
          const int pair = baked_pairs[(r * PAIRS + k) * 2 + v % 2];
          const int place = v / 2 + k;  // of the two pixels in the window, counted in pairs
          if (pair != 0) {
            add_products(&sum[t][v], pair, window[place / 2], place % 2);
          }
        }
      }
    }
  }
}

// Four pixels as one word, each limited to 0..255. An instruction packs two beside 16 bits.
INLINED uint pack(int s0, int s1, int s2, int s3) {
  uint word;
  asm("cvt.pack.sat.u8.s32.b32 %0, %4, %3, 0;\n\t"
      "cvt.pack.sat.u8.s32.b32 %0, %2, %1, %0;"
      : "=&r"(word)
      : "r"(s0 >> SHIFT), "r"(s1 >> SHIFT), "r"(s2 >> SHIFT), "r"(s3 >> SHIFT));
  return word;
}

// Stores a row of the block, as far as the image reaches: `columns` from here. by_word: the image
// has whole words of four pixels in a row, so that each is aligned, and is inside the image or
// outside.
INLINED void store_row(__global uchar* row, int columns, bool by_word, const int sum[BLOCK_WIDTH]) {
#pragma unroll
  for (int v = 0; v < BLOCK_WIDTH; v++) {
    const int first = v / 4 * 4;
    const uint word = pack(sum[first], sum[first + 1], sum[first + 2], sum[first + 3]);
    if (by_word && v % 4 == 0 && v < columns) {
      *(__global uint*)&row[v] = word;
    } else if (!by_word && v < columns) {
      row[v] = word >> 8 * (v % 4);
    }
  }
}

// Compilers stop unrolling long loops, whatever a pragma says, so the host writes out this one.
#define ADD_ROW(i) add_row(row + (i)*INPUT_WIDTH, i, sum);

// Convolve_Bytes_Dot: Convolve_Bytes in integers, two products in an instruction.
__kernel void Convolve_Bytes_Dot(
    const __global uchar* restrict input, __constant int* filter, __global uchar* restrict output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= OUTPUT_WIDTH || y >= output_height) {
    return;
  }

  int sum[BLOCK_HEIGHT][BLOCK_WIDTH];
#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < BLOCK_WIDTH; v++) {
      sum[t][v] = HALF;
    }
  }
  const __global uchar* row = input + y * INPUT_WIDTH + x;
  FOR_EACH_INPUT_ROW(ADD_ROW)

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    if (y + t < output_height) {
      __global uchar* pixels = output + (y + t) * OUTPUT_WIDTH + x;
      store_row(pixels, OUTPUT_WIDTH - x, OUTPUT_WIDTH % 4 == 0, sum[t]);
    }
  }
}
