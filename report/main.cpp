// The one program that reads results: the tables of the READMEs, the ledger of claims, the summary
// and the pages of a measurement, and the list of steps and kernels. It runs in the repository's
// root. Exit status: 0, or 1 with what is wrong on stderr.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {

std::string text_of(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) {
    fail("{} cannot be read", path);
  }
  return *text;
}

void write_whole(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) {
    std::filesystem::rename(part, path, error);
  }
  if (!file || error) {
    fail("{}: cannot be written", path);
  }
}

const Csv& csv_file(const std::string& path) {
  static std::map<std::string, Csv> files;
  const auto found = files.find(path);
  return found != files.end() ? found->second : files.emplace(path, Csv(path)).first->second;
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

// <regex> takes seconds to compile, so it is in this file alone.
Words matched(const std::string& text, const std::string& expression) {
  static std::map<std::string, std::regex> expressions;
  std::smatch match;
  std::regex_match(text, match, expressions.try_emplace(expression, expression).first->second);
  return {match.begin(), match.end()};
}

std::string replaced(
    const std::string& text, const std::string& expression, const std::string& by) {
  return std::regex_replace(text, std::regex(expression), by);
}

std::string before(const std::string& text, char separator) {
  const std::size_t place = text.find(separator);
  if (place == std::string::npos) {
    fail("'{}' is not of the form A{}B", text, separator);
  }
  return text.substr(0, place);
}

std::string after(const std::string& text, char separator) {
  return text.substr(before(text, separator).size() + 1);
}

std::string anchor(const std::string& heading) {
  std::string id;
  for (const char c : heading) {
    if (c >= 'A' && c <= 'Z') {
      id += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-') {
      id += c;
    } else if (c == ' ') {
      id += '-';
    }
  }
  return id;
}

namespace {

std::string lines(const Words& words) {
  return fmt::format("{}\n", fmt::join(words, "\n"));
}

struct Verb {
  std::string usage;
  std::size_t least, most;  ///< number of arguments
  std::function<std::string(const Words&)> text;
};

// What each verb prints. A verb throws `Error` if there is no answer.
const std::map<std::string, Verb> verbs = {
    {"steps",
     {"ladder|own", 1, 1,
      [](auto& words) { return lines(words[0] == "own" ? own_steps() : ladder_steps()); }}},
    {"step", {"STEP", 1, 1, [](auto& words) { return step_folder(words[0]) + "\n"; }}},
    {"kernels",
     {"FILE", 1, 1, [](auto& words) { return lines(find_kernel(words[0], "", false).names); }}},
    {"kernel", {"KERNEL", 1, 1, [](auto& words) { return kernel_text(words[0]); }}},
    {"diff", {"STEP [host|kernels], or diff KERNEL KERNEL", 1, 2, diff}},
    {"readme", {"[--check] [FILE...]", 0, 999, refresh_readmes}},
    {"join", {"OUT PIECE...", 2, 999, join}},
    {"xray", {"FOLDER", 1, 1, xray}},
};

int run(const Words& words) {
  const auto verb = words.empty() ? verbs.end() : verbs.find(words[0]);
  if (verb == verbs.end()) {
    std::string usage = "usage: report [--root DIR] VERB, one of";
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
  const std::string output = text(arguments);
  if (std::fwrite(output.data(), 1, output.size(), stdout) != output.size() ||
      std::fflush(stdout)) {
    fail("the output cannot be written");
  }
  return 0;
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  try {
    tutorial::Words words(argv + 1, argv + argc);
    if (words.size() > 1 && words[0] == "--root") {
      std::filesystem::current_path(words[1]);
      words.erase(words.begin(), words.begin() + 2);
    }
    return tutorial::run(words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "report: {}\n", error.what());
    return 1;
  }
}
