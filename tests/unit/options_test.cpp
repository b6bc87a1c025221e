// Which fault turns this test red alone: a value that is read otherwise than it is written, a bad
// one that is taken or refused in more than one line, and other kernels than the flags name.
#include "common/options.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>

#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/lab/results.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

class OptionsTest : public testing::Test {
 protected:
  OptionsTest() {
    first = kernel_file("first.cl", {"Convolve", "Other"});
    kernel_file("second.cl", {"Third"});
    info.title = "A program";
    info.kernel_file = first;
    info.kernels = {
        {"Convolve"},
        {.label = "Other:wide", .tile = true},
        {.label = "Third", .file = "second.cl", .shape = {.block = {4, 4}}}};
    info.tuned = true;
    info.flags = {
        {"--share", "P", "a share",
         [this](auto& text) {
           share = parse_number<double>(text).value_or(-1.0);
           require(share >= 0.0, "--share: not '{}'", text);
         }},
        {"--more", "FILE", "another file", nullptr, &more}};
  }

  /// A file that defines a kernel for each of these names; returns its path.
  std::string kernel_file(const std::string& name, const std::vector<std::string>& kernels) const {
    std::string text;
    for (const std::string& kernel : kernels) {
      text += "__kernel void " + kernel + "(__global float* output) { output[0] = 0.0f; }\n";
    }
    write_whole(folder.path() + "/" + name, text);
    return folder.path() + "/" + name;
  }

  /// What the program's own part gets; an empty one if it does not run.
  Options run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
      argv.push_back(argument.data());
    }
    Options given;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    status = run_program(int(argv.size()), argv.data(), info, [&](const Options& options) {
      given = options;
      std::puts("ran");
      return judge(options);
    });
    output = testing::internal::GetCapturedStdout();
    errors = testing::internal::GetCapturedStderr();
    return given;
  }

  /// The label, the kernel's name and the file of each kernel to run.
  std::string kernels(const std::vector<std::string>& arguments) {
    std::string result;
    for (const KernelEntry& entry : run(arguments).kernels) {
      const std::string file = std::filesystem::path(entry.file).stem();
      result += entry.label + "=" + entry.name() + "@" + file + " ";
    }
    return result + errors;
  }

  void expect_error(const std::vector<std::string>& arguments, const std::string& words) {
    EXPECT_EQ(run(arguments).program, "") << "it runs: " << words;
    EXPECT_EQ(status, 1) << words;
    EXPECT_TRUE(errors.starts_with("program: ")) << errors;
    EXPECT_NE(errors.find(words), std::string::npos) << words << ": " << errors;
    EXPECT_EQ(std::ranges::count(errors, '\n'), 1) << errors;
  }

  TemporaryFolder folder;
  std::string first;
  ProgramInfo info;
  int status = -1;
  std::string output, errors;
  std::function<int(const Options&)> judge = [](const Options&) { return 0; };
  double share = 0.0;  // what the program's own flags set
  std::string more;
};

TEST_F(OptionsTest, GoodValues) {
  const std::map<std::string, std::vector<int>> widths = {
      {"1", {1}}, {"2:5", {2, 3, 4, 5}}, {"1:32:2147483647", {1}}, {"3,7,16:18:2", {3, 7, 16, 18}}};
  for (const auto& [text, expected] : widths) {
    EXPECT_EQ(run({"--filter-width", text}).filter_widths, expected) << text;
  }
  // Of a flag that is given twice the last one counts.
  const Options options = run(
      {"--size", "5x5", "--size", "7x9", "--share", "0.25", "--work-group", "32x8", "--block",
       "64x16", "--block-group", "3x2", "--seed", "4294967295"});
  EXPECT_EQ(options.filter_widths, std::vector<int>{7});
  EXPECT_EQ(options.size, (Extent{7, 9}));
  EXPECT_EQ(share, 0.25);
  EXPECT_EQ(options.work_group, (Extent{32, 8}));
  EXPECT_EQ(options.kernels[2].shape.block, (Extent{64, 16}));
  EXPECT_EQ(options.kernels[2].shape.group, (Extent{3, 2}));
  EXPECT_EQ(options.seed, 4294967295U);
}

