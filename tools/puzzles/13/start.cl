// Puzzle 13: a column times a row
//
// Some filters are a column of taps times a row of taps:
//
//     filter[r][c] = column[r] * row[c]
//
// A Gaussian is one, and so is a box. Such a filter can be computed in two
// passes: first a sum along each row, then a sum of these sums down the
// column. For 7 x 7 that is 7 + 7 multiply-adds instead of 49, if nobody
// computes the sum of a row twice.
//
// What we know. The argument filter is not the square here: it has the
// column's taps, filter[0] to filter[filter_width - 1], and after them the
// row's. The kernel below adds up seven rows for its pixel. But the pixel
// below it uses six of these seven sums again, and computes them anew. A
// group of 16 x 16 work-items needs 22 rows of 16 such sums in all, and it
// has local memory for 4096 floats.
//
// Your turn. Let the group compute the sums of the rows once, and share them.
// The host has made room in the input for what whole groups load beyond the
// image. Between making the sums and using them belongs a barrier.
//
// The judge counts 16.7 multiply-adds for a pixel (7 * 22 / 16 for the rows
// and 7 for the column) and 9.7 loads of inputs. They are 56 and 49 now.

__kernel void Convolve_Separable(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width, const int output_width, const int output_height,
    __local float* tile) {
  const int x = get_global_id(0);       // 0..output_width - 1, or beyond it
  const int y = get_global_id(1);       // 0..output_height - 1, or beyond it
  const int local_x = get_local_id(0);  // 0..15
  const int local_y = get_local_id(1);  // 0..15
  __constant float* column = filter;
  __constant float* row = filter + filter_width;

  if (x < output_width && y < output_height) {
    float sum = 0.0f;
    for (int r = 0; r < filter_width; r++) {
      float row_sum = 0.0f;
      for (int c = 0; c < filter_width; c++) {
        row_sum += row[c] * input[(y + r) * input_width + x + c];
      }
      sum += column[r] * row_sum;
    }
    output[y * output_width + x] = sum;
  }
}
