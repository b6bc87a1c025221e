#include "common/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// Hints about a GPU that is there but cannot be used; empty if nothing points to one.
std::string gpu_hint() {
  std::string hint;
  if (dlopen("libnvidia-opencl.so.1", RTLD_LAZY) != nullptr) {
    hint += "; for NVIDIA's GPU: echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd";
  }
  if (access("/dev/dri/renderD128", F_OK) == 0 && access("/dev/dri/renderD128", R_OK | W_OK) != 0) {
    hint += "; for the GPU of /dev/dri/renderD128: join the group render";
  }
  return hint;
}

bool has_type(const cl::Device& device, cl_device_type type) {
  return (device.getInfo<CL_DEVICE_TYPE>() & type) != 0;
}

}  // namespace

std::vector<NumberedDevice> list_devices() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {  // CL_PLATFORM_NOT_FOUND_KHR, without any driver
    throw Error(
        "no OpenCL driver found: install one (for the CPU on Debian and Ubuntu: apt install "
        "pocl-opencl-icd) or put its .icd file into /etc/OpenCL/vendors" +
        gpu_hint());
  }

  std::vector<NumberedDevice> result;
  for (std::size_t p = 0; p < platforms.size(); p++) {
    std::vector<cl::Device> devices;
    try {
      platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
      continue;  // a platform whose devices cannot be listed counts as one without devices
    }
    for (std::size_t d = 0; d < devices.size(); d++) {
      result.push_back({static_cast<int>(p), static_cast<int>(d), devices[d]});
    }
  }
  if (result.empty()) {
    throw Error(
        "no OpenCL device on the platforms that are installed; PoCL needs a cache folder that it "
        "may write to (POCL_CACHE_DIR), rusticl the name of a driver (RUSTICL_ENABLE=llvmpipe)" +
        gpu_hint());
  }
  return result;
}

cl::Device select_device(const std::string& wanted) {
  const std::vector<NumberedDevice> devices = list_devices();
  const char* usual = std::getenv("TUTORIAL_DEVICE");
  const std::string choice = wanted.empty() && usual != nullptr ? usual : wanted;
  for (const auto& [p, d, device] : devices) {
    const std::string names = lower(device_name(device) + "\n" + platform_name(device));
    if (choice.empty() ? has_type(device, CL_DEVICE_TYPE_GPU)
                       : choice == fmt::format("{}:{}", p, d) ||
                             names.find(lower(choice)) != std::string::npos) {
      return device;
    }
  }
  if (choice.empty()) {
    return devices.front().device;
  }
  throw Error(
      fmt::format("no OpenCL device matches '{}'; ./tutorial devices shows what there is", choice));
}

std::string device_name(const cl::Device& device) {
  return device.getInfo<CL_DEVICE_NAME>().c_str();  // some names are padded with NULs
}

bool is_cpu(const cl::Device& device) {
  return has_type(device, CL_DEVICE_TYPE_CPU);
}

bool has_vnni([[maybe_unused]] const cl::Device& device) {
#ifdef __x86_64__
  const bool pocl_6 = device.getInfo<CL_DRIVER_VERSION>().starts_with("6.");
  return is_cpu(device) && !pocl_6 && __builtin_cpu_supports("avx512vnni") != 0;
#else
  return false;
#endif
}

int compute_capability(const cl::Device& device) {
  constexpr cl_device_info capability_major = 0x4000;  // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  cl_uint major = 0;
  if (extensions.find("cl_nv_device_attribute_query") != std::string::npos) {
    clGetDeviceInfo(device(), capability_major, sizeof(major), &major, nullptr);
  }
  return int(major);
}

std::string device_type(const cl::Device& device) {
  return is_cpu(device) ? "CPU" : has_type(device, CL_DEVICE_TYPE_GPU) ? "GPU" : "accelerator";
}

std::string platform_name(const cl::Device& device) {
  return cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>().c_str();
}

}  // namespace tutorial
