// Do the published claims hold on a device? The claims and their rules stand in
// plots/published/claims.csv, which also explains its columns. All figures are read from the CSVs
// of a results folder.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

const Csv& claims() {
  return csv_file("plots/published/claims.csv");
}

Statistics quotient(const Statistics& a, const Statistics& b) {
  return {
      .median = a.median / b.median,
      .low = a.low / b.high,
      .high = a.high / b.low,
      .sure = a.sure && b.sure};
}

/// What a claim asks for: `largest < 0.9`, or `< 0.9` where there is one figure.
struct Rule {
  double place;  ///< of the figure that decides, from 0, the smallest, to 1, the largest
  bool below;
  double limit;

  explicit Rule(const std::string& text) {
    const Words words = split(text, ' ');
    place = words[0] == "largest" ? 1.0 : words[0] == "median" ? 0.5 : 0.0;
    below = words.at(words.size() - 2) == "<";
    limit = parse_number<double>(words.back()).value();
  }

  /// The figure that decides, and its interval.
  Statistics deciding(std::vector<Statistics> figures) const {
    const double index = place * static_cast<double>(figures.size() - 1);
    const auto before = static_cast<std::size_t>(index);
    const auto after = static_cast<std::size_t>(std::ceil(index));
    Statistics chosen{.sure = std::ranges::all_of(figures, &Statistics::sure)};
    for (const auto end : {&Statistics::low, &Statistics::median, &Statistics::high}) {
      std::ranges::sort(figures, {}, end);
      chosen.*end = (figures[before].*end + figures[after].*end) / 2;
    }
    return chosen;
  }

  /// It holds if the whole interval is on the right side of the limit, and does not hold if the
  /// whole interval is on the wrong one.
  std::string judge(const Statistics& figure) const {
    const bool is_below = figure.high < limit;
    const bool is_above = figure.low > limit;
    return !figure.sure || is_below == is_above ? "not shown"
           : is_below == below                  ? "holds"
                                                : "does not hold";
  }
};

/// There is no figure of `what`.
struct Missing : Error {
  bool may_come;  ///< false: what could have given it has been measured here

  Missing(const std::string& what, bool to_come)
      : Error("not measured on this device: " + replaced(what, "[|]", " or ")), may_come(to_come) {}
};

/// The first of the files A|B that a folder has. The counts of the X-ray are no device's.
const Csv& first_file(const std::string& folder, const std::string& names) {
  if (!fs::is_directory(folder)) {
    fail("no folder '{}'", folder);
  }
  for (const std::string& name : split(names, '|')) {
    const std::string path = (name.starts_with("xray/") ? "plots" : folder) + "/" + name;
    if (fs::exists(path)) {
      return csv_file(path);
    }
  }
  // Where the last table of `run --all` is there, what the file needs is not.
  throw Missing(names, !fs::exists(folder + "/model.csv"));
}

/// A kernel at a size: of `column`, a filter's width or another one.
struct Point {
  const Csv& csv;
  std::string kernel, column, size;
};

/// The kernels A|B that a file has, * are all, at those of the sizes COLUMN=3|5:7 at which it has
/// rows; at all of them if it has none, so that this is said.
std::vector<Point> measured(
    const Csv& csv, const std::string& kernels, const std::string& columns_sizes) {
  const auto [column, list] = halves(columns_sizes);
  if (!csv.has(column)) {
    throw Missing(csv.path() + " with a column " + column, false);
  }
  const Words here = distinct(csv, column);
  const Words all = numbers_of(list, '|');
  Words sizes = all;
  std::erase_if(sizes, [&](auto& size) { return !contains(here, size); });
  std::vector<Point> points;
  const Values chosen = kernels == "*" ? Values{} : Values{{"kernel", kernels}};
  for (const std::string& kernel : distinct(csv, "kernel", chosen)) {
    for (const std::string& size : sizes.empty() ? all : sizes) {
      points.push_back({csv, kernel, column, size});
    }
  }
  return points;
}

