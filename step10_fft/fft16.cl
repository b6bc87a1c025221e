// A kernel that convolves by Fourier transforms of tiles in vectors, for CPUs. The host defines
// FILTER_WIDTH, INPUT_WIDTH, OUTPUT_WIDTH, VECTOR (16 floats, or what the CPU has: 8 or 4) and
// STEP_X (a multiple of that); the input has room for tiles that reach beyond the image.
// -cl-finite-math-only and -cl-no-signed-zeros let the compiler leave out products with 0. In front
// of this file stand what a pixel is, and powers of w = exp(2 pi i / 128):
//   pixel, pixels: the type of one (float or uchar), and of a vector (such as float8)
//   TO_PIXELS(sums): makes pixels of the sums in a vector
//   floatN, vstoreN, convert_floatN: those for VECTOR numbers, such as float8
//   twiddle[k], k < 64: w^K, with K the six bits of k in reverse: 1, i, s, is, ... (s is w^16)
// The spectrum has a number for each place (x, y) of a transformed tile. With X and Y, the seven
// bits of x and y in reverse, it is the sum of tap * w^-(c * X + r * Y) over the taps in row r and
// column c, divided by 128 * 128. The numbers are in squares of VECTOR x VECTOR, column after
// column of squares; in a square each x has the real parts of its VECTOR y, then their imaginary
// parts.

#define TILE 128
#define VECTORS (TILE / VECTOR)
// Levels of the seven whose butterflies lie within a square; and the others.
#define INNER (VECTOR == 16 ? 4 : VECTOR == 8 ? 3 : 2)
#define OUTER (7 - INNER)
// Rows that a square takes: VECTOR would put all squares into the same cache lines.
#define PITCH (VECTOR + 1)
// Rows that a tile gets right; further down the filter wraps around. STEP_X columns are kept, in
// whole vectors.
#define STEP_Y (TILE - FILTER_WIDTH + 1)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

typedef struct {
  floatN re, im;
} complexN;
typedef struct {
  complexN row[PITCH];  // VECTOR x VECTOR numbers
} Square;

INLINED void multiply_if(bool wanted, complexN* a, floatN re, floatN im) {
  const complexN product = {a->re * re - a->im * im, a->re * im + a->im * re};
  *a = wanted ? product : *a;
}

// `levels` levels of the forward transform of block `block`, whose values are `stride` apart. Each
// level halves the blocks, and all butterflies of a block have the same factor: (a, b) becomes
// (a + factor * b, a - factor * b). What was in order ends up in bit-reversed order.
// back: takes this back, the last level first, but for a factor of 2 in each level.
INLINED void transform(complexN* value, int stride, int levels, int block, bool back) {
#pragma unroll
  for (int step = 0; step < levels; step++) {
    const int level = back ? levels - 1 - step : step;
    const int distance = 1 << (levels - 1 - level);
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const float2 factor = twiddle[(block << level) + i / distance];
      complexN* a = value + (i / distance * distance + i) * stride;
      complexN* b = a + distance * stride;
      multiply_if(!back, b, factor.x, factor.y);
      const complexN sum = {a->re + b->re, a->im + b->im};
      *b = (complexN){a->re - b->re, a->im - b->im};
      *a = sum;
      multiply_if(back, b, factor.x, -factor.y);
    }
  }
}

