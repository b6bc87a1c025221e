// The same test, of a constant: the compiler does it, and 34 multiply-adds are left.

__kernel void Convolve_Baked(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
#pragma unroll
  for (int r = 0; r < FILTER_WIDTH; r++) {
#pragma unroll
    for (int c = 0; c < FILTER_WIDTH; c++) {
      const float tap = baked_filter[r * FILTER_WIDTH + c];
      if (tap != 0.0f) {
        sum += tap * input[(y + r) * input_width + x + c];
      }
    }
  }
  output[y * output_width + x] = sum;
}
