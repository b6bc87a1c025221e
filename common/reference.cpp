#include "common/reference.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutorial {

Reference convolve_reference(const Image& padded, const Filter& filter) {
  Reference reference;
  reference.width = padded.width - filter.width + 1;
  reference.height = padded.height - filter.width + 1;
  const auto width = static_cast<std::size_t>(reference.width);
  const auto filter_width = static_cast<std::size_t>(filter.width);
  reference.values.resize(width * static_cast<std::size_t>(reference.height));
  reference.tolerances.resize(reference.values.size());

  const auto tap_count = static_cast<double>(filter.taps.size());
  const double relative = tap_count * static_cast<double>(std::numeric_limits<float>::epsilon());
  // A device may flush numbers below FLT_MIN to zero, once in every product.
  const double absolute = tap_count * static_cast<double>(std::numeric_limits<float>::min());

#pragma omp parallel for schedule(static)
  for (int y = 0; y < reference.height; y++) {
    double* values = &reference.values[static_cast<std::size_t>(y) * width];
    double* magnitudes = &reference.tolerances[static_cast<std::size_t>(y) * width];
    // The columns are the innermost loop, in blocks that stay in the first-level cache: it has no
    // dependency from one iteration to the next, so the compiler can use vector instructions.
    constexpr std::size_t block = 1024;
    for (std::size_t begin = 0; begin < width; begin += block) {
      const std::size_t end = std::min(width, begin + block);
      for (std::size_t r = 0; r < filter_width; r++) {
        const std::size_t row =
            (static_cast<std::size_t>(y) + r) * static_cast<std::size_t>(padded.width);
        for (std::size_t c = 0; c < filter_width; c++) {
          const auto tap = static_cast<double>(filter.taps[r * filter_width + c]);
          const float* input = &padded.pixels[row + c];
          for (std::size_t x = begin; x < end; x++) {
            const double product = tap * static_cast<double>(input[x]);
            values[x] += product;
            magnitudes[x] += std::abs(product);
          }
        }
      }
      for (std::size_t x = begin; x < end; x++) {
        magnitudes[x] = relative * magnitudes[x] + absolute;
      }
    }
  }
  return reference;
}

void convolve_openmp(const Image& padded, const Filter& filter, Image& output) {
  const auto pitch = static_cast<std::size_t>(padded.width);
  const auto width = static_cast<std::size_t>(output.width);
  const auto filter_width = static_cast<std::size_t>(filter.width);

#pragma omp parallel for schedule(static)
  for (int y = 0; y < output.height; y++) {
    for (std::size_t x = 0; x < width; x++) {
      float sum = 0.0F;
      for (std::size_t r = 0; r < filter_width; r++) {
        const float* input = &padded.pixels[(static_cast<std::size_t>(y) + r) * pitch + x];
        const float* taps = &filter.taps[r * filter_width];
        for (std::size_t c = 0; c < filter_width; c++) {
          sum += taps[c] * input[c];
        }
      }
      output.pixels[static_cast<std::size_t>(y) * width + x] = sum;
    }
  }
  // Idle OpenMP threads spin for a while, which would slow down whatever is timed next.
  omp_pause_resource_all(omp_pause_soft);
}

}  // namespace tutorial
