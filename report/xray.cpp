// What xray/ recorded, as a table, a CSV and pictures.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>
#include <sstream>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

// --- Pictures ------------------------------------------------------------------------------------

/// What is loaded, by the number of the word of 4 bytes in memory: in which order, or how often.
using Cells = std::map<std::int64_t, int>;

/// From light to dark, `share` 0 to 1; the colours of viridis, which the colour-blind can tell
/// apart.
std::string colour(double share) {
  constexpr int stops[][3] = {
      {253, 231, 37}, {94, 201, 98}, {33, 145, 140}, {59, 82, 139}, {68, 1, 84}};
  const int i = std::min(static_cast<int>(4 * share), 3);
  const auto mixed = [&](int channel) {
    const int from = stops[i][channel];
    return static_cast<int>(from + (stops[i + 1][channel] - from) * (4 * share - i) + 0.5);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

/// Where the words lie in the image, as far as their addresses tell, and how large they are drawn.
struct Layout {
  std::int64_t base;       ///< address where the top row begins
  std::int64_t pitch = 0;  ///< of the image's rows
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::int64_t cell;  ///< side of a square, pixels

  explicit Layout(const Cells& cells) {
    const std::int64_t first = cells.begin()->first;
    // How far the rows of a work-group mostly are from each other.
    std::map<std::int64_t, int> times;
    for (std::int64_t start = first, previous = first; const auto& [word, value] : cells) {
      if (word > previous + 1) {
        pitch = ++times[word - start] > times[pitch] ? word - start : pitch;
        start = word;
      }
      previous = word;
    }
    pitch = pitch == 0 ? 2 * static_cast<std::int64_t>(cells.size()) : pitch;
    // The top row may begin left of its first word: the widest gap has the columns not loaded.
    std::set<std::int64_t> used;
    for (const auto& [word, value] : cells) {
      used.insert((word - first) % pitch);
    }
    std::int64_t left = 0;
    for (std::int64_t widest = 0, previous = *used.rbegin() - pitch; const auto column : used) {
      left = column - previous > widest ? column : left;
      widest = std::max(widest, column - previous);
      previous = column;
    }
    base = first + left - (left > 0 ? pitch : 0);
    for (const auto& [word, value] : cells) {
      columns = std::max(columns, (word - base) % pitch + 1);
      rows = std::max(rows, (word - base) / pitch + 1);
    }
    cell = std::min<std::int64_t>(900 / columns, 20);
  }
};

/// A heading, a legend from `low` to `high` for the values `least` to `most`, and a square for each
/// word with its value where there is room; else neighbours of one colour become one rectangle.
std::string panel(
    const Layout& layout, std::int64_t x, std::int64_t y, const std::string& heading,
    const std::string& low, const std::string& high, const Cells& cells, int least, int most) {
  const auto fill = [&](int value) {
    return colour(most > least ? 1.0 * (value - least) / (most - least) : 0.0);
  };
  std::string svg = fmt::format(
      "<g transform=\"translate({},{})\" font-size=\"13\">\n<text y=\"14\">{}</text>\n", x, y,
      heading);
  std::size_t bar = 0;
  if (!low.empty()) {
    svg += fmt::format("<text y=\"36\">{}</text>\n", low);
    bar = 10 + 8 * low.size();
    for (int i = 0; i < 20; i++) {
      svg += fmt::format(
          "<rect x=\"{}\" y=\"25\" width=\"5\" height=\"13\" fill=\"{}\"/>\n", bar + 5 * i,
          colour(i / 19.0));
    }
    bar += 108;
  }
  const std::int64_t cell = layout.cell;
  svg += fmt::format(
      "<text x=\"{}\" y=\"36\">{}</text>\n"
      "<rect y=\"48\" width=\"{}\" height=\"{}\" fill=\"#f2f2f2\" stroke=\"#999999\"/>\n",
      bar, high, layout.columns * cell, layout.rows * cell);
  const bool numbered = cell >= 18;
  for (auto next = cells.begin(); next != cells.end();) {
    const auto [word, value] = *next;
    const std::int64_t column = (word - layout.base) % layout.pitch;
    const std::int64_t top = (word - layout.base) / layout.pitch * cell + 48;
    std::int64_t words = 0;
    while (++words, ++next != cells.end() && !numbered && next->first == word + words &&
                        column + words < layout.pitch && fill(next->second) == fill(value)) {
    }
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n", column * cell, top,
        words * cell, cell, fill(value), numbered ? " stroke=\"#ffffff\"" : "");
    if (numbered) {
      const bool dark = value - least > 0.45 * (most - least);
      svg += fmt::format(
          "<text x=\"{:g}\" y=\"{:g}\" font-size=\"9\" text-anchor=\"middle\" fill=\"{}\">{}"
          "</text>\n",
          (column + 0.5) * cell, top + 0.5 * cell + 3, dark ? "#ffffff" : "#000000", value);
    }
  }
  return svg + "</g>\n";
}

/// What one work-item and one work-group load, as SVG. `lines` are the plugin's: "group" or "item",
/// number of the word, order of its first load, number of its loads.
std::string picture(const std::string& title, const std::string& group, const std::string& lines) {
  Cells of_group;
  Cells of_item;
  int loads = 0;
  std::istringstream text(lines);
  std::string whose;
  std::int64_t word = 0;
  for (int order = 0, times = 0; text >> whose >> word >> order >> times;) {
    if (whose == "item") {
      of_item[word] = order;
    } else {
      of_group[word] = times;
      loads += times;
    }
  }
  const Layout layout(of_group);
  const std::int64_t width = layout.columns * layout.cell;
  const std::int64_t height = layout.rows * layout.cell + 68;
  const bool beside = width >= 360 && 2 * width + 60 <= 960;  // else below each other
  const auto often = [](int n) { return n == 1 ? "once" : fmt::format("{} times", n); };
  const auto [least, most] = std::ranges::minmax(of_group | std::views::values);
  const auto items = static_cast<int>(of_item.size());
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
             "height=\"{1}\" font-family=\"DejaVu Sans, sans-serif\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
             "<text x=\"20\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{2}</text>\n",
             std::max<std::int64_t>(500, beside ? 2 * width + 60 : width + 40),
             44 + height * (beside ? 1 : 2), title) +
         panel(
             layout, 20, 44, fmt::format("One work-item: {} input{}", items, items == 1 ? "" : "s"),
             "first", "last loaded", of_item, 1, items) +
         panel(
             layout, beside ? width + 40 : 20, beside ? 44 : 44 + height,
             fmt::format(
                 "A work-group of {} × {}: {} inputs loaded, {} different", before(group, 'x'),
                 after(group, 'x'), loads, of_group.size()),
             least == most ? "" : fmt::format("{}", least),
             (least == most ? "each loaded " : "") + often(most) + (least == most ? "" : " loaded"),
             of_group, least, most) +
         "</svg>\n";
}

