// The puzzles: each first text misses what it is there to miss, each solution is solved, and no
// wrong kernel is. What breaks one of these tests alone: a judge that does not look at images of
// several groups, at large ones, at a count; that believes what a kernel's text says of itself;
// that takes its own faults for the reader's.
#include <filesystem>
#include <regex>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

constexpr const char* first = "start.cl";
constexpr const char* ours = "solution.cl";

/// What the judge says, with the reader's files in the test's folder.
Ran puzzle(const std::string& arguments, Environment environment = {}) {
  if (!std::filesystem::exists("tools")) {
    std::filesystem::create_directory_symlink(in_repository("tools"), "tools");
  }
  environment.insert(
      {{"TUTORIAL_ROOT", std::filesystem::current_path().string()},
       {"TUTORIAL_IS_BUILT", "1"},
       {"OMP_WAIT_POLICY", "passive"}});
  return program("tutorial", "puzzle " + arguments, environment);
}

std::string text_of(int number, const std::string& file) {
  return read_text(in_repository("tools/puzzles/" + std::to_string(number) + "/" + file));
}

Ran judged(int number, const std::string& kernel, const Environment& environment = {}) {
  const std::string name = std::to_string(number);
  std::filesystem::create_directories("puzzles");
  write_whole("puzzles/" + name + ".cl", kernel);
  return puzzle(name, environment);
}

bool has_simulator() {
  return installed("oclgrind") && installed("libxray.so");
}

class EachPuzzle : public DeviceTest, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!has_simulator()) {
      GTEST_SKIP() << "no Oclgrind";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Long, EachPuzzle, testing::Range(1, 15));

TEST_P(EachPuzzle, CanBeSolved) {
  const Ran solution = judged(GetParam(), text_of(GetParam(), ours));
  EXPECT_EQ(solution.status, 0) << solution;
  EXPECT_EQ(lines_with("^  \\[ \\]", solution.output).size(), 0U) << solution;
  EXPECT_TRUE(says(solution.output, "^Solved")) << solution;
  EXPECT_TRUE(says(solution.output, "^  ours takes [0-9]+ % of your time")) << solution;
  EXPECT_EQ(lines_with("^.{81}", solution.output).size(), 0U) << solution;
  EXPECT_TRUE(says(puzzle("").output, "^\\[x\\] +" + std::to_string(GetParam()) + " "));
}

TEST_P(EachPuzzle, RefuseWrongKernels) {
  bool on_device = false;
  for (const std::string& row : split(read_text(in_repository("tests/wrong_puzzles.txt")), '\n')) {
    on_device = on_device || row == "device";
    const std::vector<std::string> fields = split(row, '|');
    if (fields[0] != std::to_string(GetParam())) {
      continue;
    }
    std::string kernel = text_of(GetParam(), fields.at(1) == "ours" ? ours : first);
    for (std::size_t i = 3; i < fields.size(); i++) {
      const std::size_t arrow = fields[i].find(" ->");
      kernel = edited(
          kernel, fields[i].substr(0, arrow),
          fields[i].substr(std::min(arrow + 4, fields[i].size())));
    }
    const Ran ran = judged(GetParam(), kernel);
    EXPECT_EQ(ran.status, 2) << row << "\n" << ran;
    EXPECT_FALSE(says(ran.output, "^Solved")) << row << "\n" << ran;
    const std::string lines = std::regex_replace(ran.output, std::regex("\n {6}"), " ");
    EXPECT_TRUE(says(lines, "^  \\[ \\].*" + fields.at(2))) << row << "\n" << ran;
    EXPECT_EQ(bool(says(ran.output, "^On ")), on_device) << row << "\n" << ran;
  }
}

using Puzzles = DeviceTest;

TEST_F(Puzzles, AreSolvedInAnotherWay) {
  const Ran ran = judged(
      3, edited(
             edited(
                 edited(text_of(3, first), "sum = 0.0f", "sum[2] = {0.0f}"),
                 "sum \\+=", "sum[c & 1] +="),
             "= sum;", "= sum[0] + sum[1];"));
  EXPECT_EQ(ran.status, 0) << ran;
  const Ran mad = judged(
      9, edited(text_of(9, ours), "fours \\+= (.*) \\* (.*);", "fours = mad($1, $2, fours);"));
  EXPECT_EQ(mad.status, 0) << mad;
}

