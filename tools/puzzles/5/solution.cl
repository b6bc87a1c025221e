// Two words changed, two lines added. The compiler makes 256 multiply-adds in a row of the two
// loops, and every index of a tap becomes a constant.

__kernel void Convolve_Def(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
#pragma unroll
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
#pragma unroll
    for (int c = 0; c < FILTER_WIDTH; c++) {
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum;
}
