// The OpenCL runtime numbers the work-items along the rows already, so x and y need no arithmetic.
// Work-items side by side in dimension 0 now read floats side by side.

__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);
  const int y = get_global_id(1);

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