TEST_F(Puzzles, AreJudgedWithoutASimulator) {
  std::filesystem::create_directory("programs");
  std::filesystem::create_symlink(in_build("puzzle"), "programs/puzzle");
  const Environment alone = {{"TUTORIAL_PROGRAMS", "programs"}};
  const Ran start = judged(1, text_of(1, first), alone);
  EXPECT_EQ(start.status, 2) << start;
  EXPECT_TRUE(says(start.output, "Nothing was counted")) << start;
  EXPECT_TRUE(says(start.output, "\\[ \\] the right result;")) << start;
  const Ran solution = judged(1, text_of(1, ours), alone);
  EXPECT_EQ(solution.status, 0) << solution;
  const std::string crashing =
      edited(text_of(1, ours), "float sum = 0.0f;", "$& *(volatile __global float*)8 = 0.0f;");
  const Ran crash = judged(1, crashing, alone);
  EXPECT_EQ(crash.status, 2) << crash;
  EXPECT_TRUE(says(crash.output, "\\[ \\] it crashed")) << crash;
  EXPECT_TRUE(
      says(judged(1, crashing, {{"PATH", "programs"}}).output, "Nothing was counted.* Oclgrind"));
}

TEST_F(Puzzles, JudgeOwnsItsFaults) {
  std::filesystem::create_directory("programs");
  write_whole("programs/puzzle", "#!/bin/sh\nkill -SEGV $$\n");
  std::filesystem::permissions("programs/puzzle", std::filesystem::perms::owner_all);
  const Ran crash = judged(1, text_of(1, ours), {{"TUTORIAL_PROGRAMS", "programs"}});
  EXPECT_EQ(crash.status, 1) << crash;
  EXPECT_TRUE(says(crash.errors, "the judge crashed, .*no fault of your kernel")) << crash;
  EXPECT_FALSE(says(crash.output, "\\[ \\]")) << crash;
  expect_refused(program("puzzle", "99 puzzles/1.cl"), "there is no puzzle '99'");
  expect_refused(program("puzzle", "1 none.cl"), "cannot read none.cl");
  expect_refused(program("puzzle", "1"), "usage: puzzle N FILE");
  if (has_simulator()) {  // which miscounts cases that fall through
    const std::string falls = edited(
        edited(
            edited(
                text_of(4, first), "for \\(int c = 0;",
                "int c = 0;\n#define TAP(i) sum += filter[filter_row + c + i] * "
                "input[input_row + c + i];\n for (;"),
            "c < filter_width; c\\+\\+", "c + 3 < filter_width; c += 4"),
        "^      sum.*",
        "TAP(0) TAP(1) TAP(2) TAP(3) } switch (filter_width - c) { case 3: TAP(2) case 2: TAP(1) "
        "case 1: TAP(0)");
    const Ran switched = judged(4, falls);
    EXPECT_TRUE(says(switched.output, "Your device computes the right result")) << switched;
  }
}

TEST_F(Puzzles, SayWhatDoesNotBuild) {
  Ran ran = judged(1, edited(text_of(1, ours), "sum \\+=", "sun +="));
  EXPECT_EQ(ran.status, 1) << ran;
  EXPECT_TRUE(says(ran.errors, "^puzzles/1.cl:13:")) << ran;
  ran = judged(1, "floot");
  EXPECT_EQ(ran.status, 1) << ran;
  EXPECT_TRUE(says(ran.errors, "puzzles/1.cl has no kernel Convolve$")) << ran;
}

TEST_F(Puzzles, KeepWhatTheReaderHas) {
  judged(1, "floot\n", {{"TUTORIAL_PROGRAMS", "none"}});
  const auto without_breaks = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  const std::string hints = without_breaks(text_of(1, "hints.md"));
  for (const int hint : {1, 2, 3, 3}) {
    const Ran ran = puzzle("1 --hint");
    EXPECT_EQ(ran.status, 0) << ran;
    // From the last but one on.
    const std::size_t end = hints.find(std::to_string(hint + 1) + ".");
    const std::string last = hints.substr(hints.find(std::to_string(hint) + ".") + 2, end);
    EXPECT_NE(without_breaks(ran.output).find(last.substr(0, 40)), std::string::npos) << ran;
    EXPECT_EQ(lines_with("there are 3", ran.output).size(), 1U) << ran;
  }
  EXPECT_TRUE(says(puzzle("1 --solution").output, "^-floot$"));
  EXPECT_EQ(read_text("puzzles/1.cl"), "floot\n");
  expect_refused(puzzle("1 --hnit"), "neither --hint");
  for (const char* number : {"99", "../1", "1|2", "0x1"}) {
    expect_refused(puzzle(number), "there is no puzzle");
  }
  EXPECT_EQ(lines_with("^\\[ \\]", puzzle("").output).size(), 14U);
  EXPECT_EQ(lines_with("^.{81}", puzzle("").output).size(), 0U);
}

}  // namespace
}  // namespace tutorial
