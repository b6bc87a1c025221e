// Convolve_Unroll with two sums: the taps c + 1 and c + 3 go into one of their own, so each chain
// of additions is half as long. Run it beside the original:
//     ./tutorial step 2 --against step2_unroll/two_sums.cl --filter-width 16 --size 512x512
__kernel void Convolve_Unroll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f, odd = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= filter_width - 4; c += 4) {
      sum += filter[filter_row + c] * input[input_row + c];
      odd += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum += filter[filter_row + c + 2] * input[input_row + c + 2];
      odd += filter[filter_row + c + 3] * input[input_row + c + 3];
    }
    for (; c < filter_width; c++) {  // the filter_width % 4 taps that are left: 0..3
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum + odd;
}
