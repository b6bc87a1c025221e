// Two kernels of one CSV, compared in the rounds that they have in common: the sentences of the
// pages that are held to the data (see readme.cpp).
#include <filesystem>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

std::size_t row_of(const Csv& csv, const std::string& kernel, const std::string& width) {
  const auto rows = rows_where(csv, {{"kernel", kernel}, {"filter_width", width}});
  return rows.empty() ? throw Error(fmt::format("{} has no {} at {}", csv.path(), kernel, width))
                      : rows.back();
}

/// Of more than 200 rounds the file of rounds does not have all; their figure is that of the table.
bool are_all_kept(const Csv& csv, std::size_t row) {
  return !csv.has("rounds") || csv.number(row, "rounds") <= 200.0;
}

/// The time of one kernel over that of another: in pairs if their rounds are there, else by the
/// percentages of the table.
Statistics ratio_of(
    const Csv& csv, const std::string& kernel, const std::string& other, const std::string& width) {
  const std::size_t above = row_of(csv, kernel, width), below = row_of(csv, other, width);
  if (are_all_kept(csv, above) && are_all_kept(csv, below)) {
    if (const auto ratio = paired(csv, kernel, other, width)) {
      return *ratio;
    }
  }
  const auto quotient = [&](const char* a, const char* b) {
    return csv.number(above, a) / csv.number(below, b);
  };
  return {
      .median = quotient("relative_percent", "relative_percent"),
      .low = quotient("relative_low", "relative_high"),
      .high = quotient("relative_high", "relative_low")};
}

}  // namespace

std::map<int, Rounds> rounds_of(
    const Csv& csv, const std::string& kernel, const std::string& width) {
  std::map<int, Rounds> runs;
  const std::string path = rounds_file(csv.path());
  if (!std::filesystem::exists(path)) {
    return runs;
  }
  const Csv& file = csv_file(path);
  for (const std::size_t row : rows_where(file, {{"kernel", kernel}, {"filter_width", width}})) {
    Rounds& rounds = runs[file.has("run") ? static_cast<int>(file.number(row, "run")) : 0];
    for (const std::string& round : split(file.text(row, "rounds_ms"), ' ')) {
      rounds.disturbed.push_back(round.ends_with('?'));
      rounds.ms.push_back(parse_number<double>(round.substr(0, round.find('?'))).value());
    }
  }
  return runs;
}

std::optional<Statistics> paired(
    const Csv& csv, const std::string& kernel, const std::string& other, const std::string& width) {
  const auto others = rounds_of(csv, other, width);
  for (const auto& [run, rounds] : rounds_of(csv, kernel, width)) {
    if (others.contains(run)) {
      return paired_ratio(rounds, others.at(run));
    }
  }
  return {};
}

void require_comparison(const std::string& text) {
  const Words parts = search(text, "^(\\S+) (\\S+) ([<=>]) (\\S+) at (\\S+)$");
  if (parts.empty()) {
    fail("'{}' is not FILE A < B at WIDTHS", text);
  }
  const Csv& csv = csv_file("plots/" + parts[1]);
  for (const std::string& width : numbers_of(parts[5])) {
    const Statistics ratio = ratio_of(csv, parts[2], parts[4], width);
    const char* relation = ratio.high < 1.0 ? "<" : ratio.low > 1.0 ? ">" : "=";
    if (relation != parts[3] || !ratio.sure) {
      fail(
          "the data say {} {} {} at {}: {:.3f}..{:.3f} of its time{}", parts[2], relation, parts[4],
          width, ratio.low, ratio.high, ratio.sure ? "" : ", on a busy machine");
    }
  }
}

}  // namespace tutorial
