// Do the published claims hold on a device? The claims and their rules stand in
// plots/published/claims.csv, which also explains its columns. All figures are read from the CSVs of
// a results folder.
#include <algorithm>
#include <filesystem>
#include <map>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

const Csv& claims() {
  return csv_file("plots/published/claims.csv");
}

/// A figure and its 95 % interval.
struct Figure {
  double low, value, high;
};
Figure operator/(const Figure& a, const Figure& b) {
  return {a.low / b.high, a.value / b.value, a.high / b.low};
}

// --- Data -------------------------------------------------------------------------------------------

/// The rows of a CSV by kernel and size; a size is `filter_width=7`, for example.
struct Data {
  const Csv* csv = nullptr;
  std::map<std::pair<std::string, std::string>, std::size_t> rows;
};

const Data& data_of(const std::string& path) {
  static std::map<std::string, Data> files;
  Data& data = files[path];
  if (data.csv == nullptr) {
    data.csv = &csv_file(path);
    for (std::size_t row = 0; row < data.csv->size(); row++) {
      // The work-group experiments are two sweeps: of the group's size and of the number of items.
      const std::string experiment =
          data.csv->has("experiment") ? data.csv->text(row, "experiment") : "";
      const std::string size = experiment == "group"    ? "work_group"
                               : experiment == "global" ? "items"
                                                        : "filter_width";
      const std::string& kernel = data.csv->text(row, "kernel");
      data.rows[{kernel, size + "=" + data.csv->text(row, size)}] = row;
    }
  }
  return data;
}

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
  Words list;
  for (const std::string& part : split(after(sizes, '='), '|')) {
    const Words range = split(part, ':');
    const int step = range.size() == 3 ? std::stoi(range[2]) : 1;
    const int last = std::stoi(range[range.size() == 1 ? 0 : 1]);
    for (int value = std::stoi(range[0]); value <= last; value += step) {
      list.push_back(fmt::format("{}={}", before(sizes, '='), value));
    }
  }
  return list;
}

// --- The verdict ------------------------------------------------------------------------------------

/// What keeps a claim from being judged.
struct NotMeasured {
  std::string why;
};

/// The figure in a row's column. A rate has the interval of the row's time, from the other end; a
/// file without intervals gives its figures as they are.
Figure figure_of(
    const Data& data, const std::string& kernel, const std::string& size,
    const std::string& column) {
  const auto found = data.rows.find({kernel, size});
  const auto number = [&](const std::string& name) {
    return data.csv->has(name) ? data.csv->number(found->second, name) : 0.0;
  };
  if (found == data.rows.end() || number(column) <= 0.0 || number("median_ms") <= 0.0) {
    throw NotMeasured{fmt::format("no row of {} at {}", kernel, size)};
  }
  const double value = number(column);
  const double time = number("median_ms");
  const double below = number("low_ms") > 0.0 ? number("low_ms") / time : 1.0;
  const double above = number("high_ms") > 0.0 ? number("high_ms") / time : 1.0;
  if (column == "gpixels_per_s") {
    return {value / above, value, value / below};
  }
  return {value * below, value, value * above};
}

/// The time of one kernel over that of another at the same size. The ladder is two programs with the
/// same baseline, Convolve, so there it is formed from the times relative to that.
Figure time_ratio(
    const Data& data, const std::string& kernel, const std::string& other,
    const std::string& size) {
  const bool is_ladder =
      data.csv->path().ends_with("/ladder.csv") && data.csv->has("relative_percent");
  const std::string column = is_ladder ? "relative_percent" : "median_ms";
  return figure_of(data, kernel, size, column) / figure_of(data, other, size, column);
}

struct Verdict {
  std::string word;
  std::string basis;     ///< how it was reached
  std::string measured;  ///< the figure as text; empty if there is none
  Figure figure{};
};

/// The judgement of one row of claims.csv.
class Claim {
 public:
  explicit Claim(std::size_t row) : row_(row) {}

  const std::string& the(const std::string& column) const { return claims().text(row_, column); }

