// A kernel that convolves by Fourier transforms of tiles in vectors of 16 pixels, for CPUs. The
// host defines FILTER_WIDTH, INPUT_WIDTH, OUTPUT_WIDTH and STEP_X (a multiple of 16); the input has
// room for tiles that reach beyond the image. -cl-finite-math-only and -cl-no-signed-zeros let the
// compiler leave out products with 0. In front of this file stand what a pixel is, and powers of
// w = exp(2 pi i / 128):
//   pixel, pixels: the type of one (float), and of 16 (float16)
//   TO_PIXELS(sums): makes pixels of sums in a float16
//   twiddle[k], k < 64: w^K, with K the six bits of k in reverse: 1, i, s, is, ... (s is w^16)
// The spectrum has a number for each place (x, y) of a transformed tile. With X and Y, the seven
// bits of x and y in reverse, it is the sum of tap * w^-(c * X + r * Y) over the taps in row r and
// column c, divided by 128 * 128. The numbers are in squares of 16 x 16, column after column of
// squares; in a square each x has the real parts of its 16 y, then their imaginary parts.

#define TILE 128
#define VECTORS (TILE / 16)
// Rows that a square of 16 x 16 takes: 16 would put all squares into the same cache lines.
#define PITCH 17
// Rows that a tile gets right; further down the filter wraps around. STEP_X columns are kept, in
// whole vectors.
#define STEP_Y (TILE - FILTER_WIDTH + 1)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

typedef struct {
  float16 re, im;
} complex16;
typedef struct {
  complex16 row[PITCH];  // 16 x 16 numbers
} Square;

INLINED void multiply_if(bool wanted, complex16* a, float16 re, float16 im) {
  const complex16 product = {a->re * re - a->im * im, a->re * im + a->im * re};
  *a = wanted ? product : *a;
}

// `levels` levels of the forward transform of block `block`, whose values are `stride` apart. Each
// level halves the blocks, and all butterflies of a block have the same factor: (a, b) becomes
// (a + factor * b, a - factor * b). What was in order ends up in bit-reversed order.
// back: takes this back, the last level first, but for a factor of 2 in each level.
INLINED void transform(complex16* value, int stride, int levels, int block, bool back) {
#pragma unroll
  for (int step = 0; step < levels; step++) {
    const int level = back ? levels - 1 - step : step;
    const int distance = 1 << (levels - 1 - level);
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const float2 factor = twiddle[(block << level) + i / distance];
      complex16* a = value + (i / distance * distance + i) * stride;
      complex16* b = a + distance * stride;
      multiply_if(!back, b, factor.x, factor.y);
      const complex16 sum = {a->re + b->re, a->im + b->im};
      *b = (complex16){a->re - b->re, a->im - b->im};
      *a = sum;
      multiply_if(back, b, factor.x, -factor.y);
    }
  }
}

// The lower halves of a and b in turns, or the upper halves. On PoCL .even and .odd are slower.
INLINED float16 interleave(float16 a, float16 b, bool upper) {
  // clang-format off
  return upper ? (float16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb,
                           a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)
               : (float16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3,
                           a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
  // clang-format on
}

// Rows become columns: to interleave row i with row i + 8 turns the bits of (row, column) by one
// place, and four turns exchange row and column.
INLINED void transpose(Square* square) {
#pragma unroll
  for (int turn = 0; turn < 4; turn++) {
    const Square old = *square;
#pragma unroll
    for (int k = 0; k < 16; k++) {
      square->row[k].re = interleave(old.row[k / 2].re, old.row[k / 2 + 8].re, k % 2);
      square->row[k].im = interleave(old.row[k / 2].im, old.row[k / 2 + 8].im, k % 2);
    }
  }
}

// Stores 16 pixels, or as many as the image's row has left: `columns`, of which there may be none.
// Whole cache lines go past the cache, which would first read what the store replaces.
INLINED void store16(__global pixel* row, int columns, pixels sixteen) {
  if (OUTPUT_WIDTH % 16 == 0 && columns >= 16) {
    __builtin_nontemporal_store(sixteen, (__global pixels*)row);
  } else if (columns >= 16) {
    vstore16(sixteen, 0, row);
  } else {
    for (int v = 0; v < columns; v++) {
      row[v] = ((const pixel*)&sixteen)[v];
    }
  }
}

// Convolve_Fft16: Convolve_Fft in vectors. A work-item computes two tiles side by side, as the real
// and the imaginary part of one.
__kernel void Convolve_Fft16(
    const __global pixels* restrict input, const __global float16* restrict spectrum,
    __global pixel* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  const int x = get_global_id(0) * 2 * STEP_X;  // the left tile's first column
  const int y = get_global_id(1) * STEP_Y;      // both tiles' first row
  Square tile[VECTORS][VECTORS];

  // Downwards, the first three levels: every 16th row.
  for (int row = 0; row < 16; row++) {
    for (int v = 0; v < VECTORS; v++) {
      complex16* column = &tile[0][v].row[row];
#pragma unroll
      for (int k = 0; k < 8; k++) {
        const int line = (y + row + 16 * k) * (INPUT_WIDTH / 16);
        column[PITCH * VECTORS * k].re = convert_float16(input[line + x / 16 + v]);
        column[PITCH * VECTORS * k].im = convert_float16(input[line + (x + STEP_X) / 16 + v]);
      }
      transform(column, PITCH * VECTORS, 3, 0, false);
    }
  }

  // From here on each band of 16 rows is on its own, and stays in the first-level cache.
  for (int band = 0; band < VECTORS; band++) {
    // To the right, the first three levels: all vectors of a row.
    for (int row = 0; row < 16; row++) {
      transform(&tile[band][0].row[row], PITCH, 3, 0, false);
    }
    // 16 x 16 numbers: the last four levels in both directions, the product, and all that back.
    for (int v = 0; v < VECTORS; v++) {
      Square square = tile[band][v];
      transform(square.row, 1, 4, band, false);
      transpose(&square);
      transform(square.row, 1, 4, v, false);
#pragma unroll
      for (int k = 0; k < 16; k++) {
        const __global float16* factor = spectrum + ((v * VECTORS + band) * 16 + k) * 2;
        multiply_if(true, &square.row[k], factor[0], factor[1]);
      }
      transform(square.row, 1, 4, v, true);
      transpose(&square);
      transform(square.row, 1, 4, band, true);
      tile[band][v] = square;
    }
    for (int row = 0; row < 16; row++) {
      transform(&tile[band][0].row[row], PITCH, 3, 0, true);
    }
  }

  // Upwards, the last three levels back, as far as outputs are wanted.
  for (int row = 0; row < 16; row++) {
    for (int v = 0; v < STEP_X / 16; v++) {
      complex16* column = &tile[0][v].row[row];
      transform(column, PITCH * VECTORS, 3, 0, true);
      const int columns = OUTPUT_WIDTH - x - 16 * v;
      __global pixel* result = output + (y + row) * OUTPUT_WIDTH + x + 16 * v;
#pragma unroll
      for (int k = 0; k < 8; k++) {
        if (row + 16 * k < min(STEP_Y, output_height - y)) {
          const complex16 two = column[PITCH * VECTORS * k];
          store16(result + 16 * k * OUTPUT_WIDTH, columns, TO_PIXELS(two.re));
          store16(result + 16 * k * OUTPUT_WIDTH + STEP_X, columns - STEP_X, TO_PIXELS(two.im));
        }
      }
    }
  }
}
