#include "common/options.hpp"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <set>

#include "common/lab/work.hpp"
#include "common/system.hpp"

namespace tutorial {

namespace {

std::set<std::string> kernels_in_file(const std::string& kernel_file) {
  const std::vector<std::string> names = kernel_names(read_text(kernel_file));
  return {names.begin(), names.end()};
}

/// The program's kernels with the paths of their files, and as --block and --block-group ask.
std::vector<KernelEntry> all_kernels(const ProgramInfo& info, const Options& options) {
  std::set<std::string> replaced;
  if (!options.kernel_file.empty()) {
    const std::set<std::string> defined = kernels_in_file(options.kernel_file);
    for (const KernelEntry& entry : info.kernels) {
      if (defined.contains(entry.name())) {
        replaced.insert(entry.file);
      }
    }
    if (replaced.empty() && !info.kernels.empty()) {
      require_kernel(options.kernel_file, info.kernels.front().name());
    }
  }
  const std::filesystem::path folder = std::filesystem::path(info.kernel_file).parent_path();
  std::vector<KernelEntry> entries = info.kernels;
  for (KernelEntry& entry : entries) {
    entry.row = std::size_t(&entry - entries.data());
    const std::string& file = entry.file;
    entry.file = replaced.contains(file) ? options.kernel_file
                 : file.empty()          ? info.kernel_file
                                         : (folder / file).lexically_normal().string();
    if (entry.has_block() && options.block != Extent{}) {
      entry.shape = {.block = options.block};
    }
    if (!entry.fixed) {
      entry.shape.group = options.block_group;
    }
  }
  return entries;
}

/// Of the `known` kernels those that `labels` (--kernel) names, in its order, or all if it names
/// none; before them the baseline, if the program keeps it, or if it names no kernel.
std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, const std::vector<KernelEntry>& known,
    const std::vector<std::string>& labels) {
  std::vector<KernelEntry> entries;
  const auto add = [&](const std::string& label) {
    const auto found = std::ranges::find(known, label, &KernelEntry::label);
    if (found != known.end() && std::ranges::count(entries, label, &KernelEntry::label) == 0) {
      entries.push_back(*found);
    }
  };
  if (info.keeps_baseline && !known.empty()) {
    add(known.front().label);
  }
  std::ranges::for_each(labels, add);
  return labels.empty() ? known : entries.empty() ? std::vector{known.front()} : entries;
}

/// Of the kernels to run those that the file of --against defines too, each followed by the one
/// from that file, labelled `LABEL:STEM`; the baseline in any case, and all if they were `chosen`
/// by --kernel. With --baseline, or if it defines none of them but one kernel of another name, all
/// that it defines, `NAME:STEM`, follow that one, or else the last that was chosen, or else the
/// baseline.
std::vector<KernelEntry> add_against(const Options& options, bool chosen) {
  const std::set<std::string> defined = kernels_in_file(options.against);
  const auto defines = [&defined](const auto& entry) { return defined.contains(entry.name()); };
  const bool fits = options.baseline.empty() && std::ranges::any_of(options.kernels, defines);
  const std::string model = !options.baseline.empty() ? options.baseline
                            : chosen                  ? options.kernels.back().label
                                                      : options.kernels.front().label;
  require(
      fits || defined.size() == 1 || (!options.baseline.empty() && !defined.empty()),
      "{} has no kernel of {}; it defines: {}{}", options.against, options.program,
      fmt::join(defined, ", "), defined.empty() ? "no kernel" : "; --baseline says what they are");
  require(
      std::ranges::count(options.kernels, model, &KernelEntry::label) != 0,
      "--baseline: '{}' is no kernel that runs", model);
  std::vector<KernelEntry> entries;
  for (const KernelEntry& entry : options.kernels) {
    const bool compared = fits ? defines(entry) : entry.label == model;
    if (chosen || entries.empty() || compared) {
      entries.push_back(entry);
    }
    for (const std::string& name : defined) {
      if (compared && (!fits || name == entry.name())) {
        entries.push_back(entry);
        entries.back().label = (fits ? entry.label : name) + ":" +
                               std::filesystem::path(options.against).stem().string();
        entries.back().file = options.against;
        entries.back().original = entry.label;
      }
    }
  }
  return entries;
}

/// What the program runs, by `labels` (--kernel) and by what the options say of files and blocks:
/// sets known_kernels, kernels, kernel_file, openmp and tuned. A user's kernel file replaces each
/// of the program's files of which it defines a kernel. Throws `Error` for a kernel that its file
/// does not define, and if there is nothing to compare with --against.
void choose_kernels(
    const ProgramInfo& info, const std::vector<std::string>& labels, Options& options) {
  options.known_kernels = all_kernels(info, options);
  for (const KernelEntry& entry : options.known_kernels) {
    options.pixel_bytes = std::min(options.pixel_bytes, entry.pixel_bytes);
  }
  options.kernels = select_kernels(info, options.known_kernels, labels);
  for (const KernelEntry& entry : options.kernels) {
    if (!entry.file.empty()) {
      require_kernel(entry.file, entry.name());
    }
  }
  if (!options.against.empty()) {
    options.kernels = add_against(options, !labels.empty());
  }
  if (options.kernel_file.empty()) {
    options.kernel_file = info.kernel_file;
  }
  // With --against only what is compared runs, unless --kernel asks for more.
  const bool all = labels.empty() && options.against.empty();
  const auto chosen = [&labels, all](const char* name) {
    return all || std::ranges::count(labels, name) != 0;
  };
  options.openmp = info.filtered && info.openmp ? host_loops : std::vector<HostLoops>();
  std::erase_if(options.openmp, [&](const HostLoops& loops) { return !chosen(loops.label); });
  // Checking all candidates of the search takes minutes; that is only done if asked for by name.
  options.tuned = info.tuned && chosen(tuned) && !(options.verify_only && labels.empty());
}

Extent parse_extent(const char* flag, const std::string& text) {
  const auto sides = search(text, "^([1-9][0-9]{0,8})x([1-9][0-9]{0,8})$");
  if (sides.empty()) {
    throw CLI::ValidationError(flag, "must be WxH, both at least 1, not '" + text + "'");
  }
  return {std::stoi(sides[1]), std::stoi(sides[2])};
}

/// Parses N, A:B or A:B:STEP, or several of these with commas between them.
std::vector<int> parse_filter_widths(const char* flag, const std::string& text) {
  std::vector<int> widths;
  for (const std::string& item : split(text, ',')) {
    const std::vector<std::string> parts = split(item, ':');
    const auto number = [&parts](std::size_t i, int otherwise) {
      return i < parts.size() ? parse_number<int>(parts[i]).value_or(0) : otherwise;
    };
    const int first = number(0, 0);
    const int last = number(1, first);
    const int step = number(2, 1);
    if (parts.size() > 3 || first < 1 || first > last || last > max_filter_width || step < 1) {
      throw CLI::ValidationError(
          flag, "must be N, A:B or A:B:STEP, from 1 to 32, not '" + text + "'");
    }
    for (int width = first; width <= last; width += std::min(step, max_filter_width)) {
      widths.push_back(width);
    }
  }
  return widths;
}

/// Descriptions are broken by hand, for a terminal of 80 columns. `kernels` is for --kernel.
void add_flags(
    CLI::App& app, const ProgramInfo& info, Options& options, std::vector<std::string>& kernels) {
  app.get_formatter()->column_width(30);
  app.get_formatter()->label("OPTIONS", "FLAGS");
  // Of a flag that is given twice the last one counts: a script's defaults can be overridden.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  const auto add = [&app](
                       const char* flag, auto& target, const char* type, const std::string& text) {
    return app.add_option(flag, target, text)->type_name(type);
  };
  const auto add_parsed = [&app](
                              const char* flag, auto& target, auto parse, const char* type,
                              const std::string& text) {
    const auto set = [=, &target](const std::string& value) { target = parse(flag, value); };
    app.add_option_function<std::string>(flag, set, text)->type_name(type);
  };
  const bool runs_kernels = !info.kernels.empty();

