// The kernels of the tutorial. Each step's file is its predecessor's and what the step adds.
//
// All of them compute the same, for every output pixel:
//     output[y][x] = sum over r, c of filter[r][c] * input[y + r][x + c]
// with r and c in 0..filter_width-1. The host has padded the input, so no kernel tests for the
// image's edges. input_width is the row pitch of the padded input in floats.

// Convolve: one work-item per output pixel, nothing optimised. The 100 % line of every chart.
__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

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

// The first of two passes for a filter that is a column of taps times a row of taps:
//     output[y][x] = sum over c of row[c] * input[y][x + c]
// for every row of the padded input. Its name begins with that of the kernel below, which it helps.
__kernel void Convolve_Separable_Rows(
    const __global float* input, __constant float* row, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..padded height - 1

  float sum = 0.0f;
  const int input_row = y * input_width + x;
  for (int c = 0; c < filter_width; c++) {
    sum += row[c] * input[input_row + c];
  }
  output[y * output_width + x] = sum;
}

// The second pass. Its input is the output of the first, so input_width is the output's width:
//     output[y][x] = sum over r of column[r] * input[y + r][x]
__kernel void Convolve_Separable(
    const __global float* input, __constant float* column, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    sum += column[r] * input[(y + r) * input_width + x];
  }
  output[y * output_width + x] = sum;
}
