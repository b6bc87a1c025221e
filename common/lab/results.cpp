#include "common/lab/results.hpp"

#include <filesystem>
#include <set>

#include "common/system.hpp"

namespace tutorial {

namespace fs = std::filesystem;

std::string commit_of(const std::string& folder) {
  // Not of another repository, within which that of a ZIP file may stand.
  const Finished git = run(
      {{"git", "--git-dir", folder + "/.git", "--work-tree", folder, "describe", "--always",
        "--dirty", "--abbrev=12", "--exclude=*"}});
  return git.status == 0 ? git.output.substr(0, git.output.find('\n')) : "unknown";
}

Results::Results(const Options& options, const cl::Device& device, const Image& image)
    : options_(options),
      image_width_(image.width),
      image_height_(image.height),
      pixels_(std::size_t(image.width) * std::size_t(image.height)) {
  if (!options.csv.empty()) {
    require_writable(options.csv);
  }
  if (!options.output.empty()) {
    require_writable_image_path(options.output);
  }
  const std::string commit = options.csv.empty() ? "" : commit_of(SOURCE_FOLDER);
  const std::string source =
      options.input.empty() ? "test card" : fs::path(options.input).filename().string();
  const std::string size = fmt::format("{} x {}", image.width, image.height);
  fmt::print("device  {} ({})\n", device_name(device), platform_name(device));
  fmt::print("image   {}, {}\n", source, size);
  std::fflush(stdout);

  const bool is_gpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
  const char* type = is_cpu(device) ? "CPU" : is_gpu ? "GPU" : "accelerator";
  measured_.head = {
      {"program", options.program},
      {"platform", platform_name(device)},
      {"device", device_name(device)},
      {"device_type", type},
      {"driver", device.getInfo<CL_DRIVER_VERSION>()},
      {"opencl_c", device.getInfo<CL_DEVICE_OPENCL_C_VERSION>()},
      {"compute_units", std::to_string(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>())},
      {"commit", commit},
      {"image", source},
      {"size", size},
      {"filter", options.filter},
      {"options", options.command_line}};
  // Whoever asks whether this is up to date looks at these.
  std::set<std::string> files = {options.kernel_file};
  for (const KernelEntry& entry : options.known_kernels) {
    files.insert(entry.file);
  }
  std::string kernel_files;
  for (const std::string& file : files) {
    const std::string name = fs::path(file).lexically_relative(SOURCE_FOLDER).generic_string();
    kernel_files += file.empty() || name.starts_with("..") ? "" : " " + name;
  }
  note("kernel_files", kernel_files.substr(!kernel_files.empty()));
  std::string contents;
  for (const std::string& file : {options.input, options.filter}) {
    contents += !file.empty() && fs::is_regular_file(file) ? content_hash(read_file(file)) : "";
  }
  contents.empty() ? void() : note("contents", contents);
  if (!options.kernels.empty()) {
    note("baseline", options.kernels.front().label);
  }
  if (!options.build_options.empty()) {
    note("build_options", options.build_options.substr(1));
  }
}

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
  if (stderr_is_terminal()) {  // what runs now, until the table takes its place
    fmt::print(stderr, "\rwidth {:2}  {:<40.40} runs; Ctrl-C ends it\r", filter_width, label);
  }
  const Verdict verdict = verify();
  return this->verify(label, filter_width, verdict) ? std::optional(verdict) : std::nullopt;
}

void Results::skip(const std::string& label, int filter_width, const std::string& reason) {
  fmt::print("width {:2}  {} skipped: {}\n", filter_width, label, reason);
}

/// The least time of a convolution in each round, by the ceilings of that round.
Rounds Results::floor_rounds(int filter_width) const {
  const auto& [multiply_adds, copies] = *ceilings_;
  Rounds floors;
  for (std::size_t round = 0; round < copies.rounds.ms.size(); round++) {
    const Floor floor = convolution_floor(
        image_width_, image_height_, filter_width,
        1e3 * multiply_adds.work / multiply_adds.rounds.ms[round],
        1e3 * copies.work / copies.rounds.ms[round], options_.pixel_bytes);
    floors.ms.push_back(std::round(1e12 * floor.seconds) / 1e9);  // no clock gave it
    floors.disturbed.push_back(
        multiply_adds.rounds.disturbed[round] || copies.rounds.disturbed[round]);
  }
  return floors;
}