/// Of more than 200 rounds the file of rounds does not have all; their figure is that of the table.
bool are_all_kept(const Point& point) {
  const auto rows = rows_where(point.csv, {{"kernel", point.kernel}, {point.column, point.size}});
  return !point.csv.has("rounds") || rows.empty() ||
         point.csv.number(rows.back(), "rounds") <= 200.0;
}

/// A figure with its interval if it has one, which is one of `together` if the rounds are there. A
/// column A/B is one over the other.
Statistics figure_of(const Point& point, const std::string& column, std::size_t together) {
  if (column.find('/') != std::string::npos) {
    const auto [above, below] = halves(column, '/');
    return quotient(figure_of(point, above, together), figure_of(point, below, together));
  }
  const Csv& csv = point.csv;
  const auto rows = rows_where(csv, {{"kernel", point.kernel}, {point.column, point.size}});
  const auto number = [&](const std::string& of) { return csv.number(rows.back(), of); };
  const bool is_error = column == "max_error", is_relative = column == "relative_percent";
  if (rows.empty() || (number(column) <= 0.0 && !is_error)) {
    // Only the ladder is first measured in part, at some of its widths.
    const bool may_come = csv.path().ends_with("/ladder.csv") &&
                          rows_where(csv, {{point.column, point.size}}).empty();
    const std::string size = replaced(point.column, "_", " ") + " " + point.size;
    throw Missing(point.kernel + " at " + size, may_come);
  }
  const double figure = number(column);
  if (are_all_kept(point) && (is_relative || column == "x_floor")) {
    const Words baseline =
        distinct(csv, "kernel", {{point.column, point.size}, {"relative_percent", "100"}});
    const std::string other = is_relative && !baseline.empty() ? baseline[0] : "floor";
    if (auto ratio = paired(csv, point.kernel, other, point.size, together)) {
      for (const auto end : {&Statistics::low, &Statistics::median, &Statistics::high}) {
        (*ratio).*end *= is_relative ? 100.0 : 1.0;
      }
      return *ratio;
    }
  }
  const bool is_pair = is_relative && csv.has("relative_low");
  const bool is_time = csv.has("low_ms") && number("low_ms") > 0.0 && !is_error;
  const auto end = [&](const std::string& side) {
    return is_pair   ? number("relative_" + side)
           : is_time ? figure * (number(side + "_ms") / number("median_ms"))
                     : figure;
  };
  return {.median = figure, .low = end("low"), .high = end("high")};
}

/// One figure over another: in pairs if they are times of the same rounds.
Statistics ratio_of(
    const Point& a, const Point& b, const std::string& column, std::size_t together) {
  const Statistics above = figure_of(a, column, together), below = figure_of(b, column, together);
  // A figure beside the baseline, which has no interval, is one of pairs already.
  const bool same_rounds = &a.csv == &b.csv && a.size == b.size && column == "relative_percent" &&
                           below.low != below.high && are_all_kept(a) && are_all_kept(b);
  const auto pairs =
      same_rounds ? paired(a.csv, a.kernel, b.kernel, a.size, together) : std::nullopt;
  return pairs.value_or(quotient(above, below));
}

/// What a ratio of two times says of the newer one's time.
std::string change_of(double ratio) {
  const double percent = 100.0 * std::abs(ratio - 1.0);
  return ratio > 1.995     ? fmt::format("{:.1f} times as long", ratio)
         : percent < 0.5   ? "the same time"
         : ratio > 1.0     ? fmt::format("{:.0f} % more time", percent)
         : ratio > 1 / 3.0 ? fmt::format("{:.0f} % less time", percent)
                           : fmt::format("{:.1f} times as fast", 1.0 / ratio);
}

