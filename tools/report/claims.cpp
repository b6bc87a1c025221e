// Do the published claims hold on a device? The claims and their rules stand in
// plots/published/claims.csv, which also explains its columns. All figures are read from the CSVs
// of a results folder.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "report/report.hpp"

namespace tutorial {
namespace {

enum class Judgement {
  holds,
  does_not_hold,
  not_shown,
  holds_unoptimised,
  not_measured,    ///< yet
  not_measurable,  ///< what could have given it has been measured here
  another_architecture,
};

std::string words_of(Judgement judgement) {
  static const std::map<Judgement, std::string> words = {
      {Judgement::holds, "holds"},
      {Judgement::does_not_hold, "does not hold"},
      {Judgement::not_shown, "not shown"},
      {Judgement::holds_unoptimised, "holds with the optimiser off"},
      {Judgement::not_measured, "not measured"},
      {Judgement::not_measurable, "not measurable here"},
      {Judgement::another_architecture, "another architecture"},
  };
  return words.at(judgement);
}

const Csv& claims() {
  return csv_file("plots/published/claims.csv");
}

/// A figure and its 95 % interval.
struct Figure {
  double low, value, high;
  bool sure = true;  ///< false: the machine was too busy

  Figure operator/(const Figure& other) const {
    return {low / other.high, value / other.value, high / other.low, sure && other.sure};
  }
};

/// What a claim asks for: `largest < 0.9`, or `< 0.9` where there is one figure.
struct Rule {
  enum class Of { smallest, median, largest } of;
  bool below;
  double limit;

  explicit Rule(const std::string& text) {
    const Words words = split(text, ' ');
    of = words[0] == "largest" ? Of::largest : words[0] == "median" ? Of::median : Of::smallest;
    below = words.at(words.size() - 2) == "<";
    limit = parse_number<double>(words.back()).value();
  }

  std::string condition() const { return fmt::format("{} {}", below ? '<' : '>', limit); }

  /// The figure that decides, and its interval.
  Figure deciding(std::vector<Figure> figures) const {
    const auto chosen = [&](double Figure::*end) {
      std::ranges::sort(figures, {}, end);
      const std::size_t n = figures.size();
      return of == Of::largest  ? figures[n - 1].*end
             : of == Of::median ? (figures[(n - 1) / 2].*end + figures[n / 2].*end) / 2
                                : figures[0].*end;
    };
    return {
        chosen(&Figure::low), chosen(&Figure::value), chosen(&Figure::high),
        std::ranges::all_of(figures, &Figure::sure)};
  }

  /// It holds if the whole interval is on the right side of the limit, and does not hold if the
  /// whole interval is on the wrong one.
  Judgement judge(const Figure& figure) const {
    const bool is_below = figure.high < limit;
    const bool is_above = figure.low > limit;
    return !figure.sure || is_below == is_above ? Judgement::not_shown
           : is_below == below                  ? Judgement::holds
                                                : Judgement::does_not_hold;
  }
};

/// There is no figure of `what`.
struct NotMeasured : Error {
  explicit NotMeasured(const std::string& what)
      : Error("not measured on this device: " + replaced(what, "[|]", " or ")) {}
};
/// Nor will there be one: what could have given it has been measured here.
struct NotMeasurable : NotMeasured {
  using NotMeasured::NotMeasured;
};

struct Verdict {
  Judgement judgement;
  std::string basis;  ///< the rule, or why it cannot be applied
  std::optional<Figure> figure{}, unoptimised{};