void Results::add(
    int filter_width, std::vector<Measurement> measured, const std::optional<Ceilings>& ceilings) {
  std::erase_if(measured, [&](const Measurement& one) {
    const bool wrong = one.verdict && !one.verdict->passed;
    if (wrong) {
      passed_--;
      fail(one.kernel, filter_width, ", after the timing", *one.verdict);
    }
    return wrong;
  });
  ceilings_ = ceilings;
  run_++;
  const std::size_t first = measured_.series.size();
  std::size_t runs = 0, left_out = 0;
  for (Measurement& one : measured) {
    host_clock_ = host_clock_ || one.clock == "host";
    runs += one.rounds.ms.size();
    left_out += std::ranges::count(one.rounds.disturbed, true);
    one.run = run_;
    one.filter_width = filter_width;
    measured_.series.push_back(one);
  }
  const std::size_t last = measured_.series.size();
  if (ceilings_) {
    measured_.series.push_back(
        {.run = run_,
         .kernel = "floor",
         .filter_width = filter_width,
         .clock = measured.empty() ? "" : measured_.series[first].clock,
         .kind = "floor",
         .rounds = floor_rounds(filter_width)});
  }
  runs_ += runs;
  left_out_ += left_out;

  if (stderr_is_terminal()) {
    fmt::print(stderr, "\r{:79}\r", "");
  }
  const bool is_busy = 2 * left_out > runs;
  fmt::print(
      "\nfilter {0} x {0}: {1}\n{2}", filter_width, options_.filter,
      is_busy ? "Other programs had the cores in most runs: -, what they cannot bear.\n" : "");
  fmt::print("{}", Figures().line(ceilings_.has_value()));
  for (std::size_t i = first; i < last; i++) {
    const Figures figures = measured_.figures(measured_.series[i]);
    fmt::print("{}", figures.line(ceilings_.has_value(), is_busy));
  }
  compare_originals(filter_width, is_busy);
  std::fflush(stdout);
}

void Results::compare_originals(int filter_width, bool is_busy) const {
  for (const KernelEntry& entry : options_.kernels) {
    const auto ratio = measured_.ratio(entry.label, entry.original, filter_width);
    if (entry.original.empty() || !ratio) {
      continue;  // it has no original, or one of them was wrong
    }
    if (is_busy && !ratio->sure) {
      fmt::print("{} and {}: not compared, in a busy machine\n", entry.label, entry.original);
      continue;
    }
    const bool faster = ratio->median <= 1.0;
    const std::string& fast = faster ? entry.label : entry.original;
    const std::string& slow = faster ? entry.original : entry.label;
    const Statistics times = *measured_.ratio(slow, fast, filter_width);
    if (no_difference(times)) {
      fmt::print("{} and {}: no difference was shown (ratio ", entry.label, entry.original);
    } else {
      fmt::print("{} is {:.3f} times as fast as {} (", fast, times.median, slow);
    }
    fmt::print("{:.3f}..{:.3f}){}\n", times.low, times.high, times.sure ? "" : "?");
  }
}

void Results::write() const {
  if (!options_.csv.empty() && !measured_.series.empty()) {
    write_whole(options_.csv, measured_.text());
    fmt::print("measurements: {}\n", options_.csv);
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
  if (ceilings_) {
    std::ranges::copy(ceilings_->head(), std::back_inserter(measured_.head));
  }
  write();
  if (failed_ == 0) {
    fmt::print("all {} results verified\n", passed_);
    return 0;
  }
  fmt::print("{} of {} results are WRONG\n", failed_, passed_ + failed_);
  return 2;
}

}  // namespace tutorial
