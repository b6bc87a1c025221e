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
// A sentence that compares figures of that table, or of a table of such figures, is held to the
// data by a line below it:
//
//   <!-- holds: FILE A < B at WIDTHS -->
#include <algorithm>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

/// Some lines of a kernel, moved to the left margin; the first word is its file, the second its
/// name.
std::string kernel_lines(const Words& words) {
  const Words lines = split(kernel_in(words[0], words[1], false), '\n');
  const auto has = [](const std::string& part) {
    return [&part](const std::string& line) { return line.find(part) != std::string::npos; };
  };
  std::string text;
  auto end = lines.begin();
  for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
    const auto first = std::find_if(end, lines.end(), has(words[i]));
    const auto last = std::find_if(first, lines.end(), has(words[i + 1]));
    require(
        last != lines.end(), "{} has no lines from '{}' to '{}'", words[1], words[i], words[i + 1]);
    const std::string margin = search(*first, "^ *")[0];
    text += i > 2 && first != end ? margin + "...\n" : "";
    end = last + 1;
    text += fmt::format("{}\n", fmt::join(first, end, "\n"));
  }
  const std::string margin = search(text, "^ *")[0];
  return "```c\n" + replaced("\n" + text, "\n" + margin, "\n").substr(1) + "```\n";
}

// A word with spaces stands in double quotes. FILE is relative to the repository, CSV and FOLDER to
// plots/. Without DECIMALS a number has three significant digits; `rows` copies it as it is. A
// missing value shows as `-`, and a row or column of nothing else is an error. A number says how
// many arguments there are at least.
const std::map<std::string, std::pair<std::size_t, std::string (*)(const Words&)>> commands = {
    // ./tutorial diff ...: what that very command prints, as a fenced diff
    {"./tutorial diff", {1, [](auto& words) { return "```diff\n" + diff(words) + "```\n"; }}},
    // file PATH: a whole C++ file
    {"file", {1, [](auto& words) { return "```cpp\n" + read_file(words[0]) + "```\n"; }}},
    // kernel FILE NAME: a kernel with the helpers and macros directly above it
    {"kernel",
     {2, [](auto& words) { return "```c\n" + kernel_in(words[0], words[1], false) + "```\n"; }}},
    // lines FILE NAME FROM TO [FROM TO...]: of such a kernel, the lines from the first that
    // contains FROM to the next that contains TO; then likewise from there on, with ... for what is
    // left out
    {"lines", {4, kernel_lines}},
    // table COLUMN[:DECIMALS] WIDTHS CSV -- KERNEL...: one row per kernel, one column per filter
    // width; WIDTHS: 3,7,16
    {"table", {4, kernel_table}},
    // rows CSV [KEY=VALUE,...] COLUMN[:DECIMALS][=HEAD],...: the rows of any CSV in which every KEY
    // has its VALUE, which may be a list: a|b|c
    {"rows", {2, row_table}},
};

/// What the command of a block gives.
std::string block(const std::string& command) {
  // One word, so that it is the name of a command.
  const Words words = split(replaced(command, "^(\\./tutorial diff)", "\"$1\""), ' ', true);
  const auto found = commands.find(words[0]);
  require(
      found != commands.end() && words.size() > found->second.first,
      "'{}' is not a command with its arguments", command);
  return found->second.second({words.begin() + 1, words.end()});
}

/// The line with its figures as they are today. FIGURE is WHAT[:DECIMALS] FILE WIDTH KERNEL, where
/// WHAT is a column of plots/data/FILE; or with `times` or `percent` the time of KERNEL over that
/// of another: ... KERNEL OTHER. Or it is a rate of the file's head, in billions, or a library's
/// version, NAME_version: WHAT FILE.
std::string with_figures(const std::string& line) {
  const Words parts = search(line, "^(.*?<!-- = (.*?) -->).*?(<!-- / -->.*)$");
  return parts.empty() ? line : parts[1] + figure(split(parts[2], ' ')) + with_figures(parts[3]);
}

/// Refreshes a file, or with `check` only looks; adds what is wrong to `problems`.
void process(const std::string& path, bool check, Words& problems) {
  const std::string text = read_file(path);
  const Words lines = split(text, '\n');
  std::string fresh, table;  // the command of the last block, and the figures since
  for (auto line = lines.begin(); line != lines.end();) {
    const Words mark = search(*line, "^<!-- (begin|holds): (.*) -->$");
    const bool is_block = !mark.empty() && mark[1] == "begin";
    const auto end = is_block ? std::find(line, lines.end(), "<!-- end -->") : line + 1;
    const std::string old = fmt::format("{}\n", fmt::join(line, end, "\n"));
    std::string now = old;
    try {
      if (is_block && end == lines.end()) {
        fail("without <!-- end -->: {}", mark[2]);
      } else if (is_block) {
        table = mark[2];
        now = *line + "\n" + block(table);
      } else if (mark.empty()) {
        require(
            search(*line, "<!-- (begin|holds):|<!-- =(?!.*<!-- / -->)").empty(),
            "a mark that is not alone on its line, or lacks its end: {}", *line);
        now = with_figures(*line) + "\n";
        table += line->starts_with("| ") ? *line : "";
      } else if (const std::string file = replaced(split(mark[2], ' ')[0], "^data/", "");
                 table.find(file) == std::string::npos) {
        fail("the table above is not of {}", file);
      } else {
        require_comparison(mark[2]);
      }
      require(
          !check || now == old, "stale, and ./tutorial readme refreshes it: {}",
          is_block ? table : *line);
    } catch (const Error& error) {
      problems.push_back(fmt::format("{}:{}: {}", path, line - lines.begin() + 1, error.what()));
      now = old;
    }
    fresh += now;
    line = end;
  }
  fresh.pop_back();  // the last line has no end
  if (!check && fresh != text) {
    write_whole(path, fresh);
    fmt::print("refreshed {}\n", path);
  }
}

}  // namespace

// FILE..., or all pages; --check changes nothing and says what is stale.
int readme_verb(const Words& arguments) {
  Words files = arguments, problems;
  const bool check = std::erase(files, "--check") > 0;
  std::ranges::transform(files, files.begin(), readers_file);
  for (const std::string& file : files.empty() ? page_files() : files) {
    process(file, check, problems);
  }
  require(problems.empty(), "this is to be mended:\n{}", fmt::join(problems, "\n"));
  return 0;
}

}  // namespace tutorial
