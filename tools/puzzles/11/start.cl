// Puzzle 11: a block of sixteen
//
// Two outputs shared a load in puzzle 10. Sixteen share more: here a
// work-item computes a block of 4 x 4 pixels. With a 7 x 7 filter it needs 10
// x 10 inputs, and loads them one by one for each pixel: 49 each, 784 in all.
//
// What we know. Think of the rows. Input row i of the block, 0 to 9, goes
// into output row t through row i - t of the filter, if the filter has such a
// row:
//
//     input row i:        0   1   2   3   4   5   6   7   8   9
//     output row t = 0:  r0  r1  r2  r3  r4  r5  r6
//     output row t = 1:      r0  r1  r2  r3  r4  r5  r6
//     output row t = 2:          r0  r1  r2  r3  r4  r5  r6
//     output row t = 3:              r0  r1  r2  r3  r4  r5  r6
//
// So take one input row after the other. Load its ten inputs into a small
// array, and add them to all sums that need them. Arrays live in registers
// only if every index is known to the compiler, so the loops that index them
// must be unrolled. FILTER_WIDTH is known here. No array is indexed by i: leave
// the loop over the input rows rolled, or the code becomes ten times as long,
// and slower.
//
// Your turn. The host has made room: you may load inputs beyond the image for
// all sixteen pixels, but you must not store beyond it.
//
// The judge wants at most 100 / 16 = 6.25 loads of inputs for each pixel, and
// no load of private memory: that is where an array lives that found no
// register.

__kernel void Convolve_Block(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * 4;  // the block's first column and row,
  const int y = get_global_id(1) * 4;  // perhaps beyond the image

  for (int t = 0; t < 4; t++) {
    for (int v = 0; v < 4; v++) {
      if (x + v < output_width && y + t < output_height) {
        float sum = 0.0f;
        for (int r = 0; r < FILTER_WIDTH; r++) {
          for (int c = 0; c < FILTER_WIDTH; c++) {
            sum += filter[r * FILTER_WIDTH + c] * input[(y + t + r) * input_width + x + v + c];
          }
        }
        output[(y + t) * output_width + x + v] = sum;
      }
    }
  }
}
