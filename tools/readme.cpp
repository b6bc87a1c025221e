// Keeps the generated parts of the Markdown files fresh.
//
//   readme_tool [--root DIR] [FILE...]          refreshes the files in place
//   readme_tool --check [--root DIR] [FILE...]  changes nothing; lists what is stale or broken
//
// Without FILE: every *.md below DIR (the current folder), except in build/, results/ and hidden
// folders. Exit status: 0 if all is well, else 1, with lines `FILE:LINE: what is wrong` on stderr.
//
// What stands between these two lines is replaced by what the command gives:
//
//   <!-- begin: COMMAND -->
//   <!-- end -->
//
//   ./tutorial diff ...     the output of that very command, as a fenced diff
//   kernel FILE [NAME...]   the text of an OpenCL file, or of these kernels in it, each with the
//                           helpers and macros directly above it
//   table CSV COLUMN[:DECIMALS] WIDTHS [KERNEL...]
//                           one row per kernel, one column per filter width; WIDTHS is `all` or
//                           3,7,16
//   compare WIDTH COLUMN[:DECIMALS],... LABEL=CSV... [-- KERNEL...]
//                           one row per kernel and, for each CSV, the columns, at one filter width
//   widths KERNEL COLUMN[:DECIMALS] WIDTHS LABEL=CSV...
//                           one row per CSV, one column per filter width: one kernel on several
//                           devices, or published and measured
//   rows CSV [KEY=VALUE,...] COLUMN[:DECIMALS][=HEAD],...
//                           the rows of any CSV in which every KEY has its VALUE, which may be a
//                           list: a|b|c
//   claims LABEL=FOLDER[,FOLDER]...
//                           the claims of published/claims.csv, and whether they hold by the CSVs of
//                           each FOLDER; of several, the first that has a file counts
//   exercises FOLDER...     the exercises of these folders' READMEs, with what they need and teach
//
// A word with spaces stands in double quotes. FILE is relative to DIR, CSV and FOLDER to DIR/plots.
// A CSV has lines `# key: value`, a row with the names of the columns, the data. Without DECIMALS a
// number has three significant digits; `rows` copies it as it is. A missing value shows as `-`, and
// a row or column of nothing else is an error. Without KERNEL all kernels of the CSVs have a row: in
// the order of kernels.csv, and those that it does not list after them.
//
// The tables are made by tools/table.awk and tools/claims.awk.
//
// --check also finds prose that is hard to edit: lines of more than 160 characters, unless they are
// a table's, a link or picture alone, or HTML; and markers of measured numbers within sentences,
// which belong in tables.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using std::string;

