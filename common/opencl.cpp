#include "common/opencl.hpp"

#include <fmt/format.h>

namespace tutorial {
namespace {

struct Explanation {
  cl_int code;
  const char* name;
  const char* hint;  ///< what usually helps
};

constexpr const char* memory_hint =
    "the device is out of memory; try a smaller image (--size or another --input)";
constexpr const char* work_group_hint =
    "the work-group is too large for the device or kernel, or does not divide the global size";

constexpr Explanation explanations[] = {
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", "another program may hold the device"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE", memory_hint},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES",
     "an earlier kernel may have read or written out of bounds (run it under Oclgrind), or a limit "
     "of the device is exceeded"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", "the host is out of memory"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE",
     "an earlier kernel may have crashed on the device"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS", "an argument of the kernel was not set"},
    {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX",
     "the kernel has fewer parameters than the host sets"},
    {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE",
     "a parameter of the kernel has another type than the host sets"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE",
     "a parameter of the kernel has another type than the host sets"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE", work_group_hint},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE", work_group_hint},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE",
     "the device cannot hold a buffer of this size; try a smaller image"},
};

}  // namespace

std::string describe(const cl::Error& error) {
  for (const Explanation& explanation : explanations) {
    if (explanation.code == error.err()) {
      return fmt::format(
          "{} failed: {} ({}): {}", error.what(), explanation.name, error.err(), explanation.hint);
    }
  }
  return fmt::format("{} failed with OpenCL error {}", error.what(), error.err());
}

}  // namespace tutorial
