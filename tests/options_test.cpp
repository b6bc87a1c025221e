// The command line: what is accepted, and that everything else ends in one line and exit status 1.
#include "common/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include "common/error.hpp"
#include "common/opencl.hpp"

namespace tutorial {
namespace {

/// A file that defines a kernel for each of these names; returns its path.
std::string make_kernel_file(const std::string& file, const std::vector<std::string>& names) {
  const std::string path = testing::TempDir() + file;
  std::ofstream stream(path);
  for (const std::string& name : names) {
    stream << "__kernel void " << name << "(__global float* output) { output[0] = 0.0f; }\n";
  }
  return path;
}

class OptionsTest : public testing::Test {
 protected:
  // Tests run side by side, so each has files of its own.
  OptionsTest() {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    first = make_kernel_file("options_" + test + "_first.cl", {"Convolve", "Other"});
    second_name = "options_" + test + "_second.cl";
    second = make_kernel_file(second_name, {"Third"});
    info.title = "A program";
    info.kernel_file = first;
    info.kernels = {
        {"Convolve"},
        {.label = "Other:wide", .tile = true},
        {.label = "Third", .file = second_name, .block = {4, 4, 4}}};
    info.tuned = true;
    info.salt_and_pepper = true;
  }
  ~OptionsTest() override {
    std::remove(first.c_str());
    std::remove(second.c_str());
  }

  struct Outcome {
    int status = -1;
    bool ran = false;
    Options options;
    std::string printed;
    std::string errors;
  };

  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
      argv.push_back(argument.data());
    }
    Outcome outcome;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    outcome.status = run_program(
        static_cast<int>(argv.size()), argv.data(), info, [&outcome](const Options& options) {
          outcome.ran = true;
          outcome.options = options;
          return 0;
        });
    outcome.printed = testing::internal::GetCapturedStdout();
    outcome.errors = testing::internal::GetCapturedStderr();
    return outcome;
  }

  /// The label, the kernel's name and the file of each kernel to run.
  std::string kernels(const std::vector<std::string>& arguments) const {
    const Outcome outcome = run(arguments);
    std::string result;
    for (const KernelEntry& entry : outcome.options.kernels) {
      const char* file = entry.file == first ? "first" : entry.file == second ? "second" : "user's";
      result += entry.label + "=" + entry.name() + "@" + file + " ";
    }
    return result.empty() ? outcome.errors : result;
  }

  std::string first;
  std::string second_name;
  std::string second;
  ProgramInfo info;
};

TEST_F(OptionsTest, GoodValues) {
  const std::map<std::string, std::vector<int>> widths = {
      {"1", {1}},           {"2:5", {2, 3, 4, 5}},    {"5:5", {5}},
      {"2:9:3", {2, 5, 8}}, {"1:32:2147483647", {1}}, {"3,7,16:18", {3, 7, 16, 17, 18}},
  };
  for (const auto& [text, expected] : widths) {
    EXPECT_EQ(run({"--filter-width", text}).options.filter_widths, expected) << text;
  }
  // Of a flag that is given twice the last one counts.
  const Options options = run({"--size", "5x5", "--size", "7x9", "--noise", "0.25", "--work-group",
                               "32x8", "--block", "64x16", "--block-group", "3x2", "--seed",
                               "4294967295", "--time-budget", "0", "--search-budget", "0.5"})
                              .options;
  EXPECT_EQ(options.filter_widths, std::vector<int>{7});
  EXPECT_EQ((Extent{options.width, options.height}), (Extent{7, 9}));
  EXPECT_EQ(options.noise, 0.25);
  EXPECT_EQ((Extent{options.work_group_width, options.work_group_height}), (Extent{32, 8}));
  EXPECT_EQ(options.kernels[2].block, (Block{64, 16, 4}));
  EXPECT_EQ(options.kernels[2].block_group, (Extent{3, 2}));
  EXPECT_EQ(options.kernels[0].block, Block{}) << "a kernel whose block cannot be set";
  EXPECT_EQ(run({}).options.kernels[2].block, (Block{4, 4, 4}));
  EXPECT_EQ(options.seed, 4294967295U);
  EXPECT_EQ(options.time_budget_s, 0.0);
  EXPECT_EQ(options.search_budget_s, 0.5);
}

