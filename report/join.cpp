// Joins the pieces of a measurement into one CSV.
#include <algorithm>
#include <set>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

using Head = std::vector<std::pair<std::string, std::string>>;

/// Keeps the highest of each ceiling, NAME_per_s, with the line NAME_type behind it that says how
/// it was reached.
void raise_ceilings(Head& head, const Head& other) {
  bool higher = false;
  for (const auto& [key, value] : other) {
    const bool is_ceiling = key.ends_with("_per_s");
    if (!is_ceiling && (!key.ends_with("_type") || key == "device_type")) {
      continue;
    }
    const auto own = std::ranges::find(head, key, &Head::value_type::first);
    if (is_ceiling) {
      higher = own == head.end() || parse_number<double>(value) > parse_number<double>(own->second);
    }
    if (own == head.end()) {
      head.emplace_back(key, value);
    } else if (higher) {
      own->second = value;
    }
  }
}

}  // namespace

// A row that an earlier piece has too is dropped: the two programs of the ladder have common
// kernels.
std::string join(const Words& arguments) {
  static const Words keys = {"kernel",     "filter_width", "local_x", "local_y",
                             "experiment", "work_group",   "items",   "block"};
  Head head;
  Words columns;
  Words widths;
  std::string rows;
  std::set<std::string> earlier;
  for (auto path = arguments.begin() + 1; path != arguments.end(); ++path) {
    const Csv piece(*path);
    if (columns.empty()) {
      head = piece.head();
      columns = piece.columns();
    } else if (columns != piece.columns()) {
      fail("{}: other columns than in {}", *path, arguments[1]);
    }
    raise_ceilings(head, piece.head());
    std::set<std::string> here;
    for (std::size_t row = 0; row < piece.size(); row++) {
      std::string key;
      for (const std::string& column : keys) {
        key += (piece.has(column) ? piece.text(row, column) : "") + ',';
      }
      here.insert(key);
      if (!earlier.contains(key)) {
        rows += csv_line(piece.row(row));
        if (piece.has("filter_width") && !contains(widths, piece.text(row, "filter_width"))) {
          widths.push_back(piece.text(row, "filter_width"));
        }
      }
    }
    earlier.merge(here);
  }
  std::string text;
  for (auto& [key, value] : head) {
    if (key == "options") {
      value = replaced(value, "(^| )--(csv|winners) \\S+", "");
      if (widths.size() > 1) {
        value = replaced(value, " --filter-width \\S+", "") +
                fmt::format(" --filter-width {}", fmt::join(widths, ","));
      }
    }
    text += fmt::format("# {}: {}\n", key, value);
  }
  write_whole(arguments[0], text + csv_line(columns) + rows);
  return "";
}

}  // namespace tutorial
