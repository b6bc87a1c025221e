// Puzzle 12: taps that cost nothing
//
// The filter here is a motion blur: of its 16 x 16 taps 34 are not 0, along
// the diagonal. This kernel tests whether a tap is 0, and leaves out the
// multiply-add if so. That saves 222 multiply-adds, and costs 256 tests.
//
// What we know. The filter is known before the kernel is compiled. So the
// host writes the taps into the kernel's own text, in front of what you see
// here:
//
//     __constant float baked_filter[] = {0x1.5p-4f, 0x0p+0f, ...};
//
// Where the compiler knows r and c, it knows the tap. Then it does the test
// itself, and the device has nothing to do for it. FILTER_WIDTH is known, too.
//
// Your turn. Get rid of the tests, and of the loads of taps. #pragma
// unroll in front of a loop asks the compiler to unroll it.
//
// The judge counts for one pixel 34 multiply-adds, no load of a tap, and not
// a single conditional jump. At other widths it takes other filters, with
// negative taps.

__kernel void Convolve_Baked(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < FILTER_WIDTH; r++) {
    for (int c = 0; c < FILTER_WIDTH; c++) {
      const float tap = filter[r * FILTER_WIDTH + c];
      if (tap != 0.0f) {
        sum += tap * input[(y + r) * input_width + x + c];
      }
    }
  }
  output[y * output_width + x] = sum;
}
