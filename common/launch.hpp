// What a launch needs besides the arguments: an NDRange of whole work-groups, an OpenCL image; and
// whether the device can do it.
#pragma once

#include <optional>
#include <string>

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

/// The same for the built `kernel` in work-groups of `local`, with `local_bytes` of local memory as
/// an argument. Some drivers accept what does not fit and fail later, so it is checked here.
std::optional<std::string> why_not(
    const cl::Device& device, const KernelEntry& entry, const cl::Kernel& kernel,
    const cl::NDRange& local, std::size_t local_bytes = 0);

/// Copies the pixels to an OpenCL image of the same size, one float (CL_R, CL_FLOAT) per pixel. An
/// empty object if the device cannot hold it, see `why_not`.
cl::Image2D upload_image(
    const cl::Context& context, const cl::CommandQueue& queue, const Image& image);

}  // namespace tutorial
