// From a kernel file to a built program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/opencl.hpp"
#include "common/options.hpp"

namespace tutorial {

/// Reads the OpenCL C source in `kernel_file`, anew at every call, and builds it for `device` with
/// the compiler options `build_options`, e.g. "-DFILTER_WIDTH=7". `prologue` is OpenCL C that goes
/// in front of it. Options in the environment's TUTORIAL_BUILD_OPTIONS are added, and the
/// compiler's log is then printed on stderr; a log with a warning is in any case, once. Throws
/// `Error` with file, device, options and the log if it does not build.
cl::Program build_program(
    const cl::Context& context, const cl::Device& device, const std::string& kernel_file,
    const std::string& build_options, const std::string& prologue = {});

/// Programs by the path of their kernel file.
using Programs = std::map<std::string, cl::Program>;

/// Builds each file of `kernels` once, as `build_program` does.
Programs build_programs(
    const cl::Context& context, const cl::Device& device, const std::vector<KernelEntry>& kernels,
    const std::string& build_options);

}  // namespace tutorial