  /// By the results in these folders, of which the first that has a file counts.
  Verdict judge(const Words& folders) const {
    if (the("file").empty()) {
      return {"not measurable here", the("holds_if"), "", {}};
    }
    const std::string path = first_file(folders, the("file"));
    const std::string kind = path.empty() ? "" : csv_file(path).head("device_type");
    if (!the("on").empty() && !kind.empty() && kind != the("on")) {
      return {"not measurable here", fmt::format("a claim about {}s", the("on")), "", {}};
    }
    try {
      return judge_by(figures(path, folders));
    } catch (const NotMeasured& missing) {
      const std::string basis = missing.why + ": ./tutorial run --all measures it";
      return {"not measured", basis, "", {}};
    }
  }

  /// The last two words of holds_if: `<` or `>`, and the limit.
  std::string condition() const {
    const Words words = split(the("holds_if"), ' ');
    return words.at(words.size() - 2) + " " + words.back();
  }

 private:
  Words measured_kernels(const Data& data, const std::string& column) const {
    Words kernels = split(the(column), '|');
    std::erase_if(kernels, [&](const std::string& kernel) {
      return !contains(distinct(*data.csv, "kernel"), kernel);
    });
    return kernels;
  }

  /// What the claim compares.
  std::vector<Figure> figures(const std::string& path, const Words& folders) const {
    const std::string against_path =
        the("against_file").empty() ? path : first_file(folders, the("against_file"));
    if (path.empty() || against_path.empty()) {
      throw NotMeasured{"no " + (path.empty() ? the("file") : the("against_file"))};
    }
    const Data& data = data_of(path);
    const Data& against = data_of(against_path);
    const Words kernels = measured_kernels(data, "kernel");
    const Words others = measured_kernels(against, "against");
    if (kernels.empty() || (others.empty() && !the("against").empty())) {
      const std::string other = the("against").empty() ? "" : " or of " + the("against");
      throw NotMeasured{fmt::format("{}: no rows of {}{}", the("file"), the("kernel"), other)};
    }
    const std::string& column = the("column");
    const auto relative = [&](const Data& from, const std::string& kernel,
                              const std::string& size) {
      return column == "relative_percent" ? time_ratio(from, kernel, "Convolve", size)
                                          : figure_of(from, kernel, size, column);
    };
    std::vector<Figure> found;
    for (const std::string& kernel : kernels) {
      for (const std::string& size : expanded(the("at"))) {
        if (others.empty()) {
          found.push_back(relative(data, kernel, size));
        }
        for (const std::string& other : others) {
          const std::string sizes = the("against_at").empty() ? size : the("against_at");
          for (const std::string& other_size : expanded(sizes)) {
            const bool same = &data == &against && size == other_size && column == "median_ms";
            found.push_back(
                same ? time_ratio(data, kernel, other, size)
                     : relative(data, kernel, size) / relative(against, other, other_size));
          }
        }
      }
    }
    return found;
  }

  /// The largest, smallest or median of the figures counts, of the ends of their intervals too. A
  /// claim holds if the whole interval is on the right side of the limit, and does not hold if it is
  /// on the wrong one.
  Verdict judge_by(const std::vector<Figure>& figures) const {
    const Words rule = split(the("holds_if"), ' ');
    const auto chosen = [&](double Figure::*end) {
      std::vector<double> values;
      for (const Figure& figure : figures) {
        values.push_back(figure.*end);
      }
      std::ranges::sort(values);
      const std::size_t n = values.size();
      return rule[0] == "largest"  ? values[n - 1]
             : rule[0] == "median" ? (values[(n - 1) / 2] + values[n / 2]) / 2
                                   : values[0];
    };
    const Figure figure = {chosen(&Figure::low), chosen(&Figure::value), chosen(&Figure::high)};
    const double limit = parse_number<double>(rule.back()).value();
    const bool below = rule.at(rule.size() - 2) == "<";
    const bool holds = below ? figure.high < limit : figure.low > limit;
    const bool fails = below ? figure.low >= limit : figure.high <= limit;
    return {
        holds   ? "holds"
        : fails ? "does not hold"
                : "not shown",
        basis(), fmt::format("{:.{}f}", figure.value, figure.value < 10 ? 3 : 0), figure};
  }

