// 3 x 3 median filters. All kernels have the same arguments and the same layout of their pictures.
//
// The input has a frame: pixel (x, y) of the picture is element (x + 1, y + 1) of the buffer, so
// the top left corner of the 3 x 3 window of output (x, y) is element (x, y), and no window leaves
// the buffer. The frame's values never reach a result: pixels on the picture's border are copied. A
// row of the input is input_pitch elements, one of the output output_pitch; both are multiples
// of 64. Beyond the picture both buffers go on to whole blocks, the most that a work-item computes.
// Where bytes are taken out of words, the device is little-endian, as all of today's are.

// --- By luminance: the published kernels, corrected ----------------------------------------------

// 100 times the luminance of a pixel `red | green << 8 | blue << 16 | alpha << 24`: 0..25500. In
// integers the order is the same on every device, and no device needs double for it.
uint luminance(const uint pixel) {
  return 30 * (pixel & 255) + 59 * ((pixel >> 8) & 255) + 11 * ((pixel >> 16) & 255);
}

void swap_if_brighter(uint* a, uint* b) {
  if (luminance(*a) > luminance(*b)) {
    const uint pixel = *a;
    *a = *b;
    *b = pixel;
  }
}

void sort3(uint* a, uint* b, uint* c) {
  swap_if_brighter(a, b);
  swap_if_brighter(b, c);
  swap_if_brighter(a, b);
}

// The pixel of median luminance, names are row and column. Sorted rows and then sorted columns
// leave the minimum at 00 and the maximum at 22; what can still be the median is on the other
// diagonal.
uint find_median(
    uint p00, uint p01, uint p02, uint p10, uint p11, uint p12, uint p20, uint p21, uint p22) {
  sort3(&p00, &p01, &p02);
  sort3(&p10, &p11, &p12);
  sort3(&p20, &p21, &p22);
  sort3(&p00, &p10, &p20);
  sort3(&p01, &p11, &p21);
  sort3(&p02, &p12, &p22);
  sort3(&p02, &p11, &p20);
  return p11;
}

bool on_border(const int x, const int y, const int width, const int height) {
  return x == 0 || y == 0 || x == width - 1 || y == height - 1;
}

// A compiler that is not told how large the work-groups will be gives each work-item so many
// registers that a device may not hold large groups. work_groups.cpp says it, for groups above what
// it is offered.
#ifdef WORK_GROUP_SIZE
#define WORK_GROUP __attribute__((reqd_work_group_size(WORK_GROUP_SIZE, 1, 1)))
#else
#define WORK_GROUP
#endif

// medianfilter_rgba: one pixel a work-item, nine loads of 32 bits. The 100 % line of the chart.
WORK_GROUP
__kernel void medianfilter_rgba(
    const __global uint* restrict input, __global uint* restrict output, const int width,
    const int height, const int input_pitch, const int output_pitch) {
  const int x = get_global_id(0);  // 0..width - 1, and more where the NDRange is rounded up
  const int y = get_global_id(1);  // 0..height - 1
  if (x >= width || y >= height) {
    return;
  }
  const __global uint* row0 = input + (size_t)y * input_pitch + x;
  const __global uint* row1 = row0 + input_pitch;
  const __global uint* row2 = row1 + input_pitch;

  uint median = row1[1];
  if (!on_border(x, y, width, height)) {
    median = find_median(
        row0[0], row0[1], row0[2], row1[0], row1[1], row1[2], row2[0], row2[1], row2[2]);
  }
  output[(size_t)y * output_pitch + x] = median;
}

// --- One channel of 8 bits -----------------------------------------------------------------------

// A grey pixel is a number, so an exchange is one min and one max, without a branch, for all pixels
// of a vector at once. The median of nine, from three sorted rows of three, is the middle one of
// the largest low, the median middle and the smallest high. All that is left out here has at least
// five others on one side.

// Middle of three; LOW and HIGH are the functions that give the smaller and the larger of two.
#define MIDDLE(LOW, HIGH, a, b, c) HIGH(LOW(a, b), LOW(HIGH(a, b), c))

// Sorts a, b and c by three exchanges, one of them half: 6 operations.
#define SORT3(TYPE, LOW, HIGH, a, b, c, low, middle, high) \
  {                                                        \
    const TYPE pair_low = LOW(a, b);                       \
    const TYPE pair_high = HIGH(a, b);                     \
    low = LOW(pair_low, c);                                \
    middle = HIGH(pair_low, LOW(pair_high, c));            \
    high = HIGH(pair_high, c);                             \
  }

