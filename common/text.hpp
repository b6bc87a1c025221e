// Text from files and the command line: its parts, its numbers; whole files; and CSVs.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tutorial {

/// The parts of `text` between the separators: one more than there are separators, some perhaps
/// empty. If it is `quoted`, double quotes hide separators: they go, and two within stand for one.
std::vector<std::string> split(std::string_view text, char separator, bool quoted = false);

std::string lower(std::string text);

/// The first match of a regular expression and of its groups; empty if there is none.
std::vector<std::string> search(const std::string& text, const std::string& expression);

/// The text with every match replaced; $1 in `by` is the first group.
std::string replaced(const std::string& text, const std::string& expression, const std::string& by);

/// The one of `choice` whose letters, in any order, differ least from those of `word`.
std::string nearest(const std::string& word, const std::vector<std::string>& choice);

/// The number that is the whole of `text`, in decimal, without white space or a plus sign; nothing
/// if it is anything else or `Number` cannot hold it. A floating-point number may be NaN or
/// infinite.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  bool is_number = false;
  if constexpr (std::is_floating_point_v<Number>) {  // for which libc++ has no from_chars before 20
    const std::string copy(text);
    char* stop = nullptr;
    value = std::strtod(copy.c_str(), &stop);
    is_number = !copy.empty() && stop == copy.c_str() + copy.size() &&
                copy.find_first_of(" \t\n\v\f\r+") != 0 &&
                copy.find_first_of("xX") == std::string::npos &&
                (std::isfinite(value) || copy.find_first_of("0123456789") == std::string::npos);
  } else {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    is_number = error == std::errc() && stop == end;
  }
  return is_number ? std::optional(value) : std::nullopt;
}

/// The bytes of a file. Throws `Error` if it is a folder, a device or a pipe (which could be read
/// only once), or cannot be read.
std::string read_file(const std::string& path);

/// The same without a byte order mark, and with a '\n' at the end of each line, whatever the
/// editor.
std::string read_text(const std::string& path);

/// A number that stands for the text, in 16 digits: another text has another (FNV-1a).
std::string content_hash(std::string_view text);

/// The names of the kernels that an OpenCL C source defines, whatever its #ifs say, in their order.
std::vector<std::string> kernel_names(const std::string& source);

/// Throws `Error` if the file cannot be written to. Leaves what is there as it is.
void require_writable(const std::string& path);

/// Writes a file that appears as `path` when it is complete. Throws `Error` if that fails; nothing
/// is left behind then, and a file that had this name stays as it was.
void write_whole(const std::string& path, const std::string& content);

/// Lines `# key: value` before a CSV, in their order.
struct Head : std::vector<std::pair<std::string, std::string>> {
  using vector::vector;
  /// The value of a key; empty if there is none.
  std::string of(std::string_view key) const;
};

/// A CSV: lines `# key: value`, a row with the names of the columns, the data. A field in double
/// quotes may contain commas, and two double quotes for one.
struct Csv {
  std::string path;  ///< for messages
  Head head;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< of data

  bool has(const std::string& column) const { return std::ranges::count(columns, column) > 0; }
  std::size_t size() const { return rows.size(); }
  /// The text of a field. Throws `Error` if there is no such column.
  const std::string& text(std::size_t row, const std::string& column) const;
  /// The number in a field, 0 if it is empty. Throws `Error` if there is no such column or if the
  /// field is anything but a finite number.
  double number(std::size_t row, const std::string& column) const;
};

/// Reads a file. Throws `Error` if it cannot be read, if it has no row with the names of the
/// columns, or if a row has another number of fields; the message names the file and the line.
Csv read_csv(const std::string& path);

}  // namespace tutorial
