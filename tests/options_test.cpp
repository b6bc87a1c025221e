// The command line: what is accepted, and that everything else ends in one line and exit status 1.
#include "common/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

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
        {"Convolve"}, {"Other:wide", Shape::tile}, {"Third", Shape::block, second_name}};
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

TEST_F(OptionsTest, FilterWidths) {
  const auto widths = [this](const char* text) {
    return run({"--filter-width", text}).options.filter_widths;
  };
  EXPECT_EQ(run({}).options.filter_widths, std::vector<int>{7});
  EXPECT_EQ(widths("1"), std::vector<int>{1});
  EXPECT_EQ(widths("32"), std::vector<int>{32});
  EXPECT_EQ(widths("2:5"), (std::vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(widths("5:5"), std::vector<int>{5});
  EXPECT_EQ(widths("2:9:3"), (std::vector<int>{2, 5, 8}));
  EXPECT_EQ(widths("1:32:2147483647"), std::vector<int>{1});
  EXPECT_EQ(widths("3,7,16:18"), (std::vector<int>{3, 7, 16, 17, 18}));
}

TEST_F(OptionsTest, TheLastOfAFlagCounts) {
  const Options options = run({"--size", "5x5", "--filter-width", "3", "--noise", "0.5", "--size",
                               "7x9", "--filter-width", "4", "--noise", "0.25"})
                              .options;
  EXPECT_EQ(options.width, 7);
  EXPECT_EQ(options.height, 9);
  EXPECT_EQ(options.filter_widths, std::vector<int>{4});
  EXPECT_EQ(options.noise, 0.25);
}

TEST_F(OptionsTest, SizesAndNumbers) {
  const Options options =
      run({"--work-group", "32x8", "--block", "64x16", "--block-group", "3x2", "--seed",
           "4294967295", "--time-budget", "0", "--search-budget", "0.5"})
          .options;
  EXPECT_EQ(options.work_group_width, 32);
  EXPECT_EQ(options.work_group_height, 8);
  EXPECT_EQ(options.block_width, 64);
  EXPECT_EQ(options.block_height, 16);
  EXPECT_EQ(options.block_group_width, 3);
  EXPECT_EQ(options.block_group_height, 2);
  EXPECT_EQ(options.seed, 4294967295U);
  EXPECT_EQ(options.time_budget_s, 0.0);
  EXPECT_EQ(options.search_budget_s, 0.5);
}

TEST_F(OptionsTest, KernelsStartWithTheBaselineAndMayRepeat) {
  const std::string baseline = "Convolve=Convolve@first ";
  EXPECT_EQ(kernels({}), baseline + "Other:wide=Other@first Third=Third@second ");
  EXPECT_EQ(kernels({"--kernel", "Other:wide"}), baseline + "Other:wide=Other@first ");
  EXPECT_EQ(kernels({"--kernel", "Convolve"}), baseline);
  EXPECT_EQ(kernels({"--kernel", "Convolve,Convolve"}), baseline + "Convolve#2=Convolve@first ");
  EXPECT_EQ(
      kernels({"--kernel", "Third,Other:wide"}),
      baseline + "Third=Third@second Other:wide=Other@first ");
  EXPECT_EQ(kernels({"--kernel", "OpenMP,Tuned"}), baseline);
}

TEST_F(OptionsTest, WhatIsNotAKernelRunsIfNamedOrByDefault) {
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
  const std::string neither = make_kernel_file("options_users_neither.cl", {"Fourth"});
  EXPECT_EQ(
      kernels({"--kernel-file", third}),
      "Convolve=Convolve@first Other:wide=Other@first Third=Third@user's ");
  EXPECT_EQ(
      kernels({"--kernel-file", baseline, "--kernel", "Third"}),
      "Convolve=Convolve@user's Third=Third@second ");
  EXPECT_NE(
      kernels({"--kernel-file", baseline}).find("has no kernel Other; it has Convolve"),
      std::string::npos);
  EXPECT_NE(
      kernels({"--kernel-file", neither}).find("has no kernel Convolve; it has Fourth"),
      std::string::npos);
  for (const std::string& file : {third, baseline, neither}) {
    std::remove(file.c_str());
  }
}

TEST_F(OptionsTest, AgainstAddsTheKernelsOfAFile) {
  const std::string third = make_kernel_file("options_against_my,3.cl", {"Third"});
  const std::string both = make_kernel_file("options_against_both.cl", {"Other", "Convolve", "X"});
  const std::string foo = make_kernel_file("options_against_foo.cl", {"Thirt"});
  const std::string tight = make_kernel_file("wide.cl", {"Other"});
  const std::string commented = make_kernel_file("options_against_commented.cl", {"Third"});
  std::ofstream(commented, std::ios::app)
      << "// __kernel void Other(\n/* __kernel void Convolve( */\n";
  const std::string baseline = "Convolve=Convolve@first ";
  // Only what is compared, and the baseline.
  EXPECT_EQ(
      kernels({"--against", third}),
      baseline + "Third=Third@second Third:options_against_my_3=Third@user's ");
  EXPECT_EQ(
      kernels({"--against", commented}),
      baseline + "Third=Third@second Third:options_against_commented=Third@user's ");
  EXPECT_EQ(
      kernels({"--against", both}),
      baseline +
          "Convolve:options_against_both=Convolve@user's Other:wide=Other@first "
          "Other:wide:options_against_both=Other@user's ");
  EXPECT_FALSE(run({"--against", third}).options.openmp);
  EXPECT_FALSE(run({"--against", third}).options.tuned);
  EXPECT_EQ(run({"--against", third}).options.kernels.back().original, "Third");
  EXPECT_EQ(run({"--against", third}).errors, "");
  EXPECT_NE(run({"--against", both}).errors.find("also defines X;"), std::string::npos);
  // More, or less, if --kernel says so.
  EXPECT_EQ(
      kernels({"--against", third, "--kernel", "Other:wide,Third"}),
      baseline +
          "Other:wide=Other@first Third=Third@second Third:options_against_my_3=Third@user's ");
  EXPECT_TRUE(run({"--against", third, "--kernel", "Third,OpenMP"}).options.openmp);

  const auto expect_error = [this](const std::vector<std::string>& arguments, const char* words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1) << words;
    EXPECT_FALSE(outcome.ran) << words;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  };
  expect_error({"--against", "missing.cl"}, "/missing.cl cannot be read");
  expect_error({"--against", ""}, "--against: must name a file");
  expect_error(
      {"--against", foo}, "has no kernel of program; it defines: Thirt (did you mean Third?)");
  expect_error({"--against", foo}, "program has: Convolve, Other:wide, Third");
  expect_error(
      {"--against", third, "--kernel", "Other:wide"},
      "defines none of the kernels that --kernel names; it defines: Third");
  info.kernels.push_back({"Other"});
  expect_error({"--against", tight}, "Other:wide is a kernel of program; rename");
  info.against = false;
  expect_error({"--against", third}, "--against");
  for (const std::string& file : {third, both, foo, tight, commented}) {
    std::remove(file.c_str());
  }
}

TEST_F(OptionsTest, AnUnknownKernelsMessageSaysWhatToDo) {
  const auto message = [this](const char* kernel) { return run({"--kernel", kernel}).errors; };
  EXPECT_NE(message("Convole").find("'Convole' (did you mean Convolve?);"), std::string::npos);
  EXPECT_NE(message("third").find("'third' (did you mean Third?);"), std::string::npos);
  EXPECT_EQ(message("Foo").find("did you mean"), std::string::npos);
  for (const char* words : {"main.cpp", "--against FILE", "--kernel-file FILE"}) {
    EXPECT_NE(message("Foo").find(words), std::string::npos) << words;
  }
  info.against = false;
  EXPECT_NE(message("Foo").find("Third, Tuned, not 'Foo'\n"), std::string::npos) << message("Foo");
  info.against = true;
  info.kernels.push_back({"Convolve_Unroll"});
  EXPECT_NE(message("Unroll").find("'Unroll' (did you mean Convolve_Unroll?);"), std::string::npos);
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
       {"0x5", "5x0", "12", "999999x999999", "5x-1", "axb", "x", "5x5x5", "99999999999x1",
        "4294967297x1", "1e3x5", "5 x 5", ""},
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
      {"--winners", {""}, "must name a file"},
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

TEST_F(OptionsTest, AProgramWithoutKernelsHasNoFlagsForThem) {
  EXPECT_EQ(run({"--results", "a.csv"}).status, 1);
  info.kernels.clear();
  info.reads_results = true;
  const Outcome outcome = run({"--results", "a.csv", "--xray", "b.csv", "--filter-width", "2,3"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.options.results, "a.csv");
  EXPECT_EQ(outcome.options.filter_widths, (std::vector<int>{2, 3}));
  EXPECT_TRUE(outcome.options.kernels.empty());
  for (const char* flag :
       {"--kernel", "--filter", "--output", "--seed", "--work-group", "--block"}) {
    EXPECT_EQ(run({flag, "1"}).status, 1) << flag;
  }
}

TEST_F(OptionsTest, HelpFitsATerminal) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_FALSE(outcome.ran);
  std::istringstream lines(outcome.printed);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
  }
  for (const char* flag :
       {"--block", "--block-group", "--work-group", "--winners", "--noise", "--against"}) {
    EXPECT_NE(outcome.printed.find(flag), std::string::npos) << flag;
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