// median_gray: one pixel a work-item.
__kernel void median_gray(
    const __global uchar* restrict input, __global uchar* restrict output, const int width,
    const int height, const int input_pitch, const int output_pitch) {
  const int x = get_global_id(0);  // 0..width - 1, and more where the NDRange is rounded up
  const int y = get_global_id(1);  // 0..height - 1
  if (x >= width || y >= height) {
    return;
  }
  const __global uchar* row0 = input + (size_t)y * input_pitch + x;
  const __global uchar* row1 = row0 + input_pitch;
  const __global uchar* row2 = row1 + input_pitch;

  uchar low0, low1, low2, middle0, middle1, middle2, high0, high1, high2;
  SORT3(uchar, min, max, row0[0], row0[1], row0[2], low0, middle0, high0);
  SORT3(uchar, min, max, row1[0], row1[1], row1[2], low1, middle1, high1);
  SORT3(uchar, min, max, row2[0], row2[1], row2[2], low2, middle2, high2);
  const uchar low = max(max(low0, low1), low2);
  const uchar middle = MIDDLE(min, max, middle0, middle1, middle2);
  const uchar high = min(min(high0, high1), high2);
  const uchar median = MIDDLE(min, max, low, middle, high);
  output[(size_t)y * output_pitch + x] = on_border(x, y, width, height) ? row1[1] : median;
}

// The rows of a block: even, because the kernels below take two at a time.
#define BLOCK_HEIGHT 8

// Two rows of outputs from four rows of the input, each sorted (low, middle, high), in order:
// above, centre, below, next. Both outputs need centre and below, so these two are combined once.
#define TWO_MEDIANS(TYPE, LOW, HIGH, above, centre, below, next, upper, lower)  \
  {                                                                             \
    const TYPE low = HIGH(centre.low, below.low);                               \
    const TYPE middle_low = LOW(centre.middle, below.middle);                   \
    const TYPE middle_high = HIGH(centre.middle, below.middle);                 \
    const TYPE high = LOW(centre.high, below.high);                             \
    const TYPE upper_low = HIGH(low, above.low);                                \
    const TYPE upper_middle = HIGH(middle_low, LOW(middle_high, above.middle)); \
    const TYPE upper_high = LOW(high, above.high);                              \
    upper = MIDDLE(LOW, HIGH, upper_low, upper_middle, upper_high);             \
    const TYPE lower_low = HIGH(low, next.low);                                 \
    const TYPE lower_middle = HIGH(middle_low, LOW(middle_high, next.middle));  \
    const TYPE lower_high = LOW(high, next.high);                               \
    lower = MIDDLE(LOW, HIGH, lower_low, lower_middle, lower_high);             \
  }

typedef struct {
  uchar low;
  uchar middle;
  uchar high;
} SortedPixels;

// Sorts three neighbours in a row.
void sort_pixels(const __global uchar* row, SortedPixels* sorted) {
  SORT3(uchar, min, max, row[0], row[1], row[2], sorted->low, sorted->middle, sorted->high);
}

// median_gray_rows: one column and eight rows a work-item. It walks down and keeps what it has
// sorted: ten rows for eight, 17.5 min and max a pixel. Without a branch on the way, a compiler for
// a CPU can compute many work-items side by side in one vector, as many as the CPU's vectors hold
// bytes.
__kernel void median_gray_rows(
    const __global uchar* restrict input, __global uchar* restrict output, const int width,
    const int height, const int input_pitch, const int output_pitch) {
  const int x = get_global_id(0);                   // 0..width - 1, and more as above
  const int top = get_global_id(1) * BLOCK_HEIGHT;  // first of eight rows
  if (x >= width || top >= height) {
    return;
  }
  const __global uchar* in = input + (size_t)top * input_pitch + x;
  __global uchar* out = output + (size_t)top * output_pitch + x;

  SortedPixels sorted[BLOCK_HEIGHT + 2];  // from the row above the block to the row below it
  sort_pixels(in, &sorted[0]);
  sort_pixels(in + input_pitch, &sorted[1]);
  // Unrolled, all indices are constants, and the array becomes registers.
#pragma unroll
  for (int row = 0; row < BLOCK_HEIGHT; row += 2) {
    sort_pixels(in + (row + 2) * input_pitch, &sorted[row + 2]);
    sort_pixels(in + (row + 3) * input_pitch, &sorted[row + 3]);
    uchar upper, lower;
    TWO_MEDIANS(
        uchar, min, max, sorted[row], sorted[row + 1], sorted[row + 2], sorted[row + 3], upper,
        lower);
    const uchar upper_pixel = in[(row + 1) * input_pitch + 1];
    const uchar lower_pixel = in[(row + 2) * input_pitch + 1];
    const int y = top + row;
    out[row * output_pitch] = on_border(x, y, width, height) ? upper_pixel : upper;
    out[(row + 1) * output_pitch] = on_border(x, y + 1, width, height) ? lower_pixel : lower;
  }
}

