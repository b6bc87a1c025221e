// What is right for each of the border rules, in double precision, and whether a kernel wrote the
// pixels that it should and no others.
#pragma once

#include <cstdint>

#include "common/checker.hpp"
#include "common/image.hpp"

namespace edge_conditions {

/// The mean of each pixel and those of its four neighbours that lie within the image.
tutorial::Reference leave_out(const tutorial::Image& image);

/// The mean of each pixel and its four neighbours, where a neighbour outside of the image is a copy
/// of the border pixel next to it, which is the pixel itself.
tutorial::Reference with_repeated_border(const tutorial::Image& image);

/// The mean of a pixel and its four neighbours, taken at the nearest pixel that has all four: a
/// border pixel's value is that of the pixel next to it. `image` must be at least 3 wide and high,
/// else std::invalid_argument.
tutorial::Reference clamp_centre(const tutorial::Image& image);

/// A part of an image, in pixels.
struct Rectangle {
  int x = 0;  ///< its leftmost column
  int y = 0;  ///< its top row
  int width = 0;
  int height = 0;
};

/// Number of pixels that lack a neighbour, in an image of this size.
std::int64_t edge_pixels(int width, int height);

/// As `tutorial::check`, for a kernel that writes the pixels of `written` alone: there `after` must
/// be right, and all others must be, bit for bit, as they were `before` the kernel ran. A pixel
/// that was written against this rule is reported as one where NaN is expected, the poison. All
/// images have the reference's size, else std::invalid_argument.
tutorial::Verdict check_rectangle(
    tutorial::Reference reference, const Rectangle& written, const tutorial::Image& before,
    tutorial::Image after, const std::string& damage);

}  // namespace edge_conditions
