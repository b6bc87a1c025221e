// The roofline: what this device can do at most, and how long a convolution takes at least.
//
// The kernels that reach the ceilings are in roofline.cl, their measuring is in ceilings.cpp, and
// the floor that follows from them in common/floor.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/csv.hpp"
#include "common/device.hpp"
#include "common/error.hpp"
#include "common/floor.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/results.hpp"
#include "common/text.hpp"
#include "roofline/ceilings.hpp"

namespace tutorial {
namespace {

const ProgramInfo info = {
    .title = "The device's ceilings, and the least time of a convolution",
    .kernel_file = KERNEL_FILE,
    .kernels = {},
    .reads_results = true,
};

constexpr double giga = 1e-9;
// Long enough to meet the machine in a good moment.
constexpr double seconds_per_kernel = 0.3;

void write_file(const std::string& path, const std::string& text, const char* what) {
  write_whole(path, text);
  fmt::print("{}: {}\n", what, path);
}

// One row per filter width: what has to be done, how long that takes at least, and why. Returns the
// same as a CSV, with the ceilings in every row, so that a row can be read on its own.
std::string print_floors(const Options& options, const Image& image, const Ceilings& best) {
  std::string csv =
      "filter_width,width,height,multiply_adds,bytes,compute_ms,memory_ms,floor_ms,bound,"
      "gpixels_per_s,giga_multiply_adds_per_s,multiply_add_type,copy_gigabytes_per_s,copy_type,"
      "cached_giga_loads_per_s,cached_gigabytes_per_s,cached_type,local_gigabytes_per_s\n";
  fmt::print(
      "\n{:>6} {:>14} {:>12} {:>12} {:>8} {:>12}\n", "filter", "multiply-adds", "bytes",
      "floor, ms", "binds", "Gpixel/s");
  for (const int width : options.filter_widths) {
    const Floor floor = convolution_floor(image.width, image.height, width, best);
    const auto pixels = static_cast<double>(image.size());
    const double multiply_adds = pixels * width * width;
    const double bytes = compulsory_bytes(image.width, image.height, width);
    const double rate = giga * pixels / floor.seconds;
    fmt::print(
        "{:>6} {:>14.4g} {:>12.4g} {:>12.4g} {:>8} {:>12.4g}\n", fmt::format("{0}x{0}", width),
        multiply_adds, bytes, 1e3 * floor.seconds, floor.bound, rate);
    csv += fmt::format(
        "{},{},{},{:.0f},{:.0f},{:.6g},{:.6g},{:.6g},{},{:.5g},{:.5g},{},{:.5g},{},{:.5g},{:.5g},{}"
        ",{:.5g}\n",
        width, image.width, image.height, multiply_adds, bytes, 1e3 * floor.compute_s,
        1e3 * floor.memory_s, 1e3 * floor.seconds, floor.bound, rate,
        giga * best.multiply_adds_per_s, best.multiply_add_type, giga * best.copy_bytes_per_s,
        best.copy_type, giga * best.cached_loads_per_s, giga * best.cached_bytes_per_s,
        best.cached_type, giga * best.local_bytes_per_s);
  }
  return csv;
}

int measure(const Options& chosen) {
  Options options = chosen;
  options.filter = "none";  // for the head of the CSV
  const cl::Device device = select_device(options.device);
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  const Image image = load_image(options);
  const Results results(options, device, image);
  CeilingMeter meter(queue, options, image, options.kernel_file);
  meter.build();
  const std::vector<CeilingKernel>& kernels = meter.kernels();

  // A kernel that does not do its work is fast. So first: does each do what it is to be timed for?
  int wrong = 0;
  for (const CeilingKernel& kernel : kernels) {
    if (const std::string problem = meter.problem_of(kernel); !problem.empty()) {
      wrong++;
      fmt::print(stderr, "{}: {}: {}\n", options.program, kernel.name, problem);
    }
  }
  if (wrong > 0) {
    fmt::print("{} of {} results are WRONG\n", wrong, kernels.size());
    return 2;
  }
  if (!options.verify_only) {
    meter.prepare();
    const double seconds = std::min(seconds_per_kernel, options.time_budget_s);
    meter.measure_beside({}, seconds * static_cast<double>(kernels.size()));
    const Ceilings best = meter.best();
    std::string head = results.csv_head() + best.csv_head();
    fmt::print("\n{:<26} {:>12}\n", "ceiling", "rate");
    for (const CeilingKernel& kernel : kernels) {
      const bool computes = kernel.kind == CeilingKernel::Kind::multiply_add;
      fmt::print(
          "{:<26} {:>12.1f} {}\n", kernel.name, giga * kernel.per_s,
          computes ? "G multiply-adds/s" : "GB/s");
      head += fmt::format("# {}: {:.6g}\n", kernel.name, kernel.per_s);
    }
    fmt::print("best: {} ({})\n", best.describe(), best.copy_type);
    // A large image moves 8 bytes per pixel: a float in, a float out.
    fmt::print(
        "ridge: memory binds up to {:.3g} taps per pixel, compute beyond\n",
        8.0 * best.multiply_adds_per_s / best.copy_bytes_per_s);
    const std::string floors = print_floors(options, image, best);
    if (!options.csv.empty()) {
      write_file(options.csv, head + floors, "floors");
    }
  }
  fmt::print("all {} results verified\n", kernels.size());
  return 0;
}

double positive(const Csv& csv, const std::string& name, const std::string& text) {
  const double value = parse_number<double>(text).value_or(0.0);
  if (!(value > 0.0 && std::isfinite(value))) {
    throw Error(fmt::format("{}: {} must be a positive number, not '{}'", csv.path(), name, text));
  }
  return value;
}

// Predicts the time of each kernel that the X-ray counted by Houston's three columns, of which the
// largest counts, and compares it with the measured one. The ceilings are those that the CSV
// recorded when it was measured.
int predict(const Options& options) {
  const Csv times(options.results);
  const Csv counts(options.xray);
  std::map<std::pair<std::string, double>, std::size_t> counted;  // by kernel and filter width
  for (std::size_t row = 0; row < counts.size(); row++) {
    counted[{counts.text(row, "kernel"), counts.number(row, "filter_width")}] = row;
  }
  std::string csv;
  for (const auto& [key, value] : times.head()) {
    csv += fmt::format("# {}: {}\n", key, value);
  }
  const auto ceiling = [&](const char* key) { return positive(times, key, times.head(key)); };
  const double multiply_adds_per_s = ceiling("multiply_adds_per_s");
  const double copy_bytes_per_s = ceiling("copy_bytes_per_s");
  const double loads_per_s = ceiling("cached_loads_per_s");
  const double cached_bytes_per_s = ceiling("cached_bytes_per_s");
  const double local_bytes_per_s = ceiling("local_bytes_per_s");

  csv +=
      "kernel,filter_width,width,height,arithmetic_ms,loads_ms,memory_ms,bound,predicted_ms,"
      "median_ms,measured_over_predicted\n";
  fmt::print("device  {}\n", times.head("device"));
  int titled = 0;  // the filter width whose table has been begun
  for (const int filter_width : options.filter_widths) {
    for (std::size_t row = 0; row < times.size(); row++) {
      const std::string& kernel = times.text(row, "kernel");
      const auto entry = counted.find({kernel, times.number(row, "filter_width")});
      if (times.number(row, "filter_width") != filter_width || entry == counted.end()) {
        continue;
      }
      const auto measured = [&](const char* name) {
        return positive(times, name, times.text(row, name));
      };
      const auto count = [&](const char* name) { return counts.number(entry->second, name); };
      const int width = static_cast<int>(measured("width"));
      const int height = static_cast<int>(measured("height"));
      const double ms = 1e3 * width * height;
      const double arithmetic_ms = ms * count("multiply_adds") / multiply_adds_per_s;
      const double memory_ms =
          1e3 * compulsory_bytes(width, height, filter_width) / copy_bytes_per_s;
      const double loads = count("input_loads") + count("tap_loads") + count("local_loads");
      const double loads_ms =
          ms * std::max(
                   loads / loads_per_s,
                   (count("input_bytes") + count("tap_bytes")) / cached_bytes_per_s +
                       count("local_bytes") / local_bytes_per_s);
      const double predicted_ms = std::max({arithmetic_ms, loads_ms, memory_ms});
      const char* bound = predicted_ms > std::max(arithmetic_ms, memory_ms) ? "loads"
                          : arithmetic_ms >= memory_ms                      ? "arithmetic"
                                                                            : "memory";
      const double median_ms = measured("median_ms");
      if (titled != filter_width) {
        titled = filter_width;
        fmt::print("\nfilter {0} x {0}, image {1} x {2}, ms\n", filter_width, width, height);
        fmt::print(
            "{:<30} {:>7} {:>7} {:>7} {:<10} {:>7} {:>6}\n", "kernel", "arith.", "loads", "memory",
            "binds", "median", "ratio");
      }
      fmt::print(
          "{:<30} {:>7.3g} {:>7.3g} {:>7.3g} {:<10} {:>7.4g} {:>6.3g}\n", kernel, arithmetic_ms,
          loads_ms, memory_ms, bound, median_ms, median_ms / predicted_ms);
      csv += fmt::format(
          "{},{},{},{},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g},{:.5g}\n", kernel, filter_width, width,
          height, arithmetic_ms, loads_ms, memory_ms, bound, predicted_ms, median_ms,
          median_ms / predicted_ms);
    }
  }
  if (titled == 0) {
    throw Error(fmt::format(
        "{} and {} have no kernel in common at --filter-width", options.results, options.xray));
  }
  fmt::print("\nratio: measured over predicted, the largest of the three times\n");
  if (!options.csv.empty()) {
    write_file(options.csv, csv, "predictions");
  }
  return 0;
}

int run(const Options& options) {
  return options.results.empty() ? measure(options) : predict(options);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, tutorial::info, tutorial::run);
}
