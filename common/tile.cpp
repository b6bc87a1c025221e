#include "common/tile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/work_group.hpp"

namespace tutorial {

bool computes_tiles(const std::string& name) {
  return name == "Convolve_Tile" || name == "Convolve_Baked" || name == "Convolve_Fast";
}

bool computes_pairs(const std::string& name) {
  return name == "Convolve_Fast";
}

std::string describe(const Tile& tile) {
  return fmt::format(
      "{}x{}{}, group {}x{}", tile.width, tile.height, tile.lanes == 1 ? "" : " by float16",
      tile.group_width, tile.group_height);
}

Tile select_tile(const cl::Device& device, const Options& options) {
  const bool cpu = is_cpu(device);
  Tile tile;
  tile.lanes = options.lanes != 0 ? options.lanes : cpu ? 16 : 1;
  tile.width = options.tile_width != 0 ? options.tile_width : tile.lanes == 16 ? 64 : 4;
  tile.height = options.tile_height != 0 ? options.tile_height : 4;
  tile.group_width = options.tile_group_width != 0 ? options.tile_group_width : cpu ? 1 : 32;
  tile.group_height = options.tile_group_height != 0 ? options.tile_group_height : cpu ? 1 : 4;
  const int unit = tile.lanes == 1 ? 4 : tile.lanes;
  if (tile.width % unit != 0) {
    throw Error(fmt::format(
        "--tile {}x{}: with {} the width must be a multiple of {}", tile.width, tile.height,
        tile.lanes == 1 ? "--lanes 1" : "--lanes 16", unit));
  }
  const auto limit = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  if (static_cast<std::size_t>(tile.group_width) * static_cast<std::size_t>(tile.group_height) >
      limit) {
    throw Error(fmt::format(
        "--tile-group {}x{}: the device allows {} work-items in a work-group", tile.group_width,
        tile.group_height, limit));
  }
  return tile;
}

std::string build_options(const Tile& tile) {
  return fmt::format(
      " -DLANES={} -DTILE_WIDTH={} -DTILE_HEIGHT={}", tile.lanes, tile.width, tile.height);
}

cl::NDRange global_size(const Tile& tile, int width, int height) {
  const int columns = (width + tile.width - 1) / tile.width;
  const int rows = (height + tile.height - 1) / tile.height;
  return {
      static_cast<std::size_t>(round_up(columns, tile.group_width)),
      static_cast<std::size_t>(round_up(rows, tile.group_height))};
}

int padded_width(const Tile& tile, int width, int filter_width) {
  return round_up(width + tile.width - 1 + filter_width - 1, 16);
}

int padded_height(const Tile& tile, int height, int filter_width) {
  return height + tile.height - 1 + filter_width - 1;
}

std::string baked_source(const Filter& filter) {
  const auto zeros = std::count(filter.taps.begin(), filter.taps.end(), 0.0F);
  std::string source = fmt::format(
      "#define BAKED_TAPS {}\n__constant float baked_filter[] = {{\n",
      static_cast<std::ptrdiff_t>(filter.taps.size()) - zeros);
  for (std::size_t i = 0; i < filter.taps.size(); i++) {
    const bool end_of_row = (i + 1) % static_cast<std::size_t>(filter.width) == 0;
    source += fmt::format("{:a}f,{}", filter.taps[i], end_of_row ? "\n" : " ");
  }
  return source + "};\n";
}

}  // namespace tutorial
