#include "common/test_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "common/error.hpp"

namespace tutorial {
namespace {

TEST(TestCard, HasEverySizeAndPixelsFrom0To1AndIsTheSameAgain) {
  for (int width = 1; width <= 70; ++width) {
    for (int height = 1; height <= 70; ++height) {
      const Image card = make_test_card(width, height);
      ASSERT_EQ(std::pair(card.width, card.height), std::pair(width, height));
      const auto [darkest, brightest] = std::minmax_element(card.pixels.begin(), card.pixels.end());
      ASSERT_GE(*darkest, 0.0F);
      ASSERT_LE(*brightest, 1.0F);
      ASSERT_EQ(card.pixels, make_test_card(width, height).pixels);
    }
  }
  EXPECT_EQ(make_test_card(1 << 22, 1).size(), std::size_t{1} << 22);
}

TEST(TestCard, MirroredTransposedAndShiftedCardsDiffer) {
  for (const auto& [width, height] :
       {std::pair{2, 2},
        {2, 3},
        {3, 3},
        {16, 16},
        {31, 17},
        {31, 31},
        {65, 65},
        {333, 101},
        {101, 333},
        {512, 512}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const Image card = make_test_card(width, height);
    const int right = width - 1;
    const int bottom = height - 1;
    // At most a line, and a few more pixels, may be as in the changed card.
    const auto expect_different = [&card, side = std::max(width, height)](const auto& changed) {
      int equal = 0;
      for (int y = 0; y < card.height; ++y) {
        for (int x = 0; x < card.width; ++x) {
          equal += card.at(x, y) == changed(x, y) ? 1 : 0;
        }
      }
      EXPECT_LE(equal, side + card.width * card.height / 20);
    };
    expect_different([&](int x, int y) { return card.at(right - x, y); });
    expect_different([&](int x, int y) { return card.at(x, bottom - y); });
    expect_different([&](int x, int y) { return card.at(right - x, bottom - y); });
    expect_different([&](int x, int y) { return card.at(std::min(x + 1, right), y); });
    expect_different([&](int x, int y) { return card.at(x, std::min(y + 1, bottom)); });
    if (width == height) {
      expect_different([&](int x, int y) { return card.at(y, x); });
      expect_different([&](int x, int y) { return card.at(bottom - y, right - x); });
      expect_different([&](int x, int y) { return card.at(right - y, x); });
    }
  }
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
