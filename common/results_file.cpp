#include "common/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/options.hpp"

namespace tutorial {
namespace {

/// A line longer than this is not from a CSV of measurements; it is not stored either.
constexpr std::size_t longest_line = 100000;

/// A field as an error message may show it: short, and nothing that upsets a terminal.
std::string shown(std::string_view text) {
  std::string result(text.substr(0, 40));
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find(',', begin);
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string::npos) {
      return fields;
    }
    begin = end + 1;
  }
}

/// The file while it is read: where the reader is, and where the columns are.
struct Reader {
  std::string path;
  int line_number = 0;
  std::vector<std::string> columns;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path, line_number, what));
  }

  /// The index of the column, or the number of columns if there is none of this name.
  std::size_t find(const std::string& column) const {
    return static_cast<std::size_t>(
        std::find(columns.begin(), columns.end(), column) - columns.begin());
  }

  const std::string& field(
      const std::vector<std::string>& fields, const std::string& column) const {
    return fields[find(column)];
  }

  template <typename Number>
  Number number(
      const std::vector<std::string>& fields, const std::string& column, Number low,
      Number high) const {
    const std::string& text = field(fields, column);
    Number value{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    // Written so that a NaN fails.
    if (result.ec != std::errc() || result.ptr != end || !(value >= low && value <= high)) {
      fail(fmt::format("{} '{}' is no number within {} to {}", column, shown(text), low, high));
    }
    return value;
  }
};

void read_head_line(const std::string& line, ResultsFile& file) {
  const std::size_t colon = line.find(": ");
  if (line.rfind("# ", 0) == 0 && colon != std::string::npos) {
    file.head.emplace(line.substr(2, colon - 2), line.substr(colon + 2));
  }
}

ResultsRow read_row(const Reader& reader, const std::string& line) {
  const std::vector<std::string> fields = fields_of(line);
  if (fields.size() != reader.columns.size()) {
    reader.fail(fmt::format("{} fields instead of {}", fields.size(), reader.columns.size()));
  }
  constexpr int most_pixels = static_cast<int>(max_image_pixels);
  constexpr double least_number = 1e-9;
  constexpr double largest_number = 1e12;
  ResultsRow row;
  row.kernel = reader.field(fields, "kernel");
  // Kernels, what the search found (by the host's clock too), the host's loop, and the peers.
  const auto begins_with = [&row](const char* name) { return row.kernel.rfind(name, 0) == 0; };
  if (!begins_with("Convolve") && !begins_with("Tuned") && row.kernel != host_baseline &&
      !begins_with("OpenCV") && row.kernel != "NPP" && row.kernel != "cuDNN") {
    reader.fail(fmt::format("the kernel '{}' is no convolution", shown(row.kernel)));
  }
  row.filter_width = reader.number<int>(fields, "filter_width", 1, max_filter_width);
  row.width = reader.number<int>(fields, "width", 1, most_pixels);
  row.height = reader.number<int>(fields, "height", 1, most_pixels);
  row.median_ms = reader.number<double>(fields, "median_ms", least_number, largest_number);
  const std::size_t x_floor = reader.find("x_floor");
  if (x_floor < fields.size() && !fields[x_floor].empty()) {
    row.x_floor = reader.number<double>(fields, "x_floor", least_number, largest_number);
  }
  return row;
}

}  // namespace

ResultsFile read_results(const std::string& path) {
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path, ignored)) {
    throw Error(fmt::format("{}: cannot be read", path));
  }
  ResultsFile file;
  Reader reader{path, 0, {}};
  for (std::string line; std::getline(stream, line);) {
    reader.line_number++;
    if (line.size() > longest_line) {
      reader.fail("too long a line for a CSV of measurements");
    }
    if (!line.empty() && line.back() == '\r') {
      line.pop_back();
    }
    if (line.empty()) {
      continue;
    }
    if (line.front() == '#') {
      read_head_line(line, file);
    } else if (reader.columns.empty()) {
      reader.columns = fields_of(line);
      for (const char* column : {"kernel", "filter_width", "width", "height", "median_ms"}) {
        if (reader.find(column) == reader.columns.size()) {
          reader.fail(fmt::format("no column '{}': this is no CSV of a step", column));
        }
      }
    } else {
      file.rows.push_back(read_row(reader, line));
    }
  }
  if (file.rows.empty()) {
    throw Error(fmt::format("{}: no measurements in it", path));
  }
  return file;
}

}  // namespace tutorial
