// Which fault turns this red alone: a program that says something on stderr or more than 80 columns,
// lacks a row of its CSV or has one of a kernel that does not suit, or gives another image than by
// hand.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class GoodRuns : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    for (const KernelFile& file : kernel_files()) {
      for (const std::string& kernel : file.kernels) {
        const bool blocks = file.program.starts_with("step") &&
                            file.path.find("convolution.cl") == std::string::npos && !file.bytes &&
                            !file.tiles;
        if (blocks) {
          blocks_.push_back(kernel);
        }
      }
    }
  }

  std::vector<std::string> blocks_;  ///< the kernels of steps 7 to 9
};

/// Exit status 0, nothing on stderr, at most 80 columns.
Ran works(
    const std::string& name, const std::string& arguments, const Environment& environment = {}) {
  const bool small = arguments.find("--verify-only") != std::string::npos;
  const Ran ran = (small ? simulated : program)(name, arguments, environment);
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_EQ(ran.errors, "") << ran;
  for (const std::string& line : lines_with(".{81}", ran.output)) {
    // How long a device's name is, is not ours to say.
    EXPECT_TRUE(says(line, "^device ")) << ran;
  }
  return ran;
}

std::string named(const std::vector<std::string>& kernels) {
  return fmt::format(" --kernel {}", fmt::join(kernels, ","));
}

class GoodRunsOf : public DeviceTest, public testing::WithParamInterface<std::string> {};

/// The CSV that README and charts stand on: its columns, and a row for each kernel and width.
void expect_rows(
    const std::string& path, const Ran& ran, const std::vector<std::string>& kernels, int widths) {
  const std::string text = read_file(path);
  for (const char* key :
       {"program", "platform", "device", "driver", "commit", "size", "filter", "options"}) {
    EXPECT_TRUE(says(text, std::string("^# ") + key + ": .")) << ran;
  }
  const Csv csv(path);
  const auto without = lines_with("skipped: no images", ran.output).size();
  std::size_t rows = 0;
  for (std::size_t row = 0; row < csv.size(); row++) {
    if (csv.text(row, "kernel") != "OpenMP") {
      rows++;
      EXPECT_LE(csv.number(row, "max_error"), 0.01);
    }
  }
  EXPECT_EQ(rows, kernels.size() * widths - without) << ran;
}

