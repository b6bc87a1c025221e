// The median's pictures, reference and checker: median/pixels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "common/error.hpp"
#include "median/pixels.hpp"

namespace {

using tutorial::Picture;
using tutorial::PixelFormat;
using tutorial::RgbaImage;

constexpr std::uint32_t rgb(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
  return red | green << 8 | blue << 16 | 255U << 24;
}

RgbaImage random_image(int width, int height) {
  RgbaImage image{width, height, {}};
  std::mt19937 generator(7);
  for (int i = 0; i < width * height; i++) {
    image.pixels.push_back(static_cast<std::uint32_t>(generator()));
  }
  return image;
}

const std::vector<PixelFormat> all_formats = {
    PixelFormat::rgba_luminance, PixelFormat::rgba_channels, PixelFormat::gray, PixelFormat::real};

TEST(MedianPixels, LuminanceOrdersAsTheRealValuedOne) {
  std::mt19937 generator(1);
  for (int i = 0; i < 100000; i++) {
    const auto pixel = static_cast<std::uint32_t>(generator());
    const double exact =
        30.0 * (pixel & 255) + 59.0 * (pixel >> 8 & 255) + 11.0 * (pixel >> 16 & 255);
    ASSERT_EQ(tutorial::luminance(pixel), exact);
  }
  EXPECT_EQ(tutorial::luminance(0xffffffffU), 25500);
  EXPECT_EQ(tutorial::luminance(0xff000000U), 0);
}

TEST(MedianPixels, ReferenceOfNineNumbers) {
  // 1..9 in any order: the median is 5, and only the middle pixel is not on the border.
  std::vector<std::uint32_t> levels = {9, 2, 7, 4, 8, 6, 3, 5, 1};
  RgbaImage image{3, 3, {}};
  for (const std::uint32_t level : levels) {
    image.pixels.push_back(rgb(level, level, level));
  }
  for (const PixelFormat format : all_formats) {
    const Picture input = tutorial::make_picture(image, format);
    const Picture expected = tutorial::median_reference(input);
    image.pixels[4] = rgb(5, 5, 5);
    const Picture right = tutorial::make_picture(image, format);
    image.pixels[4] = rgb(8, 8, 8);
    EXPECT_EQ(expected.bytes, right.bytes);
  }
}

TEST(MedianPixels, SmallPicturesAreAllBorder) {
  for (const PixelFormat format : all_formats) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 7}}) {
      const Picture input = tutorial::make_picture(random_image(width, height), format);
      EXPECT_EQ(tutorial::median_reference(input).bytes, input.bytes);
    }
  }
}

TEST(MedianPixels, TheReferenceItselfPasses) {
  for (const PixelFormat format : all_formats) {
    const Picture input = tutorial::make_picture(random_image(17, 11), format);
    const Picture reference = tutorial::median_reference(input);
    EXPECT_TRUE(tutorial::check_median(input, reference, reference).passed);
    EXPECT_FALSE(tutorial::check_median(input, reference, reference, false).passed);
  }
}

TEST(MedianPixels, AnUntouchedPixelIsFound) {
  for (const PixelFormat format : all_formats) {
    const Picture input = tutorial::make_picture(random_image(17, 11), format);
    const Picture reference = tutorial::median_reference(input);
    const Picture untouched = tutorial::inverted(reference);
    const tutorial::Verdict verdict = tutorial::check_median(input, reference, untouched);
    EXPECT_EQ(verdict.bad_count, 17U * 11U);

    Picture output = reference;
    const std::size_t at = (5 * 17 + 16) * output.pixel_bytes();
    std::copy_n(
        untouched.bytes.begin() + static_cast<std::ptrdiff_t>(at), output.pixel_bytes(),
        output.bytes.begin() + static_cast<std::ptrdiff_t>(at));
    const tutorial::Verdict one = tutorial::check_median(input, reference, output);
    EXPECT_EQ(one.bad_count, 1U);
    EXPECT_EQ(one.bad_x, 16);
    EXPECT_EQ(one.bad_y, 5);
  }
}

TEST(MedianPixels, ShiftedAndUnfilteredPicturesAreFound) {
  for (const PixelFormat format : all_formats) {
    const Picture input = tutorial::make_picture(random_image(17, 11), format);
    const Picture reference = tutorial::median_reference(input);
    EXPECT_FALSE(tutorial::check_median(input, reference, input).passed);
    Picture shifted = reference;
    std::rotate(
        shifted.bytes.begin(),
        shifted.bytes.begin() + static_cast<std::ptrdiff_t>(shifted.pixel_bytes()),
        shifted.bytes.end());
    EXPECT_FALSE(tutorial::check_median(input, reference, shifted).passed);
  }
}

// A window of two colours with the same luminance, 30 * 59 = 59 * 30, and four brighter pixels.
const RgbaImage ties = {
    3,
    3,
    {rgb(59, 0, 0), rgb(0, 30, 0), rgb(59, 0, 0), rgb(0, 30, 0), rgb(90, 90, 90), rgb(99, 0, 0),
     rgb(99, 0, 0), rgb(99, 0, 0), rgb(59, 0, 0)}};

