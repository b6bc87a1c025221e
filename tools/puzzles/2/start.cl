// Puzzle 2: neighbours
//
// This kernel is right. On a GPU it takes several times as long as it should,
// and the formula is not to blame.
//
// What we know. A GPU runs 32 neighbouring work-items together, a warp: those
// whose get_global_id(0) are 0, 1, ..., 31. When they load, it fetches whole
// sectors of 32 bytes, which are eight floats side by side. If the 32 of them
// load 32 floats side by side, four or five sectors are enough. If they load
// 32 floats from all over the image, each of them needs a sector of its own.
//
// Somebody wanted to number the pixels, and did so from top to bottom: pixel
// 1 is below pixel 0. So the neighbours in a warp compute a column of the
// image.
//
// Your turn. Give every work-item another pixel. All pixels must still be
// computed, in images of any width and height.
//
// The judge counts the sectors that 32 neighbours fetch for one load: 32 now,
// and at most 5 when you are done. A CPU has no warps: there the time may stay
// as it is.

__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int output_height = get_global_size(1);
  // The number of this work-item, 0..output_width * output_height - 1.
  const int number = get_global_id(1) * output_width + get_global_id(0);
  const int x = number / output_height;
  const int y = number % output_height;

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
