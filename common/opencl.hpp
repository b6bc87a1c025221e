// The OpenCL C++ bindings (OpenCL-CLHPP), with the settings that every file of the tutorial shares.
//
// OpenCL 1.2 is what every driver of the last ten years offers; nothing here needs more.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_CL_1_2_DEFAULT_BUILD  // or cl::Program(context, source, true) asks for OpenCL C 2.0
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <string>

namespace tutorial {

/// An OpenCL failure as one line: the call, number and name of the error, and what usually helps.
std::string describe(const cl::Error& error);

/// Names what runs from now on. A kernel that reads or writes out of bounds may end the program by
/// a signal; one line on stderr then says which it was.
void now_running(const std::string& what);

}  // namespace tutorial
