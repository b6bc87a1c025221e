// The exercises in the EXERCISES.md of a step or study: below "### N. Title" a paragraph "Needs:
// ... Teaches: ...", the commands that the reader types (indented), a folded Tip and Answer, and
// lines <!-- expect: STATUS REGEX --> below the answer, which they would give away. The answer
// begins with the reader's edits in $EDITOR, as commands.
#include <filesystem>

#include "report/report.hpp"

namespace tutorial {
namespace {

struct Exercise {
  std::string title, needs, teaches, commands, edits, status, patterns;
};

Exercise exercise_of(const std::string& title, const std::string& text) {
  Exercise exercise{title, "", "", "", "", "", ""};
  bool is_question = true;  // until the tip
  for (const std::string& line : split(text, '\n')) {
    is_question = is_question && !line.starts_with("<details>");
    const Words expected = search(line, "^<!-- expect: *([0-9]+) +(.+?) *-->$");
    if (!expected.empty()) {
      exercise.status = expected[1];
      exercise.patterns += expected[2] + '\n';
    } else if (line.starts_with("    ") && is_question) {
      exercise.commands += line.substr(4) + '\n';
    }
  }
  const Words needs = search(text, "\nNeeds: ([^]*?)\\.?\\s+Teaches: ([^]*?)\\.?\n\n");
  const Words answer = search(text, "<summary>Answer</summary>\n((    .*\n|\n)*)[^<\\s]");
  if (needs.empty() || answer.empty() || exercise.commands.empty() || exercise.status.empty()) {
    fail("'{}' lacks Needs and Teaches, commands, <!-- expect: STATUS REGEX --> or answer", title);
  }
  exercise.needs = replaced(needs[1], "\n", " ");
  exercise.teaches = replaced(needs[2], "\n", " ");
  exercise.edits = replaced(answer[1], "(^|\n)    ", "$1");
  return exercise;
}

/// The commands as one script: each edit takes the place of the line of its $EDITOR. Blank lines
/// separate the edits if there are several.
std::string script_of(const Exercise& exercise) {
  const std::string several =
      exercise.commands.find("$EDITOR") != exercise.commands.rfind("$EDITOR")
          ? replaced(exercise.edits, "\n\n+", "\n\x01")
          : exercise.edits;
  const Words edits = split(replaced(several, "\x01?\n*$", ""), '\x01');
  std::size_t used = 0;
  std::string script;
  for (const std::string& line : split(exercise.commands, '\n')) {
    const bool is_edit = line.find("$EDITOR ") != std::string::npos;
    script += (is_edit ? edits.at(used++) : line) + '\n';
  }
  return script;
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
    write_whole(folder + "script", script_of(exercise));
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