  add("--input", options.input, "FILE",
      "image to filter: png, jpg, pgm or ppm\n(default: a test card)");
  add_parsed(
      "--size", options.size, parse_extent, "WxH", "size of the test card (default: 2048x2048)");
  if (info.filtered && runs_kernels) {
    add("--filter", options.filter, "NAME|FILE",
        fmt::format(
            "random, separable, gaussian, box, sharpen,\nmotion-blur, or a text file of numbers\n"
            "(default: {})",
            info.filter));
  }
  if (info.filtered) {
    add_parsed(
        "--filter-width", options.filter_widths, parse_filter_widths, "N|A:B[:S]",
        "1 to 32; a range for a sweep (default: 7)");
  }
  if (std::ranges::any_of(info.kernels, &KernelEntry::tile)) {
    add_parsed(
        "--work-group", options.work_group, parse_extent, "WxH",
        "work-group of the kernels with local memory\n(default: 16x16)");
  }
  if (std::ranges::any_of(info.kernels, &KernelEntry::has_block)) {
    add_parsed(
        "--block", options.block, parse_extent, "WxH",
        "pixels that a work-item computes, up to 64x16\n(default: 4x4, vectors: 64x4 or 32x3)");
    add_parsed(
        "--block-group", options.block_group, parse_extent, "WxH",
        "work-group of the kernels with blocks\n(default: 1x1 on a CPU, else 32x4)");
  }
  for (const Flag& flag : info.flags) {
    if (flag.output != nullptr) {
      add(flag.name, *flag.output, flag.type, flag.text);
    } else {
      app.add_option_function<std::string>(flag.name, flag.set, flag.text)->type_name(flag.type);
    }
  }
  add("--device", options.device, "P:D|TEXT",
      "platform:device or part of a name (default:\n"
      "$TUTORIAL_DEVICE, else the first GPU, else the\nfirst device)");
  add("--kernel-file", options.kernel_file, "FILE", "read from FILE the kernels that it defines");
  if (runs_kernels && info.against) {
    add("--against", options.against, "FILE",
        "run the kernels that FILE defines beside the\nprogram's of the same names, and compare; "
        "one of\nanother name beside the last of --kernel");
    add("--baseline", options.baseline, "NAME",
        "with --against: launch all kernels that FILE\ndefines as NAME is, and compare each with "
        "it")
        ->needs("--against");
    app.add_flag(
        "--as-asked", options.as_asked, "do not try these at other sizes and widths first");
  }
  if (runs_kernels) {
    std::vector<std::string> names;
    std::ranges::transform(info.kernels, std::back_inserter(names), &KernelEntry::label);
    if (info.filtered && info.openmp) {
      std::ranges::transform(host_loops, std::back_inserter(names), &HostLoops::label);
    }
    if (info.tuned) {
      names.emplace_back(tuned);
    }
    add("--kernel", kernels, "NAME[,...]",
        info.keeps_baseline ? fmt::format(
                                  "run only these, in this order;\n{} always runs, as the baseline",
                                  info.kernels.front().label)
                            : "run only these, in this order;\nthe first is the baseline")
        ->delimiter(',')
        ->check(CLI::IsMember(names).description(""))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add("--seed", options.seed, "N", "of everything random (default: 1)");
  }
  if (runs_kernels && info.output) {
    add("--output", options.output, "FILE",
        "write the last kernel's result:\npng, pgm or pfm (exact)");
  }
  add("--csv", options.csv, "FILE", "write the measurements");
  add("--time-budget", options.time_budget_s, "SECONDS",
      runs_kernels ? "time to measure each filter width, or for 15\nruns of each kernel if longer "
                     "(default: 2);\nbuilding and verifying come on top"
                   : "time to measure all ceilings (default: 2)")
      ->check(CLI::Range(3600.0));
  app.add_flag("--verify-only", options.verify_only, "check the results, do not measure");
}

