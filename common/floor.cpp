#include "common/floor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutorial {

std::string Ceilings::describe() const {
  return fmt::format(
      "{:.1f} G multiply-adds/s ({}), {:.1f} GB/s copy ({})", 1e-9 * multiply_adds_per_s,
      multiply_add_type, 1e-9 * copy_bytes_per_s, copy_type);
}

std::string Ceilings::csv_head() const {
  return fmt::format(
      "# multiply_adds_per_s: {:.6g}\n# multiply_add_type: {}\n# copy_bytes_per_s: {:.6g}\n"
      "# copy_type: {}\n# cached_loads_per_s: {:.6g}\n"
      "# cached_bytes_per_s: {:.6g}\n# cached_type: {}\n"
      "# local_bytes_per_s: {:.6g}\n",
      multiply_adds_per_s, multiply_add_type, copy_bytes_per_s, copy_type, cached_loads_per_s,
      cached_bytes_per_s, cached_type, local_bytes_per_s);
}

// Everything in double: the largest images have more bytes than an int can count.
double compulsory_bytes(int width, int height, int filter_width, int pixel_bytes) {
  const double halo = filter_width - 1.0;
  return pixel_bytes * ((width + halo) * (height + halo) + 1.0 * width * height);
}

Floor convolution_floor(
    int width, int height, int filter_width, const Ceilings& ceilings, int pixel_bytes) {
  const double multiply_adds = 1.0 * width * height * filter_width * filter_width;
  const double compute_s = multiply_adds / ceilings.multiply_adds_per_s;
  const double memory_s =
      compulsory_bytes(width, height, filter_width, pixel_bytes) / ceilings.copy_bytes_per_s;
  const char* bound = compute_s >= memory_s ? "compute" : "memory";
  return {compute_s, memory_s, std::max(compute_s, memory_s), bound};
}

}  // namespace tutorial
