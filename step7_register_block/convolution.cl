// The kernels of the tutorial. Each step's file is its predecessor's and what the step adds.
//
// All of them compute the same, for every output pixel:
//     output[y][x] = sum over r, c of filter[r][c] * input[y + r][x + c]
// with r and c in 0..filter_width-1. The host has padded the input, so no kernel tests for the
// image's edges. input_width is the row pitch of the padded input in floats.

// Kernel 1: one work-item per output pixel, nothing optimised. The 100 % line of every chart.
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

// Kernel 2: the inner loop takes four taps at a time, so its condition is tested a quarter as
// often.
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

// Kernel 3: the taps that are left over no longer loop; one of three branches handles them.
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

// Kernel 4: the filter's width is a constant, -DFILTER_WIDTH=n when the program is built. The
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

// Kernel 5: kernel 2 with the width as a constant.
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

// Kernel 6: kernel 3 with the width as a constant; only one of its branches is left in the program.
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

// Kernel 7: neighbouring work-items need nearly the same inputs, so a work-group fetches them once,
// into local memory. The tile is the group's outputs and, to the right and below, a halo of
// filter_width - 1 columns and rows. Its size is known to the host alone, which passes it as an
// argument.
__kernel void Convolve_Local(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, likewise
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

// Kernel 8: kernel 7 with the width as a constant and the inner loop unrolled completely.
__kernel void Convolve_Def_Local_Unroll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, likewise
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

// Kernel 9: kernel 8 with both loops unrolled: no loop is left, FILTER_WIDTH * FILTER_WIDTH
// multiply-adds in a row.
__kernel void Convolve_Def_Local_UnrollAll(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, likewise
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

// Kernel 10: packed arithmetic. One multiply-add takes four taps, into four partial sums, which are
// added at the end.
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

// Kernel 11: kernel 10 with branches instead of the second loop, which also use other partial sums.
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

// Kernel 12: kernel 10 with the width as a constant.
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

// Kernel 13: kernel 11 with the width as a constant.
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

// Kernel 14: kernel 7, but the tile is fetched four floats at a time. That needs rows that begin at
// a multiple of four floats: the host has padded input_width to a multiple of 16, the tile's rows
// are rounded up here, and a work-group is a multiple of four wide.
__kernel void Convolve_Local_Read4(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float4* tile_quads) {
  // The parameter says float4 because only that promises the alignment of a float4.
  __local float* tile = (__local float*)tile_quads;
  const int x = get_global_id(0);       // 0..output_width - 1, beyond it in the last groups
  const int y = get_global_id(1);       // 0..output_height - 1, likewise
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

// Kernel 15: a work-item computes a block of outputs, TILE_WIDTH x TILE_HEIGHT pixels, so that an
// input, once fetched, counts for many of them. The host chooses the block when it builds the
// program, and LANES, the pixels of a variable:
//   1   for GPUs. What a block needs of an input row is fetched once, by aligned float4 reads, into
//       variables of its own: registers. TILE_WIDTH is a multiple of 4.
//   16  for CPUs. A variable is a vector of 16 pixels side by side; each tap reads its 16 inputs
//       anew, from the nearest cache, because nothing shifts a vector by a pixel as cheaply.
//       TILE_WIDTH is a multiple of 16.
// Blocks at the right and lower edge compute pixels outside of the image, too, and do not write
// them; the host has made room in the input for what they read.
#if LANES == 1
typedef float Vector;
#else
typedef float16 Vector;
#endif
#define TILE_VECTORS (TILE_WIDTH / LANES)
#define TILE_ROWS (TILE_HEIGHT + FILTER_WIDTH - 1)            // input rows of a block
#define WINDOW ((TILE_WIDTH + FILTER_WIDTH - 1 + 3) / 4 * 4)  // inputs of such a row, in float4s
// The first input row that no longer reaches all output rows. A call of max() would be unknown to
// compilers when they unroll.
#define ROWS_END (FILTER_WIDTH > TILE_HEIGHT - 1 ? FILTER_WIDTH : TILE_HEIGHT - 1)
// The compiler must not call these functions: what it passes to a function it cannot keep in
// registers.
#define INLINED __attribute__((always_inline)) inline

// On a CPU: asks for inputs before they are needed, and writes results past the cache, which would
// first read what they replace. OpenCL C has a name for the former alone, which does nothing in
// PoCL. By way of SPIR-V neither can be said.
#define HINT_PREFETCH(address)
#define STORE_FINAL(value, address) *(address) = (value)
#if LANES != 1 && defined(__has_builtin) && (defined(__x86_64__) || defined(__aarch64__))
#if __has_builtin(__builtin_prefetch) && __has_builtin(__builtin_nontemporal_store)
#undef HINT_PREFETCH
#undef STORE_FINAL
#define HINT_PREFETCH(address) __builtin_prefetch(address)
#define STORE_FINAL(value, address) __builtin_nontemporal_store(value, address)
#endif
#endif

// Fetches the block's part of an input row.
INLINED void fetch(const __global float* row, float window[WINDOW]) {
#pragma unroll
  for (int q = 0; q < WINDOW; q += 4) {
    const float4 quad = *(const __global float4*)(row + q);
    window[q] = quad.x;
    window[q + 1] = quad.y;
    window[q + 2] = quad.z;
    window[q + 3] = quad.w;
  }
}

// The inputs that vector v of the block has under tap column c.
INLINED Vector pixels(const __global float* row, const float window[WINDOW], int c, int v) {
#if LANES == 1
  return window[c + v];
#else
  return vload16(v, row + c);
#endif
}

// Writes a row of the block, whose first pixel is at `row`; the image's row has `columns` from
// there. in_vectors: the image's rows begin and end at a multiple of 16 pixels.
INLINED void store_row(
    __global float* row, int columns, bool in_vectors, const Vector sum[TILE_VECTORS]) {
#pragma unroll
  for (int v = 0; v < TILE_VECTORS; v++) {
#if LANES == 1
    if (in_vectors) {
      if (v % 4 == 0 && v < columns) {
        *(__global float4*)(row + v) = (float4)(sum[v], sum[v + 1], sum[v + 2], sum[v + 3]);
      }
    } else if (v < columns) {
      row[v] = sum[v];
    }
#else
    if (in_vectors && 16 * v < columns) {
      STORE_FINAL(sum[v], (__global float16*)(row + 16 * v));
    } else if (16 * v + 16 <= columns) {
      vstore16(sum[v], v, row);
    } else {
      float lanes[16];
      vstore16(sum[v], 0, lanes);
      for (int k = 0; 16 * v + k < columns; k++) {
        row[16 * v + k] = lanes[k];
      }
    }
#endif
  }
}

// Adds input row i of the block to the sums: to output row t with filter row i - t, if there is
// one. all_rows: there is one for every t.
INLINED void add_row(
    const __global float* row, __constant float* filter, int i, bool all_rows,
    Vector sum[TILE_HEIGHT][TILE_VECTORS]) {
  float window[WINDOW];
#if LANES == 1
  fetch(row, window);
#pragma unroll
#else
#pragma unroll
  for (int v = 0; v < TILE_VECTORS; v++) {
    HINT_PREFETCH(row + 2 * TILE_WIDTH + 16 * v);  // two blocks further right
  }
#endif
  for (int c = 0; c < FILTER_WIDTH; c++) {
#pragma unroll
    for (int t = 0; t < TILE_HEIGHT; t++) {
      const int r = i - t;
      if (all_rows || (r >= 0 && r < FILTER_WIDTH)) {
#pragma unroll
        for (int v = 0; v < TILE_VECTORS; v++) {
          sum[t][v] =
              fma((Vector)filter[r * FILTER_WIDTH + c], pixels(row, window, c, v), sum[t][v]);
        }
      }
    }
  }
}
__kernel void Convolve_Tile(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * TILE_WIDTH;   // the block's first column: 0..output_width - 1,
  const int y = get_global_id(1) * TILE_HEIGHT;  // and row; beyond them in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  Vector sum[TILE_HEIGHT][TILE_VECTORS];
#pragma unroll
  for (int t = 0; t < TILE_HEIGHT; t++) {
#pragma unroll
    for (int v = 0; v < TILE_VECTORS; v++) {
      sum[t][v] = 0.0f;
    }
  }
  // The first input rows do not reach all output rows yet, the last ones do not any more. Where
  // they do, nothing is tested.
  const __global float* row = input + y * input_width + x;
#pragma unroll
  for (int i = 0; i < TILE_HEIGHT - 1; i++, row += input_width) {
    add_row(row, filter, i, false, sum);
  }
  for (int i = TILE_HEIGHT - 1; i < FILTER_WIDTH; i++, row += input_width) {
    add_row(row, filter, i, true, sum);
  }
#pragma unroll
  for (int i = ROWS_END; i < TILE_ROWS; i++, row += input_width) {
    add_row(row, filter, i, false, sum);
  }

#pragma unroll
  for (int t = 0; t < TILE_HEIGHT; t++) {
    if (y + t < output_height) {
      __global float* output_row = output + (y + t) * output_width + x;
      store_row(output_row, output_width - x, output_width % 16 == 0, sum[t]);
    }
  }
}
