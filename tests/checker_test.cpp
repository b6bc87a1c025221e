// The checker must catch what kernels get wrong; a checker that cannot fail proves nothing.
#include "common/checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "common/device.hpp"
#include "common/test_card.hpp"

namespace tutorial {
namespace {

/// A correct float result to spoil: 37 x 23 pixels, so that no mistake hides behind equal sides.
class CheckerTest : public testing::Test {
 protected:
  static constexpr int width = 37;
  static constexpr int height = 23;

  Image image_ = make_test_card(width, height);
  Filter filter_ = make_filter("random", 5, 1);
  Image padded_ = repeat_border(image_, filter_.width);
  Reference reference_ = convolve_reference(padded_, filter_);
  Image good_{width, height};

  void SetUp() override { convolve_openmp(padded_, filter_, good_); }

  static std::size_t index(int x, int y) { return static_cast<std::size_t>(y * width + x); }
};

TEST_F(CheckerTest, PassesACorrectResult) {
  const Verdict verdict = check(reference_, good_);
  EXPECT_TRUE(verdict.passed) << verdict.describe(good_.size());
  EXPECT_GT(verdict.max_error, 0.0) << "a float result is never exactly the double one";
  EXPECT_LT(verdict.max_error, 1e-5);
}

TEST_F(CheckerTest, FindsNaNAndInfinity) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    Image spoiled = good_;
    spoiled.pixels[index(11, 7)] = bad;
    const Verdict verdict = check(reference_, spoiled);
    EXPECT_FALSE(verdict.passed);
    EXPECT_EQ(verdict.bad_x, 11);
    EXPECT_EQ(verdict.bad_y, 7);
    EXPECT_EQ(verdict.bad_count, 1U);
    EXPECT_TRUE(std::isinf(verdict.max_error));
  }
}

TEST_F(CheckerTest, FindsOneWrongPixelAnywhere) {
  for (const auto& [x, y] :
       {std::pair{0, 0}, {width - 1, 0}, {0, height - 1}, {width - 1, height - 1}, {17, 11}}) {
    Image spoiled = good_;
    spoiled.pixels[index(x, y)] += 1e-3F;
    const Verdict verdict = check(reference_, spoiled);
    EXPECT_FALSE(verdict.passed);
    EXPECT_EQ(verdict.bad_x, x);
    EXPECT_EQ(verdict.bad_y, y);
    EXPECT_NEAR(verdict.got - verdict.expected, 1e-3, 1e-5);
  }
}

TEST_F(CheckerTest, FindsAShiftByOne) {
  Image shifted = good_;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x + 1 < width; x++) {
      shifted.pixels[index(x, y)] = good_.at(x + 1, y);
    }
  }
  EXPECT_FALSE(check(reference_, shifted).passed);
}

TEST_F(CheckerTest, FindsATransposedFilter) {
  Filter transposed = filter_;
  for (std::size_t r = 0; r < 5; r++) {
    for (std::size_t c = 0; c < 5; c++) {
      transposed.taps[r * 5 + c] = filter_.taps[c * 5 + r];
    }
  }
  Image wrong(width, height);
  convolve_openmp(padded_, transposed, wrong);
  EXPECT_FALSE(check(reference_, wrong).passed);
}

TEST_F(CheckerTest, FindsAFilterThatWasTurnedAround) {
  Filter turned = filter_;
  std::reverse(turned.taps.begin(), turned.taps.end());
  Image wrong(width, height);
  convolve_openmp(padded_, turned, wrong);
  EXPECT_FALSE(check(reference_, wrong).passed);
}

TEST_F(CheckerTest, FindsAMissingTapOfAWideFilter) {
  const Filter wide = make_filter("random", 32, 1);
  const Image padded = repeat_border(image_, 32);
  const Reference reference = convolve_reference(padded, wide);
  Filter less = wide;
  less.taps.back() = 0.0F;
  Image wrong(width, height);
  convolve_openmp(padded, less, wrong);
  EXPECT_FALSE(check(reference, wrong).passed);
}

TEST_F(CheckerTest, RefusesAnotherSize) {
  EXPECT_THROW(check(reference_, Image(height, width)), std::invalid_argument);
}

