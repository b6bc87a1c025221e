#include "common/results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "commit.hpp"
#include "common/device.hpp"
#include "common/error.hpp"

namespace tutorial {
namespace {

/// Throws `Error` if `path` cannot be written to; leaves no trace of having tried.
void require_writable(const std::string& path) {
  const bool existed = std::ifstream(path).good();
  if (!std::ofstream(path, std::ios::app)) {
    throw Error(fmt::format("{}: cannot be written", path));
  }
  if (!existed) {
    std::remove(path.c_str());
  }
}

/// A time in at most seven characters, with four significant digits.
std::string format_ms(double ms) {
  if (ms >= 1000.0) {
    return fmt::format("{:.0f}", ms);
  }
  return ms >= 100.0  ? fmt::format("{:.1f}", ms)
         : ms >= 10.0 ? fmt::format("{:.2f}", ms)
                      : fmt::format("{:.4f}", ms);
}

/// A percentage in at most nine characters; next to a GPU, a CPU takes thousands of percent.
std::string format_percent(double percent) {
  return percent < 1e4   ? fmt::format("{:.1f} %", percent)
         : percent < 1e6 ? fmt::format("{:.0f} %", percent)
                         : fmt::format("{:.1e} %", percent);
}

std::size_t local_size(const cl::NDRange& local, std::size_t dimension) {
  return dimension < local.dimensions() ? local.get()[dimension] : 0;
}

}  // namespace

Results::Results(const Options& options, const cl::Device& device, const Image& image)
    : options_(options), device_(device), image_width_(image.width), image_height_(image.height) {
  if (!options.csv.empty()) {
    require_writable(options.csv);
  }
  if (!options.output.empty()) {
    require_writable_image_path(options.output);
  }
  const std::string source = options.input.empty()
                                 ? "test card"
                                 : std::filesystem::path(options.input).filename().string();
  const std::string size = fmt::format("{} x {}", image.width, image.height);
  fmt::print("device  {} ({})\n", device_name(device), platform_name(device));
  fmt::print("image   {}, {}\n", source, size);
  std::fflush(stdout);

  const auto line = [this](const char* key, const std::string& value) {
    csv_head_ += fmt::format("# {}: {}\n", key, value);
  };
  line("program", options.program);
  line("platform", platform_name(device));
  line("device", device_name(device));
  line("driver", device.getInfo<CL_DRIVER_VERSION>());
  line("opencl_c", device.getInfo<CL_DEVICE_OPENCL_C_VERSION>());
  line("compute_units", std::to_string(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()));
  line(
      "local_memory",
      device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_LOCAL ? "dedicated" : "global");
  line("commit", TUTORIAL_COMMIT);
  line("image", source);
  line("size", size);
  line("filter", options.filter);
  line("options", options.command_line);
}

bool Results::verify(const std::string& label, int filter_width, const Verdict& verdict) {
  const auto pixels =
      static_cast<std::size_t>(image_width_) * static_cast<std::size_t>(image_height_);
  if (!verdict.passed) {
    failed_++;
    fmt::print(
        stderr, "{}: {}, filter width {}: {}\n", options_.program, label, filter_width,
        verdict.describe(pixels));
    return false;
  }
  passed_++;
  if (options_.verify_only) {
    fmt::print("width {:2}  {:<30}  {}\n", filter_width, label, verdict.describe(pixels));
  } else if (isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\rwidth {:2}  {:<40}\r", filter_width, label);
  }
  return true;
}

void Results::skip(const std::string& label, int filter_width, const std::string& reason) {
  fmt::print("width {:2}  {:<30}  skipped: {}\n", filter_width, label, reason);
}

void Results::add(int filter_width, const std::vector<Measurement>& measurements) {
  const auto baseline =
      std::find_if(measurements.begin(), measurements.end(), [this](const Measurement& candidate) {
        return candidate.name == options_.kernels.front().label;
      });
  const bool has_baseline = baseline != measurements.end();

  if (isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r{:50}\r", "");
  }
  fmt::print("\nfilter {} x {}\n", filter_width, filter_width);
  fmt::print(
      "{:<29} {:>7} {:>17} {:>10} {:>8}\n", "kernel", "median", "95 % interval", "relative",
      "Gpixel/s");
  for (const Measurement& measurement : measurements) {
    const Statistics& time = measurement.time_ms;
    host_clock_ = host_clock_ || measurement.host_clock;
    const double relative = has_baseline ? 100.0 * time.median / baseline->time_ms.median : 0.0;
    // "=" says: no difference. The two intervals overlap.
    const bool same =
        has_baseline && &measurement != &*baseline && no_difference(time, baseline->time_ms);
    fmt::print(
        "{:<29} {:>7} {:>8}..{:<7} {:>10} {:>8.3g}{}\n", measurement.name, format_ms(time.median),
        format_ms(time.low), format_ms(time.high),
        has_baseline ? (same ? "= " : "") + format_percent(relative) : "-",
        1e-6 * image_width_ * image_height_ / time.median, measurement.host_clock ? " *" : "");
    if (!options_.csv.empty()) {
      write_csv_row(filter_width, measurement, relative);
    }
  }
  std::fflush(stdout);
}

void Results::write_csv_row(
    int filter_width, const Measurement& measurement, double relative_percent) {
  std::ofstream file(options_.csv, csv_begun_ ? std::ios::app : std::ios::trunc);
  if (!csv_begun_) {
    csv_begun_ = true;
    file << csv_head_
         << "kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,low_ms,high_ms,"
            "min_ms,relative_percent,gpixels_per_s,max_error,clock\n";
  }
  const Statistics& time = measurement.time_ms;
  file << fmt::format(
      "{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.2f},{:.5g},{:.2e},{}\n",
      measurement.name, filter_width, image_width_, image_height_, local_size(measurement.local, 0),
      local_size(measurement.local, 1), time.count, time.median, time.low, time.high, time.minimum,
      relative_percent, 1e-6 * image_width_ * image_height_ / time.median, measurement.max_error,
      measurement.host_clock ? "host" : "event");
  if (!file.flush()) {
    throw Error(fmt::format("{}: cannot be written", options_.csv));
  }
}

int Results::finish() {
  if (!options_.verify_only) {
    fmt::print(
        "\ntimes in ms; = means no difference from {}: the intervals overlap\n{}",
        options_.kernels.front().label, host_clock_ ? "* timed by the host clock\n" : "");
  }
  if (csv_begun_) {
    fmt::print("measurements: {}\n", options_.csv);
  }
  if (failed_ == 0) {
    fmt::print("all {} results verified\n", passed_);
    return 0;
  }
  fmt::print("{} of {} results are WRONG\n", failed_, passed_ + failed_);
  return 2;
}

}  // namespace tutorial
