// Two barriers. The first waits until the tile is complete. The second waits until nobody reads it
// any more, before the next part overwrites it. Both stand where every work-item passes.

__kernel void Convolve_Local_Twice(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..15
  const int local_y = get_local_id(1);  // 0..15
  const int group_x = x - local_x;      // the group's first output column
  const int tile_width = get_local_size(0) + filter_width - 1;
  const int tile_height = get_local_size(1) + filter_width - 1;

  for (int part = 0; part < 2; part++) {
    const int first_row = (2 * get_group_id(1) + part) * get_local_size(1);
    for (int tile_y = local_y; tile_y < tile_height; tile_y += get_local_size(1)) {
      for (int tile_x = local_x; tile_x < tile_width; tile_x += get_local_size(0)) {
        tile[tile_y * tile_width + tile_x] =
            input[(first_row + tile_y) * input_width + group_x + tile_x];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete

    const int y = first_row + local_y;  // 0..output_height - 1, or beyond it
    if (x < output_width && y < output_height) {
      float sum = 0.0f;
      for (int r = 0; r < filter_width; r++) {
        for (int c = 0; c < filter_width; c++) {
          sum += filter[r * filter_width + c] * tile[(local_y + r) * tile_width + local_x + c];
        }
      }
      output[y * output_width + x] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // nobody reads it any more
  }
}
