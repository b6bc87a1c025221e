// Keeps the generated parts of the Markdown files fresh, and hand-written measurements out of them.
//
//   readme_tool [--root DIR] [FILE...]          refreshes the files in place
//   readme_tool --check [--root DIR] [FILE...]  changes nothing; lists what is stale or wrong
//
// Without FILE: every *.md below DIR (the current folder), except in build/, results/ and hidden
// folders. Exit status: 0 if all is well, else 1, with lines `FILE:LINE: what is wrong` on stderr.
//
// Blocks. What stands between these two lines is replaced by what the command gives:
//
//   <!-- begin: COMMAND -->
//   <!-- end -->
//
//   ./tutorial diff ...     the output of that very command, as a fenced diff
//   table FILE COLUMN[:DECIMALS] WIDTHS [KERNEL...]
//                           a table: a row a kernel, a column a filter width; WIDTHS is `all` or
//                           3,7,16; without KERNEL all kernels of FILE
//
// Numbers. `<!--= EXPRESSION -->74<!--/-->`, on one line: 74 is replaced by the value of the
// expression, rounded to the decimals that the old number has (so write 0.00 for a new one):
//
//   value FILE KERNEL WIDTH COLUMN              one measurement
//   ratio FILE KERNEL_A KERNEL_B WIDTH [WIDTH_B]
//                                               median_ms of A at WIDTH / median_ms of B at
//                                               WIDTH_B, which is WIDTH if it is left out
//   min|max FILE KERNEL COLUMN [FROM TO]        over the filter widths (from FROM to TO)
//   argmin|argmax FILE KERNEL COLUMN [FROM TO]  the filter width where that is
//   cell FILE KEY=VALUE[,KEY=VALUE...] COLUMN   any CSV: the one row where all keys have these
//   values
//
// FILE is a CSV under plots/: lines `# key: value`, a row with the names of the columns, the data.
// An expression must find exactly one row; none or several is an error.
//
// The guard. A measurement that was typed in by hand outlives the code that gave it. So under the
// headings "What you should see" and "When it does not help", and between lines `<!-- measured -->`
// and
// `<!-- /measured -->`, a number with a unit of measurement must be one of the numbers above. In
// detail:
//   - A unit is: % or percent; x, ×, times, fold; ns, us, µs, ms, s, min or these words in full;
//     bytes, FLOPs, pixels, multiply-adds, operations, loads ... per second ("/s", " a second", "
//     per second"), with or without k, M, G, T. The unit follows the number directly, or after a
//     space or a hyphen.
//   - In a range or list ("74 to 92 %", "74, 78 and 83 %") the unit counts for every number, except
//     for a first one after the word width ("at width 13, 74 %").
//   - In a table, the unit may instead stand in the column's head or the row's first cell.
//   - Not meant: sizes (7 x 7, 2048x2048), numbers within words (float4), 100 % (the baseline by
//     definition), code (fenced or in backticks), link targets, generated blocks, HTML comments.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using std::string;
using std::string_view;
using std::vector;

// --- Small helpers -------------------------------------------------------------------------------

/// Something that the author of a Markdown file can mend.
class Problem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

vector<string> split_words(const string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<string>(words), {}};
}