/// What a figure of claims.csv says.
std::string said_by(double figure, const std::string& column) {
  static const std::map<std::string, std::string> counted = {
      {"sectors/least_sectors", "sectors than needed"},
      {"sectors", "sectors"},
      {"input_loads", "loads"},
      {"code", "instructions"}};
  if (counted.contains(column)) {
    return figure > 1.995 ? fmt::format("{:.1f} times as many {}", figure, counted.at(column))
                          : fmt::format(
                                "{:.0f} % {} {}", 100.0 * std::abs(figure - 1.0),
                                figure < 1.0 ? "fewer" : "more", counted.at(column));
  }
  return column == "x_floor"     ? fmt::format("{:.0f} % of what the device can do", 100.0 / figure)
         : column == "max_error" ? fmt::format("wrong by at most {:.2g}", figure)
         : column != "measured_over_predicted" ? change_of(figure)
         : std::abs(figure - 1.0) > 0.005      ? change_of(figure) + " than predicted"
                                               : "the same time as predicted";
}

/// The verdicts in the order in which they are counted, and what a page says for them.
const std::vector<std::pair<std::string, std::string>> verdicts = {
    {"holds", "yes"},
    {"does not hold", "no"},
    {"not shown", "unclear"},
    {"holds with the optimiser off", "only without the optimiser"},
    {"not measured", "not measured"},  // yet
    {"not measurable here", "not measured"},
    {"another architecture", "not measured"}};

/// A row of claims.csv, judged by the results in a folder.
struct Claim {
  std::size_t row;
  std::string folder;
  std::string verdict{}, basis{};  ///< and the rule, or why it cannot be applied
  std::optional<Statistics> figure{}, unoptimised{};

  Claim(std::size_t row_of_claim, const std::string& results) : row(row_of_claim), folder(results) {
    basis = the("holds_if");
    if (the("file").empty()) {
      verdict = basis.starts_with("another arch") ? "another architecture" : "not measurable here";
      return;
    }
    try {
      judge();
    } catch (const Missing& missing) {
      verdict = missing.may_come ? "not measured" : "not measurable here";
      basis = missing.what() +
              std::string(missing.may_come ? ": ./tutorial run --all measures it" : "");
    }
  }

  const std::string& the(const std::string& column) const { return claims().text(row, column); }

  /// What the claim compares; if these are several figures, their intervals hold together.
  std::vector<Statistics> figures(const Csv& csv, std::size_t together = 1) const {
    const Csv& against =
        the("against_file").empty() ? csv : first_file(folder, the("against_file"));
    const std::vector<Point> points = measured(csv, the("kernel"), the("at"));
    std::vector<Statistics> found;
    for (const Point& point : points) {
      if (the("against").empty()) {
        found.push_back(figure_of(point, the("column"), together));
        continue;
      }
      const std::string same = point.column + "=" + point.size;
      const std::string& at = the("against_at").empty() ? same : the("against_at");
      for (const Point& other : measured(against, the("against"), at)) {
        found.push_back(ratio_of(point, other, the("column"), together));
      }
    }
    if (found.empty()) {
      throw Missing(the(points.empty() ? "kernel" : "against"), false);
    }
    return found.size() > together ? figures(csv, found.size()) : found;
  }

  /// Whether the X-ray counts it: the same for all devices, and apart in the tables.
  bool is_count() const { return the("file").starts_with("xray/"); }

  /// Whether it speaks of the device that a file is of: `GPU`, or a vendor's, `AMD GPU`. Counts are
  /// of no device.
  bool is_about(const Csv& csv) const {
    const std::string type = csv.head("device_type");
    const Words words = split(the("on"), ' ');
    const std::string names = lower(csv.head("platform") + csv.head("device"));
    const bool is_vendors = words.size() == 1 || names.find(lower(words[0])) != std::string::npos;
    return type.empty() || the("on").empty() || (words.back() == type && is_vendors);
  }

