// Puzzle 3: two sums
//
// A processor can begin a multiply-add in every cycle, or several of them.
// But one result takes about four cycles to arrive. Below, every multiply-add
// needs the sum that the one before it is still computing. So it waits, and
// so does the next: the 49 multiply-adds of a pixel form a chain 49 links
// long.
//
// What we know. Two sums do not wait for each other. If half of the products
// go into one sum and half into another, there are two chains, each half as
// long. One addition at the end makes one result of them. This is the first
// trick of the tutorial that costs an instruction and still saves time: on a
// CPU and with wide filters nearly half of it.
//
// Your turn. Break the chain. Mind that filter_width may be odd, or even 1,
// and keep the sums in variables of their own: an array indexed by c & 1 goes
// through memory, which takes longer and is not counted.
//
// The judge finds the longest chain of multiply-adds and additions: 49 now, and
// at most 29 when you are done. The 49 multiply-adds may not become more.

__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int output_width = get_global_size(0);
  const int x = get_global_id(0);  // 0..output_width - 1
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
