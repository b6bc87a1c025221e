// Which fault turns this test red alone: a border rule that gives another result than by hand.
#include <gtest/gtest.h>

#include "edge_conditions/reference.hpp"

namespace edge_conditions {
namespace {

using tutorial::Image;
using tutorial::Reference;

/// 4 x 3 pixels:
///    1   2   4   8
///   16  32  64 128
///  256 512 1024 2048
/// No two sums of these are equal, so a wrong neighbour gives a wrong result.
Image powers() {
  Image image(4, 3);
  float value = 1.0F;
  for (float& pixel : image.pixels) {
    pixel = value;
    value *= 2.0F;
  }
  return image;
}

double at(const Reference& reference, int x, int y) {
  return reference.values.at(static_cast<std::size_t>(y * reference.width + x));
}

TEST(EdgeConditions, ByHand) {
  struct Case {
    int x, y;
    double leave_out, repeat_border, clamp_centre;
  };
  const double left = (32 + 16 + 64 + 2 + 512) / 5.0;
  const double right = (64 + 32 + 128 + 4 + 1024) / 5.0;
  const std::vector<Case> cases = {
      {1, 1, left, left, left},  // the interior is the same for all
      {2, 1, right, right, right},
      // With clamp_centre the border repeats the result next to it, which is another filter (E14).
      {0, 0, (1 + 2 + 16) / 3.0, (3 * 1 + 2 + 16) / 5.0, left},
      {1, 0, (2 + 1 + 4 + 32) / 4.0, (2 * 2 + 1 + 4 + 32) / 5.0, left},
      {0, 1, (16 + 32 + 1 + 256) / 4.0, (2 * 16 + 32 + 1 + 256) / 5.0, left},
      // The last column and row have neighbours too: what Intel's first listing forgets (E11).
      {3, 1, (128 + 64 + 8 + 2048) / 4.0, (2 * 128 + 64 + 8 + 2048) / 5.0, right},
      {2, 2, (1024 + 512 + 2048 + 64) / 4.0, (2 * 1024 + 512 + 2048 + 64) / 5.0, right},
  };
  for (const Case& one : cases) {
    EXPECT_DOUBLE_EQ(at(leave_out(powers()), one.x, one.y), one.leave_out);
    EXPECT_DOUBLE_EQ(at(with_repeated_border(powers()), one.x, one.y), one.repeat_border);
    EXPECT_DOUBLE_EQ(at(clamp_centre(powers()), one.x, one.y), one.clamp_centre);
  }
}

}  // namespace
}  // namespace edge_conditions
