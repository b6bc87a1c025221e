// From a kernel file to a built program.
#pragma once

#include <string>
#include <vector>

#include "common/opencl.hpp"
#include "common/options.hpp"

namespace tutorial {

/// Reads the OpenCL C source in `options.kernel_file` and builds it for `device` with the compiler
/// options `build_options`, e.g. "-DFILTER_WIDTH=7". `prologue` is OpenCL C that goes in front of
/// it; the compiler counts the file's lines from 1 all the same. The file is read anew at every
/// call: edit it, run again, no rebuild of the host. Throws `Error` if the file cannot be read;
/// with file, device, options and the whole compiler log, if it does not build; with the names that
/// it has, if the file does not define one of `options.kernels`.
cl::Program build_program(
    const cl::Context& context, const cl::Device& device, const Options& options,
    const std::string& build_options, const std::string& prologue = {});

/// The same with the path of the kernel file; which kernels are in it is not checked.
cl::Program build_program(
    const cl::Context& context, const cl::Device& device, const std::string& kernel_file,
    const std::string& build_options, const std::string& prologue = {});

/// The names of the kernels in a built program.
std::vector<std::string> kernel_names(const cl::Program& program);

}  // namespace tutorial
