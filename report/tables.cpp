// Tables, and those of the READMEs from CSVs of plots/; readme.cpp explains their commands.
#include <algorithm>
#include <cmath>
#include <optional>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {

std::string Table::markdown() const {
  std::string rule = "|";
  for (std::size_t column = 0; column < heads.size(); column++) {
    const bool numbers = std::ranges::all_of(
        rows, [&](auto& row) { return !search(row[column], "^(-|-?[0-9.]+)$").empty(); });
    rule += numbers ? "---:|" : "---|";
  }
  std::string text = fmt::format("| {} |\n{}\n", fmt::join(heads, " | "), rule);
  for (const Words& row : rows) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
  }
  return text;
}

std::string Table::aligned() const {
  std::vector<std::size_t> sizes(heads.size());
  std::vector<Words> lines = rows;
  lines.insert(lines.begin(), heads);
  for (const Words& line : lines) {
    for (std::size_t i = 0; i < line.size(); i++) {
      sizes[i] = std::max(sizes[i], line[i].size());
    }
  }
  std::string text;
  for (const Words& line : lines) {
    text += fmt::format("{:<{}}", line[0], sizes[0]);
    for (std::size_t i = 1; i < line.size(); i++) {
      text += fmt::format("  {:>{}}", line[i], sizes[i]);
    }
    text += '\n';
  }
  return text;
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

// --- Columns ---------------------------------------------------------------------------------------

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

// --- Measurements ----------------------------------------------------------------------------------

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
  if (!named.empty()) {
    return named;
  }
  Words kernels = distinct(csv_file("kernels.csv"), "kernel");
  Words present;
  for (const Csv* csv : files) {
    for (std::size_t row = 0; row < csv->size(); row++) {
      const std::string& kernel = csv->text(row, "kernel");
      if (contains(widths, csv->text(row, "filter_width")) && !contains(present, kernel)) {
        present.push_back(kernel);
        contains(kernels, kernel) ? void() : kernels.push_back(kernel);
      }
    }
  }
  std::erase_if(kernels, [&](auto& kernel) { return !contains(present, kernel); });
  return kernels;
}

// --- The commands ----------------------------------------------------------------------------------

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
  std::vector<std::pair<std::string, Words>> keys;
  for (const std::string& key : words.size() == 4 ? split(words[2], ',') : Words{}) {
    keys.emplace_back(halves(key).first, split(halves(key).second, '|'));
    for (const std::string& value : keys.back().second) {
      if (!contains(distinct(csv, keys.back().first), value)) {
        fail("{}: no row with {}={}", csv.path(), keys.back().first, value);
      }
    }
  }
  for (std::size_t row = 0; row < csv.size(); row++) {
    if (std::ranges::any_of(
            keys, [&](auto& key) { return !contains(key.second, csv.text(row, key.first)); })) {
      continue;
    }
    table.rows.emplace_back();
    for (const Column& column : columns) {
      const std::string& text = csv.text(row, column.name);
      table.rows.back().push_back(
          text.empty()              ? "-"
          : column.decimals         ? column.number(text)
          : column.name == "kernel" ? "`" + text + "`"
                                    : text);
    }
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
