// What a launch needs besides the arguments: an NDRange of whole work-groups, an input with room
// for blocks, an OpenCL image; and whether the device can do it.
#pragma once

#include <optional>
#include <string>

#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/kernels.hpp"
#include "common/opencl.hpp"

namespace tutorial {

/// The smallest multiple of `multiple` that is not below `value`; `value` >= 0, `multiple` >= 1.
template <typename Integer>
constexpr Integer round_up(Integer value, Integer multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The smallest NDRange of whole work-groups `local` that covers `global`, in two dimensions.
cl::NDRange round_up(const cl::NDRange& global, const cl::NDRange& local);

/// Why the kernel of this row cannot run on the context's device, asked before it is built: it
/// reads an OpenCL image, and the device has none such. Nothing if it can.
std::optional<std::string> why_not(
    const cl::Context& context, const KernelEntry& entry, const Image& image);

/// The same for this filter and the row's block or tile, also asked before the kernel is built.
std::optional<std::string> why_not(
    const cl::Device& device, const KernelEntry& entry, const Filter& filter);

/// The same for the built `kernel` in work-groups of `local`, with `local_bytes` of local memory as
/// an argument. Some drivers accept what does not fit and fail later, so it is checked here.
std::optional<std::string> why_not(
    const cl::Device& device, const KernelEntry& entry, const cl::Kernel& kernel,
    const cl::NDRange& local, std::size_t local_bytes = 0);

/// Copies the pixels to an OpenCL image of the same size, one float (CL_R, CL_FLOAT) per pixel. An
/// empty object if the device cannot hold it, see `why_not`.
cl::Image2D upload_image(
    const cl::Context& context, const cl::CommandQueue& queue, const Image& image);

// --- Blocks --------------------------------------------------------------------------------------

/// The largest block that --block accepts and the search tries.
inline constexpr Block largest_block = {.width = 64, .height = 16};

/// What kernels with blocks read beyond the padded input, at most.
inline constexpr Extent block_room = {largest_block.width - 1, largest_block.height - 1};

/// The padded input with at least `room` columns and rows of zeros to the right and below, for what
/// blocks at the right and lower edge read beyond it; a row is a multiple of 16 floats long.
Image with_room(const Image& input, const Extent& room = block_room);

/// What kernels must know of their block when they are built: " -DBLOCK_WIDTH=4 -DBLOCK_HEIGHT=4";
/// nothing without a block.
std::string build_options(const Block& block);

/// The work-group of a kernel with blocks: --block-group or that of the row, else one work-item on
/// a CPU and 32 x 4 elsewhere.
cl::NDRange block_group(const cl::Device& device, const KernelEntry& entry);

/// One work-item for each block of `outputs` (columns, rows), in whole work-groups `local`.
cl::NDRange global_size(const cl::NDRange& outputs, const Block& block, const cl::NDRange& local);

}  // namespace tutorial
