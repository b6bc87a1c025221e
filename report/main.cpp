// The one program that reads results: the tables of the READMEs, the ledger of claims, the summary
// and the pages of a measurement, and the list of steps and kernels. It runs in the repository's
// root. Exit status: 0, or 1 with what is wrong on stderr.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>  // takes seconds to compile, so it is in this file alone

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {

std::string text_of(const std::string& path) {
  return read_file(path);
}

const Csv& csv_file(const std::string& path) {
  static std::map<std::string, Csv> files;
  return files.contains(path) ? files.at(path) : files.emplace(path, Csv(path)).first->second;
}

std::vector<std::size_t> rows_where(
    const Csv& csv, const std::vector<std::pair<std::string, std::string>>& values) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < csv.size(); row++) {
    if (std::ranges::all_of(
            values, [&](auto& value) { return csv.text(row, value.first) == value.second; })) {
      rows.push_back(row);
    }
  }
  return rows;
}

Words distinct(const Csv& csv, const std::string& column) {
  Words values;
  for (std::size_t row = 0; row < csv.size(); row++) {
    if (!contains(values, csv.text(row, column))) {
      values.push_back(csv.text(row, column));
    }
  }
  return values;
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

std::string anchor(const std::string& heading) {
  std::string id = replaced(replaced(heading, "[^A-Za-z0-9_ -]", ""), " ", "-");
  for (char& c : id) {
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return id;
}

namespace {

std::string lines(const Words& words) {
  return fmt::format("{}{}", fmt::join(words, "\n"), words.empty() ? "" : "\n");
}

/// What a verb takes, how many arguments, and what it prints.
struct Verb {
  std::string usage;
  std::size_t least, most;
  std::function<std::string(const Words&)> text;
};

const std::map<std::string, Verb> verbs = {
    {"ask", {"head FILE KEY, kernels FILE [WIDTH], column FILE NAME or clock FILE", 2, 3, ask}},
    {"book", {"RESULTS", 1, 1, [](auto& words) { return book(words[0]); }}},
    {"claims", {"RESULTS", 1, 1, [](auto& words) { return claims_text(words[0]); }}},
    {"diff", {"STEP [host|kernels], or diff KERNEL KERNEL", 1, 2, diff}},
    {"exercises", {"--into DIR FILE", 3, 3, exercises}},
    {"join", {"OUT PIECE...", 2, 9999, join}},
    {"kernel",
     {"KERNEL [FILE]", 1, 2,
      [](auto& words) {
        return words.size() == 1 ? kernel_text(words[0]) : kernel_in(words[1], words[0], true);
      }}},
    {"kernels", {"FILE", 1, 1, [](auto& words) { return lines(kernels_in(words[0])); }}},
    {"page", {"RESULTS", 1, 1, [](auto& words) { return page(words[0]); }}},
    {"readme", {"[--check] [FILE...]", 0, 9999, readme}},
    {"step", {"STEP", 1, 1, [](auto& words) { return step_folder(words[0]) + "\n"; }}},
    {"steps", {"ladder|own", 1, 1, [](auto& words) { return lines(steps(words[0] == "own")); }}},
    {"summary", {"RESULTS", 1, 1, summary}},
    {"xray", {"FOLDER", 1, 1, xray}},
};

void run(const Words& words) {
  const auto verb = words.empty() ? verbs.end() : verbs.find(words[0]);
  if (verb == verbs.end()) {
    std::string usage = "usage: report VERB ARGUMENTS";
    for (const auto& [name, description] : verbs) {
      usage += fmt::format("\n  {} {}", name, description.usage);
    }
    fail("{}", usage);
  }
  const auto& [usage, least, most, text] = verb->second;
  const Words arguments(words.begin() + 1, words.end());
  if (arguments.size() < least || arguments.size() > most) {
    fail("usage: report {} {}", words[0], usage);
  }
  fmt::print("{}", text(arguments));
  if (std::fflush(stdout) != 0) {
    fail("the output cannot be written");
  }
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  try {
    tutorial::run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "report: {}\n", error.what());
    return 1;
  }
}