TEST_F(CheckerTest, SaysWhereAndWhat) {
  Image spoiled = good_;
  spoiled.pixels[index(3, 2)] = std::numeric_limits<float>::quiet_NaN();
  const std::string text = check(reference_, spoiled).describe(spoiled.size());
  EXPECT_NE(text.find("(3, 2)"), std::string::npos) << text;
  EXPECT_NE(text.find("got nan"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 851"), std::string::npos) << text;
}

// A kernel with a reference of its own: the mistake is not in the kernel.
TEST_F(CheckerTest, SaysThatTheReferenceIsNotANumber) {
  for (std::vector<double> Reference::*part : {&Reference::values, &Reference::tolerances}) {
    Reference reference = reference_;
    (reference.*part)[index(3, 2)] = std::numeric_limits<double>::quiet_NaN();
    const Verdict verdict = check(reference, good_);
    EXPECT_FALSE(verdict.passed);
    const std::string text = verdict.describe(good_.size());
    EXPECT_NE(text.find("the reference itself is not a number at (3, 2)"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("wrong at"), std::string::npos) << text;
  }
}

TEST_F(CheckerTest, ADamagedGuardFailsACorrectResult) {
  const Verdict verdict = check(reference_, good_, false);
  EXPECT_FALSE(verdict.passed);
  EXPECT_NE(verdict.describe(good_.size()).find("outside"), std::string::npos);
}

TEST_F(CheckerTest, TheToleranceFollowsTheData) {
  // A thousand times darker image, a thousand times smaller tolerance.
  Image dark = padded_;
  for (float& pixel : dark.pixels) {
    pixel *= 1e-3F;
  }
  const Reference dark_reference = convolve_reference(dark, filter_);
  const std::size_t i = index(20, 10);
  EXPECT_NEAR(dark_reference.tolerances[i] / reference_.tolerances[i], 1e-3, 1e-6);
}

TEST_F(CheckerTest, OutputsThatShareSumsShareTheirTolerances) {
  // The partner of column 10 is column 11; the last of 37 columns has none, so its row's largest
  // counts.
  for (const int x : {10, 11, width - 1}) {
    Reference reference = reference_;
    for (double& tolerance : reference.tolerances) {
      tolerance = 1e-6;
    }
    reference.tolerances[index(x == width - 1 ? 3 : x ^ 1, 5)] = 0.01;
    Image spoiled(width, height);
    std::copy(reference.values.begin(), reference.values.end(), spoiled.pixels.begin());
    spoiled.pixels[index(x, 5)] += 5e-3F;
    EXPECT_FALSE(check(reference, spoiled).passed) << x;
    EXPECT_TRUE(check(reference, spoiled, true, true).passed) << x;
    spoiled.pixels[index(x, 5)] += 6e-3F;
    EXPECT_FALSE(check(reference, spoiled, true, true).passed) << x;
    spoiled.pixels[index(x, 5)] = static_cast<float>(reference.values[index(x, 5)]);
    spoiled.pixels[index(9, 5)] += 5e-3F;  // column 8's partner, nobody else's
    EXPECT_FALSE(check(reference, spoiled, true, true).passed) << x;
  }
}

/// GuardedBuffer on a real device.
class GuardedBufferTest : public testing::Test {
 protected:
  static constexpr std::size_t count = 1001;

  cl::Device device_ = select_device("");
  cl::Context context_{device_};
  cl::CommandQueue queue_{context_, device_};
  GuardedBuffer buffer_{context_, device_, count};

  /// Runs a kernel that writes 1 to output[first..first+items-1].
  void write(int first, std::size_t items) const {
    const cl::Program program(
        context_,
        "__kernel void Write(__global float* output, const int first) {"
        "  output[(int)get_global_id(0) + first] = 1.0f;"
        "}",
        true);
    cl::Kernel kernel(program, "Write");
    kernel.setArg(0, buffer_.buffer());
    kernel.setArg(1, first);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items));
    queue_.finish();
  }
};

TEST_F(GuardedBufferTest, PoisonIsNaNEverywhere) {
  buffer_.poison(queue_);
  std::vector<float> values(count);
  queue_.enqueueReadBuffer(buffer_.buffer(), CL_TRUE, 0, count * sizeof(float), values.data());
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float v) { return std::isnan(v); }));
  EXPECT_TRUE(buffer_.guards_intact(queue_));
}

TEST_F(GuardedBufferTest, WritingTheOutputLeavesTheGuards) {
  buffer_.poison(queue_);
  write(0, count);
  EXPECT_TRUE(buffer_.guards_intact(queue_));
}

TEST_F(GuardedBufferTest, FindsAWriteOneBeforeAndOneBehind) {
  buffer_.poison(queue_);
  write(-1, 1);
  EXPECT_FALSE(buffer_.guards_intact(queue_));
  buffer_.poison(queue_);
  EXPECT_TRUE(buffer_.guards_intact(queue_));
  write(count, 1);
  EXPECT_FALSE(buffer_.guards_intact(queue_));
}

}  // namespace
}  // namespace tutorial
