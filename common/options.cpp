#include "common/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string_view>

#include "common/block.hpp"
#include "common/device.hpp"
#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/opencl.hpp"
#include "common/program.hpp"
#include "common/test_card.hpp"

namespace tutorial {
namespace {

/// The whole of `text` as an integer; throws `Error` with `what` if it is anything else.
int parse_int(std::string_view text, const std::string& what) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) {
    throw Error(what);
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) {
      return parts;
    }
    begin = end + 1;
  }
}

/// Parses WxH, both at least 1.
void parse_size(const std::string& flag, const std::string& text, int& width, int& height) {
  const std::string what =
      fmt::format("{} '{}' is not WIDTHxHEIGHT, e.g. 1024x768, both at least 1", flag, text);
  const std::vector<std::string_view> parts = split(text, 'x');
  if (parts.size() != 2) {
    throw Error(what);
  }
  width = parse_int(parts[0], what);
  height = parse_int(parts[1], what);
  if (width < 1 || height < 1) {
    throw Error(what);
  }
}

/// Parses N, A:B or A:B:STEP, or several of these with commas between them.
std::vector<int> parse_filter_widths(const std::string& text) {
  const std::string what = fmt::format(
      "--filter-width '{}' is not N, A:B or A:B:STEP with widths within 1 to {} and A <= B", text,
      max_filter_width);
  std::vector<int> widths;
  for (const std::string_view item : split(text, ',')) {
    const std::vector<std::string_view> parts = split(item, ':');
    if (parts.size() > 3) {
      throw Error(what);
    }
    const int first = parse_int(parts[0], what);
    const int last = parts.size() > 1 ? parse_int(parts[1], what) : first;
    const int step = parts.size() > 2 ? parse_int(parts[2], what) : 1;
    if (first < 1 || last > max_filter_width || first > last || step < 1) {
      throw Error(what);
    }
    for (int width = first; width <= last; width += std::min(step, max_filter_width)) {
      widths.push_back(width);
    }
  }
  return widths;
}

constexpr const char* tuned = "Tuned";

/// The paths of the entries' kernel files. A file that the user names replaces those of the
/// program's files whose kernels it defines.
std::vector<KernelEntry> with_files(const ProgramInfo& info, const std::string& users_file) {
  std::vector<KernelEntry> entries = info.kernels;
  std::set<std::string> replaced;
  if (!users_file.empty()) {
    const std::vector<std::string> defined = kernels_in_file(users_file);
    for (const KernelEntry& entry : entries) {
      if (std::find(defined.begin(), defined.end(), entry.name()) != defined.end()) {
        replaced.insert(entry.file);
      }
    }
    if (replaced.empty() && !entries.empty()) {
      throw Error(fmt::format("{} has none of this program's kernels", users_file));
    }
  }
  const std::filesystem::path folder = std::filesystem::path(info.kernel_file).parent_path();
  for (KernelEntry& entry : entries) {
    entry.file = replaced.contains(entry.file) ? users_file
                 : entry.file.empty()          ? info.kernel_file
                                               : (folder / entry.file).string();
  }
  return entries;
}

/// The baseline first, then the kernels of --kernel in their order; all if there is no --kernel.
std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, const std::vector<KernelEntry>& known,
    const std::vector<std::string>& chosen) {
  if (known.empty()) {
    return {};
  }
  std::vector<std::string> labels = chosen;
  if (chosen.empty()) {
    for (const KernelEntry& entry : known) {
      labels.push_back(entry.label);
    }
  }
  std::erase(labels, host_baseline);
  if (info.tuned) {
    std::erase(labels, tuned);
  }
  if (labels.empty() || labels.front() != known.front().label) {
    labels.insert(labels.begin(), known.front().label);
  }
  std::map<std::string, int> seen;
  std::vector<KernelEntry> entries;
  for (const std::string& label : labels) {
    const auto found = std::find_if(
        known.begin(), known.end(), [&](const KernelEntry& entry) { return entry.label == label; });
    if (found == known.end()) {
      std::string all;
      for (const KernelEntry& entry : known) {
        all += (all.empty() ? "" : ", ") + entry.label;
      }
      throw Error(fmt::format("unknown kernel '{}'; there are {}", label, all));
    }
    require_kernel(found->file, found->name());
    entries.push_back(*found);
    if (const int count = ++seen[label]; count > 1) {
      entries.back().label += fmt::format("#{}", count);
    }
  }
  return entries;
}