TEST(MedianPixels, AnyPixelOfTheRightLuminanceIsRight) {
  const Picture input = tutorial::make_picture(ties, PixelFormat::rgba_luminance);
  const Picture reference = tutorial::median_reference(input);
  RgbaImage result = ties;
  for (const std::uint32_t pixel : {rgb(59, 0, 0), rgb(0, 30, 0)}) {
    result.pixels[4] = pixel;
    const Picture output = tutorial::make_picture(result, PixelFormat::rgba_luminance);
    EXPECT_TRUE(tutorial::check_median(input, reference, output).passed);
  }
}

TEST(MedianPixels, APixelOfTheRightLuminanceThatIsNotInTheWindowIsWrong) {
  const Picture input = tutorial::make_picture(ties, PixelFormat::rgba_luminance);
  const Picture reference = tutorial::median_reference(input);
  RgbaImage result = ties;
  // The luminance is right, but the alpha was lost.
  result.pixels[4] = rgb(59, 0, 0) & 0x00ffffffU;
  EXPECT_FALSE(tutorial::check_median(
                   input, reference, tutorial::make_picture(result, PixelFormat::rgba_luminance))
                   .passed);
}

TEST(MedianPixels, TheBorderIsTheVeryPixel) {
  const Picture input = tutorial::make_picture(ties, PixelFormat::rgba_luminance);
  const Picture reference = tutorial::median_reference(input);
  RgbaImage result = ties;
  result.pixels[4] = rgb(59, 0, 0);
  result.pixels[0] = rgb(0, 30, 0);  // another pixel of the same luminance
  const tutorial::Verdict verdict = tutorial::check_median(
      input, reference, tutorial::make_picture(result, PixelFormat::rgba_luminance));
  EXPECT_EQ(verdict.bad_count, 1U);
}

TEST(MedianPixels, NaNIsFound) {
  const Picture input = tutorial::make_picture(random_image(5, 5), PixelFormat::real);
  const Picture reference = tutorial::median_reference(input);
  Picture output = reference;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(output.bytes.data() + 12 * sizeof nan, &nan, sizeof nan);
  const tutorial::Verdict verdict = tutorial::check_median(input, reference, output);
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.bad_x, 2);
  EXPECT_EQ(verdict.bad_y, 2);
}

TEST(MedianPixels, PicturesOfDifferentSizeAreRefused) {
  const Picture input = tutorial::make_picture(random_image(4, 6), PixelFormat::gray);
  const Picture turned = tutorial::make_picture(random_image(6, 4), PixelFormat::gray);
  EXPECT_THROW(tutorial::check_median(input, input, turned), std::invalid_argument);
}

TEST(MedianPixels, PaddedPutsThePictureIntoItsFrame) {
  const Picture input = tutorial::make_picture(random_image(2, 2), PixelFormat::gray);
  const std::vector<std::uint8_t> bytes = tutorial::padded(input, 5, 4, 1);
  const std::vector<std::uint8_t> expected = {
      0, 0, 0, 0, 0, 0, input.bytes[0], input.bytes[1], 0, 0, 0, input.bytes[2], input.bytes[3], 0,
      0, 0, 0, 0, 0, 0};
  EXPECT_EQ(bytes, expected);
  EXPECT_THROW(tutorial::padded(input, 2, 4, 1), std::invalid_argument);
  EXPECT_THROW(tutorial::padded(input, 3, 2, 1), std::invalid_argument);
}

// --- Salt and pepper -----------------------------------------------------------------------------

constexpr std::uint32_t plain = 0x7f123456;
constexpr std::uint32_t salt = 0x7fffffff;
constexpr std::uint32_t pepper = 0x7f000000;

RgbaImage noisy(double probability, std::uint32_t seed) {
  RgbaImage image{400, 300, std::vector<std::uint32_t>(120000, plain)};
  tutorial::add_salt_and_pepper(image, probability, seed);
  return image;
}

TEST(SaltAndPepper, HitsTheGivenShareHalfOfItWhiteAndLeavesAlpha) {
  for (const double probability : {0.0, 0.01, 0.05, 0.5, 1.0}) {
    const RgbaImage image = noisy(probability, 1);
    const auto count = [&image](std::uint32_t pixel) {
      return static_cast<double>(std::count(image.pixels.begin(), image.pixels.end(), pixel));
    };
    const double expected = 120000 * probability;
    EXPECT_EQ(count(salt) + count(pepper) + count(plain), 120000);
    EXPECT_NEAR(count(salt), expected / 2, 5 * std::sqrt(expected));
    EXPECT_NEAR(count(pepper), expected / 2, 5 * std::sqrt(expected));
    if (probability == 0.0 || probability == 1.0) {
      EXPECT_EQ(count(plain), 120000 - expected);
    }
  }
}

TEST(SaltAndPepper, DependsOnTheSeed) {
  EXPECT_EQ(noisy(0.1, 1).pixels, noisy(0.1, 1).pixels);
  EXPECT_NE(noisy(0.1, 1).pixels, noisy(0.1, 2).pixels);
}

TEST(SaltAndPepper, ImpossibleProbabilitiesAreRefused) {
  for (const double probability : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(noisy(probability, 1), tutorial::Error);
  }
}

}  // namespace