/// Throws `Error` if a file to be `written` is one to read too, or the same as another one.
void require_distinct_files(
    const std::map<std::string, const std::string*>& written, const Options& options,
    const std::string& filter) {
  std::set<std::filesystem::path> known;
  const auto is_new = [&known](const std::string& path) {
    std::error_code unknown;  // what is wrong with a path is said when it is opened
    const auto file = std::filesystem::weakly_canonical(path, unknown);
    return unknown || known.insert(std::filesystem::absolute(file, unknown)).second;
  };
  for (const auto& path : {options.input, filter, options.against, options.kernel_file}) {
    is_new(path);
  }
  std::ranges::for_each(options.known_kernels, is_new, &KernelEntry::file);
  for (const auto& [flag, path] : written) {
    require(
        path->empty() || is_new(*path), "{}: {} is read too, or written by another flag", flag,
        *path);
  }
}

/// OpenMP's idle threads spin for a while, which would slow down whatever is timed next, unless the
/// environment tells them to sleep. That is read before main() begins: so the program begins anew.
void let_openmp_threads_sleep(const std::vector<std::string>& words) {
  if (environment("OMP_WAIT_POLICY").empty()) {
    try {
      become({words, {{"OMP_WAIT_POLICY", "passive"}}});
    } catch (const Error&) {  // the threads spin
    }
  }
}

