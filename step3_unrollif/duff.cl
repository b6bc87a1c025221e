// Convolve_UnrollIf as Duff's device: no piece of code is left for the taps that are left over. The
// switch jumps into the middle of the loop of four, so its first pass takes only those, and all
// others take four. Run it beside the ladder's:
//     ./tutorial step 3 --against step3_unrollif/duff.cl
// Such a loop has several entrances. OpenCL C leaves it to each compiler whether it takes it.
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
    int passes = (filter_width + 3) / 4;  // the one that begins in the middle included
    switch (filter_width % 4) {
      case 0:
        do {
          sum += filter[filter_row + c] * input[input_row + c];
          c++;
          case 3:
            sum += filter[filter_row + c] * input[input_row + c];
            c++;
          case 2:
            sum += filter[filter_row + c] * input[input_row + c];
            c++;
          case 1:
            sum += filter[filter_row + c] * input[input_row + c];
            c++;
        } while (--passes > 0);
    }
  }
  output[y * output_width + x] = sum;
}
