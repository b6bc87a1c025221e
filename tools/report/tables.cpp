// Tables: those of the READMEs from CSVs of plots/ (readme.cpp explains their commands), and those
// of a ladder.
#include <algorithm>
#include <cmath>
#include <optional>

#include "report/report.hpp"

namespace tutorial {

bool Table::has_numbers(std::size_t column) const {
  return std::ranges::all_of(rows, [&](auto& row) {
    return !search(row[column], "^(-?[0-9.]*(e-[0-9]+)?[?]?)$").empty();
  });
}

std::string Table::markdown() const {
  std::string text;
  const auto add = [&](const Words& cells) {
    for (const std::string& cell : cells) {
      text += cell.empty() ? "| " : "| " + cell + " ";
    }
    text += "|\n";
  };
  add(heads);
  for (std::size_t column = 0; column < heads.size(); column++) {
    text += has_numbers(column) ? "|---:" : "|---";
  }
  text += "|\n";
  std::ranges::for_each(rows, add);
  return text;
}

std::string Table::aligned() const {
  Words lines(rows.size() + 1);
  for (std::size_t column = 0; column < heads.size(); column++) {
    std::size_t size = heads[column].size();
    for (const Words& row : rows) {
      size = std::max(size, row[column].size());
    }
    for (std::size_t i = 0; i < lines.size(); i++) {
      const std::string& cell = i == 0 ? heads[column] : rows[i - 1][column];
      lines[i] += has_numbers(column) ? fmt::format("{:>{}} ", cell, size)
                                      : fmt::format("{:<{}} ", cell, size);
    }
  }
  return replaced(fmt::format("{}\n", fmt::join(lines, "\n")), " +\n", "\n");
}

std::string Table::complete() const {
  // What `run --all` measures may be to come.
  static const std::string planned = replaced(read_file("plots/measurements.csv"), "[\", ]", " ");
  for (const Words& row : rows) {
    const bool may_lack = planned.find(" " + replaced(row[0], "`", "") + " ") != std::string::npos;
    if (std::ranges::count(row, "-") + 1 == std::ssize(row) && !may_lack) {
      fail("no value for {}", row[0]);
    }
  }
  for (std::size_t column = 0; column < heads.size(); column++) {
    if (std::ranges::all_of(rows, [&](auto& row) { return row[column] == "-"; })) {
      fail("no value under '{}'", heads[column]);
    }
  }
  return markdown();
}

namespace {

const Csv& plotted(const std::string& file) {
  return csv_file(file.starts_with('/') ? file : "plots/" + file);
}

/// COLUMN[:DECIMALS][=HEAD]
struct Column {
  std::string name, head;
  std::optional<int> decimals;  ///< none: three significant digits

  explicit Column(const std::string& text) {
    const Words parts = search(text, "^(\\w+)(:([0-9]))?(=(.+))?$");
    if (parts.empty()) {
      fail("'{}' is not COLUMN[:DECIMALS][=HEAD]", text);
    }
    name = parts[1];
    decimals = parse_number<int>(parts[3]);
    head = parts[5];
  }

  /// What a reader calls it.
  std::string head_in(const Csv& csv) const {
    if (name == "relative_percent" && csv.has(name)) {
      for (std::size_t row = 0; row < csv.size(); ++row) {
        if (csv.number(row, name) == 100.0) {
          return "% of `" + csv.text(row, "kernel") + "`";
        }
      }
      return "% of `Convolve`";
    }
    return !head.empty()             ? head
           : name == "gpixels_per_s" ? "Gpixel/s"
           : name == "median_ms"     ? "ms"
           : name == "work_group"    ? "work-group"
                                     : replaced(name, "_", " ");
  }

  std::string number(const std::string& text) const {
    const std::optional<double> value = parse_number<double>(text);
    if (!value || !std::isfinite(*value)) {
      fail("'{}' is not a number", text);
    }
    int places = 0;
    for (double size = std::abs(*value); size > 0 && size < 100 && places < 9; size *= 10) {
      places++;
    }
    return fmt::format("{:.{}f}", *value, decimals.value_or(places));
  }
};

/// Where the cells of a table's column come from: each row is a kernel.
struct Source {
  std::string head;
  const Csv* csv;
  std::string width;
  Column column;