/// Prints the message behind the program's name; returns the exit status.
int fail(const Options& options, const std::string& message) {
  // Not by fmt::print, which throws where stderr cannot be written to.
  std::fputs(fmt::format("{}: {}\n", options.program, message).c_str(), stderr);
  return 1;
}

/// Where a kernel from --against is tried before it is timed, besides what the options ask for.
struct Trial {
  Extent size;
  int filter_width;
  Extent work_group = {};   ///< none: as the options say
  std::string filter = {};  ///< none: the program's own, which no mirrored kernel passes
  std::string input = {};   ///< none: the test card
};

/// Odd images, wide ones, tall ones, and of one pixel; filters narrow and wide, whose widths leave
/// each remainder by four; and other work-groups: a host that lets OpenCL choose gets those that
/// the image bounds. Of a box of 2 x 2 bytes many a sum ends in half a grey level. The last one has
/// pixels and taps that the others lack, in files of this folder.
std::vector<Trial> make_trials(const std::string& folder) {
  std::vector<Trial> trials = {
      {{101, 67}, 1},
      {{101, 67}, 4},
      {{23, 19}, 18, {8, 4}},
      {{101, 67}, 12},
      {{300, 3}, 9},
      {{3, 200}, 15},
      {{1, 1}, 6, {1, 1}},
      {{37, 29}, 25},
      {{64, 48}, 2, {}, "box"},
      {{53, 31}, 5, {}, folder + "/taps.txt", folder + "/image.pgm"}};
  const Trial& special = trials.back();
  Image image(special.size.width, special.size.height);
  for (std::size_t i = 0; i < image.size(); i++) {
    image.pixels[i] = std::array{0.0F, 1.0F, 1 / 255.0F, 254 / 255.0F, 0.5F}[i * i / 7 % 5];
  }
  write_image(special.input, image);
  // A column times a row, for two passes; and at least half are 0, for kernels that leave those
  // out.
  write_whole(special.filter, "0 0 0 0 0\n1 0 .5 1 -1\n-1 0 -.5 -1 1\n0 0 0 0 0\n2 0 1 2 -2\n");
  return trials;
}

/// The same for kernels alone, without measurements or a file.
Options only_verified(Options options) {
  options.csv = options.output = "";
  options.openmp.clear();
  options.tuned = false;
  options.verify_only = true;
  return options;
}

