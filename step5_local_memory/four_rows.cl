// Convolve_Def_Local_UnrollAll with four outputs, one below the other, for each work-item. A value
// that it loads from the tile serves all of them whose window holds it.
//
// Exercise 8 makes the host start a quarter of the rows of work-items, and make room for the tile.
#define ROWS 4

__kernel void Convolve_Def_Local_UnrollAll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);              // 0..output_width - 1, or beyond it
  const int y = get_global_id(1) * ROWS;       // of the first output, or beyond the last
  const int local_x = get_local_id(0);         // 0..group width - 1
  const int local_y = get_local_id(1) * ROWS;  // of the first output, in the tile
  const int group_x = x - local_x;             // the group's first output column
  const int group_y = y - local_y;             // the group's first output row
  const int tile_width = get_local_size(0) + FILTER_WIDTH - 1;
  const int tile_height = get_local_size(1) * ROWS + FILTER_WIDTH - 1;

  for (int tile_y = get_local_id(1); tile_y < tile_height; tile_y += get_local_size(1)) {
    for (int tile_x = local_x; tile_x < tile_width; tile_x += get_local_size(0)) {
      if (group_x + tile_x < output_width + FILTER_WIDTH - 1 &&
          group_y + tile_y < output_height + FILTER_WIDTH - 1) {
        tile[tile_y * tile_width + tile_x] =
            input[(group_y + tile_y) * input_width + group_x + tile_x];
      }
    }
  }
  // Nobody reads the tile before everybody has written their part of it.
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < output_width && y < output_height) {
    float sum[ROWS] = {0.0f};
#pragma unroll
    for (int i = 0; i < ROWS + FILTER_WIDTH - 1; i++) {
#pragma unroll
      for (int c = 0; c < FILTER_WIDTH; c++) {
        const float pixel = tile[(local_y + i) * tile_width + local_x + c];
#pragma unroll
        for (int t = 0; t < ROWS; t++) {
          const int r = i - t;  // the filter's row for output row t
          if (r >= 0 && r < FILTER_WIDTH) {
            sum[t] += filter[r * FILTER_WIDTH + c] * pixel;
          }
        }
      }
    }
#pragma unroll
    for (int t = 0; t < ROWS; t++) {
      if (y + t < output_height) {
        output[(y + t) * output_width + x] = sum[t];
      }
    }
  }
}
