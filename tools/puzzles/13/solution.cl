// The tile holds sums instead of inputs: 22 rows of 16. Each work-item computes one sum in every
// 16th row, and after the barrier adds up the seven below its own place.

__kernel void Convolve_Separable(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, or beyond it
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..15
  const int local_y = get_local_id(1);  // 0..15
  __constant float* column = filter;
  __constant float* row = filter + filter_width;
  const int group_y = y - local_y;  // the group's first output row
  const int tile_width = get_local_size(0);
  const int tile_height = get_local_size(1) + filter_width - 1;

  for (int tile_y = local_y; tile_y < tile_height; tile_y += get_local_size(1)) {
    float row_sum = 0.0f;
    for (int c = 0; c < filter_width; c++) {
      row_sum += row[c] * input[(group_y + tile_y) * input_width + x + c];
    }
    tile[tile_y * tile_width + local_x] = row_sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < output_width && y < output_height) {
    float sum = 0.0f;
    for (int r = 0; r < filter_width; r++) {
      sum += column[r] * tile[(local_y + r) * tile_width + local_x];
    }
    output[y * output_width + x] = sum;
  }
}
