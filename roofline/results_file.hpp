// Reading back the CSVs that `Results` and xray/ write.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/floor.hpp"

namespace tutorial {

/// A row of the CSV: one kernel at one filter width. Only what is read is here.
struct ResultsRow {
  std::string kernel;
  int filter_width = 0;
  int width = 0;  ///< of the image, pixels
  int height = 0;
  double median_ms = 0.0;
  double x_floor = 0.0;  ///< 0 where the file has none
};

/// A CSV of measurements.
struct ResultsFile {
  std::map<std::string, std::string> head;  ///< from lines `# key: value`
  std::vector<ResultsRow> rows;             ///< at least one
};

/// Reads the CSV of a convolution program. The columns are found by their names, so older files and
/// files with more columns can be read; x_floor may be missing. Throws `Error` if the file cannot
/// be read, lacks a column or has no row, or if a row has another number of fields than there are
/// columns, a number out of range, or a kernel that is not a convolution; the message names the
/// file, the line and the field.
ResultsFile read_results(const std::string& path);

/// Reads the CSV of xray/: what a kernel does per output pixel, by its name and filter width. Needs
/// the columns kernel, filter_width, multiply_adds, input_loads, input_bytes, tap_loads, tap_bytes,
/// local_loads and local_bytes. Throws `Error` likewise, and if a kernel and width occur twice.
std::map<std::pair<std::string, int>, KernelCounts> read_counts(const std::string& path);

}  // namespace tutorial