// --- The table and the CSV -----------------------------------------------------------------------

/// A kernel's label and filter width for each row of `counts`, as the program printed them. A
/// launch of another kernel than the next label's is that of a helper, which has its own name.
std::vector<std::pair<std::string, std::string>> labels_of(
    const Csv& counts, const std::string& output) {
  std::vector<std::pair<std::string, std::string>> printed;
  for (const std::string& line : split(output, '\n')) {
    // Not one that is skipped.
    if (const Words right = matched(line, "width +([0-9]+)  ([^ ]+)  .*"); !right.empty()) {
      printed.emplace_back(right[2], right[1]);
    }
    const Words wrong = matched(line, "[^ ]+: ([^ ]+), filter width ([0-9]+): .*");
    if (!wrong.empty()) {
      printed.emplace_back(wrong[1], wrong[2]);
    }
  }
  std::erase_if(printed, [](const auto& label) { return label.first == "OpenMP"; });
  std::vector<std::pair<std::string, std::string>> labels;
  std::size_t next = 0;
  for (std::size_t row = 0; row < counts.size() && next < printed.size(); row++) {
    const std::string& kernel = counts.text(row, "kernel");
    const auto& [label, width] = printed[next];
    const bool helper = kernel != label.substr(0, label.find_first_of(":#"));
    labels.emplace_back(helper ? kernel : label, width);
    next += helper ? 0 : 1;
  }
  if (labels.size() != counts.size() || next != printed.size()) {
    fail("{} kernels named, {} launches recorded", printed.size(), counts.size());
  }
  return labels;
}

