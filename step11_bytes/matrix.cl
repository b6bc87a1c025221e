// A kernel that convolves pixels of one byte by products of matrices, for NVIDIA's GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DSHIFT=n and -DBLOCK_HEIGHT=n (a multiple of
// 4). It has made room in the input for what tiles at the right and lower edge read beyond the
// image. An output is the sum of tap * pixel, plus HALF, shifted right by SHIFT, and limited to
// 0..255: exact, in integers.
//
// A patch is 8 x 4 pixels. Its 32 outputs depend on PATCHES_X x PATCHES_Y patches, this one and
// those to the right and below. So an output is a sum of products of 32 taps and 32 pixels, and the
// outputs of many patches are sums of products of matrices:
//
//     (outputs of a patch x pixels of a patch) * (pixels of a patch x patches)
//
// The left one holds taps. The host makes it for each of the PATCHES_X x PATCHES_Y places, see
// tap_matrices() in taps.hpp. The right one is the image as it is.
//
// A warp (32 work-items, a row of the work-group) computes 128 x BLOCK_HEIGHT outputs: 16 patches
// side by side, ROWS of them above each other.
//
// Which lane holds what. The unit wants its numbers in fixed lanes (see add_product), and no lane
// moves a pixel for that: the host puts the taps, which it makes once, into the order of the pixels
// as they were loaded. With g = lane / 4 and q = lane % 4, lane 4g + q
//   loads    row q of patches 2g and 2g + 1, 16 bytes, and keeps them. The even product takes the
//            left eight bytes, the odd product the right eight: column k of the pixels is patch 2k
//            there, and patch 2k + 1 here. The columns of the taps stand in the same order.
//   gets     outputs 4g..4g+3, half a row, of patches 4q..4q+3: sums g, g + 8, g + 16 and g + 24
//            (counted over both halves) of columns 2q and 2q + 1. The host chooses by the order of
//            the rows of taps which outputs these are.
//   swaps    two of its four words of pixels with the lane four away, as it needs eight outputs of
//            each of two patches, and no order of the taps brings them into one lane.
//   stores   a whole row of two neighbouring patches, 16 bytes.

#define PATCHES_X ((FILTER_WIDTH + 7 + 7) / 8)  // 8 outputs depend on FILTER_WIDTH + 7 pixels
#define PATCHES_Y ((FILTER_WIDTH + 3 + 3) / 4)
#define ROWS (BLOCK_HEIGHT / 4)
#define HALF ((1 << SHIFT) / 2)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// sum += taps * pixels, a 16 x 32 matrix of bytes times one of 32 x 8. With g = lane / 4 and
// q = lane % 4, a work-item holds four bytes in each of these rows and columns:
//     taps.s0  row g, columns 4q..4q+3         taps.s2  row g, columns 16+4q..
//     taps.s1  row g + 8, columns 4q..         taps.s3  row g + 8, columns 16+4q..
//     pixels.s0  rows 4q..4q+3 of column g     pixels.s1  rows 16+4q.. of column g
// and these of the sums:
//     sum.s0, s1  row g, columns 2q and 2q + 1       sum.s2, s3  row g + 8, the same columns
// Pixels are unsigned. high: the taps' high bytes, which have a sign.
INLINED void add_product(int4* sum, uint4 taps, uint2 pixels, bool high) {
#define PRODUCT(taps_type)                                                      \
  asm("mma.sync.aligned.m16n8k32.row.col.s32." taps_type                        \
      ".u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
      : "+r"(sum->s0), "+r"(sum->s1), "+r"(sum->s2), "+r"(sum->s3)              \
      : "r"(taps.s0), "r"(taps.s1), "r"(taps.s2), "r"(taps.s3), "r"(pixels.s0), "r"(pixels.s1))
  if (high) {
    PRODUCT("s8");
  } else {
    PRODUCT("u8");
  }
}

