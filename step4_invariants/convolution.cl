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
