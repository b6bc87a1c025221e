// The input that the right pixel has just used is the one that the left pixel needs next. So one
// new input a pass is enough.

__kernel void Convolve_Two(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * 2;  // 0..output_width - 1, or beyond it
  const int y = get_global_id(1);      // 0..output_height - 1, or beyond it
  if (x >= output_width || y >= output_height) {
    return;
  }

  float left = 0.0f;
  float right = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    float pixel = input[input_row];
    for (int c = 0; c < filter_width; c++) {
      const float tap = filter[filter_row + c];
      const float next = input[input_row + c + 1];
      left += tap * pixel;
      right += tap * next;
      pixel = next;
    }
  }
  output[y * output_width + x] = left;
  if (x + 1 < output_width) {
    output[y * output_width + x + 1] = right;
  }
}
