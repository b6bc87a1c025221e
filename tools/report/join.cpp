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

/// The median floor of a piece at a filter width, ms; infinite if it has none.
double floor_of(const Csv& piece, const std::string& width) {
  const auto runs = rounds_of(piece, "floor", width);
  return runs.empty() ? INFINITY : summarize(runs.begin()->second).median;
}

/// Numbers, each perhaps with a `?`, times a factor, with the digits that measurements have.
std::string scaled(const std::string& numbers, double factor) {
  Words products;
  for (const std::string& number : split(numbers, ' ')) {
    const auto value = parse_number<double>(number.substr(0, number.find('?')));
    products.push_back(
        value ? fmt::format("{:.5g}{}", *value * factor, number.ends_with('?') ? "?" : "")
              : number);
  }
  return fmt::format("{}", fmt::join(products, " "));
}

}  // namespace

// What a device can do does not depend on the program that asks: the table has one floor at a
// filter width, the fastest of its pieces', and all its figures are held against that. Those that
// readers see are quotients of medians, which they can check; their intervals are of pairs.
// A row that an earlier piece has too is dropped: the two programs of the ladder have common
// kernels. Of their rounds none is: each piece is a run, and those of one run can be paired.
std::string join(const Words& arguments) {
  static const Words keys = {"kernel",     "filter_width", "local_x", "local_y",
                             "experiment", "work_group",   "items",   "block"};
  const std::vector<Csv> pieces(arguments.begin() + 1, arguments.end());
  std::map<std::string, double> fastest;
  for (const Csv& piece : pieces) {
    for (std::size_t row = 0; piece.has("x_floor") && row < piece.size(); row++) {
      const std::string& width = piece.text(row, "filter_width");
      const double floor = floor_of(piece, width);
      fastest[width] = std::min(fastest.try_emplace(width, floor).first->second, floor);
    }
  }
  const auto excess = [&](const Csv& piece, const std::string& width) {
    const double floor = floor_of(piece, width);
    return std::isfinite(floor) ? floor / fastest.at(width) : 1.0;
  };
  const Csv& first = pieces.at(0);
  Head head = first.head();
  summarize_ceilings(head, pieces);
  std::string rows, rounds;
  int run = 0;
  std::set<std::string> earlier;
  for (const Csv& piece : pieces) {
    if (piece.columns() != first.columns()) {
      fail("{}: other columns than in {}", piece.path(), first.path());
    }
    const bool has_rounds = fs::exists(rounds_file(piece.path()));
    std::set<std::string> here;
    for (std::size_t row = 0; row < piece.size(); row++) {
      std::string key;
      for (const std::string& column : keys) {
        key += (piece.has(column) ? piece.text(row, column) : "") + ',';
      }
      here.insert(key);
      Words fields = piece.row(row);
      for (std::size_t i = 0; has_rounds && i < fields.size(); i++) {
        const std::string& width = piece.text(row, "filter_width");
        const double ms = piece.number(row, "median_ms");
        if (piece.columns()[i] == "x_floor" && std::isfinite(floor_of(piece, width))) {
          fields[i] = fmt::format("{:.5g}", ms / fastest.at(width));
        } else if (piece.columns()[i].starts_with("x_floor_")) {
          fields[i] = scaled(fields[i], excess(piece, width));
        } else if (piece.columns()[i] == "relative_percent") {
          const auto whole =
              rows_where(piece, {{"filter_width", width}, {"relative_percent", "100"}});
          fields[i] = whole.empty()
                          ? fields[i]
                          : fmt::format("{:.5g}", 100.0 * ms / piece.number(whole[0], "median_ms"));
        }
      }
      rows += earlier.contains(key) ? "" : csv_line(fields);
    }
    earlier.merge(here);
    run++;
    if (!has_rounds) {
      continue;
    }
    const Csv& of_piece = csv_file(rounds_file(piece.path()));
    for (std::size_t row = 0; row < of_piece.size(); row++) {
      const std::string& kernel = of_piece.text(row, "kernel");
      const std::string& width = of_piece.text(row, "filter_width");
      const std::string& ms = of_piece.text(row, "rounds_ms");
      rounds += csv_line(
          {std::to_string(run), kernel, width,
           kernel == "floor" ? scaled(ms, 1.0 / excess(piece, width)) : ms});
    }
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
