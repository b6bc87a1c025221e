#include "common/test_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "common/error.hpp"

namespace tutorial {
namespace {

/// FNV-1a over the levels 0..255 of the pixels.
std::uint64_t fingerprint(const Image& image) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const float pixel : image.pixels) {
    hash = (hash ^ static_cast<std::uint64_t>(std::lround(pixel * 255.0F))) * 1099511628211ULL;
  }
  return hash;
}

/// Is every pixel the same as the one that `other(x, y)` gives?
template <typename Other>
bool equals(const Image& image, const Other& other) {
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (image.at(x, y) != other(x, y)) {
        return false;
      }
    }
  }
  return true;
}

TEST(TestCard, EveryPixelIsOneOf256Levels) {
  for (int width = 1; width <= 70; ++width) {
    for (int height = 1; height <= 70; ++height) {
      const Image card = make_test_card(width, height);
      ASSERT_EQ(card.width, width);
      ASSERT_EQ(card.height, height);
      ASSERT_EQ(card.size(), static_cast<std::size_t>(width * height));
      for (const float pixel : card.pixels) {
        ASSERT_EQ(pixel, std::round(pixel * 255.0F) / 255.0F);
        ASSERT_GE(pixel, 0.0F);
        ASSERT_LE(pixel, 1.0F);
      }
    }
  }
}

TEST(TestCard, NoSymmetryHidesAMistake) {
  for (const auto& [width, height] :
       {std::pair{2, 2},
        {2, 3},
        {3, 3},
        {5, 5},
        {8, 8},
        {16, 16},
        {31, 17},
        {31, 31},
        {32, 32},
        {33, 33},
        {63, 63},
        {64, 64},
        {65, 65},
        {101, 67},
        {333, 101},
        {101, 333},
        {512, 512}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const Image card = make_test_card(width, height);
    const int right = width - 1;
    const int bottom = height - 1;
    EXPECT_FALSE(equals(card, [&](int x, int y) { return card.at(right - x, y); }));
    EXPECT_FALSE(equals(card, [&](int x, int y) { return card.at(x, bottom - y); }));
    EXPECT_FALSE(equals(card, [&](int x, int y) { return card.at(right - x, bottom - y); }));
    if (width == height) {
      EXPECT_FALSE(equals(card, [&](int x, int y) { return card.at(y, x); }));
      EXPECT_FALSE(equals(card, [&](int x, int y) { return card.at(bottom - y, right - x); }));
      EXPECT_FALSE(equals(card, [&](int x, int y) { return card.at(right - y, x); }));
    }
  }
}

TEST(TestCard, HasBlackWhiteAndMostLevelsBetween) {
  const Image card = make_test_card(512, 512);
  std::vector<int> counts(256);
  for (const float pixel : card.pixels) {
    ++counts[static_cast<std::size_t>(std::lround(pixel * 255.0F))];
  }
  EXPECT_GT(counts[0], 10000);
  EXPECT_GT(counts[255], 10000);
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 0), 0);
}

TEST(TestCard, TheZonePlateIsACosineOfTheSquaredRadius) {
  const Image card = make_test_card(1024, 1024);
  // It lies in a square of 34/64 of the sides, 4/64 from the left and from the top.
  constexpr double centre = (4 + 17) * 16;
  constexpr double diameter = 34 * 16;
  for (int y = 64; y < 608; ++y) {
    for (int x = 64; x < 608; ++x) {
      const double r = std::hypot(x + 0.5 - centre, y + 0.5 - centre);
      if (r < diameter / 2 - 6) {
        const double turns = r * r / (4 * diameter);
        // The phase is cut to 1/1024 of a turn.
        ASSERT_NEAR(card.at(x, y), 0.5 + 0.5 * std::cos(2 * std::numbers::pi * turns), 0.0075)
            << x << ", " << y;
      }
    }
  }
}

TEST(TestCard, TheSiemensStarHas18WhiteSpokes) {
  const Image card = make_test_card(1024, 1024);
  constexpr double centre_x = 50.5 * 16;
  constexpr double centre_y = 29.5 * 16;
  for (const double radius : {40.0, 80.0, 140.0}) {
    int white_degrees = 0;
    for (int degree = 0; degree < 360; ++degree) {
      const double angle = (degree + 0.25) * std::numbers::pi / 180;
      const float pixel = card.at(
          static_cast<int>(centre_x + radius * std::cos(angle)),
          static_cast<int>(centre_y + radius * std::sin(angle)));
      white_degrees += pixel > 0.5F ? 1 : 0;
      if (degree % 10 >= 2 && degree % 10 <= 7) {  // spokes are 10 degrees wide; clear of edges
        ASSERT_EQ(pixel, degree / 10 % 2 == 0 ? 1.0F : 0.0F) << degree << " at " << radius;
      }
    }
    EXPECT_NEAR(white_degrees, 180, 12);
  }
}

