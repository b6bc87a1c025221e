// Which fault turns this test red alone: another order of pixels, median or border than the slides
// have. What the checker finds, mutations.median shows.
#include <gtest/gtest.h>

#include "median/pixels.hpp"

namespace {

using namespace tutorial;

constexpr std::uint32_t rgb(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
  return red | green << 8 | blue << 16 | 255U << 24;
}

const std::vector<PixelFormat> all_formats = {
    PixelFormat::rgba_luminance, PixelFormat::rgba_channels, PixelFormat::gray, PixelFormat::real};

TEST(MedianPixels, ReferenceOfNineNumbers) {
  // 1..9 in any order: the median is 5, and only the middle pixel is not on the border.
  RgbaImage image{3, 3, {}};
  for (const std::uint32_t level : {9, 2, 7, 4, 8, 6, 3, 5, 1}) {
    image.pixels.push_back(rgb(level, level, level));
  }
  for (const PixelFormat format : all_formats) {
    const Picture input = make_picture(image, format);
    const Picture expected = median_reference(input);
    image.pixels[4] = rgb(5, 5, 5);
    const Picture right = make_picture(image, format);
    image.pixels[4] = rgb(8, 8, 8);
    EXPECT_EQ(expected.bytes, right.bytes);
  }
}

// By luminance any pixel of the window that has the right one is right, and on the border only the
// pixel itself.
TEST(MedianPixels, OfPixelsWithTheRightLuminanceThoseOfTheWindowAreRight) {
  // Two colours with the same luminance, 30 * 59 = 59 * 30, and four brighter pixels.
  const std::uint32_t red = rgb(59, 0, 0);
  const std::uint32_t green = rgb(0, 30, 0);
  const std::uint32_t bright = rgb(99, 0, 0);
  const RgbaImage ties = {
      3, 3, {red, green, red, green, rgb(90, 90, 90), bright, bright, bright, red}};
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
