// A kernel that convolves by Fourier transforms of tiles in vectors of 16 pixels, for CPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n and -DOUTPUT_WIDTH=n, and puts an
// array of TILE / 2 factors in front of it: twiddle[]. It has made room in the input for what the
// tiles at the right and lower edge read beyond the image.

#define TILE 128
#define VECTORS (TILE / 16)
// Outputs of a tile in each direction. The others are wrong: for them the filter reaches over the
// tile's end, where it finds the tile's beginning. To the right as many as make whole vectors.
#define STEP_Y (TILE - FILTER_WIDTH + 1)
#define STEP_X (STEP_Y / 16 * 16)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// 16 complex numbers. And 16 pixels that may begin anywhere: PoCL takes a vload16 apart.
typedef struct {
  float16 re, im;
} complex16;
typedef float16 __attribute__((aligned(4))) pixels16;

// (a, b) becomes (a + factor * b, a - factor * b). known: the compiler knows the factor, and 1 and i
// need no multiplication.
INLINED void butterfly(complex16* a, complex16* b, float2 factor, bool known) {
  float16 re, im;
  if (known && factor.y == 0.0f) {
    re = b->re;
    im = b->im;
  } else if (known && factor.x == 0.0f) {
    re = -b->im;
    im = b->re;
  } else {
    re = factor.x * b->re - factor.y * b->im;
    im = factor.x * b->im + factor.y * b->re;
  }
  b->re = a->re - re;
  b->im = a->im - im;
  a->re += re;
  a->im += im;
}

// Takes butterfly() back, but for a factor of 2.
INLINED void butterfly_back(complex16* a, complex16* b, float2 factor, bool known) {
  const float16 re = a->re - b->re;
  const float16 im = a->im - b->im;
  a->re += b->re;
  a->im += b->im;
  if (known && factor.y == 0.0f) {
    b->re = re;
    b->im = im;
  } else if (known && factor.x == 0.0f) {
    b->re = im;
    b->im = -re;
  } else {
    b->re = factor.x * re + factor.y * im;
    b->im = factor.x * im - factor.y * re;
  }
}

// `levels` levels of the forward transform of block `block`. Each level halves the blocks; all
// butterflies of a block have the same factor. What was in order ends up in bit-reversed order.
INLINED void forward(complex16* value, int levels, int block, bool known) {
#pragma unroll
  for (int level = 0; level < levels; level++) {
    const int distance = 1 << (levels - 1 - level);
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int part = i / distance;  // 0..2^level - 1
      complex16* a = &value[part * distance + i];
      butterfly(a, a + distance, twiddle[(block << level) + part], known);
    }
  }
}

// Takes forward() back, the last level first, but for a factor of 2^levels.
INLINED void inverse(complex16* value, int levels, int block, bool known) {
#pragma unroll
  for (int level = levels - 1; level >= 0; level--) {
    const int distance = 1 << (levels - 1 - level);
#pragma unroll
    for (int i = 0; i < 1 << (levels - 1); i++) {
      const int part = i / distance;
      complex16* a = &value[part * distance + i];
      butterfly_back(a, a + distance, twiddle[(block << level) + part], known);
    }
  }
}

