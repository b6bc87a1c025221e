#include "common/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

constexpr cl_int platform_not_found_khr = -1001;  // CL_PLATFORM_NOT_FOUND_KHR of cl_khr_icd

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// One space between words, none around: some drivers pad their names.
std::string squeeze(const std::string& text) {
  std::istringstream words(text.substr(0, text.find('\0')));
  using Words = std::istream_iterator<std::string>;
  return fmt::format("{}", fmt::join(Words(words), Words(), " "));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// Hints about a GPU that is there but cannot be used; empty if nothing points to one.
std::string gpu_hint() {
  std::string hint;
  if (void* library = dlopen("libnvidia-opencl.so.1", RTLD_LAZY); library != nullptr) {
    dlclose(library);
    hint +=
        "; NVIDIA's libnvidia-opencl.so.1 is installed: 'echo libnvidia-opencl.so.1 > "
        "/etc/OpenCL/vendors/nvidia.icd' makes it known";
  }
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/dri", ignored)) {
    const std::string path = entry.path().string();
    if (path.find("renderD") != std::string::npos && access(path.c_str(), R_OK | W_OK) != 0) {
      hint += fmt::format("; {} cannot be opened: join the group render", path);
    }
  }
  return hint;
}

[[noreturn]] void throw_no_driver() {
  const std::string vendors = environment("OCL_ICD_VENDORS");
  throw Error(fmt::format(
      "no OpenCL driver found: install one (for the CPU on Debian and Ubuntu: apt install "
      "pocl-opencl-icd) or put its .icd file into /etc/OpenCL/vendors{}{}",
      vendors.empty() ? "" : fmt::format("; OCL_ICD_VENDORS is set to '{}'", vendors), gpu_hint()));
}

[[noreturn]] void throw_no_device(const std::vector<cl::Platform>& platforms) {
  std::string seen;
  std::string hint;
  for (const cl::Platform& platform : platforms) {
    const std::string name = squeeze(platform.getInfo<CL_PLATFORM_NAME>());
    seen += (seen.empty() ? "" : ", ") + name;
    if (name.find("Portable Computing Language") != std::string::npos) {
      hint += "; PoCL needs a cache folder that it may write to: set POCL_CACHE_DIR";
    }
    if (name == "rusticl") {
      hint += "; rusticl needs RUSTICL_ENABLE, e.g. RUSTICL_ENABLE=llvmpipe";
    }
  }
  throw Error(fmt::format("no OpenCL device on the platforms {}{}{}", seen, hint, gpu_hint()));
}

/// Whether `choice` names the device: as "P:D", else by a part of its name or its platform's name.
bool matches(const NumberedDevice& entry, const std::string& choice) {
  const std::vector<std::string> parts = split(choice, ':');
  if (parts.size() == 2 && parse_number<int>(parts[0]) && parse_number<int>(parts[1])) {
    return entry.platform_number == parse_number<int>(parts[0]) &&
           entry.device_number == parse_number<int>(parts[1]);
  }
  const std::string names = device_name(entry.device) + "\n" + platform_name(entry.device);
  return lower(names).find(lower(choice)) != std::string::npos;
}

}  // namespace

std::vector<NumberedDevice> list_devices() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    if (error.err() != platform_not_found_khr) {
      throw;
    }
  }
  if (platforms.empty()) {
    throw_no_driver();
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
    throw_no_device(platforms);
  }
  return result;
}

cl::Device select_device(const std::string& wanted) {
  const std::vector<NumberedDevice> devices = list_devices();
  const std::string choice = wanted.empty() ? environment("TUTORIAL_DEVICE") : wanted;

  if (choice.empty()) {
    const auto gpu = std::find_if(devices.begin(), devices.end(), [](const NumberedDevice& entry) {
      return (entry.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
    });
    return gpu == devices.end() ? devices.front().device : gpu->device;
  }

  for (const NumberedDevice& entry : devices) {
    if (matches(entry, choice)) {
      return entry.device;
    }
  }
  throw Error(
      fmt::format("no OpenCL device matches '{}'; --list-devices shows what there is", choice));
}

std::string device_name(const cl::Device& device) {
  return squeeze(device.getInfo<CL_DEVICE_NAME>());
}

bool is_cpu(const cl::Device& device) {
  return (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
}

std::string device_type(const cl::Device& device) {
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  return (type & CL_DEVICE_TYPE_GPU) != 0   ? "GPU"
         : (type & CL_DEVICE_TYPE_CPU) != 0 ? "CPU"
                                            : "accelerator";
}

std::string platform_name(const cl::Device& device) {
  return squeeze(cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>());
}

std::string describe_devices(const std::vector<NumberedDevice>& devices) {
  std::string result;
  for (const NumberedDevice& entry : devices) {
    const cl::Device& device = entry.device;
    const bool real_local = device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_LOCAL;
    result +=
        fmt::format("{}:{}  {}\n", entry.platform_number, entry.device_number, device_name(device));
    result += fmt::format(
        "     {}, {}\n     {} compute units, {} MiB, {} KiB local memory ({})\n",
        platform_name(device), device_type(device), device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(),
        device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() >> 20,
        device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() >> 10,
        real_local ? "dedicated" : "part of global memory");
  }
  return result;
}

}  // namespace tutorial
