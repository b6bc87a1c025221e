// Two rows of 16 fill all 32 banks if the second begins 16 banks further than the first. So the
// pitch is 16 more than a multiple of 32: here the first such number that the tile fits into.

__kernel void Convolve_Local(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, or beyond it
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..15
  const int local_y = get_local_id(1);  // 0..15
  const int group_x = x - local_x;      // the group's first output column
  const int group_y = y - local_y;      // the group's first output row
  const int tile_width = get_local_size(0) + filter_width - 1;
  const int tile_height = get_local_size(1) + filter_width - 1;
  const int pitch = (tile_width + 15) / 32 * 32 + 16;  // 16 or 48

  for (int tile_y = local_y; tile_y < tile_height; tile_y += get_local_size(1)) {
    for (int tile_x = local_x; tile_x < tile_width; tile_x += get_local_size(0)) {
      tile[tile_y * pitch + tile_x] = input[(group_y + tile_y) * input_width + group_x + tile_x];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < output_width && y < output_height) {
    float sum = 0.0f;
    for (int r = 0; r < filter_width; r++) {
      for (int c = 0; c < filter_width; c++) {
        sum += filter[r * filter_width + c] * tile[(local_y + r) * pitch + local_x + c];
      }
    }
    output[y * output_width + x] = sum;
  }
}