vector<string> split(string_view text, char separator) {
  vector<string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

string trim(const string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  const std::size_t last = text.find_last_not_of(" \t");
  return first == string::npos ? "" : text.substr(first, last - first + 1);
}

/// The whole of `text` as a number; none if it is anything else.
std::optional<double> to_number(string_view text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) {
    throw Problem(fmt::format("{} cannot be read", path.string()));
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

// --- Data ----------------------------------------------------------------------------------------

/// The fields of a CSV line; a field may stand in double quotes, doubled quotes in it are one.
vector<string> csv_fields(const string& line) {
  vector<string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); i++) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

/// A CSV under plots/.
class Data {
 public:
  using Row = vector<string>;
  using Keys = vector<std::pair<string, string>>;  ///< column and value

  explicit Data(const string& name) : name_(name) {
    for (string line : split(read_file(fs::path("plots") / name), '\n')) {
      if (!line.empty() && line.back() == '\r') {
        line.pop_back();
      }
      if (line.empty() || line.front() == '#') {
        continue;
      }
      (columns_.empty() ? columns_ : rows_.emplace_back()) = csv_fields(line);
      if (!rows_.empty() && rows_.back().size() != columns_.size()) {
        throw Problem(fmt::format(
            "{}: a row with {} fields under {} columns", name, rows_.back().size(),
            columns_.size()));
      }
    }
  }

  /// The rows where every key's column has the key's value; numbers are compared as numbers.
  vector<const Row*> find(const Keys& keys) const {
    vector<const Row*> found;
    for (const Row& row : rows_) {
      bool matches = true;
      for (const auto& [column, value] : keys) {
        const string& field = row[index(column)];
        const auto number = to_number(field);
        matches = matches && (field == value || (number && number == to_number(value)));
      }
      if (matches) {
        found.push_back(&row);
      }
    }
    return found;
  }

  /// The number in `column` of the one row that has these keys.
  double number(const Keys& keys, const string& column) const {
    const vector<const Row*> found = find(keys);
    if (found.size() != 1) {
      string wanted;
      for (const auto& [key, value] : keys) {
        wanted += fmt::format("{}{}={}", wanted.empty() ? "" : ", ", key, value);
      }
      throw Problem(fmt::format(
          "{}: {} with {}", name_, found.empty() ? "no row" : "more than one row", wanted));
    }
    return number(*found.front(), column);
  }

  double number(const Row& row, const string& column) const {
    const string& field = row[index(column)];
    const auto value = to_number(field);
    if (!value) {
      throw Problem(fmt::format("{}: '{}' in column {} is not a number", name_, field, column));
    }
    return *value;
  }

  /// The different values of `column`, in the file's order.
  vector<string> distinct(const string& column) const {
    vector<string> values;
    for (const Row& row : rows_) {
      if (std::find(values.begin(), values.end(), row[index(column)]) == values.end()) {
        values.push_back(row[index(column)]);
      }
    }
    return values;
  }

 private:
  std::size_t index(const string& column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) {
      throw Problem(fmt::format("{}: no column '{}'", name_, column));
    }
    return static_cast<std::size_t>(found - columns_.begin());
  }

  string name_;
  Row columns_;
  vector<Row> rows_;
};

const Data& data(const string& name) {
  static std::map<string, Data> cache;
  return cache.try_emplace(name, name).first->second;
}

Data::Keys kernel_at(const string& kernel, const string& width) {
  return {{"kernel", kernel}, {"filter_width", width}};
}

// --- Numbers -------------------------------------------------------------------------------------

/// min, max, argmin, argmax FILE KERNEL COLUMN [FROM TO]
double extreme(const vector<string>& words) {
  const Data& table = data(words[1]);
  const bool greatest = words[0].ends_with("max");
  const auto from = words.size() > 4 ? to_number(words[4]) : 0.0;
  const auto to = words.size() > 5 ? to_number(words[5]) : INFINITY;
  if (!from || !to) {
    throw Problem("FROM and TO must be filter widths");
  }
  std::optional<double> best;
  double best_width = 0.0;
  for (const Data::Row* row : table.find({{"kernel", words[2]}})) {
    const double width = table.number(*row, "filter_width");
    if (width < *from || width > *to) {
      continue;
    }
    const double value = table.number(*row, words[3]);
    if (!best || (greatest ? value > *best : value < *best)) {
      best = value;
      best_width = width;
    }
  }
  if (!best) {
    throw Problem(fmt::format("{}: no row of kernel {} at these widths", words[1], words[2]));
  }
  return words[0].starts_with("arg") ? best_width : *best;
}

