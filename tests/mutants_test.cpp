// Breaks the kernels of each file, in a copy, by one mistake in one line at a time, and sees the
// program notice: a check that cannot fail proves nothing. One list of mistakes serves all files. A
// mutant that nobody can notice is listed, with the reason, in equivalent_mutants.txt.
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <set>

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
  static const std::regex noise(R"(^//.*|  *//.*|__attribute__\(\(always_inline\)\) inline)"
                                R"(| __attribute__\(\(reqd_[^)]*\)\)\))");
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

/// The kernel with one mistake: in line `place` of its file stands `line`.
struct Mutant {
  std::size_t place;
  std::string line;
  std::string name;  ///< of its kernel, in a file with others
};

class Mutants : public DeviceTest, public testing::WithParamInterface<Target> {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!file_.nvidia && !installed("oclgrind")) {
      GTEST_SKIP() << "Oclgrind is not installed";
    }
    write_inputs();
    lines_ = statements(file_.text);
    std::vector<std::string> names = file_.kernels;
    for (const KernelFile& file : kernel_files()) {
      names.insert(names.end(), file.kernels.begin(), file.kernels.end());
    }
    for (const Kernel& kernel : kernels_of(lines_, names)) {
      if (kernel.name == name_) {
        kernel_ = kernel;
      } else {
        std::fill(lines_.begin() + kernel.first, lines_.begin() + kernel.end, "");
      }
    }
    own_ = {lines_.begin() + kernel_.helpers, lines_.begin() + kernel_.end};
    // What began above ends there, and what begins here ends here.
    int depth = 0;
    for (std::string& line : own_) {
      const bool ends = line.starts_with("#endif"), turns = line.starts_with("#else");
      line = depth == 0 && (ends || turns) ? "" : line;
      depth += line.starts_with("#if") ? 1 : line.starts_with("#endif") ? -1 : 0;
    }
    own_.resize(own_.size() + depth, "#endif");
    // A device may be lost with a crash, and a host may know a second kernel by its name.
    alone_ = file_.nvidia ||
             lines_with("^__kernel", fmt::format("{}", fmt::join(lines_, "\n"))).size() > 1;
    const Ran right = run({}, runs_[0]);
    if (says(right.output, "skipped: needs NVIDIA's")) {
      GTEST_SKIP() << "the device is no GPU of NVIDIA's";
    }
    ASSERT_EQ(right.status, 0) << right;
  }

  /// Of those of what takes long each so many-th, unless all are asked for.
  std::vector<Mutant> mutants() const {
    const bool all = !environment("TUTORIAL_TEST_ALL").empty();
    const int step = all                         ? 1
                     : file_.tiles               ? 40
                     : file_.slow                ? 12
                     : file_.program == "median" ? 2
                                                 : 1;
    std::vector<Mutant> found;
    int count = 0;
    for (std::size_t i = kernel_.helpers; i < kernel_.end; i++) {
      for (const Mistake& mistake : mistakes()) {
        const std::string line =
            std::regex_replace(lines_[i], mistake.pattern, mistake.replacement);
        if (line != lines_[i] && !line.starts_with("#if") && count++ % step == 0) {
          found.push_back({i, line, alone_ ? name_ : fmt::format("{}_{}", name_, found.size())});
        }
      }
    }
    return found;
  }

  /// A file with the kernel, without the bodies of others, and below it copies with a mistake, of
  /// it and its helpers; or with one mutant in its place.
  std::string text_of(const std::vector<Mutant>& mutants) const {
    std::vector<std::string> lines = lines_;
    if (alone_ && !mutants.empty()) {
      lines[mutants[0].place] = mutants[0].line;
    }
    std::string text = fmt::format("{}\n", fmt::join(lines, "\n"));
    // Macros, types, constants and functions.
    static const std::regex definition(
        R"(^(#define |__constant \w+ |\} |typedef .*\b(?=\w+( __attribute__.*)?;$)|[A-Za-z_][^(]*\b(?=\w+\())(\w+))");
    std::string names;
    for (const std::string& line : own_) {
      std::smatch match;
      names += std::regex_search(line, match, definition) ? "|" + match[3].str() : "";
    }
    for (std::size_t i = 0; i < mutants.size() && !alone_; i++) {
      std::vector<std::string> copy = own_;
      copy[mutants[i].place - kernel_.helpers] = mutants[i].line;
      const std::string suffix = mutants[i].name.substr(name_.size());
      text += replaced(
          fmt::format("{}\n", fmt::join(copy, "\n")), "\\b(" + names.substr(1) + ")\\b",
          "$1" + suffix);
    }
    return text;
  }

  Ran run(const std::vector<Mutant>& mutants, const std::string& arguments) const {
    write_whole("mutants.cl", text_of(mutants));
    const std::string baseline = alone_ ? "" : " --baseline " + name_;
    return (file_.nvidia ? program : simulated)(
        file_.program,
        "--verify-only --against mutants.cl --kernel " + name_ + baseline + " " + arguments, {});
  }

  /// Those of these mutants that are not noticed: by a wrong pixel, an access beyond a buffer, or a
  /// crash. Those that do not build are no mutants.
  std::vector<Mutant> missed(std::vector<Mutant> mutants, const std::string& arguments) {
    if (mutants.empty()) {
      return {};
    }
    const Ran ran = run(mutants, arguments);
    std::set<std::string> noticed, broken;
    for (const std::string& line : split(ran.errors, '\n')) {
      std::smatch match;
      static const std::regex error(R"(mutants\.cl:(\d+):\d+: error)");
      if (line.starts_with("\tKernel: ")) {
        noticed.insert(alone_ ? name_ : line.substr(9));
      } else if (const auto end = line.find(":mutants, filter width"); end != std::string::npos) {
        noticed.insert(line.substr(line.find(": ") + 2, end - line.find(": ") - 2));
      } else if (std::regex_search(line, match, error)) {
        const std::size_t number = std::stoul(match[1]) - 1;
        broken.insert(
            mutants
                .at(alone_ ? 0
                           : std::min((number - lines_.size()) / own_.size(), mutants.size() - 1))
                .name);
      }
    }
    EXPECT_TRUE(alone_ || noticed.count(name_) == 0) << "the kernel without a mistake\n" << ran;
    const std::size_t before = mutants.size();
    std::erase_if(mutants, [&](const Mutant& mutant) {
      return noticed.count(mutant.name) + broken.count(mutant.name) > 0;
    });
    noticed_ += broken.empty() ? before - mutants.size() : 0;
    if (!broken.empty()) {
      return missed(mutants, arguments);
    }
    if (ran.status == 0 || ran.status == 2) {
      return mutants;
    }
    EXPECT_FALSE(says(ran.errors, "the kernels do not build")) << ran;
    if (before == 1) {  // a crash
      noticed_++;
      return {};
    }
    const auto middle = mutants.begin() + mutants.size() / 2;
    std::vector<Mutant> found = missed({mutants.begin(), middle}, arguments);
    std::ranges::copy(missed({middle, mutants.end()}, arguments), std::back_inserter(found));
    return found;
  }

  const KernelFile file_ = as_program_has(GetParam().file);
  const std::string name_ = GetParam().kernel;
  const std::vector<std::string> runs_ = runs_of(file_);
  std::vector<std::string> lines_, own_;
  Kernel kernel_;
  bool alone_ = false;
  std::size_t noticed_ = 0;
};

TEST_P(Mutants, AreNoticed) {
  const std::vector<Mutant> all = mutants();
  std::vector<Mutant> left;
  for (std::size_t i = 0; i < all.size(); i += alone_ ? 1 : all.size()) {
    std::vector<Mutant> some(all.begin() + i, alone_ ? all.begin() + i + 1 : all.end());
    for (const std::string& arguments : runs_) {
      some = missed(some, arguments);
    }
    std::ranges::copy(some, std::back_inserter(left));
  }
  EXPECT_GT(4 * noticed_, all.size()) << "of some kernels many mutants are equivalent";
  const auto equivalent = lines_with("^    ", source("tests/equivalent_mutants.txt"));
  for (const Mutant& mutant : left) {
    const std::string line = name_ + ": " + replaced(mutant.line, "^ +", "");
    EXPECT_TRUE(std::ranges::any_of(
        equivalent,
        [&](const std::string& known) { return line.find(known.substr(4)) != std::string::npos; }))
        << "neither noticed nor in equivalent_mutants.txt: " << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Mutants, testing::ValuesIn(targets()), [](const auto& info) {
  return info.param.kernel;
});

}  // namespace
}  // namespace tutorial
