#include "roofline/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/options.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

using Fields = std::map<std::string, std::string>;  // of a row, by column

/// Text from the file as an error message may show it: short, and without control characters.
std::string shown(const std::string& text) {
  std::string result = text.substr(0, 40);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

template <typename Number>
Number number(const Fields& fields, const std::string& column, Number low, Number high) {
  const std::string& text = fields.at(column);
  const std::optional<Number> value = parse_number<Number>(text);
  // Written so that a NaN fails.
  if (!(value && *value >= low && *value <= high)) {
    throw Error(
        fmt::format("{} must be a number from {} to {}, not '{}'", column, low, high, shown(text)));
  }
  return *value;
}

/// Kernels, what the search found, the host's loop, and the peers.
bool is_convolution(const std::string& kernel) {
  return kernel.starts_with("Convolve") || kernel.starts_with("Tuned") || kernel == host_baseline ||
         kernel.starts_with("OpenCV") || kernel == "NPP" || kernel == "cuDNN";
}

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns = split(line, ',');
  for (const char* needed : {"kernel", "filter_width", "width", "height", "median_ms"}) {
    if (std::find(columns.begin(), columns.end(), needed) == columns.end()) {
      throw Error(fmt::format("no column '{}': not the CSV of a step", needed));
    }
  }
  return columns;
}

ResultsRow read_row(const std::vector<std::string>& columns, const std::string& line) {
  const std::vector<std::string> texts = split(line, ',');
  if (texts.size() != columns.size()) {
    throw Error(fmt::format("{} fields instead of {}", texts.size(), columns.size()));
  }
  Fields fields;
  for (std::size_t i = 0; i < columns.size(); i++) {
    fields[columns[i]] = texts[i];
  }
  constexpr int most_pixels = static_cast<int>(max_image_pixels);
  constexpr double least = 1e-9;
  constexpr double most = 1e12;
  ResultsRow row;
  row.kernel = fields["kernel"];
  if (!is_convolution(row.kernel)) {
    throw Error(fmt::format("the kernel '{}' is not a convolution", shown(row.kernel)));
  }
  row.filter_width = number<int>(fields, "filter_width", 1, max_filter_width);
  row.width = number<int>(fields, "width", 1, most_pixels);
  row.height = number<int>(fields, "height", 1, most_pixels);
  row.median_ms = number<double>(fields, "median_ms", least, most);
  if (!fields["x_floor"].empty()) {
    row.x_floor = number<double>(fields, "x_floor", least, most);
  }
  return row;
}

}  // namespace

ResultsFile read_results(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) {
    throw Error(fmt::format("{}: cannot be read", path));
  }
  ResultsFile file;
  std::vector<std::string> columns;
  int line_number = 0;
  for (std::string line : split(*text, '\n')) {
    line_number++;
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    if (line.starts_with("#")) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with("# ") && colon != std::string::npos) {
        file.head.emplace(line.substr(2, colon - 2), line.substr(colon + 2));
      }
    } else if (!line.empty()) {
      try {
        if (columns.empty()) {
          columns = columns_of(line);
        } else {
          file.rows.push_back(read_row(columns, line));
        }
      } catch (const Error& error) {
        throw Error(fmt::format("{}:{}: {}", path, line_number, error.what()));
      }
    }
  }
  if (file.rows.empty()) {
    throw Error(fmt::format("{}: no measurements in it", path));
  }
  return file;
}

}  // namespace tutorial