/// cell FILE KEY=VALUE[,KEY=VALUE...] COLUMN, where a value may hold spaces
double cell(const string& expression) {
  static const std::regex form(R"(cell (\S+) (.+) (\S+))");
  std::smatch parts;
  if (!std::regex_match(expression, parts, form)) {
    throw Problem("not of the form: cell FILE KEY=VALUE[,KEY=VALUE] COLUMN");
  }
  Data::Keys keys;
  for (const string& key : split(parts[2].str(), ',')) {
    const std::size_t equals = key.find('=');
    if (equals == string::npos) {
      throw Problem(fmt::format("'{}' is not of the form KEY=VALUE", key));
    }
    keys.emplace_back(key.substr(0, equals), key.substr(equals + 1));
  }
  return data(parts[1]).number(keys, parts[3]);
}

double evaluate(const string& expression) {
  const vector<string> words = split_words(expression);
  const string verb = words.empty() ? "" : words[0];
  if (verb == "value" && words.size() == 5) {
    return data(words[1]).number(kernel_at(words[2], words[3]), words[4]);
  }
  if (verb == "ratio" && (words.size() == 5 || words.size() == 6)) {
    const Data& table = data(words[1]);
    return table.number(kernel_at(words[2], words[4]), "median_ms") /
           table.number(kernel_at(words[3], words.back()), "median_ms");
  }
  if ((verb == "min" || verb == "max" || verb == "argmin" || verb == "argmax") &&
      (words.size() == 4 || words.size() == 6)) {
    return extreme(words);
  }
  if (verb == "cell") {
    return cell(expression);
  }
  throw Problem(fmt::format("unknown expression '{}'", expression));
}

/// `value` with as many decimals as `like` has.
string format_like(double value, const string& like) {
  const std::size_t point = like.find('.');
  return fmt::format("{:.{}f}", value, point == string::npos ? 0 : like.size() - point - 1);
}

// --- Blocks --------------------------------------------------------------------------------------

/// The output of a `./tutorial diff` as a fenced block.
string diff_block(const string& command) {
  static const std::regex form(R"(\./tutorial diff [A-Za-z0-9_]+( [A-Za-z0-9_]+)?)");
  if (!std::regex_match(command, form)) {
    throw Problem(fmt::format("'{}' is no ./tutorial diff", command));
  }
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    throw Problem(fmt::format("'{}' does not start", command));
  }
  string output;
  std::array<char, 4096> chunk{};
  for (std::size_t n = 0; (n = fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    output.append(chunk.data(), n);
  }
  if (pclose(pipe) != 0) {
    throw Problem(fmt::format("'{}' fails: {}", command, output.substr(0, output.find('\n'))));
  }
  return "```diff\n" + output + "```\n";
}

/// table FILE COLUMN[:DECIMALS] WIDTHS [KERNEL...]
string table_block(const vector<string>& words) {
  if (words.size() < 4) {
    throw Problem("not of the form: table FILE COLUMN[:DECIMALS] WIDTHS [KERNEL...]");
  }
  const Data& table = data(words[1]);
  const vector<string> column = split(words[2], ':');
  const auto decimals = column.size() > 1 ? to_number(column[1]) : 0.0;
  if (!decimals || *decimals < 0 || *decimals > 9 || column.size() > 2) {
    throw Problem(fmt::format("'{}' is not COLUMN[:DECIMALS]", words[2]));
  }
  const vector<string> widths =
      words[3] == "all" ? table.distinct("filter_width") : split(words[3], ',');
  const vector<string> kernels =
      words.size() > 4 ? vector<string>(words.begin() + 4, words.end()) : table.distinct("kernel");

  string head = "| kernel |";
  string rule = "|---|";
  for (const string& width : widths) {
    head += fmt::format(" {} |", width);
    rule += "---:|";
  }
  string body;
  for (const string& kernel : kernels) {
    if (table.find({{"kernel", kernel}}).empty()) {
      throw Problem(fmt::format("{}: no kernel {}", words[1], kernel));
    }
    body += fmt::format("| `{}` |", kernel);
    for (const string& width : widths) {
      // A kernel need not run at every width, but a width that no kernel has is a mistake.
      const bool missing = table.find(kernel_at(kernel, width)).empty();
      if (missing && table.find({{"filter_width", width}}).empty()) {
        throw Problem(fmt::format("{}: no filter width {}", words[1], width));
      }
      body += missing ? " - |"
                      : fmt::format(
                            " {:.{}f} |", table.number(kernel_at(kernel, width), column[0]),
                            static_cast<int>(*decimals));
    }
    body += '\n';
  }
  return fmt::format("{}\n{}\n{}", head, rule, body);
}

