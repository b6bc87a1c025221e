// The roofline's third column: each kernel's time predicted from what it really does.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "common/figures.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {

// The ceilings are those that the CSV recorded when it was measured.
namespace {

double ceiling(const Csv& times, const char* key) {
  const auto rate = parse_number<double>(times.head(key));
  return rate && *rate > 0.0 ? *rate : throw Error(times.path() + " has no " + key);
}

}  // namespace

Model predicted(const Csv& times, std::size_t row, const Csv& counts, std::size_t counted) {
  const auto count = [&](const char* name) { return counts.number(counted, name); };
  const auto size = [&](const char* name) { return static_cast<int>(times.number(row, name)); };
  const double ms = 1e3 * size("width") * size("height");
  const double loads = count("input_loads") + count("tap_loads") + count("local_loads");
  const double cached_bytes = count("input_bytes") + count("tap_bytes");
  const double bytes_s = cached_bytes / ceiling(times, "cached_bytes_per_s") +
                         count("local_bytes") / ceiling(times, "local_bytes_per_s");
  return {
      ms * count("multiply_adds") / ceiling(times, "multiply_adds_per_s"),
      ms * std::max(loads / ceiling(times, "cached_loads_per_s"), bytes_s),
      1e3 * compulsory_bytes(size("width"), size("height"), size("filter_width")) /
          ceiling(times, "copy_bytes_per_s")};
}

// For each kernel that was both measured and counted by the X-ray.
std::string model(const Words& arguments) {
  const Csv times(arguments[1]);
  const Csv counts(arguments[2]);
  const auto brief = [](double number) { return fmt::format("{:.3g}", number); };

  std::string csv;
  for (const auto& [key, value] : times.head()) {
    csv += fmt::format("# {}: {}\n", key, value);
  }
  csv +=
      "kernel,filter_width,width,height,arithmetic_ms,loads_ms,memory_ms,bound,predicted_ms,"
      "median_ms,measured_over_predicted,all_arithmetic_ms,local_ms,own_floor_ms,over_own_floor\n";
  Table table{{"width", "kernel", "arith.", "loads", "memory", "binds", "median", "ratio"}, {}};
  for (std::size_t row = 0; row < times.size(); row++) {
    const std::string& kernel = times.text(row, "kernel");
    const std::string& filter_width = times.text(row, "filter_width");
    const auto counted = rows_where(counts, {{"kernel", kernel}, {"filter_width", filter_width}});
    if (counted.empty()) {
      continue;
    }
    const auto count = [&](const char* name) { return counts.number(counted[0], name); };
    const int width = static_cast<int>(times.number(row, "width"));
    const int height = static_cast<int>(times.number(row, "height"));
    const double ms = 1e3 * width * height;
    const auto [arithmetic_ms, loads_ms, memory_ms] = predicted(times, row, counts, counted[0]);
    const double predicted_ms = std::max({arithmetic_ms, loads_ms, memory_ms});
    const char* bound = predicted_ms > std::max(arithmetic_ms, memory_ms) ? "loads"
                        : arithmetic_ms >= memory_ms                      ? "arithmetic"
                                                                          : "memory";
    const double median_ms = times.number(row, "median_ms");
    // What it does not get below, whatever overlaps. A sum takes the place of a multiply-add.
    const double all_ms =
        arithmetic_ms + ms * count("other_arithmetic") / ceiling(times, "multiply_adds_per_s");
    const double stored = count("local_stores") / std::max(count("local_loads"), 1e-9);
    const double local_ms =
        ms * count("local_bytes") * (1.0 + stored) / ceiling(times, "local_bytes_per_s");
    const double own_ms = std::max({all_ms, local_ms, memory_ms});
    csv += fmt::format(
        "{},{},{},{},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g},{:.5g},{:.6g},{:.6g},{:.6g},{:.5g}\n",
        kernel, filter_width, width, height, arithmetic_ms, loads_ms, memory_ms, bound,
        predicted_ms, median_ms, median_ms / predicted_ms, all_ms, local_ms, own_ms,
        median_ms / own_ms);
    table.rows.push_back(
        {filter_width, kernel, brief(arithmetic_ms), brief(loads_ms), brief(memory_ms), bound,
         brief(median_ms), brief(median_ms / predicted_ms)});
  }
  if (table.rows.empty()) {
    fail("{} and {} have no kernel in common", arguments[1], arguments[2]);
  }
  write_whole(arguments[0], csv);
  return fmt::format(
      "{}Milliseconds; ratio: measured over predicted, the largest of the three times\n",
      table.aligned());
}

std::string model_rows(const Words& words) {
  const std::string file = fmt::format(
      "{}/report-{}-{}", std::filesystem::temp_directory_path().string(), getpid(),
      replaced(words[0] + words[1], "/", "-"));
  model({file, "plots/" + words[0], "plots/" + words[1]});
  const std::string rows = row_table({file, words[2], words[3]});
  std::filesystem::remove(file);
  return rows;
}

}  // namespace tutorial
