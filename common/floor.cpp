#include "common/floor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {

std::string Ceilings::describe() const {
  return fmt::format(
      "{:.1f} G multiply-adds/s ({}), {:.1f} GB/s copy", 1e-9 * multiply_adds_per_s,
      multiply_add_type, 1e-9 * copy_bytes_per_s);
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

Ceilings ceilings_of(const std::map<std::string, std::string>& head) {
  const auto text = [&head](const char* key) {
    const auto found = head.find(key);
    return found == head.end() ? std::string() : found->second;
  };
  const auto rate = [&text](const char* key) {
    if (text(key).empty()) {
      return 0.0;
    }
    const double value = parse_number<double>(text(key)).value_or(0.0);
    if (!(std::isfinite(value) && value > 0.0)) {
      throw Error(fmt::format("{} must be a positive number, not '{}'", key, text(key)));
    }
    return value;
  };
  Ceilings ceilings;
  ceilings.multiply_adds_per_s = rate("multiply_adds_per_s");
  ceilings.multiply_add_type = text("multiply_add_type");
  ceilings.copy_bytes_per_s = rate("copy_bytes_per_s");
  ceilings.copy_type = text("copy_type");
  ceilings.cached_loads_per_s = rate("cached_loads_per_s");
  ceilings.cached_bytes_per_s = rate("cached_bytes_per_s");
  ceilings.cached_type = text("cached_type");
  ceilings.local_bytes_per_s = rate("local_bytes_per_s");
  return ceilings;
}

const char* to_string(Bound bound) {
  return bound == Bound::compute ? "compute" : "memory";
}

Floor floor_of(double pixels, double taps, double bytes, const Ceilings& ceilings) {
  if (!(ceilings.multiply_adds_per_s > 0.0 && ceilings.copy_bytes_per_s > 0.0)) {
    throw std::invalid_argument("a floor needs both rates");
  }
  Floor floor;
  floor.compute_s = pixels * taps / ceilings.multiply_adds_per_s;
  floor.memory_s = bytes / ceilings.copy_bytes_per_s;
  floor.bound = floor.compute_s >= floor.memory_s ? Bound::compute : Bound::memory;
  floor.seconds = std::max(floor.compute_s, floor.memory_s);
  return floor;
}

// Everything in double: the largest images have more bytes than an int can count.
double compulsory_bytes(int width, int height, int filter_width) {
  const double halo = filter_width - 1.0;
  return sizeof(float) * ((width + halo) * (height + halo) + 1.0 * width * height);
}

Floor convolution_floor(int width, int height, int filter_width, const Ceilings& ceilings) {
  return floor_of(
      1.0 * width * height, 1.0 * filter_width * filter_width,
      compulsory_bytes(width, height, filter_width), ceilings);
}

Prediction predict(
    int width, int height, int filter_width, const KernelCounts& counts, const Ceilings& ceilings) {
  if (!(ceilings.cached_loads_per_s > 0.0 && ceilings.cached_bytes_per_s > 0.0 &&
        ceilings.local_bytes_per_s > 0.0)) {
    throw std::invalid_argument("a prediction needs the rates of all loads");
  }
  const double pixels = 1.0 * width * height;
  const Floor floor = floor_of(
      pixels, counts.multiply_adds, compulsory_bytes(width, height, filter_width), ceilings);
  Prediction prediction;
  prediction.arithmetic_s = floor.compute_s;
  prediction.memory_s = floor.memory_s;
  prediction.loads_s = pixels * std::max(
                                    counts.loads / ceilings.cached_loads_per_s,
                                    counts.cached_bytes / ceilings.cached_bytes_per_s +
                                        counts.local_bytes / ceilings.local_bytes_per_s);
  prediction.seconds = std::max(floor.seconds, prediction.loads_s);
  prediction.bound = floor.seconds < prediction.loads_s ? "loads"
                     : floor.bound == Bound::compute    ? "arithmetic"
                                                        : "memory";
  return prediction;
}

double ridge_taps(double bytes_per_pixel, const Ceilings& ceilings) {
  return ceilings.multiply_adds_per_s * bytes_per_pixel / ceilings.copy_bytes_per_s;
}

}  // namespace tutorial
