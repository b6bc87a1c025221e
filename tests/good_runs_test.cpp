// Which fault turns this red alone: a program that says something on stderr or more than 80
// columns, lacks a row of its CSV or has one of a kernel that does not suit, gives another image
// than by hand, or does not run a reader's kernel. Runs that need no more than words are in runs/.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class GoodRuns : public DeviceTest {};

/// A good run, of at most 80 columns, but for the device's name.
Ran fits(const Ran& ran) {
  EXPECT_FALSE(says(ran.output, "^(?!device ).{81}")) << ran;
  return expect_good(ran);
}

class GoodRunsOf : public DeviceTest, public testing::WithParamInterface<std::string> {};

// Measured in the shortest time. The file of rounds has a head, and a row for each kernel and
// filter width.
TEST_P(GoodRunsOf, ProgramIsQuietAndMeasures) {
  const std::string& name = GetParam();
  EXPECT_TRUE(says(fits(program(name, "--help")).output, "--device"));
  fits(simulated(name, "--size 17x9 --verify-only"));
  if (!name.starts_with("step")) {
    fits(program(name, "--size 33x21 --time-budget 0"));
    return;
  }
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
  for (const char* key :
       {"program", "platform", "device", "driver", "commit", "size", "filter", "options"}) {
    EXPECT_NE(csv.head(key), "") << key;
  }
  std::size_t rows = 0;
  for (std::size_t row = 0; row < csv.size(); row++) {
    rows += csv.text(row, "kernel").starts_with("Convolve") ? 1 : 0;
    EXPECT_LE(csv.number(row, "max_error"), 0.01);
    EXPECT_GT(std::stod(csv.text(row, "rounds_ms")), 0.0);
  }
  const auto without = lines_with("skipped: no images", ran.output).size();
  EXPECT_EQ(rows, 2 * kernels.size() - without) << ran;
  if (csv.head("platform") == "Portable Computing Language") {
    EXPECT_EQ(csv.text(0, "clock"), "event");
  }
}

std::vector<std::string> programs() {
  std::vector<std::string> all = ladder_steps();
  all.insert(all.end(), {"median", "edge_conditions", "roofline"});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Program, GoodRunsOf, testing::ValuesIn(programs()), [](const auto& info) {
  return info.param;
});

// Is the result what the README promises? Computed by hand: the border repeated (an even width has
// more of it on the right and below), the filter not turned around. A PFM has its bottom row first.
// A transform's numbers are rounded.
TEST_F(GoodRuns, ResultsAreThoseByHand) {
  write_whole("small.pgm", std::string("P5 3 2 1\n\1\0\0\0\0\1", 15));
  write_whole("2.txt", "1 10\n100 1000\n");
  write_whole("3.txt", "1 2 4\n8 16 32\n64 128 256\n");
  const std::map<std::string, std::vector<float>> expected = {
      {"2.txt", {0, 1010, 1111, 1, 1000, 1100}}, {"3.txt", {3, 289, 432, 27, 265, 384}}};
  for (const auto& [filter, pixels] : expected) {
    for (const std::string step : {"step1_naive", "step10_fft"}) {
      expect_good(unoptimised(
          step, "--input small.pgm --verify-only --output result.pfm --kernel " +
                    std::string(step == "step1_naive" ? "Convolve" : "Convolve_Fft") +
                    " --filter " + filter));
      const std::string bytes = read_file("result.pfm");
      std::vector<float> found(6);
      std::memcpy(found.data(), &bytes.at(bytes.size() - 24), 24);
      std::ranges::transform(found, found.begin(), [](float pixel) { return std::round(pixel); });
      EXPECT_EQ(found, pixels) << step;
    }
  }
}

// The fill is two groups of the preferred multiple for each compute unit.
TEST_F(GoodRuns, DevicesHaveTheirNumbers) {
  const Ran devices = expect_good(program("devices"));
  int units = 0, multiple = 0;
  std::size_t fills = 0;
  for (const std::string& line : split(devices.output, '\n')) {
    std::sscanf(line.c_str(), " compute units %d", &units);
    std::sscanf(line.c_str(), " preferred multiple %d", &multiple);
    fills += line.find(fmt::format("{} x {} x 2 = {} ", units, multiple, 2 * units * multiple)) !=
             std::string::npos;
  }
  EXPECT_EQ(fills, lines_with("^[0-9]", devices.output).size()) << devices;
  EXPECT_EQ(fills, lines_with("^     local memory +[1-9][0-9]* KiB", devices.output).size());
}

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

// Each command of the help's list knows its part of the help.
TEST(Tutorial, SaysWhatItCanDo) {
  const Ran help = fits(program("tutorial", "help"));
  for (const std::string& line : lines_with("^  [a-z]+( |$)", help.output)) {
    const std::string verb = split(line, ' ')[2];
    const Ran part = expect_good(program("tutorial", verb + " --help"));
    EXPECT_TRUE(says(part.output, "^  " + verb)) << part;
  }
}

}  // namespace
}  // namespace tutorial
