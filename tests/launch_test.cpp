// Which fault turns this test red alone: less room than a block reads, tiles that leave a part of
// the image, a tap that loses bits in the source, and a wrong reason why a kernel cannot run
// here.
#include "common/launch.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>

#include "common/device.hpp"
#include "step10_fft/spectrum.hpp"

namespace tutorial {
namespace {

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

TEST(OpenClError, IsNamed) {
  const auto name = [](cl_int code) { return describe(cl::Error(code, "clCall")).substr(25); };
  EXPECT_EQ(name(CL_MISALIGNED_SUB_BUFFER_OFFSET), "-13: CL_MISALIGNED_SUB_BUFFER_OFFSET");
  EXPECT_EQ(name(CL_INVALID_KERNEL_ARGS).substr(0, 29), "-52: CL_INVALID_KERNEL_ARGS: ");
  EXPECT_EQ(name(CL_INVALID_GLOBAL_WORK_SIZE), "-63: CL_INVALID_GLOBAL_WORK_SIZE");
  EXPECT_EQ(name(-9999), "-9999");
}

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
TEST(Room, SufficesForAllTilesWhichCoverTheImage) {
  for (const Transform& fft : {Transform{64, 1, {64, 4}}, Transform{128, 16, {1, 1}}}) {
    for (int filter_width = 1; filter_width <= max_filter_width; filter_width++) {
      const int step_x = tile_step(fft.tile, filter_width, fft.lanes);
      const int step_y = fft.tile - filter_width + 1;
      EXPECT_LE(step_x, step_y) << "the others are wrong";
      EXPECT_EQ(step_x % fft.lanes, 0);
      for (const int size : {1, 31, step_y, step_y + 1, 2 * step_x, 2 * step_x + 1, 1000}) {
        const Image input =
            with_room(Image(size + filter_width - 1, size + filter_width - 1), tile_room);
        const cl::NDRange global = global_size(cl::NDRange(size, size), fft, filter_width);
        const int columns = static_cast<int>(global.get()[0]) / fft.group.width;
        const int rows = static_cast<int>(global.get()[1]) / fft.group.height;
        EXPECT_EQ(columns, ceil_div(size, 2 * step_x));
        EXPECT_EQ(rows, ceil_div(size, step_y));
        EXPECT_LE((2 * columns - 1) * step_x + fft.tile, input.width);
        EXPECT_LE((rows - 1) * step_y + fft.tile, input.height);
      }
    }
  }
}

// --- Why not? ------------------------------------------------------------------------------------

TEST(WhyNot, BlocksAndFilters) {
  const cl::Device device = select_device("");
  const Filter random = make_filter("random", 7, 1);
  const auto of_width = [](int width) {
    return KernelEntry{.label = "Any", .block = {width, 3, 16}, .sparse = width == 48};
  };
  EXPECT_EQ(why_not(device, of_width(24), random), "needs a block width that is a multiple of 16");
  EXPECT_FALSE(why_not(device, of_width(32), random));
  EXPECT_EQ(why_not(device, of_width(48), random), "for filters with at least half their taps 0");
  EXPECT_FALSE(why_not(device, of_width(48), make_filter("motion-blur", 7, 1)));
}

TEST(WhyNot, WorkGroupsAndLocalMemory) {
  const cl::Device device = select_device("");
  const cl::Program program(cl::Context(device), "__kernel void k(__local float* tile) {}", true);
  const cl::Kernel kernel(program, "k");
  const auto says = [&](const KernelEntry& entry, const cl::NDRange& local, std::size_t bytes,
                        const std::string& words) {
    const std::string problem = why_not(device, entry, kernel, local, bytes).value_or("");
    EXPECT_NE(problem.find(words), std::string::npos) << problem;
    EXPECT_EQ(problem.empty(), words.empty()) << problem;
  };
  const auto local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  const std::size_t items = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
  says({}, cl::NullRange, 0, "");
  says({}, cl::NDRange(items, 1), local_memory, "");
  says({}, cl::NDRange(items, 2), 0, " work-items in a work-group, this kernel allows ");
  says({}, cl::NDRange(1, 1), local_memory + 1, "needs " + std::to_string(local_memory + 1));
  const KernelEntry quads = {.label = "Any", .tile = true, .group_multiple = 4};
  says(quads, cl::NDRange(6, 4), 0, "needs a work-group width that is a multiple of 4");
  says(quads, cl::NDRange(4, 6), 0, "");
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