  /// The field of a kernel at the filter width; `-` if the file has none.
  std::string cell(const std::string& kernel) const {
    if (column.name == "times_the_best_library") {
      return times_the_best_library();
    }
    const auto rows = rows_where(*csv, {{"kernel", kernel}, {"filter_width", width}});
    if (rows.size() > 1) {
      fail("{}: several rows of {} at width {}", csv->path(), kernel, width);
    }
    const bool is_there = !rows.empty() && csv->has(column.name);
    const std::string text = is_there ? csv->text(rows[0], column.name) : "";
    return text.empty() ? "-" : column.number(text) + (is_unsure(rows[0]) ? "?" : "");
  }

  /// Whether the program could not vouch for the figure.
  bool is_unsure(std::size_t row) const {
    const std::string figure = column.name == "relative_percent" ? "relative"
                               : column.name == "x_floor"        ? "x_floor"
                                                                 : "time";
    return csv->has("unsure") && contains(split(csv->text(row, "unsure"), ' '), figure);
  }

  /// The rate of `Tuned` over that of the best library in the file; beside a library that the host
  /// timed on a GPU, that of `Tuned:host`.
  std::string times_the_best_library() const {
    const auto rate = [&](const std::string& kernel) {
      const auto rows = rows_where(*csv, {{"kernel", kernel}, {"filter_width", width}});
      return rows.empty() ? 0.0 : csv->number(rows[0], "gpixels_per_s");
    };
    double least = INFINITY;
    for (const std::size_t row : rows_where(*csv, {{"filter_width", width}})) {
      if (is_a(*csv, row, "library")) {
        const double host = csv->text(row, "clock") == "host" ? rate("Tuned:host") : 0.0;
        const double tuned = host > 0 ? host : rate("Tuned");
        least = std::min(least, tuned / csv->number(row, "gpixels_per_s"));
      }
    }
    return least > 0 && std::isfinite(least) ? fmt::format("{:.2f}", least) : "-";
  }
};

Table by_kernel(const std::string& head, const Words& kernels, const std::vector<Source>& sources) {
  Table table{{head}, {}};
  for (const std::string& kernel : kernels) {
    table.rows.push_back({kernel});
    for (const Source& source : sources) {
      table.rows.back().push_back(source.cell(kernel));
    }
  }
  std::ranges::transform(sources, std::back_inserter(table.heads), &Source::head);
  return table;
}

/// Those that are named; if none is, those that the files have at one of the widths: in the order
/// of kernels.csv, others after them.
Words kernels_of(const std::vector<Source>& sources, const Words& named) {
  Words kernels = distinct(csv_file("kernels.csv"), "kernel");
  for (const Source& source : sources) {
    for (const std::string& kernel : distinct(*source.csv, "kernel")) {
      contains(kernels, kernel) ? void() : kernels.push_back(kernel);
    }
  }
  std::erase_if(kernels, [&](auto& kernel) {
    return std::ranges::all_of(sources, [&](auto& source) { return source.cell(kernel) == "-"; });
  });
  return named.empty() ? kernels : named;
}

}  // namespace

// --- The commands of the READMEs -----------------------------------------------------------------

std::string kernel_table(const Words& words) {
  const auto end = std::ranges::find(words, "--");
  const Words named(end == words.end() ? end : end + 1, words.end());
  const Words widths = split(words[1], ',');
  Table table;
  std::string head;
  std::vector<Source> sources;
  for (auto word = words.begin() + 2; word != end; ++word) {
    const Words parts = search(*word, "^((.*)=)?(.*)$");
    const std::string& label = parts[2];
    const Csv& csv = plotted(parts[3]);
    const bool has_column = !label.empty() && widths.size() == 1;
    for (const std::string& text : split(words[0], ',')) {
      const Column column(text);
      head = has_column ? "kernel" : column.head_in(csv) + " at width";
      for (const std::string& width : widths) {
        const std::string above = has_column ? label + ", " + column.head_in(csv) : width;
        sources.push_back({above, &csv, width, column});
      }
    }
    if (!label.empty() && !has_column) {
      const Table of_csv = by_kernel(head, named, sources);
      table.heads = of_csv.heads;
      for (const Words& row : of_csv.rows) {
        table.rows.push_back(row);
        table.rows.back()[0] = label;
      }
      sources.clear();
    }
  }
  if (table.rows.empty()) {
    table = by_kernel(head, kernels_of(sources, named), sources);
    for (Words& row : table.rows) {
      row[0] = "`" + row[0] + "`";
    }
  }
  return table.complete();
}

std::string row_table(const Words& words) {
  const Csv& csv = plotted(words[0]);
  const Words keys = words.size() > 2 ? split(words[1], ',') : Words{};
  Table table;
  std::vector<Column> columns;
  for (const std::string& text : split(words.back(), ',')) {
    columns.emplace_back(text);
    table.heads.push_back(columns.back().head_in(csv));
  }
  for (std::size_t row = 0; row < csv.size(); row++) {
    const bool chosen = std::ranges::all_of(keys, [&](auto& key) {
      return contains(split(halves(key).second, '|'), csv.text(row, halves(key).first));
    });
    Words cells;
    for (const Column& column : columns) {
      const std::string& text = csv.text(row, column.name);
      cells.push_back(
          text.empty()              ? "-"
          : column.decimals         ? column.number(text)
          : column.name == "kernel" ? "`" + text + "`"
                                    : text);
    }
    if (chosen) {
      table.rows.push_back(cells);
    }
  }
  return table.complete();
}

namespace {

/// As one says it: 1.9, 26, 410.
std::string two_digits(double value) {
  const double unit = value < 100 ? 1 : std::pow(10, std::floor(std::log10(value)) - 1);
  return fmt::format(
      "{:.{}f}", value < 9.95 ? value : unit * std::round(value / unit), value < 9.95 ? 1 : 0);
}

}  // namespace

std::string figure(const Words& words) {
  const Column column(words[0]);
  const bool is_times = column.name == "times", is_percent = column.name == "percent";
  if (words.size() != (is_times || is_percent ? 5 : 4)) {
    fail("`{}` is no figure", fmt::join(words, " "));
  }
  const Csv& csv = plotted("data/" + words[1]);
  if (is_times || is_percent) {
    const double value = (is_times ? 1 : 100) * ratio(csv, words[3], words[4], words[2]);
    return column.decimals ? column.number(std::to_string(value)) : two_digits(value);
  }
  if (words[3].find('+') != std::string::npos) {
    return column.number(std::to_string(time_ms(csv, words[3], words[2])));
  }
  const std::string text = Source{"", &csv, words[2], column}.cell(words[3]);
  return text != "-" ? text : throw Error(csv.path() + " has no such row");
}

std::map<int, std::string> fastest_of_steps(const Csv& ladder, const std::string& width) {
  const Csv& list = csv_file("kernels.csv");
  std::map<int, std::string> fastest;
  std::map<int, double> rates;
  for (const std::size_t row : rows_where(ladder, {{"filter_width", width}})) {
    const auto listed = rows_where(list, {{"kernel", ladder.text(row, "kernel")}});
    const auto step = parse_number<int>(listed.empty() ? "" : list.text(listed[0], "step"));
    const double rate = ladder.number(row, "gpixels_per_s");
    if (step && rate > rates[*step] && is_a(ladder, row, "kernel")) {
      rates[*step] = rate;
      fastest[*step] = ladder.text(row, "kernel");
    }
  }
  return fastest;
}

std::string score(const Words& words) {
  const int step = parse_number<int>(words[0]).value_or(0);
  const std::string width = words.size() > 1 ? words[1] : "7";
  Table table{
      {fmt::format("fastest so far, {0} x {0}", width), "before this step", "after it"}, {}};
  for (const auto& [device, folder] : {std::pair("CPU", "pocl-epyc"), std::pair("GPU", "h200")}) {
    const auto table_of = [&](std::size_t word) -> const Csv& {
      return plotted(
          fmt::format("data/{}/{}.csv", folder, words.size() > word ? words[word] : "ladder"));
    };
    const auto text_of = [&](const Csv& csv, const std::string& kernel) {
      const auto cell = [&](const char* column) {
        return Source{"", &csv, width, Column(column)}.cell(kernel);
      };
      return fmt::format(
          "`{}`: {} Gpixel/s, {} x floor", kernel, cell("gpixels_per_s"), cell("x_floor:1"));
    };
    const Csv& ladder = table_of(2);
    double rate = 0.0;
    std::string before = "-", after = "-";
    for (const auto& [of_step, kernel] : fastest_of_steps(ladder, width)) {
      if (kernel == "Tuned" && of_step != step && words.size() < 4) {
        continue;  // the search may have found a kernel of a later step
      }
      const auto row = rows_where(ladder, {{"kernel", kernel}, {"filter_width", width}})[0];
      if (of_step <= step && ladder.number(row, "gpixels_per_s") > rate) {
        rate = ladder.number(row, "gpixels_per_s");
        after = text_of(ladder, kernel);
      }
      before = of_step < step ? after : before;
    }
    if (words.size() > 3) {
      after = text_of(table_of(3), fastest_of_steps(table_of(3), width).at(step));
    }
    table.rows.push_back({device, before, after == before ? "the same" : after});
  }
  return table.markdown();
}

// --- Of a ladder ---------------------------------------------------------------------------------

namespace {

/// At most five of the filter widths, spread evenly.
Words some_widths(const Csv& ladder) {
  const Words widths = distinct(ladder, "filter_width");
  const std::size_t count = std::min<std::size_t>(widths.size(), 5);
  Words some;
  for (std::size_t i = 0; i < count; i++) {
    some.push_back(widths[i * (widths.size() - 1) / std::max<std::size_t>(count - 1, 1)]);
  }
  return some;
}

}  // namespace

std::string rate_width(const Csv& ladder) {
  const Words widths = distinct(ladder, "filter_width");
  return contains(widths, "7") || widths.empty() ? "7" : widths[0];
}

std::string gain(const Csv& ladder) {
  const std::string width = rate_width(ladder);
  const auto of_steps = fastest_of_steps(ladder, width);
  if (of_steps.empty() || of_steps.begin()->second != "Convolve") {
    return "";
  }
  const auto cell = [&](const std::string& kernel, const char* column) {
    return Source{"", &ladder, width, Column(column)}.cell(kernel);
  };
  const auto is_slower = [&](auto& a, auto& b) {
    return ratio(ladder, a.second, b.second, width) > 1.0;
  };
  const std::string fastest = std::ranges::max_element(of_steps, is_slower)->second;
  const std::string floors = cell(fastest, "x_floor:4");
  const double share = 1.0 / parse_number<double>(floors).value_or(INFINITY);
  return fmt::format(
      "On this device the ladder makes a filter of {0} x {0} taps {1} times as fast: from {2} "
      "Gpixel/s with `Convolve`, the first kernel, to {3} with `{4}`.{5}\n\n",
      width, two_digits(ratio(ladder, "Convolve", fastest, width)),
      cell("Convolve", "gpixels_per_s"), cell(fastest, "gpixels_per_s"), fastest,
      share <= 0.0 ? ""
      : share <= 1.0
          ? fmt::format(
                " That is {:.0f} % of what the device can do with one multiply-add per tap.",
                100.0 * share)
          : fmt::format(
                " With one multiply-add per tap the device could do at most {} of that.",
                two_digits(1.0 / share)));
}

Table ladder_table(const Csv& ladder) {
  std::vector<Source> sources;
  for (const std::string& width : some_widths(ladder)) {
    sources.push_back({width, &ladder, width, Column("relative_percent")});
  }
  sources.push_back({"Gpixel/s", &ladder, rate_width(ladder), Column("gpixels_per_s")});
  sources.push_back({"x floor", &ladder, rate_width(ladder), Column("x_floor:2")});
  return by_kernel("% of Convolve at", kernels_of(sources, {}), sources);
}

Table comparison(const Csv& here, const Csv& there) {
  const std::string width = rate_width(here);
  std::vector<Source> sources;
  for (const char* column : {"gpixels_per_s", "x_floor:1"}) {
    const std::string head = Column(column).head_in(here);
    sources.push_back({"here, " + head, &here, width, Column(column)});
    sources.push_back({"there, " + head, &there, width, Column(column)});
  }
  Words kernels;
  for (const auto& [step, kernel] : fastest_of_steps(here, width)) {
    kernels.push_back(kernel);
  }
  return by_kernel("fastest of its step", kernels, sources);
}

Table at_widths(const Csv& here, const Csv& there) {
  std::vector<Source> sources;
  for (const std::string& width : some_widths(here)) {
    sources.push_back({width + " here", &here, width, Column("relative_percent")});
    sources.push_back({width + " there", &there, width, Column("relative_percent")});
  }
  return by_kernel("% of Convolve at", distinct(here, "kernel"), sources);
}

}  // namespace tutorial
