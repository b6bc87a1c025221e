#include "common/work_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tutorial {

std::optional<std::string> work_group_problem(
    const cl::Device& device, const cl::Kernel& kernel, Shape shape, const cl::NDRange& local,
    std::size_t local_bytes) {
  if (shape == Shape::tile4 && local.get()[0] % 4 != 0) {
    return "needs a work-group width that is a multiple of 4";
  }
  const std::vector<std::size_t> item_limits = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  std::size_t items = 1;
  for (std::size_t d = 0; d < local.dimensions(); d++) {
    const std::size_t side = local.get()[d];
    if (d < item_limits.size() && side > item_limits[d]) {
      return fmt::format(
          "{} work-items in dimension {}, the device allows {}", side, d, item_limits[d]);
    }
    items *= side;
  }
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

}  // namespace tutorial
