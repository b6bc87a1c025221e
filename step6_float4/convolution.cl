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

// Convolve_Unroll: the inner loop takes four taps at a time, so its condition is tested a quarter
// as often.
__kernel void Convolve_Unroll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= filter_width - 4; c += 4) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum += filter[filter_row + c + 2] * input[input_row + c + 2];
      sum += filter[filter_row + c + 3] * input[input_row + c + 3];
    }
    for (; c < filter_width; c++) {  // the filter_width % 4 taps that are left: 0..3
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum;
}

// Convolve_UnrollIf: the taps that are left over no longer loop; one of three branches handles
// them.
__kernel void Convolve_UnrollIf(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= filter_width - 4; c += 4) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum += filter[filter_row + c + 2] * input[input_row + c + 2];
      sum += filter[filter_row + c + 3] * input[input_row + c + 3];
    }
    const int left = filter_width - c;  // 0..3
    if (left == 1) {
      sum += filter[filter_row + c] * input[input_row + c];
    } else if (left == 2) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
    } else if (left == 3) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum += filter[filter_row + c + 2] * input[input_row + c + 2];
    }
  }
  output[y * output_width + x] = sum;
}

// Convolve_Def: the filter's width is a constant, -DFILTER_WIDTH=n when the program is built. The
// compiler can unroll by itself and compute the filter's indices in advance. The argument stays, so
// that all kernels are called alike.
__kernel void Convolve_Def(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
    for (int c = 0; c < FILTER_WIDTH; c++) {
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum;
}

// Convolve_Def_Unroll: Convolve_Unroll with the width as a constant.
__kernel void Convolve_Def_Unroll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= FILTER_WIDTH - 4; c += 4) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum += filter[filter_row + c + 2] * input[input_row + c + 2];
      sum += filter[filter_row + c + 3] * input[input_row + c + 3];
    }
    for (; c < FILTER_WIDTH; c++) {  // the FILTER_WIDTH % 4 taps that are left: 0..3
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum;
}

// Convolve_Def_UnrollIf: Convolve_UnrollIf with the width as a constant; only one of its branches
// is left in the program.
__kernel void Convolve_Def_UnrollIf(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= FILTER_WIDTH - 4; c += 4) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum += filter[filter_row + c + 2] * input[input_row + c + 2];
      sum += filter[filter_row + c + 3] * input[input_row + c + 3];
    }
    const int left = FILTER_WIDTH - c;  // 0..3
    if (left == 1) {
      sum += filter[filter_row + c] * input[input_row + c];
    } else if (left == 2) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
    } else if (left == 3) {
      sum += filter[filter_row + c] * input[input_row + c];
      sum += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum += filter[filter_row + c + 2] * input[input_row + c + 2];
    }
  }
  output[y * output_width + x] = sum;
}

// Convolve_Def_UnrollAll: Convolve_Def with both loops unrolled by the compiler.
__kernel void Convolve_Def_UnrollAll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
#pragma unroll
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
#pragma unroll
    for (int c = 0; c < FILTER_WIDTH; c++) {
      sum += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum;
}

// Convolve_Local: neighbouring work-items need nearly the same inputs, so a work-group fetches them
// once, into local memory. The tile is the group's outputs and, to the right and below, a halo of
// filter_width - 1 columns and rows. Its size is known to the host alone, which passes it as an
// argument.
__kernel void Convolve_Local(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..group width - 1
  const int local_y = get_local_id(1);  // 0..group height - 1
  const int group_x = x - local_x;      // the group's first output column
  const int group_y = y - local_y;      // the group's first output row
  const int tile_width = get_local_size(0) + filter_width - 1;
  const int tile_height = get_local_size(1) + filter_width - 1;

  // The group fetches its tile, halo included. There are more pixels than work-items, so each
  // work-item takes every group-width-th column of every group-height-th row.
  for (int tile_y = local_y; tile_y < tile_height; tile_y += get_local_size(1)) {
    for (int tile_x = local_x; tile_x < tile_width; tile_x += get_local_size(0)) {
      if (group_x + tile_x < output_width + filter_width - 1 &&
          group_y + tile_y < output_height + filter_width - 1) {
        tile[tile_y * tile_width + tile_x] =
            input[(group_y + tile_y) * input_width + group_x + tile_x];
      }
    }
  }
  // Nobody reads the tile before everybody has written their part of it.
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < output_width && y < output_height) {
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

// Convolve_Def_Local_Unroll: Convolve_Local with the width as a constant and the inner loop
// unrolled completely.
__kernel void Convolve_Def_Local_Unroll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..group width - 1
  const int local_y = get_local_id(1);  // 0..group height - 1
  const int group_x = x - local_x;      // the group's first output column
  const int group_y = y - local_y;      // the group's first output row
  const int tile_width = get_local_size(0) + FILTER_WIDTH - 1;
  const int tile_height = get_local_size(1) + FILTER_WIDTH - 1;

  // The group fetches its tile, halo included. There are more pixels than work-items, so each
  // work-item takes every group-width-th column of every group-height-th row.
  for (int tile_y = local_y; tile_y < tile_height; tile_y += get_local_size(1)) {
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
    float sum = 0.0f;
    for (int r = 0; r < FILTER_WIDTH; r++) {
      const int filter_row = r * FILTER_WIDTH;
      const int tile_row = (local_y + r) * tile_width + local_x;
#pragma unroll
      for (int c = 0; c < FILTER_WIDTH; c++) {
        sum += filter[filter_row + c] * tile[tile_row + c];
      }
    }
    output[y * output_width + x] = sum;
  }
}

