#include "roofline/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

/// Which CSV it is meant to be.
struct Format {
  std::string name;
  std::vector<std::string> needed;  ///< columns
};

std::vector<std::string> columns_of(const Format& format, const std::string& line) {
  std::vector<std::string> columns = split(line, ',');
  for (const std::string& needed : format.needed) {
    if (std::find(columns.begin(), columns.end(), needed) == columns.end()) {
      throw Error(fmt::format("no column '{}': not the CSV of {}", needed, format.name));
    }
  }
  return columns;
}

Fields fields_of(const std::vector<std::string>& columns, const std::string& line) {
  const std::vector<std::string> texts = split(line, ',');
  if (texts.size() != columns.size()) {
    throw Error(fmt::format("{} fields instead of {}", texts.size(), columns.size()));
  }
  Fields fields;
  for (std::size_t i = 0; i < columns.size(); i++) {
    fields[columns[i]] = texts[i];
  }
  return fields;
}

ResultsRow results_row(Fields fields) {
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

/// Calls `use` with each row; returns the head.
std::map<std::string, std::string> read_csv(
    const std::string& path, const Format& format, const std::function<void(const Fields&)>& use) {
  const std::optional<std::string> text = read_file(path);
  if (!text) {
    throw Error(fmt::format("{}: cannot be read", path));
  }
  std::map<std::string, std::string> head;
  std::vector<std::string> columns;
  int line_number = 0;
  int rows = 0;
  for (std::string line : split(*text, '\n')) {
    line_number++;
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    if (line.starts_with("#")) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with("# ") && colon != std::string::npos) {
        head.emplace(line.substr(2, colon - 2), line.substr(colon + 2));
      }
    } else if (!line.empty()) {
      try {
        if (columns.empty()) {
          columns = columns_of(format, line);
        } else {
          use(fields_of(columns, line));
          rows++;
        }
      } catch (const Error& error) {
        throw Error(fmt::format("{}:{}: {}", path, line_number, error.what()));
      }
    }
  }
  if (rows == 0) {
    throw Error(fmt::format("{}: no measurements in it", path));
  }
  return head;
}

}  // namespace

ResultsFile read_results(const std::string& path) {
  ResultsFile file;
  file.head = read_csv(
      path, {"a step", {"kernel", "filter_width", "width", "height", "median_ms"}},
      [&file](const Fields& fields) { file.rows.push_back(results_row(fields)); });
  return file;
}

std::map<std::pair<std::string, int>, KernelCounts> read_counts(const std::string& path) {
  std::map<std::pair<std::string, int>, KernelCounts> counts;
  const std::vector<std::string> needed = {"kernel",      "filter_width", "multiply_adds",
                                           "input_loads", "input_bytes",  "tap_loads",
                                           "tap_bytes",   "local_loads",  "local_bytes"};
  read_csv(path, {"the X-ray", needed}, [&counts](const Fields& fields) {
    const int width = number<int>(fields, "filter_width", 1, max_filter_width);
    const auto count = [&fields](const char* column) {
      return number<double>(fields, column, 0.0, 1e9);
    };
    const KernelCounts row = {
        count("multiply_adds"), count("input_loads") + count("tap_loads") + count("local_loads"),
        count("input_bytes") + count("tap_bytes"), count("local_bytes")};
    if (!counts.emplace(std::pair(fields.at("kernel"), width), row).second) {
      throw Error(fmt::format("a second row of {} at this width", shown(fields.at("kernel"))));
    }
  });
  return counts;
}

}  // namespace tutorial
