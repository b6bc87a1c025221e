// The shape of the kernels that compute a block of outputs with each work-item: Convolve_Tile and
// those that grew from it.
#pragma once

#include <string>

#include "common/filters.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"

namespace tutorial {

/// A block of outputs and the work-group in which work-items compute such blocks.
struct Tile {
  int lanes = 1;  ///< pixels of a variable: 1 (float, for GPUs) or 16 (float16, for CPUs)
  int width = 4;  ///< of the block, pixels: a multiple of 4, of 16 if there are 16 lanes
  int height = 4;
  int group_width = 32;  ///< of the work-group, work-items
  int group_height = 4;

  bool operator==(const Tile&) const = default;
};

/// Whether the kernel `name` computes a block with each work-item: Convolve_Tile, _Baked, _Fast.
bool computes_tiles(const std::string& name);

/// Whether the kernel `name` computes neighbouring outputs from common sums: Convolve_Fast.
bool computes_pairs(const std::string& name);

/// The tile as text: "4x4, group 32x4", "64x4 by float16, group 1x1".
std::string describe(const Tile& tile);

/// The tile that `options` ask for (--tile, --lanes, --tile-group). What they leave open follows
/// the device: 16 lanes, 64 x 4 pixels and groups of one for a CPU; 1 lane, 4 x 4 pixels and groups
/// of 32 x 4 for all others. Throws `Error` if the width is not a multiple of what the lanes need,
/// or the group too large for the device.
Tile select_tile(const cl::Device& device, const Options& options);

/// What the kernels must know when they are built: " -DLANES=... -DTILE_WIDTH=... ", with a blank
/// in front.
std::string build_options(const Tile& tile);

/// Work-items for an image of `width` x `height` pixels, in whole work-groups.
cl::NDRange global_size(const Tile& tile, int width, int height);

/// Columns and rows that the padded input must have on the device, because the blocks at the right
/// and lower edge read them: the image's, one less than the block's, and what the filter adds, in
/// columns a multiple of 16. That is enough for all smaller blocks as well.
int padded_width(const Tile& tile, int width, int filter_width);
int padded_height(const Tile& tile, int height, int filter_width);

/// OpenCL C that declares `filter` as the array `baked_filter`, width * width floats, row-major.
/// They are written in hexadecimal, which loses no bit.
std::string baked_source(const Filter& filter);

}  // namespace tutorial
