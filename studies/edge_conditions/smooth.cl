// Smoothing: every output pixel is the mean of a pixel and its four neighbours. The kernels differ
// in what they do where a neighbour lies outside of the image, so at the image's edge they differ
// in their results too; above each kernel stands its rule.
//
// `width` and `height` are those of the image, in pixels. No kernel takes get_global_size for the
// image's width: with a part of the image as the NDRange, or a padded input, they are not the same.

// Smooth_Branches: a branch for each neighbour. Neighbours outside of the image are left out: the
// sum is divided by the number of pixels that were there, 5 inside, 4 at an edge, 3 in a corner of
// an image, fewer in an image that is a single row or column. The 100 % line of the chart.
__kernel void Smooth_Branches(
    const __global float* input, __global float* output, const int width, const int height) {
  const int x = get_global_id(0);  // 0..width - 1
  const int y = get_global_id(1);  // 0..height - 1
  const int centre = y * width + x;

  float sum = input[centre];
  int present = 1;
  if (x > 0) {
    sum += input[centre - 1];
    present++;
  }
  if (x < width - 1) {
    sum += input[centre + 1];
    present++;
  }
  if (y > 0) {
    sum += input[centre - width];
    present++;
  }
  if (y < height - 1) {
    sum += input[centre + width];
    present++;
  }
  output[centre] = sum / (float)present;
}

// Smooth_Padded: no test at all. The host has put one more pixel around the image, a copy of the
// border pixel next to it, and that is what counts for a neighbour outside.
__kernel void Smooth_Padded(
    const __global float* input, __global float* output, const int width, const int height) {
  const int x = get_global_id(0);  // 0..width - 1
  const int y = get_global_id(1);  // 0..height - 1
  const int input_width = width + 2;
  const int centre = (y + 1) * input_width + x + 1;

  float sum = input[centre];
  sum += input[centre - 1];
  sum += input[centre + 1];
  sum += input[centre - input_width];
  sum += input[centre + input_width];
  output[y * width + x] = sum / 5.0f;
}

// Smooth_Clamp: the centre is moved to the nearest pixel that has all its neighbours. So an output
// at the edge repeats the result next to it, and a corner the result diagonally next to it. There
// is such a pixel only where the image is at least 3 wide and 3 high.
__kernel void Smooth_Clamp(
    const __global float* input, __global float* output, const int width, const int height) {
  const int x = get_global_id(0);  // 0..width - 1
  const int y = get_global_id(1);  // 0..height - 1
  const int centre_x = clamp(x, 1, width - 2);
  const int centre_y = clamp(y, 1, height - 2);
  const int centre = centre_y * width + centre_x;

  float sum = input[centre];
  sum += input[centre - 1];
  sum += input[centre + 1];
  sum += input[centre - width];
  sum += input[centre + width];
  output[y * width + x] = sum / 5.0f;
}

// Smooth_Clamp_Neighbours: the coordinates of each neighbour are moved into the image, so a border
// pixel stands for the neighbour that it lacks. The rule is that of Smooth_Padded, without a copy.
__kernel void Smooth_Clamp_Neighbours(
    const __global float* input, __global float* output, const int width, const int height) {
  const int x = get_global_id(0);  // 0..width - 1
  const int y = get_global_id(1);  // 0..height - 1
  const int left = max(x - 1, 0);
  const int right = min(x + 1, width - 1);
  const int above = max(y - 1, 0);
  const int below = min(y + 1, height - 1);

  float sum = input[y * width + x];
  sum += input[y * width + left];
  sum += input[y * width + right];
  sum += input[above * width + x];
  sum += input[below * width + x];
  output[y * width + x] = sum / 5.0f;
}

// Smooth_Interior: the host starts work-items for pixels that have all their neighbours, and for no
// others: its NDRange begins at (1, 1). Outputs outside of the NDRange are not written.
__kernel void Smooth_Interior(
    const __global float* input, __global float* output, const int width, const int height) {
  const int x = get_global_id(0);  // 1..width - 2
  const int y = get_global_id(1);  // 1..height - 2
  const int centre = y * width + x;

  float sum = input[centre];
  sum += input[centre - 1];
  sum += input[centre + 1];
  sum += input[centre - width];
  sum += input[centre + width];
  output[centre] = sum / 5.0f;
}

// A device without images would not compile the last kernel.
#ifdef __IMAGE_SUPPORT__

// The coordinates are pixels, and outside of the image the nearest pixel at its edge is read.
__constant sampler_t repeat_edge =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// Smooth_Image: the input is an image, and the device's sampler looks after its edges. The rule is
// that of Smooth_Padded: the border pixel is repeated.
__kernel void Smooth_Image(
    __read_only image2d_t input, __global float* output, const int width, const int height) {
  const int x = get_global_id(0);  // 0..width - 1
  const int y = get_global_id(1);  // 0..height - 1

  float sum = read_imagef(input, repeat_edge, (int2)(x, y)).x;
  sum += read_imagef(input, repeat_edge, (int2)(x - 1, y)).x;
  sum += read_imagef(input, repeat_edge, (int2)(x + 1, y)).x;
  sum += read_imagef(input, repeat_edge, (int2)(x, y - 1)).x;
  sum += read_imagef(input, repeat_edge, (int2)(x, y + 1)).x;
  output[y * width + x] = sum / 5.0f;
}

#endif
