// The puzzles: each first text misses what it is there to miss, each solution is solved, and no
// wrong kernel is (wrong_puzzles.txt). What breaks one of these tests alone: a judge that does not
// look at images of several groups, at large ones, at a count; that believes what a kernel's text
// says of itself. runs/puzzles.txt has what the judge says where something breaks.
#include <filesystem>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

std::string text_of(int number, const std::string& file) {
  return source("tools/puzzles/" + std::to_string(number) + "/" + file);
}

/// What `tutorial puzzle` says, with the reader's files in the test's folder.
Ran puzzle(const std::string& arguments) {
  return program(
      "tutorial", "puzzle " + arguments,
      {{"TUTORIAL_ROOT", std::filesystem::current_path().string()},
       {"OMP_WAIT_POLICY", "passive"}});
}

Ran judged(int number, const std::string& kernel) {
  write_whole("puzzles/" + std::to_string(number) + ".cl", kernel);
  return puzzle(std::to_string(number));
}

class EachPuzzle : public DeviceTest, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!installed("oclgrind") || !installed("libxray.so")) {
      GTEST_SKIP() << "no Oclgrind";
    }
    std::filesystem::create_directory_symlink(in_repository("tools"), "tools");
    std::filesystem::create_directory("puzzles");
  }
};
INSTANTIATE_TEST_SUITE_P(Long, EachPuzzle, testing::Range(1, 15));

TEST_P(EachPuzzle, CanBeSolved) {
  const Ran solution = expect(0, judged(GetParam(), text_of(GetParam(), "solution.cl")));
  EXPECT_EQ(lines_with("^  \\[ \\]", solution.output).size(), 0U) << solution;
  EXPECT_TRUE(says(solution.output, "^Solved")) << solution;
  EXPECT_TRUE(says(solution.output, "^  ours is [0-9.]+ times as fast as yours")) << solution;
  if (GetParam() == 11) {  // from one sum to sixteen: faster by far on any device
    EXPECT_TRUE(says(solution.output, "^  yours is [1-9][0-9.]* times as fast as the text"))
        << solution;
  }
  EXPECT_EQ(lines_with("^.{81}", solution.output).size(), 0U) << solution;
  EXPECT_TRUE(says(puzzle("").output, "^\\[x\\] +" + std::to_string(GetParam()) + " "));
}

TEST_P(EachPuzzle, RefuseWrongKernelsAlone) {
  std::string section;
  for (const std::string& row : lines_with("^[^#]", source("tests/wrong_puzzles.txt"))) {
    const std::vector<std::string> fields = split(row, '|');
    section = fields.size() == 1 ? row : section;
    if (fields[0] != std::to_string(GetParam())) {
      continue;
    }
    std::string kernel = text_of(GetParam(), fields.at(1) == "ours" ? "solution.cl" : "start.cl");
    for (std::size_t i = 3; i < fields.size(); i++) {
      kernel = changed(kernel, fields[i]);
    }
    const Ran ran = judged(GetParam(), kernel);
    EXPECT_EQ(ran.status, section == "solved" ? 0 : 2) << row << "\n" << ran;
    EXPECT_EQ(bool(says(ran.output, "^Solved")), section == "solved") << row << "\n" << ran;
    const std::string lines = replaced(ran.output, "\n {6}", " ");
    const std::string missed = section == "solved" ? "" : "^  \\[ \\].*" + fields.at(2);
    EXPECT_TRUE(says(lines, missed)) << row << "\n" << ran;
    EXPECT_EQ(bool(says(ran.output, "^On ")), !section.empty()) << row << "\n" << ran;
  }
}

}  // namespace
}  // namespace tutorial
