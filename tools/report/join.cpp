// Joins the pieces of a measurement into one CSV.
#include <algorithm>
#include <filesystem>
#include <map>

#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// The head of the first piece. Of each ceiling, NAME_per_s, it has the median among the pieces,
/// with that piece's NAME_type. The rows say which widths.
std::string common_head(const std::vector<Csv>& pieces) {
  std::string text;
  const Csv* middle = nullptr;
  for (auto [key, value] : pieces.at(0).head()) {
    if (key.ends_with("_per_s")) {
      std::multimap<double, const Csv*> rates;
      for (const Csv& piece : pieces) {
        if (const auto rate = parse_number<double>(piece.head(key))) {
          rates.emplace(*rate, &piece);
        }
      }
      middle = rates.empty() ? nullptr : std::next(rates.begin(), std::ssize(rates) / 2)->second;
    }
    if (middle != nullptr && (key.ends_with("_per_s") || key.ends_with("_type"))) {
      value = middle->head(key);
    }
    const std::string common = replaced(value, "(^| )--(csv|winners|filter-width) \\S+", "");
    text += fmt::format("# {}: {}\n", key, key == "options" ? common : value);
  }
  return text;
}

/// The baseline that a row was measured with, which takes 100 % of its own time in each round.
std::optional<std::size_t> baseline_of(const Csv& piece, std::size_t row) {
  if (!piece.has("relative_low")) {
    return {};
  }
  const std::string& width = piece.text(row, "filter_width");
  for (const std::size_t other : rows_where(
           piece, {{"filter_width", width}, {"relative_low", "100"}, {"relative_high", "100"}})) {
    if (paired(piece, piece.text(row, "kernel"), piece.text(other, "kernel"), width)) {
      return other;
    }
  }
  return {};
}

/// The median of each run, ms, by filter width and kernel: of each baseline, and of the floor.
using Paces = std::map<Words, std::vector<double>>;

Paces paces_of(const std::vector<Csv>& pieces) {
  Paces paces;
  for (const Csv& piece : pieces) {
    for (std::size_t row = 0; row < piece.size(); row++) {
      if (baseline_of(piece, row) == row) {
        const std::string& width = piece.text(row, "filter_width");
        for (const std::string& kernel : {piece.text(row, "kernel"), std::string("floor")}) {
          for (const auto& [run, rounds] : rounds_of(piece, kernel, width)) {
            paces[{width, kernel}].push_back(summarize(rounds).median);
          }
        }
      }
    }
  }
  return paces;
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

/// A row at the pace of all pieces.
Words paced(const Csv& piece, std::size_t row, const Paces& paces) {
  Words fields = piece.row(row);
  const auto baseline = baseline_of(piece, row);
  if (!baseline) {
    return fields;
  }
  const std::string& kernel = piece.text(row, "kernel");
  const std::string& width = piece.text(row, "filter_width");
  const std::string& other = piece.text(*baseline, "kernel");
  const Statistics relative = *paired(piece, kernel, other, width);
  const double ms = relative.median * summarize(paces.at({width, other})).median;
  const double slower = ms / piece.number(row, "median_ms");
  std::map<std::string, double> known = {
      {"relative_percent", 100.0 * relative.median},
      {"relative_low", 100.0 * relative.low},
      {"relative_high", 100.0 * relative.high}};
  if (const auto floor = paired(piece, kernel, "floor", width)) {
    const double x_floor = ms / std::ranges::min(paces.at({width, "floor"}));
    known["x_floor"] = x_floor;
    known["x_floor_low"] = x_floor * floor->low / floor->median;
    known["x_floor_high"] = x_floor * floor->high / floor->median;
  }
  for (std::size_t i = 0; i < fields.size(); i++) {
    const std::string& column = piece.columns()[i];
    if (known.contains(column)) {
      fields[i] = fmt::format("{:.5g}", known.at(column));
    } else if (column.ends_with("_ms")) {
      fields[i] = scaled(fields[i], slower);
    } else if (column == "gpixels_per_s") {
      fields[i] = scaled(fields[i], 1.0 / slower);
    }
  }
  return fields;
}

}  // namespace

// A busy machine changes its pace, within a run and from run to run. So what a kernel takes is said
// by its rounds, as a ratio to the baseline in the same round. Its time in ms is that ratio times
// that of the baseline, at the pace of the middle run; its x floor is that time over the floor of
// the fastest run, since what a device can do depends on no program. So readers who divide two
// times get what the rounds say.
// A row that an earlier piece has too is dropped: the two programs of the ladder have common
// kernels. Of their rounds none is, since those of one run can be paired.
std::string join(const Words& arguments) {
  const std::vector<Csv> pieces(arguments.begin() + 1, arguments.end());
  const Paces paces = paces_of(pieces);
  std::string rows = csv_line(pieces.at(0).columns()), rounds;
  std::map<std::pair<const Csv*, int>, int> runs;
  std::map<Words, const Csv*> first;  // that has the row
  for (const Csv& piece : pieces) {
    if (piece.columns() != pieces[0].columns()) {
      fail("{}: other columns than in {}", piece.path(), pieces[0].path());
    }
    for (std::size_t row = 0; row < piece.size(); row++) {
      Words key;
      for (const char* column :
           {"kernel", "filter_width", "local_x", "local_y", "work_group", "items", "block"}) {
        key.push_back(piece.has(column) ? piece.text(row, column) : "");
      }
      if (first.try_emplace(key, &piece).first->second == &piece) {
        rows += csv_line(paced(piece, row, paces));
      }
    }
    if (!fs::exists(rounds_file(piece.path()))) {
      continue;
    }
    const Csv& of_piece = csv_file(rounds_file(piece.path()));
    for (std::size_t row = 0; row < of_piece.size(); row++) {
      const std::string& kernel = of_piece.text(row, "kernel");
      const std::string& width = of_piece.text(row, "filter_width");
      const int of_run = of_piece.has("run") ? static_cast<int>(of_piece.number(row, "run")) : 0;
      const int run = runs.try_emplace({&piece, of_run}, std::ssize(runs) + 1).first->second;
      const auto pace = kernel == "floor" ? paces.find({width, kernel}) : paces.end();
      const double faster = pace == paces.end()
                                ? 1.0
                                : std::ranges::min(pace->second) /
                                      summarize(rounds_of(piece, kernel, width).at(of_run)).median;
      rounds += csv_line(
          {std::to_string(run), kernel, width, scaled(of_piece.text(row, "rounds_ms"), faster)});
    }
  }
  if (rounds.empty()) {
    fs::remove(rounds_file(arguments[0]));
  } else {
    write_whole(rounds_file(arguments[0]), "run,kernel,filter_width,rounds_ms\n" + rounds);
  }
  write_whole(arguments[0], common_head(pieces) + rows);
  return "";
}

}  // namespace tutorial