  std::string measured() const {
    const std::string off = unoptimised ? fmt::format(" ({:.3f})", unoptimised->value) : "";
    if (figure && figure->value < 0.001) {
      return fmt::format("{:.2g}", figure->value);
    }
    return figure ? fmt::format("{:.{}f}{}", figure->value, figure->value < 10 ? 3 : 0, off) : "";
  }
};

/// The first of the files A|B that a folder has. The counts of the X-ray are no device's.
const Csv& first_file(const std::string& folder, const std::string& names) {
  if (!std::filesystem::is_directory(folder)) {
    fail("no folder '{}'", folder);
  }
  for (const std::string& name : split(names, '|')) {
    const std::string path = (name.starts_with("xray/") ? "plots" : folder) + "/" + name;
    if (std::filesystem::exists(path)) {
      return csv_file(path);
    }
  }
  // The last table of `run --all` is there: what the file needs is not.
  if (std::filesystem::exists(folder + "/model.csv")) {
    throw NotMeasurable(names);
  }
  throw NotMeasured(names);
}

/// The folders of plots/data with a ladder.
std::set<std::string> device_folders() {
  std::set<std::string> folders;
  for (const auto& folder : std::filesystem::directory_iterator("plots/data")) {
    if (std::filesystem::exists(folder.path() / "ladder.csv")) {
      folders.insert(folder.path().filename());
    }
  }
  return folders;
}

/// SIZE=3|5:7 as SIZE=3, SIZE=5, SIZE=6, SIZE=7.
Words expanded(const std::string& sizes) {
  const auto [name, values] = halves(sizes);
  Words list = numbers_of(values, '|');
  for (std::string& value : list) {
    value.insert(0, name + "=");
  }
  return list;
}

/// Those of several sizes at which a file has rows; all if it has none, so that this is said.
Words measured_sizes(const Csv& csv, const Words& sizes) {
  Words list = sizes;
  std::erase_if(list, [&](auto& size) {
    const auto [name, value] = halves(size);
    return csv.has(name) && rows_where(csv, {{name, value}}).empty();
  });
  return list.empty() ? sizes : list;
}

/// Those of the kernels A|B that a file has; * are all.
Words measured_kernels(const Csv& csv, const std::string& kernels) {
  Words list = distinct(csv, "kernel");
  std::erase_if(
      list, [&](auto& kernel) { return kernels != "*" && !contains(split(kernels, '|'), kernel); });
  return list;
}

/// A kernel's figure at a size such as `filter_width=7`, with its interval if it has one, which is
/// one of `together` if the rounds are there. A column A/B is one over the other.
Figure figure_of(
    const Csv& csv, const std::string& kernel, const std::string& size, const std::string& column,
    std::size_t together) {
  if (column.find('/') != std::string::npos) {
    const auto [above, below] = halves(column, '/');
    return figure_of(csv, kernel, size, above, together) /
           figure_of(csv, kernel, size, below, together);
  }
  const auto [name, value] = halves(size);
  const auto rows = csv.has(name) ? rows_where(csv, {{"kernel", kernel}, {name, value}})
                                  : std::vector<std::size_t>{};
  const auto number = [&](const char* of) { return csv.number(rows.back(), of); };
  const bool is_error = column == "max_error";
  if (rows.empty() || (number(column.c_str()) <= 0.0 && !is_error)) {
    const std::string what = fmt::format("{} at {} {}", kernel, replaced(name, "_", " "), value);
    // Only the ladder is first measured in part, at some of its widths.
    if (csv.path().ends_with("/ladder.csv") && rows_where(csv, {{name, value}}).empty()) {
      throw NotMeasured(what);
    }
    throw NotMeasurable(what);
  }
  const double figure = number(column.c_str());
  const bool is_relative = column == "relative_percent";
  if (is_relative || column == "x_floor") {
    const auto baseline = rows_where(csv, {{name, value}, {"relative_percent", "100"}});
    const std::string other =
        is_relative && !baseline.empty() ? csv.text(baseline[0], "kernel") : "floor";
    if (const auto ratio = paired(csv, kernel, other, value, together)) {
      const double times = is_relative ? 100.0 : 1.0;
      return {times * ratio->low, times * ratio->median, times * ratio->high, ratio->sure};
    }
  }
  if (is_relative && csv.has("relative_low")) {
    return {number("relative_low"), figure, number("relative_high")};
  }
  if (!csv.has("low_ms") || number("low_ms") <= 0.0 || is_error) {
    return {figure, figure, figure};
  }
  const double below = number("low_ms") / number("median_ms");
  const double above = number("high_ms") / number("median_ms");
  return {figure * below, figure, figure * above};
}

/// One figure over another: in pairs if they are times of the same rounds.
Figure ratio_of(
    const Csv& csv, const std::string& kernel, const std::string& size, const Csv& other_csv,
    const std::string& other, const std::string& other_size, const std::string& column,
    std::size_t together) {
  const Figure figure = figure_of(csv, kernel, size, column, together);
  const Figure quotient = figure / figure_of(other_csv, other, other_size, column, together);
  const bool same_rounds = &csv == &other_csv && size == other_size && column == "relative_percent";
  const auto ratio =
      same_rounds ? paired(csv, kernel, other, halves(size).second, together) : std::nullopt;
  return ratio ? Figure{ratio->low, ratio->median, ratio->high, ratio->sure} : quotient;
}

/// A row of claims.csv, judged by the results in a folder.
struct Claim {
  std::size_t row;
  std::string folder;

