// Do the published claims hold on a device? The claims and their rules stand in
// plots/published/claims.csv, which also explains its columns. All figures are read from the CSVs
// of a results folder.
#include <algorithm>
#include <filesystem>
#include <map>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {

Figure operator/(const Figure& a, const Figure& b) {
  return {a.low / b.high, a.value / b.value, a.high / b.low};
}

// A file without intervals gives its figures as they are; a rate is low where the time is high.
Figure figure_at(const Csv& csv, std::size_t row, const std::string& column) {
  const auto number = [&](const std::string& name) {
    return csv.has(name) ? csv.number(row, name) : 0.0;
  };
  const double time = number("median_ms");
  const double value = time > 0.0 ? number(column) : 0.0;
  const double below = number("low_ms") > 0.0 ? number("low_ms") / time : 1.0;
  const double above = number("high_ms") > 0.0 ? number("high_ms") / time : 1.0;
  return column == "gpixels_per_s" ? Figure{value / above, value, value / below}
                                   : Figure{value * below, value, value * above};
}

namespace {

const Csv& claims() {
  return csv_file("plots/published/claims.csv");
}

/// Why there is no figure.
struct NotMeasured {
  std::string why;
};

/// The first of the files A|B in the first of the folders that has it with data; empty if none has.
std::string first_file(const Words& folders, const std::string& names) {
  for (const std::string& name : split(names, '|')) {
    for (const std::string& folder : folders) {
      const std::string path = folder + "/" + name;
      if (std::filesystem::exists(path) && csv_file(path).size() > 0) {
        return path;
      }
    }
  }
  return "";
}

/// SIZE=3|7, or SIZE=FROM:TO[:STEP], as SIZE=3, SIZE=7.
Words expanded(const std::string& sizes) {
  const auto [name, values] = halves(sizes);
  Words list;
  for (const std::string& part : split(values, '|')) {
    const Words range = split(part, ':');
    const int last = std::stoi(range.size() > 1 ? range[1] : range[0]);
    const int step = range.size() > 2 ? std::stoi(range[2]) : 1;
    for (int value = std::stoi(range[0]); value <= last; value += step) {
      list.push_back(fmt::format("{}={}", name, value));
    }
  }
  return list;
}

/// Those of the kernels A|B that a file has.
Words measured_kernels(const Csv& csv, const std::string& kernels) {
  Words list = split(kernels, '|');
  std::erase_if(list, [&](auto& kernel) { return rows_where(csv, {{"kernel", kernel}}).empty(); });
  return list;
}

/// A kernel's figure at a size such as `filter_width=7`.
Figure figure_of(
    const Csv& csv, const std::string& kernel, const std::string& size, const std::string& column) {
  const auto [name, value] = halves(size);
  std::vector<std::pair<std::string, std::string>> key = {{"kernel", kernel}, {name, value}};
  if (csv.has("experiment")) {  // two sweeps: of the group's size and of the number of work-items
    key.emplace_back("experiment", name == "items" ? "global" : "group");
  }
  const auto rows = csv.has(name) ? rows_where(csv, key) : std::vector<std::size_t>{};
  const Figure figure = rows.empty() ? Figure{} : figure_at(csv, rows.back(), column);
  if (figure.value <= 0.0) {
    throw NotMeasured{fmt::format("no row of {} at {}", kernel, size)};
  }
  return figure;
}

/// The time of one kernel over that of another at the same size. The ladder is two programs, each
/// with Convolve in its rounds, so there it is the ratio of the times relative to that.
Figure time_ratio(
    const Csv& csv, const std::string& kernel, const std::string& other, const std::string& size) {
  const bool is_ladder = csv.path().ends_with("/ladder.csv") && csv.has("relative_percent");
  const std::string column = is_ladder ? "relative_percent" : "median_ms";
  return figure_of(csv, kernel, size, column) / figure_of(csv, other, size, column);
}

struct Verdict {
  std::string word, basis;  ///< the judgement, and how it was reached
  std::string measured;     ///< the figure as text; empty if there is none
  Figure figure{};
};

/// One row of claims.csv, judged by the results in some folders, of which the first that has a file
/// counts.
class Claim {
 public:
  Claim(std::size_t row, const Words& folders) : row_(row), folders_(folders) {}

  const std::string& the(const std::string& column) const { return claims().text(row_, column); }

  /// The last two words of the rule, as `< 0.9`.
  std::string condition() const { return search(the("holds_if"), "\\S+ \\S+$")[0]; }

  bool has_file() const {
    return !the("file").empty() && !first_file(folders_, the("file")).empty();
  }

  Verdict judge() const {
    if (the("file").empty()) {
      return {"not measurable here", the("holds_if"), "", {}};
    }
    const std::string kind =
        has_file() ? csv_file(first_file(folders_, the("file"))).head("device_type") : "";
    if (!the("on").empty() && !kind.empty() && kind != the("on")) {
      return {"not measurable here", fmt::format("a claim about {}s", the("on")), "", {}};
    }
    try {
      return judge_by(figures());
    } catch (const NotMeasured& missing) {
      return {"not measured", missing.why + ": ./tutorial run --all measures it", "", {}};
    }
  }

 private:
  const Csv& file(const std::string& names) const {
    const std::string path = first_file(folders_, names);
    return path.empty() ? throw NotMeasured{"no " + names} : csv_file(path);
  }

