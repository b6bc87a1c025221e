// Do the published claims hold on a device? The claims and their rules stand in
// plots/published/claims.csv, which also explains its columns. All figures are read from the CSVs
// of a results folder.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "report/report.hpp"

namespace tutorial {
namespace {

const std::string another_architecture = "another architecture";

const Csv& claims() {
  return csv_file("plots/published/claims.csv");
}

/// A figure and its 95 % interval.
struct Figure {
  double low, value, high;

  Figure operator/(const Figure& other) const {
    return {low / other.high, value / other.value, high / other.low};
  }
};

/// There is no figure, and why.
struct NotMeasured : Error {
  using Error::Error;
};
/// Nor will there be one: what could have given it has been measured here.
struct NotMeasurable : NotMeasured {
  using NotMeasured::NotMeasured;
};

struct Verdict {
  std::string word, basis;  ///< the judgement; the rule, or why it cannot be applied
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
    throw NotMeasurable("no " + names);
  }
  throw NotMeasured("no " + names);
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

/// SIZE=3|5:7|fill as SIZE=3, SIZE=5, SIZE=6, SIZE=7, and the size that the file's head calls so.
Words expanded(const Csv& csv, const std::string& sizes) {
  const auto [name, values] = halves(sizes);
  Words list;
  for (const std::string& value : split(values, '|')) {
    if (const Words range = split(value, ':'); range.size() == 2) {
      const int last = parse_number<int>(range[1]).value();
      for (int size = parse_number<int>(range[0]).value(); size <= last; size++) {
        list.push_back(fmt::format("{}={}", name, size));
      }
    } else {
      const std::string named = csv.head(value);
      list.push_back(fmt::format("{}={}", name, named.empty() ? value : named));
    }
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

/// A kernel's figure at a size such as `filter_width=7`, with its interval if it has one. A rate is
/// low where the time is high. A column A/B is one over the other.
Figure figure_of(
    const Csv& csv, const std::string& kernel, const std::string& size, const std::string& column) {
  if (column.find('/') != std::string::npos) {
    const auto [above, below] = halves(column, '/');
    return figure_of(csv, kernel, size, above) / figure_of(csv, kernel, size, below);
  }
  const auto [name, value] = halves(size);
  std::vector<std::pair<std::string, std::string>> key = {{"kernel", kernel}, {name, value}};
  if (csv.has("experiment")) {  // two sweeps: of the group's size and of the number of work-items
    key.emplace_back("experiment", name == "items" ? "global" : "group");
  }
  const auto rows = csv.has(name) ? rows_where(csv, key) : std::vector<std::size_t>{};
  const auto number = [&](const char* of) { return csv.number(rows.back(), of); };
  const bool is_error = column == "max_error";
  if (rows.empty() || (number(column.c_str()) <= 0.0 && !is_error)) {
    const std::string what = fmt::format("no row of {} at {}", kernel, size);
    // Only the ladder is first measured in part, at some of its widths.
    if (csv.path().ends_with("/ladder.csv") && rows_where(csv, {{name, value}}).empty()) {
      throw NotMeasured(what);
    }
    throw NotMeasurable(what);
  }
  const double figure = number(column.c_str());
  if (column == "relative_percent" && csv.has("relative_low")) {
    return {number("relative_low"), figure, number("relative_high")};
  }
  if (!csv.has("low_ms") || number("low_ms") <= 0.0 || is_error) {
    return {figure, figure, figure};
  }
  const double below = number("low_ms") / number("median_ms");
  const double above = number("high_ms") / number("median_ms");
  return column == "gpixels_per_s" ? Figure{figure / above, figure, figure / below}
                                   : Figure{figure * below, figure, figure * above};
}

/// A row of claims.csv, judged by the results in a folder.
struct Claim {
  std::size_t row;
  std::string folder;

  const std::string& the(const std::string& column) const { return claims().text(row, column); }

  /// What the claim compares.
  std::vector<Figure> figures(const Csv& csv) const {
    const Csv& against =
        the("against_file").empty() ? csv : first_file(folder, the("against_file"));
    const Words kernels = measured_kernels(csv, the("kernel"));
    const Words others = measured_kernels(against, the("against"));
    std::vector<Figure> found;
    for (const std::string& kernel : kernels) {
      for (const std::string& size : measured_sizes(csv, expanded(csv, the("at")))) {
        const Figure figure = figure_of(csv, kernel, size, the("column"));
        if (the("against").empty()) {
          found.push_back(figure);
        }
        for (const std::string& other : others) {
          const std::string& sizes = the("against_at").empty() ? size : the("against_at");
          for (const std::string& at : measured_sizes(against, expanded(against, sizes))) {
            found.push_back(figure / figure_of(against, other, at, the("column")));
          }
        }
      }
    }
    if (found.empty()) {
      throw NotMeasurable("no row of " + the(kernels.empty() ? "kernel" : "against"));
    }
    return found;
  }

  /// The last two words of the rule, as `< 0.9`.
  std::string condition() const { return search(the("holds_if"), "\\S+ \\S+$")[0]; }

  /// It holds if the whole interval is on the right side of the limit, and does not hold if the
  /// whole interval is on the wrong one.
  Verdict judged_by(std::vector<Figure> figures) const {
    const std::string& rule = the("holds_if");
    const auto chosen = [&](double Figure::*end) {
      std::ranges::sort(figures, {}, end);
      const std::size_t n = figures.size();
      return rule.starts_with("largest")  ? figures[n - 1].*end
             : rule.starts_with("median") ? (figures[(n - 1) / 2].*end + figures[n / 2].*end) / 2
                                          : figures[0].*end;
    };
    const Figure figure = {chosen(&Figure::low), chosen(&Figure::value), chosen(&Figure::high)};
    const auto [side, limit_text] = halves(condition(), ' ');
    const double limit = parse_number<double>(limit_text).value();
    const bool is_below = figure.high < limit;
    const bool is_above = figure.low > limit;
    const std::string word = is_below == is_above        ? "not shown"
                             : is_below == (side == "<") ? "holds"
                                                         : "does not hold";
    return {word, rule, figure};
  }

  /// The verdict with that of the compiler without its optimiser, which today does some of what
  /// was published, for comparisons that `run --all` makes in that way too.
  Verdict with_unoptimised(Verdict verdict) const {
    if (the("file") != "ladder.csv" || the("against").empty()) {
      return verdict;
    }
    try {
      const Verdict off = judged_by(figures(first_file(folder, "unoptimised.csv")));
      verdict.unoptimised = off.figure;
      if (verdict.word != "holds" && off.word == "holds") {
        verdict.word = "holds with the optimiser off";
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
      const bool other = the("holds_if").starts_with(another_architecture);
      return {other ? another_architecture : "not measurable here", the("holds_if")};
    }
    try {
      return is_about(first_file(folder, the("file") + "|ladder.csv"))
                 ? with_unoptimised(judged_by(figures(first_file(folder, the("file")))))
                 : Verdict{"not measurable here", "a claim about " + the("on") + "s"};
    } catch (const NotMeasurable& missing) {
      return {"not measurable here", missing.what()};
    } catch (const NotMeasured& missing) {
      return {"not measured", missing.what() + std::string(": ./tutorial run --all measures it")};
    }
  }
};

}  // namespace

void require_comparison(const std::string& text) {
  const Words parts = search(text, "^(\\S+) (\\S+) ([<=>]) (\\S+) at (\\S+)$");
  if (parts.empty()) {
    fail("'{}' is not FILE A < B at WIDTHS", text);
  }
  const Csv csv = csv_file("plots/" + parts[1]);
  for (const std::string& width : expanded(csv, "filter_width=" + replaced(parts[5], ",", "|"))) {
    const Figure ratio = figure_of(csv, parts[2], width, "relative_percent") /
                         figure_of(csv, parts[4], width, "relative_percent");
    const char* relation = ratio.high < 1.0 ? "<" : ratio.low > 1.0 ? ">" : "=";
    if (relation != parts[3]) {
      fail(
          "the data say {} {} {} at {}: {:.3f}..{:.3f} of its time", parts[2], relation, parts[4],
          width, ratio.low, ratio.high);
    }
  }
}

std::string claims_markdown(const Words& words) {
  const bool differing = words[0] == "differing";
  Words devices = differing ? Words{} : words;
  for (const std::string& name : differing ? device_folders() : std::set<std::string>{}) {
    devices.push_back(name + "=data/" + name);
  }
  Table table{{"claim", "holds if"}, {}};
  for (const std::string& device : devices) {
    table.heads.push_back(halves(device).first);
  }
  std::string source;
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim claim{row, ""};
    Words cells = {
        claim.the("id") + ": " + claim.the("statement"),
        replaced(claim.the("holds_if"), another_architecture + ": ", "")};
    std::set<std::string> judged;
    for (const std::string& device : devices) {
      const std::filesystem::path plots = "plots";
      const Verdict verdict = Claim{row, plots / halves(device).second}.verdict();
      const bool explain = verdict.basis.starts_with("a claim about");
      cells.push_back(
          (explain ? claim.the("on") + "s only" : verdict.word) +
          (verdict.figure ? ": " + verdict.measured() : ""));
      verdict.figure ? void(judged.insert(verdict.word)) : void();
    }
    if (differing && judged.size() < 2) {
      continue;
    }
    if (claim.the("source") != source) {
      source = claim.the("source");
      table.rows.emplace_back(table.heads.size())[0] = "**" + source + "**";
    }
    table.rows.push_back(cells);
  }
  return table.markdown();
}

std::string devices_table(const Words& /*none*/) {
  Table table{{"folder", "device", "driver", "pixels", "G multiply-adds/s", "copy, GB/s"}, {}};
  const Words widths = {"3", "7", "15", "31"};
  for (const std::string& name : device_folders()) {
    const Csv& ladder = csv_file("plots/data/" + name + "/ladder.csv");
    Words cells = {fmt::format("[{0}](plots/data/{0})", name)};
    for (const char* key :
         {"device", "driver", "size", "multiply_adds_per_s", "copy_bytes_per_s"}) {
      const auto rate = parse_number<double>(ladder.head(key));
      cells.push_back(
          rate && cells.size() > 3 ? fmt::format("{:.0f}", 1e-9 * *rate) : ladder.head(key));
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
  return table.markdown();
}

std::string claims_text(const Words& results) {
  Table table{{"", "", "here", "holds if", "verdict"}, {}};
  std::map<std::string, int> tally;
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim claim{row, results[0]};
    const Verdict verdict = claim.verdict();
    tally[verdict.word]++;
    if (verdict.figure) {
      table.rows.push_back(
          {claim.the("id"), claim.the("statement"), verdict.measured(), claim.condition(),
           verdict.word});
    }
  }
  Words counts;
  for (const auto& [word, count] : tally) {
    counts.push_back(fmt::format("{}: {}", word, count));
  }
  return fmt::format(
      "{}{}\n{}", table.aligned(), fmt::join(counts, "\n"),
      tally.contains("not measured") ? "./tutorial run --all measures more.\n" : "");
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
    fields.insert(fields.end(), {verdict.word, verdict.basis});
    text += csv_line(fields);
  }
  return text;
}

}  // namespace tutorial
