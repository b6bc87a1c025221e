#include "common/device.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include "common/error.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

bool has_type(const cl::Device& device, cl_device_type type) {
  return (device.getInfo<CL_DEVICE_TYPE>() & type) != 0;
}

/// A line on why there is no GPU, by what this system shows of itself.
std::string likely_reason() {
  std::string version;
  std::getline(std::ifstream("/proc/version"), version);
  std::error_code none;
  if (lower(version).find("microsoft") != std::string::npos) {
    return "\nthis is WSL2, where NVIDIA's driver has no OpenCL; SETUP.md has ways to the GPU";
  }
  if (std::filesystem::exists("/proc/driver/nvidia", none)) {
    return "\nNVIDIA's driver is there, but OpenCL does not know of it: echo "
           "libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd";
  }
  return "\nno driver for a GPU is installed, only one for the CPU; SETUP.md has a table of "
         "drivers";
}

// Those that users of the tutorial's programs meet, and what usually helps.
#define HINT(code, hint) std::pair(code, #code ": " hint)
const std::map<cl_int, std::string> failures = {
    HINT(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the device is out of memory; try a smaller image"),
    HINT(
        CL_OUT_OF_RESOURCES,
        "an earlier kernel may have read or written out of bounds (run it under Oclgrind), or a "
        "limit of the device is exceeded"),
    HINT(CL_OUT_OF_HOST_MEMORY, "the host is out of memory"),
    HINT(CL_INVALID_COMMAND_QUEUE, "an earlier kernel may have crashed on the device"),
    HINT(CL_INVALID_KERNEL_NAME, "the kernels' file has none of this name"),
    HINT(CL_INVALID_ARG_INDEX, "the kernel has fewer parameters than the host sets"),
    HINT(CL_INVALID_ARG_VALUE, "a parameter of the kernel has another type than the host sets"),
    HINT(CL_INVALID_ARG_SIZE, "a parameter of the kernel has another type than the host sets"),
    HINT(CL_INVALID_KERNEL_ARGS, "an argument of the kernel was not set"),
    HINT(
        CL_INVALID_WORK_GROUP_SIZE,
        "the work-group is too large for the device or kernel, or does not divide the global size"),
    HINT(
        CL_INVALID_BUFFER_SIZE,
        "the device cannot hold a buffer of this size; try a smaller image"),
};

}  // namespace

std::vector<std::pair<std::string, cl::Device>> list_devices() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {  // CL_PLATFORM_NOT_FOUND_KHR, without any driver
    throw Error(
        "no OpenCL driver found: install one (for the CPU on Debian and Ubuntu: apt install "
        "pocl-opencl-icd) or put its .icd file into /etc/OpenCL/vendors; see SETUP.md");
  }

  std::vector<std::pair<std::string, cl::Device>> result;
  for (std::size_t p = 0; p < platforms.size(); p++) {
    std::vector<cl::Device> devices;
    try {
      platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
      continue;  // a platform whose devices cannot be listed counts as one without devices
    }
    for (std::size_t d = 0; d < devices.size(); d++) {
      result.emplace_back(fmt::format("{}:{}", p, d), devices[d]);
    }
  }
  if (result.empty()) {
    throw Error(
        "no OpenCL device on the platforms that are installed; PoCL needs a cache folder that it "
        "may write to (POCL_CACHE_DIR), rusticl the name of a driver (RUSTICL_ENABLE=llvmpipe); "
        "see SETUP.md");
  }
  return result;
}

cl::Device select_device(const std::string& wanted) {
  const auto devices = list_devices();
  const std::string choice = wanted.empty() ? environment("TUTORIAL_DEVICE") : wanted;
  for (const auto& [number, device] : devices) {
    const std::string names = lower(device_name(device) + "\n" + platform_name(device));
    if (choice.empty() ? has_type(device, CL_DEVICE_TYPE_GPU)
                       : choice == number || names.find(lower(choice)) != std::string::npos) {
      return device;
    }
  }
  if (choice.empty()) {
    return devices.front().second;
  }
  const bool has_gpu = std::ranges::any_of(
      devices, [](const auto& known) { return has_type(known.second, CL_DEVICE_TYPE_GPU); });
  throw Error(fmt::format(
      "no OpenCL device matches '{}'; ./tutorial devices shows what there is{}", choice,
      has_gpu ? "" : likely_reason()));
}

std::string device_name(const cl::Device& device) {
  return device.getInfo<CL_DEVICE_NAME>().c_str();  // some names are padded with NULs
}

bool is_cpu(const cl::Device& device) {
  return has_type(device, CL_DEVICE_TYPE_CPU);
}

int vector_width(const cl::Device& device) {
  const std::string wanted = environment("TUTORIAL_VECTOR");
  require(
      wanted.empty() || wanted == "4" || wanted == "8" || wanted == "16",
      "TUTORIAL_VECTOR: must be 4, 8 or 16, not '{}'", wanted);
  // Intel's driver prefers 1, because its compiler makes vectors of work-items.
  const auto own = std::max(
      device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT>(),
      device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>());
  const int width = parse_number<int>(wanted).value_or(int(own));
  return width == 4 || width == 8 ? width : 16;
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

std::string platform_name(const cl::Device& device) {
  return cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>().c_str();
}

std::string describe(const std::exception& error) {
  const auto* const call = dynamic_cast<const cl::Error*>(&error);
  if (call == nullptr) {
    return error.what();
  }
  const auto found = failures.find(call->err());
  const std::string meaning = found == failures.end() ? "" : ": " + found->second;
  return fmt::format("{} failed with error {}{}", error.what(), call->err(), meaning);
}

void now_running(const std::string& what) {
  say_at_a_crash(fmt::format(
      "{:.130}: crashed; out of bounds? `oclgrind PROGRAM --device oclgrind --size 64x48 ...` says "
      "where",
      what));
}

}  // namespace tutorial
