// The devices of this machine, with the numbers that background/roofline/README.md explains.
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <string>

#include "common/device.hpp"
#include "common/error.hpp"

namespace {

/// How many work-items the device executes together: of the sizes of work-groups, multiples of this
/// are preferred. Only a kernel that was built for the device knows it.
std::size_t preferred_multiple(const cl::Device& device) {
  const cl::Context context(device);
  const cl::Program program(context, "__kernel void One(__global int* x) { *x = 1; }", true);
  return cl::Kernel(program, "One")
      .getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device);
}

void print(const char* what, const std::string& value) {
  fmt::print("     {:<24}{}\n", what, value);
}

void print_device(const std::string& number, const cl::Device& device) {
  const auto kib = [](cl_ulong bytes) { return fmt::format("{} KiB", bytes >> 10); };
  fmt::print(
      "{}  {}\n     {}\n", number, tutorial::device_name(device), tutorial::platform_name(device));

  const cl_uint units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  print("compute units", std::to_string(units));
  std::string fill = "unknown without the multiple";
  try {
    const std::size_t multiple = preferred_multiple(device);
    print("preferred multiple", std::to_string(multiple));
    fill = fmt::format("{} x {} x 2 = {} work-items", units, multiple, units * multiple * 2);
  } catch (const cl::Error& error) {
    print("preferred multiple", "unknown: a kernel of one line cannot be built here:");
    print("", tutorial::describe(error));
  }
  print("fill", fill);
  const auto sides = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  print(
      "largest work-group",
      fmt::format(
          "{} work-items, at most {}", device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>(),
          fmt::join(sides, " x ")));
  print(
      "local memory",
      fmt::format(
          "{}, {}", kib(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>()),
          device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_LOCAL ? "dedicated"
                                                                 : "part of global memory"));
  print("constant buffer", kib(device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>()));
  print("global memory", fmt::format("{} MiB", device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() >> 20));
  print(
      "largest buffer",
      fmt::format("{} MiB", device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>() >> 20));
  print(
      "its cache",
      device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_TYPE>() == CL_NONE
          ? "none"
          : fmt::format(
                "{}, in lines of {} bytes", kib(device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>()),
                device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE>()));
  print(
      "vector of floats",
      fmt::format(
          "{} wide, preferred {}", device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>(),
          device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT>()));
  print(
      "images", device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() == CL_FALSE
                    ? "no"
                    : fmt::format(
                          "yes, up to {} x {}", device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>(),
                          device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>()));
  print("clock", fmt::format("{} MHz at most", device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>()));
}

}  // namespace

int main(int argc, char**) {
  try {
    if (argc > 1) {
      throw tutorial::Error("takes no arguments");
    }
    for (const auto& [number, device] : tutorial::list_devices()) {
      print_device(number, device);
    }
    return std::fflush(stdout) == 0 ? 0 : throw tutorial::Error("the output cannot be written");
  } catch (const std::exception& error) {
    std::fputs(("devices: " + tutorial::describe(error) + "\n").c_str(), stderr);
  }
  return 1;
}
