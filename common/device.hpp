// Finding an OpenCL device, and saying what is wrong where there is none.
#pragma once

#include <string>
#include <vector>

#include "common/opencl.hpp"

namespace tutorial {

/// A device with its number as `clinfo -l` counts: platform:device.
struct NumberedDevice {
  int platform_number = 0;
  int device_number = 0;
  cl::Device device;
};

/// All devices of all platforms. Throws `Error` if there is none, with what to install or to set.
std::vector<NumberedDevice> list_devices();

/// The device that `wanted` names: `P:D` as in `list_devices`, or text that occurs in the name of
/// the device or its platform. Empty: the environment's TUTORIAL_DEVICE, else the first GPU, else
/// the first device. Throws `Error` if nothing matches.
cl::Device select_device(const std::string& wanted);

std::string device_name(const cl::Device& device);
std::string platform_name(const cl::Device& device);

/// Whether the device is the CPU, which also runs the host program.
bool is_cpu(const cl::Device& device);

/// Whether it is a CPU with the instructions VNNI of AVX-512, whatever its compiler knows of them:
/// assembly language asks for them, on which the compiler of PoCL 6 ends the program.
bool has_vnni(const cl::Device& device);

/// The generation of a GPU of NVIDIA's: its compute capability, without what stands behind the
/// point. Of other devices 0.
int compute_capability(const cl::Device& device);

/// "CPU", "GPU" or "accelerator".
std::string device_type(const cl::Device& device);

}  // namespace tutorial