/// Tries a kernel from --against. Only mistakes are printed. Returns whether there are such.
bool is_wrong(
    const ProgramInfo& info, const std::function<int(const Options&)>& body, const Options& options,
    const KernelEntry& entry) {
  const TemporaryFolder folder;
  for (const auto& [size, filter_width, work_group, filter, input] : make_trials(folder.path())) {
    Options trial = only_verified(options);
    trial.input = input;
    trial.filter = filter.empty() ? info.filter : filter;
    trial.kernels = {options.kernels.front(), entry};  // a program expects its baseline
    trial.size = size;
    trial.filter_widths = {filter_width};
    if (work_group != Extent{}) {
      trial.work_group = work_group;
      trial.kernels.back().shape.group = entry.fixed ? entry.shape.group : work_group;
    }
    int status = 0;
    try {
      const auto silent = silence();
      status = body(trial);
    } catch (const NothingRan&) {  // it does not suit this filter or this work-group
    }
    if (status == 2) {
      fail(
          options, fmt::format(
                       "{} is not timed: it is wrong at {}x{} (--as-asked times it all the same)",
                       entry.label, size.width, size.height));
      return true;
    }
  }
  return false;
}

/// Filters a photo in colour by one kernel: each channel is a gray image of bytes. That is the last
/// one of --kernel or, unless it was `chosen`, the last of the table that is made for this kind of
/// device. One that cannot run leaves it to the one before it.
int filter_in_colour(
    const std::function<int(const Options&)>& body, const Options& options, bool chosen,
    RgbaImage photo) {
  std::vector<KernelEntry> kernels = options.kernels;
  if (!chosen) {
    const auto type = select_device(options.device).getInfo<CL_DEVICE_TYPE>();
    std::ranges::stable_sort(kernels, {}, [type](const KernelEntry& entry) {
      return std::pair((entry.tried_on & type) != 0, entry.label == entry.name());
    });
  }
  const TemporaryFolder folder;
  Options one = only_verified(options);
  one.input = folder.path() + "/channel.pgm";
  one.output = folder.path() + "/result.pgm";
  one.filter_widths = {options.filter_widths.back()};
  for (; !kernels.empty(); kernels.pop_back()) {
    one.kernels = {kernels.back()};
    fmt::print(
        "{}, in colour: {} alone filters each channel\n", options.input, kernels.back().label);
    try {
      for (int shift = 0; shift < 24; shift += 8) {
        Image channel(photo.width, photo.height);
        std::ranges::transform(photo.pixels, channel.pixels.begin(), [shift](std::uint32_t pixel) {
          return float(pixel >> shift & 255) / 255.0F;
        });
        write_image(one.input, channel);
        const auto silent = silence();
        if (const int status = body(one); status != 0) {
          return status;
        }
        channel = read_image(one.output);
        for (std::size_t i = 0; i < photo.size(); i++) {
          const auto level = std::uint32_t(std::lround(255.0F * channel.pixels[i]));
          photo.pixels[i] = (photo.pixels[i] & ~(255U << shift)) | level << shift;
        }
      }
      write_png(options.output, photo);
      fmt::print("verified, and written to {}\n", options.output);
      return 0;
    } catch (const NothingRan&) {
      fmt::print("it does not run here\n");
    }
  }
  throw NothingRan();
}

/// The exit status: it is no success if what was printed is lost.
int printed(const Options& options, int status) {
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  return lost && status == 0 ? fail(options, "the output cannot be written") : status;
}

}  // namespace

