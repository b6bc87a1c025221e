// Tables: those of the READMEs from CSVs of plots/ (readme.cpp explains their commands), and those
// of a ladder.
#include <algorithm>
#include <cmath>
#include <optional>

#include "tutorial/tutorial.hpp"

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
    Words cells = {heads[column]};
    for (const Words& row : rows) {
      cells.push_back(row[column]);
    }
    const std::size_t size = std::ranges::max(cells, {}, &std::string::size).size();
    for (std::size_t i = 0; i < lines.size(); i++) {
      lines[i] +=
          fmt::format(fmt::runtime(has_numbers(column) ? "{:>{}} " : "{:<{}} "), cells[i], size);
    }
  }
  return replaced(fmt::format("{}\n", fmt::join(lines, "\n")), " +\n", "\n");
}

std::string Table::complete() const {
  for (const Words& row : rows) {
    require(std::ranges::count(row, "-") + 1 != std::ssize(row), "no value for {}", row[0]);
  }
  for (std::size_t column = 0; column < heads.size(); column++) {
    const auto has_value = [&](auto& row) { return row[column] != "-"; };
    require(std::ranges::any_of(rows, has_value), "no value under '{}'", heads[column]);
  }
  return markdown();
}

namespace {

/// The field of a kernel at a filter width; empty if there is none.
std::string field(
    const Csv& csv, const std::string& kernel, const std::string& width,
    const std::string& column) {
  const auto rows = rows_of(csv, kernel, width);
  require(rows.size() <= 1, "{}: several rows of {} at width {}", csv.path, kernel, width);
  return rows.empty() || !csv.has(column) ? "" : csv.text(rows[0], column);
}

const Csv& plotted(const std::string& file) {
  return csv_file(file.starts_with('/') ? file : "plots/" + file);
}

/// With a `?` if the program that measured it could not vouch for it.
std::string marked(const std::string& number, bool sure, const Csv& csv) {
  return sure ? number : is_mostly_disturbed(csv) ? "-" : number + "?";
}

/// COLUMN[:DECIMALS][=HEAD]
struct TableColumn {
  std::string name, head;       ///< what a reader calls it
  std::optional<int> decimals;  ///< none: three significant digits

  explicit TableColumn(const std::string& text) {
    const Words parts = search(text, "^(\\w+)(:([0-9]))?(=(.+))?$");
    require(!parts.empty(), "'{}' is not COLUMN[:DECIMALS][=HEAD]", text);
    name = parts[1];
    decimals = parse_number<int>(parts[3]);
    head = !parts[5].empty() ? parts[5] : name == "median_ms" ? "ms" : replaced(name, "_", " ");
  }

  std::string number(const std::string& text) const {
    const std::optional<double> value = parse_number<double>(text);
    require(value && std::isfinite(*value), "'{}' is not a number", text);
    int places = 0;
    for (double size = std::abs(*value); size > 0 && size < 100 && places < 9; size *= 10) {
      places++;
    }
    return fmt::format("{:.{}f}", *value, decimals.value_or(places));
  }

  /// Of a kernel at a filter width; `-` if the file has none.
  std::string cell(const Csv& csv, const std::string& kernel, const std::string& width) const {
    const std::string text = field(csv, kernel, width, name);
    const std::string figure = name == "relative_percent" ? "relative"
                               : name == "x_floor"        ? "x_floor"
                                                          : "time";
    const bool unsure = contains(split(field(csv, kernel, width, "unsure"), ' '), figure);
    return text.empty() ? "-" : marked(number(text), !unsure, csv);
  }
};

/// `kernels`: the column of their names.
void add_column(
    Table& table, const std::string& head, const Csv& csv, const std::string& width,
    const TableColumn& column, std::size_t kernels = 0) {
  table.heads.push_back(head);
  for (Words& row : table.rows) {
    row.push_back(column.cell(csv, row[kernels], width));
  }
}

/// The fastest kernel, or what else is of a kind; empty if there is none.
std::string fastest(const Csv& csv, const std::string& width, const std::string& kind) {
  std::pair<double, std::string> found;
  for (const std::size_t row : rows_where(csv, {{"filter_width", width}, {"kind", kind}})) {
    found = std::max(found, {csv.number(row, "gpixels_per_s"), csv.text(row, "kernel")});
  }
  return found.second;
}

}  // namespace

