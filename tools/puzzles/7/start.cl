// Puzzle 7: one tile, used twice
//
// Here a group of 16 x 16 work-items computes 16 x 32 outputs: first the
// upper half, then the lower half. Both halves use the same local memory for
// their tile, one after the other. The fetching is right. The sums are right.
// Still the result is wrong, and on some devices it is right on Mondays only.
//
// What we know. The work-items of a group do not run in step. One of them may
// already add up its inputs while another has not fetched its own yet. And
// one may be far ahead, in the next half, while another still reads the tile
// of this one. A barrier(CLK_LOCAL_MEM_FENCE) stops every work-item until all
// of the group have arrived. All of them must come to it: a barrier inside an
// if that some do not enter hangs the group, or worse.
//
// Your turn. Put barriers where they are needed. There are two kinds of haste
// to stop, so one barrier is not enough.
//
// The judge runs the kernel in a simulator that watches every access, and
// reports a data race: one work-item writes what another reads, and nothing
// says which of the two comes first. It reports a barrier that only some
// work-items reach, too.

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
  }
}
