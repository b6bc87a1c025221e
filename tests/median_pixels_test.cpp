// Which fault turns this test red alone: a checker that takes a pixel of the right luminance that
// is not in the window, or refuses one that is. What else it finds, mutations.median shows.
#include <gtest/gtest.h>

#include "median/pixels.hpp"

namespace {

using namespace tutorial;

// By luminance any pixel of the window that has the right one is right, and on the border only the
// pixel itself.
TEST(MedianPixels, OfPixelsWithTheRightLuminanceThoseOfTheWindowAreRight) {
  // Two colours with the same luminance, 30 * 59 = 59 * 30, and four brighter pixels.
  const std::uint32_t red = 0xff000000U | 59;
  const std::uint32_t green = 0xff000000U | 30 << 8;
  const std::uint32_t bright = 0xff000000U | 99;
  RgbaImage ties(3, 3);
  ties.pixels = {red, green, red, green, 0xff5a5a5a, bright, bright, bright, red};
  const Picture input = make_picture(ties, PixelFormat::rgba_luminance);
  const Picture reference = median_reference(input);
  const auto bad_count = [&](std::uint32_t corner, std::uint32_t middle) {
    RgbaImage result = ties;
    result.pixels[0] = corner;
    result.pixels[4] = middle;
    const Picture output = make_picture(result, PixelFormat::rgba_luminance);
    return check_median(input, reference, output).bad_count;
  };
  EXPECT_EQ(bad_count(red, red), 0U);
  EXPECT_EQ(bad_count(red, green), 0U);
  EXPECT_EQ(bad_count(red, red & 0x00ffffffU), 1U);  // its alpha is lost: not in the window
  EXPECT_EQ(bad_count(green, red), 1U);
}

}  // namespace
