// Joins the pieces of a measurement into one CSV.
#include <filesystem>
#include <set>

#include "report/report.hpp"

namespace tutorial {
namespace {

using Head = std::vector<std::pair<std::string, std::string>>;

/// Keeps the highest of each ceiling, NAME_per_s, with the line NAME_type behind it that says how
/// it was reached; and the lowest share of them that a piece has reached.
void raise_ceilings(Head& head, const Csv& piece) {
  bool replaces = false;
  for (auto& [key, value] : head) {
    const std::string other = piece.head(key);
    const auto rate = parse_number<double>(value), its = parse_number<double>(other);
    replaces = key.ends_with("_per_s")     ? its > rate
               : key == "ceilings_reached" ? its && its < rate
                                           : replaces && key.ends_with("_type");
    value = replaces ? other : value;
  }
}

/// The file of the rounds beside a CSV.
std::string rounds_file(const std::string& csv) {
  return replaced(csv, "csv$", "rounds.csv");
}

}  // namespace

// A row that an earlier piece has too is dropped: the two programs of the ladder have common
// kernels.
std::string join(const Words& arguments) {
  static const Words keys = {"kernel",     "filter_width", "local_x", "local_y",
                             "experiment", "work_group",   "items",   "block"};
  const Csv first(arguments[1]);
  Head head = first.head();
  std::string rows, rounds;
  std::set<std::string> earlier;
  for (auto path = arguments.begin() + 1; path != arguments.end(); ++path) {
    const Csv piece(*path);
    if (piece.columns() != first.columns()) {
      fail("{}: other columns than in {}", *path, first.path());
    }
    raise_ceilings(head, piece);
    if (const std::string of_piece = rounds_file(*path); std::filesystem::exists(of_piece)) {
      const Csv its(of_piece);
      rounds += rounds.empty() ? "run," + csv_line(its.columns()) : "";
      for (std::size_t row = 0; row < its.size(); row++) {
        rounds += fmt::format("{},{}", path - arguments.begin(), csv_line(its.row(row)));
      }
    }
    std::set<std::string> here;
    for (std::size_t row = 0; row < piece.size(); row++) {
      std::string key;
      for (const std::string& column : keys) {
        key += (piece.has(column) ? piece.text(row, column) : "") + ',';
      }
      here.insert(key);
      rows += earlier.contains(key) ? "" : csv_line(piece.row(row));
    }
    earlier.merge(here);
  }
  std::string text;
  for (const auto& [key, value] : head) {  // the rows say which widths
    const std::string common = replaced(value, "(^| )--(csv|winners|filter-width) \\S+", "");
    text += fmt::format("# {}: {}\n", key, key == "options" ? common : value);
  }
  if (!rounds.empty()) {
    write_whole(rounds_file(arguments[0]), rounds);
  }
  write_whole(arguments[0], text + csv_line(first.columns()) + rows);
  return "";
}

}  // namespace tutorial
