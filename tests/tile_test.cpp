// Blocks of outputs: what the host promises the kernels about them. The kernels themselves are
// verified by verify.sh.
#include "common/tile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "common/autotune.hpp"
#include "common/device.hpp"
#include "common/error.hpp"

namespace tutorial {
namespace {

cl::Device any_device() {
  return select_device("");
}

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

// What the kernels read, by their own arithmetic: the last block begins at a multiple of the
// block's size within the image; it reads whole float4s with one lane, a float16 for each tap with
// 16.
int columns_read(const Tile& tile, int width, int filter_width) {
  const int last_block = (ceil_div(width, tile.width) - 1) * tile.width;
  const int window = tile.width + filter_width - 1;
  return last_block + (tile.lanes == 1 ? 4 * ceil_div(window, 4) : window);
}

int rows_read(const Tile& tile, int height, int filter_width) {
  return (ceil_div(height, tile.height) - 1) * tile.height + tile.height + filter_width - 1;
}

TEST(Tile, ThePaddedInputSufficesForItsOwnAndAllSmallerBlocks) {
  int tried = 0;
  for (const int lanes : {1, 16}) {
    for (int w = lanes == 1 ? 4 : 16; w <= largest_tile.width; w += lanes == 1 ? 4 : 16) {
      for (int h = 1; h <= largest_tile.height; h++) {
        const Tile tile = {.lanes = lanes, .width = w, .height = h};
        for (int filter_width = 1; filter_width <= max_filter_width; filter_width++) {
          for (const int size : {1, 2, 3, 4, 15, 16, 17, 31, 33, 47, 48, 49, 63, 64, 65, 101}) {
            const int columns = columns_read(tile, size, filter_width);
            const int rows = rows_read(tile, size, filter_width);
            tried++;
            ASSERT_LE(columns, padded_width(tile, size, filter_width)) << describe(tile);
            ASSERT_LE(rows, padded_height(tile, size, filter_width)) << describe(tile);
            ASSERT_LE(columns, padded_width(largest_tile, size, filter_width)) << describe(tile);
            ASSERT_LE(rows, padded_height(largest_tile, size, filter_width)) << describe(tile);
          }
        }
      }
    }
  }
  EXPECT_EQ(tried, (16 + 4) * 16 * 32 * 16);
}

TEST(Tile, ThePaddedInputHoldsTheWholeInputAndItsRowsAreAligned) {
  for (int filter_width = 1; filter_width <= max_filter_width; filter_width++) {
    for (int size = 1; size <= 130; size++) {
      const int pitch = padded_width({}, size, filter_width);
      EXPECT_GE(pitch, size + filter_width - 1);
      EXPECT_EQ(pitch % 16, 0);
      EXPECT_GE(padded_height({}, size, filter_width), size + filter_width - 1);
    }
  }
}

TEST(Tile, TheGlobalSizeIsInWholeGroupsAndJustEnough) {
  for (const Tile& tile :
       {Tile{1, 4, 2, 32, 4}, Tile{16, 64, 16, 1, 1}, Tile{1, 8, 5, 3, 5},
        Tile{16, 48, 12, 2, 1}}) {
    for (const int width : {1, 3, 4, 5, 31, 64, 101, 129}) {
      for (const int height : {1, 2, 5, 17, 64, 67}) {
        const cl::NDRange global = global_size(tile, width, height);
        ASSERT_EQ(global.dimensions(), 2U);
        const int columns = static_cast<int>(global.get()[0]);
        const int rows = static_cast<int>(global.get()[1]);
        EXPECT_EQ(columns % tile.group_width, 0);
        EXPECT_EQ(rows % tile.group_height, 0);
        EXPECT_GE(columns * tile.width, width);
        EXPECT_GE(rows * tile.height, height);
        // One group less would not do.
        EXPECT_LT((columns - tile.group_width) * tile.width, width);
        EXPECT_LT((rows - tile.group_height) * tile.height, height);
      }
    }
  }
}

TEST(Tile, KernelsWithTiles) {
  for (const char* name : {"Convolve_Tile", "Convolve_Baked", "Convolve_Fast"}) {
    EXPECT_TRUE(computes_tiles(name)) << name;
  }
  for (const char* name : {"Convolve", "Convolve_Float4", "Convolve_Local:tight", "", "Tuned"}) {
    EXPECT_FALSE(computes_tiles(name)) << name;
  }
}

TEST(Tile, DescriptionAndBuildOptions) {
  EXPECT_EQ(describe(Tile{1, 4, 8, 128, 1}), "4x8, group 128x1");
  EXPECT_EQ(describe(Tile{16, 64, 4, 1, 1}), "64x4 by float16, group 1x1");
  EXPECT_EQ(build_options(Tile{16, 64, 4, 1, 1}), " -DLANES=16 -DTILE_WIDTH=64 -DTILE_HEIGHT=4");
}

TEST(Tile, WhatIsNotAskedForFollowsTheDevice) {
  const cl::Device device = any_device();
  const bool cpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  const Tile tile = select_tile(device, {});
  EXPECT_EQ(tile, cpu ? (Tile{16, 64, 4, 1, 1}) : (Tile{1, 4, 4, 32, 4}));
  Options options;
  options.lanes = 1;
  EXPECT_EQ(select_tile(device, options).width, 4);
  options.lanes = 16;
  EXPECT_EQ(select_tile(device, options).width, 64);
  options = {};
  options.tile_width = 16;
  options.tile_height = 5;
  options.tile_group_width = 3;
  options.tile_group_height = 2;
  options.lanes = 1;
  EXPECT_EQ(select_tile(device, options), (Tile{1, 16, 5, 3, 2}));
}

std::string problem_with(const Options& options) {
  try {
    select_tile(any_device(), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Tile, WhatDoesNotFitIsNamed) {
  Options options;
  options.lanes = 1;
  for (int width = 1; width <= 64; width++) {
    options.tile_width = width;
    EXPECT_EQ(problem_with(options) == "none", width % 4 == 0) << width;
  }
  options.tile_width = 6;
  options.tile_height = 3;
  EXPECT_EQ(problem_with(options), "--tile 6x3: with --lanes 1 the width must be a multiple of 4");
  options.lanes = 16;
  for (int width = 1; width <= 64; width++) {
    options.tile_width = width;
    EXPECT_EQ(problem_with(options) == "none", width % 16 == 0) << width;
  }
  options.tile_width = 24;
  EXPECT_EQ(
      problem_with(options), "--tile 24x3: with --lanes 16 the width must be a multiple of 16");
  options = {};
  options.tile_group_width = 65536;
  options.tile_group_height = 65536;  // the product does not fit in 32 bits
  const std::string problem = problem_with(options);
  EXPECT_EQ(problem.rfind("--tile-group 65536x65536: the device allows ", 0), 0U) << problem;
}

/// The floats between the braces of a baked source, read by strtof.
std::vector<float> taps_of(const std::string& source) {
  std::vector<float> taps;
  const char* at = source.c_str() + source.find('{') + 1;
  while (true) {
    char* end = nullptr;
    const float tap = std::strtof(at, &end);
    if (end == at) {
      return taps;
    }
    taps.push_back(tap);
    EXPECT_EQ(*end, 'f') << "a float's suffix is missing: it would be a double";
    at = end + 2;  // the suffix and the comma
  }
}

void expect_read_back(const Filter& filter) {
  const std::string source = baked_source(filter);
  const std::vector<float> taps = taps_of(source);
  ASSERT_EQ(taps.size(), filter.taps.size()) << source;
  EXPECT_EQ(std::memcmp(taps.data(), filter.taps.data(), filter.size_bytes()), 0) << source;
}

TEST(BakedSource, EveryTapIsReadBackBitForBit) {
  const float least = std::numeric_limits<float>::denorm_min();
  const float normal = std::numeric_limits<float>::min();
  const float greatest = std::numeric_limits<float>::max();
  expect_read_back(
      {4,
       {0.0F, -0.0F, least, -least, normal, std::nextafter(normal, 0.0F), greatest, -greatest,
        1e-30F, 0.1F, -1.0F / 3.0F, 1.0F, 2.0F, 1e-40F, 123456.789F, std::nextafter(1.0F, 2.0F)}});
  for (const char* name : {"random", "gaussian", "box", "sharpen", "motion-blur"}) {
    for (const int width : {1, 2, 7, 32}) {
      expect_read_back(make_filter(name, width, 5));
    }
  }
  // Any bits but those of Inf and NaN, which no filter has.
  std::mt19937 random(1);
  Filter filter{32, {}};
  while (filter.taps.size() < 1024) {
    const auto bits = static_cast<std::uint32_t>(random());
    float tap = 0.0F;
    std::memcpy(&tap, &bits, sizeof tap);
    if (std::isfinite(tap)) {
      filter.taps.push_back(tap);
    }
  }
  expect_read_back(filter);
}

TEST(BakedSource, CountsTheTapsThatAreNotZero) {
  const auto count = [](const Filter& filter) {
    const std::string source = baked_source(filter);
    return source.substr(0, source.find('\n'));
  };
  EXPECT_EQ(count({2, {0.0F, -0.0F, 1e-45F, 3.0F}}), "#define BAKED_TAPS 2");
  EXPECT_EQ(count({1, {0.0F}}), "#define BAKED_TAPS 0");
  EXPECT_EQ(count(make_filter("box", 32, 1)), "#define BAKED_TAPS 1024");
  EXPECT_NE(
      baked_source({1, {1.0F}}).find("__constant float baked_filter[] = {\n0x1p+0f,\n};"),
      std::string::npos);
}

}  // namespace
}  // namespace tutorial
