// Blocks of outputs: what the host promises the kernels about them. The kernels themselves are
// verified by verify_blocks.sh.
#include "common/block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "common/device.hpp"

namespace tutorial {
namespace {

constexpr Shape shapes_of_floats[] = {Shape::block, Shape::pairs};
constexpr Shape shapes_of_vectors[] = {Shape::block16, Shape::sparse16};

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

// What the kernels read, by their own arithmetic: the last block begins at a multiple of the
// block's size within the image; it reads whole float4s, or a float16 for each tap.
int columns_read(const Block& block, bool vectors, int width, int filter_width) {
  const int last_block = (ceil_div(width, block.width) - 1) * block.width;
  const int window = block.width + filter_width - 1;
  return last_block + (vectors ? window : 4 * ceil_div(window, 4));
}

int rows_read(const Block& block, int height, int filter_width) {
  return ceil_div(height, block.height) * block.height + filter_width - 1;
}

TEST(Block, ThePaddedInputSufficesForAllBlocks) {
  for (const bool vectors : {false, true}) {
    const int unit = vectors ? 16 : 4;
    for (int w = unit; w <= largest_block.width; w += unit) {
      for (int h = 1; h <= largest_block.height; h++) {
        const Block block = {.width = w, .height = h};
        for (int filter_width = 1; filter_width <= max_filter_width; filter_width++) {
          for (const int size : {1, 2, 3, 4, 15, 16, 17, 31, 33, 47, 48, 49, 63, 64, 65, 101}) {
            ASSERT_LE(
                columns_read(block, vectors, size, filter_width), padded_width(size, filter_width))
                << describe(block);
            ASSERT_LE(rows_read(block, size, filter_width), padded_height(size, filter_width))
                << describe(block);
          }
        }
      }
    }
  }
}

TEST(Block, ThePaddedInputHoldsTheWholeInputAndItsRowsAreAligned) {
  for (int filter_width = 1; filter_width <= max_filter_width; filter_width++) {
    for (int size = 1; size <= 130; size++) {
      const int pitch = padded_width(size, filter_width);
      EXPECT_GE(pitch, size + filter_width - 1);
      EXPECT_EQ(pitch % 16, 0);
      EXPECT_GE(padded_height(size, filter_width), size + filter_width - 1);
    }
  }
}

TEST(Block, TheGlobalSizeIsInWholeGroupsAndJustEnough) {
  for (const Block& block :
       {Block{4, 2, 32, 4}, Block{64, 16, 1, 1}, Block{8, 5, 3, 5}, Block{48, 12, 2, 1},
        Block{2, 1, 32, 4}}) {
    for (const int width : {1, 3, 4, 5, 31, 64, 101, 129}) {
      for (const int height : {1, 2, 5, 17, 64, 67}) {
        const cl::NDRange global = global_size(block, width, height);
        ASSERT_EQ(global.dimensions(), 2U);
        const int columns = static_cast<int>(global.get()[0]);
        const int rows = static_cast<int>(global.get()[1]);
        EXPECT_EQ(columns % block.group_width, 0);
        EXPECT_EQ(rows % block.group_height, 0);
        EXPECT_GE(columns * block.width, width);
        EXPECT_GE(rows * block.height, height);
        // One group less would not do.
        EXPECT_LT((columns - block.group_width) * block.width, width);
        EXPECT_LT((rows - block.group_height) * block.height, height);
      }
    }
  }
}

TEST(Block, DescriptionAndBuildOptions) {
  EXPECT_EQ(describe(Block{4, 8, 128, 1}), "4x8, group 128x1");
  EXPECT_EQ(build_options(Block{64, 4, 1, 1}), " -DBLOCK_WIDTH=64 -DBLOCK_HEIGHT=4");
}

TEST(Block, WhatIsNotAskedForFollowsTheDeviceAndTheKernel) {
  const cl::Device device = select_device("");
  const int group_width = is_cpu(device) ? 1 : 32;
  const int group_height = is_cpu(device) ? 1 : 4;
  EXPECT_EQ(select_block(device, {}, Shape::two), (Block{2, 1, group_width, group_height}));
  for (const Shape shape : shapes_of_floats) {
    EXPECT_EQ(select_block(device, {}, shape), (Block{4, 4, group_width, group_height}));
  }
  for (const Shape shape : shapes_of_vectors) {
    EXPECT_EQ(select_block(device, {}, shape), (Block{64, 4, group_width, group_height}));
  }
  for (const Shape shape : {Shape::pixel, Shape::tile, Shape::tile4, Shape::tight_tile}) {
    EXPECT_EQ(select_block(device, {}, shape), Block{});
  }
  Options options;
  options.block_width = 16;
  options.block_height = 5;
  EXPECT_EQ(select_block(device, options, Shape::block), (Block{16, 5, group_width, group_height}));
  options.block_group_width = 3;
  options.block_group_height = 2;
  EXPECT_EQ(select_block(device, options, Shape::block16), (Block{16, 5, 3, 2}));
  EXPECT_EQ(select_block(device, options, Shape::two), (Block{2, 1, 3, 2}));
  EXPECT_EQ(select_block(device, options, Shape::pixel), Block{});
}

TEST(Block, ABlockThatDoesNotSuitTheKernelIsNamed) {
  const Filter random = make_filter("random", 7, 1);
  const Filter sparse = make_filter("motion-blur", 7, 1);
  for (int width = 1; width <= largest_block.width; width++) {
    const Block block = {.width = width, .height = 3};
    for (const Shape shape : shapes_of_floats) {
      EXPECT_EQ(block_problem(shape, block, random).has_value(), width % 4 != 0) << width;
    }
    for (const Shape shape : shapes_of_vectors) {
      EXPECT_EQ(block_problem(shape, block, sparse).has_value(), width % 16 != 0) << width;
    }
  }
  EXPECT_EQ(
      block_problem(Shape::pairs, {.width = 6, .height = 3}, random),
      "needs a block width that is a multiple of 4");
  EXPECT_EQ(
      block_problem(Shape::block16, {.width = 24, .height = 3}, random),
      "needs a block width that is a multiple of 16");
  EXPECT_EQ(
      block_problem(Shape::sparse16, {.width = 16, .height = 3}, random),
      "for filters with at least half their taps 0");
  EXPECT_EQ(block_problem(Shape::block16, {.width = 16, .height = 3}, random), std::nullopt);
  EXPECT_EQ(block_problem(Shape::two, {.width = 2, .height = 1}, random), std::nullopt);
}

TEST(Block, SparseMeansThatHalfOfTheTapsAre0) {
  EXPECT_TRUE(is_sparse({2, {0.0F, 1.0F, -0.0F, 2.0F}}));
  EXPECT_FALSE(is_sparse({2, {0.0F, 1.0F, 1e-45F, 2.0F}}));
  EXPECT_TRUE(is_sparse({1, {0.0F}}));
  EXPECT_FALSE(is_sparse({1, {1.0F}}));
  EXPECT_TRUE(is_sparse({3, {0, 0, 0, 0, 0, 1, 1, 1, 1}}));
  EXPECT_FALSE(is_sparse({3, {0, 0, 0, 0, 1, 1, 1, 1, 1}}));
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

TEST(BakedSource, DeclaresTheArrayThatTheKernelsUse) {
  EXPECT_EQ(
      baked_source({2, {1.0F, 0.0F, -0.5F, 2.0F}}),
      "__constant float baked_filter[] = {\n0x1p+0f, 0x0p+0f,\n-0x1p-1f, 0x1p+1f,\n};\n");
}

}  // namespace
}  // namespace tutorial
