// Which fault turns this red alone: a program that says something on stderr or more than 80
// columns, lacks a row of its CSV or has one of a kernel that does not suit, or gives another image
// than by hand.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class GoodRuns : public DeviceTest {};

/// Status 0, nothing on stderr, at most 80 columns, but for the device's name.
Ran works(
    const std::string& name, const std::string& arguments, const Environment& environment = {}) {
  const bool small = arguments.find("--verify-only") != std::string::npos;
  const Ran ran = expect(0, (small ? simulated : program)(name, arguments, environment));
  EXPECT_EQ(ran.errors, "") << ran;
  EXPECT_FALSE(says(ran.output, "^(?!device ).{81}")) << ran;
  return ran;
}

class GoodRunsOf : public DeviceTest, public testing::WithParamInterface<std::string> {};

// Measured in the shortest time. The file of rounds has a head, and a row for each kernel and
// filter width.
TEST_P(GoodRunsOf, ProgramIsQuietAndMeasures) {
  const std::string& name = GetParam();
  expect_output(works(name, "--help"), "--device");
  works(name, "--size 17x9 --verify-only");
  if (!name.starts_with("step")) {
    works(name, "--size 33x21 --time-budget 0");
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
  const Ran ran = works(
      name, fmt::format(
                "--size 31x17 --time-budget 0 --csv out.csv --filter-width 3,4 --kernel {},OpenMP",
                fmt::join(kernels, ",")));
  expect_output(ran, "verified");
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
      const std::string kernel = step == "step1_naive" ? "Convolve" : "Convolve_Fft";
      works(
          step, "--input small.pgm --verify-only --output result.pfm --filter " + filter +
                    " --kernel " + kernel);
      const std::string bytes = read_file("result.pfm");
      std::vector<float> found(6);
      std::memcpy(found.data(), &bytes.at(bytes.size() - 24), 24);
      std::ranges::transform(found, found.begin(), [](float pixel) { return std::round(pixel); });
      EXPECT_EQ(found, pixels) << step;
    }
  }
}

// What does not suit a kernel is said, and there is no row for it.
TEST_F(GoodRuns, WhatDoesNotSuitIsSkipped) {
  std::vector<std::string> kernels;
  for (const KernelFile& file : kernel_files()) {
    if (file.unit > 0 && !file.bytes && file.program.starts_with("step")) {
      kernels.insert(kernels.end(), file.kernels.begin(), file.kernels.end());
    }
  }
  const std::string all = fmt::format(" --kernel {}", fmt::join(kernels, ","));
  const Ran ran = expect(
      0, program(
             "step9_autotune",
             "--size 70x41 --filter-width 3 --time-budget 0 --csv rows.csv "
             "--block-group 65536x65536" +
                 all));
  EXPECT_EQ(
      lines_with("skipped: ([0-9]+ work-items|for filters with)", ran.output).size(),
      kernels.size())
      << ran;
  EXPECT_EQ(lines_with("^1,Convolve_", read_file("rows.csv")).size(), 0U);
  // Blocks of 6 suit none but Convolve_Two, which has none, and those of 24 only kernels of float4.
  for (const std::string columns : {"6", "24"}) {
    const Ran skipping = expect(
        0, simulated(
               "step9_autotune",
               "--size 70x41 --verify-only --filter motion-blur --filter-width 7 --block " +
                   columns + "x1" + all));
    for (const std::string& kernel : kernels) {
      const std::string unit = kernel.find("16") != std::string::npos ? "16" : "4";
      const bool unsuited = kernel != "Convolve_Two" && (columns == "6" || unit == "16");
      EXPECT_EQ(
          says(
              skipping.output,
              " " + kernel + " skipped: needs a block width that is a multiple of " + unit + "$"),
          unsuited)
          << kernel << skipping;
    }
  }
}

// What a tile in local memory needs and a work-group or the device has not is said.
TEST_F(GoodRuns, GroupsThatDoNotFitAreSkipped) {
  const std::string small = "--verify-only --size 8x8 --kernel Convolve_Local";
  const std::string multiple = "Convolve_Local_Read4 skipped: .* width that is a multiple of 4";
  expect_output(simulated("step6_float4", small + "_Read4 --work-group 6x4"), multiple);
  const Ran fits = simulated("step6_float4", small + "_Read4 --work-group 4x6");
  EXPECT_FALSE(says(fits.output, multiple)) << fits;
  if (installed("oclgrind")) {
    expect_output(
        simulated("step5_local_memory", small + " --filter-width 32 --work-group 1024x1"),
        "Convolve_Local skipped: needs 135040 bytes of local memory");
  }
}

// By number, and by name in any case in the environment. Each device has its numbers; the fill is
// two groups of the preferred multiple for each compute unit.
TEST_F(GoodRuns, DevicesAreChosen) {
  const std::string arguments = "--size 9x9 --time-budget 0";
  const auto device_of = [](const Ran& ran) { return lines_with("^device ", ran.output).at(0); };
  const std::string chosen = device_of(works("step2_unroll", arguments + " --device 0:0"));
  std::string name = replaced(chosen, "^device *| \\(.*", "");
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  EXPECT_EQ(device_of(works("step2_unroll", arguments, {{"TUTORIAL_DEVICE", name}})), chosen);

  const Ran devices = expect(0, program("devices"));
  expect_output(devices, "^0:0 ");
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

}  // namespace
}  // namespace tutorial
