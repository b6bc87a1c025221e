// Breaks the kernels of each file, in a copy, by one of mistakes.txt in one line at a time, and
// sees the program notice: a check that cannot fail proves nothing. A mutant that nobody can notice
// is listed, with the reason, in equivalent_mutants.txt. Tries some of each kernel's mutants, or
// all with TUTORIAL_TEST_ALL=1 ctest --preset ci -R Mutants.
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

using Lines = std::vector<std::string>;

/// A kernel to break.
struct Target {
  KernelFile file;
  std::string kernel;
};

/// The kernels of the steps; and all in the files of two studies.
std::vector<Target> targets() {
  std::vector<KernelFile> files = kernel_files();
  for (const auto& [name, path] :
       {std::pair("edge_conditions", "studies/edge_conditions/smooth.cl"),
        std::pair("median", "median/median.cl")}) {
    const std::string text = source(path);
    files.push_back({name, name, in_repository(path), text, kernel_names(text), 0, {{name, true}}});
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

class Mutants : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    if (!has_device() || (!file.is("nvidia") && !installed("oclgrind"))) {
      GTEST_SKIP() << "no device, or no Oclgrind";
    }
    write_inputs();
    const Ran right = run(whole, runs.at(0));
    if (says(right.output, "skipped: needs NVIDIA's")) {
      GTEST_SKIP() << "the device is no GPU of NVIDIA's";
    }
    ASSERT_TRUE(right.status == 0 && !is_noticed(right)) << right;
  }

  Ran run(const Lines& lines, const std::string& arguments) const {
    write_whole("mutant.cl", fmt::format("{}\n", fmt::join(lines, "\n")));
    return (file.is("nvidia") ? program : simulated)(
        file.program,
        fmt::format("--verify-only --against mutant.cl --kernel {} {}", kernel, arguments), {});
  }

  /// By a wrong pixel, a crash, or the compiler; or by the simulator, beyond a buffer.
  static bool is_noticed(const Ran& ran) {
    return ran.status != 0 || says(ran.errors, "^\tKernel: ");
  }

  /// The kernel with what it needs of its file, or with the helpers above it alone, a statement in
  /// each line.
  Lines lines_of_kernel(bool all) const {
    // Neither comments nor what is not for the simulator: there, inlining only takes time.
    const std::string noise =
        " *//[^\n]*|__attribute__\\(\\(always_inline\\)\\) inline|"
        " __attribute__\\(\\(reqd_[^)]*\\)\\)\\)";
    const std::string text = replaced(kernel_in(file.path, kernel, all), noise, "");
    return split(replaced(text, R"(([=,(?:]|&&)\n *)", "$1 "), '\n');
  }

  const KernelFile& file = GetParam().file;
  const std::string& kernel = GetParam().kernel;
  const Lines whole = lines_of_kernel(true);
  const std::size_t begin = whole.size() - lines_of_kernel(false).size();  ///< of what is broken
  /// The first is for all, the others are for what it has missed.
  const Lines runs = file.runs("mutant");
};

TEST_P(Mutants, AreNoticed) {
  const std::size_t step = !environment("TUTORIAL_TEST_ALL").empty() ? 1
                           : file.is("tiles")                        ? 97
                           : file.is("slow")                         ? 41
                                                                     : 11;
  const Lines equivalent = lines_with("^    ", source("tests/equivalent_mutants.txt"));
  std::size_t count = 0, noticed = 0;
  for (const std::string& mistake : lines_with("^\"", source("tests/mistakes.txt"))) {
    const Words edit = search(mistake, "^\"(.*)\" => \"(.*)\"$");
    for (std::size_t i = begin; i < whole.size(); i++) {
      Lines mutant = whole;
      mutant[i] = replaced(mutant[i], edit.at(1), edit.at(2));
      if (mutant[i] == whole[i] || mutant[i].starts_with("#if")) {
        continue;
      }
      const std::string name = kernel + ": " + replaced(mutant[i], "^ +", "");
      const auto is_this = [&](auto& known) { return name.find(known.substr(4)) != name.npos; };
      if (std::ranges::any_of(equivalent, is_this) || count++ % step != 0) {
        continue;
      }
      const bool is_seen = std::ranges::any_of(
          runs, [&](const std::string& arguments) { return is_noticed(run(mutant, arguments)); });
      EXPECT_TRUE(is_seen) << "neither noticed nor in equivalent_mutants.txt: " << name;
      noticed += is_seen;
    }
  }
  EXPECT_GT(noticed, 0U);
}

INSTANTIATE_TEST_SUITE_P(Of, Mutants, testing::ValuesIn(targets()), [](const auto& info) {
  return info.param.kernel;
});

}  // namespace
}  // namespace tutorial
