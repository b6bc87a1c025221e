// Puzzle 5: no jump at all
//
// In puzzle 4 you unrolled a loop by hand and saved a third of its jumps. Now
// save them all, and type less.
//
// What we know. OpenCL C is compiled when the program runs, and by then the
// filter is known. So the host can tell the compiler how wide it is: from
// this puzzle on the kernel is built with -DFILTER_WIDTH=16, or whatever the
// width is. A loop whose number of passes is known can be unrolled by the
// compiler, if it wants to; and #pragma unroll in front of a loop asks it to.
//
// Your turn. Change as little as you can.
//
// The judge counts the conditional jumps of one pixel, this time with a
// filter of 16 x 16, which is too long to be unrolled without being asked.
// They are 273 now, and 0 when you are done.

__kernel void Convolve_Def(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    for (int c = 0; c < filter_width; c++) {
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum;
}
