// Which fault turns this test red alone: less room than a block or a tile reads; taps in fixed
// point that do not fit, or could be finer; taps in matrices that are not the filter; and a pixel
// that is one level off without a reason.
#include "step10_fft/launch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "step10_fft/spectrum.hpp"
#include "step11_bytes/taps.hpp"

namespace tutorial {
namespace {

TEST(Room, SufficesForAllBlocks) {
  for (const int filter_width : {1, 2, 3, 7, 8, 31, 32}) {
    for (const int size : {1, 2, 3, 4, 15, 16, 17, 31, 33, 47, 48, 49, 63, 64, 65, 101}) {
      const Image input = with_room(Image(size + filter_width - 1, size + filter_width - 1));
      EXPECT_EQ(input.width % 16, 0);
      for (int w = 4; w <= largest_block.width; w += 4) {
        // By the kernels' own arithmetic: the last block begins at a multiple of the block's size
        // within the image and reads whole float4s; those of vectors read no more.
        const int last_block = (ceil_div(size, w) - 1) * w;
        EXPECT_LE(last_block + 4 * ceil_div(w + filter_width - 1, 4), input.width) << w;
      }
      for (int h = 1; h <= largest_block.height; h++) {
        EXPECT_LE(ceil_div(size, h) * h + filter_width - 1, input.height) << h;
      }
    }
  }
}

// By the kernels' own arithmetic.
TEST(Room, SufficesForAllTiles) {
  for (const auto& [tile, lanes] : {std::pair{64, 1}, {128, 16}}) {
    for (int filter_width = 1; filter_width <= max_filter_width; filter_width++) {
      const int step_x = tile_step(tile, filter_width, lanes);
      const int step_y = tile - filter_width + 1;
      EXPECT_LE(step_x, step_y) << "the others are wrong";
      EXPECT_EQ(step_x % lanes, 0);
      for (const int size : {1, 31, step_y, step_y + 1, 2 * step_x, 2 * step_x + 1, 1000}) {
        const Image input =
            with_room(Image(size + filter_width - 1, size + filter_width - 1), step10::tile_room);
        EXPECT_LE((2 * ceil_div(size, 2 * step_x) - 1) * step_x + tile, input.width);
        EXPECT_LE((ceil_div(size, step_y) - 1) * step_y + tile, input.height);
      }
    }
  }
}

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
  EXPECT_EQ(to_fixed_point({1, {32767.0F}}).shift, 0);
  // At shift 17 the largest sum fits into 32 bits, but not with the half that is added to it.
  const std::vector<float> taps(1024, 8224.0F / (1 << 17));
  EXPECT_EQ(to_fixed_point({32, taps}).shift, 16);
  EXPECT_THROW(to_fixed_point({1, {32768.0F}}), Error);
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
  const auto wrong = [&](float tap, int off, bool floats, int tile = 0, bool truncates = false) {
    const FixedFilter fixed = to_fixed_point({1, {tap}});
    const ByteImage exact = convolve_exactly(input, fixed, 2, 1);
    ByteImage output = exact;
    output.pixels.at(1) += off;
    const auto verdict = check_bytes(input, fixed, exact, output, floats, tile, truncates);
    EXPECT_EQ(verdict.rounded, off != 0 && verdict.wrong == 0 ? 1 : 0);
    EXPECT_TRUE(verdict.wrong == 0 || verdict.bad_x == 1);
    return verdict.wrong;
  };
  EXPECT_EQ(wrong(0.5F, 0, false), 0);  // 1.5 becomes 2
  EXPECT_EQ(wrong(0.5F, -1, false), 1);
  EXPECT_EQ(wrong(0.5F, -1, true), 0);
  EXPECT_EQ(wrong(0.5F, +1, true), 1);
  EXPECT_EQ(wrong(0.5F, -2, true), 1);
  EXPECT_EQ(wrong(0.501F, -1, true), 1);
  EXPECT_EQ(wrong(0.5F, -1, true, 128), 0);
  EXPECT_EQ(wrong(0.501F, -1, true, 128), 1);
  EXPECT_EQ(wrong(0.6F, -1, true, 0, true), 0);  // 1.8 becomes 1
  EXPECT_EQ(wrong(0.6F, -1, true), 1);
  EXPECT_EQ(wrong(0.4F, -1, true, 0, true), 1);
  EXPECT_EQ(wrong(0.4F, +1, true, 0, true), 1);
}

}  // namespace
}  // namespace tutorial
