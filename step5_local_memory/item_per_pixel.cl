// Convolve_Local by chapter 7's first approach: as many work-items as the tile has pixels. Each
// fetches one, without a loop. Those of the halo then have nothing to compute.
//
// Exercise 6 makes the host start such groups: they are filter_width - 1 wider and higher than the
// outputs that they compute.
__kernel void Convolve_Local(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int local_x = get_local_id(0);  // 0..tile_width - 1
  const int local_y = get_local_id(1);  // 0..tile_height - 1
  const int tile_width = get_local_size(0);
  const int tile_height = get_local_size(1);
  const int columns = tile_width - filter_width + 1;  // of outputs, in each group
  const int rows = tile_height - filter_width + 1;    // of outputs, in each group
  const int x = get_group_id(0) * columns + local_x;  // of the pixel to fetch, and of the output
  const int y = get_group_id(1) * rows + local_y;

  if (x < output_width + filter_width - 1 && y < output_height + filter_width - 1) {
    tile[local_y * tile_width + local_x] = input[y * input_width + x];
  }
  // Nobody reads the tile before everybody has written their part of it.
  barrier(CLK_LOCAL_MEM_FENCE);

  if (local_x < columns && local_y < rows && x < output_width && y < output_height) {
    float sum = 0.0f;
    for (int r = 0; r < filter_width; r++) {
      const int filter_row = r * filter_width;
      const int tile_row = (local_y + r) * tile_width + local_x;
      for (int c = 0; c < filter_width; c++) {
        sum += filter[filter_row + c] * tile[tile_row + c];
      }
    }
    output[y * output_width + x] = sum;
  }
}
