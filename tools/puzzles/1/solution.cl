// The formula as it stands: a loop for the rows of the filter, a loop for its columns.

__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    for (int c = 0; c < filter_width; c++) {
      sum += filter[r * filter_width + c] * input[(y + r) * input_width + x + c];
    }
  }
  output[y * output_width + x] = sum;
}