typedef struct {
  uchar16 low;
  uchar16 middle;
  uchar16 high;
  uchar16 pixels;  // in the middle of the windows
} SortedPixels16;

// Sorts three neighbours in a row, for the sixteen windows that begin at row[0]..row[15]. One
// aligned load and some shifts, because PoCL 3.1 takes an unaligned vload16 apart into small
// pieces.
void sort_pixels16(const __global uchar* row, SortedPixels16* sorted) {
  const uint4 words = *(const __global uint4*)row;
  const uint4 next_words = (uint4)(words.yzw, ((const __global uint*)row)[4]);
  const uchar16 left = as_uchar16(words);
  const uchar16 pixels = as_uchar16((words >> 8) | (next_words << 24));
  const uchar16 right = as_uchar16((words >> 16) | (next_words << 16));
  sorted->pixels = pixels;
  SORT3(uchar16, min, max, left, pixels, right, sorted->low, sorted->middle, sorted->high);
}

// median_gray_x16: sixteen columns and eight rows a work-item, in vectors of 128 bits.
__kernel void median_gray_x16(
    const __global uchar* restrict input, __global uchar* restrict output, const int width,
    const int height, const int input_pitch, const int output_pitch) {
  const int x = get_global_id(0) * 16;              // first of sixteen columns
  const int top = get_global_id(1) * BLOCK_HEIGHT;  // first of eight rows
  if (x >= width || top >= height) {
    return;
  }
  const __global uchar* in = input + (size_t)top * input_pitch + x;
  __global uchar* out = output + (size_t)top * output_pitch + x;

  SortedPixels16 sorted[BLOCK_HEIGHT + 2];  // from the row above the block to the row below it
  sort_pixels16(in, &sorted[0]);
  sort_pixels16(in + input_pitch, &sorted[1]);
#pragma unroll
  for (int row = 0; row < BLOCK_HEIGHT; row += 2) {
    sort_pixels16(in + (row + 2) * input_pitch, &sorted[row + 2]);
    sort_pixels16(in + (row + 3) * input_pitch, &sorted[row + 3]);
    uchar16 upper, lower;
    TWO_MEDIANS(
        uchar16, min, max, sorted[row], sorted[row + 1], sorted[row + 2], sorted[row + 3], upper,
        lower);
    const int y = top + row;
    __global uchar* out0 = out + row * output_pitch;
    __global uchar* out1 = out0 + output_pitch;
    *(__global uchar16*)out0 = y == 0 || y == height - 1 ? sorted[row + 1].pixels : upper;
    *(__global uchar16*)out1 = y + 1 == height - 1 ? sorted[row + 2].pixels : lower;
    if (x == 0) {
      out0[0] = sorted[row + 1].pixels.s0;
      out1[0] = sorted[row + 2].pixels.s0;
    }
    if (x + 16 >= width) {
      out0[width - 1 - x] = in[(row + 1) * input_pitch + width - x];
      out1[width - 1 - x] = in[(row + 2) * input_pitch + width - x];
    }
  }
}

