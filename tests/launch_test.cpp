// Which fault turns this test red alone: less room than a block or a tile reads, a tap that loses
// bits in the source, and a wrong reason why a kernel cannot run here.

#include "step10_fft/launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>

#include "common/device.hpp"
#include "common/work.hpp"
#include "step10_fft/spectrum.hpp"

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

// --- Why not? ------------------------------------------------------------------------------------

TEST(WhyNot, WorkGroupsAndLocalMemory) {
  const cl::Device device = select_device("");
  const cl::Program program(cl::Context(device), "__kernel void k(__local float* tile) {}", true);
  const cl::Kernel kernel(program, "k");
  const auto reason = [&](const KernelEntry& entry, const cl::NDRange& local, std::size_t bytes) {
    return why_not(device, entry, kernel, local, bytes).value_or("none");
  };
  const auto local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  const std::size_t items = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
  EXPECT_EQ(reason({}, cl::NullRange, 0), "none");
  EXPECT_EQ(reason({}, cl::NDRange(items, 1), local_memory), "none");
  EXPECT_TRUE(reason({}, cl::NDRange(1, 1), local_memory + 1).starts_with("needs "));
  const KernelEntry quads = {.label = "Any", .tile = true, .group_multiple = 4};
  EXPECT_TRUE(reason(quads, cl::NDRange(6, 4), 0).ends_with("width that is a multiple of 4"));
  EXPECT_EQ(reason(quads, cl::NDRange(4, 6), 0), "none");
}

// --- The filter as a source ----------------------------------------------------------------------

TEST(Filter, EveryBakedTapIsReadBackBitForBit) {
  Filter filter{32, {0.0F, -0.0F, 0.1F}};
  // Any bits but those of Inf and NaN, which no filter has.
  std::mt19937 random(1);
  while (filter.taps.size() < 1024) {
    const auto tap = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(tap)) {
      filter.taps.push_back(tap);
    }
  }
  const std::string source = filter.baked_source();
  const char* at = source.c_str() + source.find('{') + 1;
  for (const float expected : filter.taps) {
    char* end = nullptr;
    const float tap = std::strtof(at, &end);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(tap), std::bit_cast<std::uint32_t>(expected))
        << tap << " is not " << expected;
    ASSERT_EQ(*end, 'f') << "a float's suffix is missing: it would be a double";
    at = end + 2;  // the suffix and the comma
  }
}

}  // namespace
}  // namespace tutorial
