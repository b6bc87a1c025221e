// Breaks the kernels of each file, in a copy, by one mistake in one line at a time, and sees the
// program notice: a check that cannot fail proves nothing. One list of mistakes serves all files. A
// mutant that nobody can notice is listed, with the reason, in equivalent_mutants.txt.
#include <algorithm>
#include <optional>
#include <regex>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

struct Mistake {
  std::regex pattern;
  std::string replacement;
};

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = [] {
    const std::vector<std::pair<const char*, const char*>> list = {
        // The next element, the next work-item, the next pixel of a row; a number one larger; a row
        // for a column.
        {R"(\[([a-z2][^\]\[]*|[0-7])\])", "[$1 + 1]"},
        {R"((get_(global|local)_id\([01]\)))", "($1 + 1)"},
        {R"(\b(input|output|in|out|row) \+ )", "$1 + 1 + "},
        {R"(([-+*/%=&,(<>] ?)([0-9]+)([);, ]))", "$1($2 + 1)$3"},
        {R"(r \* (\w+) \+ c\b)", "c * $1 + r"},
        // Bounds and remainders: one too far, one too near; the other branch.
        {" < ", " <= "},
        {" < ", " + 1 < "},
        {" <= ", " < "},
        {" >= ", " > "},
        {" >= ", " + 1 >= "},
        {" > ", " >= "},
        {" == ", " != "},
        {" != ", " == "},
        {" && ", " || "},
        {R"(, true\b)", ", false"},
        {R"(, false\b)", ", true"},
        // The sum: from where, in which direction, of which lane, to which precision.
        {R"(0\.0f)", "0.001f"},
        {R"( = ([A-Z_]+);)", " = $1 - 1;"},
        {R"( \+ (r\)|taps.*))", " - $1"},
        {R"(\.x\b)", ".y"},
        {R"(\.w\b)", ".z"},
        {R"(\.yzw\b)", ".xyz"},
        {R"(\bmin\b)", "max"},
        {R"(\bmax\b)", "min"},
        {R"(\bLOW\()", "HIGH("},
        {R"(\bHIGH\()", "LOW("},
        {R"( = (sum[^;]*|left|right);)", " = 1.0001f * ($1);"},
        {R"((vstore[0-9]+\())", "$011.0001f * "},
        // What is left out: a barrier or another call, one pixel.
        {R"(^( *)([A-Za-z][A-Za-z0-9_]*\(.*\);?)$)", "$1/* $2 */"},
        {R"(^( *)output\[)", "$1if (x != 4 || y != 2) output["},
    };
    std::vector<Mistake> compiled;
    for (const auto& [pattern, replacement] : list) {
      compiled.push_back({std::regex(pattern, std::regex::optimize), replacement});
    }
    return compiled;
  }();
  return all;
}

/// The lines of a kernel file, a statement in each, without comments, and without what is not for
/// the simulator: there, inlining only takes time.
std::vector<std::string> statements(const std::string& text) {
  static const std::regex noise(
      R"(^//.*|  *//.*|__attribute__\(\(always_inline\)\) inline| __attribute__\(\(reqd_[^)]*\)\)\))");
  static const std::regex goes_on(R"(([=,(?:]|&&)$)");
  std::vector<std::string> lines;
  bool continued = false, hidden = false;
  for (const std::string& line : split(text, '\n')) {
    hidden = line.starts_with("#if") ? line.find("__NV_") != std::string::npos
                                     : hidden && !line.starts_with("#else");
    std::string kept = std::regex_replace(hidden && !line.starts_with("#") ? "" : line, noise, "");
    if (continued) {
      lines.back() += " " + kept.substr(std::min(kept.find_first_not_of(' '), kept.size()));
    } else {
      lines.push_back(kept);
    }
    continued = std::regex_search(lines.back(), goes_on);
  }
  return lines;
}

/// A kernel: its lines [first, end) of the file, and those of its helpers [helpers, first).
struct Kernel {
  std::string name;
  std::size_t helpers = 0, first = 0, end = 0;
};