/// Whoever changes the card on purpose takes the new numbers; on one and the same version they must
/// be the same on every platform and with every compiler.
TEST(TestCard, IsTheSameOnEveryPlatform) {
  EXPECT_EQ(fingerprint(make_test_card(1024, 1024)), 3684920937062116842ULL);
  EXPECT_EQ(fingerprint(make_test_card(333, 101)), 3649124596519345254ULL);
  EXPECT_EQ(fingerprint(make_test_card(1, 1)), 12638139921555628923ULL);
}

TEST(TestCard, VeryLongImages) {
  EXPECT_EQ(make_test_card(1 << 22, 1).size(), std::size_t{1} << 22);
  EXPECT_EQ(make_test_card(3, 1 << 20).size(), std::size_t{3} << 20);
}

TEST(TestCard, IsMadeQuickly) {
  const auto start = std::chrono::steady_clock::now();
  make_test_card(2048, 2048);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 3.0);  // 0.05 are usual; builds with sanitizers are slow
}

TEST(TestCard, ImpossibleSizesAreRefused) {
  constexpr int huge = std::numeric_limits<int>::max();
  for (const auto& [width, height] :
       {std::pair{0, 5}, {5, 0}, {-1, 5}, {5, -1}, {-5, -5}, {16385, 16384}, {huge, huge}}) {
    EXPECT_THROW(make_test_card(width, height), Error) << width << " x " << height;
  }
}

// --- Salt and pepper -----------------------------------------------------------------------------

TEST(SaltAndPepper, HitsTheGivenShareHalfOfItWhite) {
  for (const double probability : {0.01, 0.05, 0.5}) {
    Image image(400, 300);
    std::fill(image.pixels.begin(), image.pixels.end(), 0.5F);
    add_salt_and_pepper(image, probability, 1);
    const double salt =
        static_cast<double>(std::count(image.pixels.begin(), image.pixels.end(), 1.0F));
    const double pepper =
        static_cast<double>(std::count(image.pixels.begin(), image.pixels.end(), 0.0F));
    const double untouched =
        static_cast<double>(std::count(image.pixels.begin(), image.pixels.end(), 0.5F));
    const double expected = 120000 * probability;
    EXPECT_EQ(salt + pepper + untouched, 120000);
    EXPECT_NEAR(salt, expected / 2, 5 * std::sqrt(expected));
    EXPECT_NEAR(pepper, expected / 2, 5 * std::sqrt(expected));
  }
}

TEST(SaltAndPepper, NoneAndAll) {
  Image image(100, 10);
  std::fill(image.pixels.begin(), image.pixels.end(), 0.5F);
  add_salt_and_pepper(image, 0.0, 1);
  EXPECT_EQ(std::count(image.pixels.begin(), image.pixels.end(), 0.5F), 1000);
  add_salt_and_pepper(image, 1.0, 1);
  EXPECT_EQ(std::count(image.pixels.begin(), image.pixels.end(), 0.5F), 0);
}

TEST(SaltAndPepper, DependsOnTheSeedAlone) {
  const auto noisy = [](std::uint32_t seed) {
    Image image(333, 101);
    std::fill(image.pixels.begin(), image.pixels.end(), 0.5F);
    add_salt_and_pepper(image, 0.1, seed);
    return image;
  };
  EXPECT_EQ(noisy(1).pixels, noisy(1).pixels);
  EXPECT_NE(noisy(1).pixels, noisy(2).pixels);
  EXPECT_EQ(fingerprint(noisy(1)), 9912649888907690851ULL);  // as with the test card: everywhere
}

TEST(SaltAndPepper, HitsTheSamePixelsInColorAndLeavesAlpha) {
  Image gray(50, 40);
  std::fill(gray.pixels.begin(), gray.pixels.end(), 0.5F);
  RgbaImage color{50, 40, std::vector<std::uint32_t>(2000, 0x7f123456)};
  add_salt_and_pepper(gray, 0.3, 9);
  add_salt_and_pepper(color, 0.3, 9);
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::uint32_t expected = gray.pixels[i] == 0.5F   ? 0x7f123456
                                   : gray.pixels[i] == 1.0F ? 0x7fffffff
                                                            : 0x7f000000;
    ASSERT_EQ(color.pixels[i], expected);
  }
}

TEST(SaltAndPepper, ImpossibleProbabilitiesAreRefused) {
  Image image(2, 2);
  RgbaImage color{1, 1, {0}};
  for (const double probability : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(add_salt_and_pepper(image, probability, 1), Error);
    EXPECT_THROW(add_salt_and_pepper(color, probability, 1), Error);
  }
}

}  // namespace
}  // namespace tutorial
