// Which instructions multiply bytes on a device, and the ceiling of them.
#include "common/device.hpp"
#include "common/text.hpp"
#include "step11_bytes/launch.hpp"

namespace tutorial::step11 {

bool has_vnni([[maybe_unused]] const cl::Device& device) {
#ifdef __x86_64__
  // PoCL 5 and 6 die of them.
  const std::string version = device.getInfo<CL_DRIVER_VERSION>();
  const bool can_compile = !version.starts_with("5.") && !version.starts_with("6.");
  return is_cpu(device) && can_compile && __builtin_cpu_supports("avx512vnni") != 0;
#else
  return false;
#endif
}

std::string products(const cl::Device& device) {
  return (compute_capability(device) >= 8 ? "#define MATRICES\n"
          : has_vnni(device)              ? "#define VNNI\n"
                                          : "") +
         read_text(FOLDER "products.cl");
}

}  // namespace tutorial::step11