  const std::string& the(const std::string& column) const { return claims().text(row, column); }

  /// What the claim compares; if these are several figures, their intervals hold together.
  std::vector<Figure> figures(const Csv& csv, std::size_t together = 1) const {
    const Csv& against =
        the("against_file").empty() ? csv : first_file(folder, the("against_file"));
    const Words kernels = measured_kernels(csv, the("kernel"));
    const Words others = measured_kernels(against, the("against"));
    std::vector<Figure> found;
    for (const std::string& kernel : kernels) {
      for (const std::string& size : measured_sizes(csv, expanded(the("at")))) {
        if (the("against").empty()) {
          found.push_back(figure_of(csv, kernel, size, the("column"), together));
        }
        for (const std::string& other : others) {
          const std::string& sizes = the("against_at").empty() ? size : the("against_at");
          for (const std::string& at : measured_sizes(against, expanded(sizes))) {
            found.push_back(
                ratio_of(csv, kernel, size, against, other, at, the("column"), together));
          }
        }
      }
    }
    if (found.empty()) {
      throw NotMeasurable(the(kernels.empty() ? "kernel" : "against"));
    }
    return found.size() > together ? figures(csv, found.size()) : found;
  }

  /// Whether it compares two times.
  bool is_of_times() const { return !the("against").empty() && !the("file").starts_with("xray/"); }

  Rule rule() const { return Rule(the("holds_if")); }

  Verdict judged_by(const Csv& csv) const {
    const Figure figure = rule().deciding(figures(csv));
    return {rule().judge(figure), the("holds_if"), figure};
  }

  /// The verdict with that of the compiler without its optimiser, which today does some of what
  /// was published, for comparisons that `run --all` makes in that way too.
  Verdict with_unoptimised(Verdict verdict) const {
    if (the("file") != "ladder.csv" || the("against").empty()) {
      return verdict;
    }
    try {
      const Verdict off = judged_by(first_file(folder, "unoptimised.csv"));
      verdict.unoptimised = off.figure;
      if (verdict.judgement != Judgement::holds && off.judgement == Judgement::holds) {
        verdict.judgement = Judgement::holds_unoptimised;
      }
    } catch (const NotMeasured&) {  // not with these kernels or widths
    }
    return verdict;
  }

  /// Whether it speaks of the device that a file is of: `GPU`, or a vendor's, `AMD GPU`. Counts are
  /// of no device.
  bool is_about(const Csv& csv) const {
    const std::string type = csv.head("device_type");
    const Words words = split(the("on"), ' ');
    const std::string names = lower(csv.head("platform") + csv.head("device"));
    const bool is_vendors = words.size() == 1 || names.find(lower(words[0])) != std::string::npos;
    return type.empty() || the("on").empty() || (words.back() == type && is_vendors);
  }

