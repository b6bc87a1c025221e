// Which fault turns this test red alone: a checker that passes what kernels get wrong.
#include "common/checker.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "common/error.hpp"

namespace tutorial {
namespace {

/// A correct float result to spoil: 37 x 23 pixels, so that no mistake hides behind equal sides.
class CheckerTest : public testing::Test {
 protected:
  CheckerTest() { std::ranges::copy(reference_.values, good_.pixels.begin()); }

  static constexpr int width = 37, height = 23;
  Image image_ = make_test_card(width, height);
  Filter filter_ = make_filter("random", 5, 1);
  Image padded_ = repeat_border(image_, filter_.width);
  Reference reference_ = convolve_reference(padded_, filter_, image_);
  Image good_{width, height};
};

TEST_F(CheckerTest, FindsOneBadPixelAnywhereAndSaysWhereAndWhat) {
  const Verdict right = check(reference_, good_);
  EXPECT_TRUE(right.passed);
  EXPECT_GT(right.max_error, 0.0) << "a float result is never exactly the double one";
  EXPECT_LT(right.max_error, 1e-5);
  for (const auto& [x, y] :
       {std::pair{0, 0}, {width - 1, 0}, {0, height - 1}, {width - 1, height - 1}, {17, 11}}) {
    for (const float bad : {good_.at(x, y) + 1e-3F, NAN, -INFINITY}) {
      Image spoiled = good_;
      spoiled.pixels[good_.index(x, y)] = bad;
      const Verdict verdict = check(reference_, spoiled);
      EXPECT_FALSE(verdict.passed);
      EXPECT_EQ(std::isinf(verdict.max_error), !std::isfinite(bad));
      EXPECT_EQ(
          verdict.describe(good_.size()),
          fmt::format(
              "wrong at ({}, {}): expected {:.9g}, got {:.9g}; 1 of 851 pixels are wrong", x, y,
              reference_.values[good_.index(x, y)], bad));
    }
  }
}

TEST_F(CheckerTest, FindsAShiftAndATurnedFilter) {
  Image shifted = good_;
  std::rotate(shifted.pixels.begin(), shifted.pixels.begin() + 1, shifted.pixels.end());
  EXPECT_GT(check(reference_, shifted).bad_count, 800U);
  std::ranges::reverse(filter_.taps);
  EXPECT_GT(check(convolve_reference(padded_, filter_, image_), good_).bad_count, 800U);
}

// n * epsilon * sum |f||x|, and what a device that has no numbers below FLT_MIN may lose.
TEST_F(CheckerTest, TheToleranceIsDerivedFromTheDataAndFloatsMustHoldIt) {
  padded_.pixels[padded_.index(20, 10)] = -3.0F;
  reference_ = convolve_reference(padded_, filter_, image_);
  for (const auto& [x, y] : {std::pair{0, 0}, {18, 8}, {width - 1, height - 1}}) {
    double sum = 0.0;
    for (int i = 0; i < 25; i++) {
      sum += std::abs(1.0 * filter_.taps[i] * padded_.at(x + i % 5, y + i / 5));
    }
    const double tolerance = reference_.tolerances[image_.index(x, y)];
    EXPECT_NEAR(tolerance / (25 * std::ldexp(sum, -23)), 1.0, 1e-9) << x;
  }
  const Image black(width, height);
  const Reference dark = convolve_reference(repeat_border(black, 5), filter_, black);
  EXPECT_NEAR(dark.tolerances[0], std::ldexp(25.0, -126), 1e-40);
  filter_.taps[7] = 3e38F;
  EXPECT_THROW(convolve_reference(padded_, filter_, image_), Error);
}

// The partner of column 10 is column 11; the last of 37 columns has none, so its row's largest
// counts.
TEST_F(CheckerTest, OutputsThatShareSumsShareTheirTolerances) {
  for (const auto& [column, partner, shared] :
       {std::tuple{10, 11, true}, {11, 10, true}, {width - 1, 3, true}, {9, 10, false}}) {
    Reference reference = reference_;
    std::ranges::fill(reference.tolerances, 1e-6);
    reference.tolerances[good_.index(partner, 5)] = 0.01;
    for (const float error : {5e-3F, 11e-3F}) {
      Image result = good_;
      result.pixels[good_.index(column, 5)] += error;
      EXPECT_FALSE(check(reference, result, {}, false).passed) << column;
      EXPECT_EQ(check(reference, result, {}, true).passed, shared && error < 0.01F) << column;
    }
  }
}

// Its rounding spreads over the tile: as much on dark pixels, and no more for a wider filter.
TEST_F(CheckerTest, ATransformHasOneToleranceForAllPixels) {
  double taps = 0.0;
  for (const float tap : filter_.taps) {
    taps += std::abs(tap);
  }
  const double tolerance = 4 * 6 * std::ldexp(taps * std::ranges::max(image_.pixels), -23);
  std::ranges::copy(good_.pixels, reference_.values.begin());
  for (const double factor : {0.9, 1.1}) {
    reference_.values[good_.index(20, 10)] = good_.at(20, 10) + factor * tolerance;
    EXPECT_EQ(check(reference_, good_, {}, false, 64).passed, factor < 1.0);
    EXPECT_TRUE(check(reference_, good_, {}, false, 128).passed) << "28 levels";
  }
}

// Nor can a kernel recognise it as NaN. work_test.cpp has what is written outside.
TEST(GuardedBufferTest, WhatIsThereBeforeAKernelRunsIsNoResult) {
  const cl::Device device = select_device("");
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  std::vector<float> values(1001);
  const GuardedBuffer buffer(context, device, values.size());
  buffer.poison(queue);
  cl::copy(queue, buffer.buffer(), values.begin(), values.end());
  const auto nans = std::ranges::count_if(values, [](float value) { return std::isnan(value); });
  const auto huge = std::ranges::count_if(values, [](float value) { return value > 1e36F; });
  EXPECT_EQ(nans + huge, 1001);
  EXPECT_NEAR(nans, 1001 * 15 / 16, 1001 / 64);
}

}  // namespace
}  // namespace tutorial
