// Which fault turns this test red alone: taps in fixed point that do not fit, or could be finer;
// taps in matrices that are not the filter; and a pixel that is one level off without a reason.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "step11_bytes/taps.hpp"

namespace tutorial {
namespace {

TEST(Bytes, TapsAreAsFineAsTheyFit) {
  // At shift 17 the largest sum of many taps fits into 32 bits, but not with the half that is added
  // to it.
  const Filter many = {32, std::vector<float>(1024, 8224.0F / (1 << 17))};
  const std::vector<std::pair<Filter, int>> all = {
      {{1, {1.0F}}, 14}, {{1, {32767.0F}}, 0}, {many, 16}, {{2, {0.3F, 0.3F, 0.2F, 0.2F}}, 16}};
  for (const auto& [filter, shift] : all) {
    EXPECT_EQ(to_fixed_point(filter).shift, shift) << filter.taps[0];
  }
  EXPECT_THROW(to_fixed_point({1, {32768.0F}}), Error);
  EXPECT_THROW(to_fixed_point({2, {30000.0F, 0.25F, 0.0F, 0.0F}}), Error);
}

TEST(Bytes, AnExactResultRoundsHalvesUpAndIsLimited) {
  for (const auto& [first, second, left, right, expected] :
       {std::tuple{0.5F, 0.5F, 3, 4, 4},
        {1.5F, -1.0F, 3, 1, 4},
        {1.5F, -1.0F, 1, 255, 0},
        {1.5F, -1.0F, 255, 0, 255}}) {
    ByteImage input(2, 2);
    input.pixels = {std::uint8_t(left), std::uint8_t(right), 0, 0};
    const FixedFilter fixed = to_fixed_point({2, {first, second, 0.0F, 0.0F}});
    EXPECT_EQ(convolve_exactly(input, fixed, 1, 1).pixels.at(0), expected) << left;
  }
}

// One patch of a result from the matrices, as matrix.cl uses them, on devices that we may not have.
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
    for (int i = 0; i < 32; i++) {
      const int sum = int(sums[i] + (1U << fixed.shift) / 2);
      EXPECT_EQ(std::clamp(sum >> fixed.shift, 0, 255), exact.pixels[i]) << width;
    }
  }
}

TEST(Bytes, OnlyASumInFloatsMayBeOneLevelOffAndOnlyAtATie) {
  const struct {
    float tap;
    int off;
    bool floats;
    int tile;
    bool truncates, wrong;
  } cases[] = {
      {0.5F, 0, false, 0, false, false},  // 1.5 becomes 2
      {0.5F, -1, false, 0, false, true},    {0.5F, -1, true, 0, false, false},
      {0.5F, +1, true, 0, false, true},     {0.5F, -2, true, 0, false, true},
      {0.501F, -1, true, 0, false, true},   {0.5F, -1, true, 128, false, false},
      {0.501F, -1, true, 128, false, true}, {0.6F, -1, true, 0, true, false},  // 1.8 becomes 1
      {0.6F, -1, true, 0, false, true},     {0.4F, -1, true, 0, true, true},
      {0.4F, +1, true, 0, true, true},
  };
  ByteImage input(2, 1);
  input.pixels = {3, 3};
  for (const auto& [tap, off, floats, tile, truncates, wrong] : cases) {
    const FixedFilter fixed = to_fixed_point({1, {tap}});
    const ByteImage exact = convolve_exactly(input, fixed, 2, 1);
    ByteImage output = exact;
    output.pixels.at(1) += off;
    const auto verdict = check_bytes(input, fixed, exact, output, floats, tile, truncates);
    EXPECT_EQ(verdict.wrong, wrong) << tap << ' ' << off << ' ' << tile;
    EXPECT_EQ(verdict.rounded, off != 0 && !wrong) << tap << ' ' << off << ' ' << tile;
    EXPECT_EQ(verdict.bad_x, wrong ? 1 : -1);
  }
}

}  // namespace
}  // namespace tutorial