// Measured in the shortest time, at an image size and a width whose kernels the other tests leave in
// the driver's cache.
TEST_P(GoodRunsOf, ProgramIsQuietAndMeasures) {
  const std::string& name = GetParam();
  EXPECT_TRUE(says(works(name, "--help").output, "--device"));
  works(name, "--size 17x9 --verify-only");
  if (!name.starts_with("step")) {
    works(name, "--size 33x21 --time-budget 0");
    return;
  }
  // Those for sparse filters and for NVIDIA's GPUs do not run, and transforms take long to compile.
  std::vector<std::string> kernels = {"Convolve"};
  for (const KernelFile& file : kernel_files()) {
    if (file.program == name && !file.sparse && !file.nvidia && !file.tiles) {
      kernels.insert(
          kernels.end(), file.kernels.begin() + (file.kernels[0] == "Convolve"),
          file.kernels.end());
    }
  }
  const int widths = name == ladder_steps()[0] ? 2 : 1;
  const Ran ran = works(
      name, std::string("--size 31x17 --time-budget 0 --csv out.csv --filter-width ") +
                (widths == 2 ? "3,4" : "4") + named(kernels) + ",OpenMP");
  expect_rows("out.csv", ran, kernels, widths);
  EXPECT_TRUE(says(ran.output, "verified")) << ran;
  if (says(read_file("out.csv"), "Portable Computing Language")) {
    EXPECT_EQ(Csv("out.csv").text(0, "clock"), "event");
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

/// The last numbers of a PFM, which is little-endian here, times `scale`, rounded.
std::vector<int> last_pixels(const std::string& path, std::size_t count, double scale) {
  const std::string bytes = read_file(path);
  std::vector<int> pixels;
  for (std::size_t i = 0; i < count; i++) {
    float value = 0;
    std::memcpy(&value, bytes.data() + bytes.size() - (count - i) * sizeof value, sizeof value);
    pixels.push_back(static_cast<int>(std::lround(scale * value)));
  }
  return pixels;
}

// Is the result what the README promises? Computed by hand: the border repeated (an even width has
// more of it on the right and below), the filter not turned around. A PFM has its bottom row first.
// A transform's numbers are rounded.
TEST_F(GoodRuns, ResultsAreThoseByHand) {
  write_whole("small.pgm", std::string("P5 3 2 1\n\1\0\0\0\0\1", 15));
  write_whole("2.txt", "1 10\n100 1000\n");
  write_whole("3.txt", "1 2 4\n8 16 32\n64 128 256\n");
  const std::map<std::string, std::vector<int>> expected = {
      {"2.txt", {0, 1010, 1111, 1, 1000, 1100}}, {"3.txt", {3, 289, 432, 27, 265, 384}}};
  for (const auto& [filter, pixels] : expected) {
    const std::string arguments =
        " --input small.pgm --verify-only --output result.pfm --filter " + filter;
    works("step1_naive", "--kernel Convolve" + arguments);
    EXPECT_EQ(last_pixels("result.pfm", 6, 1.0), pixels);
    works("step10_fft", "--kernel Convolve_Fft" + arguments);
    EXPECT_EQ(last_pixels("result.pfm", 6, 1.0), pixels);
  }
}

// What does not suit a kernel is said, and there is no row for it.
TEST_F(GoodRuns, WhatDoesNotSuitIsSkipped) {
  const Ran ran = program(
      "step9_autotune",
      "--size 70x41 --filter-width 3 --time-budget 0 --block-group 65536x65536 --csv rows.csv" +
          named(blocks_));
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_EQ(
      lines_with("skipped: ([0-9]+ work-items|for filters with)", ran.output).size(),
      blocks_.size())
      << ran;
  const Csv rows("rows.csv");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.text(0, "kernel"), "Convolve");
  // Blocks of 6 suit none but Convolve_Two, which has none, and those of 24 only kernels of float4.
  for (const int columns : {6, 24}) {
    const Ran skipping = simulated(
        "step9_autotune",
        fmt::format(
            "--size 70x41 --verify-only --filter motion-blur --filter-width 7 --block {}x1{}",
            columns, named(blocks_)));
    EXPECT_EQ(skipping.status, 0) << skipping;
    const auto unsuited = std::ranges::count_if(blocks_, [&](const std::string& kernel) {
      return kernel != "Convolve_Two" && (columns == 6 || kernel.find("16") != std::string::npos);
    });
    const auto skipped = lines_with(
        R"( Convolve\w+ skipped: needs a block width that is a multiple of (4|16)$)",
        skipping.output);
    EXPECT_EQ(std::ptrdiff_t(skipped.size()), unsuited) << skipping;
  }
}

// What a tile in local memory needs and a work-group or the device has not is said.
TEST_F(GoodRuns, GroupsThatDoNotFitAreSkipped) {
  for (const auto& [group, skipped] : {std::pair("6x4", 1), std::pair("4x6", 0)}) {
    const Ran ran = simulated(
        "step6_float4", std::string("--verify-only --size 8x8 --kernel Convolve_Local_Read4 "
                                    "--work-group ") +
                            group);
    EXPECT_EQ(
        says(ran.output, "Convolve_Local_Read4 skipped: .* width that is a multiple of 4"),
        skipped == 1)
        << ran;
  }
  if (installed("oclgrind")) {
    const Ran ran = simulated(
        "step5_local_memory",
        "--verify-only --size 8x8 --filter-width 32 --work-group 1024x1 --kernel Convolve_Local");
    EXPECT_TRUE(says(ran.output, "Convolve_Local skipped: needs 135040 bytes of local memory"));
  }
}

// By number, and by name in any case in the environment. Each device has its numbers; the fill is
// two groups of the preferred multiple for each compute unit.
TEST_F(GoodRuns, DevicesAreChosen) {
  const std::string arguments = "--size 9x9 --time-budget 0";
  const std::string chosen =
      lines_with("^device ", works("step2_unroll", arguments + " --device 0:0").output).at(0);
  std::string name = chosen.substr(8, chosen.rfind(" (") - 8);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  EXPECT_EQ(
      lines_with("^device ", works("step2_unroll", arguments, {{"TUTORIAL_DEVICE", name}}).output)
          .at(0),
      chosen);

  const Ran devices = program("devices");
  EXPECT_EQ(devices.status, 0) << devices;
  EXPECT_TRUE(says(devices.output, "^0:0 ")) << devices;
  const std::size_t count = lines_with("^[0-9]", devices.output).size();
  EXPECT_EQ(lines_with("^     local memory +[1-9][0-9]* KiB", devices.output).size(), count);
  const auto number = [](const std::string& line, int field) {
    std::vector<std::string> words = split(line, ' ');
    std::erase(words, "");
    return parse_number<int>(words.at(field - 1)).value_or(0);
  };
  const auto units = lines_with("compute units", devices.output);
  const auto multiples = lines_with("preferred multiple", devices.output);
  const auto fills = lines_with(" fill ", devices.output);
  ASSERT_TRUE(units.size() == count && multiples.size() == count && fills.size() == count)
      << devices;
  for (std::size_t i = 0; i < count; i++) {
    EXPECT_EQ(number(fills[i], 2), number(units[i], 3));
    EXPECT_EQ(number(fills[i], 4), number(multiples[i], 3));
    EXPECT_EQ(number(fills[i], 8), 2 * number(units[i], 3) * number(multiples[i], 3));
  }
}

}  // namespace
}  // namespace tutorial
