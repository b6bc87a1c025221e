#include "common/csv.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {

std::string csv_field(const std::string& text) {
  const bool plain = text.find_first_of("\",") == std::string::npos;
  return plain ? text : fmt::format("\"{}\"", fmt::join(split(text, '"'), "\"\""));
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    line += csv_field(field) + ',';
  }
  line.back() = '\n';
  return line;
}

std::string rounds_file(const std::string& csv) {
  return csv.substr(0, csv.rfind(".csv")) + ".rounds.csv";
}

Csv::Csv(const std::string& path) : path_(path) {
  std::size_t line_number = 0;
  for (const std::string& line : split(read_text(path), '\n')) {
    line_number++;
    const std::size_t colon = line.find(": ");
    if (line.starts_with("# ") && colon != std::string::npos) {
      head_.emplace_back(line.substr(2, colon - 2), line.substr(colon + 2));
    } else if (!line.empty() && !line.starts_with('#')) {
      auto& fields = columns_.empty() ? columns_ : rows_.emplace_back();
      fields = split(line, ',', true);
      if (fields.size() != columns_.size()) {
        throw Error(fmt::format(
            "{}:{}: {} fields, but {} columns", path, line_number, fields.size(), columns_.size()));
      }
    }
  }
  if (columns_.empty()) {
    throw Error(fmt::format("{}: no row with the names of the columns", path));
  }
}

std::string Csv::head(const std::string& key) const {
  const auto found = std::ranges::find(head_, key, [](const auto& line) { return line.first; });
  return found == head_.end() ? "" : found->second;
}

const std::string& Csv::text(std::size_t row, const std::string& column) const {
  const auto place = std::ranges::find(columns_, column) - columns_.begin();
  if (place == std::ssize(columns_)) {
    throw Error(fmt::format("{}: no column '{}'", path_, column));
  }
  return rows_.at(row)[place];
}

double Csv::number(std::size_t row, const std::string& column) const {
  const std::string& field = text(row, column);
  const double value = field.empty() ? 0.0 : parse_number<double>(field).value_or(NAN);
  if (!std::isfinite(value)) {
    throw Error(fmt::format("{}: {} '{}' is not a number", path_, column, field));
  }
  return value;
}

}  // namespace tutorial