// Convolve_Def_Local_UnrollAll: Convolve_Def_Local_Unroll with both loops unrolled: no loop is
// left, FILTER_WIDTH * FILTER_WIDTH multiply-adds in a row.
__kernel void Convolve_Def_Local_UnrollAll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..group width - 1
  const int local_y = get_local_id(1);  // 0..group height - 1
  const int group_x = x - local_x;      // the group's first output column
  const int group_y = y - local_y;      // the group's first output row
  const int tile_width = get_local_size(0) + FILTER_WIDTH - 1;
  const int tile_height = get_local_size(1) + FILTER_WIDTH - 1;

  // The group fetches its tile, halo included. There are more pixels than work-items, so each
  // work-item takes every group-width-th column of every group-height-th row.
  for (int tile_y = local_y; tile_y < tile_height; tile_y += get_local_size(1)) {
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
    float sum = 0.0f;
#pragma unroll
    for (int r = 0; r < FILTER_WIDTH; r++) {
      const int filter_row = r * FILTER_WIDTH;
      const int tile_row = (local_y + r) * tile_width + local_x;
#pragma unroll
      for (int c = 0; c < FILTER_WIDTH; c++) {
        sum += filter[filter_row + c] * tile[tile_row + c];
      }
    }
    output[y * output_width + x] = sum;
  }
}

// A device without images would not compile the last kernel.
#ifdef __IMAGE_SUPPORT__

// The coordinates are pixels, and beyond the image's border the nearest pixel of it is read.
__constant sampler_t repeat_border =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// Convolve_Image: Convolve from an image, which the GPU's texture units read and cache. They repeat
// the border too, so the image has none added, and the first tap is that far to the left and above.
__kernel void Convolve_Image(
    __read_only image2d_t input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1
  const int before = (filter_width - 1) / 2;

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int2 input_row = (int2)(x - before, y - before + r);
    for (int c = 0; c < filter_width; c++) {
      sum += filter[filter_row + c] * read_imagef(input, repeat_border, input_row + (int2)(c, 0)).x;
    }
  }
  output[y * output_width + x] = sum;
}

#endif

// Convolve_Float4: packed arithmetic. One multiply-add takes four taps, into four partial sums,
// which are added at the end.
__kernel void Convolve_Float4(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float4 sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= filter_width - 4; c += 4) {
      sum += vload4(0, filter + filter_row + c) * vload4(0, input + input_row + c);
    }
    for (; c < filter_width; c++) {  // the filter_width % 4 taps that are left: 0..3
      sum.x += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum.x + sum.y + sum.z + sum.w;
}

// Convolve_Float4If: Convolve_Float4 with branches instead of the second loop, which also use other
// partial sums.
__kernel void Convolve_Float4If(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float4 sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    const int filter_row = r * filter_width;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= filter_width - 4; c += 4) {
      sum += vload4(0, filter + filter_row + c) * vload4(0, input + input_row + c);
    }
    const int left = filter_width - c;  // 0..3
    if (left == 1) {
      sum.x += filter[filter_row + c] * input[input_row + c];
    } else if (left == 2) {
      sum.x += filter[filter_row + c] * input[input_row + c];
      sum.y += filter[filter_row + c + 1] * input[input_row + c + 1];
    } else if (left == 3) {
      sum.x += filter[filter_row + c] * input[input_row + c];
      sum.y += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum.z += filter[filter_row + c + 2] * input[input_row + c + 2];
    }
  }
  output[y * output_width + x] = sum.x + sum.y + sum.z + sum.w;
}

// Convolve_Def_Float4: Convolve_Float4 with the width as a constant.
__kernel void Convolve_Def_Float4(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float4 sum = 0.0f;
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= FILTER_WIDTH - 4; c += 4) {
      sum += vload4(0, filter + filter_row + c) * vload4(0, input + input_row + c);
    }
    for (; c < FILTER_WIDTH; c++) {  // the FILTER_WIDTH % 4 taps that are left: 0..3
      sum.x += filter[filter_row + c] * input[input_row + c];
    }
  }
  output[y * output_width + x] = sum.x + sum.y + sum.z + sum.w;
}