string block_content(const string& command) {
  const vector<string> words = split_words(command);
  return !words.empty() && words[0] == "table" ? table_block(words) : diff_block(command);
}

// --- The guard -----------------------------------------------------------------------------------

// While the guard looks at a line, these stand for what it need not look into.
constexpr char from_data = '\x01';  // a number from the data
constexpr char opaque = '\x02';     // code, a link target

/// A piece of a line: code in backticks, or text.
struct Piece {
  string text;
  bool is_code;
};

vector<Piece> split_code(const string& line) {
  vector<Piece> pieces;
  std::size_t text_begin = 0;
  for (std::size_t open = 0; (open = line.find('`', open)) != string::npos;) {
    const std::size_t open_end = std::min(line.find_first_not_of('`', open), line.size());
    const std::size_t ticks = open_end - open;
    // The code ends at the next run of equally many backticks.
    std::size_t close = open_end;
    std::size_t close_end = open_end;
    do {
      close = line.find('`', close_end);
      close_end = std::min(line.find_first_not_of('`', close), line.size());
    } while (close != string::npos && close_end - close != ticks);
    if (close == string::npos) {
      open = open_end;
      continue;
    }
    pieces.push_back({line.substr(text_begin, open - text_begin), false});
    pieces.push_back({line.substr(open, close_end - open), true});
    text_begin = open = close_end;
  }
  pieces.push_back({line.substr(text_begin), false});
  return pieces;
}

const std::regex& number_comment() {
  static const std::regex pattern("<!--= *(.*?) *-->(.*?)<!--/-->");
  return pattern;
}

/// The line as the guard sees it.
string mask(const string& line) {
  static const std::regex comment("<!--.*?-->");
  static const std::regex link_target(R"(\]\([^)]*\)|<?https?://[^ >]*>?|^ *\[[^\]]*\]: .*)");
  static const std::regex odd_space("\xC2\xA0|\xE2\x80\xAF|&nbsp;|\t");
  string masked;
  for (const auto& [text, is_code] : split_code(line)) {
    if (is_code) {
      masked += opaque;
      continue;
    }
    string rest = std::regex_replace(text, number_comment(), string(1, from_data));
    rest = std::regex_replace(rest, comment, "");
    rest = std::regex_replace(rest, link_target, string(1, opaque));
    masked += std::regex_replace(rest, odd_space, " ");
  }
  return masked;
}

/// Units that need no company to be understood.
const string plain_units =
    "%|percent\\b|per cent\\b|(?:ns|us|\xC2\xB5s|\xCE\xBCs|ms|s|min)\\b|"
    "(?:nano|micro|milli)?seconds?\\b|minutes?\\b|hours?\\b|"
    "(?:[kKMGT]i?|kilo|mega|giga|tera)? ?"
    "(?:bytes?|B|FLOPs?|FLOPS|flops?|MACs?|pixels?|px|multiply-adds?|operations?|loads?|stores?|"
    "items?|work-items?)"
    "(?:/s\\b| ?/ ?second\\b| a second\\b| per second\\b)|[kMGT]FLOPS\\b";
/// Units that are one only behind a number. An x between two numbers makes a size.
const string factor_units = "(?:x\\b|\xC3\x97)(?! ?[0-9\x01])|times\\b|fold\\b";

