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
//
// A word with spaces stands in double quotes. FILE is relative to DIR, CSV to DIR/plots. A CSV has
// lines `# key: value`, a row with the names of the columns, the data. Without DECIMALS a number
// has three significant digits; `rows` copies it as it is. A missing value shows as `-`, and a row
// or column of nothing else is an error. Without KERNEL all kernels of the CSVs have a row: in the
// order of kernels.csv, and those that it does not list after them.
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using std::string;
using Strings = std::vector<string>;

template <typename... Values>
[[noreturn]] void fail(fmt::format_string<Values...> message, Values&&... values) {
  throw std::runtime_error(fmt::format(message, std::forward<Values>(values)...));
}

// --- Text ----------------------------------------------------------------------------------------

/// The parts of `text` between separators. Double quotes hide separators and are dropped.
Strings split(const string& text, char separator) {
  Strings parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// `text` before and after its first `=`.
std::pair<string, string> split_pair(const string& text) {
  const std::size_t equals = text.find('=');
  if (equals == string::npos) {
    fail("'{}' is not of the form A=B", text);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

bool contains(const Strings& list, const string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// The whole of `text` as a number; none if it is anything else.
std::optional<double> to_number(const string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool is_number = error == std::errc() && stop == end && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) {
    fail("{} cannot be read", path.string());
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

Strings split_lines(const string& text) {
  std::istringstream stream(text);
  Strings lines;
  for (string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

string output_of(const string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  string output;
  for (int c = 0; pipe != nullptr && (c = getc(pipe)) != EOF;) {
    output += static_cast<char>(c);
  }
  if (pipe == nullptr || pclose(pipe) != 0) {
    fail("'{}' fails: {}", command, output.substr(0, output.find('\n')));
  }
  return output;
}

// --- Data ----------------------------------------------------------------------------------------

struct Csv {
  string label;  ///< what a table calls it, if it has several
  string file;
  Strings columns;
  std::vector<std::map<string, string>> rows;  ///< fields by their column's name
};

Csv read_csv(const string& file) {
  Csv csv{"", file, {}, {}};
  for (const string& line : split_lines(read_file(file))) {
    const Strings fields = split(line, ',');
    if (line.empty() || line.front() == '#') {
      continue;
    } else if (csv.columns.empty()) {
      csv.columns = fields;
    } else if (fields.size() != csv.columns.size()) {
      fail("{}: a row with {} fields under {} columns", file, fields.size(), csv.columns.size());
    } else {
      csv.rows.emplace_back();
      for (std::size_t i = 0; i < fields.size(); i++) {
        csv.rows.back()[csv.columns[i]] = fields[i];
      }
    }
  }
  return csv;
}

void require_column(const Csv& csv, const string& column) {
  if (!contains(csv.columns, column)) {
    fail("{}: no column '{}'", csv.file, column);
  }
}

/// The different values of `column`, in the file's order.
Strings distinct(const Csv& csv, const string& column) {
  require_column(csv, column);
  Strings values;
  for (const auto& row : csv.rows) {
    if (!contains(values, row.at(column))) {
      values.push_back(row.at(column));
    }
  }
  return values;
}

/// [LABEL=]CSV: a file of plots/ with a row per kernel and filter width. Other widths are left out.
Csv read_measurements(const string& word, const Strings& widths) {
  const std::size_t file_at = word.find('=') + 1;
  Csv csv = read_csv("plots/" + word.substr(file_at));
  csv.label = word.substr(0, file_at == 0 ? 0 : file_at - 1);
  require_column(csv, "kernel");
  require_column(csv, "filter_width");
  if (widths != Strings{"all"}) {
    std::erase_if(csv.rows, [&](auto& row) { return !contains(widths, row.at("filter_width")); });
  }
  return csv;
}

/// The kernels of these files, in the order of kernels.csv; those that it does not list come last.
Strings kernels_of(const std::vector<Csv>& files) {
  Strings kernels;
  for (const Csv& csv : files) {
    std::ranges::copy_if(
        distinct(csv, "kernel"), std::back_inserter(kernels),
        [&](const string& kernel) { return !contains(kernels, kernel); });
  }
  const Strings listed = distinct(read_csv("kernels.csv"), "kernel");
  std::ranges::stable_sort(
      kernels, {}, [&](const string& kernel) { return std::ranges::find(listed, kernel); });
  return kernels;
}

// --- Tables --------------------------------------------------------------------------------------

/// COLUMN[:DECIMALS][=HEAD]
struct Column {
  string name;
  string decimals;
  string head;
};

Column parse_column(const string& text) {
  static const std::regex form(R"((\w+)(?::(\d))?(?:=(.+))?)");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) {
    fail("'{}' is not COLUMN[:DECIMALS][=HEAD]", text);
  }
  return {parts[1], parts[2], parts[3]};
}

std::vector<Column> parse_columns(const string& text) {
  std::vector<Column> columns;
  std::ranges::transform(split(text, ','), std::back_inserter(columns), parse_column);
  return columns;
}

/// What a reader calls the column.
string head(const Csv& csv, const Column& column) {
  static const std::map<string, string> heads = {
      {"gpixels_per_s", "Gpixel/s"}, {"median_ms", "ms"}, {"work_group", "work-group"}};
  if (!column.head.empty()) {
    return column.head;
  }
  if (column.name == "relative_percent") {
    const auto baseline = std::ranges::find_if(
        csv.rows, [](auto& row) { return to_number(row.at("relative_percent")) == 100.0; });
    return fmt::format(
        "% of `{}`", baseline == csv.rows.end() ? "Convolve" : baseline->at("kernel"));
  }
  string name = heads.contains(column.name) ? heads.at(column.name) : column.name;
  std::ranges::replace(name, '_', ' ');
  return name;
}

string format_number(const string& field, const string& decimals) {
  const auto value = to_number(field);
  if (!value) {
    fail("'{}' is not a number", field);
  }
  const double power = *value == 0.0 ? 0.0 : std::floor(std::log10(std::abs(*value)));
  const int three_digits = std::max(0, 2 - static_cast<int>(power));
  return fmt::format("{:.{}f}", *value, decimals.empty() ? three_digits : decimals[0] - '0');
}

/// The field of a kernel at a filter width; `-` if the file has none.
string measured(const Csv& csv, const string& kernel, const string& width, const Column& column) {
  string field;
  for (const auto& row : csv.rows) {
    if (row.at("kernel") == kernel && row.at("filter_width") == width &&
        row.contains(column.name)) {
      if (!field.empty()) {
        fail("{}: several rows of {} at width {}", csv.file, kernel, width);
      }
      field = row.at(column.name);
    }
  }
  return field.empty() ? "-" : format_number(field, column.decimals);
}

/// A Markdown table. Columns of numbers are aligned to the right.
string markdown(const Strings& heads, const std::vector<Strings>& rows) {
  string rule = "|";
  for (std::size_t i = 0; i < heads.size(); i++) {
    const auto is_missing = [i](const Strings& row) { return row[i] == "-"; };
    const auto is_number = [&](const Strings& row) { return is_missing(row) || to_number(row[i]); };
    if (std::ranges::all_of(rows, is_missing)) {
      fail("no value under '{}'", heads[i]);
    }
    rule += std::ranges::all_of(rows, is_number) ? "---:|" : "---|";
  }
  string text = fmt::format("| {} |\n{}\n", fmt::join(heads, " | "), rule);
  for (const Strings& row : rows) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
  }
  return text;
}

/// A table of measurements, where every row must have some.
string measurements(const Strings& heads, const std::vector<Strings>& rows) {
  for (const Strings& row : rows) {
    if (std::ranges::count(row, "-") + 1 == std::ssize(row)) {
      fail("no value for {}", row[0]);
    }
  }
  return markdown(heads, rows);
}

/// A kernel of a file, and what a table of both calls it.
struct Series {
  string label;
  string kernel;
  Csv csv;
};

/// One row per series, one column per filter width.
string by_width(const Column& column, const Strings& widths, const std::vector<Series>& all) {
  if (all.empty()) {
    fail("no value at these filter widths");
  }
  Strings heads = {head(all[0].csv, column) + " at width"};
  std::ranges::copy(widths, std::back_inserter(heads));
  std::vector<Strings> rows;
  for (const auto& [label, kernel, csv] : all) {
    rows.push_back({label});
    for (const string& width : widths) {
      rows.back().push_back(measured(csv, kernel, width, column));
    }
  }
  return measurements(heads, rows);
}

// --- The commands of blocks ----------------------------------------------------------------------

string tutorial_diff(const string& command) {
  if (!std::regex_match(command, std::regex(R"(\./tutorial diff \w+( \w+)?)"))) {
    fail("'{}' is not a ./tutorial diff", command);
  }
  return "```diff\n" + output_of(command) + "```\n";
}

string kernel(const Strings& words) {
  const string& file = words[1];
  string text = words.size() == 2 ? read_file(file) : "";
  for (std::size_t i = 2; i < words.size(); i++) {
    const string options = fmt::format("-v kernel={} {}", words[i], file);
    const bool safe = std::regex_match(options, std::regex(R"([\w/.= -]+)"));
    const string one = safe ? output_of("awk -f tools/kernel_text.awk " + options) : "";
    if (one.empty()) {
      fail("{}: no kernel {}", file, words[i]);
    }
    text += (i == 2 ? "" : "\n") + one;
  }
  return "```c\n" + text + "```\n";
}

string table(const Strings& words) {
  const Column column = parse_column(words[2]);
  const Strings widths = split(words[3], ',');
  const Csv csv = read_measurements(words[1], widths);
  require_column(csv, column.name);
  Strings kernels(words.begin() + 4, words.end());
  std::vector<Series> all;
  for (const string& kernel : kernels.empty() ? kernels_of({csv}) : kernels) {
    all.push_back({"`" + kernel + "`", kernel, csv});
  }
  return by_width(column, words[3] == "all" ? distinct(csv, "filter_width") : widths, all);
}

string widths(const Strings& words) {
  const Strings widths = split(words[3], ',');
  std::vector<Series> all;
  for (std::size_t i = 4; i < words.size(); i++) {
    const Csv csv = read_measurements(words[i], widths);
    all.push_back({csv.label, words[1], csv});
  }
  return by_width(parse_column(words[2]), widths, all);
}

string compare(const Strings& words) {
  const std::vector<Column> columns = parse_columns(words[2]);
  const auto dashes = std::ranges::find(words, "--");
  Strings heads = {"kernel"};
  std::vector<Csv> files;
  for (auto word = words.begin() + 3; word != dashes; ++word) {
    files.push_back(read_measurements(*word, {words[1]}));
    for (const Column& column : columns) {
      heads.push_back(files.back().label + ", " + head(files.back(), column));
    }
  }
  std::vector<Strings> rows;
  for (const string& kernel :
       dashes == words.end() ? kernels_of(files) : Strings(dashes + 1, words.end())) {
    rows.push_back({"`" + kernel + "`"});
    for (const Csv& csv : files) {
      for (const Column& column : columns) {
        rows.back().push_back(measured(csv, kernel, words[1], column));
      }
    }
  }
  return measurements(heads, rows);
}

string rows(const Strings& words) {
  Csv csv = read_csv("plots/" + words[1]);
  for (const string& filter : words.size() == 4 ? split(words[2], ',') : Strings()) {
    const auto [key, list] = split_pair(filter);
    const Strings values = split(list, '|');
    for (const string& value : values) {
      if (!contains(distinct(csv, key), value)) {
        fail("{}: no row with {}={}", csv.file, key, value);
      }
    }
    std::erase_if(csv.rows, [&](auto& row) { return !contains(values, row.at(key)); });
  }
  Strings heads;
  std::vector<Strings> cells(csv.rows.size());
  for (const Column& column : parse_columns(words.back())) {
    require_column(csv, column.name);
    heads.push_back(head(csv, column));
    for (std::size_t i = 0; i < cells.size(); i++) {
      const string& field = csv.rows[i].at(column.name);
      cells[i].push_back(
          field.empty()             ? "-"
          : column.name == "kernel" ? "`" + field + "`"
          : column.decimals.empty() ? field
                                    : format_number(field, column.decimals));
    }
  }
  return markdown(heads, cells);
}

string block_content(const string& command) {
  Strings words = split(command, ' ');
  std::erase(words, "");
  const string name = words.empty() ? "" : words[0];
  const std::size_t count = words.size();
  if (name == "./tutorial") {
    return tutorial_diff(command);
  } else if (name == "kernel" && count >= 2) {
    return kernel(words);
  } else if (name == "table" && count >= 4) {
    return table(words);
  } else if (name == "compare" && count >= 4) {
    return compare(words);
  } else if (name == "widths" && count >= 5) {
    return widths(words);
  } else if (name == "rows" && (count == 3 || count == 4)) {
    return rows(words);
  }
  fail("'{}' is not a command of tools/readme.cpp with its arguments", command);
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
  const Strings lines = split_lines(old_text);
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

Strings all_markdown_files() {
  Strings files;
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
  Strings files;
  app.add_flag("--check", check, "Change nothing; list what is stale or broken");
  app.add_option("--root", root, "The repository")->check(CLI::ExistingDirectory);
  app.add_option("FILE", files, "Relative to the repository; default: all its Markdown files");
  CLI11_PARSE(app, argc, argv);
  try {
    fs::current_path(root);
    bool well = true;
    for (const string& file : files.empty() ? all_markdown_files() : files) {
      well = process(file, check) && well;
    }
    return well ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "readme_tool: {}\n", error.what());
    return 1;
  }
}