TEST_F(OptionsTest, KernelsStartWithTheBaseline) {
  const std::string baseline = "Convolve=Convolve@first ";
  EXPECT_EQ(kernels({}), baseline + "Other:wide=Other@first Third=Third@second ");
  EXPECT_EQ(kernels({"--kernel", "Other:wide"}), baseline + "Other:wide=Other@first ");
  EXPECT_EQ(kernels({"--kernel", "Convolve"}), baseline);
  EXPECT_EQ(
      kernels({"--kernel", "Third,Other:wide"}),
      baseline + "Third=Third@second Other:wide=Other@first ");
  EXPECT_EQ(kernels({"--kernel", "OpenMP,Tuned"}), baseline);
  // What is not a kernel runs if it is named, or by default.
  EXPECT_TRUE(run({}).options.openmp);
  EXPECT_TRUE(run({}).options.tuned);
  EXPECT_FALSE(run({"--verify-only"}).options.tuned);
  EXPECT_TRUE(run({"--verify-only", "--kernel", "Tuned"}).options.tuned);
  EXPECT_TRUE(run({"--kernel", "Third,OpenMP"}).options.openmp);
  EXPECT_FALSE(run({"--kernel", "Third"}).options.openmp);
  EXPECT_FALSE(run({"--kernel", "Third"}).options.tuned);
  info.tuned = false;
  EXPECT_EQ(run({"--kernel", "Tuned"}).status, 1);
}

TEST_F(OptionsTest, TheUsersFileReplacesThoseWhoseKernelsItDefines) {
  const std::string third = make_kernel_file("options_users_third.cl", {"Third"});
  const std::string baseline = make_kernel_file("options_users_baseline.cl", {"Convolve"});
  EXPECT_EQ(
      kernels({"--kernel-file", third}),
      "Convolve=Convolve@first Other:wide=Other@first Third=Third@user's ");
  EXPECT_EQ(
      kernels({"--kernel-file", baseline, "--kernel", "Third"}),
      "Convolve=Convolve@user's Third=Third@second ");
  const std::string errors = kernels({"--kernel-file", baseline});
  EXPECT_NE(errors.find("has no kernel Other; it has Convolve"), std::string::npos) << errors;
  std::remove(third.c_str());
  std::remove(baseline.c_str());
}

TEST_F(OptionsTest, AgainstAddsTheKernelsOfAFile) {
  const std::string third = make_kernel_file("options_against_my3.cl", {"Third"});
  const std::string both = make_kernel_file("options_against_both.cl", {"Other", "Convolve", "X"});
  const std::string foo = make_kernel_file("options_against_foo.cl", {"Foo"});
  std::ofstream(third, std::ios::app) << "// __kernel void Other(\n/* __kernel void Convolve( */\n";
  const std::string baseline = "Convolve=Convolve@first ";
  const std::string thirds = "Third=Third@second Third:options_against_my3=Third@user's ";
  // Only what is compared, and the baseline; more, or less, if --kernel says so.
  EXPECT_EQ(kernels({"--against", third}), baseline + thirds);
  EXPECT_EQ(
      kernels({"--against", both}),
      baseline +
          "Convolve:options_against_both=Convolve@user's Other:wide=Other@first "
          "Other:wide:options_against_both=Other@user's ");
  EXPECT_EQ(
      kernels({"--against", third, "--kernel", "Other:wide,Third"}),
      baseline + "Other:wide=Other@first " + thirds);
  const Outcome outcome = run({"--against", third});
  EXPECT_FALSE(outcome.options.openmp || outcome.options.tuned);
  EXPECT_EQ(outcome.options.kernels.back().original, "Third");
  EXPECT_EQ(outcome.errors, "");

  const auto expect_error = [this](const std::vector<std::string>& arguments, const char* words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1) << words;
    EXPECT_FALSE(outcome.ran) << words;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  };
  expect_error({"--against", "missing.cl"}, "missing.cl: No such file");
  expect_error({"--against", foo}, "has no kernel of program; it defines: Foo");
  expect_error({"--against", third, "--kernel", "Other:wide"}, "it defines: Third");
  for (const std::string& file : {third, both, foo}) {
    std::remove(file.c_str());
  }
}

