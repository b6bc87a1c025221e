// Sixteen sums and a window of one input row stay in registers. The loop over the input rows need
// not be unrolled: its counter chooses a row of the filter, but no element of an array.

__kernel void Convolve_Block(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * 4;  // the block's first column and row,
  const int y = get_global_id(1) * 4;  // perhaps beyond the image
  if (x >= output_width || y >= output_height) {
    return;
  }

  float sum[4][4] = {{0.0f}};
  for (int i = 0; i < 4 + FILTER_WIDTH - 1; i++) {
    float window[4 + FILTER_WIDTH - 1];
#pragma unroll
    for (int w = 0; w < 4 + FILTER_WIDTH - 1; w++) {
      window[w] = input[(y + i) * input_width + x + w];
    }
#pragma unroll
    for (int t = 0; t < 4; t++) {
      const int r = i - t;  // the filter's row for output row t
      if (r >= 0 && r < FILTER_WIDTH) {
#pragma unroll
        for (int c = 0; c < FILTER_WIDTH; c++) {
          const float tap = filter[r * FILTER_WIDTH + c];
#pragma unroll
          for (int v = 0; v < 4; v++) {
            sum[t][v] += tap * window[c + v];
          }
        }
      }
    }
  }

#pragma unroll
  for (int t = 0; t < 4; t++) {
#pragma unroll
    for (int v = 0; v < 4; v++) {
      if (x + v < output_width && y + t < output_height) {
        output[(y + t) * output_width + x + v] = sum[t][v];
      }
    }
  }
}