string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) {
    throw std::runtime_error(path.string() + " cannot be read");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<string> split_lines(const string& text) {
  std::istringstream stream(text);
  std::vector<string> lines;
  for (string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// What a shell command prints; an error with the first line of that if it fails.
string output_of(const string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  string output;
  for (int c = 0; pipe != nullptr && (c = getc(pipe)) != EOF;) {
    output += static_cast<char>(c);
  }
  if (pipe == nullptr || pclose(pipe) != 0) {
    throw std::runtime_error(output.substr(0, output.find('\n')));
  }
  return output;
}

/// The text of an OpenCL file, or of kernels in it.
string kernel_text(const string& file, const std::vector<string>& kernels) {
  string text = read_file(file);
  if (!kernels.empty()) {
    text.clear();
  }
  for (const string& kernel : kernels) {
    const string one =
        output_of(fmt::format("awk -v kernel={} -f tools/kernel_text.awk {}", kernel, file));
    if (one.empty()) {
      throw std::runtime_error(fmt::format("{}: no kernel {}", file, kernel));
    }
    text += (text.empty() ? "" : "\n") + one;
  }
  return text;
}

/// What stands in the block of this command.
string block_content(const string& command) {
  static const std::regex diff(R"(\./tutorial diff \w+( \w+)?)");
  static const std::regex kernel(R"(kernel ([\w/.]+)(( \w+)*))");
  static const std::regex table("(table|compare|widths|rows) [^']*");
  static const std::regex exercises("exercises(( [a-z0-9_]+)+)");
  static const std::regex claims(R"(claims ([\w/,.= -]+))");
  std::smatch match;
  if (std::regex_match(command, diff)) {
    return "```diff\n" + output_of(command) + "```\n";
  } else if (std::regex_match(command, match, kernel)) {
    std::istringstream names(match[2]);
    return "```c\n" + kernel_text(match[1], {std::istream_iterator<string>(names), {}}) + "```\n";
  } else if (std::regex_match(command, table)) {
    return output_of(fmt::format("awk -v command='{}' -f tools/table.awk", command));
  } else if (std::regex_match(command, match, claims)) {
    return output_of(fmt::format(
        "cd plots && awk -v devices='{}' -f ../tools/claims.awk published/claims.csv",
        match[1].str()));
  } else if (std::regex_match(command, match, exercises)) {
    const string files = std::regex_replace(match[1].str(), std::regex(R"(\w+)"), "$&/EXERCISES.md");
    return output_of("awk -f tools/exercises.awk" + files);
  }
  throw std::runtime_error(fmt::format("'{}' is not a command of this tool", command));
}

/// What is wrong with a line outside of blocks and code; empty if nothing is.
string prose_problem(const string& line) {
  static const std::regex marker("<!--(=|/-->| /?measured)");
  static const std::regex exempt(R"( *[|<].*|[-* ]*!?\[[^\]]*\]\([^)]*\)[.,]?|\[[^\]]*\]: .*)");
  if (std::regex_search(line, marker)) {
    return "a marker of a measured number: it belongs in a generated table";
  }
  // In UTF-8 the bytes after a character's first have the bits 10 on top.
  const auto characters =
      std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
  const bool too_long = characters > 160 && !std::regex_match(line, exempt);
  return too_long ? fmt::format("{} characters, more than 160", characters) : "";
}

// --- A Markdown file -----------------------------------------------------------------------------

/// Refreshes or checks one file; returns whether all was well.
bool process(const string& path, bool check) {
  static const std::regex begin("<!-- begin: (.*) -->");
  static const string end = "<!-- end -->";
  static const std::regex fence(R"( *(```+|~~~+).*)");
  bool well = true;
  const auto complain = [&](auto line, const string& what) {
    fmt::print(stderr, "{}:{}: {}\n", path, line, what);
    well = false;
  };
  const string old_text = read_file(path);
  const std::vector<string> lines = split_lines(old_text);
  string new_text;
  string open_fence;  // what opened the code that the line is in; empty: none
  for (std::size_t i = 0; i < lines.size(); i++) {
    new_text += lines[i] + '\n';
    std::smatch match;
    if (!open_fence.empty()) {
      open_fence = lines[i].find(open_fence) == string::npos ? open_fence : "";
    } else if (std::regex_match(lines[i], match, fence)) {
      open_fence = match[1];
    } else if (lines[i] == end) {
      complain(i + 1, "<!-- end --> without <!-- begin: ... -->");
    } else if (std::regex_match(lines[i], match, begin)) {
      const string command = match[1];
      const std::size_t begin_line = i + 1;
      string old_content;
      while (++i < lines.size() && lines[i] != end && !std::regex_match(lines[i], begin)) {
        old_content += lines[i] + '\n';
      }
      if (i == lines.size() || lines[i] != end) {
        complain(begin_line, "<!-- begin: ... --> without <!-- end -->");
        return false;
      }
      string content = old_content;
      try {
        content = block_content(command);
      } catch (const std::exception& error) {
        complain(begin_line, error.what());
      }
      if (check && content != old_content) {
        complain(begin_line, "stale: " + command);
      }
      new_text += content + lines[i] + '\n';
    } else if (const string problem = prose_problem(lines[i]); check && !problem.empty()) {
      complain(i + 1, problem);
    }
  }
  if (!open_fence.empty()) {
    complain(lines.size(), "a code fence without an end");
  } else if (!check && new_text != old_text) {
    std::ofstream(path, std::ios::binary) << new_text;
    fmt::print("refreshed {}\n", path);
  }
  return well;
}

std::vector<string> all_markdown_files() {
  std::vector<string> files;
  for (fs::recursive_directory_iterator entry("."), end; entry != end; ++entry) {
    const string name = entry->path().filename().string();
    if (entry->is_directory() && (name.front() == '.' || name == "build" || name == "results")) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && name.ends_with(".md")) {
      files.push_back(entry->path().lexically_normal().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Refreshes the generated parts of Markdown files");
  bool check = false;
  string root = ".";
  std::vector<string> files;
  app.add_flag("--check", check, "Change nothing; list what is stale or broken");
  app.add_option("--root", root, "The repository")->check(CLI::ExistingDirectory);
  app.add_option("FILE", files, "Relative to the repository; default: all its Markdown files");
  try {
    app.parse(argc, argv);
    fs::current_path(root);
    bool well = true;
    for (const string& file : files.empty() ? all_markdown_files() : files) {
      well = process(file, check) && well;
    }
    return well ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "readme_tool: {}\n", error.what());
    return 1;
  }
}