  std::string basis() const {
    const std::string& other_size = the(the("against_at").empty() ? "at" : "against_at");
    std::string text =
        fmt::format("{} of {} at {} in {}", the("column"), the("kernel"), the("at"), the("file"));
    if (!the("against").empty()) {
      text += fmt::format(" over that of {} at {}", the("against"), other_size);
    }
    if (!the("against_file").empty()) {
      text += " in " + the("against_file");
    }
    return text + ": " + the("holds_if");
  }

  std::size_t row_;
};

/// All claims. Throws `Error` if none of the folders has a CSV that a claim is about.
std::vector<Claim> all_claims(const Words& folders) {
  std::vector<Claim> list;
  bool any = false;
  for (std::size_t row = 0; row < claims().size(); row++) {
    list.emplace_back(row);
    any = any ||
          (!list[row].the("file").empty() && !first_file(folders, list[row].the("file")).empty());
  }
  if (!any) {
    fail("{}: no CSV that a claim is about", fmt::join(folders, ","));
  }
  return list;
}

/// Of LABEL=FOLDER,... the folders, which are below plots/.
Words folders_of(const std::string& device) {
  Words folders = split(after(device, '='), ',');
  for (std::string& folder : folders) {
    folder = "plots/" + folder;
  }
  return folders;
}

}  // namespace

std::string claims_table(const Words& devices) {
  std::string text = "| | claim | published | holds if |";
  std::string rule = "|---|---|---|---|";
  for (const std::string& device : devices) {
    all_claims(folders_of(device));
    text += fmt::format(" {} | |", before(device, '='));
    rule += "---:|---|";
  }
  text += "\n" + rule + "\n";
  std::string source;
  for (std::size_t row = 0; row < claims().size(); row++) {
    const Claim claim(row);
    if (claim.the("source") != source) {
      source = claim.the("source");
      text += fmt::format("| | **{}** | | |", source);
      for (std::size_t i = 0; i < devices.size(); i++) {
        text += " | |";
      }
      text += "\n";
    }
    text += fmt::format(
        "| {} | {} | {} | {} |", claim.the("id"), claim.the("statement"), claim.the("published"),
        claim.the("holds_if"));
    for (const std::string& device : devices) {
      const Verdict verdict = claim.judge(folders_of(device));
      const bool explain = verdict.word == "not measurable here" && !claim.the("file").empty();
      text += fmt::format(
          " {} | {}{} |", verdict.measured, verdict.word, explain ? ": " + verdict.basis : "");
    }
    text += "\n";
  }
  return text;
}

std::string claims_text(const std::string& results, bool csv) {
  std::string text = fmt::format("{:<46} {:>6}  {:<8} {}\n", "", "here", "holds if", "verdict");
  std::string table = "id,statement,source,device,year,published,measured,low,high,verdict,basis\n";
  std::map<std::string, int> tally;
  std::string source;
  for (const Claim& claim : all_claims({results})) {
    const Verdict verdict = claim.judge({results});
    const auto [low, value, high] = verdict.figure;
    Words fields = {claim.the("id"),     claim.the("statement"), claim.the("source"),
                    claim.the("device"), claim.the("year"),      claim.the("published")};
    tally[verdict.word]++;
    if (verdict.measured.empty()) {
      fields.insert(fields.end(), {"", "", ""});
    } else {
      for (const double number : {value, low, high}) {
        fields.push_back(fmt::format("{:.6g}", number));
      }
      text += source == claim.the("source") ? "" : claim.the("source") + "\n";
      source = claim.the("source");
      text += fmt::format(
          "{:<5} {:<40} {:>6}  {:<8} {}\n", claim.the("id"), claim.the("statement"),
          verdict.measured, claim.condition(), verdict.word);
    }
    fields.insert(fields.end(), {verdict.word, verdict.basis});
    table += csv_line(fields);
  }
  const char* how = tally["not measured"] > 0 ? " (./tutorial run --all measures them)" : "";
  text += fmt::format(
      "{} hold, {} do not, {} are not shown by these intervals.\n"
      "Not measured: {}{}. Not measurable here: {}.\n",
      tally["holds"], tally["does not hold"], tally["not shown"], tally["not measured"], how,
      tally["not measurable here"]);
  return csv ? table : text;
}

}  // namespace tutorial
