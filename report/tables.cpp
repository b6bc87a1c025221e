// The tables of the READMEs, from CSVs of plots/; readme.cpp explains their commands.
#include <algorithm>
#include <cmath>
#include <optional>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

const Csv& plotted(const std::string& file) {
  return csv_file("plots/" + file);
}

// --- Columns ---------------------------------------------------------------------------------------

/// COLUMN[:DECIMALS][=HEAD]
struct Column {
  std::string name;
  std::optional<int> decimals;  ///< none: three significant digits
  std::string head;             ///< what a reader calls it; empty: by its name

  explicit Column(const std::string& text) {
    const Words match = matched(text, "(\\w+)(:([0-9]))?(=(.+))?");
    if (match.empty()) {
      fail("'{}' is not COLUMN[:DECIMALS][=HEAD]", text);
    }
    name = match[1];
    decimals = parse_number<int>(match[3]);
    head = match[5];
  }

  std::string head_in(const Csv& csv) const {
    if (!head.empty()) {
      return head;
    }
    if (name == "relative_percent") {
      return fmt::format("% of `{}`", baseline(csv));
    }
    const std::map<std::string, std::string> heads = {
        {"gpixels_per_s", "Gpixel/s"}, {"median_ms", "ms"}, {"work_group", "work-group"}};
    const auto known = heads.find(name);
    return known != heads.end() ? known->second : replaced(name, "_", " ");
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

 private:
  /// The first kernel that takes 100 %.
  static std::string baseline(const Csv& csv) {
    for (std::size_t row = 0; row < csv.size(); row++) {
      if (csv.number(row, "relative_percent") == 100.0) {
        return csv.text(row, "kernel");
      }
    }
    return "Convolve";
  }
};

std::vector<Column> columns_of(const std::string& list) {
  std::vector<Column> columns;
  for (const std::string& column : split(list, ',')) {
    columns.emplace_back(column);
  }
  return columns;
}

// --- Measurements ----------------------------------------------------------------------------------

/// The field of a kernel at a filter width; `-` if the file has none.
std::string measured(
    const Csv& csv, const std::string& kernel, const std::string& width, const Column& column) {
  std::string text;
  for (std::size_t row = 0; row < csv.size(); row++) {
    if (csv.text(row, "kernel") == kernel && csv.text(row, "filter_width") == width) {
      if (!text.empty()) {
        fail("{}: several rows of {} at width {}", csv.path(), kernel, width);
      }
      text = csv.text(row, column.name);
    }
  }
  return text.empty() ? "-" : column.number(text);
}

/// Those that are named; if none is, those that the files have at these widths: in the order of
/// kernels.csv, others after them.
Words kernels_in(const std::vector<const Csv*>& files, const Words& widths, const Words& named) {
  if (!named.empty()) {
    return named;
  }
  Words listed = distinct(csv_file("kernels.csv"), "kernel");
  for (const Csv* csv : files) {
    for (const std::string& kernel : distinct(*csv, "kernel")) {
      if (!contains(listed, kernel)) {
        listed.push_back(kernel);
      }
    }
  }
  std::erase_if(listed, [&](const std::string& kernel) {
    return std::ranges::none_of(files, [&](const Csv* csv) {
      return std::ranges::any_of(widths, [&](const std::string& width) {
        return measured(*csv, kernel, width, Column("filter_width")) != "-";
      });
    });
  });
  return listed;
}

/// As Markdown. A row without a value is a mistake.
std::string markdown_of_measurements(const Table& table) {
  for (const Words& row : table.rows) {
    if (std::ranges::all_of(row.begin() + 1, row.end(), [](auto& cell) { return cell == "-"; })) {
      fail("no value for {}", row[0]);
    }
  }
  return table.markdown();
}

// --- The commands ----------------------------------------------------------------------------------

/// One row for each of these files and kernels, one column for each width.
struct Row {
  std::string label;
  const Csv* csv;
  std::string kernel;
};
std::string over_widths(const std::vector<Row>& rows, const Column& column, const Words& widths) {
  Table table{{column.head_in(*rows.at(0).csv) + " at width"}, {}};
  table.heads.insert(table.heads.end(), widths.begin(), widths.end());
  for (const auto& [label, csv, kernel] : rows) {
    Words cells = {label};
    for (const std::string& width : widths) {
      cells.push_back(measured(*csv, kernel, width, column));
    }
    table.rows.push_back(cells);
  }
  return markdown_of_measurements(table);
}

/// table CSV COLUMN WIDTHS [KERNEL...]
std::string table(const Words& words) {
  const Csv& csv = plotted(words[1]);
  const Words widths = words[3] == "all" ? distinct(csv, "filter_width") : split(words[3], ',');
  std::vector<Row> rows;
  for (const std::string& kernel : kernels_in({&csv}, widths, {words.begin() + 4, words.end()})) {
    rows.push_back({"`" + kernel + "`", &csv, kernel});
  }
  if (rows.empty()) {
    fail("{}: no value at width {}", csv.path(), words[3]);
  }
  return over_widths(rows, Column(words[2]), widths);
}

/// widths KERNEL COLUMN WIDTHS LABEL=CSV...
std::string widths(const Words& words) {
  std::vector<Row> rows;
  for (auto word = words.begin() + 4; word != words.end(); ++word) {
    rows.push_back({before(*word, '='), &plotted(after(*word, '=')), words[1]});
  }
  return over_widths(rows, Column(words[2]), split(words[3], ','));
}

/// compare WIDTH COLUMN,... LABEL=CSV... [-- KERNEL...]
std::string compare(const Words& words) {
  const std::vector<Column> columns = columns_of(words[2]);
  Table table{{"kernel"}, {}};
  std::vector<const Csv*> files;
  auto word = words.begin() + 3;
  for (; word != words.end() && *word != "--"; ++word) {
    files.push_back(&plotted(after(*word, '=')));
    for (const Column& column : columns) {
      table.heads.push_back(before(*word, '=') + ", " + column.head_in(*files.back()));
    }
  }
  const Words named(word == words.end() ? word : word + 1, words.end());
  for (const std::string& kernel : kernels_in(files, {words[1]}, named)) {
    Words cells = {"`" + kernel + "`"};
    for (const Csv* csv : files) {
      for (const Column& column : columns) {
        cells.push_back(measured(*csv, kernel, words[1], column));
      }
    }
    table.rows.push_back(cells);
  }
  return markdown_of_measurements(table);
}

/// rows CSV [KEY=VALUE,...] COLUMN,...
std::string rows(const Words& words) {
  const Csv& csv = plotted(words[1]);
  const Words keys = words.size() == 4 ? split(words[2], ',') : Words{};
  Table table;
  for (const Column& column : columns_of(words.back())) {
    table.heads.push_back(column.head_in(csv));
  }
  for (const std::string& key : keys) {
    for (const std::string& value : split(after(key, '='), '|')) {
      if (!contains(distinct(csv, before(key, '=')), value)) {
        fail("{}: no row with {}={}", csv.path(), before(key, '='), value);
      }
    }
  }
  for (std::size_t row = 0; row < csv.size(); row++) {
    const bool chosen = std::ranges::all_of(keys, [&](const std::string& key) {
      return contains(split(after(key, '='), '|'), csv.text(row, before(key, '=')));
    });
    Words cells;
    for (const Column& column : columns_of(words.back())) {
      const std::string& text = csv.text(row, column.name);
      cells.push_back(
          text.empty()                ? "-"
          : column.decimals && chosen ? column.number(text)
          : column.name == "kernel"   ? "`" + text + "`"
                                      : text);
    }
    if (chosen) {
      table.rows.push_back(cells);
    }
  }
  if (table.rows.empty()) {
    fail("{}: no row with {}", csv.path(), words[2]);
  }
  return table.markdown();
}

}  // namespace

std::string readme_table(const Words& command) {
  const std::string& verb = command[0];
  const std::size_t size = command.size();
  if (verb == "table" && size >= 4) {
    return table(command);
  } else if (verb == "compare" && size >= 4) {
    return compare(command);
  } else if (verb == "widths" && size >= 5) {
    return widths(command);
  } else if (verb == "rows" && (size == 3 || size == 4)) {
    return rows(command);
  }
  fail("'{}' is not a command with its arguments", fmt::join(command, " "));
}

std::string Table::markdown() const {
  std::string rule = "|";
  for (std::size_t column = 0; column < heads.size(); column++) {
    if (std::ranges::all_of(rows, [&](const Words& row) { return row[column] == "-"; })) {
      fail("no value under '{}'", heads[column]);
    }
    const bool numbers = std::ranges::all_of(
        rows, [&](const Words& row) { return !matched(row[column], "-|-?[0-9.]+").empty(); });
    rule += numbers ? "---:|" : "---|";
  }
  std::string text = fmt::format("| {} |\n{}\n", fmt::join(heads, " | "), rule);
  for (const Words& row : rows) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
  }
  return text;
}

}  // namespace tutorial
