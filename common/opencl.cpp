#include "common/opencl.hpp"

#include <fmt/format.h>

#include "common/text.hpp"

namespace tutorial {
namespace {

// The errors -1, -2, ... and -30, -31, ... of CL/cl.h, without CL_ or CL_INVALID_, and what helps.
const std::vector<std::string> failures = split(
    "DEVICE_NOT_FOUND|"
    "DEVICE_NOT_AVAILABLE: another program may hold the device|COMPILER_NOT_AVAILABLE|"
    "MEM_OBJECT_ALLOCATION_FAILURE: the device is out of memory; try a smaller image|"
    "OUT_OF_RESOURCES: an earlier kernel may have read or written out of bounds (run it under "
    "Oclgrind), or a limit of the device is exceeded|"
    "OUT_OF_HOST_MEMORY: the host is out of memory|PROFILING_INFO_NOT_AVAILABLE|MEM_COPY_OVERLAP|"
    "IMAGE_FORMAT_MISMATCH|IMAGE_FORMAT_NOT_SUPPORTED|BUILD_PROGRAM_FAILURE|MAP_FAILURE|"
    "MISALIGNED_SUB_BUFFER_OFFSET|EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
    '|');
const std::vector<std::string> invalid = split(
    "VALUE|DEVICE_TYPE|PLATFORM|DEVICE|CONTEXT|QUEUE_PROPERTIES|"
    "COMMAND_QUEUE: an earlier kernel may have crashed on the device|HOST_PTR|MEM_OBJECT|"
    "IMAGE_FORMAT_DESCRIPTOR|IMAGE_SIZE|SAMPLER|BINARY|BUILD_OPTIONS|PROGRAM|"
    "PROGRAM_EXECUTABLE|KERNEL_NAME|KERNEL_DEFINITION|KERNEL|"
    "ARG_INDEX: the kernel has fewer parameters than the host sets|"
    "ARG_VALUE: a parameter of the kernel has another type than the host sets|"
    "ARG_SIZE: a parameter of the kernel has another type than the host sets|"
    "KERNEL_ARGS: an argument of the kernel was not set|WORK_DIMENSION|"
    "WORK_GROUP_SIZE: the work-group is too large for the device or kernel, or does not divide "
    "the global size|"
    "WORK_ITEM_SIZE: the work-group is too large for the device|GLOBAL_OFFSET|EVENT_WAIT_LIST|"
    "EVENT|OPERATION|GL_OBJECT|"
    "BUFFER_SIZE: the device cannot hold a buffer of this size; try a smaller image|MIP_LEVEL|"
    "GLOBAL_WORK_SIZE",
    '|');

}  // namespace

std::string describe(const cl::Error& error) {
  const bool is_invalid = error.err() <= CL_INVALID_VALUE;
  const std::vector<std::string>& names = is_invalid ? invalid : failures;
  const auto place = static_cast<std::size_t>((is_invalid ? CL_INVALID_VALUE : -1) - error.err());
  return fmt::format(
      "{} failed with error {}{}", error.what(), error.err(),
      place < names.size() ? (is_invalid ? ": CL_INVALID_" : ": CL_") + names[place] : "");
}

}  // namespace tutorial