// --- The commands of the READMEs -----------------------------------------------------------------

std::string kernel_table(const Words& words) {
  const TableColumn column(words[0]);
  const Csv& csv = plotted(words[2]);
  const Words widths = split(words[1], ',');
  Table table{joined({column.head + " at width"}, widths), {}};
  for (const std::string& kernel : Words(words.begin() + 4, words.end())) {
    table.rows.push_back({"`" + kernel + "`"});
    for (const std::string& width : widths) {
      table.rows.back().push_back(column.cell(csv, kernel, width));
    }
  }
  return table.complete();
}

std::string row_table(const Words& words) {
  const Csv& csv = plotted(words[0]);
  Values values;
  for (const std::string& value : words.size() > 2 ? split(words[1], ',') : Words{}) {
    const Words halves = search(value, "^(.*?)=(.*)$");
    require(!halves.empty(), "'{}' is not KEY=VALUE", value);
    values.emplace_back(halves[1], halves[2]);
  }
  Table table;
  std::vector<TableColumn> columns;
  for (const std::string& text : split(words.back(), ',')) {
    columns.emplace_back(text);
    table.heads.push_back(columns.back().head);
  }
  for (const std::size_t row : rows_where(csv, values)) {
    table.rows.emplace_back();
    for (const TableColumn& column : columns) {
      const std::string& text = csv.text(row, column.name);
      table.rows.back().push_back(
          text.empty()              ? "-"
          : column.decimals         ? column.number(text)
          : column.name == "kernel" ? "`" + text + "`"
                                    : text);
    }
  }
  return table.complete();
}

std::string two_digits(double value) {
  const auto digits = parse_number<double>(fmt::format("{:.2g}", value));
  return fmt::format("{:.{}f}", digits.value(), value < 9.95 ? 1 : 0);
}

std::optional<Statistics> ratio(
    const Csv& csv, const std::string& name, const std::string& other, const std::string& width) {
  const Measured* measured = measured_file(csv.path);
  return measured != nullptr ? measured->ratio(name, other, std::stoi(width)) : std::nullopt;
}

std::string figure(const Words& words) {
  if (words.size() == 2 && words[0].ends_with("_version")) {
    const std::string version = plotted("data/" + words[1]).head.of(words[0]);
    return version.empty() ? throw Error(words[1] + " has no such version") : version;
  }
  const TableColumn column(words[0]);
  if (words.size() == 2) {
    const std::string rate = plotted("data/" + words[1]).head.of(column.name);
    return column.number(std::to_string(1e-9 * parse_number<double>(rate).value_or(NAN)));
  }
  const bool is_percent = column.name == "percent", is_ratio = is_percent || column.name == "times";
  require(words.size() == (is_ratio ? 5 : 4), "`{}` is no figure", fmt::join(words, " "));
  const Csv& csv = plotted("data/" + words[1]);
  if (!is_ratio) {
    const std::string text = column.cell(csv, words[3], words[2]);
    return text != "-" ? text : throw Error(csv.path + " has no such row");
  }
  const auto found = ratio(csv, words[3], words[4], words[2]);
  const double value = (is_percent ? 100 : 1) *
                       (found ? found->median : throw Error(csv.path + " has no such pair"));
  return column.decimals ? column.number(std::to_string(value)) : two_digits(value);
}

std::map<int, std::pair<double, std::string>> fastest_of_steps(
    const Csv& ladder, const std::string& width) {
  std::map<int, std::pair<double, std::string>> found;
  for (const std::size_t row : rows_where(ladder, {{"filter_width", width}, {"kind", "kernel"}})) {
    const std::string& kernel = ladder.text(row, "kernel");
    if (const auto step = parse_number<int>(listed("kernel", kernel, "step"))) {
      found[*step] = std::max(found[*step], {ladder.number(row, "gpixels_per_s"), kernel});
    }
  }
  return found;
}

void require_comparison(const std::string& text) {
  const Words parts = search(text, "^(\\S+) (\\S+) ([<>=]) (\\S+) at (\\S+)$");
  require(!parts.empty(), "'{}' is not FILE A < B at WIDTHS", text);
  for (const std::string& width : numbers_of(parts[5])) {
    const auto of = ratio(plotted(parts[1]), parts[2], parts[4], width);
    require(
        of.has_value(), "{} has no rounds of {} and {} at {}", parts[1], parts[2], parts[4], width);
    const std::string is = no_difference(*of) ? "=" : of->median < 1.0 ? "<" : ">";
    require(
        is == parts[3] && of->sure, "does not hold at {}: {} is {:.3f} ({:.3f} to {:.3f}) of {}{}",
        width, parts[2], of->median, of->low, of->high, parts[4], of->sure ? "" : ", not sure");
  }
}

