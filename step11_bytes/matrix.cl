// A kernel that convolves pixels of one byte by products of matrices, for NVIDIA's GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n and -DSHIFT=n. It has made room in the input for
// what tiles at the right and lower edge read beyond the image. An output is the sum of tap *
// pixel, plus HALF, shifted right by SHIFT, and limited to 0..255: exact, in integers.
//
// A warp (32 work-items, a row of the work-group) computes a tile of 128 x 8 outputs, as 64 blocks
// of 4 x 4. A block reads GROUPS groups of four rows, and GROUPS words of each, of four pixels. Its
// outputs are 16 sums of products, so they are a row of a matrix product:
//
//     (blocks x pixels under them) * (those pixels x outputs of a block) = (blocks x outputs)
//
// The second matrix is the filter: each tap once for each output, at the pixel that the two meet,
// and 0 elsewhere. The host makes it, see tap_matrix() in taps.hpp.

#define GROUPS ((FILTER_WIDTH + 6) / 4)  // 4 outputs read FILTER_WIDTH + 3 pixels
#define WORDS (GROUPS * GROUPS)          // of a block, as a work-item has them: of every fourth row
#define STEPS ((WORDS + 1) / 2)          // an instruction takes two of these words
#define WINDOW ((GROUPS + 3 + 3) / 4)    // four blocks side by side read GROUPS + 3 words
#define HALF ((1 << SHIFT) / 2)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// sum += pixels * taps, a product of a 16 x 32 and a 32 x 8 matrix of bytes. With g = lane / 4 and
// q = lane % 4, a work-item gives four bytes of each of these rows, columns 4q.. and 16 + 4q..:
//     pixels.s0  row g, 4q..        pixels.s2  row g, 16 + 4q..
//     pixels.s1  row g + 8, 4q..    pixels.s3  row g + 8, 16 + 4q..
// of the taps column g, rows 4q.. and 16 + 4q.., and gets of the sums
//     sum.s0, s1  row g, columns 2q and 2q + 1
//     sum.s2, s3  row g + 8, the same columns
// The pixels are unsigned; high: the taps are signed.
INLINED void add_product(int4* sum, uint4 pixels, uint2 taps, bool high) {
  if (high) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum->s0), "+r"(sum->s1), "+r"(sum->s2), "+r"(sum->s3)
        : "r"(pixels.s0), "r"(pixels.s1), "r"(pixels.s2), "r"(pixels.s3), "r"(taps.s0),
          "r"(taps.s1));
  } else {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum->s0), "+r"(sum->s1), "+r"(sum->s2), "+r"(sum->s3)
        : "r"(pixels.s0), "r"(pixels.s1), "r"(pixels.s2), "r"(pixels.s3), "r"(taps.s0),
          "r"(taps.s1));
  }
}

// Adds all products of the tile with the high or the low bytes of the taps. row: this work-item's
// first pixels. sum[j][h]: of block j of four side by side and of that below it, columns h of two.
INLINED void add_products(
    const __global uint4* row, int row_pitch, const __global uint4* taps, bool high,
    int4 sum[4][2]) {
  uint window[GROUPS + 1][4 * WINDOW];
#pragma unroll
  for (int i = 0; i <= GROUPS; i++) {
#pragma unroll
    for (int w = 0; w < WINDOW; w++) {
      const uint4 quad = row[4 * i * row_pitch + w];
      window[i][4 * w] = quad.s0;
      window[i][4 * w + 1] = quad.s1;
      window[i][4 * w + 2] = quad.s2;
      window[i][4 * w + 3] = quad.s3;
    }
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
      const int a = 2 * step;  // two words: row group a / GROUPS, place a % GROUPS
      const int b = a + 1 < WORDS ? a + 1 : a;
      if (b / GROUPS + 1 == i) {  // the lower blocks' rows have just been loaded
        const uint4 quad = taps[32 * step];
#pragma unroll
        for (int j = 0; j < 4; j++) {
          const uint4 pixels =
              (uint4)(window[a / GROUPS][a % GROUPS + j], window[a / GROUPS + 1][a % GROUPS + j],
                      window[b / GROUPS][b % GROUPS + j], window[b / GROUPS + 1][b % GROUPS + j]);
          add_product(&sum[j][0], pixels, quad.s01, high);
          add_product(&sum[j][1], pixels, quad.s23, high);
        }
      }
    }
  }
}

// Four pixels as one word, each limited to 0..255.
INLINED uint pack(int s0, int s1, int s2, int s3) {
  uint word;
  asm("cvt.pack.sat.u8.s32.b32 %0, %4, %3, 0;\n\t"
      "cvt.pack.sat.u8.s32.b32 %0, %2, %1, %0;"
      : "=&r"(word)
      : "r"(s0 >> SHIFT), "r"(s1 >> SHIFT), "r"(s2 >> SHIFT), "r"(s3 >> SHIFT));
  return word;
}

// Stores 16 pixels, or as many as the image's row has left: `columns`, of which there may be none.
INLINED void store16(__global uchar* row, int columns, bool whole, uint4 pixels) {
  if (whole && columns > 0) {
    *(__global uint4*)row = pixels;
  } else if (!whole) {
#pragma unroll
    for (int v = 0; v < 16; v++) {
      const uint word = v < 4 ? pixels.s0 : v < 8 ? pixels.s1 : v < 12 ? pixels.s2 : pixels.s3;
      if (v < columns) {
        row[v] = word >> 8 * (v % 4);
      }
    }
  }
}

// Convolve_Bytes_Matrix: a tap of 16 bits is 256 * high + low, so an output is 256 times the sum
// with the high bytes plus that with the low bytes.
__kernel void Convolve_Bytes_Matrix(
    const __global uchar* restrict input, const __global uint4* restrict filter,
    __global uchar* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  const int lane = get_local_id(0);                     // 0..31
  const int x = get_group_id(0) * 128 + lane / 4 * 16;  // of four blocks side by side
  const int y = get_global_id(1) * 8 + lane % 4;        // a row of theirs; y + 4 is below
  if (get_global_id(1) * 8 >= output_height) {
    return;  // the whole warp
  }
  const __global uint4* row = (const __global uint4*)(input + y * input_width + x);

  int4 sum[4][2] = {{0}};
  add_products(row, input_width / 16, filter + lane, true, sum);
#pragma unroll
  for (int j = 0; j < 4; j++) {
    sum[j][0] = 256 * sum[j][0] + HALF;
    sum[j][1] = 256 * sum[j][1] + HALF;
  }
  add_products(row, input_width / 16, filter + 32 * STEPS + lane, false, sum);

  uint upper[4];
  uint lower[4];
#pragma unroll
  for (int j = 0; j < 4; j++) {
    upper[j] = pack(sum[j][0].s0, sum[j][0].s1, sum[j][1].s0, sum[j][1].s1);
    lower[j] = pack(sum[j][0].s2, sum[j][0].s3, sum[j][1].s2, sum[j][1].s3);
  }
  const bool whole = output_width % 16 == 0;
  __global uchar* pixels = output + y * output_width + x;
  if (y < output_height) {
    store16(pixels, output_width - x, whole, (uint4)(upper[0], upper[1], upper[2], upper[3]));
  }
  if (y + 4 < output_height) {
    store16(
        pixels + 4 * output_width, output_width - x, whole,
        (uint4)(lower[0], lower[1], lower[2], lower[3]));
  }
}