// median_gray_packed, for GPUs, which compute with 32 bits at a time: two pixels in one register,
// each in the upper byte of its 16 bits. The lower byte is whatever the neighbouring pixel left
// there. It only decides between equal pixels, so nobody has to clear it, and a word of four pixels
// gives its two registers by one shift: `word` holds pixels 1 and 3, `word << 8` pixels 0 and 2.
#if defined(__NV_CL_C_VERSION) && COMPUTE_CAPABILITY >= 9
// NVIDIA's GPUs since Hopper have one instruction for two of these, but the compiler does not find
// it in the min and max of a ushort2.
typedef uint Lanes;
uint lower_lanes(const uint a, const uint b) {
  uint result;
  __asm("min.u16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
uint upper_lanes(const uint a, const uint b) {
  uint result;
  __asm("max.u16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
#define AS_LANES(word) (word)
#define AS_WORD(lanes) (lanes)
#else
typedef ushort2 Lanes;
#define lower_lanes min
#define upper_lanes max
#define AS_LANES(word) as_ushort2(word)
#define AS_WORD(lanes) as_uint(lanes)
#endif

typedef struct {
  Lanes low;
  Lanes middle;
  Lanes high;
} SortedLanes;

// Sorts the three neighbours in a row for the windows that begin at the four bytes of `word`;
// `after` is the next word. sorted[0] has windows 0 and 2, sorted[1] windows 1 and 3: pixels 0 1 2,
// 2 3 4 and 1 2 3, 3 4 5. The pairs 1 2 and 3 4 are in both, so they are sorted once.
void sort_word(const uint word, const uint after, SortedLanes* sorted) {
  const Lanes pixels02 = AS_LANES(word << 8);
  const Lanes pixels13 = AS_LANES(word);
  const Lanes pixels24 = AS_LANES((word >> 8) | (after << 24));
  const Lanes pixels35 = AS_LANES((word >> 16) | (after << 16));
  const Lanes pair_low = lower_lanes(pixels13, pixels24);
  const Lanes pair_high = upper_lanes(pixels13, pixels24);
  sorted[0].low = lower_lanes(pair_low, pixels02);
  sorted[0].middle = upper_lanes(pair_low, lower_lanes(pair_high, pixels02));
  sorted[0].high = upper_lanes(pair_high, pixels02);
  sorted[1].low = lower_lanes(pair_low, pixels35);
  sorted[1].middle = upper_lanes(pair_low, lower_lanes(pair_high, pixels35));
  sorted[1].high = upper_lanes(pair_high, pixels35);
}

// Sixteen windows: sixteen bytes and the two bytes behind them.
void sort_words(const __global uchar* row, SortedLanes* sorted) {
  const uint4 words = *(const __global uint4*)row;
  const uint after = ((const __global uint*)row)[4];
  sort_word(words.x, words.y, sorted);
  sort_word(words.y, words.z, sorted + 2);
  sort_word(words.z, words.w, sorted + 4);
  sort_word(words.w, after, sorted + 6);
}

// Four pixels from windows 0 and 2, and windows 1 and 3.
uint join(const Lanes even, const Lanes odd) {
  return ((AS_WORD(even) >> 8) & 0x00ff00ffu) | (AS_WORD(odd) & 0xff00ff00u);
}

void store_words(
    const Lanes* medians, const __global uchar* in, __global uchar* out, const int x, const int y,
    const int width, const int height) {
  uint4 words;
  words.x = join(medians[0], medians[1]);
  words.y = join(medians[2], medians[3]);
  words.z = join(medians[4], medians[5]);
  words.w = join(medians[6], medians[7]);
  if (y == 0 || y == height - 1) {
    words = as_uint4(vload16(0, in + 1));
  }
  *(__global uint4*)out = words;
  if (x == 0) {
    out[0] = in[1];
  }
  if (x + 16 >= width) {
    out[width - 1 - x] = in[width - x];
  }
}

__kernel void median_gray_packed(
    const __global uchar* restrict input, __global uchar* restrict output, const int width,
    const int height, const int input_pitch, const int output_pitch) {
  const int x = get_global_id(0) * 16;              // first of sixteen columns
  const int top = get_global_id(1) * BLOCK_HEIGHT;  // first of eight rows
  if (x >= width || top >= height) {
    return;
  }
  const __global uchar* in = input + (size_t)top * input_pitch + x;
  __global uchar* out = output + (size_t)top * output_pitch + x;

  // From the row above the block to the row below it. With four rows that are moved on instead of
  // ten, NVIDIA's driver 580 made a program that lost the last windows of the first two rows.
  SortedLanes sorted[BLOCK_HEIGHT + 2][8];
  sort_words(in, sorted[0]);
  sort_words(in + input_pitch, sorted[1]);
#pragma unroll
  for (int row = 0; row < BLOCK_HEIGHT; row += 2) {
    sort_words(in + (row + 2) * input_pitch, sorted[row + 2]);
    sort_words(in + (row + 3) * input_pitch, sorted[row + 3]);
    Lanes upper[8], lower[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
      TWO_MEDIANS(
          Lanes, lower_lanes, upper_lanes, sorted[row][i], sorted[row + 1][i], sorted[row + 2][i],
          sorted[row + 3][i], upper[i], lower[i]);
    }
    store_words(
        upper, in + (row + 1) * input_pitch, out + row * output_pitch, x, top + row, width, height);
    store_words(
        lower, in + (row + 2) * input_pitch, out + (row + 1) * output_pitch, x, top + row + 1,
        width, height);
  }
}
