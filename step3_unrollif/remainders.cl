// Convolve_UnrollIf four times, once for each remainder of filter_width / 4. A kernel that is for
// one remainder alone need not find out which it is: the host knows, and chooses the kernel.
// Exercise 2 makes the host do so; until then it knows the first kernel alone.

// What all of them do. `left` is filter_width % 4. The function is compiled into each kernel, so
// where `left` is a constant, the branches that cannot be taken go.
__attribute__((always_inline)) inline void convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int left) {
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

// For multiples of four.
__kernel void Convolve_UnrollIf(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  convolve(input, filter, output, input_width, filter_width, 0);
}

__kernel void Convolve_UnrollIf_1(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  convolve(input, filter, output, input_width, filter_width, 1);
}

__kernel void Convolve_UnrollIf_2(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  convolve(input, filter, output, input_width, filter_width, 2);
}

__kernel void Convolve_UnrollIf_3(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  convolve(input, filter, output, input_width, filter_width, 3);
}