/// Whether one of the program's kernels has one of these shapes.
bool has_shape(const ProgramInfo& info, std::initializer_list<Shape> shapes) {
  return std::any_of(info.kernels.begin(), info.kernels.end(), [&](const KernelEntry& entry) {
    return std::find(shapes.begin(), shapes.end(), entry.shape) != shapes.end();
  });
}

/// Parses a number within `low` to `high`; a NaN never is.
double parse_within(const std::string& flag, const std::string& text, double low, double high) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !(value >= low && value <= high)) {
    throw Error(fmt::format("{} '{}' is no number within {} to {}", flag, text, low, high));
  }
  return value;
}

/// The flags that need more than CLI11 does: kept as text, so that an empty one is not taken for
/// none.
struct RawOptions {
  std::optional<std::string> size;
  std::optional<std::string> filter_width;
  std::optional<std::string> work_group;
  std::optional<std::string> block;
  std::optional<std::string> block_group;
  std::optional<std::string> search_budget;
  std::optional<std::string> noise;
  std::optional<std::string> time_budget;
  std::optional<std::string> seed;
  std::vector<std::string> kernels;
  bool list_devices = false;
};

/// Descriptions are broken by hand, for a terminal of 80 columns.
void add_flags(CLI::App& app, const ProgramInfo& info, Options& options, RawOptions& raw) {
  app.get_formatter()->column_width(30);
  app.get_formatter()->label("OPTIONS", "FLAGS");
  // Of a flag that is given twice the last one counts, so that a script's defaults can be
  // overridden.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  const auto add = [&app](
                       const char* flag, auto& target, const char* type, const std::string& text) {
    return app.add_option(flag, target, text)->type_name(type);
  };
  add("--input", options.input, "FILE",
      "image to filter: png, jpg, pgm or ppm\n(default: a test card)");
  add("--size", raw.size, "WxH", "size of the test card (default: 2048x2048)");
  const bool runs_kernels = !info.kernels.empty();
  if (info.filtered && runs_kernels) {
    add("--filter", options.filter, "NAME|FILE",
        "random (default), gaussian, box, sharpen,\nmotion-blur, or a text file of numbers");
  }
  if (info.filtered) {
    add("--filter-width", raw.filter_width, "N|A:B[:S]",
        "1 to 32; a range for a sweep (default: 7)");
  }
  if (has_shape(info, {Shape::tile})) {
    add("--work-group", raw.work_group, "WxH",
        "work-group of the kernels with local memory\n(default: 16x16)");
  }
  if (has_shape(info, {Shape::block, Shape::block16})) {
    add("--block", raw.block, "WxH",
        "pixels that a work-item computes, up to 64x16\n(default: 4x4, for float16 kernels 64x4)");
    add("--block-group", raw.block_group, "WxH",
        "work-group of the kernels with blocks\n(default: 1x1 on a CPU, else 32x4)");
  }
  if (info.tuned) {
    add("--winners", options.winners, "FILE",
        "where the search's winners are kept\n(default: winners.csv)");
    add("--search-budget", raw.search_budget, "SECONDS",
        "time for the search, for each filter width\n(default: 40 on a CPU, else 15)");
  }
  if (info.salt_and_pepper) {
    add("--noise", raw.noise, "P", "share of pixels to turn black or white, 0 to 1\n(default: 0)");
  }
  add("--device", options.device, "P:D|TEXT",
      "platform:device or part of a name (default:\n$TUTORIAL_DEVICE, else the first GPU, else "
      "the\n"
      "first device)");
  app.add_flag("--list-devices", raw.list_devices, "list the OpenCL devices and stop");
  if (runs_kernels) {
    add("--kernel", raw.kernels, "NAME[,...]",
        fmt::format(
            "run only these, in this order;\n{} always runs, as the baseline",
            info.kernels.front().label))
        ->delimiter(',')
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  add("--kernel-file", options.kernel_file, "FILE",
      "read from FILE the kernels that it defines");
  if (runs_kernels) {
    add("--output", options.output, "FILE",
        "write the last kernel's result:\npng, pgm or pfm (exact)");
  }
  if (info.reads_results) {
    add("--results", options.results, "FILE", "a CSV of a step: compare its times with the floor");
  }
  add("--csv", options.csv, "FILE", "write the measurements");
  add("--time-budget", raw.time_budget, "SECONDS",
      runs_kernels ? "time for each filter width (default: 2)"
                   : "time for each ceiling, 0.3 at most (default)");
  app.add_flag(
      "--verify-only", options.verify_only,
      info.tuned
          ? "check the results, do not measure; with --kernel\nTuned all candidates of the search"
          : "check the results, do not measure");
  if (runs_kernels) {
    add("--seed", raw.seed, "N", "of everything random (default: 1)");
  }
}

