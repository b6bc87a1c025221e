#include "common/results.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/text.hpp"

namespace tutorial {
namespace {

/// At least four digits from 1 on, else four decimals: 0.0123, 1.234, 123.4, 12345.
std::string four_digits(double value) {
  const int decimals = value < 1.0 ? 4 : value < 10.0 ? 3 : value < 100.0 ? 2 : value < 1e3 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

/// What follows a figure.
const char* mark(const Statistics& figure) {
  return figure.sure ? "" : "?";
}

/// A line of the file of rounds: at most 200 of them, evenly from all. A folder of results is to
/// stay below 4 MB.
std::string rounds_line(const std::string& name, int filter_width, const Rounds& rounds) {
  std::string text;
  const std::size_t kept = std::min<std::size_t>(rounds.ms.size(), 200);
  for (std::size_t i = 0; i < kept; i++) {
    const std::size_t round = i * rounds.ms.size() / kept;
    text += fmt::format("{:.5g}{}", rounds.ms[round], rounds.disturbed[round] ? "? " : " ");
  }
  text.pop_back();
  return fmt::format("{},{},{}\n", csv_field(name), filter_width, text);
}

/// The commit that the repository is at now, whoever owns it; or as the environment says, for where
/// there is no git.
std::string commit() {
  const char* command =
      "echo ${TUTORIAL_COMMIT:-$(git -c safe.directory='*' -C '" SOURCE_FOLDER
      "' describe --always --dirty --abbrev=12 --exclude='*' 2> /dev/null || echo unknown)}";
  std::string commit;
  if (FILE* shell = popen(command, "r")) {
    for (int c; (c = std::fgetc(shell)) > ' ';) {
      commit += static_cast<char>(c);
    }
    pclose(shell);
  }
  return commit;
}

}  // namespace

Results::Results(const Options& options, const cl::Device& device, const Image& image)
    : options_(options),
      device_(device),
      image_width_(image.width),
      image_height_(image.height),
      pixels_(std::size_t(image.width) * std::size_t(image.height)) {
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

  csv_head_ = fmt::format(
      "# program: {}\n# platform: {}\n# device: {}\n# device_type: {}\n# driver: {}\n"
      "# opencl_c: {}\n"
      "# compute_units: {}\n# local_memory: {}\n# commit: {}\n# image: {}\n# size: {}\n"
      "# filter: {}\n# options: {}\n",
      options.program, platform_name(device), device_name(device), device_type(device),
      device.getInfo<CL_DRIVER_VERSION>(), device.getInfo<CL_DEVICE_OPENCL_C_VERSION>(),
      device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(),
      device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_LOCAL ? "dedicated" : "global",
      options.csv.empty() ? "" : commit(), source, size, options.filter, options.command_line);
  const char* build_options = std::getenv("TUTORIAL_BUILD_OPTIONS");
  if (build_options != nullptr && *build_options != 0) {
    note("build_options", build_options);
  }
}

/// Counts and says on stderr what is wrong with a kernel.
void Results::fail(
    const std::string& label, int filter_width, const char* when, const Verdict& verdict) {
  failed_++;
  std::fflush(stdout);  // in order, where both go to one file
  const std::string line = fmt::format(
      "{}: {}, filter width {}{}: {}\n", options_.program, label, filter_width, when,
      verdict.describe(pixels_));
  std::fputs(line.c_str(), stderr);  // stderr may be full, and the verdict counts all the same
}

bool Results::verify(const std::string& label, int filter_width, const Verdict& verdict) {
  if (!verdict.passed) {
    fail(label, filter_width, "", verdict);
    return false;
  }
  passed_++;
  if (options_.verify_only) {
    fmt::print("width {:2}  {:<30}  {}\n", filter_width, label, verdict.describe(pixels_));
  }
  if (verdict.rounded > 0) {
    fmt::print(
        "width {:2}  {}: {} of {} pixels are one grey level off\n", filter_width, label,
        verdict.rounded, pixels_);
  }
  return true;
}

std::optional<Verdict> Results::verify(
    const std::string& label, int filter_width, const std::function<Verdict()>& verify) {
  now_running(fmt::format("{}: {}, filter width {}", options_.program, label, filter_width));
  if (isatty(STDERR_FILENO) != 0) {  // what runs now, until the table takes its place
    fmt::print(stderr, "\rwidth {:2}  {:<40.40} runs; Ctrl-C ends it\r", filter_width, label);
  }
  const Verdict verdict = verify();
  return this->verify(label, filter_width, verdict) ? std::optional(verdict) : std::nullopt;
}

std::nullopt_t Results::skip(
    const std::string& label, int filter_width, const std::string& reason) {
  fmt::print("width {:2}  {} skipped: {}\n", filter_width, label, reason);
  if (const char* list = std::getenv("TUTORIAL_SKIPPED")) {  // for a script that asks
    std::ofstream(list, std::ios::app) << label << '\n';
  }
  return std::nullopt;
}

/// The least time of a convolution in each round, by the ceilings of that round.
Rounds Results::floor_rounds(int filter_width, const Comparison& comparison) const {
  const auto& [multiply_adds, first] = comparison.multiply_adds;
  const auto& [bytes, second] = comparison.copies;
  Rounds floors;
  for (std::size_t round = 0; round < first.ms.size(); round++) {
    Ceilings ceilings;
    ceilings.multiply_adds_per_s = 1e3 * multiply_adds / first.ms[round];
    ceilings.copy_bytes_per_s = 1e3 * bytes / second.ms[round];
    const Floor floor = convolution_floor(
        image_width_, image_height_, filter_width, ceilings, options_.pixel_bytes);
    floors.ms.push_back(1e3 * floor.seconds);
    floors.disturbed.push_back(first.disturbed[round] || second.disturbed[round]);
  }
  return floors;
}

void Results::add(int filter_width, const Comparison& comparison) {
  std::vector<Measurement> measurements = comparison.measurements;
  std::erase_if(measurements, [&](const Measurement& measurement) {
    const bool wrong = measurement.verdict && !measurement.verdict->passed;
    if (wrong) {
      passed_--;
      fail(measurement.name, filter_width, ", after the timing", *measurement.verdict);
    }
    return wrong;
  });
  ceilings_ = comparison.ceilings;
  if (isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r{:79}\r", "");
  }
  fmt::print(
      "\nfilter {0} x {0}: {7}\n{1:<30} {2:>7}  {3:^14} {4:>10} {5:>6}{6}\n", filter_width,
      "kernel", "median", "95 % interval", "relative", "Gpix/s", ceilings_ ? " x floor" : "",
      options_.filter);
  const Rounds floors = floor_rounds(filter_width, comparison);
  if (ceilings_) {
    rounds_ += rounds_line("floor", filter_width, floors);
  }
  const auto baseline =
      std::ranges::find(measurements, options_.kernels.front().label, &Measurement::name);
  for (const Measurement& measurement : measurements) {
    add_row(
        filter_width, measurement, baseline == measurements.end() ? nullptr : &*baseline, floors);
  }
  compare_originals(measurements);
  std::fflush(stdout);
  if (!options_.csv.empty() && !rows_.empty()) {
    write_whole(
        options_.csv, csv_head_ + (ceilings_ ? ceilings_->csv_head() : "") +
                          "kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,"
                          "low_ms,high_ms,min_ms,relative_percent,gpixels_per_s,max_error,clock,"
                          "x_floor,relative_low,relative_high,x_floor_low,x_floor_high,left_out,"
                          "unsure,kind\n" +
                          rows_);
    write_whole(rounds_file(options_.csv), rounds_);
  }
}

/// Prints a line of the table and adds one to the CSV.
void Results::add_row(
    int filter_width, const Measurement& measurement, const Measurement* baseline,
    const Rounds& floors) {
  const Statistics& time = measurement.time_ms;
  const double gpixels_per_s = 1e-6 * static_cast<double>(pixels_) / time.median;
  const auto left_out = std::ranges::count(measurement.rounds.disturbed, true);
  Statistics relative;
  std::string percent = "-";
  if (baseline != nullptr) {
    const bool is_baseline = measurement.name == baseline->name;
    relative = paired_ratio(measurement, *baseline);
    relative.sure |= is_baseline;
    // Beside a fast kernel the host's loop takes thousands of percent.
    percent = fmt::format(
        "{}{:.{}f} %{}", !is_baseline && no_difference(relative) ? "= " : "",
        100.0 * relative.median, relative.median < 100.0 ? 1 : 0, mark(relative));
  }
  // The ceilings are the device's: the host's loop has the same ones only if that is the host.
  std::optional<Statistics> x_floor;
  if (ceilings_ && (measurement.name != host_baseline || is_cpu(device_))) {
    x_floor = paired_ratio(measurement.rounds, floors);
  }
  const std::string floor = x_floor ? four_digits(x_floor->median) + mark(*x_floor) : "-";
  fmt::print(
      "{:<30} {:>7}{} {:>6}..{:<6} {:>10} {:>6}{}\n", measurement.name, four_digits(time.median),
      !time.sure               ? '?'
      : measurement.host_clock ? '*'
                               : ' ',
      four_digits(time.low), four_digits(time.high), percent, four_digits(gpixels_per_s),
      ceilings_ ? fmt::format(" {:>7}", floor) : "");
  host_clock_ = host_clock_ || measurement.host_clock;
  runs_ += measurement.rounds.ms.size();
  left_out_ += left_out;
  rounds_ += rounds_line(measurement.name, filter_width, measurement.rounds);

  const auto number = [&x_floor](double Statistics::*end) {
    return x_floor ? fmt::format("{:.5g}", (*x_floor).*end) : "";
  };
  std::string unsure = time.sure ? "" : " time";
  unsure += relative.sure ? "" : " relative";
  unsure += !x_floor || x_floor->sure ? "" : " x_floor";
  rows_ += fmt::format(
      "{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.5g},{:.5g},{:.2e},{},{},{:.5g},{:.5g},"
      "{},{},{},{},{}\n",
      csv_field(measurement.name), filter_width, image_width_, image_height_,
      measurement.local.get()[0], measurement.local.get()[1], time.count, time.median, time.low,
      time.high, time.minimum, 100.0 * relative.median, gpixels_per_s, measurement.max_error,
      measurement.host_clock ? "host" : "event", number(&Statistics::median), 100.0 * relative.low,
      100.0 * relative.high, number(&Statistics::low), number(&Statistics::high), left_out,
      unsure.substr(!unsure.empty()), measurement.kind);
}

void Results::compare_originals(const std::vector<Measurement>& measurements) const {
  for (const KernelEntry& entry : options_.kernels) {
    const auto other = std::ranges::find(measurements, entry.label, &Measurement::name);
    const auto original = std::ranges::find(measurements, entry.original, &Measurement::name);
    if (other == measurements.end() || original == measurements.end()) {
      continue;  // it has no original, or one of them was wrong
    }
    const bool faster = paired_ratio(*other, *original).median <= 1.0;
    const Measurement& fast = faster ? *other : *original;
    const Measurement& slow = faster ? *original : *other;
    const Statistics ratio = paired_ratio(slow, fast);
    if (no_difference(ratio)) {
      fmt::print("{} and {}: no difference was shown (ratio ", entry.label, entry.original);
    } else {
      fmt::print("{} is {:.3f} times as fast as {} (", fast.name, ratio.median, slow.name);
    }
    fmt::print("{:.3f}..{:.3f}){}\n", ratio.low, ratio.high, mark(ratio));
  }
}

int Results::finish(const Image& last) {
  if (passed_ + failed_ == 0) {
    throw NothingRan();
  }
  if (!options_.output.empty() && last.size() > 0) {
    write_image(options_.output, last);
    fmt::print("wrote {}\n", options_.output);
  }
  if (!options_.verify_only) {
    fmt::print(
        "\ntimes in ms; = means no difference from {} was shown\n{}{}",
        options_.kernels.front().label,
        ceilings_ ? fmt::format(
                        "x floor: see background/roofline/README.md; ceilings:\n{}\n",
                        ceilings_->describe())
                  : "",
        host_clock_ ? "* timed by the host clock\n" : "");
    if (left_out_ > 0) {
      fmt::print(
          "left out: {} of {} runs, as another program had a core; ?: too few others\n", left_out_,
          runs_);
    }
  }
  if (!options_.csv.empty() && !rows_.empty()) {
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
