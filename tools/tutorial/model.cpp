// The roofline's third time: a kernel's time predicted from what it really does.
#include <algorithm>

#include "common/figures.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {

Model predicted(const Csv& times, std::size_t row, const Csv& counts, std::size_t counted) {
  // Those that were measured in the same run.
  const auto ceiling = [&](const char* key) {
    const auto rate = parse_number<double>(times.head(key));
    return rate && *rate > 0.0 ? *rate : throw Error(times.path() + " has no " + key);
  };
  const auto count = [&](const char* name) { return counts.number(counted, name); };
  const auto size = [&](const char* name) { return static_cast<int>(times.number(row, name)); };
  const double ms = 1e3 * size("width") * size("height");
  const double loads = count("input_loads") + count("tap_loads") + count("local_loads");
  const double cached_bytes = count("input_bytes") + count("tap_bytes");
  const double bytes_s = cached_bytes / ceiling("cached_bytes_per_s") +
                         count("local_bytes") / ceiling("local_bytes_per_s");
  return {
      ms * count("multiply_adds") / ceiling("multiply_adds_per_s"),
      ms * std::max(loads / ceiling("cached_loads_per_s"), bytes_s),
      1e3 * compulsory_bytes(size("width"), size("height"), size("filter_width")) /
          ceiling("copy_bytes_per_s")};
}

}  // namespace tutorial