/// Finds measurements that were typed in by hand.
class Guard {
 public:
  /// A line of prose in a guarded place.
  void add_line(const string& line, int line_number) {
    if (line.find('|') != string::npos && trim(line).front() == '|') {
      add_table_row(line, line_number);
      return;
    }
    end_table();
    const string masked = trim(mask(line));
    if (masked.empty()) {
      end_paragraph();
      return;
    }
    // A sentence may be broken between a number and its unit.
    paragraph_ += (paragraph_.empty() ? "" : " ") + masked;
    line_numbers_.resize(paragraph_.size(), line_number);
  }

  /// Whatever separates paragraphs.
  void end_paragraph() {
    end_table();
    find_in_paragraph();
    paragraph_.clear();
    line_numbers_.clear();
  }

  /// Line number and what is wrong there.
  const vector<std::pair<int, string>>& found() const { return found_; }

 private:
  void report(int line_number, const string& what) {
    found_.emplace_back(line_number, fmt::format("number without data: '{}'", what));
  }

  void find_in_paragraph() {
    static const string number = "(?:[0-9]+(?:[.,][0-9]+)*|\x01)";
    static const string separator = "(?:, and |, | and | or | to | ?\xE2\x80\x93 ?| ?- ?|/)";
    static const std::regex measurement(
        "(^|[^A-Za-z0-9_.])(" + number + "(?:" + separator + number + ")*)[ -]?(" + plain_units +
        "|" + factor_units + ")");
    static const std::regex each(number);
    static const std::regex width_before("\\bwidths?$", std::regex::icase);
    for (std::sregex_iterator match(paragraph_.begin(), paragraph_.end(), measurement), end;
         match != end; ++match) {
      const auto begin = static_cast<std::size_t>(match->position(2));
      const string numbers = (*match)[2];
      const string unit = (*match)[3];
      const string before = paragraph_.substr(0, begin == 0 ? 0 : begin - 1);
      const bool skip_first =
          std::regex_search(before, width_before) && numbers.find_first_of(" ,") != string::npos;
      bool by_hand = false;
      for (std::sregex_iterator one(numbers.begin(), numbers.end(), each); one != end; ++one) {
        by_hand = by_hand || !((*one)[0] == string(1, from_data) ||
                               ((*one)[0] == "100" && unit.starts_with('%')) ||
                               (skip_first && one->position() == 0));
      }
      if (by_hand) {
        string what = match->str().substr(static_cast<std::size_t>(match->length(1)));
        std::replace(what.begin(), what.end(), from_data, '#');
        report(line_numbers_[begin], what);
      }
    }
  }

  void add_table_row(const string& line, int line_number) {
    static const std::regex rule(R"([-:| ]+)");
    static const std::regex unit("(?:^|[ (,])(?:" + plain_units + ")(?:$|[ ),])");
    static const std::regex bare_number(R"([-+*]*[0-9]+(?:[.,][0-9]+)*\**)");
    if (!in_table_) {
      find_in_paragraph();
      paragraph_.clear();
      line_numbers_.clear();
    }
    const string masked = mask(line);
    if (std::regex_match(masked, rule)) {
      return;
    }
    vector<string> cells;
    for (const string& text : split(masked, '|')) {
      cells.push_back(trim(text));
    }
    if (!in_table_) {
      in_table_ = true;
      column_has_unit_.clear();
      for (const string& head : cells) {
        column_has_unit_.push_back(std::regex_search(head, unit));
      }
      return;
    }
    // cells[0] is what stands left of the first bar: nothing.
    const bool row_has_unit = cells.size() > 1 && std::regex_search(cells[1], unit);
    for (std::size_t i = 1; i < cells.size(); i++) {
      const bool has_unit = row_has_unit || (i < column_has_unit_.size() && column_has_unit_[i]);
      if (has_unit && cells[i] != "100" && std::regex_match(cells[i], bare_number)) {
        report(line_number, cells[i]);
      }
      // A number may have its unit with it here too.
      paragraph_ = cells[i];
      line_numbers_.assign(paragraph_.size() + 1, line_number);
      find_in_paragraph();
    }
    paragraph_.clear();
    line_numbers_.clear();
  }

