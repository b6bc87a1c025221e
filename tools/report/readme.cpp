// Keeps the generated parts of the Markdown files fresh.
//
//   report readme FILE...          refreshes the files in place
//   report readme --check FILE...  changes nothing; lists what is stale or broken
//
// What is wrong is a line `FILE:LINE: what is wrong` on stderr. What stands between these two lines
// is replaced by what the command gives:
//
//   <!-- begin: COMMAND -->
//   <!-- end -->
//
// Within a sentence a figure stands so: <!-- = FIGURE -->9.0<!-- / -->
//
// A sentence that compares figures of that table is held to the data by a line below it:
//
//   <!-- holds: FILE A < B at WIDTHS -->
#include <algorithm>

#include "report/report.hpp"

namespace tutorial {
namespace {

// A word with spaces stands in double quotes. FILE is relative to the repository, CSV and FOLDER to
// plots/. Without DECIMALS a number has three significant digits; `rows` copies it as it is. A
// missing value shows as `-`, and a row or column of nothing else is an error. Without KERNEL all
// kernels of the CSVs have a row: in the order of kernels.csv, and those that it does not list
// after them.
const std::map<std::string, Command> commands = {
    // ./tutorial diff ...: what that very command prints, as a fenced diff
    {"./tutorial diff", {1, [](auto& words) { return "```diff\n" + diff(words) + "```\n"; }}},
    // file PATH: a whole C++ file
    {"file", {1, [](auto& words) { return "```cpp\n" + read_file(words[0]) + "```\n"; }}},
    // kernel FILE NAME: a kernel with the helpers and macros directly above it
    {"kernel",
     {2, [](auto& words) { return "```c\n" + kernel_in(words[0], words[1], false) + "```\n"; }}},
    // table COLUMN[:DECIMALS],... WIDTHS [LABEL=]CSV... [-- KERNEL...]: one row per kernel, one
    // column per filter width; WIDTHS: 3,7,16. CSVs with a label have a row each, of one kernel, or
    // at one width the columns each. Column times_the_best_library: how `Tuned` compares with it
    {"table", {3, kernel_table}},
    // rows CSV [KEY=VALUE,...] COLUMN[:DECIMALS][=HEAD],...: the rows of any CSV in which every KEY
    // has its VALUE, which may be a list: a|b|c
    {"rows", {2, row_table}},
    // claims [PART] LABEL=FOLDER...: the claims of published/claims.csv, and whether they hold by
    // the CSVs of each FOLDER; PART is the title of one table. claims differing: those on which the
    // devices with a ladder differ
    {"claims", {1, claims_markdown}},
    {"devices", {0, devices_table}},  // with a ladder
    // model CSV COUNTS KEY=VALUE,... COLUMN[:DECIMALS][=HEAD],...: rows of what report model writes
    {"model", {4, model_rows}},
    // score STEP [WIDTH [BEFORE AFTER]]: the fastest kernel before a step, and with it; in the
    // ladder's tables, or in these
    {"score", {1, score}},
    // exercises FOLDER...: the exercises of these folders, with what they need and teach
    {"exercises", {1, exercise_table}},
};

/// A part of a page that is made: `begin`, a command, `close`, what it gives, `end`.
struct Marks {
  std::string begin, close, end;
  std::string (*answer)(const std::string& command);
};

const Marks block = {"\n<!-- begin: ", " -->\n", "<!-- end -->", [](const std::string& command) {
                       // One word, so that it is the name of a command.
                       const std::string quoted =
                           replaced(command, "^(\\./tutorial diff)", "\"$1\"");
                       return answer(commands, split_quoted(quoted, ' '));
                     }};
// WHAT[:DECIMALS] FILE WIDTH KERNEL, where WHAT is a column of plots/data/FILE; or with `times` or
// `percent` the time of KERNEL over that of another: ... KERNEL OTHER. Of A+B it is the sum of both
// times, in ms.
const Marks in_sentence = {"<!-- = ", " -->", "<!-- / -->", [](const std::string& command) {
                             return figure(split(command, ' '));
                           }};

/// What stands in a comment after the mark.
std::string comment(const std::string& text, std::size_t mark_end) {
  return text.substr(mark_end, text.find(" -->\n", mark_end) - mark_end);
}

std::string place(const std::string& path, const std::string& text, std::size_t mark) {
  return fmt::format("{}:{}: ", path, 2 + std::count(text.begin(), text.begin() + mark, '\n'));
}

/// The text with what the commands between these marks give today; adds what is wrong, and with
/// `check` what is stale, to `problems`.
std::string refreshed(
    const std::string& path, const std::string& text, const Marks& marks, bool check,
    Words& problems) {
  std::string fresh;
  std::size_t done = 0;
  for (std::size_t begin = 0; (begin = text.find(marks.begin, done)) != std::string::npos;) {
    const std::size_t word = begin + marks.begin.size();
    const std::size_t close = text.find(marks.close, word);
    const std::size_t content = close + marks.close.size();
    const std::size_t end = text.find(marks.end, content);
    if (close == std::string::npos || end == std::string::npos) {
      problems.push_back(place(path, text, begin) + marks.begin + "... without " + marks.end);
      break;
    }
    const std::string command = text.substr(word, close - word);
    const std::string old = text.substr(content, end - content);
    fresh += text.substr(done, content - done);
    done = end;
    try {
      const std::string now = marks.answer(command);
      if (check && now != old) {
        fail("stale, and ./tutorial readme refreshes it: {}", command);
      }
      fresh += now;
    } catch (const Error& error) {
      problems.push_back(place(path, text, begin) + error.what());
      fresh += old;
    }
  }
  return fresh + text.substr(done);
}

/// Refreshes a file, or with `check` only looks; adds what is wrong to `problems`.
void process(const std::string& path, bool check, Words& problems) {
  static const std::string holds_mark = "\n<!-- holds: ";
  const std::string text = read_file(path);
  const std::string blocks = refreshed(path, text, block, check, problems);
  const std::string fresh = refreshed(path, blocks, in_sentence, check, problems);
  for (std::size_t mark = 0; (mark = text.find(holds_mark, mark)) != std::string::npos; mark++) {
    const std::string comparison = comment(text, mark + holds_mark.size());
    const std::size_t table = text.rfind(block.begin, mark);
    const std::string file = split(comparison, ' ')[0];
    try {
      if (table == std::string::npos ||
          comment(text, table + block.begin.size()).find(file) == std::string::npos) {
        fail("the table above is not of {}", file);
      }
      require_comparison(comparison);
    } catch (const Error& error) {
      problems.push_back(place(path, text, mark) + error.what());
    }
  }
  if (!check && fresh != text) {
    write_whole(path, fresh);
    fmt::print("refreshed {}\n", path);
  }
}

}  // namespace

std::string readme(const Words& arguments) {
  const bool check = arguments[0] == "--check";
  Words problems;
  for (const std::string& file : Words(arguments.begin() + check, arguments.end())) {
    process(file, check, problems);
  }
  if (!problems.empty()) {
    fail("this is to be mended:\n{}", fmt::join(problems, "\n"));
  }
  return "";
}

}  // namespace tutorial
