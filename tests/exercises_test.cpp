// Does every exercise of the pages do what its answer says? Its commands run as they stand, and
// where the reader opens an editor, the next diff of the answer is applied.
//
// Below "## Exercises", under "### N. Title", an exercise has a paragraph "Needs: ... Teaches:
// ...", the commands that the reader types (indented), a folded tip and answer, and lines
// <!-- expect: STATUS REGEX -->: the exit status of the last command, and what all of them print.
// What measures does so for a moment, on a small image; no time is expected. Those that only verify
// run always, all with ctest --preset ci -C Exercises -R exercises
#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Exercise {
  std::string page, title, text;
};

/// All exercises; or those that only verify, which take a moment.
std::vector<Exercise> exercises(bool all) {
  static const std::regex title("^### ([0-9]+\\. .+)$");
  std::vector<Exercise> found;
  for (const auto& [path, text] : pages()) {
    bool is_inside = false;  // the exercises
    for (const std::string& line : split(text, '\n')) {
      std::smatch parts;
      is_inside = line == "## Exercises" || (is_inside && !line.starts_with("## "));
      if (is_inside && std::regex_match(line, parts, title)) {
        found.push_back({path, parts[1], ""});
      } else if (is_inside && !found.empty() && found.back().page == path) {
        found.back().text += line + "\n";
      }
    }
  }
  std::erase_if(found, [&](auto& exercise) {
    static const std::regex slow(
        "\n    [^\n]*\\./tutorial (xray|asm|step (?![^\n]*--verify-only))");
    return !all && std::regex_search(exercise.text, slow);
  });
  return found;
}

/// The commands that the reader types, without comments; and the diffs in the answer.
std::pair<Lines, Lines> parts_of(const Exercise& exercise) {
  static const std::regex comment("(^|\\s+)# .*$");
  Lines commands, diffs;
  bool is_answer = false, is_diff = false;
  for (const std::string& line : split(exercise.text, '\n')) {
    is_answer = is_answer || line.starts_with("<details>");
    is_diff = is_diff && line != "```";
    if (is_diff) {
      diffs.back() += line + "\n";
    } else if (line == "```diff") {
      is_diff = true;
      diffs.emplace_back();
    } else if (!is_answer && line.starts_with("    ")) {
      commands.push_back(std::regex_replace(line.substr(4), comment, ""));
    }
  }
  std::erase(commands, "");
  return {commands, diffs};
}

/// The answers are those of a CPU.
const char* const pocl = "Portable Computing Language";

/// Runs a command of a page: `[NAME=VALUE] PROGRAM ARGUMENTS [> FILE]`, of ./tutorial or a program
/// of the system.
Ran command(const std::string& line) {
  Process process{{}, {{"TUTORIAL_PROGRAMS", in_build("")}, {"TUTORIAL_DEVICE", pocl}}};
  process.output = Process::Output::together;
  std::string file;
  Lines words = split(line, ' ', true);
  std::erase(words, "");
  if (words.size() > 2 && words[words.size() - 2] == ">") {
    file = words.back();
    words.resize(words.size() - 2);
  }
  if (const std::size_t equals = words[0].find('='); equals != std::string::npos) {
    process.environment[words[0].substr(0, equals)] = words[0].substr(equals + 1);
    words.erase(words.begin());
  }
  const auto has = [&](const char* word) { return std::ranges::count(words, word) > 0; };
  if (words[0] == "./tutorial") {
    words[0] = in_repository("tutorial");
    if (has("step") && !has("--verify-only")) {
      words.insert(words.end(), {"--time-budget", "0", "--size", "64x64"});
      process.environment.emplace("TUTORIAL_BUILD_OPTIONS", "-cl-opt-disable");
    }
  }
  for (std::string& word : words) {
    word = word.starts_with("build/release/") ? in_build(word.substr(14)) : word;
  }
  process.arguments = words;
  Ran ran = execute(process);
  if (!file.empty() && ran.status == 0) {
    write_whole(file, ran.output);
    ran.output = "";
  }
  return ran;
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
      const Lines counted =
          lines_with("^# simulator: ", read_text(in_repository("plots/xray/ladder.csv")));
      if (!installed("oclgrind") || !installed("libxray.so") ||
          lines_with(counted.at(0).substr(13), program("oclgrind", "--version").output).empty()) {
        GTEST_SKIP() << "not installed:" << counted.at(0).substr(12) << ", with its headers";
      }
    }
  }
};

TEST_P(ExerciseTest, DoesWhatItsAnswerSays) {
  const Exercise& exercise = GetParam();
  const auto [commands, diffs] = parts_of(exercise);
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
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(one, parts, std::regex("<!-- expect: ([0-9]) (.*) -->"))) << one;
    EXPECT_EQ(std::to_string(status), parts[1]) << output;
    EXPECT_TRUE(says(output, parts[2]));
  }
}

std::string name_of(const testing::TestParamInfo<Exercise>& info) {
  const std::string name = info.param.page + "_" + info.param.title;
  return std::regex_replace(name, std::regex("(/README)?\\.md|[^A-Za-z0-9]+"), "_");
}

INSTANTIATE_TEST_SUITE_P(Quick, ExerciseTest, testing::ValuesIn(exercises(false)), name_of);
INSTANTIATE_TEST_SUITE_P(All, ExerciseTest, testing::ValuesIn(exercises(true)), name_of);

}  // namespace
}  // namespace tutorial
