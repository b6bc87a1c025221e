// Puzzle 9: four at a time
//
// This kernel is unrolled by four, as in step 2. It still loads each input by
// an instruction of its own, and multiplies each by an instruction of its
// own.
//
// What we know. OpenCL C has a type float4: four floats, called x, y, z and
// w, with which one instruction computes four times. A CPU really has such
// instructions. vload4(0, p) loads four floats from any address p, of global
// or of constant memory. a * b multiplies float4s part by part, and += adds
// them part by part. So a float4 is four sums that do not wait for each
// other, too.
//
// Your turn. Let the four taps of a pass go into a float4. What is left over
// at the end of a row is still handled one at a time. Add it to a float of its
// own, because a float4 plus a float adds that float to all four parts.
//
// The judge counts instructions at 7 x 7, where each row has one float4 and
// three taps that are left over: 7 * (1 + 3) = 28 multiply-adds and 28 loads
// of inputs, where there are 49 of both now. The longest chain of additions
// may be 28: dot() of two float4s adds four products one after the other, and
// counts as four.

__kernel void Convolve_Float4(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
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
