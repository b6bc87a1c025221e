// A window of twelve bytes in registers, filled by three loads. Each of the four sums takes its
// seven of them.

#define QUADS ((FILTER_WIDTH + 3 + 3) / 4)

__kernel void Sum_Bytes(
    const __global uchar* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * 4;  // 0..output_width - 1, or beyond it
  const int y = get_global_id(1);      // 0..output_height - 1, or beyond it
  if (x >= output_width || y >= output_height) {
    return;
  }

  int sum[4] = {0};
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const __global uchar* row = input + (y + r) * input_width + x;
    int window[4 * QUADS];
#pragma unroll
    for (int q = 0; q < QUADS; q++) {
      const uchar4 quad = vload4(q, row);
      window[4 * q] = quad.x;
      window[4 * q + 1] = quad.y;
      window[4 * q + 2] = quad.z;
      window[4 * q + 3] = quad.w;
    }
#pragma unroll
    for (int v = 0; v < 4; v++) {
#pragma unroll
      for (int c = 0; c < FILTER_WIDTH; c++) {
        sum[v] += window[v + c];
      }
    }
  }

#pragma unroll
  for (int v = 0; v < 4; v++) {
    if (x + v < output_width) {
      output[y * output_width + x + v] = sum[v] / (float)(FILTER_WIDTH * FILTER_WIDTH);
    }
  }
}