TEST_F(OptionsTest, WhatIsNotAskedFor) {
  const Options options = run({});
  EXPECT_EQ(options.size, (Extent{2048, 2048}));
  EXPECT_EQ(options.filter, "random");
  EXPECT_EQ(options.filter_widths, std::vector<int>{7});
  EXPECT_EQ(options.seed, 1U);
  EXPECT_EQ(options.time_budget_s, 2.0);
  EXPECT_EQ(options.search_budget_s, 0.0);
  EXPECT_EQ(options.work_group, (Extent{16, 16}));
  EXPECT_EQ(options.pixel_bytes, 4);
  EXPECT_EQ(options.winners, "winners.csv");
  EXPECT_FALSE(options.as_asked || options.verify_only);
  EXPECT_TRUE(run({"--verify-only"}).as_asked);
  info.pixel_bytes = 1;
  info.filter = "box";
  EXPECT_EQ(run({}).pixel_bytes, 1);
  EXPECT_EQ(run({}).filter, "box");
  EXPECT_EQ(run({}).winners, "winners-bytes.csv") << "other kernels win on bytes";
  // A file says how wide its filter is.
  const std::string taps = folder.path() + "/taps.txt";
  write_whole(taps, "1 2 3\n4 5 6\n7 8 9\n");
  EXPECT_EQ(run({"--filter", taps}).filter_widths, std::vector<int>{3});
  EXPECT_EQ(run({"--filter", taps, "--filter-width", "3"}).filter_widths, std::vector<int>{3});
}

TEST_F(OptionsTest, KernelsStartWithTheBaseline) {
  const std::string baseline = "Convolve=Convolve@first ";
  EXPECT_EQ(kernels({}), baseline + "Other:wide=Other@first Third=Third@second ");
  EXPECT_EQ(
      kernels({"--kernel", "Third,Other:wide"}),
      baseline + "Third=Third@second Other:wide=Other@first ");
  // What is not a kernel runs if it is named, or by default.
  EXPECT_TRUE(run({}).openmp && run({}).tuned);
  EXPECT_FALSE(run({"--verify-only"}).tuned);
  EXPECT_EQ(kernels({"--kernel", "Third,Convolve,Third"}), baseline + "Third=Third@second ");
  EXPECT_TRUE(run({"--verify-only", "--kernel", "Tuned"}).tuned);
  EXPECT_TRUE(run({"--kernel", "Third,OpenMP"}).openmp);
  const Options third = run({"--kernel", "Third"});
  EXPECT_FALSE(third.openmp || third.tuned);
  info.openmp = false;
  EXPECT_FALSE(run({}).openmp);
  expect_error({"--kernel", "Third,OpenMP"}, "--kernel: must be one of Convolve, ");
}

TEST_F(OptionsTest, AgainstABaseline) {
  // One of a name of the program's is no exception.
  const std::string file = kernel_file("mine.cl", {"Mine", "Other"});
  EXPECT_EQ(
      kernels({"--against", file, "--baseline", "Third"}),
      "Convolve=Convolve@first Third=Third@second Mine:mine=Mine@mine Other:mine=Other@mine ");
  expect_error({"--against", kernel_file("two.cl", {"A", "B"})}, "--baseline says what they are");
  expect_error({"--against", file, "--baseline", "Thrid"}, "the nearest is Third");
  expect_error({"--baseline", "Third"}, "--against");
}

