#include "common/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <new>
#include <optional>
#include <string_view>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/opencl.hpp"
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

/// The baseline first, then the kernels of --kernel in their order; all of the program's kernels if
/// there is no
/// --kernel.
std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, const std::vector<std::string>& chosen) {
  if (info.kernels.empty()) {
    return {};
  }
  std::vector<std::string> names = chosen.empty() ? info.kernels : chosen;
  std::erase(names, host_baseline);
  if (info.tuned) {
    std::erase(names, tuned);
  }
  if (names.empty() || names.front() != info.kernels.front()) {
    names.insert(names.begin(), info.kernels.front());
  }
  std::map<std::string, int> seen;
  std::vector<KernelEntry> entries;
  for (const std::string& name : names) {
    if (std::find(info.kernels.begin(), info.kernels.end(), name) == info.kernels.end()) {
      throw Error(fmt::format(
          "unknown kernel '{}'; {} has {}", name, info.name, fmt::join(info.kernels, ", ")));
    }
    const int count = ++seen[name];
    entries.push_back(
        {count == 1 ? name : fmt::format("{}#{}", name, count), name.substr(0, name.find(':'))});
  }
  return entries;
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
  std::optional<std::string> lanes;
  std::optional<std::string> tile;
  std::optional<std::string> tile_group;
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
  if (info.work_groups) {
    add("--work-group", raw.work_group, "WxH",
        "work-group of the kernels with local memory\n(default: 16x16)");
  }
  if (info.tiles) {
    add("--tile", raw.tile, "WxH",
        "pixels that a work-item computes, up to 64x16\n(default: as suits the device)");
    add("--lanes", raw.lanes, "1|16", "compute by float or by float16 (likewise)");
    add("--tile-group", raw.tile_group, "WxH", "work-group of the kernels with tiles (likewise)");
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
            info.kernels.front()))
        ->delimiter(',')
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  add("--kernel-file", options.kernel_file, "FILE", "read the kernels from FILE");
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
  if (raw.lanes) {
    if (*raw.lanes != "1" && *raw.lanes != "16") {
      throw Error(fmt::format("--lanes '{}' is neither 1 nor 16", *raw.lanes));
    }
    options.lanes = *raw.lanes == "1" ? 1 : 16;
  }
  if (raw.tile) {
    parse_size("--tile", *raw.tile, options.tile_width, options.tile_height);
    if (options.tile_width > 64 || options.tile_height > 16) {
      throw Error(fmt::format("--tile {} is more than 64x16", *raw.tile));
    }
  }
  if (raw.tile_group) {
    parse_size(
        "--tile-group", *raw.tile_group, options.tile_group_width, options.tile_group_height);
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
  options.kernels = select_kernels(info, raw.kernels);
  const auto chosen = [&raw](const char* name) {
    return raw.kernels.empty() ||
           std::find(raw.kernels.begin(), raw.kernels.end(), name) != raw.kernels.end();
  };
  options.openmp = chosen(host_baseline);
  // Checking all candidates of the search takes minutes; that is only done if asked for by name.
  options.tuned = info.tuned && chosen(tuned) && !(options.verify_only && raw.kernels.empty());
}

/// A message of several lines (a compiler log) stays as it is; one line gets the program's name.
int fail(const ProgramInfo& info, const std::string& message) {
  fmt::print(stderr, "{}: {}\n", info.name, message);
  return 1;
}

}  // namespace

int run_program(
    int argc, char** argv, const ProgramInfo& info,
    const std::function<int(const Options&)>& body) {
  CLI::App app(info.summary, info.name);
  Options options;
  options.program = info.name;
  options.kernel_file = info.kernel_file;
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
    return fail(info, fmt::format("{} (--help lists the flags)", error.what()));
  } catch (const cl::Error& error) {
    return fail(info, describe(error));
  } catch (const std::bad_alloc&) {
    return fail(info, "the host is out of memory; try a smaller image");
  } catch (const std::exception& error) {
    return fail(info, error.what());
  }
}

Image load_image(const Options& options) {
  return options.input.empty() ? make_test_card(options.width, options.height)
                               : read_image(options.input);
}

}  // namespace tutorial
