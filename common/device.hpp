// The OpenCL C++ bindings (OpenCL-CLHPP), with the settings that every file of the tutorial shares;
// finding a device; and saying what is wrong.
//
// OpenCL 1.2 is what every driver of the last ten years offers; nothing here needs more.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_CL_1_2_DEFAULT_BUILD  // or cl::Program(context, source, true) asks for OpenCL C 2.0
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

namespace tutorial {

/// All devices, by their numbers as `clinfo -l` counts, platform:device. Throws `Error` if there is
/// none, with what to install or to set.
std::vector<std::pair<std::string, cl::Device>> list_devices();

/// The device that `wanted` names: `P:D` as in `list_devices`, or text that occurs in the name of
/// the device or its platform. Empty: the environment's TUTORIAL_DEVICE, else the first GPU, else
/// the first device. Throws `Error` if nothing matches.
cl::Device select_device(const std::string& wanted);

std::string device_name(const cl::Device& device);
std::string platform_name(const cl::Device& device);

/// Whether the device is the CPU, which also runs the host program.
bool is_cpu(const cl::Device& device);

/// Floats in the vectors of a CPU's kernels, 4, 8 or 16: as the device prefers, or as the
/// environment's TUTORIAL_VECTOR says; throws `Error` if that is another number. 16 if the device
/// has no opinion, as simulators have none.
int vector_width(const cl::Device& device);

/// The generation of a GPU of NVIDIA's: its compute capability, without what stands behind the
/// point. Of other devices 0.
int compute_capability(const cl::Device& device);

/// What went wrong; an OpenCL failure as one line: the call, number and name of the error, and what
/// usually helps.
std::string describe(const std::exception& error);

/// Names what runs from now on. A kernel that reads or writes out of bounds may end the program by
/// a signal; one line on stderr then says which it was.
void now_running(const std::string& what);

}  // namespace tutorial
