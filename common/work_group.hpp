// Work-groups that cover the image and fit the device.
#pragma once

#include <optional>
#include <string>

#include "common/opencl.hpp"
#include "common/options.hpp"

namespace tutorial {

/// The smallest multiple of `multiple` that is not below `value`; `value` >= 0, `multiple` >= 1.
template <typename Integer>
constexpr Integer round_up(Integer value, Integer multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Why `kernel`, of this shape, cannot run in work-groups of `local` with `local_bytes` of local
/// memory as an argument: too many work-items for the kernel or the device, too little local memory
/// (with the needed and the available number), or a width that the shape does not allow. Nothing if
/// it can. Some drivers accept what does not fit and fail later, so it is checked here.
std::optional<std::string> work_group_problem(
    const cl::Device& device, const cl::Kernel& kernel, Shape shape, const cl::NDRange& local,
    std::size_t local_bytes);

}  // namespace tutorial
