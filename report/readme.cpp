// Keeps the generated parts of the Markdown files fresh.
//
//   report readme [FILE...]          refreshes the files in place
//   report readme --check [FILE...]  changes nothing; lists what is stale or broken
//
// Without FILE: every *.md of the repository, except in build/, results/ and hidden folders. What is
// wrong is a line `FILE:LINE: what is wrong` on stderr.
//
// What stands between these two lines is replaced by what the command gives:
//
//   <!-- begin: COMMAND -->
//   <!-- end -->
//
//   ./tutorial diff ...     what that very command prints, as a fenced diff
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
//   tally FOLDER            how many of the claims hold there, in words
//   exercises FOLDER...     the exercises of these folders, with what they need and teach
//
// A word with spaces stands in double quotes. FILE is relative to the repository, CSV and FOLDER to
// plots/. Without DECIMALS a number has three significant digits; `rows` copies it as it is. A missing
// value shows as `-`, and a row or column of nothing else is an error. Without KERNEL all kernels of
// the CSVs have a row: in the order of kernels.csv, and those that it does not list after them.
//
// --check also finds prose that is hard to edit: lines of more than 160 characters, unless they are
// a table's, a link or picture alone, or HTML; and markers of measured numbers within sentences,
// which belong in tables.
#include <algorithm>
#include <filesystem>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// The text of an OpenCL file, or of kernels in it.
std::string kernel_block(const std::string& file, const Words& kernels) {
  std::string text = kernels.empty() ? text_of(file) : "";
  for (const std::string& kernel : kernels) {
    const std::string one = find_kernel(file, kernel, false).text;
    if (one.empty()) {
      fail("{}: no kernel {}", file, kernel);
    }
    text += (text.empty() ? "" : "\n") + one;
  }
  return text;
}

/// What stands in the block of this command.
std::string block_content(const std::string& command) {
  Words words = split_quoted(command, ' ');
  const std::string verb = words[0];
  words.erase(words.begin());
  if (verb == "./tutorial" && !words.empty() && words[0] == "diff") {
    return "```diff\n" + diff({words.begin() + 1, words.end()}) + "```\n";
  } else if (verb == "kernel" && !words.empty()) {
    return "```c\n" + kernel_block(words[0], {words.begin() + 1, words.end()}) + "```\n";
  } else if (verb == "claims" && !words.empty()) {
    return claims_table(words);
  } else if (verb == "exercises" && !words.empty()) {
    return exercise_table(words);
  }
  return readme_table(split_quoted(command, ' '));
}

/// What is wrong with a line outside of blocks and code; empty if nothing is.
std::string prose_problem(const std::string& line) {
  static const std::string exempt = R"( *[|<].*|[-* ]*!?\[[^\]]*\]\([^)]*\)[.,]?|\[[^\]]*\]: .*)";
  if (!matched(line, ".*<!--(=|/-->| /?measured).*").empty()) {
    return "a marker of a measured number: it belongs in a generated table";
  }
  // In UTF-8 the bytes after a character's first have the bits 10 on top.
  const auto characters =
      std::ranges::count_if(line, [](char byte) { return (byte & 0xC0) != 0x80; });
  const bool too_long = characters > 160 && matched(line, exempt).empty();
  return too_long ? fmt::format("{} characters, more than 160", characters) : "";
}

/// What is wrong in one file, lines `FILE:LINE: ...`; without `check` the file is refreshed.
Words problems_of(const std::string& path, bool check) {
  static const std::string begin = "<!-- begin: (.*) -->";
  static const std::string end = "<!-- end -->";
  static const std::string fence = R"( *(```+|~~~+).*)";
  Words problems;
  const auto complain = [&](std::size_t line, const std::string& what) {
    problems.push_back(fmt::format("{}:{}: {}", path, line, what));
  };
  const std::string old_text = text_of(path);
  Words lines = split(old_text, '\n');
  if (lines.back().empty()) {
    lines.pop_back();
  }
  std::string new_text;
  std::string open_fence;  // what opened the code that the line is in; empty: none
  for (std::size_t i = 0; i < lines.size(); i++) {
    new_text += lines[i] + '\n';
    if (!open_fence.empty()) {
      open_fence = lines[i].find(open_fence) == std::string::npos ? open_fence : "";
    } else if (const Words opened = matched(lines[i], fence); !opened.empty()) {
      open_fence = opened[1];
    } else if (lines[i] == end) {
      complain(i + 1, "<!-- end --> without <!-- begin: ... -->");
    } else if (const Words block = matched(lines[i], begin); !block.empty()) {
      const std::string command = block[1];
      const std::size_t begin_line = i + 1;
      std::string old_content;
      while (++i < lines.size() && lines[i] != end && matched(lines[i], begin).empty()) {
        old_content += lines[i] + '\n';
      }
      if (i == lines.size() || lines[i] != end) {
        complain(begin_line, "<!-- begin: ... --> without <!-- end -->");
        return problems;
      }
      std::string content = old_content;
      try {
        content = block_content(command);
      } catch (const Error& error) {
        complain(begin_line, error.what());
      }
      if (check && content != old_content) {
        complain(begin_line, "stale: " + command);
      }
      new_text += content + lines[i] + '\n';
    } else if (const std::string problem = prose_problem(lines[i]); check && !problem.empty()) {
      complain(i + 1, problem);
    }
  }
  if (!open_fence.empty()) {
    complain(lines.size(), "a code fence without an end");
  } else if (!check && new_text != old_text) {
    write_whole(path, new_text);
    fmt::print("refreshed {}\n", path);
  }
  return problems;
}

Words all_markdown_files() {
  Words files;
  for (fs::recursive_directory_iterator entry("."), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && (name.front() == '.' || name == "build" || name == "results")) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && name.ends_with(".md")) {
      files.push_back(entry->path().lexically_normal().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::string refresh_readmes(const Words& arguments) {
  const bool check = contains(arguments, "--check");
  Words files = arguments;
  std::erase(files, "--check");
  std::size_t count = 0;
  for (const std::string& file : files.empty() ? all_markdown_files() : files) {
    for (const std::string& problem : problems_of(file, check)) {
      fmt::print(stderr, "{}\n", problem);
      count++;
    }
  }
  if (count > 0) {
    fail("{} places to mend; ./tutorial readme refreshes what is stale", count);
  }
  return "";
}

}  // namespace tutorial