// Wrong kernels that are right as the options ask: at 640 x 480, width 7, of the test card.
TEST_F(OptionsTest, AgainstIsTriedWithWhatTheOptionsDoNotAskFor) {
  const std::string file = kernel_file("mine.cl", {"Third"});
  const auto width = [](const Options& options) { return options.filter_widths.front(); };
  const auto group = [](const Options& options) { return options.kernels.back().shape.group; };
  const auto lightest = [](const Options& options) {
    return std::ranges::max(load_image(options).pixels);
  };
  const auto taps = [&](const Options& options) {
    return make_filter(options.filter, width(options), 1).taps;
  };
  const std::vector<std::function<bool(const Options&)>> is_wrong = {
      [&](const Options& options) { return width(options) > 18; },
      [&](const Options& options) { return width(options) % 2 == 0; },
      [&](const Options& options) { return width(options) == 1; },
      [](const Options& options) { return options.size.width > 10 * options.size.height; },
      [](const Options& options) { return options.size.height > 10 * options.size.width; },
      [](const Options& options) { return options.size.width % 4 == 3; },
      [](const Options& options) { return options.size.width == 1; },
      [&](const Options& options) { return group(options).width == 8; },
      [&](const Options& options) { return lightest(options) == 1.0F; },
      [&](const Options& options) { return taps(options)[0] == 0.25F; },
      [&](const Options& options) { return std::ranges::count(taps(options), -1.0F) > 0; },
  };
  const std::vector<std::string> arguments = {"--against", file,       "--size",
                                              "640x480",   "--kernel", "Third"};
  for (std::size_t i = 0; i < is_wrong.size(); i++) {
    judge = [&](const Options& options) { return is_wrong[i](options) ? 2 : 0; };
    EXPECT_EQ(run(arguments).kernels.back().label, "Third") << i;
    EXPECT_EQ(status, 2) << i;
    EXPECT_NE(errors.find("Third:mine is not timed: it is wrong at "), std::string::npos) << errors;
    EXPECT_TRUE(output.starts_with("ran\nchecked: ")) << "what trials say is seen: " << output;
  }
  judge = [](const Options& options) { return options.size.width == 640 ? 0 : throw NothingRan(); };
  EXPECT_EQ(run(arguments).kernels.back().label, "Third:mine") << "it does not suit the trials";
  EXPECT_NE(output.find("checked: as asked; not checked: "), std::string::npos) << output;
  judge = [](const Options& options) { return options.size.width == 640 ? 0 : throw Error("no"); };
  run(arguments);
  EXPECT_EQ(errors, "program: no\n");
}

TEST_F(OptionsTest, BadOnesEndInOneLineAndStatusOne) {
  using Words = std::vector<std::string>;
  const std::vector<std::tuple<std::string, Words, std::string>> all = {
      {"--filter-width",
       {"0", "33", "5:2", "", "3:", "3:5:0", "1:33", "3,,5", "7 ", "7.0", "99999999999"},
       "--filter-width: must be N, A:B or A:B:STEP"},
      {"--size", {"0x5", "12", "5x-1", "5x5x5", "4294967297x1"}, "--size: must be WxH"},
      {"--work-group", {"16", "0x16"}, "--work-group"},
      {"--block", {"65x1", "1x17"}, "--block: "},
      {"--block-group", {"0x1"}, "--block-group: must be WxH"},
      {"--time-budget", {"-1", "inf", "nan", "3601", ""}, "--time-budget"},
      {"--search-budget", {"0", "nan"}, "--search-budget: "},
      {"--share", {"-0.1", "many"}, "--share: "},
      {"--more", {first}, "--more: "},
      {"--seed", {"1.5", "-1", "4294967296"}, "--seed"},
      {"--kernel", {"Nope", "Other"}, "of Convolve, Other:wide, Third, OpenMP, Tuned, not '"},
      {"--filter", {"no-such-file"}, "no-such-file"},
      {"--sise", {"1"}, " (the nearest is --size; "},
      {"--kernel", {"thrid"}, "the nearest is Third"},
      {"stray", {"1"}, "stray"},
  };
  for (const auto& [flag, values, message] : all) {
    for (const std::string& value : values) {
      expect_error({flag, value}, message);
    }
  }
  expect_error({"--filter-width"}, "--filter-width");
  const std::string large = kernel_file("large.cl", {"Convolve"});
  std::filesystem::resize_file(large, 200 << 20);
  for (const char* flag : {"--kernel-file", "--against"}) {
    expect_error({flag, large}, "large.cl: this is too large");
  }
}

}  // namespace
}  // namespace tutorial
