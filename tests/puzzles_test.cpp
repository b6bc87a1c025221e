// No wrong kernel solves a puzzle (wrong_puzzles.txt), and each first text misses what it is there
// to miss. What breaks this test alone: a judge that does not look at images of several groups, at
// large ones, at a count; that believes what a kernel says of itself. runs/puzzles.txt has the
// solutions, and what the judge says where something breaks.
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

class EachPuzzle : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!has_device() || !installed("oclgrind") || !installed("libxray.so")) {
      GTEST_SKIP() << "no device, or no Oclgrind";
    }
    std::filesystem::create_directory_symlink(in_repository("tools"), "tools");
    std::filesystem::create_directory("puzzles");
  }
};
INSTANTIATE_TEST_SUITE_P(Long, EachPuzzle, testing::Range(1, 15));

TEST_P(EachPuzzle, RefuseWrongKernelsAlone) {
  const std::string number = std::to_string(GetParam());
  std::string section;
  for (const std::string& row : lines_with("^[^#]", source("tests/wrong_puzzles.txt"))) {
    const std::vector<std::string> fields = split(row, '|');
    section = fields.size() == 1 ? row : section;
    if (fields[0] != number) {
      continue;
    }
    const std::string file = fields.at(1) == "ours" ? "/solution.cl" : "/start.cl";
    std::string kernel = source("tools/puzzles/" + number + file);
    for (std::size_t i = 3; i < fields.size(); i++) {
      const Words edit = search(fields[i], "^(.*?) -> ?(.*)$");
      kernel = edited(kernel, edit.at(1), edit.at(2));
    }
    write_whole("puzzles/" + number + ".cl", kernel);
    const Ran ran = program(
        "tutorial", "puzzle " + number,
        {{"TUTORIAL_ROOT", std::filesystem::current_path().string()},
         {"OMP_WAIT_POLICY", "passive"}});
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