  /// What the claim compares.
  std::vector<Figure> figures() const {
    const Csv& csv = file(the("file"));
    const Csv& against = file(the(the("against_file").empty() ? "file" : "against_file"));
    const Words others = measured_kernels(against, the("against"));
    const std::string& column = the("column");
    const auto figure = [&](const Csv& from, const std::string& kernel, const std::string& size) {
      return column == "relative_percent" ? time_ratio(from, kernel, "Convolve", size)
                                          : figure_of(from, kernel, size, column);
    };
    std::vector<Figure> found;
    for (const std::string& kernel : measured_kernels(csv, the("kernel"))) {
      for (const std::string& size : expanded(the("at"))) {
        if (the("against").empty()) {
          found.push_back(figure(csv, kernel, size));
        }
        for (const std::string& other : others) {
          for (const std::string& at :
               expanded(the("against_at").empty() ? size : the("against_at"))) {
            const bool same = &csv == &against && at == size && column == "median_ms";
            found.push_back(
                same ? time_ratio(csv, kernel, other, size)
                     : figure(csv, kernel, size) / figure(against, other, at));
          }
        }
      }
    }
    if (found.empty()) {
      throw NotMeasured{fmt::format("no rows of {} or {}", the("kernel"), the("against"))};
    }
    return found;
  }

  /// The largest, smallest or median figure counts, and so it is with the ends of their intervals.
  /// A claim holds if the whole interval is on the right side of the limit, and does not hold if
  /// the whole interval is on the wrong one.
  Verdict judge_by(const std::vector<Figure>& figures) const {
    const std::string& rule = the("holds_if");
    const auto chosen = [&](double Figure::*end) {
      std::vector<double> values;
      std::ranges::transform(figures, std::back_inserter(values), end);
      std::ranges::sort(values);
      const std::size_t n = values.size();
      return rule.starts_with("largest")  ? values[n - 1]
             : rule.starts_with("median") ? (values[(n - 1) / 2] + values[n / 2]) / 2
                                          : values[0];
    };
    const Figure figure = {chosen(&Figure::low), chosen(&Figure::value), chosen(&Figure::high)};
    const double limit = parse_number<double>(halves(condition(), ' ').second).value();
    const bool below = condition().starts_with("<");
    const bool holds = below ? figure.high < limit : figure.low > limit;
    const bool fails = below ? figure.low >= limit : figure.high <= limit;
    std::string over;
    if (!the("against").empty()) {
      over = fmt::format(
          " over that of {} at {}", the("against"),
          the(the("against_at").empty() ? "at" : "against_at"));
    }
    return {
        holds   ? "holds"
        : fails ? "does not hold"
                : "not shown",
        fmt::format(
            "{} of {} at {} in {}{}{}: {}", the("column"), the("kernel"), the("at"), the("file"),
            over, the("against_file").empty() ? "" : " in " + the("against_file"), rule),
        fmt::format("{:.{}f}", figure.value, figure.value < 10 ? 3 : 0), figure};
  }

  std::size_t row_;
  Words folders_;
};

/// All claims, judged by these folders.
std::vector<Claim> claims_by(const Words& folders) {
  std::vector<Claim> list;
  for (std::size_t row = 0; row < claims().size(); row++) {
    list.emplace_back(row, folders);
  }
  if (std::ranges::none_of(list, &Claim::has_file)) {
    fail("{}: no CSV that a claim is about", fmt::join(folders, ","));
  }
  return list;
}

}  // namespace

std::string claims_markdown(const Words& devices) {
  Table table{{"", "claim", "published", "holds if"}, {}};
  std::vector<std::vector<Claim>> columns;
  for (const std::string& device : devices) {
    const auto [label, folders] = halves(device);
    table.heads.insert(table.heads.end(), {label, ""});
    columns.push_back(claims_by(split("plots/" + replaced(folders, ",", ",plots/"), ',')));
  }
  std::string source;
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim& claim = columns.at(0)[row];
    if (claim.the("source") != source) {
      source = claim.the("source");
      table.rows.emplace_back(table.heads.size())[1] = "**" + source + "**";
    }
    table.rows.push_back(
        {claim.the("id"), claim.the("statement"), claim.the("published"), claim.the("holds_if")});
    for (const auto& column : columns) {
      const Verdict verdict = column[row].judge();
      const bool explain = verdict.word == "not measurable here" && !claim.the("file").empty();
      table.rows.back().push_back(verdict.measured);
      table.rows.back().push_back(verdict.word + (explain ? ": " + verdict.basis : ""));
    }
  }
  return table.markdown();
}

std::string claims_text(const std::string& results) {
  Table table{{"", "", "here", "holds if", "verdict"}, {}};
  std::map<std::string, int> tally;
  for (const Claim& claim : claims_by({results})) {
    const Verdict verdict = claim.judge();
    tally[verdict.word]++;
    if (!verdict.measured.empty()) {
      table.rows.push_back(
          {claim.the("id"), claim.the("statement"), verdict.measured, claim.condition(),
           verdict.word});
    }
  }
  return table.aligned() +
         fmt::format(
             "{} hold, {} do not, {} are not shown by these intervals.\n"
             "Not measured: {} (./tutorial run --all measures more). Not measurable here: {}.\n",
             tally["holds"], tally["does not hold"], tally["not shown"], tally["not measured"],
             tally["not measurable here"]);
}

std::string claims_csv(const std::string& results) {
  std::string text = "id,statement,source,device,year,published,measured,low,high,verdict,basis\n";
  for (const Claim& claim : claims_by({results})) {
    const Verdict verdict = claim.judge();
    Words fields;
    for (const char* column : {"id", "statement", "source", "device", "year", "published"}) {
      fields.push_back(claim.the(column));
    }
    for (const double end : {verdict.figure.value, verdict.figure.low, verdict.figure.high}) {
      fields.push_back(verdict.measured.empty() ? "" : fmt::format("{:.6g}", end));
    }
    fields.insert(fields.end(), {verdict.word, verdict.basis});
    text += csv_line(fields);
  }
  return text;
}

}  // namespace tutorial
