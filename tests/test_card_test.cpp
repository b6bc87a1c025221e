// Which fault turns this test red alone: a test card that looks the same to a kernel that mirrors,
// transposes or shifts it.
#include "common/test_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace tutorial {
namespace {

TEST(TestCard, MirroredTransposedAndShiftedCardsDiffer) {
  for (const auto& [width, height] :
       {std::pair{2, 2}, {2, 3}, {16, 16}, {31, 17}, {65, 65}, {333, 101}, {512, 512}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const Image card = make_test_card(width, height);
    EXPECT_TRUE(std::ranges::all_of(card.pixels, [](float p) { return p >= 0 && p <= 1; }));
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

}  // namespace
}  // namespace tutorial