// Convolve_Def_Float4If: Convolve_Float4If with the width as a constant.
__kernel void Convolve_Def_Float4If(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float4 sum = 0.0f;
  for (int r = 0; r < FILTER_WIDTH; r++) {
    const int filter_row = r * FILTER_WIDTH;
    const int input_row = (y + r) * input_width + x;
    int c = 0;
    for (; c <= FILTER_WIDTH - 4; c += 4) {
      sum += vload4(0, filter + filter_row + c) * vload4(0, input + input_row + c);
    }
    const int left = FILTER_WIDTH - c;  // 0..3
    if (left == 1) {
      sum.x += filter[filter_row + c] * input[input_row + c];
    } else if (left == 2) {
      sum.x += filter[filter_row + c] * input[input_row + c];
      sum.y += filter[filter_row + c + 1] * input[input_row + c + 1];
    } else if (left == 3) {
      sum.x += filter[filter_row + c] * input[input_row + c];
      sum.y += filter[filter_row + c + 1] * input[input_row + c + 1];
      sum.z += filter[filter_row + c + 2] * input[input_row + c + 2];
    }
  }
  output[y * output_width + x] = sum.x + sum.y + sum.z + sum.w;
}

// Convolve_Local_Read4: Convolve_Local, but the tile is fetched four floats at a time. That needs
// rows that begin at a multiple of four floats: the host has padded input_width to a multiple of
// 16, the tile's rows are rounded up here, and a work-group is a multiple of four wide.
__kernel void Convolve_Local_Read4(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float4* tile_quads) {
  // The parameter says float4 because only that promises the alignment of a float4.
  __local float* tile = (__local float*)tile_quads;
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..group width - 1
  const int local_y = get_local_id(1);  // 0..group height - 1
  const int group_x = x - local_x;      // the group's first output column
  const int group_y = y - local_y;      // the group's first output row
  const int tile_width = (get_local_size(0) + filter_width - 1 + 3) / 4 * 4;
  const int tile_height = get_local_size(1) + filter_width - 1;

  // The group fetches its tile, halo included. The quads, four floats each, are numbered row by
  // row; each work-item takes every group-size-th of them, so filters of any width fit.
  const int quads_in_row = tile_width / 4;
  const int group_size = get_local_size(0) * get_local_size(1);
  for (int quad = local_y * get_local_size(0) + local_x; quad < quads_in_row * tile_height;
       quad += group_size) {
    const int tile_y = quad / quads_in_row;      // 0..tile_height - 1
    const int tile_x = quad % quads_in_row * 4;  // 0..tile_width - 4
    // A quad that begins within the padded row also ends within it.
    if (group_x + tile_x < input_width && group_y + tile_y < output_height + filter_width - 1) {
      tile_quads[quad] =
          *(const __global float4*)&input[(group_y + tile_y) * input_width + group_x + tile_x];
    }
  }
  // Nobody reads the tile before everybody has written their part of it.
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < output_width && y < output_height) {
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

// Convolve_Local_Read4_UnrollAll: Convolve_Local_Read4 with the width as a constant and both loops
// unrolled, as in Convolve_Def_Local_UnrollAll. All that chapter 7 does, together.
__kernel void Convolve_Local_Read4_UnrollAll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float4* tile_quads) {
  // The parameter says float4 because only that promises the alignment of a float4.
  __local float* tile = (__local float*)tile_quads;
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..group width - 1
  const int local_y = get_local_id(1);  // 0..group height - 1
  const int group_x = x - local_x;      // the group's first output column
  const int group_y = y - local_y;      // the group's first output row
  const int tile_width = (get_local_size(0) + FILTER_WIDTH - 1 + 3) / 4 * 4;
  const int tile_height = get_local_size(1) + FILTER_WIDTH - 1;

  // The group fetches its tile, halo included. The quads, four floats each, are numbered row by
  // row; each work-item takes every group-size-th of them, so filters of any width fit.
  const int quads_in_row = tile_width / 4;
  const int group_size = get_local_size(0) * get_local_size(1);
  for (int quad = local_y * get_local_size(0) + local_x; quad < quads_in_row * tile_height;
       quad += group_size) {
    const int tile_y = quad / quads_in_row;      // 0..tile_height - 1
    const int tile_x = quad % quads_in_row * 4;  // 0..tile_width - 4
    // A quad that begins within the padded row also ends within it.
    if (group_x + tile_x < input_width && group_y + tile_y < output_height + FILTER_WIDTH - 1) {
      tile_quads[quad] =
          *(const __global float4*)&input[(group_y + tile_y) * input_width + group_x + tile_x];
    }
  }
  // Nobody reads the tile before everybody has written their part of it.
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < output_width && y < output_height) {
    float sum = 0.0f;
#pragma unroll
    for (int r = 0; r < FILTER_WIDTH; r++) {
      const int filter_row = r * FILTER_WIDTH;
      const int tile_row = (local_y + r) * tile_width + local_x;
#pragma unroll
      for (int c = 0; c < FILTER_WIDTH; c++) {
        sum += filter[filter_row + c] * tile[tile_row + c];
      }
    }
    output[y * output_width + x] = sum;
  }
}
