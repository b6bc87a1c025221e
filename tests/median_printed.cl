// The errors of the published median kernels, each alone in a kernel that is otherwise right: the
// checker must reject both. Arguments and layout are those of median/median.cl.

uint luminance(const uint pixel) {
  return 30 * (pixel & 255) + 59 * ((pixel >> 8) & 255) + 11 * ((pixel >> 16) & 255);
}

void swap_if_brighter(uint* a, uint* b) {
  if (luminance(*a) > luminance(*b)) {
    const uint pixel = *a;
    *a = *b;
    *b = pixel;
  }
}

void sort3(uint* a, uint* b, uint* c) {
  swap_if_brighter(a, b);
  swap_if_brighter(b, c);
  swap_if_brighter(a, b);
}

// p[0..8] are the rows of the window. `diagonal` is the step of the indices on the diagonal that is
// sorted last: 4 for the main diagonal 0 4 8, as printed, or 2 for 2 4 6, which is right.
uint find_median(uint* p, const int diagonal) {
  for (int i = 0; i < 3; i++) {
    sort3(p + 3 * i, p + 3 * i + 1, p + 3 * i + 2);
  }
  for (int i = 0; i < 3; i++) {
    sort3(p + i, p + i + 3, p + i + 6);
  }
  sort3(p + 4 - diagonal, p + 4, p + 4 + diagonal);
  return p[4];
}

// The median of the window whose top left corner is at `corner`.
uint median_at(const __global uint* corner, const int pitch, const int diagonal) {
  uint p[9];
  for (int i = 0; i < 9; i++) {
    p[i] = corner[i / 3 * pitch + i % 3];
  }
  return find_median(p, diagonal);
}

bool on_border(const int x, const int y, const int width, const int height) {
  return x == 0 || y == 0 || x == width - 1 || y == height - 1;
}

// The main diagonal is sorted, as printed.
__kernel void medianfilter_rgba(
    const __global uint* restrict input, __global uint* restrict output, const int width,
    const int height, const int input_pitch, const int output_pitch) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) {
    return;
  }
  const __global uint* corner = input + y * input_pitch + x;
  output[y * output_pitch + x] =
      on_border(x, y, width, height) ? corner[input_pitch + 1] : median_at(corner, input_pitch, 4);
}

// The windows begin at the work-item's own column, as printed, and so one column too far right.
__kernel void medianfilter_x4(
    const __global uint* restrict input, __global uint* restrict output, const int width,
    const int height, const int input_pitch, const int output_pitch) {
  const int y = get_global_id(1);
  for (int x = get_global_id(0) * 4; x < get_global_id(0) * 4 + 4; x++) {
    if (x >= width || y >= height) {
      return;
    }
    const __global uint* corner = input + y * input_pitch + x;
    output[y * output_pitch + x] = on_border(x, y, width, height)
                                       ? corner[input_pitch + 1]
                                       : median_at(corner + 1, input_pitch, 2);
  }
}
