// What the host promises the kernels: room for blocks, whole work-groups, the filter's taps as
// constants; and why a kernel cannot run here. The kernels themselves are verified by verify.sh.
#include "common/launch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "common/device.hpp"

namespace tutorial {
namespace {

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
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

TEST(Room, IsZeroesBesideTheInput) {
  Image input(5, 3);
  for (std::size_t i = 0; i < input.size(); i++) {
    input.pixels[i] = 1.0F + static_cast<float>(i);
  }
  const Image roomy = with_room(input);
  for (int y = 0; y < roomy.height; y++) {
    for (int x = 0; x < roomy.width; x++) {
      ASSERT_EQ(roomy.at(x, y), x < 5 && y < 3 ? input.at(x, y) : 0.0F) << x << "," << y;
    }
  }
}

TEST(NDRange, IsInWholeGroupsAndJustEnough) {
  for (const Block& block : {Block{4, 2}, Block{64, 16}, Block{8, 5}, Block{2, 1}}) {
    for (const Extent& group : {Extent{32, 4}, Extent{1, 1}, Extent{3, 5}}) {
      for (const int width : {1, 3, 5, 31, 64, 129}) {
        for (const int height : {1, 2, 17, 67}) {
          const cl::NDRange local(group.width, group.height);
          const cl::NDRange global = global_size(cl::NDRange(width, height), block, local);
          ASSERT_EQ(global.dimensions(), 2U);
          const int columns = static_cast<int>(global.get()[0]);
          const int rows = static_cast<int>(global.get()[1]);
          EXPECT_EQ(columns % group.width, 0);
          EXPECT_EQ(rows % group.height, 0);
          EXPECT_GE(columns * block.width, width);
          EXPECT_GE(rows * block.height, height);
          // One group less would not do.
          EXPECT_LT((columns - group.width) * block.width, width);
          EXPECT_LT((rows - group.height) * block.height, height);
        }
      }
    }
  }
}

TEST(Block, OptionsAndGroup) {
  EXPECT_EQ(build_options({64, 4}), " -DBLOCK_WIDTH=64 -DBLOCK_HEIGHT=4");
  EXPECT_EQ(build_options({}), "");
  const cl::Device device = select_device("");
  KernelEntry entry = {.label = "Any", .block = {4, 4}};
  EXPECT_EQ(block_group(device, entry).get()[0], is_cpu(device) ? 1U : 32U);
  EXPECT_EQ(block_group(device, entry).get()[1], is_cpu(device) ? 1U : 4U);
  entry.block_group = {3, 2};
  EXPECT_EQ(block_group(device, entry).get()[0], 3U);
  EXPECT_EQ(block_group(device, entry).get()[1], 2U);
}

// --- Why not? -------------------------------------------------------------------------------------

TEST(WhyNot, BlocksAndFilters) {
  const Filter random = make_filter("random", 7, 1);
  const Filter sparse = make_filter("motion-blur", 7, 1);
  for (const int multiple : {4, 16}) {
    for (int width = 1; width <= largest_block.width; width++) {
      const KernelEntry entry = {.label = "Any", .block = {width, 3, multiple}};
      const auto problem = why_not(entry, random);
      ASSERT_EQ(problem.has_value(), width % multiple != 0) << width;
      if (problem) {
        EXPECT_EQ(
            *problem, "needs a block width that is a multiple of " + std::to_string(multiple));
      }
    }
  }
  EXPECT_FALSE(why_not({.label = "Two", .block = {2, 1}}, random));
  const KernelEntry for_sparse = {.label = "Any", .block = {16, 3, 16}, .sparse = true};
  EXPECT_EQ(why_not(for_sparse, random), "for filters with at least half their taps 0");
  EXPECT_FALSE(why_not(for_sparse, sparse));
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

TEST(WhyNot, ImagesLargerThanTheDevices) {
  const cl::Device device = select_device("");
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  Image small(3, 2);
  EXPECT_EQ(
      why_not(context, {.label = "Any", .image = true}, small).has_value(),
      upload_image(context, queue, small)() == nullptr);
  small.width = std::numeric_limits<int>::max();  // asked for, not uploaded
  const auto problem = why_not(context, {.label = "Any", .image = true}, small);
  EXPECT_NE(problem.value_or("").find("the device"), std::string::npos);
  EXPECT_FALSE(why_not(context, {}, small)) << "a kernel that reads a buffer";
}

// --- The filter as a source -----------------------------------------------------------------------

TEST(Filter, SparseMeansThatHalfOfTheTapsAre0) {
  EXPECT_TRUE((Filter{2, {0.0F, 1.0F, -0.0F, 2.0F}}.is_sparse()));
  EXPECT_FALSE((Filter{2, {0.0F, 1.0F, 1e-45F, 2.0F}}.is_sparse()));
  EXPECT_TRUE((Filter{3, {0, 0, 0, 0, 0, 1, 1, 1, 1}}.is_sparse()));
  EXPECT_FALSE((Filter{3, {0, 0, 0, 0, 1, 1, 1, 1, 1}}.is_sparse()));
}

TEST(Filter, EveryBakedTapIsReadBackBitForBit) {
  EXPECT_EQ(
      (Filter{2, {1.0F, 0.0F, -0.5F, 2.0F}}.baked_source()),
      "__constant float baked_filter[] = {\n0x1p+0f, 0x0p+0f,\n-0x1p-1f, 0x1p+1f,\n};\n");
  Filter filter{32, {0.0F, -0.0F, 0.1F, -1.0F / 3.0F, 123456.789F}};
  for (const float limit :
       {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::min(),
        std::numeric_limits<float>::max()}) {
    filter.taps.insert(filter.taps.end(), {limit, -limit, std::nextafter(limit, 0.0F)});
  }
  // Any bits but those of Inf and NaN, which no filter has.
  std::mt19937 random(1);
  while (filter.taps.size() < 1024) {
    const auto bits = static_cast<std::uint32_t>(random());
    float tap = 0.0F;
    std::memcpy(&tap, &bits, sizeof tap);
    if (std::isfinite(tap)) {
      filter.taps.push_back(tap);
    }
  }
  const std::string source = filter.baked_source();
  const char* at = source.c_str() + source.find('{') + 1;
  for (const float expected : filter.taps) {
    char* end = nullptr;
    const float tap = std::strtof(at, &end);
    ASSERT_EQ(std::memcmp(&tap, &expected, sizeof tap), 0) << tap << " is not " << expected;
    ASSERT_EQ(*end, 'f') << "a float's suffix is missing: it would be a double";
    at = end + 2;  // the suffix and the comma
  }
}

}  // namespace
}  // namespace tutorial
