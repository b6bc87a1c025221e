// The border rules of edge_conditions/ against results that can be done by hand, and the check that
// a kernel writes its part of the image and nothing else.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "common/test_card.hpp"
#include "edge_conditions/reference.hpp"

namespace edge_conditions {
namespace {

using tutorial::Image;
using tutorial::Reference;
using tutorial::Verdict;

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

TEST(EdgeConditions, TheInteriorIsTheSameForAllRules) {
  const Image image = powers();
  for (const Reference& reference :
       {leave_out(image), with_repeated_border(image), clamp_centre(image)}) {
    EXPECT_DOUBLE_EQ(at(reference, 1, 1), (32 + 16 + 64 + 2 + 512) / 5.0);
    EXPECT_DOUBLE_EQ(at(reference, 2, 1), (64 + 32 + 128 + 4 + 1024) / 5.0);
  }
}

TEST(EdgeConditions, LeaveOutDividesByWhatIsThere) {
  const Reference reference = leave_out(powers());
  EXPECT_DOUBLE_EQ(at(reference, 0, 0), (1 + 2 + 16) / 3.0);
  EXPECT_DOUBLE_EQ(at(reference, 3, 0), (8 + 4 + 128) / 3.0);
  EXPECT_DOUBLE_EQ(at(reference, 1, 0), (2 + 1 + 4 + 32) / 4.0);
  EXPECT_DOUBLE_EQ(at(reference, 0, 1), (16 + 32 + 1 + 256) / 4.0);
  // The last column and row have neighbours too: what Intel's first listing forgets (E11).
  EXPECT_DOUBLE_EQ(at(reference, 3, 1), (128 + 64 + 8 + 2048) / 4.0);
  EXPECT_DOUBLE_EQ(at(reference, 2, 2), (1024 + 512 + 2048 + 64) / 4.0);
  EXPECT_DOUBLE_EQ(at(reference, 3, 2), (2048 + 1024 + 128) / 3.0);
}

TEST(EdgeConditions, RepeatBorderIsWhatThePaddedInputHolds) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {31, 17}}) {
    const Image image = tutorial::make_test_card(width, height);
    const Image padded = tutorial::repeat_border(image, 3);
    const Reference reference = with_repeated_border(image);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        const double sum = 1.0 * padded.at(x + 1, y + 1) + padded.at(x, y + 1) +
                           padded.at(x + 2, y + 1) + padded.at(x + 1, y) + padded.at(x + 1, y + 2);
        ASSERT_NEAR(at(reference, x, y), sum / 5.0, 1e-15) << width << " x " << height;
      }
    }
  }
}

// E14: border outputs repeat the result next to them, which is another filter than the other two.
TEST(EdgeConditions, ClampCentreRepeatsTheInnerResult) {
  const Reference reference = clamp_centre(powers());
  const double left = (32 + 16 + 64 + 2 + 512) / 5.0;
  const double right = (64 + 32 + 128 + 4 + 1024) / 5.0;
  for (int y = 0; y < 3; y++) {
    EXPECT_DOUBLE_EQ(at(reference, 0, y), left);
    EXPECT_DOUBLE_EQ(at(reference, 1, y), left);
    EXPECT_DOUBLE_EQ(at(reference, 2, y), right);
    EXPECT_DOUBLE_EQ(at(reference, 3, y), right);
  }
}

TEST(EdgeConditions, TheSmallestImages) {
  EXPECT_THROW(clamp_centre(Image(2, 9)), std::invalid_argument);
  EXPECT_THROW(clamp_centre(Image(9, 2)), std::invalid_argument);
  EXPECT_NO_THROW(clamp_centre(Image(3, 3)));
  Image image(1, 1);
  image.pixels = {0.75F};
  EXPECT_DOUBLE_EQ(leave_out(image).values.at(0), 0.75);
  EXPECT_DOUBLE_EQ(with_repeated_border(image).values.at(0), 0.75);
}

// E13: the text says 6000 pixels and 0.2 %.
TEST(EdgeConditions, TheShareOfEdgePixels) {
  EXPECT_EQ(edge_pixels(1920, 1080), 5996);
  EXPECT_NEAR(100.0 * 5996 / (1920 * 1080), 0.29, 0.005);
  EXPECT_EQ(edge_pixels(1, 1), 1);
  EXPECT_EQ(edge_pixels(2, 2), 4);
  EXPECT_EQ(edge_pixels(9, 1), 9);
  EXPECT_EQ(edge_pixels(3, 3), 8);
}

/// A kernel's output of 4 x 3 pixels in which the 2 x 1 pixels from (1, 1) are to be written.
class RectangleTest : public testing::Test {
 protected:
  Reference reference_ = leave_out(powers());
  Rectangle written_{1, 1, 2, 1};
  Image before_{4, 3};
  Image after_{4, 3};

  void SetUp() override {
    before_.pixels.assign(before_.size(), std::numeric_limits<float>::quiet_NaN());
    after_ = before_;
    after_.pixels[5] = static_cast<float>(reference_.values[5]);
    after_.pixels[6] = static_cast<float>(reference_.values[6]);
  }

  Verdict verdict() const { return check_rectangle(reference_, written_, before_, after_, true); }
};

TEST_F(RectangleTest, FindsAWrongAndAMissingPixelInside) {
  EXPECT_TRUE(verdict().passed) << verdict().describe(12);
  after_.pixels[6] += 0.01F;
  EXPECT_FALSE(verdict().passed);
  after_.pixels[6] = before_.pixels[6];
  EXPECT_EQ(verdict().bad_x, 2);
  EXPECT_EQ(verdict().bad_y, 1);
  EXPECT_EQ(verdict().bad_count, 1U);
}

TEST_F(RectangleTest, FindsEveryPixelWrittenOutsideEvenWithTheRightValue) {
  for (const std::size_t i : {0U, 3U, 4U, 7U, 8U, 11U}) {
    SetUp();
    after_.pixels[i] = static_cast<float>(reference_.values[i]);
    EXPECT_FALSE(verdict().passed) << i;
    EXPECT_EQ(verdict().bad_y * 4 + verdict().bad_x, static_cast<int>(i));
    EXPECT_NE(verdict().describe(12).find("expected nan"), std::string::npos);
  }
  SetUp();
  after_.pixels[0] = -after_.pixels[0];  // another NaN
  EXPECT_FALSE(verdict().passed);
}

TEST_F(RectangleTest, NamesTheFirstBadPixelAndCountsAll) {
  after_.pixels[5] = 0.0F;
  after_.pixels[11] = 0.0F;
  EXPECT_EQ(verdict().bad_count, 2U);
  EXPECT_EQ(verdict().bad_y, 1);
  after_.pixels[0] = 0.0F;
  EXPECT_EQ(verdict().bad_count, 3U);
  EXPECT_EQ(verdict().bad_y, 0);
}

TEST_F(RectangleTest, ADamagedGuardFailsAndAnotherSizeIsRefused) {
  EXPECT_FALSE(check_rectangle(reference_, written_, before_, after_, false).passed);
  const Image turned(3, 4);
  EXPECT_THROW(check_rectangle(reference_, written_, turned, after_, true), std::invalid_argument);
  EXPECT_THROW(check_rectangle(reference_, written_, turned, turned, true), std::invalid_argument);
}

}  // namespace
}  // namespace edge_conditions
