// A kernel that multiplies pixels of one byte in pairs, as vectors, for CPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DSHIFT=n, -DVECTOR=n (16 sums, or as many
// floats as the CPU's vectors have: 8 or 4), -DBLOCK_WIDTH=n (a multiple of 2 * VECTOR pixels) and
// -DBLOCK_HEIGHT=n. It has made room in the input for what the blocks at the right and lower edge
// read beyond the image. An output is the sum of tap * pixel, plus HALF, shifted right by SHIFT,
// and limited to 0..255: exact, in integers.
//
// filter: the taps in pairs. For each row and each k in 0..FILTER_WIDTH / 2 there are two ints, of
// two taps of 16 bits: output 2x meets pixels 2x + 2k (lower half) and 2x + 2k + 1 with the first,
// output 2x + 1 meets the same pixels with the second, whose taps are one further to the left.

#define PIXELS (2 * VECTOR)  // in a vector
#define VECTORS (BLOCK_WIDTH / PIXELS)
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

// Of a vector: the types of its pixels, in memory and widened, of its sums, and of its results.
typedef uchar uchars __attribute__((ext_vector_type(PIXELS), aligned(1)));
typedef short shorts __attribute__((ext_vector_type(PIXELS)));
typedef int ints __attribute__((ext_vector_type(VECTOR)));
typedef ushort ushorts __attribute__((ext_vector_type(VECTOR), aligned(1)));

// An instruction that multiplies pairs and adds the two products: vpmaddwd. OpenCL C has no name
// for it. The compiler makes code for a processor that may be older than this one, or for a
// simulator.
#if defined(__AVX512BW__) && VECTOR == 16
#define PRODUCTS_OF_PAIRS __builtin_ia32_pmaddwd512
#elif defined(__AVX2__) && VECTOR == 8
#define PRODUCTS_OF_PAIRS __builtin_ia32_pmaddwd256
#elif defined(__SSE2__) && VECTOR == 4
#define PRODUCTS_OF_PAIRS __builtin_ia32_pmaddwd128
#endif

// Adds to each sum the products of a pair of pixels and a pair of taps. Processors with VNNI have
// an instruction that does all of it. It is written in assembly language: PoCL compiles for any
// processor with AVX-512, and so refuses the built-in function. The host defines VNNI where its own
// processor has it.
INLINED ints add_products(ints sum, shorts pixels, int pair) {
  const ints pairs = pair;
#if defined(VNNI) && defined(__AVX512BW__)
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(pixels), "v"(pairs));
  return sum;
#elif defined(PRODUCTS_OF_PAIRS)
  typedef short raw __attribute__((vector_size(2 * PIXELS)));
  return sum +
         __builtin_astype(
             PRODUCTS_OF_PAIRS(__builtin_astype(pixels, raw), __builtin_astype(pairs, raw)), ints);
#else
  const ints both = __builtin_astype(pixels, ints);
  return sum + (both & 0xffff) * (short)pair + (both >> 16) * (pair >> 16);
#endif
}

// Adds input row i of the block, 0..INPUT_ROWS - 1, to the sums of the output rows that use it.
// full: all of them do. Even outputs and odd outputs have sums of their own.
INLINED void add_row(
    const __global uchar* row, __constant int* filter, int i, bool full,
    ints even[BLOCK_HEIGHT][VECTORS], ints odd[BLOCK_HEIGHT][VECTORS]) {
  for (int k = 0; k < PAIRS; k++) {
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
      const uchars bytes = *(const __global uchars*)(row + 2 * k + PIXELS * v);
      const shorts pixels = __builtin_convertvector(bytes, shorts);
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

// Stores a vector of pixels, or as many as the image's row has left: `columns`, of which there may
// be none.
INLINED void store(__global uchar* row, int columns, ints even, ints odd) {
  even = max(min(even >> SHIFT, (ints)255), (ints)0);
  odd = max(min(odd >> SHIFT, (ints)255), (ints)0);
  const ushorts pixels = __builtin_convertvector(even | odd << 8, ushorts);
  if (columns >= PIXELS) {
    *(__global ushorts*)row = pixels;
  } else {
    for (int v = 0; v < columns; v++) {
      row[v] = ((const uchar*)&pixels)[v];
    }
  }
}

// Convolve_Bytes_Dot32: Convolve_Block16 for bytes. A vector of 2 * VECTOR pixels serves as
// many outputs, half of them even and half odd.
__kernel void Convolve_Bytes_Dot32(
    const __global uchar* restrict input, __constant int* filter, __global uchar* restrict output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  ints even[BLOCK_HEIGHT][VECTORS];
  ints odd[BLOCK_HEIGHT][VECTORS];
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
        const int column = x + PIXELS * v;
        store(
            output + (y + t) * output_width + column, output_width - column, even[t][v], odd[t][v]);
      }
    }
  }
}