  void judge() {
    if (!is_about(first_file(folder, the("file") + "|ladder.csv"))) {
      verdict = "not measurable here";
      basis = "a claim about " + the("on") + "s";
      return;
    }
    const Rule rule(the("holds_if"));
    figure = rule.deciding(figures(first_file(folder, the("file"))));
    verdict = rule.judge(*figure);
    if (the("file") != "ladder.csv" || the("against").empty()) {
      return;
    }
    // The compiler without its optimiser, which today does some of what was published.
    try {
      unoptimised = rule.deciding(figures(first_file(folder, "unoptimised.csv")));
      if (verdict != "holds" && rule.judge(*unoptimised) == "holds") {
        verdict = "holds with the optimiser off";
      }
    } catch (const Missing&) {  // not with these kernels or widths
    }
  }

  /// What a page says for the verdict; and by how much it holds.
  std::string answer() const {
    return std::ranges::find(verdicts, verdict, [](auto& one) { return one.first; })->second;
  }
  std::string in_words() const {
    if (!figure) {
      return basis.starts_with("a claim about") ? basis.substr(8) : answer();
    }
    const auto& shown = verdict == "holds with the optimiser off" ? unoptimised : figure;
    return fmt::format("**{}**: {}", answer(), said_by(shown->median, the("column")));
  }
};

/// A page of the tutorial, by its path: [step 2](step2_unroll/README.md).
std::string page_link(const std::string& path) {
  const std::string name = search(path, "(\\w+)(/\\w+)?\\.md").at(1);
  return fmt::format("[{}]({})", replaced(name, "^step([0-9]+)_.*", "step $1"), path);
}

std::vector<Claim> judged_by(const std::string& results) {
  std::vector<Claim> judged;
  for (std::size_t row = 0; row < claims().size(); row++) {
    judged.emplace_back(row, results);
  }
  return judged;
}

}  // namespace

