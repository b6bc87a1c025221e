// The kernels of which each work-item computes a block of outputs: their sizes, and what they need.
#pragma once

#include <optional>
#include <string>

#include "common/filters.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"

namespace tutorial {

/// A block of outputs, and the work-group in which work-items compute such blocks.
struct Block {
  int width = 0;  ///< pixels; 0: this kernel computes no block
  int height = 0;
  int group_width = 0;  ///< work-items
  int group_height = 0;

  bool operator==(const Block&) const = default;
};

/// The largest block that --block accepts and the search tries. An input with room for it suits all.
inline constexpr Block largest_block = {.width = 64, .height = 16};

/// The block as text: "4x4, group 32x4".
std::string describe(const Block& block);

/// The block of a kernel of this shape: 2 x 1 pixels for `two`, else --block or 4 x 4 for floats and
/// 64 x 4 for vectors; in groups of --block-group or one work-item on a CPU and 32 x 4 elsewhere.
/// No block for shapes that compute one pixel per work-item.
Block select_block(const cl::Device& device, const Options& options, Shape shape);

/// Why a kernel of this shape cannot run with this block or filter: the block's width must be a
/// multiple of 4 for floats, of 16 for vectors, and for `sparse16` the filter be sparse. None if it
/// can.
std::optional<std::string> block_problem(Shape shape, const Block& block, const Filter& filter);

/// What the kernels must know when they are built: " -DBLOCK_WIDTH=4 -DBLOCK_HEIGHT=4".
std::string build_options(const Block& block);

/// Work-items for an image of `width` x `height` pixels, in whole work-groups.
cl::NDRange global_size(const Block& block, int width, int height);

/// Columns and rows that the padded input must have on the device, because blocks at the right and
/// lower edge read beyond the image: `outputs` pixels of a row or column, what the filter adds, and
/// one less than the largest block has; the columns rounded up to a multiple of 16.
int padded_width(int outputs, int filter_width);
int padded_height(int outputs, int filter_width);

/// OpenCL C that declares `filter` as the constant array `baked_filter`, width * width floats,
/// row-major, in hexadecimal, which loses no bit.
std::string baked_source(const Filter& filter);

/// Whether at least half of the filter's taps are 0.
bool is_sparse(const Filter& filter);

}  // namespace tutorial
