// OpenCL images: not arrays but objects that a kernel reads through a sampler.
#pragma once

#include <optional>
#include <string>

#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"

namespace tutorial {

/// Why a kernel of this shape cannot run here: it reads from an OpenCL image, and the context's
/// device has no images, none with one float per pixel, or only smaller ones than `image`. Nothing
/// if it can.
std::optional<std::string> image_problem(
    const cl::Context& context, Shape shape, const Image& image);

/// Copies the pixels to an OpenCL image of the same size, one float (CL_R, CL_FLOAT) per pixel. An
/// empty object if the device cannot hold it, see `image_problem`.
cl::Image2D upload_image(
    const cl::Context& context, const cl::CommandQueue& queue, const Image& image);

}  // namespace tutorial
