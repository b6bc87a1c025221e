// The exercises in EXERCISES.md of a step or study: below "### N. Title" lines "Needs: ... Teaches:
// ...", the commands that the reader types (indented), lines <!-- expect: STATUS REGEX -->, and a
// folded Tip and Answer. The answer begins with the edits that the reader makes in $EDITOR, as
// commands.
#include <filesystem>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

struct Exercise {
  std::string title, needs, commands, edits, status, patterns;
  bool has_tip = false;
  bool has_answer = false;
  Words problems;

  std::string number() const { return before(title, '.'); }
};

enum class Part { text, expected, tip, answer };

/// What the line of an exercise adds to it; `part` is where it stands.
void add_line(Exercise& exercise, Part& part, bool& in_edits, const std::string& line) {
  const bool blank = line.find_first_not_of(' ') == std::string::npos;
  const bool indented = line.starts_with("    ");
  if (line.starts_with("<!-- expect: ")) {
    part = Part::expected;
    const Words match = matched(line, "<!-- expect: *([0-9]+) +(.+?) *-->");
    if (match.empty() || (!exercise.status.empty() && exercise.status != match[1])) {
      exercise.problems.push_back(
          "its lines <!-- expect: STATUS REGEX --> do not have one status and a pattern each");
      return;
    }
    exercise.status = match[1];
    exercise.patterns += match[2] + '\n';
  } else if (line.find("<summary>Tip</summary>") != std::string::npos) {
    part = Part::tip;
  } else if (line.find("<summary>Answer</summary>") != std::string::npos) {
    part = Part::answer;
    in_edits = true;
  } else if (line.starts_with("</details>")) {
    part = Part::expected;
  } else if (part == Part::text && indented) {
    exercise.commands += line.substr(4) + '\n';
  } else if (part == Part::text && exercise.commands.empty()) {
    // The paragraph that begins with "Needs: " is the first one.
    if (line.starts_with("Needs: ") || (!exercise.needs.empty() && exercise.needs.back() != '\n')) {
      exercise.needs += blank ? "\n" : (exercise.needs.empty() ? "" : " ") + line;
    }
  } else if (part == Part::tip && !blank && !line.starts_with('<')) {
    exercise.has_tip = true;
  } else if (part == Part::answer) {
    exercise.has_answer = exercise.has_answer || !blank;
    in_edits = in_edits && (blank || indented);
    exercise.edits += in_edits ? (blank ? "" : line.substr(4)) + '\n' : "";
  }
}

std::vector<Exercise> exercises_of(const std::string& path) {
  std::vector<Exercise> exercises;
  Part part = Part::text;
  bool in_code = false;
  bool in_exercise = false;
  bool in_edits = false;
  for (const std::string& line : split(text_of(path), '\n')) {
    in_code =
        line.find_first_not_of(' ') == line.find("```") && line.find("```") != std::string::npos
            ? !in_code
            : in_code;
    if (!in_code && (line.starts_with("## ") || line.starts_with("### "))) {
      const Words heading = matched(line, "### ([0-9]+\\. .+)");
      in_exercise = !heading.empty();
      if (in_exercise) {
        exercises.emplace_back().title = heading[1];
        part = Part::text;
      }
    } else if (in_exercise) {
      add_line(exercises.back(), part, in_edits, line);
    }
  }
  for (Exercise& exercise : exercises) {
    const auto need = [&](bool there, const std::string& problem) {
      if (!there) {
        exercise.problems.push_back(problem);
      }
    };
    need(
        exercise.needs.find("Teaches: ") != std::string::npos, "no line 'Needs: ... Teaches: ...'");
    need(!exercise.commands.empty(), "no command");
    need(exercise.has_tip, "no tip");
    need(exercise.has_answer, "no answer");
    need(!exercise.patterns.empty(), "no <!-- expect: STATUS REGEX -->");
    need(
        exercise.commands.find("$EDITOR") == std::string::npos ||
            exercise.edits.find_first_not_of(" \n") != std::string::npos,
        "the answer does not begin with the edit as commands");
  }
  return exercises;
}

/// "step 1, " or "median, ".
std::string place(const std::string& folder) {
  return replaced(replaced(folder, "^step([0-9]+)_.*", "step $1"), "_", " ") + ", ";
}

}  // namespace

std::string write_exercises(const std::string& path, const std::string& folder) {
  std::string problems;
  for (const Exercise& exercise : exercises_of(path)) {
    for (const std::string& problem : exercise.problems) {
      problems += fmt::format("\n{}: {}: {}", path, exercise.title, problem);
    }
    const std::string target = folder + "/" + exercise.number() + "/";
    std::filesystem::create_directories(target);
    write_whole(target + "title", exercise.title);
    write_whole(target + "commands", exercise.commands);
    write_whole(target + "edits", exercise.edits);
    write_whole(target + "status", exercise.status);
    write_whole(target + "patterns", exercise.patterns);
  }
  if (!problems.empty()) {
    fail("{}", problems);
  }
  return "";
}

std::string exercise_table(const Words& folders) {
  // A link's label means nothing in another file; what one without the device does, the exercise
  // says.
  static const std::string link = R"(\]\([^)]*\)|\]\[[^\]]*\]|[\]\[])";
  std::string text = "| exercise | needs | teaches |\n|---|---|---|\n";
  for (const std::string& folder : folders) {
    std::string path = folder + "/EXERCISES.md";
    path = std::filesystem::exists(path) ? path : folder + "/README.md";
    for (const Exercise& exercise : exercises_of(path)) {
      const Words match =
          matched(exercise.needs, "Needs: (.*?)( \\(.*)?\\.? *Teaches: *(.*?)\\.?\n?");
      if (match.empty()) {
        fail("{}: {}: no line 'Needs: ... Teaches: ...'", path, exercise.title);
      }
      text += fmt::format(
          "| [{}{}]({}#{}) | {} | {} |\n", place(folder), exercise.title, path,
          anchor(exercise.title), replaced(match[1], link, ""), replaced(match[3], link, ""));
    }
  }
  return text;
}

}  // namespace tutorial
