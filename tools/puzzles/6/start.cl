// Puzzle 6: the halo
//
// Every input is loaded 49 times, each time by another work-item. A
// work-group, here of 16 x 16 work-items, can share: it fetches what it needs
// into local memory once, and then all of it reads from there.
//
// What we know. 16 x 16 outputs of a 7 x 7 filter need 22 x 22 inputs, their
// tile: 16 + filter_width - 1 in each direction. What sticks out to the right
// and below is called the halo. The kernel below begins well: each work-item
// fetches one input, its own. That makes 16 x 16 of them. Nobody fetches the
// halo, and whatever lies in that memory goes into the sums.
//
// Three things are already right, and should stay so. The barrier stands
// between fetching and computing: nobody passes it before all have arrived.
// The number of work-items is rounded up to whole groups, so some are outside
// of the image; they help to fetch, and compute nothing. And the input has
// room: you may fetch inputs below and to the right of the image.
//
// Your turn. Fetch the whole tile. There are more inputs than work-items, so
// some work-items have to fetch more than one.
//
// The judge wants the right result, with at most 1.9 loads of inputs for each
// pixel: (22 * 22) / (16 * 16) = 1.89, each input of the tile once.

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

  // This fetches 16 x 16 inputs of the tile. Where is the halo?
  tile[local_y * tile_width + local_x] =
      input[(group_y + local_y) * input_width + group_x + local_x];
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < output_width && y < output_height) {
    float sum = 0.0f;
    for (int r = 0; r < filter_width; r++) {
      for (int c = 0; c < filter_width; c++) {
        sum += filter[r * filter_width + c] * tile[(local_y + r) * tile_width + local_x + c];
      }
    }
    output[y * output_width + x] = sum;
  }
}
