// A float4 for the taps that come in fours, a float for the others, and three additions at the end.

__kernel void Convolve_Float4(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float4 fours = 0.0f;
  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= filter_width - 4; c += 4) {
      fours += vload4(0, filter + filter_row + c) * vload4(0, input + input_row + c);
    }
    for (; c < filter_width; c++) {  // the filter_width % 4 taps that are left: 0..3
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = fours.x + fours.y + fours.z + fours.w + sum;
}
