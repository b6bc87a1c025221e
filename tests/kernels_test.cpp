// The kernels of each file of kernels.csv against a reference in double precision, in the runs of
// kernel_runs.txt: most of them on the simulator, the telling part on the device.
#include "tests/kernels.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

/// All that was asked for has run and is right, but for what this work-group or device cannot do.
void expect_right(const Ran& ran) {
  expect(0, ran);
  EXPECT_FALSE(says(ran.errors, "^Invalid|^(?!MESA|=== Rusticl).*warning")) << ran;
  EXPECT_FALSE(
      says(ran.output, "skipped(?!.*(multiple of 4|no images of single floats|no such groups))"))
      << ran;
}

class Kernels : public testing::TestWithParam<KernelFile> {
 protected:
  void SetUp() override {
    write_inputs();
    const auto trial = "--verify-only --size 8x8 --filter-width 1 --kernel " + file.kernels[0];
    const bool special = file.is("nvidia") || file.is("tiles");
    const char* other = file.is("nvidia") ? "skipped: needs NVIDIA's" : "skipped: for CPUs:";
    if (!has_device() || (special && says(unoptimised(file.program, trial, {}).output, other))) {
      GTEST_SKIP() << "no device, or not of this kind";
    }
  }

  /// The runs of kernel_runs.txt for one place, in vectors of this many floats.
  void expect_right_in(const std::string& where, const std::string& vector = "") {
    const bool on_device = file.is("nvidia") || where.starts_with("device");
    const auto run = on_device ? program : file.is("tiles") ? unoptimised : simulated;
    EXPECT_FALSE(file.runs(where).empty());
    for (std::string arguments : file.runs(where)) {
      if (!vector.empty()) {
        arguments = replaced(arguments, "--kernel \\S+", "--kernel " + kernels_with_vectors());
      }
      expect_right(run(file.program, "--verify-only " + arguments, {{"TUTORIAL_VECTOR", vector}}));
    }
  }

  /// The others are the same in vectors of any size.
  std::string kernels_with_vectors() const {
    Words chosen = file.kernels;
    std::erase_if(chosen, [this](const std::string& kernel) {
      return search(kernel_in(file.path, kernel, false), "VECTOR|[a-z]N\\b").empty();  // floatN
    });
    return fmt::format("{}", fmt::join(chosen, ","));
  }

  const KernelFile& file = GetParam();
  /// Floats in a vector. The device's own are those of most tests, or if it has no opinion, 16.
  const Words narrow = file.text.find("VECTOR") == file.text.npos ? Words() : Words{"4", "8"};
};

TEST_P(Kernels, AreRight) {
  expect_right_in("few");
}

// On the simulator, or if it does not know them or would take too long, on the device.
TEST_P(Kernels, AreRightInAllSizes) {
  expect_right_in("simulator");
  if (file.is("fft_cl")) {
    expect_right_in("device-long");
  }
  for (const std::string& vector : narrow) {
    expect_right_in("narrow", vector);
    expect_right_in("device", vector);
  }
}

TEST_P(Kernels, AreRightOnTheDevice) {
  expect_right_in("device");
  // What it makes for older processors.
  std::string older = file.text;
  for (const std::string form : {"VNNI", "__AVX512BW__", "__AVX2__"}) {
    if (older.find("defined(" + form + ")") != std::string::npos) {
      older = edited(older, "defined\\(" + form + "\\)", "0");
      write_whole("older.cl", older);
      expect_right(program(
          file.program,
          fmt::format(
              "--verify-only --kernel {} --block {}x2 --filter-width 4,7 --size 101x67 "
              "--kernel-file older.cl",
              fmt::join(file.kernels, ","), file.unit)));
    }
  }
}

// In the shortest time, within 80 columns but for the device's name, and with nothing on stderr.
// The file of rounds has a row for each kernel and filter width.
TEST_P(Kernels, AreMeasured) {
  for (const std::string& run : file.runs("measured")) {
    const Ran ran = expect_good(program(file.program, "--csv out.csv " + run));
    EXPECT_FALSE(says(ran.output, "^(?!device ).{81}")) << ran;
    EXPECT_TRUE(says(ran.output, "verified")) << ran;
    const Csv csv = read_csv("out.csv");
    std::size_t rows = lines_with("skipped: no images", ran.output).size();
    for (std::size_t row = 0; row < csv.size(); row++) {
      rows += std::ranges::count(file.kernels, csv.text(row, "kernel"));
      EXPECT_LE(csv.number(row, "max_error"), 0.01);
    }
    EXPECT_EQ(rows, 2 * file.kernels.size()) << ran;
    const bool is_pocl = csv.head.of("platform") == "Portable Computing Language";
    EXPECT_TRUE(!is_pocl || csv.text(0, "clock") == "event");
  }
}

// A kernel in a copy that writes nothing but a number in front of its output. Is it really the
// copy that runs, and are the number and what the kernel before has left seen?
TEST_P(Kernels, AreAReadersToChange) {
  for (const std::string& run : file.runs("against")) {
    std::string kernel = file.kernels.back();
    kernel = kernel.find(':') == std::string::npos ? kernel : file.kernels.at(0);
    write_whole("idle.cl", edited(file.text, R"(\{$)", "{ output[-1] = 0; return;", kernel));
    // In Part II and later beside a Convolve that is wrong by one and a half times its tolerance,
    // which is not that of other kernels.
    write_whole(
        "imprecise.cl",
        edited(source("step1_naive/convolution.cl"), "= sum;", "= sum * 1.0000088f;"));
    const std::string beside = says(run, "imprecise") ? "Convolve," : "";
    const Ran ran = program(file.program, run + " --kernel " + beside + kernel);
    if (says(ran.output, "skipped: no images")) {
      GTEST_SKIP() << "the device has no such images";
    }
    expect(2, ran);
    EXPECT_TRUE(says(ran.output, "^width +[37]  " + kernel + "  +ok,")) << ran;
    std::string found;
    for (const std::string& line : lines_with("filter width .*: wrong at", ran.errors)) {
      found += replaced(line, "^[^:]*: (.*), filter width.*", "$1,");
    }
    EXPECT_EQ(found, beside + kernel + ":idle,") << ran;
    EXPECT_TRUE(says(ran.errors, file.program + ": " + kernel + ":idle.*wrote outside")) << ran;
  }
}

// On Oclgrind, which watches every access.
TEST_P(Kernels, TouchOnlyWhatTheyMay) {
  for (const std::string& run : file.runs("watched")) {
    if (!installed("oclgrind")) {
      GTEST_SKIP() << "Oclgrind is not installed";
    }
    const Ran ran = expect_good(watched(file.program, run, {}));
    EXPECT_FALSE(says(ran.output, "skipped")) << ran;
  }
}

// On Mesa's rusticl: what only works by the grace of one compiler shows up here.
TEST_P(Kernels, AreRightOnAnotherImplementation) {
  const Environment rusticl = {
      {"OCL_ICD_VENDORS", "rusticl.icd"}, {"RUSTICL_ENABLE", "llvmpipe"}, {"TUTORIAL_DEVICE", ""}};
  if (program("devices", "", rusticl).status != 0) {
    GTEST_SKIP() << "Mesa's rusticl is not installed";
  }
  for (const std::string& run : file.runs("elsewhere")) {
    expect_right(program(file.program, "--verify-only " + run, rusticl));
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, Kernels, testing::ValuesIn(kernel_files()), [](const auto& info) {
  return info.param.name;
});

}  // namespace
}  // namespace tutorial
