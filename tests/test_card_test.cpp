#include "common/test_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "common/error.hpp"

namespace tutorial {
namespace {

/// How many pixels are the same as the one that `other(x, y)` gives.
template <typename Other>
int count_equal(const Image& image, const Other& other) {
  int count = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      count += image.at(x, y) == other(x, y) ? 1 : 0;
    }
  }
  return count;
}

TEST(TestCard, HasEverySizeAndPixelsFrom0To1) {
  for (int width = 1; width <= 70; ++width) {
    for (int height = 1; height <= 70; ++height) {
      const Image card = make_test_card(width, height);
      ASSERT_EQ(card.width, width);
      ASSERT_EQ(card.height, height);
      ASSERT_EQ(card.size(), static_cast<std::size_t>(width * height));
      const auto [darkest, brightest] = std::minmax_element(card.pixels.begin(), card.pixels.end());
      ASSERT_GE(*darkest, 0.0F);
      ASSERT_LE(*brightest, 1.0F);
      ASSERT_EQ(card.pixels, make_test_card(width, height).pixels);
    }
  }
  EXPECT_EQ(make_test_card(1 << 22, 1).size(), std::size_t{1} << 22);
  EXPECT_EQ(make_test_card(3, 1 << 20).size(), std::size_t{3} << 20);
}

TEST(TestCard, MirroredTransposedAndShiftedCardsDiffer) {
  for (const auto& [width, height] :
       {std::pair{2, 2},
        {2, 3},
        {3, 3},
        {5, 5},
        {16, 16},
        {31, 17},
        {31, 31},
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
    const int few = width * height / 20;
    const int side = std::max(width, height);  // at most one pixel in a line is where it was
    EXPECT_LE(count_equal(card, [&](int x, int y) { return card.at(right - x, y); }), side + few);
    EXPECT_LE(count_equal(card, [&](int x, int y) { return card.at(x, bottom - y); }), side + few);
    EXPECT_LE(
        count_equal(card, [&](int x, int y) { return card.at(right - x, bottom - y); }),
        side + few);
    if (width == height) {
      EXPECT_LE(count_equal(card, [&](int x, int y) { return card.at(y, x); }), side + few);
      EXPECT_LE(
          count_equal(card, [&](int x, int y) { return card.at(bottom - y, right - x); }),
          side + few);
      EXPECT_LE(count_equal(card, [&](int x, int y) { return card.at(right - y, x); }), side + few);
    }
    // Shifted, the last line stays where it was.
    EXPECT_LE(
        count_equal(card, [&](int x, int y) { return card.at(std::min(x + 1, right), y); }),
        height + few);
    EXPECT_LE(
        count_equal(card, [&](int x, int y) { return card.at(x, std::min(y + 1, bottom)); }),
        width + few);
  }
}

TEST(TestCard, HasDarkAndBrightPixelsAndManyShades) {
  Image card = make_test_card(512, 512);
  std::sort(card.pixels.begin(), card.pixels.end());
  EXPECT_LT(card.pixels[card.size() / 50], 0.1F);
  EXPECT_GT(card.pixels[card.size() - card.size() / 50], 0.85F);
  const auto end = std::unique(card.pixels.begin(), card.pixels.end());
  EXPECT_GT(end - card.pixels.begin(), 10000);
}

TEST(TestCard, ImpossibleSizesAreRefused) {
  constexpr int huge = std::numeric_limits<int>::max();
  for (const auto& [width, height] :
       {std::pair{0, 5}, {5, 0}, {-1, 5}, {5, -1}, {-5, -5}, {16385, 16384}, {huge, huge}}) {
    EXPECT_THROW(make_test_card(width, height), Error) << width << " x " << height;
  }
}

}  // namespace
}  // namespace tutorial