/// The kernels of a file: those of these names, or all. Others are helpers.
std::vector<Kernel> kernels_of(
    const std::vector<std::string>& lines, const std::vector<std::string>& names) {
  std::vector<Kernel> kernels;
  for (std::size_t i = 0; i < lines.size(); i++) {
    const std::size_t name_begins = lines[i].find("void ") + 5;
    const std::string name =
        lines[i].starts_with("__kernel")
            ? lines[i].substr(name_begins, lines[i].find('(', name_begins) - name_begins)
            : "";
    if (!name.empty() && (names.empty() || std::ranges::count(names, name) > 0)) {
      const auto end = std::find_if(lines.begin() + i, lines.end(), [](const std::string& line) {
        return line.starts_with('}');
      });
      const std::size_t helpers = kernels.empty() ? 0 : kernels.back().end;
      kernels.push_back({name, helpers, i, std::size_t(end - lines.begin()) + 1});
    }
  }
  return kernels;
}

/// How a program runs a kernel: the first run is for all mutants, the others are for those that it
/// has missed. Small images: every access is interpreted.
std::vector<std::string> runs_of(const KernelFile& file) {
  if (file.program == "edge_conditions") {
    return {"--size 11x9"};
  }
  if (file.program == "median") {
    return {"--noise 0.3 --size 21x6", "--noise 0.3 --size 32x12", "--noise 0.3 --size 33x9"};
  }
  const int unit = file.unit;
  const auto size = [](int width, int height) {
    return " --size " + std::to_string(width) + "x" + std::to_string(height);
  };
  if (file.path.ends_with("fft.cl")) {
    // Both tiles of a pair, both edges of the image; a second pair; rows of whole vectors.
    return {
        "--filter-width 22 --size 44x3", "--filter-width 31 --size 70x36",
        "--filter-width 4 --size 64x61"};
  }
  if (file.tiles) {
    return {
        "--filter-width 18 --size 100x2", "--filter-width 17 --size 239x113",
        "--filter-width 4 --size 32x124"};
  }
  if (file.nvidia && unit == 0) {  // tiles of 128 x 16 outputs
    return {
        "--filter-width 5 --size 137x17", "--filter limits.txt --size 144x19",
        "--filter-width 10,18 --size 270x35", "--filter box --filter-width 2 --size 137x17"};
  }
  // Filters that leave three taps over, or one, two, none; several groups or blocks, that reach
  // beyond the image; rows that are ragged or whole vectors; rows beyond the sixteenth.
  if (unit == 0) {
    const std::string group = file.groups ? " --work-group 4x2" : "";
    return {
        "--filter-width 7 --size 9x8" + group, "--filter-width 5,6,8 --size 5x3" + group,
        "--filter-width 3 --size 33x18" + group};
  }
  const std::string filter = file.sparse ? "--filter cross7.txt" : "--filter-width 5";
  std::vector<std::string> runs = {
      filter + file.block(2, 2) + size(2 * unit + 3, 5),
      (file.constant_taps && !file.sparse ? "--filter-width 8" : filter) + file.block(2, 2) +
          " --block-group 3x5" + size(5 * unit, 6),
      (file.any_filter ? "--filter column18.txt" : "--filter-width 18") + file.block(1, 16) +
          size(unit - 1, 16)};
  if (!file.any_filter) {  // wide tiles, too
    runs.emplace_back("--filter-width 5 --size 140x18");
  }
  if (file.bytes) {
    runs.push_back("--filter limits.txt" + file.block(1, 2) + size(3 * unit, 6));
    runs.push_back("--filter box --filter-width 2" + file.block(1, 2) + size(2 * unit, 5));
  }
  return runs;
}

/// A kernel to break.
struct Target {
  KernelFile file;
  std::string kernel;
};

void PrintTo(const Target& target, std::ostream* out) {
  *out << target.kernel;
}

/// The kernels of the steps; and all in the files of two studies.
std::vector<Target> targets() {
  std::vector<KernelFile> files = kernel_files();
  for (const auto& [program, path] :
       {std::pair("edge_conditions", "studies/edge_conditions/smooth.cl"),
        std::pair("median", "median/median.cl")}) {
    KernelFile file{"", program, in_repository(path), read_text(in_repository(path)), {}};
    for (const Kernel& kernel : kernels_of(split(file.text, '\n'), {})) {
      file.kernels.push_back(kernel.name);
    }
    files.push_back(file);
  }
  std::vector<Target> all;
  for (const KernelFile& file : files) {
    for (const std::string& kernel : file.kernels) {
      if (kernel.find(':') == std::string::npos) {
        all.push_back({file, kernel});
      }
    }
  }
  return all;
}

/// Of the mutants of what takes long only each so many-th is tried, unless all are asked for.
int every(const KernelFile& file) {
  const bool all = !environment("TUTORIAL_TEST_ALL").empty();
  return all ? 1 : file.tiles ? 40 : file.slow ? 12 : file.program == "median" ? 2 : 1;
}

