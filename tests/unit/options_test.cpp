// Which fault turns this test red alone: a value that is read otherwise than it is written, a bad
// one that is taken or refused in more than one line, and a reader's kernel that is timed without
// having been tried where it may be wrong.
#include "common/options.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/lab/results.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

using Words = std::vector<std::string>;

class OptionsTest : public testing::Test {
 protected:
  OptionsTest() {
    info.kernel_file = file;
    info.kernels = {
        {"Convolve"}, {.label = "Other:wide", .tile = true}, {.label = "Third", .shape = {{4, 4}}}};
    info.tuned = true;
    std::string text;
    for (const char* kernel : {"Convolve", "Other", "Third"}) {
      text += fmt::format("__kernel void {}(__global float* output) {{}}\n", kernel);
    }
    write_whole(file, text);
  }

  /// What the program's own part gets; an empty one if it does not run.
  Options run(Words arguments) {
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
      return judge(options);
    });
    output = testing::internal::GetCapturedStdout();
    errors = testing::internal::GetCapturedStderr();
    return given;
  }

  TemporaryFolder folder;
  const std::string file = folder.path() + "/mine.cl";
  ProgramInfo info;
  int status = -1;
  std::string output, errors;
  std::function<int(const Options&)> judge = [](const Options&) { return 0; };
};

TEST_F(OptionsTest, OfAFlagThatIsGivenTwiceTheLastOneCountsAndTheBaselineComesFirstAndOnce) {
  const Options options = run(
      {"--size", "5x5", "--size", "7x9", "--block", "64x16", "--kernel", "Third,Convolve,Third",
       "--filter-width", "3,7,16:18:2"});
  EXPECT_EQ(options.size, (Extent{7, 9}));
  EXPECT_EQ(options.filter_widths, (std::vector{3, 7, 16, 18}));
  EXPECT_EQ(options.kernels.size(), 2U);
  EXPECT_EQ(options.kernels[1].shape.block, (Extent{64, 16}));
}

// Sizes, widths, groups, pixels and taps that the options do not ask for: 640 x 480, width 7, the
// test card. A wrong kernel is wrong at one of them.
TEST_F(OptionsTest, AgainstIsTriedWithWhatTheOptionsDoNotAskFor) {
  std::set<std::string> tried;
  int wrong_width = 0;
  judge = [&](const Options& options) {
    const auto [width, height] = options.size;
    const int taps = options.filter_widths.front();
    const std::vector<float> filter = make_filter(options.filter, taps, 1).taps;
    const std::vector<std::pair<std::string, bool>> kinds = {
        {"wide filter", taps > 18},
        {"even filter", taps % 2 == 0},
        {"filter of 8 to 17", taps >= 8 && taps <= 17},
        {"one tap", taps == 1},
        {"wide image", width > 10 * height},
        {"tall image", height > 10 * width},
        {"odd image", width % 4 == 3},
        {"one column", width == 1},
        {"other group", options.kernels.back().shape.group.width == 8},
        {"white pixels", std::ranges::max(load_image(options).pixels) == 1.0F},
        {"box", filter[0] == 0.25F},
        {"taps of -1", std::ranges::count(filter, -1.0F) > 0}};
    for (const auto& [kind, is_so] : kinds) {
      is_so ? void(tried.insert(kind)) : void();
    }
    return taps == wrong_width ? 2 : 0;
  };
  const Words arguments = {"--against", file, "--size", "640x480", "--kernel", "Third"};
  EXPECT_EQ(run(arguments).kernels.back().label, "Third:mine");
  EXPECT_EQ(tried.size(), 12U) << fmt::format("{}", fmt::join(tried, ", "));
  wrong_width = 25;
  EXPECT_EQ(run(arguments).kernels.back().label, "Third");
  EXPECT_EQ(status, 2);
  EXPECT_NE(errors.find("Third:mine is not timed: it is wrong at 37x29"), std::string::npos);
  judge = [](const Options& options) { return options.size.width == 640 ? 0 : throw NothingRan(); };
  EXPECT_EQ(run(arguments).kernels.back().label, "Third:mine") << "it does not suit the trials";
  EXPECT_NE(output.find("checked: as asked; not checked: "), std::string::npos) << output;
}

TEST_F(OptionsTest, BadOnesEndInOneLineAndStatusOne) {
  const std::string large = folder.path() + "/large.cl";
  write_whole(large, "");
  std::filesystem::resize_file(large, 200 << 20);
  const std::vector<std::tuple<std::string, Words, std::string>> all = {
      {"--filter-width",
       {"0", "33", "5:2", "", "3:", "3:5:0", "1:33", "3,,5", "7 ", "7.0", "99999999999"},
       "--filter-width: must be N, A:B or A:B:STEP"},
      {"--size", {"0x5", "12", "5x-1", "5x5x5", "4294967297x1"}, "--size: must be WxH"},
      {"--work-group", {"16", "0x16"}, "--work-group"},
      {"--block", {"65x1", "1x17"}, "--block: "},
      {"--time-budget", {"-1", "inf", "nan", "3601", ""}, "--time-budget"},
      {"--search-budget", {"0", "nan"}, "--search-budget: "},
      {"--seed", {"1.5", "-1", "4294967296"}, "--seed"},
      {"--kernel", {"thrid", "Other"}, "of Convolve, Other:wide, Third, OpenMP, Tuned, not '"},
      {"--filter", {"no-such-file"}, "no-such-file"},
      {"--sise", {"1"}, " (the nearest is --size; "},
      {"--baseline", {"Third"}, "--against"},
      {"--kernel-file", {large}, "large.cl: this is too large"},
      {"stray", {"1"}, "stray"}};
  for (const auto& [flag, values, message] : all) {
    for (const std::string& value : values) {
      EXPECT_EQ(run({flag, value}).program, "") << "it runs: " << flag << ' ' << value;
      EXPECT_EQ(status, 1) << flag;
      EXPECT_TRUE(errors.starts_with("program: ")) << errors;
      EXPECT_NE(errors.find(message), std::string::npos) << errors;
      EXPECT_EQ(std::ranges::count(errors, '\n'), 1) << errors;
    }
  }
}

}  // namespace
}  // namespace tutorial
