// Convolve with x and y swapped: neighbouring work-items read from neighbouring rows instead of
// neighbouring columns. For square images only, so it is tried at no other size (--as-asked).
// Run it beside the original:
//     ./tutorial step 1 --against step1_naive/swapped.cl --size 2048x2048 --as-asked
__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(1);  // 0..output height - 1
  const int y = get_global_id(0);  // 0..output width - 1

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
