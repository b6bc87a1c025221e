#include "common/device_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tutorial {

// OpenCL 1.2 promises devices without images nothing, and those with images only four floats per
// pixel (CL_RGBA); most have one float (CL_R) too, but a program has to ask.
std::optional<std::string> image_problem(
    const cl::Context& context, Shape shape, const Image& image) {
  if (shape != Shape::image) {
    return {};
  }
  const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().front();
  if (device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() == CL_FALSE) {
    return "the device has no images";
  }
  std::vector<cl::ImageFormat> formats;
  context.getSupportedImageFormats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &formats);
  if (std::ranges::none_of(formats, [](const cl::ImageFormat& format) {
        return format.image_channel_order == CL_R && format.image_channel_data_type == CL_FLOAT;
      })) {
    return "the device has no images with one float per pixel (CL_R, CL_FLOAT)";
  }
  const std::size_t most_columns = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
  const std::size_t most_rows = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
  if (std::size_t(image.width) > most_columns || std::size_t(image.height) > most_rows) {
    return fmt::format("the device's images are at most {} x {}", most_columns, most_rows);
  }
  return {};
}

cl::Image2D upload_image(
    const cl::Context& context, const cl::CommandQueue& queue, const Image& image) {
  if (image_problem(context, Shape::image, image)) {
    return {};
  }
  const auto columns = std::size_t(image.width);
  const auto rows = std::size_t(image.height);
  const cl::Image2D copy(context, CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_FLOAT), columns, rows);
  queue.enqueueWriteImage(copy, CL_TRUE, {0, 0, 0}, {columns, rows, 1}, 0, 0, image.pixels.data());
  return copy;
}

}  // namespace tutorial
