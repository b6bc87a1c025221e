// A kernel that multiplies pixels of one byte in pairs, in vectors of 32 pixels, for CPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DSHIFT=n, -DBLOCK_WIDTH=n (a multiple of 32)
// and -DBLOCK_HEIGHT=n. It has made room in the input for what the blocks at the right and lower
// edge read beyond the image. An output is the sum of tap * pixel, plus HALF, shifted right by
// SHIFT, and limited to 0..255: exact, in integers.
//
// filter: the taps in pairs. For each row and each k in 0..FILTER_WIDTH / 2 there are two ints, of
// two taps of 16 bits: output 2x meets pixels 2x + 2k (lower half) and 2x + 2k + 1 with the first,
// output 2x + 1 meets the same pixels with the second, whose taps are one further to the left.

#define VECTORS (BLOCK_WIDTH / 32)
#define PAIRS (FILTER_WIDTH / 2 + 1)         // of a row
#define EVEN_PAIRS ((FILTER_WIDTH + 1) / 2)  // of these even outputs need
#define HALF ((1 << SHIFT) / 2)
// A block needs INPUT_ROWS rows of the input. All its output rows use the rows from FIRST_FULL_ROW
// up to FULL_ROWS_END.
#define INPUT_ROWS (BLOCK_HEIGHT + FILTER_WIDTH - 1)
#define FIRST_FULL_ROW (BLOCK_HEIGHT - 1)
#define FULL_ROWS_END (FILTER_WIDTH > FIRST_FULL_ROW ? FILTER_WIDTH : FIRST_FULL_ROW)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

typedef short short32 __attribute__((ext_vector_type(32)));
typedef uchar uchar32 __attribute__((ext_vector_type(32), aligned(1)));
typedef ushort ushort16_anywhere __attribute__((ext_vector_type(16), aligned(1)));

// Adds to each of 16 sums the products of a pair of pixels and a pair of taps. OpenCL C has no name
// for that. Processors with VNNI have an instruction that does all of it. It is written in assembly
// language: PoCL compiles for any processor with AVX-512, and so refuses the built-in function. The
// host defines VNNI where its own processor has it; __AVX512BW__ says that the compiler makes code
// for such a processor, which a simulator does not.
#if defined(VNNI) && defined(__AVX512BW__)
INLINED int16 add_products(int16 sum, short32 pixels, int pair) {
  const int16 taps = pair;
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(pixels), "v"(taps));
  return sum;
}
// Older ones multiply and add each pair by one instruction, vpmaddwd; another adds it to the sum.
#elif defined(__AVX512BW__)
INLINED int16 add_products(int16 sum, short32 pixels, int pair) {
  typedef short raw __attribute__((vector_size(64)));
  const raw taps = __builtin_astype((int16)pair, raw);
  return sum +
         __builtin_astype(__builtin_ia32_pmaddwd512(__builtin_astype(pixels, raw), taps), int16);
}
#elif defined(__AVX2__)
INLINED int8 products(short16 pixels, int pair) {
  typedef short raw __attribute__((vector_size(32)));
  const raw taps = __builtin_astype((int8)pair, raw);
  return __builtin_astype(__builtin_ia32_pmaddwd256(__builtin_astype(pixels, raw), taps), int8);
}
INLINED int16 add_products(int16 sum, short32 pixels, int pair) {
  return sum + (int16)(products(pixels.lo, pair), products(pixels.hi, pair));
}
#else
INLINED int16 add_products(int16 sum, short32 pixels, int pair) {
  const int16 both = __builtin_astype(pixels, int16);
  return sum + (both & 0xffff) * (short)pair + (both >> 16) * (pair >> 16);
}
#endif

// Adds input row i of the block, 0..INPUT_ROWS - 1, to the sums of the output rows that use it.
// full: all of them do. Even outputs and odd outputs have sums of their own.
INLINED void add_row(
    const __global uchar* row, __constant int* filter, int i, bool full,
    int16 even[BLOCK_HEIGHT][VECTORS], int16 odd[BLOCK_HEIGHT][VECTORS]) {
  for (int k = 0; k < PAIRS; k++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      const uchar32 bytes = *(const __global uchar32*)(row + 2 * k + 32 * v);
      const short32 pixels = __builtin_convertvector(bytes, short32);
#pragma unroll
      for (int t = 0; t < BLOCK_HEIGHT; t++) {
        const int r = i - t;  // the filter's row for output row t
        if (full || (r >= 0 && r < FILTER_WIDTH)) {
          __constant int* pair = filter + (r * PAIRS + k) * 2;
          if (k < EVEN_PAIRS) {
            even[t][v] = add_products(even[t][v], pixels, pair[0]);
          }
          odd[t][v] = add_products(odd[t][v], pixels, pair[1]);
        }
      }
    }
  }
}

// Stores 32 pixels, or as many as the image's row has left: `columns`, of which there may be none.
INLINED void store32(__global uchar* row, int columns, int16 even, int16 odd) {
  even = max(min(even >> SHIFT, (int16)255), (int16)0);
  odd = max(min(odd >> SHIFT, (int16)255), (int16)0);
  const ushort16 pixels = convert_ushort16(even | odd << 8);
  if (columns >= 32) {
    *(__global ushort16_anywhere*)row = pixels;
  } else {
    for (int v = 0; v < columns; v++) {
      row[v] = ((const uchar*)&pixels)[v];
    }
  }
}

// Convolve_Bytes_Dot32: Convolve_Block16 for bytes. A vector of 32 pixels serves 32 outputs, 16
// even and 16 odd ones.
__kernel void Convolve_Bytes_Dot32(
    const __global uchar* restrict input, __constant int* filter, __global uchar* restrict output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  int16 even[BLOCK_HEIGHT][VECTORS];
  int16 odd[BLOCK_HEIGHT][VECTORS];
#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      even[t][v] = odd[t][v] = HALF;
    }
  }
  const __global uchar* row = input + y * input_width + x;
#pragma unroll
  for (int i = 0; i < FIRST_FULL_ROW; i++, row += input_width) {
    add_row(row, filter, i, false, even, odd);
  }
  for (int i = FIRST_FULL_ROW; i < FILTER_WIDTH; i++, row += input_width) {
    add_row(row, filter, i, true, even, odd);
  }
#pragma unroll
  for (int i = FULL_ROWS_END; i < INPUT_ROWS; i++, row += input_width) {
    add_row(row, filter, i, false, even, odd);
  }

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      if (y + t < output_height) {
        const int column = x + 32 * v;
        store32(
            output + (y + t) * output_width + column, output_width - column, even[t][v], odd[t][v]);
      }
    }
  }
}
