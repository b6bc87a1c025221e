// Tables, and those of the READMEs from CSVs of plots/; readme.cpp explains their commands.
#include <algorithm>
#include <cmath>
#include <optional>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {

bool Table::has_numbers(std::size_t column) const {
  return std::ranges::all_of(
      rows, [&](auto& row) { return !search(row[column], "^(-?[0-9.]*)$").empty(); });
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

Table filled(
    const std::string& head, const Words& labels, const Words& heads,
    const std::function<std::string(std::size_t row, std::size_t column)>& cell) {
  Table table{{head}, {}};
  table.heads.insert(table.heads.end(), heads.begin(), heads.end());
  for (std::size_t row = 0; row < labels.size(); row++) {
    table.rows.push_back({labels[row]});
    for (std::size_t column = 0; column < heads.size(); column++) {
      table.rows.back().push_back(cell(row, column));
    }
  }
  return table;
}

std::string escaped(const std::string& text) {
  return replaced(text, R"([\\`*_<>|~$&\[\]])", R"(\$&)");
}

Words quoted(Words kernels) {
  for (std::string& kernel : kernels) {
    kernel = "`" + kernel + "`";
  }
  return kernels;
}

namespace {

const Csv& plotted(const std::string& file) {
  return csv_file("plots/" + file);
}

Words quoted(const Words& kernels) {
  Words labels;
  for (const std::string& kernel : kernels) {
    labels.push_back("`" + kernel + "`");
  }
  return labels;
}

// --- Columns -------------------------------------------------------------------------------------

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
    if (name == "relative_percent" && head.empty()) {
      for (std::size_t row = 0; row < csv.size(); row++) {
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

std::vector<Column> columns_of(const std::string& list) {
  const Words columns = split(list, ',');
  return {columns.begin(), columns.end()};
}

// --- Measurements --------------------------------------------------------------------------------

/// The field of a kernel at a filter width; `-` if the file has none.
std::string measured(
    const Csv& csv, const std::string& kernel, const std::string& width, const Column& column) {
  const auto rows = rows_where(csv, {{"kernel", kernel}, {"filter_width", width}});
  if (rows.size() > 1) {
    fail("{}: several rows of {} at width {}", csv.path(), kernel, width);
  }
  const std::string text = rows.empty() ? "" : csv.text(rows[0], column.name);
  return text.empty() ? "-" : column.number(text);
}

/// Those that are named; if none is, those that the files have at these widths: in the order of
/// kernels.csv, others after them.
Words kernels_of(const std::vector<const Csv*>& files, const Words& widths, const Words& named) {
  Words kernels = distinct(csv_file("kernels.csv"), "kernel");
  Words present;
  for (const Csv* csv : files) {
    const Words more = distinct(*csv, "kernel");
    kernels.insert(kernels.end(), more.begin(), more.end());
    for (const std::string& width : widths) {
      for (const std::size_t row : rows_where(*csv, {{"filter_width", width}})) {
        present.push_back(csv->text(row, "kernel"));
      }
    }
  }
  Words found;
  for (const std::string& kernel : kernels) {
    if (contains(present, kernel) && !contains(found, kernel)) {
      found.push_back(kernel);
    }
  }
  return named.empty() ? found : named;
}

// --- The commands --------------------------------------------------------------------------------

// table CSV COLUMN WIDTHS [KERNEL...]
Table table(const Words& words) {
  const Csv& csv = plotted(words[1]);
  const Column column(words[2]);
  const Words widths = words[3] == "all" ? distinct(csv, "filter_width") : split(words[3], ',');
  const Words kernels = kernels_of({&csv}, widths, {words.begin() + 4, words.end()});
  return filled(column.head_in(csv) + " at width", quoted(kernels), widths, [&](auto row, auto i) {
    return measured(csv, kernels[row], widths[i], column);
  });
}

// widths KERNEL COLUMN WIDTHS LABEL=CSV...
Table widths(const Words& words) {
  const Column column(words[2]);
  const Words widths = split(words[3], ',');
  Words labels;
  std::vector<const Csv*> files;
  for (auto word = words.begin() + 4; word != words.end(); ++word) {
    labels.push_back(halves(*word).first);
    files.push_back(&plotted(halves(*word).second));
  }
  return filled(column.head_in(*files[0]) + " at width", labels, widths, [&](auto row, auto i) {
    return measured(*files[row], words[1], widths[i], column);
  });
}

// compare WIDTH COLUMN,... LABEL=CSV... [-- KERNEL...]
Table compare(const Words& words) {
  const std::vector<Column> columns = columns_of(words[2]);
  Words heads;
  std::vector<const Csv*> files;
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin() + 3; word != end; ++word) {
    files.push_back(&plotted(halves(*word).second));
    for (const Column& column : columns) {
      heads.push_back(halves(*word).first + ", " + column.head_in(*files.back()));
    }
  }
  const Words named(end == words.end() ? end : end + 1, words.end());
  const Words kernels = kernels_of(files, {words[1]}, named);
  return filled("kernel", quoted(kernels), heads, [&](auto row, auto i) {
    const Csv& csv = *files[i / columns.size()];
    return measured(csv, kernels[row], words[1], columns[i % columns.size()]);
  });
}

// rows CSV [KEY=VALUE,...] COLUMN,...
Table rows(const Words& words) {
  const Csv& csv = plotted(words[1]);
  const std::vector<Column> columns = columns_of(words.back());
  Table table;
  for (const Column& column : columns) {
    table.heads.push_back(column.head_in(csv));
  }
  const Words keys = words.size() == 4 ? split(words[2], ',') : Words{};
  for (const std::string& key : keys) {
    for (const std::string& value : split(halves(key).second, '|')) {
      if (rows_where(csv, {{halves(key).first, value}}).empty()) {
        fail("{}: no row with {}={}", csv.path(), halves(key).first, value);
      }
    }
  }
  for (std::size_t row = 0; row < csv.size(); row++) {
    const bool chosen = std::ranges::all_of(keys, [&](auto& key) {
      return contains(split(halves(key).second, '|'), csv.text(row, halves(key).first));
    });
    Words cells;
    for (const Column& column : chosen ? columns : std::vector<Column>{}) {
      const std::string& text = csv.text(row, column.name);
      cells.push_back(
          text.empty()              ? "-"
          : column.decimals         ? column.number(text)
          : column.name == "kernel" ? "`" + text + "`"
                                    : text);
    }
    chosen ? table.rows.push_back(cells) : void();
  }
  if (table.rows.empty()) {
    fail("{}: no row with {}", csv.path(), words[2]);
  }
  return table;
}

}  // namespace

std::string readme_table(const Words& command) {
  const std::string& verb = command[0];
  const std::size_t size = command.size();
  const Table made = verb == "table" && size >= 4                 ? table(command)
                     : verb == "compare" && size >= 4             ? compare(command)
                     : verb == "widths" && size >= 5              ? widths(command)
                     : verb == "rows" && (size == 3 || size == 4) ? rows(command)
                                                                  : Table{};
  if (made.heads.empty()) {
    fail("'{}' is not a command with its arguments", fmt::join(command, " "));
  }
  for (const Words& row : made.rows) {
    if (verb != "rows" && std::ranges::count(row, "-") + 1 == std::ssize(row)) {
      fail("no value for {}", row[0]);
    }
  }
  for (std::size_t column = 0; column < made.heads.size(); column++) {
    if (std::ranges::all_of(made.rows, [&](auto& row) { return row[column] == "-"; })) {
      fail("no value under '{}'", made.heads[column]);
    }
  }
  return made.markdown();
}

}  // namespace tutorial
