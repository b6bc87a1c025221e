// Joins the pieces of a measurement into one CSV.
#include <algorithm>
#include <filesystem>
#include <map>
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

/// The baseline that a kernel was measured with, which takes 100 % of its own time in each round.
std::optional<std::size_t> baseline_of(
    const Csv& piece, const std::string& kernel, const std::string& width) {
  if (!piece.has("relative_low")) {
    return {};
  }
  for (const std::size_t row : rows_where(
           piece, {{"filter_width", width}, {"relative_low", "100"}, {"relative_high", "100"}})) {
    if (paired(piece, kernel, piece.text(row, "kernel"), width)) {
      return row;
    }
  }
  return {};
}

/// Of a baseline at a filter width and of the floor beside it: the median of each run, ms.
struct Pace {
  std::vector<double> ms, floor_ms;
};

void add_medians(
    std::vector<double>& medians, const Csv& piece, const std::string& kernel,
    const std::string& width) {
  for (const auto& [run, rounds] : rounds_of(piece, kernel, width)) {
    medians.push_back(summarize(rounds).median);
  }
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

// A busy machine changes its pace, within a run and from run to run. So what a kernel takes is said
// by its rounds, as a ratio to the baseline in the same round. Its time in ms is that ratio times
// that of the baseline, at the pace of the middle run; its x floor is that time over the floor of
// the fastest run, since what a device can do depends on no program. So readers who divide two
// times get what the rounds say.
// A row that an earlier piece has too is dropped: the two programs of the ladder have common
// kernels. Of their rounds none is, since those of one run can be paired.
std::string join(const Words& arguments) {
  static const Words keys = {"kernel",     "filter_width", "local_x", "local_y",
                             "work_group", "items",        "block"};
  const std::vector<Csv> pieces(arguments.begin() + 1, arguments.end());
  std::map<Words, Pace> paces;
  for (const Csv& piece : pieces) {
    const bool has_rounds = fs::exists(rounds_file(piece.path()));
    for (std::size_t row = 0; has_rounds && row < piece.size(); row++) {
      const std::string& kernel = piece.text(row, "kernel");
      const std::string& width = piece.text(row, "filter_width");
      if (baseline_of(piece, kernel, width) == row) {
        Pace& pace = paces[{width, kernel}];
        add_medians(pace.ms, piece, kernel, width);
        add_medians(pace.floor_ms, piece, "floor", width);
      }
    }
  }
  const Csv& first = pieces.at(0);
  Head head = first.head();
  summarize_ceilings(head, pieces);
  std::string rows, rounds;
  std::map<std::pair<std::string, int>, int> runs;
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
      const std::string kernel = has_rounds ? piece.text(row, "kernel") : "";
      const std::string width = has_rounds ? piece.text(row, "filter_width") : "";
      if (const auto baseline = baseline_of(piece, kernel, width)) {
        const std::string& other = piece.text(*baseline, "kernel");
        const Pace& pace = paces.at({width, other});
        const Statistics relative = *paired(piece, kernel, other, width);
        const double ms = relative.median * summarize(pace.ms).median;
        const double slower = ms / piece.number(row, "median_ms");
        std::map<std::string, double> known = {
            {"relative_percent", 100.0 * relative.median},
            {"relative_low", 100.0 * relative.low},
            {"relative_high", 100.0 * relative.high}};
        if (const auto floor = paired(piece, kernel, "floor", width)) {
          const double x_floor = ms / std::ranges::min(pace.floor_ms);
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
      }
      rows += earlier.contains(key) ? "" : csv_line(fields);
    }
    earlier.merge(here);
    if (!has_rounds) {
      continue;
    }
    const Csv& of_piece = csv_file(rounds_file(piece.path()));
    for (std::size_t row = 0; row < of_piece.size(); row++) {
      const std::string& kernel = of_piece.text(row, "kernel");
      const std::string& width = of_piece.text(row, "filter_width");
      const int of_run = of_piece.has("run") ? static_cast<int>(of_piece.number(row, "run")) : 0;
      const std::string& ms = of_piece.text(row, "rounds_ms");
      const int run = runs.try_emplace({piece.path(), of_run}, std::ssize(runs) + 1).first->second;
      double faster = 1.0;
      for (const auto& [baseline, pace] : paces) {
        if (kernel == "floor" && baseline[0] == width) {
          faster = std::ranges::min(pace.floor_ms) /
                   summarize(rounds_of(piece, kernel, width).at(of_run)).median;
        }
      }
      rounds += csv_line({std::to_string(run), kernel, width, scaled(ms, faster)});
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
