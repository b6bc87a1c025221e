// A convolution of pixels that are smaller in memory than in registers, for CPUs.
//
// The host builds this file with -DPIXEL=float, half or uchar, -DFILTER_WIDTH=n, -DBLOCK_WIDTH=16
// and -DBLOCK_HEIGHT=n. Input and output have room for whole blocks.

// The compiler takes the function for the pointer's type. A half can only be loaded and stored: to
// compute with it a device needs an extension. The floats of bytes are whole numbers, 0..255.
#define FOR_TYPE __attribute__((overloadable, always_inline)) inline
FOR_TYPE float16 load16(const __global float* from) {
  return vload16(0, from);
}
FOR_TYPE float16 load16(const __global half* from) {
  return vload_half16(0, from);
}
FOR_TYPE float16 load16(const __global uchar* from) {
  return convert_float16(vload16(0, from));
}
FOR_TYPE void store16(float16 pixels, __global float* to) {
  vstore16(pixels, 0, to);
}
FOR_TYPE void store16(float16 pixels, __global half* to) {
  vstore_half16(pixels, 0, to);
}
FOR_TYPE void store16(float16 pixels, __global uchar* to) {
  vstore16(convert_uchar16_sat_rte(pixels), 0, to);
}

// Convolve_Pixels: Convolve_Block16 for any type of pixel. A work-item computes 16 columns.
__kernel void Convolve_Pixels(
    const __global PIXEL* input, __constant float* filter, __global PIXEL* output,
    const int input_width, const int filter_width, const int output_width,
    const int output_height) {
  const int x = get_global_id(0) * BLOCK_WIDTH;   // the block's first column and row,
  const int y = get_global_id(1) * BLOCK_HEIGHT;  // beyond the image in the last groups
  if (x >= output_width || y >= output_height) {
    return;
  }

  float16 sum[BLOCK_HEIGHT] = {0.0f};
#pragma unroll
  for (int i = 0; i < BLOCK_HEIGHT + FILTER_WIDTH - 1; i++) {  // the block's rows of inputs
    for (int c = 0; c < FILTER_WIDTH; c++) {
      const float16 pixels = load16(input + (y + i) * input_width + x + c);
#pragma unroll
      for (int t = 0; t < BLOCK_HEIGHT; t++) {
        const int r = i - t;  // the filter's row for output row t
        if (r >= 0 && r < FILTER_WIDTH) {
          sum[t] += filter[r * FILTER_WIDTH + c] * pixels;
        }
      }
    }
  }
#pragma unroll
  for (int t = 0; t < BLOCK_HEIGHT; t++) {
    store16(sum[t], output + (y + t) * output_width + x);
  }
}

// For the host: floats from 0 to 1 become pixels, and back.
#define WHITE (sizeof(PIXEL) == 1 ? 255.0f : 1.0f)
__kernel void Pack(const __global float* numbers, __global PIXEL* pixels) {
  store16(WHITE * vload16(get_global_id(0), numbers), pixels + 16 * get_global_id(0));
}
__kernel void Unpack(const __global PIXEL* pixels, __global float* numbers) {
  vstore16(load16(pixels + 16 * get_global_id(0)) / WHITE, get_global_id(0), numbers);
}