// Adds the products with the high or the low bytes of all taps. row: 16 pixels, of two patches side
// by side; this work-item has row q of them, and of those below. sum[v][j][h]: of patch j of two in
// row v, and of half h of its outputs.
INLINED void add_products(
    const __global uint4* row, int row_pitch, const __global uint4* taps, bool high,
    int4 sum[ROWS][2][2]) {
  uint2 window[PATCHES_Y + ROWS - 1][PATCHES_X + 2];  // 8 pixels of each patch
#pragma unroll
  for (int i = 0; i < PATCHES_Y + ROWS - 1; i++) {
#pragma unroll
    for (int w = 0; w < PATCHES_X + 1; w += 2) {
      const uint4 two = row[4 * i * row_pitch + w / 2];
      window[i][w] = two.s01;
      window[i][w + 1] = two.s23;
    }
    const int r = i - (ROWS - 1);  // the row of taps for which all patches are there
    if (r < 0) {
      continue;
    }
#pragma unroll
    for (int c = 0; c < PATCHES_X; c++) {
#pragma unroll
      for (int h = 0; h < 2; h++) {
        const uint4 tap = taps[((r * PATCHES_X + c) * 2 + h) * 32];
#pragma unroll
        for (int v = 0; v < ROWS; v++) {
          add_product(&sum[v][0][h], tap, window[r + v][c], high);
          add_product(&sum[v][1][h], tap, window[r + v][c + 1], high);
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

// What the work-item `distance` lanes away (a power of two) passes.
INLINED uint exchange(uint word, int distance) {
  asm volatile("shfl.sync.bfly.b32 %0, %0, %1, 31, -1;" : "+r"(word) : "r"(distance));
  return word;
}

// Stores 16 pixels, or as many as the image's row has left: `columns`, of which there may be none.
// whole: the image's rows are whole uint4s.
INLINED void store16(__global uchar* row, int columns, bool whole, uint4 pixels) {
  const uint word[4] = {pixels.s0, pixels.s1, pixels.s2, pixels.s3};
  if (whole && columns > 0) {
    *(__global uint4*)row = pixels;
  }
#pragma unroll
  for (int v = 0; v < 16; v++) {
    if (!whole && v < columns) {
      row[v] = word[v / 4] >> 8 * (v % 4);
    }
  }
}

// Convolve_Bytes_Matrix: a tap of 16 bits is 256 * high + low, so an output is 256 times the sum
// with the high bytes plus the sum with the low bytes.
__kernel void Convolve_Bytes_Matrix(
    const __global uchar* restrict input, const __global uint4* restrict filter,
    __global uchar* restrict output, const int input_width, const int filter_width,
    const int output_width, const int output_height) {
  const int lane = get_local_id(0);  // 0..31
  const int g = lane / 4;
  const int q = lane % 4;
  const int x = get_group_id(0) * 128;            // the warp's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (y >= output_height) {
    return;
  }

  int4 sum[ROWS][2][2] = {{{0}}};
  const int pitch = input_width / 16;
  const __global uint4* row = (const __global uint4*)input + (y + q) * pitch + x / 16 + g;
  add_products(row, pitch, filter + lane, true, sum);
#pragma unroll
  for (int s = 0; s < ROWS * 4; s++) {
    (&sum[0][0][0])[s] = 256 * (&sum[0][0][0])[s] + HALF;
  }
  add_products(row, pitch, filter + PATCHES_Y * PATCHES_X * 64 + lane, false, sum);

  // Of four patches (columns 2q and 2q + 1 of both matrices) this work-item has pixels 0 to 3 of
  // row g / 2, or 4 to 7 if g is odd. It gets the others of two patches from its neighbour.
  const bool odd = g % 2;
#pragma unroll
  for (int v = 0; v < ROWS; v++) {
    uint mine[2];
    uint other[2];
#pragma unroll
    for (int j = 0; j < 2; j++) {
      const int4 a = sum[v][j][0];
      const int4 b = sum[v][j][1];
      const uint left = pack(a.s0, a.s2, b.s0, b.s2);   // of column 2q
      const uint right = pack(a.s1, a.s3, b.s1, b.s3);  // of column 2q + 1
      mine[j] = odd ? right : left;
      other[j] = exchange(odd ? left : right, 4);
    }
    const uint4 pixels = odd ? (uint4)(other[0], mine[0], other[1], mine[1])
                             : (uint4)(mine[0], other[0], mine[1], other[1]);
    const int column = x + 16 * (2 * q + odd);
    const int line = y + 4 * v + g / 2;
    if (line < output_height) {
      store16(
          output + line * output_width + column, output_width - column, output_width % 16 == 0,
          pixels);
    }
  }
}
