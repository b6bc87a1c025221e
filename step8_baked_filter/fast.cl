// A kernel that computes neighbouring outputs from common sums, for GPUs.
//
// The host builds this file with -DFILTER_WIDTH=n, -DINPUT_WIDTH=n, -DOUTPUT_WIDTH=n, the lengths
// of the rows, and -DBLOCK_WIDTH=n (a multiple of 4) and -DBLOCK_HEIGHT=n. In front of it, it puts
// the filter's taps as constants, and a macro that does something for each input row of a block:
//     __constant float baked_filter[] = {...};
//     #define FOR_EACH_INPUT_ROW(DO) DO(0) DO(1) ...

// A block needs WINDOW pixels of an input row, in whole float4s.
#define WINDOW ((BLOCK_WIDTH + FILTER_WIDTH - 1 + 3) / 4 * 4)
#define PAIRS (BLOCK_WIDTH / 2)

// An array can live in registers only if no function is really called with it.
#define INLINED static __attribute__((always_inline)) inline

// Adds input row i of the block, to the sums of the output rows that use it:
// to what only the left and only the right output of each pair has, and to what both have.
INLINED void add_row(
    const __global float* row, int i, float left[BLOCK_HEIGHT][PAIRS],
    float both[BLOCK_HEIGHT][PAIRS], float right[BLOCK_HEIGHT][PAIRS]) {
  float window[WINDOW];
#pragma unroll
  for (int w = 0; w < WINDOW; w += 4) {
    const float4 quad = *(const __global float4*)&row[w];
    window[w] = quad.x;
    window[w + 1] = quad.y;
    window[w + 2] = quad.z;
    window[w + 3] = quad.w;
  }
  float fall[WINDOW / 2];  // p - q, where p is in an even column
  float rise[WINDOW / 2];  // s - q
#pragma unroll
  for (int k = 0; k < WINDOW / 2; k++) {
    fall[k] = window[2 * k] - window[2 * k + 1];
    rise[k] = 2 * k + 2 < WINDOW ? window[2 * k + 2] - window[2 * k + 1] : 0.0f;
  }
#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    const int r = i - t;  // the filter's row for output row t
    if (r >= 0 && r < FILTER_WIDTH) {
      __constant float* taps = &baked_filter[r * FILTER_WIDTH];
#pragma unroll
      for (int pair = 0; pair < PAIRS; pair++) {
#pragma unroll
        for (int c = 0; c < FILTER_WIDTH - 1; c += 2) {
          const int k = pair + c / 2;  // tap c meets columns 2k, 2k + 1 and 2k + 2
          left[t][pair] += taps[c] * fall[k];
          both[t][pair] += (taps[c] + taps[c + 1]) * window[2 * k + 1];
          right[t][pair] += taps[c + 1] * rise[k];
        }
        if (FILTER_WIDTH % 2 == 1) {  // the last tap of an odd width has no partner
          left[t][pair] += taps[FILTER_WIDTH - 1] * window[2 * pair + FILTER_WIDTH - 1];
          right[t][pair] += taps[FILTER_WIDTH - 1] * window[2 * pair + FILTER_WIDTH];
        }
      }
    }
  }
}

// Stores a row of the block, as far as the image reaches: `columns` from here. by_float4: the image
// has whole float4s in a row, so that each is aligned, and is inside the image or outside.
INLINED void store_row(
    __global float* row, int columns, bool by_float4, const float sum[BLOCK_WIDTH]) {
#pragma unroll
  for (int v = 0; v < BLOCK_WIDTH; v++) {
    if (by_float4 && v % 4 == 0 && v < columns) {
      *(__global float4*)&row[v] = (float4)(sum[v], sum[v + 1], sum[v + 2], sum[v + 3]);
    } else if (!by_float4 && v < columns) {
      row[v] = sum[v];
    }
  }
}

// Compilers stop unrolling long loops, whatever a pragma says, so the host writes out this one.
#define ADD_ROW(i) add_row(row + (i)*INPUT_WIDTH, i, left, both, right);

// Convolve_Fast: Convolve_Baked with a quarter of the multiply-adds replaced by additions made
// beforehand, which only known taps allow. Take two neighbouring outputs y0, y1 of a row, two
// neighbouring taps a, b, and the three inputs under them, p, q, s:
//     y0 = a p + b q = a (p - q) + (a + b) q
//     y1 = a q + b s = b (s - q) + (a + b) q
// The term in a + b is the same in both: three multiply-adds instead of four. The differences are
// made once for each input row, for all filter rows, and a + b by the compiler.
__kernel void Convolve_Fast(
    const __global float* restrict input, __constant float* filter, __global float* restrict output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= OUTPUT_WIDTH || y >= output_height) {
    return;
  }

  float left[BLOCK_HEIGHT][PAIRS] = {{0.0f}};
  float both[BLOCK_HEIGHT][PAIRS] = {{0.0f}};
  float right[BLOCK_HEIGHT][PAIRS] = {{0.0f}};
  const __global float* row = input + y * INPUT_WIDTH + x;
  FOR_EACH_INPUT_ROW(ADD_ROW)

#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    float pixel[BLOCK_WIDTH];
#pragma unroll
    for (int pair = 0; pair < PAIRS; pair++) {
      pixel[2 * pair] = left[t][pair] + both[t][pair];
      pixel[2 * pair + 1] = both[t][pair] + right[t][pair];
    }
    if (y + t < output_height) {
      __global float* pixels = output + (y + t) * OUTPUT_WIDTH + x;
      store_row(pixels, OUTPUT_WIDTH - x, OUTPUT_WIDTH % 4 == 0, pixel);
    }
  }
}
