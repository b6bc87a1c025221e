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
#include "common/roofline.hpp"

namespace tutorial {
namespace {

/// A time in at most seven characters, with four significant digits.
std::string format_ms(double ms) {
  if (ms >= 1000.0) {
    return fmt::format("{:.0f}", ms);
  }
  return ms >= 100.0  ? fmt::format("{:.1f}", ms)
         : ms >= 10.0 ? fmt::format("{:.2f}", ms)
                      : fmt::format("{:.4f}", ms);
}

/// A rate or factor in at most six characters, with three significant digits where they fit.
std::string format_short(double value) {
  return value < 1e-3  ? fmt::format("{:.0e}", value)
         : value < 0.1 ? fmt::format("{:.4f}", value)
         : value < 1e3 ? fmt::format(
                             "{:.{}f}", value,
                             value < 1.0     ? 3
                             : value < 10.0  ? 2
                             : value < 100.0 ? 1
                                             : 0)
         : value < 1e6 ? fmt::format("{:.0f}", value)
                       : fmt::format("{:.0e}", value);
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

void require_writable(const std::string& path) {
  const bool existed = std::ifstream(path).good();
  if (!std::ofstream(path, std::ios::app)) {
    throw Error(fmt::format("{}: cannot be written", path));
  }
  if (!existed) {
    std::remove(path.c_str());
  }
}

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

std::nullopt_t Results::skip(const std::string& label, int filter_width, const std::string& reason) {
  fmt::print("width {:2}  {:<30}  skipped: {}\n", filter_width, label, reason);
  return std::nullopt;
}

/// Measures the ceilings, once, if this program compares with them.
void Results::find_ceilings() {
  if (ceilings_sought_ || !options_.filtered) {
    return;
  }
  ceilings_sought_ = true;
  std::string problem;
  try {
    ceilings_ = measure_ceilings(
        device_, options_.ceilings_file,
        static_cast<std::size_t>(image_width_) * static_cast<std::size_t>(image_height_) *
            sizeof(float),
        std::min(ceiling_seconds_a_kernel, options_.time_budget_s));
  } catch (const cl::Error& error) {
    problem = describe(error);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (ceilings_) {
    fmt::print("ceilings {}\n", ceilings_->describe());
    csv_head_ += ceilings_->csv_head();
  } else {
    fmt::print("no x floor: {}\n", problem.substr(0, problem.find('\n')));
  }
}

/// The median of a measurement over its floor; 0 if there is none.
double Results::x_floor(int filter_width, const Measurement& measurement) const {
  // The ceilings are the device's. The host's loop has the same ones only if the device is the
  // host.
  const bool elsewhere = measurement.name == host_baseline && !is_cpu(device_);
  if (!ceilings_ || elsewhere) {
    return 0.0;
  }
  const Floor floor = convolution_floor(image_width_, image_height_, filter_width, *ceilings_);
  return 1e-3 * measurement.time_ms.median / floor.seconds;
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
  find_ceilings();
  fmt::print("\nfilter {} x {}\n", filter_width, filter_width);
  // 80 columns at most. The names in programs without the last column may be longer.
  const int name_width = options_.filtered ? 28 : 30;
  fmt::print(
      "{:<{}} {:>7}  {:^16} {:>10} {:>6}{}\n", "kernel", name_width, "median", "95 % interval",
      "relative", "Gpix/s", options_.filtered ? " x floor" : "");
  for (const Measurement& measurement : measurements) {
    const Statistics& time = measurement.time_ms;
    host_clock_ = host_clock_ || measurement.host_clock;
    const double relative = has_baseline ? 100.0 * time.median / baseline->time_ms.median : 0.0;
    const double above_floor = x_floor(filter_width, measurement);
    const std::string floor_column = !options_.filtered ? ""
                                     : above_floor > 0.0
                                         ? fmt::format(" {:>7}", format_short(above_floor))
                                         : fmt::format(" {:>7}", "-");
    // "=" says: no difference. The two intervals overlap.
    const bool same =
        has_baseline && &measurement != &*baseline && no_difference(time, baseline->time_ms);
    fmt::print(
        "{:<{}} {:>7}{} {:>7}..{:<7} {:>10} {:>6}{}\n", measurement.name, name_width,
        format_ms(time.median), measurement.host_clock ? "*" : " ", format_ms(time.low),
        format_ms(time.high), has_baseline ? (same ? "= " : "") + format_percent(relative) : "-",
        format_short(1e-6 * image_width_ * image_height_ / time.median), floor_column);
    if (!options_.csv.empty()) {
      write_csv_row(filter_width, measurement, relative, above_floor);
    }
  }
  std::fflush(stdout);
}

void Results::write_csv_row(
    int filter_width, const Measurement& measurement, double relative_percent, double x_floor) {
  std::ofstream file(options_.csv, csv_begun_ ? std::ios::app : std::ios::trunc);
  if (!csv_begun_) {
    csv_begun_ = true;
    file << csv_head_
         << "kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,low_ms,high_ms,"
            "min_ms,relative_percent,gpixels_per_s,max_error,clock,x_floor\n";
  }
  const Statistics& time = measurement.time_ms;
  file << fmt::format(
      "{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.2f},{:.5g},{:.2e},{},{}\n",
      measurement.name, filter_width, image_width_, image_height_, local_size(measurement.local, 0),
      local_size(measurement.local, 1), time.count, time.median, time.low, time.high, time.minimum,
      relative_percent, 1e-6 * image_width_ * image_height_ / time.median, measurement.max_error,
      measurement.host_clock ? "host" : "event",
      x_floor > 0.0 ? fmt::format("{:.5g}", x_floor) : "");
  if (!file.flush()) {
    throw Error(fmt::format("{}: cannot be written", options_.csv));
  }
}

int Results::finish() {
  if (!options_.verify_only) {
    fmt::print(
        "\ntimes in ms; = means no difference from {}: the intervals overlap\n{}{}",
        options_.kernels.front().label,
        ceilings_ ? "x floor: time over the least that the ceilings allow, see roofline/\n" : "",
        host_clock_ ? "* timed by the host clock\n" : "");
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