  void end_table() { in_table_ = false; }

  string paragraph_;
  vector<int> line_numbers_;  // of each character of paragraph_
  bool in_table_ = false;
  vector<bool> column_has_unit_;
  vector<std::pair<int, string>> found_;
};

// --- A Markdown file -----------------------------------------------------------------------------

class Document {
 public:
  explicit Document(const string& path) : path_(path) {
    lines_ = split(read_file(path), '\n');
    for (at_ = 0; at_ < lines_.size(); at_++) {
      add_line(lines_[at_]);
    }
    if (between_measured_) {
      problem("<!-- measured --> without <!-- /measured -->");
    }
    if (!fence_.empty()) {
      problem("a code fence without an end");
    }
    guard_.end_paragraph();
    refreshed_.pop_back();  // the last line has no newline of its own
  }

  /// What is to be written back.
  const string& refreshed() const { return refreshed_; }
  /// What only the author can mend: line number and message.
  const vector<std::pair<int, string>>& problems() const { return problems_; }
  /// What `refreshed()` has new.
  const vector<std::pair<int, string>>& stale() const { return stale_; }
  /// What the guard found.
  const vector<std::pair<int, string>>& unguarded() const { return guard_.found(); }

 private:
  int line_number() const { return static_cast<int>(std::min(at_ + 1, lines_.size())); }
  void problem(const string& what) { problems_.emplace_back(line_number(), what); }

  void add_line(const string& line) {
    static const std::regex fence(R"( *(```+|~~~+)(.*))");
    static const std::regex begin(R"( *<!-- begin: *(.*?) *--> *)");
    std::smatch match;
    if (!fence_.empty()) {
      // A fence ends with at least as many of the same character, and nothing else.
      const string text = trim(line);
      if (text.starts_with(fence_) && text.find_first_not_of(fence_[0]) == string::npos) {
        fence_.clear();
      }
      refreshed_ += line + '\n';
    } else if (std::regex_match(line, match, fence)) {
      fence_ = match[1];
      guard_.end_paragraph();
      refreshed_ += line + '\n';
    } else if (std::regex_match(line, match, begin)) {
      guard_.end_paragraph();
      add_block(match[1]);
    } else {
      add_prose(line);
    }
  }

  /// Copies the block that begins at `at_`, with fresh content, and leaves `at_` at its end.
  void add_block(const string& command) {
    std::size_t end = at_ + 1;
    string old_content;
    while (end < lines_.size() && trim(lines_[end]) != "<!-- end -->") {
      if (lines_[end].find("<!-- begin:") != string::npos) {
        end = lines_.size();
        break;
      }
      old_content += lines_[end] + '\n';
      end++;
    }
    refreshed_ += lines_[at_] + '\n';
    if (end == lines_.size()) {
      problem("<!-- begin: ... --> without <!-- end -->");
      return;
    }
    string content = old_content;
    try {
      content = block_content(command);
    } catch (const Problem& error) {
      problem(error.what());
    }
    if (content != old_content) {
      stale_.emplace_back(line_number(), fmt::format("stale: {}", command));
    }
    refreshed_ += content + lines_[end] + '\n';
    at_ = end;
  }

