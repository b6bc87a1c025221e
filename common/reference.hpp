// What is right, in double precision.
#pragma once

#include <vector>

#include "common/filters.hpp"
#include "common/image.hpp"

namespace tutorial {

/// The correct result of a convolution, and how far a float kernel may be from it.
struct Reference {
  int width = 0;   ///< of the output, pixels
  int height = 0;  ///< of the output, pixels
  std::vector<double> values;
  std::vector<double> tolerances;  ///< the largest permitted |got - value|, for each pixel
  double magnitude = 0.0;          ///< sum of the taps' magnitudes times the largest of a pixel
};

/// Convolves in double precision:
///   value(x, y) = sum over r, c in 0..filter.width-1 of filter[r][c] * padded[y + r][x + c]
/// which is a correlation: the filter is not turned around. `padded` is the result of
/// `repeat_border(image)`, perhaps larger (`with_room`); the output has the size of `image`. The
/// tolerance of a pixel is n * epsilon * sum |filter * input|, with n = filter.width^2 taps and
/// epsilon = 2^-23: twice the classical bound on the rounding error of a float sum of n products in
/// *any* order (Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1). It is
/// derived from the data, so it is neither too lax for a dark image nor too strict for a wide
/// filter.
Reference convolve_reference(const Image& padded, const Filter& filter, const Image& image);

}  // namespace tutorial
