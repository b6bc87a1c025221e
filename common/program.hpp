// From a kernel file to a program, and what else a launch needs: an NDRange of whole work-groups,
// an OpenCL image; and whether the device can do it.
#pragma once

#include <optional>

#include "common/options.hpp"

namespace tutorial {

/// Reads the OpenCL C source in `kernel_file`, anew at every call, and builds it for `device` with
/// the compiler options `build_options`, e.g. "-DFILTER_WIDTH=7"; what the last call has built is
/// not built again. `prologue` is OpenCL C that goes in front of it. Options in the environment's
/// TUTORIAL_BUILD_OPTIONS are added, and the compiler's log is then printed on stderr; a log with a
/// warning is in any case, once. Throws `Error` with file, device, options and the log if it does
/// not build.
cl::Program build_program(
    const cl::Context& context, const cl::Device& device, const std::string& kernel_file,
    const std::string& build_options, const std::string& prologue = {});

/// What `build` makes of a kernel file with these options; the rest as above: the log, and `Error`
/// if it does not build.
cl::Program checked_build(
    const std::string& kernel_file, const std::string& build_options,
    const std::function<cl::Program()>& build);

/// How often `part` goes into `whole`, the last one perhaps not as a whole; whole >= 0, part >= 1.
template <typename Integer>
constexpr Integer ceil_div(Integer whole, Integer part) {
  return (whole + part - 1) / part;
}

/// The smallest multiple of `multiple` that is not below `value`; `value` >= 0, `multiple` >= 1.
template <typename Integer>
constexpr Integer round_up(Integer value, Integer multiple) {
  return ceil_div(value, multiple) * multiple;
}

/// The smallest NDRange of whole work-groups `local` that covers `global`, in two dimensions.
cl::NDRange round_up(const cl::NDRange& global, const cl::NDRange& local);

/// Why the built `kernel` of this row cannot run in work-groups of `local`, with `local_bytes` of
/// local memory as an argument; nothing if it can. Some drivers accept what does not fit and fail
/// later, so it is checked here.
std::optional<std::string> why_not(
    const cl::Device& device, const KernelEntry& entry, const cl::Kernel& kernel,
    const cl::NDRange& local, std::size_t local_bytes = 0);

/// Why it cannot run without an OpenCL image that it reads.
inline constexpr const char* no_image = "no images of single floats (CL_R) this large";

/// Copies the pixels to an OpenCL image of the same size, one float (CL_R, CL_FLOAT) per pixel. An
/// empty object if the device has no images, or none such (`no_image`).
cl::Image2D upload_image(
    const cl::Context& context, const cl::CommandQueue& queue, const Image& image);

}  // namespace tutorial
