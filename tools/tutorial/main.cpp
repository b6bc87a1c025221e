// The one program that reads results: the tables of the READMEs, the summary
// and the pages of a measurement, and the list of steps and kernels. It runs in the repository's
// root. Exit status: 0, or 1 with what is wrong on stderr.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <regex>  // takes seconds to compile, so it is in this file alone

#include "tutorial/tutorial.hpp"

namespace tutorial {

const Measured* measured_file(const std::string& path) {
  static std::map<std::string, std::optional<Measured>> files;
  const auto [file, is_new] = files.try_emplace(path);
  if (is_new && (!std::filesystem::exists(path) || Measured::is_in(Csv(path)))) {
    file->second.emplace(path);
  }
  return file->second ? &*file->second : nullptr;
}

const Csv& csv_file(const std::string& path) {
  static std::map<std::string, Csv> files;
  if (!files.contains(path)) {
    const Measured* measured = measured_file(path);
    files.emplace(path, measured != nullptr ? measured->view(path) : Csv(path));
  }
  return files.at(path);
}

std::vector<std::size_t> rows_where(const Csv& csv, const Values& values) {
  std::vector<std::size_t> rows(csv.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (const auto& [column, choice] : values) {
    const Words any = split(choice, '|');
    std::erase_if(
        rows, [&, &name = column](auto row) { return !contains(any, csv.text(row, name)); });
  }
  return rows;
}

Words distinct(const Csv& csv, const std::string& column, const Values& values) {
  Words found;
  for (const std::size_t row : rows_where(csv, values)) {
    if (!contains(found, csv.text(row, column))) {
      found.push_back(csv.text(row, column));
    }
  }
  return found;
}

bool contains(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

Words search(const std::string& text, const std::string& expression) {
  static std::map<std::string, std::regex> expressions;
  std::smatch match;
  std::regex_search(text, match, expressions.try_emplace(expression, expression).first->second);
  return {match.begin(), match.end()};
}

std::string replaced(
    const std::string& text, const std::string& expression, const std::string& by) {
  return std::regex_replace(text, std::regex(expression), by);
}

std::pair<std::string, std::string> halves(const std::string& text, char separator) {
  const std::size_t place = text.find(separator);
  if (place == std::string::npos) {
    fail("'{}' is not of the form A{}B", text, separator);
  }
  return {text.substr(0, place), text.substr(place + 1)};
}

Words numbers_of(const std::string& list, char separator) {
  Words numbers;
  for (const std::string& part : split(list, separator)) {
    const Words ends = search(part, "^([0-9]+):([0-9]+)$");
    if (ends.empty()) {
      numbers.push_back(part);
      continue;
    }
    for (int number = std::stoi(ends[1]); number <= std::stoi(ends[2]); number++) {
      numbers.push_back(std::to_string(number));
    }
  }
  return numbers;
}

std::string device_name(const Csv& csv) {
  // Some drivers pad it with blanks; PoCL puts a word and LLVM's name of the processor before it.
  const std::string name =
      replaced(csv.head("device"), "^ +| +$| +(?= )|\\((R|TM)\\)| Processor", "");
  return replaced(name, "^(pthread|cpu)-[^A-Z]*-([A-Z].*)$", "$2 (PoCL)");
}

std::string answer(const std::map<std::string, Command>& commands, const Words& words) {
  const auto command = commands.find(words[0]);
  if (command == commands.end() || words.size() <= command->second.arguments) {
    fail("'{}' is not a command with its arguments", fmt::join(words, " "));
  }
  return command->second.text({words.begin() + 1, words.end()});
}

// What the gnuplot scripts ask about a CSV:
//   head FILE KEY, title CHARTS CHART, kernels FILE [WIDTH], fastest FILE WIDTH, column FILE NAME,
//   devices FILE: any
std::string ask(const Words& arguments) {
  const std::string& question = arguments[0];
  const Csv& csv = csv_file(arguments[1]);
  const std::string detail = arguments.size() > 2 ? arguments[2] : "";
  Words words;
  if (question == "head") {
    words = {detail == "device" ? device_name(csv) : csv.head(detail)};
  } else if (question == "devices") {
    words = {devices_csv()};
  } else if (question == "title") {
    const auto rows = rows_where(csv, {{"chart", detail}});
    words = {rows.empty() ? detail + ": a step of your own" : csv.text(rows[0], "title")};
  } else if (question == "fastest") {  // of each step
    for (const auto& [step, fastest] : fastest_of_steps(csv, detail)) {
      words.push_back(fastest.second);
    }
  } else if (question == "kernels") {
    words = distinct(csv, "kernel", detail.empty() ? Values{} : Values{{"filter_width", detail}});
  } else if (question == "column") {
    for (const std::size_t row : rows_where(csv, {})) {
      words.push_back(csv.text(row, detail).empty() ? "-" : csv.text(row, detail));
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

namespace {

/// WORD CHOICE...: the end of a sentence that refuses the word.
std::string nearest_of(const Words& arguments) {
  return "; the nearest is " + nearest(arguments[0], {arguments.begin() + 1, arguments.end()});
}

const std::map<std::string, Command> verbs = {
    {"ask", {2, ask}},              // head, title, kernels or column; see above
    {"asm", {3, assembly}},         // KERNEL LISTING SOURCE; see asm.sh
    {"diff", {1, diff}},            // STEP [host|kernels], or KERNEL KERNEL
    {"kernel", {1, kernel_text}},   // KERNEL: of the ladder or a study, with all helpers above it
    {"model", {3, model}},          // OUT MEASUREMENTS COUNTS
    {"nearest", {2, nearest_of}},   // WORD CHOICE...
    {"page", {1, page}},            // RESULTS: of all results, in Markdown
    {"readme", {1, readme}},        // [--check] FILE...
    {"step", {1, step}},            // NUMBER: its folder
    {"steps", {1, steps}},          // ladder or own: the folders
    {"summary", {1, summary}},      // RESULTS
    {"xray", {1, xray}},            // FOLDER; see xray.sh
};

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  using namespace tutorial;
  try {
    if (argc < 2) {
      fail("usage: report COMMAND ARGUMENTS; main.cpp says which");
    }
    fmt::print("{}", answer(verbs, Words(argv + 1, argv + argc)));
    return std::fflush(stdout) == 0 ? 0 : throw Error("the output cannot be written");
  } catch (const std::exception& error) {
    std::fputs(fmt::format("report: {}\n", error.what()).c_str(), stderr);  // which may be full
    return 1;
  }
}