// --- Of a ladder ---------------------------------------------------------------------------------

std::string rate_width(const Csv& ladder) {
  const Words widths = distinct(ladder, "filter_width");
  return contains(widths, "7") || widths.empty() ? "7" : widths[0];
}

std::string gain(const Csv& ladder) {
  const std::string width = rate_width(ladder);
  const std::string kernel = fastest(ladder, width, "kernel");
  const auto times = ratio(ladder, "Convolve", kernel, width);
  if (!times || is_mostly_disturbed(ladder)) {
    return "";
  }
  const auto cell = [&](const std::string& of, const char* column) {
    return replaced(TableColumn(column).cell(ladder, of, width), "(.*)[?]", "about $1");
  };
  const double floors = parse_number<double>(field(ladder, kernel, width, "x_floor")).value_or(0.0);
  return fmt::format(
      "On this device the ladder makes a filter of {0} x {0} taps {1} times as fast: from {2} "
      "Gpixel/s with `Convolve`, the first kernel, to {3} with `{4}`.{5}\n\n",
      width, two_digits(times->median), cell("Convolve", "gpixels_per_s"),
      cell(kernel, "gpixels_per_s"), kernel,
      floors <= 0.0
          ? ""
          : fmt::format(
                " That is about {:.0f} % of what the device can do with one multiply-add per tap.",
                100.0 / floors));
}

Table ladder_table(const Csv& ladder) {
  Table table{{"% of Convolve at"}, {}};
  for (const std::string& kernel : in_ladders_order(ladder)) {
    table.rows.push_back({kernel});
  }
  const Words widths = distinct(ladder, "filter_width");
  for (std::size_t i = 0; i < widths.size(); i += std::max<std::size_t>(widths.size() / 5, 1)) {
    add_column(table, widths[i], ladder, widths[i], TableColumn("relative_percent"));
  }
  add_column(table, "Gpixel/s", ladder, rate_width(ladder), TableColumn("gpixels_per_s"));
  add_column(table, "x floor", ladder, rate_width(ladder), TableColumn("x_floor:2"));
  std::erase_if(
      table.rows, [](auto& row) { return std::ranges::count(row, "-") + 1 == std::ssize(row); });
  return table;
}

Table step_table(const Csv& ladder, const Csv* other, const Csv* peers) {
  const std::string width = rate_width(ladder);
  Table table{{"step", "kernel"}, {}};
  for (const auto& [step, rated] : fastest_of_steps(ladder, width)) {
    table.rows.push_back({std::to_string(step), rated.second});
  }
  const auto add = [&](const char* head, const Csv& csv, const char* column) {
    add_column(table, head, csv, width, TableColumn(column), 1);
  };
  const auto add_times = [&](const char* head, const Csv& csv, const std::string& slower) {
    table.heads.emplace_back(head);
    for (Words& row : table.rows) {
      const auto times = ratio(csv, slower, row[1], width);
      row.push_back(times ? marked(two_digits(times->median), times->sure, csv) : "-");
    }
  };
  add("Gpixel/s", ladder, "gpixels_per_s");
  add_times("x naive", ladder, "Convolve");
  if (ladder.head.of("device_type") == "CPU") {
    add_times("x good C++", ladder, "OpenMP_Columns");
  }
  if (const std::string best = peers ? fastest(*peers, width, "library") : ""; !best.empty()) {
    add_times("x best library", *peers, best);
  }
  add("x floor", ladder, "x_floor:1");
  if (other != nullptr) {
    add("there, Gpixel/s", *other, "gpixels_per_s");
    add("there, x floor", *other, "x_floor:1");
  }
  return table;
}

bool is_mostly_disturbed(const Csv& csv) {
  double rounds = 0.0, left_out = 0.0;
  for (std::size_t row = 0; csv.has("left_out") && row < csv.size(); row++) {
    rounds += csv.number(row, "rounds");
    left_out += csv.number(row, "left_out");
  }
  return 2.0 * left_out > rounds;
}

}  // namespace tutorial