TEST_F(OptionsTest, BadOnesEndInOneLineAndStatusOne) {
  const std::string size = "must be WIDTHxHEIGHT";
  const std::string widths = "must be N, A:B or A:B:STEP";
  const std::string seconds = "must be a number from 0 to 3600, not '";
  struct Bad {
    std::string flag;
    std::vector<std::string> values;
    std::string message;
  };
  const std::vector<Bad> all = {
      {"--filter-width",
       {"0", "-3", "33", "5:2", "abc", "", "3:", ":3", "3:5:0", "1:9:-1", "3:5:1:1", "1:33", "3,",
        "3,,5", "7 ", " ", "7.0", "0x5", "99999999999"},
       widths},
      {"--size",
       {"0x5", "5x0", "12", "5x-1", "axb", "x", "5x5x5", "99999999999x1", "4294967297x1", "1e3x5",
        "5 x 5", ""},
       size},
      {"--work-group", {"16", "0x16", ""}, size},
      {"--block", {"65x1", "1x17", "0x1", "4"}, size + ", at most 64x16"},
      {"--block-group", {"0x1", "4"}, size},
      {"--time-budget", {"-1", "nan", "soon", "inf", "3601", ""}, seconds},
      {"--search-budget", {"0", "nan", ""}, "must be a number from 0.001 to 3600, not '"},
      {"--noise", {"1.5", "-0.1", "nan", "2", ""}, "must be a number from 0 to 1, not '"},
      {"--seed",
       {"1.5", "-1", "x", "4294967296", ""},
       "must be a whole number from 0 to 4294967295, not '"},
      {"--kernel", {"Nope", "Other"}, "must be one of Convolve, Other:wide, Third, Tuned, not '"},
      {"--nonsense", {"1"}, "--nonsense"},
      {"stray", {"1"}, "stray"},
  };
  for (const Bad& bad : all) {
    for (const std::string& value : bad.values) {
      const Outcome outcome = run({bad.flag, value});
      EXPECT_EQ(outcome.status, 1) << bad.flag << " " << value;
      EXPECT_FALSE(outcome.ran) << bad.flag << " " << value;
      EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
      EXPECT_EQ(outcome.errors.rfind("program: ", 0), 0U) << outcome.errors;
      for (const std::string& word : {bad.flag, bad.message, value}) {
        EXPECT_NE(outcome.errors.find(word), std::string::npos) << word << ": " << outcome.errors;
      }
    }
  }
  EXPECT_NE(run({"--filter-width"}).errors.find("--filter-width"), std::string::npos);
  EXPECT_EQ(run({"--filter-width"}).status, 1);
  EXPECT_EQ(run({"--filter", "no-such-file"}).status, 1);
  EXPECT_EQ(run({"--input", "a.png", "--size", "5x5"}).status, 1);
}

TEST_F(OptionsTest, HelpFitsATerminalAndHasTheFlagsOfTheTable) {
  std::istringstream lines(run({"--help"}).printed);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
  }
  for (const bool tile : {true, false}) {
    info.kernels = {{"Convolve"}, {.label = "Other", .tile = tile}};
    EXPECT_EQ(run({"--help"}).printed.find("--work-group") != std::string::npos, tile);
    EXPECT_EQ(run({"--block", "4x4"}).status, 1) << "no kernel with a block";
  }
  info.kernels.clear();
  for (const char* flag : {"--kernel", "--filter", "--output", "--seed", "--against"}) {
    EXPECT_EQ(run({flag, "1"}).status, 1) << flag;
  }
}

TEST_F(OptionsTest, WhatTheBodyThrowsBecomesStatusOne) {
  char name[] = "program";
  char* argv[] = {name, nullptr};
  const auto status_of = [this, &argv](const std::function<int()>& body) {
    testing::internal::CaptureStderr();
    const int status = run_program(1, argv, info, [&body](const Options&) { return body(); });
    return std::to_string(status) + " " + testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(status_of([]() -> int { throw Error("no such thing"); }), "1 program: no such thing\n");
  EXPECT_EQ(
      status_of([]() -> int { throw std::bad_alloc(); }),
      "1 program: the host is out of memory; try a smaller image\n");
  const std::string text = status_of([]() -> int { throw cl::Error(-4, "clCreateBuffer"); });
  EXPECT_NE(text.find("CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)"), std::string::npos) << text;
  EXPECT_EQ(status_of([] { return 2; }), "2 ");
}

}  // namespace
}  // namespace tutorial
