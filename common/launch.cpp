#include "common/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tutorial {
cl::NDRange round_up(const cl::NDRange& global, const cl::NDRange& local) {
  return {round_up(global.get()[0], local.get()[0]), round_up(global.get()[1], local.get()[1])};
}

// OpenCL 1.2 promises devices without images nothing, and those with images only four floats per
// pixel (CL_RGBA); most have one float (CL_R) too, but a program has to ask.
std::optional<std::string> why_not(
    const cl::Context& context, const KernelEntry& entry, const Image& image) {
  if (!entry.image) {
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
    return "no images of one float a pixel (CL_R)";
  }
  const std::size_t most_columns = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
  const std::size_t most_rows = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
  if (std::size_t(image.width) > most_columns || std::size_t(image.height) > most_rows) {
    return fmt::format("the device's images are at most {} x {}", most_columns, most_rows);
  }
  return {};
}

std::optional<std::string> why_not(
    const cl::Device& device, const KernelEntry& entry, const cl::Kernel& kernel,
    const cl::NDRange& local, std::size_t local_bytes) {
  if (entry.tile && local.get()[0] % static_cast<std::size_t>(entry.group_multiple) != 0) {
    return fmt::format("needs a work-group width that is a multiple of {}", entry.group_multiple);
  }
  const std::size_t items = local.get()[0] * local.get()[1] * local.get()[2];
  // A kernel with the attribute reqd_work_group_size was compiled for that size, so it fits, even
  // if the driver's general figure for the kernel (NVIDIA's is always 256) says less.
  const auto compiled_for = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
  const std::size_t item_limit = std::max(
      kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device),
      compiled_for[0] * compiled_for[1] * compiled_for[2]);
  if (items > item_limit) {
    return fmt::format("{} work-items in a work-group, this kernel allows {}", items, item_limit);
  }
  // Drivers differ in whether their figure counts the arguments.
  const auto counted = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device);
  const std::size_t needed = std::max<std::size_t>(counted, local_bytes);
  const auto available = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  if (needed > available) {
    return fmt::format("needs {} bytes of local memory, the device has {}", needed, available);
  }
  return {};
}

cl::Image2D upload_image(
    const cl::Context& context, const cl::CommandQueue& queue, const Image& image) {
  if (why_not(context, {.label = {}, .image = true}, image)) {
    return {};
  }
  const auto columns = std::size_t(image.width);
  const auto rows = std::size_t(image.height);
  const cl::Image2D copy(context, CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_FLOAT), columns, rows);
  queue.enqueueWriteImage(copy, CL_TRUE, {0, 0, 0}, {columns, rows, 1}, 0, 0, image.pixels.data());
  return copy;
}

}  // namespace tutorial