std::map<int, Rounds> rounds_of(
    const Csv& csv, const std::string& kernel, const std::string& width) {
  std::map<int, Rounds> runs;
  const std::string path = rounds_file(csv.path());
  if (!fs::exists(path)) {
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
    const Csv& csv, const std::string& kernel, const std::string& other, const std::string& width,
    std::size_t together) {
  const auto others = rounds_of(csv, other, width);
  for (const auto& [run, rounds] : rounds_of(csv, kernel, width)) {
    if (others.contains(run)) {
      return paired_ratio(rounds, others.at(run), static_cast<int>(together));
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
    const Statistics ratio = ratio_of(
        {csv, parts[2], "filter_width", width}, {csv, parts[4], "filter_width", width},
        "relative_percent", 1);
    const char* relation = ratio.high < 1.0 ? "<" : ratio.low > 1.0 ? ">" : "=";
    if (relation != parts[3] || !ratio.sure) {
      fail(
          "the data say {} {} {} at {}: {:.3f}..{:.3f} of its time{}", parts[2], relation, parts[4],
          width, ratio.low, ratio.high, ratio.sure ? "" : ", on a busy machine");
    }
  }
}

std::string claims_markdown(const Words& words) {
  const bool is_whole = words[0].find('=') != std::string::npos;  // else a part: its title is first
  Words devices(words.begin() + (is_whole ? 0 : 1), words.end());
  for (const auto& [name, ladder] : ladders()) {
    words[0] == "differing" ? devices.push_back(name + "=data/" + name) : void();
  }
  if (devices.empty()) {
    fail("claims needs LABEL=FOLDER");
  }
  Words labels;
  std::vector<std::vector<Claim>> judged;  // on each device
  for (const std::string& device : devices) {
    const auto [label, folder] = halves(device);
    labels.push_back(label);
    judged.push_back(judged_by(fs::path("plots") / folder));
  }
  const std::string counted = "Counted in the simulator", others = "Not judged here";
  std::map<std::string, Table> tables;
  const auto add = [&](const std::string& title, const Claim& claim, Words heads, Words cells) {
    heads.insert(heads.begin(), {"claim", "as published"});
    cells.insert(
        cells.begin(), {claim.the("id") + ": " + claim.the("statement"), claim.the("published")});
    if (!is_whole) {  // which is a page elsewhere
      heads.push_back("page");
      cells.push_back(page_link(claim.the("page")));
    }
    tables.try_emplace(title, Table{heads, {}}).first->second.rows.push_back(cells);
  };
  std::vector<std::map<std::string, int>> tallies(devices.size() + 1);  // the last: of counts
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim& last = judged.back()[row];
    const bool is_count = last.is_count();
    Words cells;
    std::set<std::string> answers;
    for (std::size_t d = 0; d < devices.size(); d++) {
      const Claim& claim = judged[d][row];
      cells.push_back(claim.in_words());
      if (claim.figure) {
        answers.insert(claim.answer());
        tallies[d][claim.answer()] += !is_count;
      }
    }
    if (answers.empty()) {
      add(others, last, {"why"}, {replaced(last.basis, "^another architecture: ", "")});
    } else if (is_count) {
      add(counted, last, {"counted"}, {cells[0]});
      tallies.back()[last.answer()]++;
    } else {
      add(last.the("source"), last, labels, cells);
    }
    if (answers.size() > 1) {
      add("differing", last, labels, cells);
    }
  }
  labels.push_back("counted in the simulator");
  Table tally{
      {fmt::format("of {} published claims", claims().size()), "hold", "do not hold",
       "hold only without the compiler's optimiser", "are unclear"},
      {}};
  for (std::size_t d = 0; d < tallies.size(); d++) {
    tally.rows.push_back({labels[d]});
    for (const char* answer : {"yes", "no", "only without the optimiser", "unclear"}) {
      tally.rows.back().push_back(std::to_string(tallies[d][answer]));
    }
  }
  if (words[0] == "Tally") {
    return tally.markdown();
  }
  if (!is_whole) {
    return tables.contains(words[0]) ? tables.at(words[0]).markdown()
                                     : throw Error("no claims of '" + words[0] + "'");
  }
  Words titles = distinct(claims(), "source");
  titles.insert(titles.end(), {counted, others});
  std::string text = tally.markdown() + "\n";
  for (const std::string& title : titles) {
    const Table& table = tables[title];
    text += table.rows.empty() ? "" : fmt::format("**{}**\n\n{}\n", title, table.markdown());
  }
  return text;
}

std::string claims_that_hold(const std::string& results) {
  int hold = 0, judged = 0;
  for (const Claim& claim : judged_by(results)) {
    const bool counts = claim.figure && !claim.is_count();
    hold += counts && claim.verdict == "holds";
    judged += counts;
  }
  return fmt::format("{} of {}", hold, judged);
}

std::string claims_text(const Words& results) {
  Table table{{"", "", "here", "from", "to", "holds if", "verdict"}, {}};
  const auto brief = [](double value) {
    return value < 0.001 ? fmt::format("{:.2g}", value)
                         : fmt::format("{:.{}f}", value, value < 10 ? 3 : 0);
  };
  std::map<std::string, int> tally;
  for (const Claim& claim : judged_by(results[0])) {
    tally[claim.verdict]++;
    if (const auto& here = claim.figure) {
      const auto& off = claim.unoptimised;
      const Rule rule(claim.the("holds_if"));
      table.rows.push_back(
          {claim.the("id"), claim.the("statement"),
           brief(here->median) + (off ? " (" + brief(off->median) + ")" : ""), brief(here->low),
           brief(here->high), fmt::format("{} {}", rule.below ? '<' : '>', rule.limit),
           claim.verdict});
    }
  }
  std::string text = table.aligned();
  for (const auto& [verdict, answer] : verdicts) {
    text += tally[verdict] > 0 ? fmt::format("{}: {}\n", verdict, tally[verdict]) : "";
  }
  return text + (tally["not measured"] > 0 ? "./tutorial run --all measures more.\n" : "");
}

}  // namespace tutorial
