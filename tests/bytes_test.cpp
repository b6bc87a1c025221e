// Which fault turns this test red alone: taps in fixed point that do not fit, or could be finer;
// taps in matrices that are not the filter; and a pixel that is one level off without a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "common/error.hpp"
#include "step11_bytes/taps.hpp"

namespace tutorial {
namespace {

TEST(Bytes, TapsAreAsFineAsTheyFit) {
  for (int width = 1; width <= max_filter_width; width++) {
    for (const char* name : {"random", "gaussian", "box", "motion-blur"}) {
      const Filter filter = make_filter(name, width, 1);
      const FixedFilter fixed = to_fixed_point(filter);
      EXPECT_LE(fixed_point_error(filter, fixed), 0.5) << name << width;
      std::int64_t sum = (1 << fixed.shift) / 2;
      int largest = 0;
      for (const int tap : fixed.taps) {
        sum += 255 * std::abs(tap);
        largest = std::max(largest, std::abs(tap));
      }
      EXPECT_LE(sum, INT32_MAX) << name << width;
      EXPECT_TRUE(2 * largest > INT16_MAX - 1 || 2 * sum > INT32_MAX - 256 * width * width)
          << name << width << " could be finer";
    }
  }
  EXPECT_EQ(to_fixed_point({1, {1.0F}}).shift, 14);
  EXPECT_EQ(to_fixed_point({1, {1.0F}}).taps.at(0), 1 << 14);
  EXPECT_EQ(to_fixed_point({1, {32767.0F}}).shift, 0);
  // At shift 17 the largest sum fits into 32 bits, but not with the half that is added to it.
  const std::vector<float> taps(1024, 8224.0F / (1 << 17));
  EXPECT_EQ(to_fixed_point({32, taps}).shift, 16);
  EXPECT_THROW(to_fixed_point({1, {32768.0F}}), Error);
  EXPECT_THROW(to_fixed_point(make_filter("sharpen", 29, 1)), Error);  // 2 beside many of 1 / 841
  EXPECT_THROW(to_fixed_point({2, {30000.0F, 0.25F, 0.0F, 0.0F}}), Error);
}

TEST(Bytes, AnExactResultRoundsHalvesUpAndIsLimited) {
  const auto result = [](const Filter& filter, std::uint8_t left, std::uint8_t right) {
    ByteImage input(2, 2);
    input.pixels = {left, right, 0, 0};
    return int(convolve_exactly(input, to_fixed_point(filter), 1, 1).pixels.at(0));
  };
  const Filter mean = {2, {0.5F, 0.5F, 0.0F, 0.0F}};
  const Filter difference = {2, {1.5F, -1.0F, 0.0F, 0.0F}};
  EXPECT_EQ(result(mean, 3, 4), 4);
  EXPECT_EQ(result(difference, 3, 1), 4);
  EXPECT_EQ(result(difference, 1, 255), 0);
  EXPECT_EQ(result(difference, 255, 0), 255);
}

// A row of a result from the taps in pairs, as dot.cl and dot32.cl use them.
TEST(Bytes, PairsOfTapsAreTheFilter) {
  for (int width = 1; width <= max_filter_width; width++) {
    const FixedFilter fixed = to_fixed_point(make_filter("random", width, 1));
    const std::vector<std::int32_t> pairs = tap_pairs(fixed);
    ByteImage input(width + 7, width);  // the last column goes with the 0 of an odd width
    std::ranges::generate(input.pixels, std::mt19937(1));
    const ByteImage exact = convolve_exactly(input, fixed, 7, 1);
    for (int x = 0; x < 7; x++) {
      std::int32_t sum = (1 << fixed.shift) / 2;
      for (int r = 0; r < width; r++) {
        for (int k = 0; k <= width / 2; k++) {
          const std::int32_t pair = pairs.at((r * (width / 2 + 1) + k) * 2 + x % 2);
          const std::size_t first = input.index(x / 2 * 2 + 2 * k, r);
          sum += std::int16_t(pair) * input.pixels.at(first);
          sum += pair >> 16 ? (pair >> 16) * input.pixels.at(first + 1) : 0;
        }
      }
      EXPECT_EQ(std::clamp(sum >> fixed.shift, 0, 255), exact.pixels.at(x)) << width << " " << x;
    }
  }
}

// One patch of a result from the matrices, as matrix.cl uses them.
TEST(Bytes, MatricesOfTapsAreTheFilter) {
  for (int width = 1; width <= max_filter_width; width++) {
    const FixedFilter fixed = to_fixed_point(make_filter("random", width, 1));
    const std::vector<std::uint32_t> matrices = tap_matrices(fixed);
    const int patches_x = (width + 14) / 8;
    const int patches_y = (width + 6) / 4;
    ASSERT_EQ(matrices.size(), std::size_t(2 * patches_x * patches_y * 2 * 32 * 4));
    ByteImage input(8 * patches_x, 4 * patches_y);
    std::ranges::generate(input.pixels, std::mt19937(1));
    std::array<std::uint32_t, 32> sums = {};  // of the outputs (x, y) at 8 * y + x
    for (std::size_t i = 0; i < matrices.size(); i++) {
      // [high, low][patch][half][lane = 4 * g + q][2 * d + b], see taps.hpp
      const int b = i % 2, d = i / 2 % 2, q = i / 4 % 4, g = i / 16 % 8, half = i / 128 % 2;
      const int patch = i / 256 % (patches_x * patches_y);
      const bool high = i < matrices.size() / 2;
      for (int e = 0; e < 4; e++) {
        const auto byte = std::uint8_t(matrices[i] >> 8 * e);
        const int tap = high ? 256 * std::int8_t(byte) : byte;
        const int x = patch % patches_x * 8 + 4 * d + e;
        const int y = patch / patches_x * 4 + q;
        sums[8 * (g / 2) + 4 * (g % 2) + 2 * half + b] += tap * input.pixels[input.index(x, y)];
      }
    }
    const ByteImage exact = convolve_exactly(input, fixed, 8, 4);
    for (int x = 0; x < 8; x++) {
      for (int y = 0; y < 4; y++) {
        const int sum = int(sums[8 * y + x] + (1U << fixed.shift) / 2);
        EXPECT_EQ(std::clamp(sum >> fixed.shift, 0, 255), exact.pixels[exact.index(x, y)]) << width;
      }
    }
  }
}

TEST(Bytes, OnlyASumInFloatsMayBeOneLevelOffAndOnlyAtATie) {
  ByteImage input(2, 1);
  input.pixels = {3, 3};
  const auto check = [&](float tap, int off, bool floats, int tile = 0, bool truncates = false) {
    const FixedFilter fixed = to_fixed_point({1, {tap}});
    const ByteImage exact = convolve_exactly(input, fixed, 2, 1);
    ByteImage output = exact;
    output.pixels.at(1) += off;
    return check_bytes(input, fixed, exact, output, floats, tile, truncates);
  };
  EXPECT_EQ(check(0.5F, 0, false).wrong, 0);  // 1.5 becomes 2
  EXPECT_EQ(check(0.5F, -1, false).wrong, 1);
  EXPECT_EQ(check(0.5F, -1, true).wrong, 0);
  EXPECT_EQ(check(0.5F, -1, true).rounded, 1);
  EXPECT_EQ(check(0.5F, +1, true).wrong, 1);
  EXPECT_EQ(check(0.501F, -1, true).wrong, 1);
  EXPECT_EQ(check(0.5F, -2, true).wrong, 1);
  EXPECT_EQ(check(0.5F, -1, true, 128).rounded, 1);
  EXPECT_EQ(check(0.501F, -1, true, 128).wrong, 1);
  EXPECT_EQ(check(0.5F, -2, true).bad_x, 1);
  EXPECT_EQ(check(0.6F, -1, true, 0, true).wrong, 0);  // 1.8 becomes 1
  EXPECT_EQ(check(0.6F, -1, true).wrong, 1);
  EXPECT_EQ(check(0.4F, -1, true, 0, true).wrong, 1);
  EXPECT_EQ(check(0.4F, +1, true, 0, true).wrong, 1);
}

}  // namespace
}  // namespace tutorial
