// The command line: what is accepted, and that everything else ends in one line and exit status 1.
#include "common/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/error.hpp"
#include "common/opencl.hpp"

namespace tutorial {
namespace {

const ProgramInfo info = {
    .title = "A program",
    .kernel_file = "default.cl",
    .kernels = {"Convolve", "Other", "Third"},
    .work_groups = true,
    .salt_and_pepper = true,
};

struct Outcome {
  int status = -1;
  bool ran = false;
  Options options;
  std::string errors;
};

Outcome run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> argv;
  for (std::string& argument : arguments) {
    argv.push_back(argument.data());
  }
  Outcome outcome;
  testing::internal::CaptureStderr();
  outcome.status = run_program(
      static_cast<int>(argv.size()), argv.data(), info, [&outcome](const Options& options) {
        outcome.ran = true;
        outcome.options = options;
        return 0;
      });
  outcome.errors = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(Options, Defaults) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.status, 0);
  const Options& options = outcome.options;
  EXPECT_EQ(options.kernel_file, "default.cl");
  EXPECT_EQ(options.width, 2048);
  EXPECT_EQ(options.height, 2048);
  EXPECT_EQ(options.filter, "random");
  EXPECT_EQ(options.filter_widths, std::vector<int>{7});
  ASSERT_EQ(options.kernels.size(), 3U);
  EXPECT_EQ(options.kernels[0].name, "Convolve");
}

TEST(Options, FilterWidths) {
  const auto widths = [](const char* text) {
    return run({"--filter-width", text}).options.filter_widths;
  };
  EXPECT_EQ(widths("1"), std::vector<int>{1});
  EXPECT_EQ(widths("32"), std::vector<int>{32});
  EXPECT_EQ(widths("2:5"), (std::vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(widths("5:5"), std::vector<int>{5});
  EXPECT_EQ(widths("2:9:3"), (std::vector<int>{2, 5, 8}));
  EXPECT_EQ(widths("1:32:2147483647"), std::vector<int>{1});
  EXPECT_EQ(widths("3,7,16:18"), (std::vector<int>{3, 7, 16, 17, 18}));
}

TEST(Options, TheLastOfAFlagCounts) {
  const Options options =
      run({"--size", "5x5", "--filter-width", "3", "--size", "7x9", "--filter-width", "4"}).options;
  EXPECT_EQ(options.width, 7);
  EXPECT_EQ(options.height, 9);
  EXPECT_EQ(options.filter_widths, std::vector<int>{4});
}

TEST(Options, KernelsStartWithTheBaselineAndMayRepeat) {
  const auto labels = [](const char* text) {
    std::string result;
    for (const KernelEntry& entry : run({"--kernel", text}).options.kernels) {
      result += entry.label + "=" + entry.name + " ";
    }
    return result;
  };
  EXPECT_EQ(labels("Other"), "Convolve=Convolve Other=Other ");
  EXPECT_EQ(labels("Convolve"), "Convolve=Convolve ");
  EXPECT_EQ(labels("Convolve,Convolve"), "Convolve=Convolve Convolve#2=Convolve ");
  EXPECT_EQ(labels("Third,Other"), "Convolve=Convolve Third=Third Other=Other ");
  EXPECT_EQ(labels("OpenMP"), "Convolve=Convolve ");
  EXPECT_TRUE(run({}).options.openmp);
  EXPECT_TRUE(run({"--kernel", "Other,OpenMP"}).options.openmp);
  EXPECT_FALSE(run({"--kernel", "Other"}).options.openmp);
}

TEST(Options, WorkGroupAndNoise) {
  const Outcome outcome = run({"--work-group", "32x8", "--noise", "0.25", "--size", "5x3"});
  EXPECT_EQ(outcome.options.work_group_width, 32);
  EXPECT_EQ(outcome.options.work_group_height, 8);
  EXPECT_EQ(outcome.options.noise, 0.25);
  EXPECT_EQ(outcome.options.width, 5);
  EXPECT_EQ(outcome.options.height, 3);
}

TEST(Options, BadOnesEndInOneLineAndStatusOne) {
  const std::vector<std::vector<std::string>> bad = {
      {"--filter-width", "0"},
      {"--filter-width", "-3"},
      {"--filter-width", "33"},
      {"--filter-width", "5:2"},
      {"--filter-width", "abc"},
      {"--filter-width", ""},
      {"--filter-width", "3:"},
      {"--filter-width", "3:5:0"},
      {"--filter-width", "3:5:1:1"},
      {"--filter-width", "3,"},
      {"--filter-width", "7 "},
      {"--filter-width", "7.0"},
      {"--filter-width"},
      {"--size", "0x5"},
      {"--size", "12"},
      {"--size", "999999x999999"},
      {"--size", "5x-1"},
      {"--size", "axb"},
      {"--size", "5x5x5"},
      {"--size", "99999999999x1"},
      {"--kernel", "Nope"},
      {"--filter", "no-such-file"},
      {"--nonsense"},
      {"stray"},
      {"--time-budget", "-1"},
      {"--time-budget", "nan"},
      {"--time-budget", "soon"},
      {"--time-budget", ""},
      {"--noise", ""},
      {"--size", ""},
      {"--seed", ""},
      {"--seed", "1.5"},
      {"--seed", "-1"},
      {"--seed", "x"},
      {"--work-group", "16"},
      {"--work-group", "0x16"},
      {"--noise", "1.5"},
      {"--noise", "nan"},
      {"--input", "a.png", "--size", "5x5"},
  };
  for (const std::vector<std::string>& arguments : bad) {
    const Outcome outcome = run(arguments);
    std::string text;
    for (const std::string& argument : arguments) {
      text += argument + " ";
    }
    EXPECT_EQ(outcome.status, 1) << text;
    EXPECT_FALSE(outcome.ran) << text;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1)
        << text << outcome.errors;
    EXPECT_EQ(outcome.errors.rfind("program: ", 0), 0U) << outcome.errors;
  }
}

TEST(Options, AProgramWithoutKernelsHasNoFlagsForThem) {
  ProgramInfo without = info;
  without.kernels.clear();
  without.reads_results = true;
  const auto status_of = [&without](const char* flag, const char* value, Options& options) {
    std::string arguments[] = {"program", flag, value};
    char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
    testing::internal::CaptureStderr();
    const int status = run_program(3, argv, without, [&options](const Options& parsed) {
      options = parsed;
      return 0;
    });
    testing::internal::GetCapturedStderr();
    return status;
  };
  Options options;
  EXPECT_EQ(status_of("--results", "a.csv", options), 0);
  EXPECT_EQ(options.results, "a.csv");
  EXPECT_TRUE(options.kernels.empty());
  EXPECT_TRUE(options.filtered);
  EXPECT_EQ(status_of("--filter-width", "2,3", options), 0);
  EXPECT_EQ(options.filter_widths, (std::vector<int>{2, 3}));
  for (const char* flag : {"--kernel", "--filter", "--output", "--seed"}) {
    EXPECT_EQ(status_of(flag, "1", options), 1) << flag;
  }
  // And the others do not read results.
  EXPECT_EQ(run({"--results", "a.csv"}).status, 1);
}

TEST(Options, WhatTheBodyThrowsBecomesStatusOne) {
  char name[] = "program";
  char* argv[] = {name, nullptr};
  const auto status_of = [&argv](const std::function<int()>& body) {
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
