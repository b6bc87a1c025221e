// Which fault turns this red alone: a program that says something on stderr or more than 80
// columns, lacks a row of its CSV or has one of a kernel that does not suit, or does not run a
// reader's kernel. Runs that need no more than words are in runs/.
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

/// A good run, of at most 80 columns, but for the device's name.
Ran fits(const Ran& ran) {
  EXPECT_FALSE(says(ran.output, "^(?!device ).{81}")) << ran;
  return expect_good(ran);
}

class GoodRunsOf : public DeviceTest, public testing::WithParamInterface<std::string> {};

// Measured in the shortest time. The file of rounds has a row for each kernel and filter width.
TEST_P(GoodRunsOf, StepIsQuietAndMeasures) {
  const std::string& name = GetParam();
  EXPECT_TRUE(says(fits(program(name, "--help")).output, "--device"));
  // Those for sparse filters and for NVIDIA's GPUs do not run, and transforms take long to compile.
  std::vector<std::string> kernels = {"Convolve"};
  for (const KernelFile& file : kernel_files()) {
    if (file.program == name && file.kernels[0] != "Convolve" && !file.sparse && !file.nvidia &&
        !file.tiles) {
      kernels.insert(kernels.end(), file.kernels.begin(), file.kernels.end());
    }
  }
  const Ran ran = fits(program(
      name, fmt::format(
                "--size 31x17 --time-budget 0 --csv out.csv --filter-width 3,4 --kernel {},OpenMP",
                fmt::join(kernels, ","))));
  EXPECT_TRUE(says(ran.output, "verified"));
  const Csv csv("out.csv");
  std::size_t rows = 0;
  for (std::size_t row = 0; row < csv.size(); row++) {
    rows += csv.text(row, "kernel").starts_with("Convolve") ? 1 : 0;
    EXPECT_LE(csv.number(row, "max_error"), 0.01);
  }
  const auto without = lines_with("skipped: no images", ran.output).size();
  EXPECT_EQ(rows, 2 * kernels.size() - without) << ran;
  if (csv.head("platform") == "Portable Computing Language") {
    EXPECT_EQ(csv.text(0, "clock"), "event");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Program, GoodRunsOf, testing::ValuesIn(ladder_steps()),
    [](const auto& info) { return info.param; });

class AgainstEach : public DeviceTest, public testing::WithParamInterface<KernelFile> {};

// A kernel in a copy that writes nothing but a number in front of its output. Is it really the
// copy that runs, and are the number and what the kernel before has left seen?
TEST_P(AgainstEach, ReadersKernelRuns) {
  const KernelFile& file = GetParam();
  std::string kernel = file.kernels.back();
  kernel = kernel.find(':') == std::string::npos ? kernel : file.kernels.at(0);
  write_whole("idle.cl", edited(source(file.path), R"(\{$)", "{ output[-1] = 0; return;", kernel));
  // In Part II and later beside a Convolve that is wrong by one and a half times its tolerance,
  // which is not that of other kernels.
  write_whole(
      "imprecise.cl",
      edited(source("step1_naive/convolution.cl"), "= sum;", "= sum * 1.0000088f;"));
  const bool later = !file.path.ends_with("/convolution.cl");
  const std::string beside = later ? "Convolve," : "";
  const Ran ran = expect(
      2, program(
             file.program, "--size 37x23 --verify-only --against idle.cl --kernel " + beside +
                               kernel + (later ? " --kernel-file imprecise.cl --filter box" : "")));
  EXPECT_TRUE(says(ran.output, "^width +[37]  " + kernel + "  +ok,")) << ran;
  std::string found;
  for (const std::string& line : lines_with("filter width .*: wrong at", ran.errors)) {
    found += replaced(line, "^[^:]*: (.*), filter width.*", "$1,");
  }
  EXPECT_EQ(found, beside + kernel + ":idle,") << ran;
  EXPECT_TRUE(says(ran.errors, file.program + ": " + kernel + ":idle.*wrote outside")) << ran;
}

/// Of each program the last file that any device can run with any filter.
std::vector<KernelFile> last_files() {
  std::map<std::string, KernelFile> last;
  for (const KernelFile& file : kernel_files()) {
    if (!file.nvidia && !file.sparse && !file.slow) {
      last[file.program] = file;
    }
  }
  std::vector<KernelFile> files;
  std::ranges::transform(last, std::back_inserter(files), [](auto& one) { return one.second; });
  return files;
}

INSTANTIATE_TEST_SUITE_P(Steps, AgainstEach, testing::ValuesIn(last_files()), [](const auto& info) {
  return info.param.name;
});

}  // namespace
}  // namespace tutorial
