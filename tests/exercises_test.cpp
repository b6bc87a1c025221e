// Does every exercise of the pages do what its answer says? Its commands run as they stand, and
// where the reader opens an editor, the next diff of the answer is applied.
//
// Below "## Exercises", under "### N. Title", an exercise has a paragraph "Needs: ... Teaches:
// ...", the commands that the reader types (indented), a folded tip and answer, and lines
// <!-- expect: STATUS REGEX -->: the exit status of the last command, and what all of them print.
// What measures does so for a moment, on a small image; no time is expected. Those that only verify
// run always, all with TUTORIAL_TEST_ALL=1 ctest --preset ci -R Exercise
#include <algorithm>
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Exercise {
  std::string page, text;  // which begins with the title
};

/// Those that only verify, which take a moment, or all.
std::vector<Exercise> exercises() {
  const bool all = !environment("TUTORIAL_TEST_ALL").empty();
  const char* slow = "^    .*\\./tutorial (xray|asm|step (?!.*--verify-only))";
  std::vector<Exercise> found;
  for (const auto& [page, text] : pages()) {
    const std::size_t begin = text.find("\n## Exercises\n");
    const std::string section =
        begin == text.npos ? "" : text.substr(begin, text.find("\n## ", begin + 1) - begin);
    for (std::size_t at = section.find("\n### "); at != section.npos;) {
      const std::size_t next = section.find("\n### ", at + 1);
      const std::string exercise = section.substr(at + 5, next - at - 5);
      if (all || lines_with(slow, exercise).empty()) {
        found.push_back({page, exercise});
      }
      at = next;
    }
  }
  return found;
}

/// The answers are those of a CPU.
const char* const pocl = "Portable Computing Language";

/// Runs a command of a page. What measures does so for a moment.
Ran command(std::string line) {
  Process process{{"sh", "-c"}, {{"TUTORIAL_PROGRAMS", in_build("")}, {"TUTORIAL_DEVICE", pocl}}};
  process.output = Process::Output::together;
  if (says(line, "tutorial step (?!.*--verify-only)")) {
    line += " --time-budget 0 --size 64x64";
    process.environment["TUTORIAL_BUILD_OPTIONS"] = "-cl-opt-disable";
  }
  line = replaced(line, "\\./tutorial", in_repository("tutorial"));
  process.arguments.push_back(replaced(line, "build/release/", in_build("")));
  return execute(process);
}

class ExerciseTest : public testing::TestWithParam<Exercise> {
 protected:
  void SetUp() override {
    if (const Ran ran =
            program("step1_naive", "--verify-only --size 8x8", {{"TUTORIAL_DEVICE", pocl}});
        ran.status == 1) {
      GTEST_SKIP() << "PoCL is not installed:\n" << ran;
    }
    if (!lines_with("^    .*(tutorial xray|oclgrind)", GetParam().text).empty()) {
      // Another version counts otherwise.
      const std::string counted =
          read_csv(in_repository("plots/xray/ladder.csv")).head.of("simulator");
      if (!installed("oclgrind") || !installed("libxray.so") ||
          !says(program("oclgrind", "--version").output, counted)) {
        GTEST_SKIP() << "not installed: " << counted << ", with its headers";
      }
    }
  }
};

TEST_P(ExerciseTest, DoesWhatItsAnswerSays) {
  const Exercise& exercise = GetParam();
  Lines commands, diffs;  // that the reader types, without comments; in the answer
  for (const std::string& line :
       lines_with("^    ", exercise.text.substr(0, exercise.text.find("<details>")))) {
    commands.push_back(replaced(line.substr(4), "(^|\\s+)# .*$", ""));
  }
  std::erase(commands, "");
  for (std::size_t at = 0; (at = exercise.text.find("```diff\n", at)) != std::string::npos; at++) {
    const std::size_t end = exercise.text.find("\n```", at);
    diffs.push_back(exercise.text.substr(at + 8, end - at - 7));
  }
  const Lines expected = lines_with("^<!-- expect: ", exercise.text);
  ASSERT_FALSE(commands.empty() || expected.empty()) << "no commands, or nothing is expected";
  for (const char* part : {"^Needs: ", "Teaches: ", "<summary>Tip<", "<summary>Answer<"}) {
    EXPECT_TRUE(says(exercise.text, part));
  }

  // The repository as the reader sees it. What the reader edits is a file of this folder alone.
  for (const auto& entry : fs::directory_iterator(in_repository())) {
    fs::create_symlink(entry.path(), entry.path().filename());
  }
  std::size_t used = 0;
  std::string output;
  int status = 0;
  for (const std::string& line : commands) {
    if (line.starts_with("$EDITOR ")) {
      ASSERT_LT(used, diffs.size()) << "the answer has no diff for: " << line;
      // A file in another folder would be the repository's.
      ASSERT_EQ(lines_with("^[+]{3} .*/", diffs[used]), Lines{});
      write_whole("answer.diff", diffs[used++]);
      const Ran patched = program("patch", "--batch -p0 -i answer.diff");
      ASSERT_EQ(patched.status, 0) << patched;
      continue;
    }
    // On the way a kernel may be wrong.
    ASSERT_TRUE(status == 0 || status == 2) << output;
    const Ran ran = command(line);
    ASSERT_FALSE(ran.timed_out) << ran;
    status = ran.status;
    output += ran.output;
  }
  EXPECT_EQ(used, diffs.size()) << "the reader does not edit so often";
  for (const std::string& one : expected) {
    const Words parts = search(one, "^<!-- expect: ([0-9]) (.*) -->$");
    ASSERT_FALSE(parts.empty()) << one;
    EXPECT_EQ(std::to_string(status), parts[1]) << output;
    EXPECT_TRUE(says(output, parts[2]));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ExerciseTest, testing::ValuesIn(exercises()), [](const auto& info) {
  const std::string name = info.param.page + "_" + split(info.param.text, '\n')[0];
  return replaced(name, "(/README)?\\.md|[^A-Za-z0-9]+", "_");
});

}  // namespace
}  // namespace tutorial