// The lower halves of a and b in turns, or the upper halves. On PoCL .even and .odd are slower.
INLINED floatN interleave(floatN a, floatN b, bool upper) {
  // clang-format off
#if VECTOR == 16
  return upper ? (float16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb,
                           a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)
               : (float16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3,
                           a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
#elif VECTOR == 8
  return upper ? (float8)(a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
               : (float8)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3);
#else
  return upper ? (float4)(a.s2, b.s2, a.s3, b.s3) : (float4)(a.s0, b.s0, a.s1, b.s1);
#endif
  // clang-format on
}

// Rows become columns: to interleave row i with row i + VECTOR / 2 turns the bits of (row, column)
// by one place, and INNER turns exchange row and column.
INLINED void transpose(Square* square) {
#pragma unroll
  for (int turn = 0; turn < INNER; turn++) {
    const Square old = *square;
#pragma unroll
    for (int k = 0; k < VECTOR; k++) {
      const complexN a = old.row[k / 2], b = old.row[k / 2 + VECTOR / 2];
      square->row[k].re = interleave(a.re, b.re, k % 2);
      square->row[k].im = interleave(a.im, b.im, k % 2);
    }
  }
}

// Stores a vector of pixels, or as many as the image's row has left: `columns`, of which there may
// be none. Whole cache lines go past the cache, which would first read what the store replaces.
INLINED void storeN(__global pixel* row, int columns, pixels vector) {
  if (OUTPUT_WIDTH % VECTOR == 0 && columns >= VECTOR) {
    __builtin_nontemporal_store(vector, (__global pixels*)row);
  } else if (columns >= VECTOR) {
    vstoreN(vector, 0, row);
  } else {
    for (int v = 0; v < columns; v++) {
      row[v] = ((const pixel*)&vector)[v];
    }
  }
}

// Convolve_Fft16: Convolve_Fft in vectors. A work-item computes two tiles side by side, as the real
// and the imaginary part of one.
__kernel void Convolve_Fft16(
    const __global pixels* restrict input, const __global floatN* restrict spectrum,
    __global pixel* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  const int x = get_global_id(0) * 2 * STEP_X;  // the left tile's first column
  const int y = get_global_id(1) * STEP_Y;      // both tiles' first row
  Square tile[VECTORS][VECTORS];

  // Downwards, the first OUTER levels: every VECTORth row.
  for (int row = 0; row < VECTOR; row++) {
    for (int v = 0; v < VECTORS; v++) {
      complexN* column = &tile[0][v].row[row];
#pragma unroll
      for (int k = 0; k < VECTORS; k++) {
        const int line = (y + row + VECTOR * k) * (INPUT_WIDTH / VECTOR);
        column[PITCH * VECTORS * k].re = convert_floatN(input[line + x / VECTOR + v]);
        column[PITCH * VECTORS * k].im = convert_floatN(input[line + (x + STEP_X) / VECTOR + v]);
      }
      transform(column, PITCH * VECTORS, OUTER, 0, false);
    }
  }

  // From here on each band of VECTOR rows is on its own, and stays in the first-level cache.
  for (int band = 0; band < VECTORS; band++) {
    // To the right, the first OUTER levels: all vectors of a row.
    for (int row = 0; row < VECTOR; row++) {
      transform(&tile[band][0].row[row], PITCH, OUTER, 0, false);
    }
    // A square: the last INNER levels in both directions, the product, and all that back.
    for (int v = 0; v < VECTORS; v++) {
      Square square = tile[band][v];
      transform(square.row, 1, INNER, band, false);
      transpose(&square);
      transform(square.row, 1, INNER, v, false);
#pragma unroll
      for (int k = 0; k < VECTOR; k++) {
        const __global floatN* factor = spectrum + ((v * VECTORS + band) * VECTOR + k) * 2;
        multiply_if(true, &square.row[k], factor[0], factor[1]);
      }
      transform(square.row, 1, INNER, v, true);
      transpose(&square);
      transform(square.row, 1, INNER, band, true);
      tile[band][v] = square;
    }
    for (int row = 0; row < VECTOR; row++) {
      transform(&tile[band][0].row[row], PITCH, OUTER, 0, true);
    }
  }

  // Upwards, the last OUTER levels back, as far as outputs are wanted.
  for (int row = 0; row < VECTOR; row++) {
    for (int v = 0; v < STEP_X / VECTOR; v++) {
      complexN* column = &tile[0][v].row[row];
      transform(column, PITCH * VECTORS, OUTER, 0, true);
      const int columns = OUTPUT_WIDTH - x - VECTOR * v;
      __global pixel* result = output + (y + row) * OUTPUT_WIDTH + x + VECTOR * v;
#pragma unroll
      for (int k = 0; k < VECTORS; k++) {
        if (row + VECTOR * k < min(STEP_Y, output_height - y)) {
          const complexN two = column[PITCH * VECTORS * k];
          storeN(result + VECTOR * k * OUTPUT_WIDTH, columns, TO_PIXELS(two.re));
          storeN(result + VECTOR * k * OUTPUT_WIDTH + STEP_X, columns - STEP_X, TO_PIXELS(two.im));
        }
      }
    }
  }
}
