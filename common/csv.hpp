// The tutorial's CSVs: measurements, counts, winners, lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tutorial {

/// A field of a CSV, in double quotes if it needs them; and a line of such fields, at least one.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

/// The file of the rounds beside a CSV: NAME.rounds.csv beside NAME.csv, or NAME.csv.part.
std::string rounds_file(const std::string& csv);

/// A CSV: lines `# key: value`, a row with the names of the columns, the data. A field in double
/// quotes may contain commas, and two double quotes for one.
class Csv {
 public:
  /// Reads a file. Throws `Error` if it cannot be read, if it has no row with the names of the
  /// columns, or if a row has another number of fields; the message names the file and the line.
  explicit Csv(const std::string& path);

  const std::string& path() const { return path_; }

  /// The lines `# key: value`, in the file's order.
  const std::vector<std::pair<std::string, std::string>>& head() const { return head_; }
  /// The value of a line `# key: value`; empty if there is none.
  std::string head(const std::string& key) const;

  const std::vector<std::string>& columns() const { return columns_; }
  bool has(const std::string& column) const { return std::ranges::count(columns_, column) > 0; }

  /// Of the rows of data.
  std::size_t size() const { return rows_.size(); }
  const std::vector<std::string>& row(std::size_t row) const { return rows_.at(row); }
  /// The text of a field. Throws `Error` if there is no such column.
  const std::string& text(std::size_t row, const std::string& column) const;
  /// The number in a field, 0 if it is empty. Throws `Error` if there is no such column or if the
  /// field is anything but a finite number.
  double number(std::size_t row, const std::string& column) const;

 private:
  std::string path_;
  std::vector<std::pair<std::string, std::string>> head_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tutorial
