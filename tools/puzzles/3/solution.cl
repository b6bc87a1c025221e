// Even columns of the filter go into one sum, odd columns into another. At 7 x 7 the longer of the
// two chains has 4 links in each of 7 rows, and the addition at the end is the 29th.

__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float even = 0.0f;
  float odd = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c < filter_width - 1; c += 2) {
      even += filter[filter_row + c] * input[input_row + c];
      odd += filter[filter_row + c + 1] * input[input_row + c + 1];
    }
    if (c < filter_width) {  // an odd width leaves one tap over
      even += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = even + odd;
}
