#include "common/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutorial {

Reference convolve_reference(const Image& padded, const Filter& filter, const Image& image) {
  Reference reference;
  reference.width = image.width;
  reference.height = image.height;
  const std::size_t width = image.width;
  const std::size_t filter_width = filter.width;
  reference.values.resize(width * reference.height);
  reference.tolerances.resize(reference.values.size());

  const auto by_magnitude = [](float a, float b) { return std::abs(a) < std::abs(b); };
  for (const float tap : filter.taps) {
    reference.magnitude += std::abs(tap);
  }
  reference.magnitude *= std::abs(*std::ranges::max_element(padded.pixels, by_magnitude));

  const double tap_count = filter.taps.size();
  const double relative = tap_count * std::numeric_limits<float>::epsilon();
  // A device may flush numbers below FLT_MIN to zero, once in every product.
  const double absolute = tap_count * std::numeric_limits<float>::min();

#pragma omp parallel for schedule(static)
  for (int y = 0; y < reference.height; y++) {
    double* values = &reference.values[y * width];
    double* magnitudes = &reference.tolerances[y * width];
    // The columns are the innermost loop: it has no dependency from one iteration to the next, so
    // the compiler can use vector instructions.
    for (std::size_t r = 0; r < filter_width; r++) {
      for (std::size_t c = 0; c < filter_width; c++) {
        const double tap = filter.taps[r * filter_width + c];
        const float* input = &padded.pixels[(y + r) * padded.width + c];
        for (std::size_t x = 0; x < width; x++) {
          const double product = tap * input[x];
          values[x] += product;
          magnitudes[x] += std::abs(product);
        }
      }
    }
    for (std::size_t x = 0; x < width; x++) {
      magnitudes[x] = relative * magnitudes[x] + absolute;
    }
  }
  return reference;
}

}  // namespace tutorial
