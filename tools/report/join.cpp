// Joins the pieces of a measurement into one CSV.
#include <algorithm>
#include <filesystem>
#include <set>

#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Head = std::vector<std::pair<std::string, std::string>>;

/// The median of each ceiling, NAME_per_s, among the pieces, with that piece's NAME_type.
void summarize_ceilings(Head& head, const std::vector<Csv>& pieces) {
  const Csv* middle = nullptr;
  for (auto& [key, value] : head) {
    if (key.ends_with("_per_s")) {
      std::vector<std::pair<double, const Csv*>> rates;
      for (const Csv& piece : pieces) {
        if (const auto rate = parse_number<double>(piece.head(key))) {
          rates.emplace_back(*rate, &piece);
        }
      }
      std::ranges::nth_element(
          rates, rates.begin() + std::ssize(rates) / 2, {}, [](auto& rate) { return rate.first; });
      middle = rates.at(rates.size() / 2).second;
    }
    if (middle != nullptr && (key.ends_with("_per_s") || key.ends_with("_type"))) {
      value = middle->head(key);
    }
  }
}

}  // namespace

// A row that an earlier piece has too is dropped: the two programs of the ladder have common
// kernels. Of their rounds none is: each piece is a run, and those of one run can be paired.
std::string join(const Words& arguments) {
  static const Words keys = {"kernel",     "filter_width", "local_x", "local_y",
                             "experiment", "work_group",   "items",   "block"};
  std::vector<Csv> pieces;
  std::string rounds;
  for (auto path = arguments.begin() + 1; path != arguments.end(); ++path) {
    pieces.emplace_back(*path);
    if (fs::exists(rounds_file(*path))) {
      const Csv of_piece(rounds_file(*path));
      for (std::size_t row = 0; row < of_piece.size(); row++) {
        Words fields = of_piece.row(row);
        fields.insert(fields.begin(), fmt::format("{}", pieces.size()));
        rounds += csv_line(fields);
      }
    }
  }
  const Csv& first = pieces.at(0);
  Head head = first.head();
  summarize_ceilings(head, pieces);
  std::string rows;
  std::set<std::string> earlier;
  for (const Csv& piece : pieces) {
    if (piece.columns() != first.columns()) {
      fail("{}: other columns than in {}", piece.path(), first.path());
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
  if (rounds.empty()) {
    fs::remove(rounds_file(arguments[0]));
  } else {
    write_whole(rounds_file(arguments[0]), "run,kernel,filter_width,rounds_ms\n" + rounds);
  }
  write_whole(arguments[0], text + csv_line(first.columns()) + rows);
  return "";
}

}  // namespace tutorial
