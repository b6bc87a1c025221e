// The loops of a convolution in the order that a compiler makes vectors of. CMake has this file
// alone built for the CPU that builds it.
#include <algorithm>

#include "common/filters.hpp"

namespace tutorial {

void convolve_columns(const Image& input, const Filter& filter, Image& output) {
  const int taps = filter.width * filter.width;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < output.height; y++) {
    float* sums = &output.pixels[output.index(0, y)];
    std::fill_n(sums, output.width, 0.0F);
    // Four taps at once, so that a sum is loaded and stored once for four products.
    for (int first = 0; first < taps; first += 4) {
      float tap[4];
      const float* row[4];
      for (int i = 0; i < 4; i++) {
        const int number = std::min(first + i, taps - 1);
        tap[i] = first + i < taps ? filter.taps[number] : 0.0F;
        row[i] = &input.pixels[input.index(number % filter.width, y + number / filter.width)];
      }
      for (int x = 0; x < output.width; x++) {  // no sum waits for another one
        sums[x] +=
            tap[0] * row[0][x] + tap[1] * row[1][x] + tap[2] * row[2][x] + tap[3] * row[3][x];
      }
    }
  }
}

}  // namespace tutorial