void finish_options(const ProgramInfo& info, const RawOptions& raw, Options& options) {
  if (raw.size) {
    if (!options.input.empty()) {
      throw Error("--size is for the test card; it cannot be combined with --input");
    }
    parse_size("--size", *raw.size, options.width, options.height);
    if (static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height) >
        max_image_pixels) {
      throw Error(fmt::format("--size {} is more than {} pixels", *raw.size, max_image_pixels));
    }
  }
  if (info.filtered) {
    const int file_width = filter_file_width(options.filter);
    if (raw.filter_width) {
      options.filter_widths = parse_filter_widths(*raw.filter_width);
    } else if (file_width != 0) {
      options.filter_widths = {file_width};
    }
    if (file_width != 0 && options.filter_widths != std::vector<int>{file_width}) {
      throw Error(fmt::format(
          "{}: the filter is {} wide, --filter-width says {}", options.filter, file_width,
          raw.filter_width.value_or("")));
    }
  }
  if (raw.work_group) {
    parse_size(
        "--work-group", *raw.work_group, options.work_group_width, options.work_group_height);
  }
  if (raw.block) {
    parse_size("--block", *raw.block, options.block_width, options.block_height);
    if (options.block_width > largest_block.width || options.block_height > largest_block.height) {
      throw Error(fmt::format("--block {} is more than 64x16", *raw.block));
    }
  }
  if (raw.block_group) {
    parse_size(
        "--block-group", *raw.block_group, options.block_group_width, options.block_group_height);
  }
  if (raw.search_budget) {
    options.search_budget_s = parse_within("--search-budget", *raw.search_budget, 0.001, 3600.0);
  }
  if (info.tuned && options.winners.empty()) {
    throw Error("--winners '' names no file");
  }
  if (raw.noise) {
    options.noise = parse_within("--noise", *raw.noise, 0.0, 1.0);
  }
  if (raw.time_budget) {
    options.time_budget_s = parse_within("--time-budget", *raw.time_budget, 0.0, 3600.0);
  }
  if (raw.seed) {
    const std::string what = fmt::format("--seed '{}' is no whole number from 0", *raw.seed);
    const int seed = parse_int(*raw.seed, what);
    if (seed < 0) {
      throw Error(what);
    }
    options.seed = static_cast<std::uint32_t>(seed);
  }
  options.known_kernels = with_files(info, options.kernel_file);
  options.kernels = select_kernels(info, options.known_kernels, raw.kernels);
  if (options.kernel_file.empty()) {
    options.kernel_file = info.kernel_file;
  } else if (!options.kernels.empty()) {
    options.kernel_file = options.kernels.front().file;
  }
  const auto chosen = [&raw](const char* name) {
    return raw.kernels.empty() ||
           std::find(raw.kernels.begin(), raw.kernels.end(), name) != raw.kernels.end();
  };
  options.openmp = chosen(host_baseline);
  // Checking all candidates of the search takes minutes; that is only done if asked for by name.
  options.tuned = info.tuned && chosen(tuned) && !(options.verify_only && raw.kernels.empty());
}

/// A message of several lines (a compiler log) stays as it is; one line gets the program's name.
int fail(const Options& options, const std::string& message) {
  fmt::print(stderr, "{}: {}\n", options.program, message);
  return 1;
}

}  // namespace

int run_program(
    int argc, char** argv, const ProgramInfo& info,
    const std::function<int(const Options&)>& body) {
  Options options;
  options.program = std::filesystem::path(argv[0]).filename();
  CLI::App app(info.title, options.program);
  options.winners = "winners.csv";
  options.ceilings_file = ROOFLINE_KERNEL_FILE;
  options.filtered = info.filtered;
  options.command_line = fmt::format("{}", fmt::join(argv + 1, argv + argc, " "));
  RawOptions raw;
  add_flags(app, info, options, raw);
  try {
    app.parse(argc, argv);
    if (raw.list_devices) {
      fmt::print("{}", describe_devices(list_devices()));
      return 0;
    }
    finish_options(info, raw, options);
    return body(options);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return fail(options, fmt::format("{} (--help lists the flags)", error.what()));
  } catch (const cl::Error& error) {
    return fail(options, describe(error));
  } catch (const std::bad_alloc&) {
    return fail(options, "the host is out of memory; try a smaller image");
  } catch (const std::exception& error) {
    return fail(options, error.what());
  }
}

Image load_image(const Options& options) {
  return options.input.empty() ? make_test_card(options.width, options.height)
                               : read_image(options.input);
}

}  // namespace tutorial