  void add_prose(const string& line) {
    static const std::regex heading(R"((#{1,6}) +(.*?) *#* *)");
    static const std::set<string> guarded_headings = {
        "What you should see", "When it does not help"};
    std::smatch match;
    if (std::regex_match(line, match, heading)) {
      guard_.end_paragraph();
      const auto level = static_cast<int>(match[1].length());
      if (guarded_headings.contains(match[2])) {
        guarded_level_ = level;
      } else if (level <= guarded_level_) {
        guarded_level_ = 0;
      } else if (guarded_level_ != 0) {
        guard_.add_line(line, line_number());
        guard_.end_paragraph();
      }
    } else if (trim(line) == "<!-- measured -->" || trim(line) == "<!-- /measured -->") {
      guard_.end_paragraph();
      const bool opens = line.find('/') == string::npos;
      if (opens == between_measured_) {
        problem(fmt::format("{} out of place", trim(line)));
      }
      between_measured_ = opens;
    } else if (trim(line) == "<!-- end -->") {
      problem("<!-- end --> without <!-- begin: ... -->");
    } else if (guarded_level_ != 0 || between_measured_) {
      guard_.add_line(line, line_number());
    }
    for (const auto& [text, is_code] : split_code(line)) {
      refreshed_ += is_code ? text : refresh_numbers(text);
    }
    refreshed_ += '\n';
  }

  string refresh_numbers(const string& text) {
    string result;
    auto rest = text.cbegin();
    std::smatch match;
    while (std::regex_search(rest, text.cend(), match, number_comment())) {
      result.append(rest, match[2].first);
      result += refresh_number(match[1], match[2]);
      result.append(match[2].second, match[0].second);
      rest = match[0].second;
    }
    const string tail(rest, text.cend());
    if (tail.find("<!--=") != string::npos || tail.find("<!--/-->") != string::npos) {
      problem("not of the form <!--= EXPRESSION -->NUMBER<!--/--> on one line");
    }
    return result + tail;
  }

  string refresh_number(const string& expression, const string& old_number) {
    try {
      if (!to_number(old_number)) {
        throw Problem(fmt::format("'{}' is not a number", old_number));
      }
      const string number = format_like(evaluate(expression), old_number);
      if (number != old_number) {
        stale_.emplace_back(
            line_number(), fmt::format("stale: {} is {}, not {}", expression, number, old_number));
      }
      return number;
    } catch (const Problem& error) {
      problem(error.what());
      return old_number;
    }
  }

  string path_;
  vector<string> lines_;
  std::size_t at_ = 0;  // index of the line in hand
  string refreshed_;
  string fence_;           // what opened the code that the line is in; empty: none
  int guarded_level_ = 0;  // level of the guarded heading above; 0: none
  bool between_measured_ = false;
  Guard guard_;
  vector<std::pair<int, string>> problems_;
  vector<std::pair<int, string>> stale_;
};

vector<string> all_markdown_files() {
  vector<string> files;
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

/// Refreshes or checks one file; returns whether all was well.
bool process(const string& path, bool check) {
  const Document document(path);
  auto findings = document.problems();
  if (check) {
    findings.insert(findings.end(), document.stale().begin(), document.stale().end());
    findings.insert(findings.end(), document.unguarded().begin(), document.unguarded().end());
    std::sort(findings.begin(), findings.end());
  } else if (!document.stale().empty()) {
    std::ofstream(path, std::ios::binary) << document.refreshed();
    fmt::print("refreshed {}: {} parts\n", path, document.stale().size());
  }
  for (const auto& [line, message] : findings) {
    fmt::print(stderr, "{}:{}: {}\n", path, line, message);
  }
  return findings.empty();
}

int run(const vector<string>& arguments) {
  bool check = false;
  vector<string> files;
  for (std::size_t i = 0; i < arguments.size(); i++) {
    if (arguments[i] == "--check") {
      check = true;
    } else if (arguments[i] == "--root" && i + 1 < arguments.size()) {
      fs::current_path(arguments[++i]);
    } else if (arguments[i].starts_with("-")) {
      throw Problem("usage: readme_tool [--check] [--root DIR] [FILE...]");
    } else {
      files.push_back(arguments[i]);
    }
  }
  if (files.empty()) {
    files = all_markdown_files();
  }
  bool all_well = true;
  for (const string& file : files) {
    all_well = process(file, check) && all_well;
  }
  return all_well ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "readme_tool: {}\n", error.what());
    return 1;
  }
}
