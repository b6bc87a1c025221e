#include "common/block.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/device.hpp"
#include "common/work_group.hpp"

namespace tutorial {
namespace {

bool computes_vectors(Shape shape) {
  return shape == Shape::block16 || shape == Shape::sparse16;
}

bool computes_floats(Shape shape) {
  return shape == Shape::block || shape == Shape::pairs;
}

}  // namespace

std::string describe(const Block& block) {
  return fmt::format(
      "{}x{}, group {}x{}", block.width, block.height, block.group_width, block.group_height);
}

Block select_block(const cl::Device& device, const Options& options, Shape shape) {
  Block block;
  if (shape == Shape::two) {
    block = {.width = 2, .height = 1};
  } else if (computes_floats(shape)) {
    block = {.width = 4, .height = 4};
  } else if (computes_vectors(shape)) {
    block = {.width = 64, .height = 4};
  } else {
    return {};
  }
  if (options.block_width != 0 && shape != Shape::two) {
    block.width = options.block_width;
    block.height = options.block_height;
  }
  const bool cpu = is_cpu(device);
  block.group_width = options.block_group_width != 0 ? options.block_group_width : cpu ? 1 : 32;
  block.group_height = options.block_group_height != 0 ? options.block_group_height : cpu ? 1 : 4;
  return block;
}

std::optional<std::string> block_problem(Shape shape, const Block& block, const Filter& filter) {
  const int unit = computes_vectors(shape) ? 16 : computes_floats(shape) ? 4 : 1;
  if (block.width % unit != 0) {
    return fmt::format("needs a block width that is a multiple of {}", unit);
  }
  if (shape == Shape::sparse16 && !is_sparse(filter)) {
    return "for filters with at least half their taps 0";
  }
  return {};
}

std::string build_options(const Block& block) {
  return fmt::format(" -DBLOCK_WIDTH={} -DBLOCK_HEIGHT={}", block.width, block.height);
}

cl::NDRange global_size(const Block& block, int width, int height) {
  const int columns = round_up(width, block.width) / block.width;
  const int rows = round_up(height, block.height) / block.height;
  return cl::NDRange(round_up(columns, block.group_width), round_up(rows, block.group_height));
}

int padded_width(int outputs, int filter_width) {
  return round_up(outputs + filter_width - 1 + largest_block.width - 1, 16);
}

int padded_height(int outputs, int filter_width) {
  return outputs + filter_width - 1 + largest_block.height - 1;
}

std::string baked_source(const Filter& filter) {
  std::string source = "__constant float baked_filter[] = {\n";
  for (std::size_t i = 0; i < filter.taps.size(); i++) {
    const bool end_of_row = (i + 1) % filter.width == 0;
    source += fmt::format("{:a}f,{}", filter.taps[i], end_of_row ? "\n" : " ");
  }
  return source + "};\n";
}

bool is_sparse(const Filter& filter) {
  const auto zeros = std::count(filter.taps.begin(), filter.taps.end(), 0.0F);
  return 2 * zeros >= static_cast<std::ptrdiff_t>(filter.taps.size());
}

}  // namespace tutorial
