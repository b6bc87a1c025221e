// The reference against convolutions that can be done by hand.
#include "common/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/test_card.hpp"

namespace tutorial {
namespace {

TEST(Reference, IsACorrelation) {
  // 1 2 3      1 10     the filter is not turned around:
  // 4 5 6      100 1000   1*1 + 2*10 + 4*100 + 5*1000 = 5421
  Image padded(3, 2);
  padded.pixels = {1, 2, 3, 4, 5, 6};
  const Filter filter{2, {1, 10, 100, 1000}};
  const Reference reference = convolve_reference(padded, filter, Image(2, 1));
  EXPECT_EQ(reference.width, 2);
  EXPECT_EQ(reference.height, 1);
  EXPECT_EQ(reference.values, (std::vector<double>{5421, 6532}));
  EXPECT_NEAR(reference.tolerances[0], 4 * 0x1p-23 * 5421, 1e-9);
  // A product of two floats is exact in double.
  EXPECT_EQ(
      convolve_reference(padded, {1, {0.1F}}, padded).values[2], static_cast<double>(0.1F) * 3.0F);
}

// Even widths have the larger half of their border below and on the right.
TEST(Reference, AFilterOfOneTapMovesTheImage) {
  const Image image = make_test_card(13, 7);
  for (int width = 1; width <= max_filter_width; width++) {
    const int before = (width - 1) / 2;
    for (const auto& [r, c] : {std::pair{0, 0}, {before, before}, {0, width - 1}, {width - 1, 0}}) {
      Filter filter{width, std::vector<float>(static_cast<std::size_t>(width * width))};
      filter.taps.at(r * width + c) = 1.0F;
      const Reference reference = convolve_reference(repeat_border(image, width), filter, image);
      ASSERT_EQ(reference.values.size(), image.size());
      for (std::size_t i = 0; i < image.size(); i++) {
        const int x = std::clamp(int(i % 13) + c - before, 0, 12);
        const int y = std::clamp(int(i / 13) + r - before, 0, 6);
        ASSERT_EQ(reference.values[i], image.at(x, y)) << width << ": " << r << ", " << c;
      }
    }
  }
}

}  // namespace
}  // namespace tutorial