// The first halves of a and b, in turns, and the second halves.
INLINED float16 interleave_low(float16 a, float16 b) {
  return (float16)(
      a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}
INLINED float16 interleave_high(float16 a, float16 b) {
  return (float16)(
      a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf);
}

// Rows become columns. Interleaving row i with row i + 8 turns the bits of (row, column) by one
// place; four times that exchanges row and column.
INLINED void transpose(complex16 row[16]) {
#pragma unroll
  for (int round = 0; round < 4; round++) {
    complex16 turned[16];
#pragma unroll
    for (int i = 0; i < 8; i++) {
      turned[2 * i].re = interleave_low(row[i].re, row[i + 8].re);
      turned[2 * i].im = interleave_low(row[i].im, row[i + 8].im);
      turned[2 * i + 1].re = interleave_high(row[i].re, row[i + 8].re);
      turned[2 * i + 1].im = interleave_high(row[i].im, row[i + 8].im);
    }
#pragma unroll
    for (int i = 0; i < 16; i++) {
      row[i] = turned[i];
    }
  }
}

// Asks for an input before it is needed; and stores past the cache, which would first read what the
// store replaces. OpenCL C has a name only for the first, and it does nothing in PoCL.
#if defined(__x86_64__) || defined(__aarch64__)
#define FETCH_SOON(address) __builtin_prefetch(address)
#define STORE_PAST_CACHE(pixels, row) __builtin_nontemporal_store(pixels, (__global float16*)(row))
#else
#define FETCH_SOON(address)
#define STORE_PAST_CACHE(pixels, row) vstore16(pixels, 0, row)
#endif

// Stores 16 pixels, or as many as the image's row has left: `columns`, of which there may be none.
INLINED void store16(__global float* row, int columns, float16 pixels) {
  if (OUTPUT_WIDTH % 16 == 0 && columns > 0) {
    STORE_PAST_CACHE(pixels, row);
  } else if (columns >= 16) {
    vstore16(pixels, 0, row);
  } else {
    float pixel[16];
    vstore16(pixels, 0, pixel);
    for (int v = 0; v < columns; v++) {
      row[v] = pixel[v];
    }
  }
}

// Kernel 26: kernel 24 in vectors. A work-item computes two tiles side by side, as the real and the
// imaginary part of one.
__kernel void Convolve_Fft16(
    const __global float* restrict input, const __global float16* restrict spectrum,
    __global float* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  const int x = get_global_id(0) * 2 * STEP_X;  // the left tile's first column and row
  const int y = get_global_id(1) * STEP_Y;
  complex16 tile[TILE][VECTORS + 1];  // one more: else every 16th row is in the same cache lines
  complex16 value[16];

  // Downwards, the first three levels: every 16th row.
  for (int row = 0; row < 16; row++) {
    for (int v = 0; v < VECTORS; v++) {
#pragma unroll
      for (int k = 0; k < 8; k++) {
        const __global float* pixel = input + (y + row + 16 * k) * INPUT_WIDTH + x + 16 * v;
        value[k].re = *(const __global pixels16*)pixel;
        value[k].im = *(const __global pixels16*)(pixel + STEP_X);
        FETCH_SOON(pixel + INPUT_WIDTH);
        FETCH_SOON(pixel + INPUT_WIDTH + STEP_X);
      }
      forward(value, 3, 0, true);
#pragma unroll
      for (int k = 0; k < 8; k++) {
        tile[row + 16 * k][v] = value[k];
      }
    }
  }

  // From here on bands of 16 rows are independent, and stay in the first-level cache.
  for (int band = 0; band < TILE / 16; band++) {
    // To the right, the first three levels: all vectors of a row.
    for (int row = 16 * band; row < 16 * band + 16; row++) {
#pragma unroll
      for (int v = 0; v < VECTORS; v++) {
        value[v] = tile[row][v];
      }
      forward(value, 3, 0, true);
#pragma unroll
      for (int v = 0; v < VECTORS; v++) {
        tile[row][v] = value[v];
      }
    }
    // 16 x 16 numbers: the last four levels in both directions, the product, and back.
    for (int v = 0; v < VECTORS; v++) {
#pragma unroll
      for (int k = 0; k < 16; k++) {
        value[k] = tile[16 * band + k][v];
      }
      forward(value, 4, band, false);
      transpose(value);
      forward(value, 4, v, false);
#pragma unroll
      for (int k = 0; k < 16; k++) {
        const __global float16* factor = spectrum + ((v * VECTORS + band) * 16 + k) * 2;
        const float16 re = value[k].re * factor[0] - value[k].im * factor[1];
        value[k].im = value[k].re * factor[1] + value[k].im * factor[0];
        value[k].re = re;
      }
      inverse(value, 4, v, false);
      transpose(value);
      inverse(value, 4, band, false);
#pragma unroll
      for (int k = 0; k < 16; k++) {
        tile[16 * band + k][v] = value[k];
      }
    }
    for (int row = 16 * band; row < 16 * band + 16; row++) {
#pragma unroll
      for (int v = 0; v < VECTORS; v++) {
        value[v] = tile[row][v];
      }
      inverse(value, 3, 0, true);
#pragma unroll
      for (int v = 0; v < STEP_X / 16; v++) {
        tile[row][v] = value[v];
      }
    }
  }

  for (int row = 0; row < 16; row++) {
    for (int v = 0; v < STEP_X / 16; v++) {
#pragma unroll
      for (int k = 0; k < 8; k++) {
        value[k] = tile[row + 16 * k][v];
      }
      inverse(value, 3, 0, true);
      const int column = x + 16 * v;
      __global float* result = output + (y + row) * OUTPUT_WIDTH + column;
#pragma unroll
      for (int k = 0; k < 8; k++) {
        if (row + 16 * k < STEP_Y && y + row + 16 * k < output_height) {
          store16(result + 16 * k * OUTPUT_WIDTH, OUTPUT_WIDTH - column, value[k].re);
          store16(
              result + 16 * k * OUTPUT_WIDTH + STEP_X, OUTPUT_WIDTH - column - STEP_X, value[k].im);
        }
      }
    }
  }
}