class Mutants : public DeviceTest, public testing::WithParamInterface<Target> {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    write_filters();
    lines_ = statements(file_.text);
    std::vector<std::string> names = file_.kernels;
    for (const KernelFile& file : kernel_files()) {
      names.insert(names.end(), file.kernels.begin(), file.kernels.end());
    }
    kernels_ = kernels_of(lines_, names);
    const auto own = std::ranges::find(kernels_, name_, &Kernel::name);
    ASSERT_NE(own, kernels_.end()) << file_.path << " has no kernel " << name_;
    kernel_ = *own;
    if (!file_.nvidia && !installed("oclgrind")) {
      GTEST_SKIP() << "Oclgrind is not installed";
    }
    const Ran right = run(lines_, runs_[0]);
    if (file_.nvidia && says(right.output, "skipped: needs NVIDIA's")) {
      GTEST_SKIP() << "the device is no GPU of NVIDIA's";
    }
    // Else no mutant would build, and each would pass for none.
    ASSERT_EQ(right.status, 0) << right;
  }

  /// Runs the kernel in a file without the bodies of the other kernels, of which the first may be
  /// the baseline, and those below may be helpers.
  Ran run(const std::vector<std::string>& lines, const std::string& arguments) const {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); i++) {
      const bool others =
          std::ranges::any_of(kernels_.begin() + 1, kernels_.end(), [&](const Kernel& kernel) {
            return kernel.name != kernel_.name && i >= kernel.first && i < kernel.end;
          });
      text += others ? "\n" : lines[i] + "\n";
    }
    write_whole("broken.cl", text);
    return (file_.nvidia ? program : simulated)(
        file_.program, "--verify-only --kernel-file broken.cl --kernel " + name_ + " " + arguments,
        {});
  }

  /// A wrong pixel, or an access beyond a buffer, which a device may answer with a crash. Nothing:
  /// it does not build, and so is no mutant.
  std::optional<bool> is_noticed(const std::vector<std::string>& lines) const {
    for (const std::string& arguments : runs_) {
      const Ran ran = run(lines, arguments);
      const std::string wrong = name_ + R"(,.*(wrong at \(\d+, \d+\): expected .*, got |outside))";
      if (ran.status == 139 || says(ran.errors, "^Invalid") ||
          (ran.status == 2 && says(ran.errors, wrong)) ||
          (file_.nvidia &&
           says(ran.errors, "CL_OUT_OF_RESOURCES|CL_INVALID_COMMAND_QUEUE|-9999"))) {
        return true;
      }
      if (says(ran.errors, "the kernels do not build")) {
        return {};
      }
    }
    return false;
  }

  const KernelFile file_ = as_program_has(GetParam().file);
  const std::string name_ = GetParam().kernel;
  const std::vector<std::string> runs_ = runs_of(file_);
  std::vector<std::string> lines_;
  std::vector<Kernel> kernels_;
  Kernel kernel_;
};

TEST_P(Mutants, AreNoticed) {
  const std::vector<std::string> equivalent =
      lines_with("^    ", read_text(in_repository("tests/equivalent_mutants.txt")));
  const int step = every(file_);
  int place = 0, noticed = 0;
  for (std::size_t i = kernel_.helpers; i < kernel_.end; i++) {
    for (const Mistake& mistake : mistakes()) {
      std::vector<std::string> lines = lines_;
      lines[i] = std::regex_replace(lines_[i], mistake.pattern, mistake.replacement);
      if (lines[i] == lines_[i] || lines[i].starts_with("#if") || place++ % step != 0) {
        continue;
      }
      const std::optional<bool> found = is_noticed(lines);
      noticed += found.value_or(false) ? 1 : 0;
      const std::string mutant = name_ + ": " + lines[i].substr(lines[i].find_first_not_of(' '));
      EXPECT_TRUE(
          !found || *found ||
          std::ranges::any_of(
              equivalent,
              [&](const std::string& known) {
                return mutant.find(known.substr(4)) != std::string::npos;
              }))
          << "neither noticed nor in equivalent_mutants.txt: " << mutant;
    }
  }
  EXPECT_GT(noticed, 0);
  RecordProperty("noticed", noticed);
}

INSTANTIATE_TEST_SUITE_P(Of, Mutants, testing::ValuesIn(targets()), [](const auto& info) {
  return info.param.kernel;
});

}  // namespace
}  // namespace tutorial
