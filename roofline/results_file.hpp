// Reading back the CSV that `Results` writes.
#pragma once

#include <map>
#include <string>
#include <vector>

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

}  // namespace tutorial