/// At most five characters.
std::string brief(double number) {
  return number == 0.0    ? "-"
         : number >= 1000 ? fmt::format("{:.0f}", number)
         : number >= 100  ? fmt::format("{:.4g}", number)
         : number >= 0.1  ? fmt::format("{:.3g}", number)
                          : fmt::format("{:.3f}", number);
}

std::string table_line(const Words& fields) {
  std::string line = fmt::format("{:<26}", fields[0]);
  for (std::size_t i = 1; i < fields.size(); i++) {
    line += fmt::format(" {:>5}", fields[i]);
  }
  return line + "\n";
}

}  // namespace

std::string xray(const Words& arguments) {
  const std::string folder = arguments[0] + "/";
  const Csv counts(folder + "counts");
  const std::string output = text_of(folder + "output");
  const auto labels = labels_of(counts, output);
  std::string size;  // "128 x 32"
  for (const std::string& line : split(output, '\n')) {
    size = line.starts_with("image ") ? line.substr(line.rfind(", ") + 2) : size;
  }
  const std::string width = before(size, ' ');
  const std::string height = size.substr(size.rfind(' ') + 1);
  const double pixels =
      parse_number<double>(width).value_or(0.0) * parse_number<double>(height).value_or(0.0);

  std::string csv;
  for (const auto& [key, value] : counts.head()) {
    csv += fmt::format("# {}: {}\n", key, value);
    csv += key == "simulator" ? fmt::format("# size: {}\n", size) : "";
  }
  const Words& columns = counts.columns();  // kernel,group,...
  const Words numbers(columns.begin() + 2, columns.end());
  csv += fmt::format("kernel,filter_width,width,height,group,{}\n", fmt::join(numbers, ","));
  // The median and edge_conditions have no filter.
  const bool filters = counts.number(0, "multiply_adds") > 0.0;
  std::string rows;
  Words groups = {counts.head("work_group")};
  for (std::size_t row = 0; row < counts.size(); row++) {
    const auto& [label, filter_width] = labels[row];
    const std::string& group = counts.text(row, "group");
    csv += fmt::format("{},{},{},{},{}", label, filter_width, width, height, group);
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const double number = counts.number(row, numbers[i]);
      const bool ratio = i + 5 >= numbers.size();  // of no loads there is none
      csv +=
          ratio && number == 0.0 ? "," : fmt::format(",{:.4g}", ratio ? number : number / pixels);
    }
    csv += "\n";
    if (!contains(groups, group)) {
      groups.push_back(group);
    }
    if (filters && (row == 0 || filter_width != labels[row - 1].second)) {
      rows += fmt::format("Filter width {}\n", filter_width);
    }
    const auto per_pixel = [&](const char* name) {
      return brief(counts.number(row, name) / pixels);
    };
    const auto ratio = [&](const char* name) { return brief(counts.number(row, name)); };
    const bool long_name = label.size() > 26;
    rows += long_name ? label + "\n" : "";
    rows += table_line(
        {long_name ? "" : label, per_pixel(filters ? "multiply_adds" : "min_max"),
         per_pixel("input_loads"), per_pixel(filters ? "tap_loads" : "comparisons"),
         per_pixel("local_loads"), per_pixel("branches"), per_pixel("other_arithmetic"),
         ratio("reuse"), ratio("sectors"), ratio("conflicts")});
    const std::string cells = fmt::format("{}{}.cells", folder, row + 1);
    if (std::filesystem::exists(cells)) {
      std::string name = fmt::format("{}{}-{}.svg", folder, label, filter_width);
      std::ranges::replace(name, ':', '_');
      write_whole(
          name, picture(fmt::format("{0}, {1} × {1}", label, filter_width), group, text_of(cells)));
    }
  }
  write_whole(folder + "csv", csv);
  const Words named(groups.begin() + 1, groups.end());
  return fmt::format(
             "Per pixel, {} of them.\nWork-groups: {}{}.\n", size, groups[0],
             named.empty()
                 ? ""
                 : fmt::format(", and {} where the program names them", fmt::join(named, ", "))) +
         table_line(
             {"", filters ? "mult." : "min,", "input", filters ? "tap" : "com-", "local", "bran-",
              "other", "", "sec-", "bank"}) +
         table_line(
             {"kernel", filters ? "-adds" : "max", "loads", filters ? "loads" : "pared", "loads",
              "ches", "arith", "reuse", "tors", "words"}) +
         rows;
}

}  // namespace tutorial
