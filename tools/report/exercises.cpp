// The exercises in the EXERCISES.md of a step or study: below "### N. Title" a paragraph "Needs:
// ... Teaches: ...", the commands that the reader types (indented), a folded Tip and Answer, and
// lines <!-- expect: STATUS REGEX --> below the answer, which they would give away. The answer
// begins with the reader's edits in $EDITOR, as commands.
#include <algorithm>
#include <filesystem>

#include "report/report.hpp"

namespace tutorial {
namespace {

struct Exercise {
  std::string title, needs{}, teaches{}, script{}, status{}, patterns{};
};

/// The script is the commands as they stand, but each edit takes the place of the line of its
/// $EDITOR. Blank lines separate the edits if there are several.
Exercise exercise_of(const std::string& title, const std::string& text) {
  const Words needs = search(text, "\nNeeds: ([^]*?)\\.?\\s+Teaches: ([^]*?)\\.?\n\n");
  const Words answer = search(text, "<summary>Answer</summary>\n((    .*\n|\n)*)[^<\\s]");
  const Words question = split(text.substr(0, text.find("\n<details>")), '\n');
  const auto is_edit = [](auto& line) { return line.find("$EDITOR ") != std::string::npos; };
  if (needs.empty() || answer.empty()) {
    fail("'{}' lacks Needs and Teaches, or an answer", title);
  }
  const std::string edit = replaced(replaced(answer[1], "(^|\n)    ", "$1"), "\n*$", "");
  const bool is_one = std::ranges::count_if(question, is_edit) < 2;
  const Words edits = is_one ? Words{edit} : split(replaced(edit, "\n\n+", "\n\x01"), '\x01');
  Exercise exercise{title, replaced(needs[1], "\n", " "), replaced(needs[2], "\n", " ")};
  std::size_t used = 0;
  for (const std::string& line : question) {
    if (line.starts_with("    ")) {
      exercise.script += (is_edit(line) ? edits.at(used++) : line.substr(4)) + '\n';
    }
  }
  for (const std::string& line : split(text, '\n')) {
    const Words expected = search(line, "^<!-- expect: *([0-9]+) +(.+?) *-->$");
    if (!expected.empty()) {
      exercise.status = expected[1];
      exercise.patterns += expected[2] + '\n';
    }
  }
  if (exercise.script.empty() || exercise.status.empty()) {
    fail("'{}' lacks commands, or <!-- expect: STATUS REGEX -->", title);
  }
  return exercise;
}

std::vector<Exercise> exercises_of(const std::string& path) {
  std::vector<Exercise> found;
  const std::string sections = replaced(read_file(path), "\n(?=###? )", "\n\x01");
  for (const std::string& section : split(sections, '\x01')) {
    const Words title = search(section, "^### ([0-9]+\\. .+)\n");
    if (!title.empty()) {
      found.push_back(exercise_of(title[1], section));
    }
  }
  return found;
}

}  // namespace

std::string exercises(const Words& arguments) {
  for (const Exercise& exercise : exercises_of(arguments[2])) {
    const std::string folder = arguments[1] + "/" + halves(exercise.title, '.').first + "/";
    std::filesystem::create_directories(folder);
    write_whole(folder + "title", exercise.title);
    write_whole(folder + "script", exercise.script);
    write_whole(folder + "status", exercise.status);
    write_whole(folder + "patterns", exercise.patterns);
  }
  return "";
}

std::string exercise_table(const Words& folders) {
  Table table{{"exercise", "teaches", "needs"}, {}};
  // A link's label means nothing in another file.
  const std::string link = R"(\]\([^)]*\)|\]\[[^\]]*\]|[\]\[])";
  for (const std::string& folder : folders) {
    const std::string path = folder + "/EXERCISES.md";
    const std::string name = std::filesystem::path(folder).filename().string();
    const std::string place = replaced(replaced(name, "^step([0-9]+)_.*", "step $1"), "_", " ");
    for (const Exercise& exercise : exercises_of(path)) {
      const std::string anchor =
          lower(replaced(replaced(exercise.title, "[^A-Za-z0-9_ -]", ""), " ", "-"));
      // What to do without the device, the exercise says.
      const std::string needs = replaced(exercise.needs, " \\(.*", "");
      table.rows.push_back(
          {fmt::format("[{}, {}]({}#{})", place, exercise.title, path, anchor),
           replaced(exercise.teaches, link, ""),
           replaced(needs, "^any device(; |, and )?|" + link, "")});
    }
  }
  return table.markdown();
}

}  // namespace tutorial
