// Puzzle 1: the formula
//
// A convolution replaces every pixel by a weighted sum of its neighbourhood.
// The weights are the taps of a small square, the filter:
//
//     output[y][x] = sum over r, c of filter[r][c] * input[y + r][x + c]
//
// where r and c are 0, 1, ..., filter_width - 1.
//
// What we know. The device runs the kernel below once for every pixel of the
// output. Each run is a work-item, and get_global_id tells it which pixel is
// its own. The three arrays are flat, one row after the other:
//     a row of the input is input_width floats long,
//     a row of the filter is filter_width floats long,
//     a row of the output is output_width floats long.
// The host has put a border around the input, so input[y + r][x + c] is there
// for every pixel, and you need not ask where the image ends.
//
// Your turn. Write the two loops.
//
// The judge compares every pixel with the right result, at several sizes and
// filter widths. Then it counts what one pixel costs with a 7 x 7 filter: 49
// multiply-adds and 49 loads of inputs will do.

__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
  const int y = get_global_id(1);  // 0..output height - 1

  float sum = 0.0f;
  // Your loops go here.
  output[y * output_width + x] = sum;
}