  Verdict verdict() const {
    if (the("file").empty()) {
      const bool other = the("holds_if").starts_with("another architecture: ");
      return {other ? Judgement::another_architecture : Judgement::not_measurable, the("holds_if")};
    }
    try {
      return is_about(first_file(folder, the("file") + "|ladder.csv"))
                 ? with_unoptimised(judged_by(first_file(folder, the("file"))))
                 : Verdict{Judgement::not_measurable, "a claim about " + the("on") + "s"};
    } catch (const NotMeasurable& missing) {
      return {Judgement::not_measurable, missing.what()};
    } catch (const NotMeasured& missing) {
      return {
          Judgement::not_measured,
          missing.what() + std::string(": ./tutorial run --all measures it")};
    }
  }
};

/// What a ratio of two times, or its limit, says of the newer one's time.
std::string change_of(double ratio) {
  const double percent = 100.0 * std::abs(ratio - 1.0);
  return ratio > 1.995     ? fmt::format("{:.1f} times as long", ratio)
         : percent < 0.5   ? "the same time"
         : ratio > 1.0     ? fmt::format("{:.0f} % more time", percent)
         : ratio > 1 / 3.0 ? fmt::format("{:.0f} % less time", percent)
                           : fmt::format("{:.1f} times as fast", 1.0 / ratio);
}

/// What a claim's figure says.
std::string said_by(double figure, const Claim& claim) {
  const std::string& column = claim.the("column");
  if (column == "x_floor") {
    return fmt::format("{:.0f} % of what the device can do", 100.0 / figure);
  }
  if (column == "max_error") {
    return fmt::format("wrong by at most {:.1g}", figure);
  }
  if (column == "measured_over_predicted") {
    return change_of(figure) +
           (figure > 1.005 || figure < 0.995 ? " than predicted" : " as predicted");
  }
  if (claim.is_of_times()) {
    return change_of(figure);
  }
  static const std::map<std::string, std::string> counted = {
      {"sectors/least_sectors", "sectors than needed"},
      {"sectors", "sectors"},
      {"input_loads", "loads"},
      {"code", "instructions"}};
  const double percent = 100.0 * std::abs(figure - 1.0);
  const std::string& what = counted.at(column);
  return figure > 1.995
             ? fmt::format("{:.1f} times as many {}", figure, what)
             : fmt::format("{:.0f} % {} {}", percent, figure < 1.0 ? "fewer" : "more", what);
}

/// A row for readers: whether it holds, and by how much.
std::string in_words(const Claim& claim, const Verdict& verdict) {
  if (!verdict.figure) {
    return verdict.basis.starts_with("a claim about") ? "about " + claim.the("on") + "s"
                                                      : "not measured";
  }
  static const std::map<Judgement, std::string> answers = {
      {Judgement::holds, "yes"},
      {Judgement::does_not_hold, "no"},
      {Judgement::not_shown, "unclear"},
      {Judgement::holds_unoptimised, "only without the optimiser"}};
  const auto& figure =
      verdict.judgement == Judgement::holds_unoptimised ? verdict.unoptimised : verdict.figure;
  return fmt::format("**{}**: {}", answers.at(verdict.judgement), said_by(figure->value, claim));
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
  for (const std::string& width : expanded("filter_width=" + replaced(parts[5], ",", "|"))) {
    const Figure ratio =
        ratio_of(csv, parts[2], width, csv, parts[4], width, "relative_percent", 1);
    const char* relation = ratio.high < 1.0 ? "<" : ratio.low > 1.0 ? ">" : "=";
    if (relation != parts[3] || !ratio.sure) {
      fail(
          "the data say {} {} {} at {}: {:.3f}..{:.3f} of its time{}", parts[2], relation, parts[4],
          width, ratio.low, ratio.high, ratio.sure ? "" : ", on a busy machine");
    }
  }
}

double time_ms(const Csv& csv, const std::string& names, const std::string& width) {
  double sum = 0.0;
  for (const std::string& name : split(names, '+')) {
    sum += figure_of(csv, name, "filter_width=" + width, "median_ms", 1).value;
  }
  return sum;
}

double ratio(const Csv& csv, const std::string& a, const std::string& b, const std::string& width) {
  return time_ms(csv, a, width) / time_ms(csv, b, width);
}

std::string claims_markdown(const Words& words) {
  const bool is_whole = words[0].find('=') != std::string::npos;  // else a part: its title is first
  const bool differing = words[0] == "differing";
  Words devices(words.begin() + (is_whole ? 0 : 1), words.end());
  for (const std::string& name : differing ? device_folders() : std::set<std::string>{}) {
    devices.push_back(name + "=data/" + name);
  }
  Words heads = {"claim", "as published"};
  for (const std::string& device : devices) {
    heads.push_back(halves(device).first);
  }
  Table differences{heads, {}};
  std::vector<std::pair<std::string, Table>> tables(1);  // the tally, then one of each source
  Table counts{{heads[0], heads[1], "counted"}, {}};
  Table others{{heads[0], heads[1], "why"}, {}};
  std::vector<std::map<Judgement, int>> tallies(devices.size());
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim claim{row, ""};
    const bool is_count = claim.the("file").starts_with("xray/");  // the same for all devices
    Words cells = {claim.the("id") + ": " + claim.the("statement"), claim.the("published")};
    std::set<Judgement> judged;
    std::string why;
    for (std::size_t d = 0; d < devices.size(); d++) {
      const std::filesystem::path plots = "plots";
      const Verdict verdict = Claim{row, plots / halves(devices[d]).second}.verdict();
      cells.push_back(in_words(claim, verdict));
      why = replaced(verdict.basis, "^another architecture: ", "");
      if (verdict.figure) {
        judged.insert(verdict.judgement);
        tallies[d][verdict.judgement] += is_count ? 0 : 1;
      }
    }
    if (judged.size() > 1) {
      differences.rows.push_back(cells);
    }
    if (judged.empty()) {
      others.rows.push_back({cells[0], cells[1], why});
    } else if (is_count) {
      counts.rows.push_back({cells[0], cells[1], cells[2]});
    } else {
      const bool is_next = tables.back().first != claim.the("source");
      is_next ? void(tables.push_back({claim.the("source"), {heads, {}}})) : void();
      tables.back().second.rows.push_back(cells);
    }
  }
  if (differing) {
    return differences.markdown();
  }
  Table tally{{"", "judged", "yes", "only without the optimiser", "no", "unclear"}, {}};
  for (std::size_t d = 0; d < devices.size(); d++) {
    Words cells = {halves(devices[d]).first, ""};
    int all = 0;
    for (const Judgement judgement :
         {Judgement::holds, Judgement::holds_unoptimised, Judgement::does_not_hold,
          Judgement::not_shown}) {
      cells.push_back(std::to_string(tallies[d][judgement]));
      all += tallies[d][judgement];
    }
    cells[1] = std::to_string(all);
    tally.rows.push_back(cells);
  }
  tables[0] = {"Tally", tally};
  tables.push_back({"Counted in the simulator", counts});
  tables.push_back({"Not judged here", others});
  std::string text;
  for (const auto& [title, table] : tables) {
    if (title == words[0]) {
      return table.markdown();
    }
    text += table.rows.empty() ? "" : fmt::format("**{}**\n\n{}\n", title, table.markdown());
  }
  return is_whole ? text : throw Error("no claims of '" + words[0] + "'");
}

std::string devices_csv() {
  std::string text = csv_line({"fastest", "x_floor", "convolve", "device"});
  for (const std::string& name : device_folders()) {
    const Csv& ladder = csv_file("plots/data/" + name + "/ladder.csv");
    std::map<double, std::size_t> rows;  // by their rates
    std::string convolve;
    for (const std::size_t row : rows_where(ladder, {{"filter_width", "7"}})) {
      rows[is_a(ladder, row, "kernel") ? ladder.number(row, "gpixels_per_s") : 0.0] = row;
      if (ladder.text(row, "kernel") == "Convolve") {
        convolve = ladder.text(row, "gpixels_per_s");
      }
    }
    if (!convolve.empty()) {
      const auto [rate, row] = *rows.rbegin();
      text += csv_line(
          {std::to_string(rate), ladder.text(row, "x_floor"), convolve, device_name(ladder)});
    }
  }
  return text;
}

std::string devices_table(const Words& /*none*/) {
  Table table{{"device", "image", "G multiply-adds/s", "copy, GB/s"}, {}};
  const Words widths = {"3", "7", "15", "31"};
  for (const std::string& name : device_folders()) {
    const Csv& ladder = csv_file("plots/data/" + name + "/ladder.csv");
    Words cells = {
        fmt::format("[{}](plots/data/{})", device_name(ladder), name), ladder.head("size")};
    for (const char* key : {"multiply_adds_per_s", "copy_bytes_per_s"}) {
      const double rate = parse_number<double>(ladder.head(key)).value_or(NAN);
      cells.push_back(fmt::format("{:.0f}", 1e-9 * rate));
    }
    for (const std::string& width : widths) {
      std::set<double> factors;
      for (const std::size_t row : rows_where(ladder, {{"filter_width", width}})) {
        factors.insert(ladder.number(row, "x_floor"));
      }
      factors.erase(0.0);  // the host's loop has none
      cells.push_back(factors.empty() ? "-" : fmt::format("{:.2f}", *factors.begin()));
    }
    table.rows.push_back(cells);
  }
  for (const std::string& width : widths) {
    table.heads.push_back("x floor at " + width);
  }
  std::string ladders;
  for (const std::string& name : device_folders()) {
    if (name != "h200" && name != "pocl-epyc") {  // which the front page shows
      ladders += fmt::format(
          "\n![{0}: a bar for each step](plots/charts/{0}/front.svg)\n\n*The ladder of {0}.*\n",
          name);
    }
  }
  return table.markdown() + ladders;
}

std::string claims_text(const Words& results) {
  Table table{{"", "", "here", "holds if", "verdict"}, {}};
  std::map<Judgement, int> tally;
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim claim{row, results[0]};
    const Verdict verdict = claim.verdict();
    tally[verdict.judgement]++;
    if (verdict.figure) {
      table.rows.push_back(
          {claim.the("id"), claim.the("statement"), verdict.measured(), claim.rule().condition(),
           words_of(verdict.judgement)});
    }
  }
  Words counts;
  for (const auto& [judgement, count] : tally) {
    counts.push_back(fmt::format("{}: {}", words_of(judgement), count));
  }
  return fmt::format(
      "{}{}\n{}", table.aligned(), fmt::join(counts, "\n"),
      tally.contains(Judgement::not_measured) ? "./tutorial run --all measures more.\n" : "");
}

std::string claims_csv(const std::string& results) {
  std::string text = "id,statement,source,device,year,published,measured,low,high,verdict,basis\n";
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim claim{row, results};
    const Verdict verdict = claim.verdict();
    Words fields;
    for (const char* column : {"id", "statement", "source", "device", "year", "published"}) {
      fields.push_back(claim.the(column));
    }
    for (double Figure::*end : {&Figure::value, &Figure::low, &Figure::high}) {
      fields.push_back(verdict.figure ? fmt::format("{:.6g}", *verdict.figure.*end) : "");
    }
    fields.insert(fields.end(), {words_of(verdict.judgement), verdict.basis});
    text += csv_line(fields);
  }
  return text;
}

}  // namespace tutorial
