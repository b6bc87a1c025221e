// Keeps the generated parts of the Markdown files fresh.
//
//   report readme [FILE...]          refreshes the files in place
//   report readme --check [FILE...]  changes nothing; lists what is stale or broken
//
// Without FILE: every *.md here and one folder below. What is wrong is a line `FILE:LINE: what is
// wrong` on stderr.
//
// What stands between these two lines is replaced by what the command gives:
//
//   <!-- begin: COMMAND -->
//   <!-- end -->
//
//   ./tutorial diff ...     what that very command prints, as a fenced diff
//   kernel FILE NAME        a kernel with the helpers and macros directly above it
//   table CSV COLUMN[:DECIMALS] WIDTHS [KERNEL...]
//                           one row per kernel, one column per filter width; WIDTHS: 3,7,16
//   compare WIDTH COLUMN[:DECIMALS],... LABEL=CSV... [-- KERNEL...]
//                           one row per kernel and, for each CSV, the columns, at one filter width
//   widths KERNEL COLUMN[:DECIMALS] WIDTHS LABEL=CSV...
//                           one row per CSV, one column per filter width: one kernel on several
//                           devices, or published and measured
//   rows CSV [KEY=VALUE,...] COLUMN[:DECIMALS][=HEAD],...
//                           the rows of any CSV in which every KEY has its VALUE, which may be a
//                           list: a|b|c
//   claims LABEL=FOLDER...  the claims of published/claims.csv, and whether they hold by the CSVs
//                           of each FOLDER
//   exercises FOLDER...     the exercises of these folders, with what they need and teach
//
// A word with spaces stands in double quotes. FILE is relative to the repository, CSV and FOLDER to
// plots/. Without DECIMALS a number has three significant digits; `rows` copies it as it is. A
// missing value shows as `-`, and a row or column of nothing else is an error. Without KERNEL all
// kernels of the CSVs have a row: in the order of kernels.csv, and those that it does not list
// after them.
#include <algorithm>
#include <filesystem>

#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// What stands in the block of this command.
std::string block_content(const std::string& command) {
  const Words words = split_quoted(command, ' ');
  const auto rest = [&](std::size_t from) { return Words(words.begin() + from, words.end()); };
  if (words.size() > 2 && words[0] == "./tutorial" && words[1] == "diff") {
    return "```diff\n" + diff(rest(2)) + "```\n";
  } else if (words.size() == 3 && words[0] == "kernel") {
    return "```c\n" + kernel_in(words[1], words[2], false) + "```\n";
  } else if (words.size() > 1 && words[0] == "claims") {
    return claims_markdown(rest(1));
  } else if (words.size() > 1 && words[0] == "exercises") {
    return exercise_table(rest(1));
  }
  return readme_table(words);
}

/// Refreshes a file, or with `check` only looks; returns what is wrong, lines `FILE:LINE: ...`.
Words process(const std::string& path, bool check) {
  Words problems;
  const auto complain = [&](std::size_t line, const std::string& what) {
    problems.push_back(fmt::format("{}:{}: {}", path, line, what));
  };
  const std::string old_text = read_file(path);
  const Words lines = split(old_text, '\n');
  Words fresh;
  for (std::size_t i = 0; i < lines.size(); i++) {
    fresh.push_back(lines[i]);
    const Words command = search(lines[i], "^<!-- begin: (.*) -->$");
    if (command.empty()) {
      continue;
    }
    const std::size_t begin_line = i + 1;
    std::string old_content;
    while (++i < lines.size() && lines[i] != "<!-- end -->") {
      old_content += lines[i] + '\n';
    }
    if (i == lines.size()) {
      complain(begin_line, "<!-- begin: ... --> without <!-- end -->");
      return problems;
    }
    try {
      fresh.push_back(block_content(command[1]) + lines[i]);
      if (check && fresh.back() != old_content + lines[i]) {
        complain(begin_line, "stale, and ./tutorial readme refreshes it: " + command[1]);
      }
    } catch (const Error& error) {
      complain(begin_line, error.what());
      fresh.push_back(old_content + lines[i]);
    }
  }
  const std::string new_text = fmt::format("{}", fmt::join(fresh, "\n"));
  if (!check && new_text != old_text) {
    write_whole(path, new_text);
    fmt::print("refreshed {}\n", path);
  }
  return problems;
}

/// Those in the repository's folder and in the folders in it.
Words all_markdown_files() {
  Words files;
  for (fs::recursive_directory_iterator entry("."), end; entry != end; ++entry) {
    if (entry.depth() == 1) {
      entry.disable_recursion_pending();
    }
    if (entry->path().extension() == ".md") {
      files.push_back(entry->path().lexically_normal().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::string readme(const Words& arguments) {
  const bool check = contains(arguments, "--check");
  Words files = arguments;
  std::erase(files, "--check");
  Words problems;
  for (const std::string& file : files.empty() ? all_markdown_files() : files) {
    const Words more = process(file, check);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  if (!problems.empty()) {
    fail("this is to be mended:\n{}", fmt::join(problems, "\n"));
  }
  return "";
}

}  // namespace tutorial