int run_program(
    int argc, char** argv, const ProgramInfo& info,
    const std::function<int(const Options&)>& body) {
  const std::vector<std::string> words = arguments(argc, argv);
  let_openmp_threads_sleep(words);
  Options options;
  options.filter = info.filter;
  options.more_ceilings = info.more_ceilings;
  options.program = std::filesystem::path(words[0]).stem().string();
  const std::string users_options = environment("TUTORIAL_BUILD_OPTIONS");
  options.build_options = users_options.empty() ? "" : " " + users_options;
  now_running(options.program);  // before a driver's compiler handles signals too
  // For the record, but for the files that are written: the record stands in one of them.
  std::map<std::string, const std::string*> written = {
      {"--csv", &options.csv}, {"--output", &options.output}};
  for (const Flag& flag : info.flags) {
    flag.output != nullptr ? void(written[flag.name] = flag.output) : void();
  }
  for (std::size_t i = 1; i < words.size(); i++) {
    const std::string& word = words[i];
    const std::string flag = word.substr(0, word.find('='));
    if (written.contains(flag)) {
      i += flag == word ? 1 : 0;
    } else {
      options.command_line += (options.command_line.empty() ? "" : " ") + word;
    }
  }
  CLI::App app(info.title, options.program);
  std::vector<std::string> kernels;
  add_flags(app, info, options, kernels);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));  // from the end
    require(
        options.block.width <= largest_block.width && options.block.height <= largest_block.height,
        "--block: must be at most 64x16");
    const int file_width = info.filtered ? make_filter(options.filter, 0, 0).width : 0;
    if (file_width != 0 && app.count("--filter-width") == 0) {
      options.filter_widths = {file_width};
    }
    choose_kernels(info, kernels, options);
    options.as_asked = options.as_asked || options.verify_only;
    require_distinct_files(written, options, file_width != 0 ? options.filter : "");
    const auto removed = std::erase_if(options.kernels, [&](const KernelEntry& entry) {
      return !options.as_asked && !entry.original.empty() && is_wrong(info, body, options, entry);
    });
    // For a picture alone, without measurements.
    if (info.filtered && !info.kernels.empty() && !options.input.empty() && options.csv.empty() &&
        options.against.empty() && options.output.ends_with(".png")) {
      const RgbaImage photo = read_rgba_image(options.input);
      const auto has_colour = [](std::uint32_t pixel) {
        return (pixel & 255) != (pixel >> 8 & 255) || (pixel & 255) != (pixel >> 16 & 255);
      };
      if (std::ranges::any_of(photo.pixels, has_colour)) {
        return printed(options, filter_in_colour(body, options, !kernels.empty(), photo));
      }
    }
    const int status = body(options);
    // One line: what was checked, and what no look at results finds.
    if (!options.against.empty()) {
      fmt::print(
          "checked: {}; not checked: {}data races, reads out of bounds, which Oclgrind "
          "finds: oclgrind --data-races {} --device oclgrind --against {} --size 64x48 "
          "--verify-only{}\n",
          options.as_asked ? "as asked" : "as asked, and at other sizes, widths and work-groups",
          options.as_asked ? "other sizes, " : "", words[0], options.against,
          // Otherwise a work-group has one item there, and no races in its local memory.
          std::ranges::any_of(info.kernels, &KernelEntry::has_block) ? " --block-group 8x4" : "");
    }
    return printed(options, status == 0 && removed > 0 ? 2 : status);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return printed(options, 0);
  } catch (const CLI::ParseError& error) {
    return fail(options, fmt::format("{} (--help lists the flags)", error.what()));
  } catch (const std::bad_alloc&) {
    return fail(options, "the host is out of memory; try a smaller image");
  } catch (const std::exception& error) {
    return fail(options, describe(error));
  }
}

void require_kernel(const std::string& kernel_file, const std::string& name) {
  const auto names = kernels_in_file(kernel_file);
  require(
      names.contains(name), "{} has no kernel {}{}{}", kernel_file, name,
      names.empty() ? "" : "; it has ", fmt::join(names, ", "));
}

Image load_image(const Options& options) {
  return options.input.empty() ? make_test_card(options.size.width, options.size.height)
                               : read_image(options.input);
}

}  // namespace tutorial
