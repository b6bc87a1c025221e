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
  std::int64_t columns = 0, rows = 0;
  std::int64_t side;  ///< of a square, pixels

  explicit Layout(const Cells& cells) {
    const std::int64_t first = cells.begin()->first;
    // How far the rows of a work-group mostly are from each other.
    std::map<std::int64_t, int> times;
    for (std::int64_t start = first, previous = first;
         const std::int64_t word : cells | std::views::keys) {
      if (word > previous + 1) {
        pitch = ++times[word - start] > times[pitch] ? word - start : pitch;
        start = word;
      }
      previous = word;
    }
    pitch = pitch == 0 ? 2 * std::ssize(cells) : pitch;
    // The top row may begin left of its first word: the widest gap has the columns not loaded.
    std::set<std::int64_t> used;
    for (const std::int64_t word : cells | std::views::keys) {
      used.insert((word - first) % pitch);
    }
    std::int64_t left = 0;
    for (std::int64_t widest = 0, previous = *used.rbegin() - pitch; const auto column : used) {
      left = column - previous > widest ? column : left;
      widest = std::max(widest, column - previous);
      previous = column;
    }
    base = first + left - (left > 0 ? pitch : 0);
    for (const std::int64_t word : cells | std::views::keys) {
      columns = std::max(columns, (word - base) % pitch + 1);
      rows = std::max(rows, (word - base) / pitch + 1);
    }
    side = std::min<std::int64_t>(900 / columns, 20);
  }
};

/// A legend for the values `least` to `most`, unless they are the same, and a square for each word
/// with its value where there is room; else neighbours of one colour become one rectangle.
std::string panel(
    const Layout& layout, const Cells& cells, int least, int most, const std::string& low,
    const std::string& high) {
  const auto [base, pitch, columns, rows, side] = layout;
  const auto fill = [&](int value) {
    return colour(most > least ? 1.0 * (value - least) / (most - least) : 0.0);
  };
  std::string svg;
  std::size_t x = 0;
  if (!low.empty()) {
    svg += fmt::format("<text y=\"36\">{}</text>\n", low);
    x = 10 + 8 * low.size();
    for (int i = 0; i < 20; i++, x += 5) {
      svg += fmt::format(
          "<rect x=\"{}\" y=\"25\" width=\"5\" height=\"13\" fill=\"{}\"/>\n", x, colour(i / 19.0));
    }
    x += 8;
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"36\">{}</text>\n"
      "<rect y=\"48\" width=\"{}\" height=\"{}\" fill=\"#f2f2f2\" stroke=\"#999999\"/>\n",
      x, high, columns * side, rows * side);
  const bool numbered = side >= 18;
  for (auto next = cells.begin(); next != cells.end();) {
    const auto [word, value] = *next;
    const std::int64_t column = (word - base) % pitch;
    const std::int64_t top = (word - base) / pitch * side + 48;
    std::int64_t words = 1;
    for (++next; next != cells.end() && !numbered && next->first == word + words &&
                 column + words < pitch && fill(next->second) == fill(value);
         ++next) {
      words++;
    }
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n", column * side, top,
        words * side, side, fill(value), numbered ? " stroke=\"#ffffff\"" : "");
    if (numbered) {
      const bool dark = value - least > 0.45 * (most - least);
      svg += fmt::format(
          "<text x=\"{:g}\" y=\"{:g}\" font-size=\"9\" text-anchor=\"middle\" fill=\"{}\">{}"
          "</text>\n",
          (column + 0.5) * side, top + 0.5 * side + 3, dark ? "#ffffff" : "#000000", value);
    }
  }
  return svg;
}

/// What one work-item and one work-group load, as SVG. `lines` are the plugin's: "group" or "item",
/// number of the word, order of its first load, number of its loads.
std::string picture(const std::string& title, const std::string& group, const std::string& lines) {
  Cells of_group, of_item;
  int loads = 0;
  std::istringstream text(lines);
  std::string whose;
  std::int64_t word = 0;
  for (int order = 0, times = 0; text >> whose >> word >> order >> times;) {
    const bool item = whose == "item";
    (item ? of_item : of_group)[word] = item ? order : times;
    loads += item ? 0 : times;
  }
  const Layout layout(of_group);
  const std::int64_t width = layout.columns * layout.side;
  const std::int64_t height = layout.rows * layout.side + 68;
  const bool beside = width >= 360 && 2 * width + 60 <= 960;  // else below each other
  const auto items = static_cast<int>(of_item.size());
  const auto [least, most] = std::ranges::minmax(of_group | std::views::values);
  const std::string often = most == 1 ? "once" : fmt::format("{} times", most);
  const bool same = least == most;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"DejaVu Sans, sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<text x=\"20\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{2}</text>\n"
      "<g transform=\"translate(20,44)\" font-size=\"13\">\n"
      "<text y=\"14\">One work-item: {3} input{4}</text>\n{5}</g>\n"
      "<g transform=\"translate({6},{7})\" font-size=\"13\">\n"
      "<text y=\"14\">A work-group of {8}: {9} inputs loaded, {10} different</text>\n{11}</g>\n"
      "</svg>\n",
      std::max<std::int64_t>(500, beside ? 2 * width + 60 : width + 40),
      44 + height * (beside ? 1 : 2), title, items, items == 1 ? "" : "s",
      panel(layout, of_item, 1, items, "first", "last loaded"), beside ? width + 40 : 20,
      beside ? 44 : 44 + height, replaced(group, "x", " × "), loads, of_group.size(),
      panel(
          layout, of_group, least, most, same ? "" : fmt::format("{}", least),
          same ? "each loaded " + often : often + " loaded"));
}

// --- The table and the CSV -----------------------------------------------------------------------

/// A kernel's label and filter width for each row of `counts`, as the program printed them. A
/// launch of another kernel than the next label's is that of a helper, which has its own name.
std::vector<std::pair<std::string, std::string>> labels_of(
    const Csv& counts, const std::string& output) {
  std::vector<std::pair<std::string, std::string>> printed;
  for (const std::string& line : split(output, '\n')) {
    const Words right = search(line, "^width +([0-9]+)  ([^ ]+)  ");  // not what is skipped
    const Words wrong = search(line, "^[^ ]+: ([^ ]+), filter width ([0-9]+): ");
    if (!right.empty() && right[2] != "OpenMP") {
      printed.emplace_back(right[2], right[1]);
    } else if (!wrong.empty()) {
      printed.emplace_back(wrong[1], wrong[2]);
    }
  }
  std::vector<std::pair<std::string, std::string>> labels;
  auto next = printed.begin();
  for (std::size_t row = 0; row < counts.size() && next != printed.end(); row++) {
    const std::string& kernel = counts.text(row, "kernel");
    const bool helper = kernel != next->first.substr(0, next->first.find_first_of(":#"));
    labels.emplace_back(helper ? kernel : next->first, next->second);
    next += helper ? 0 : 1;
  }
  if (labels.size() != counts.size() || next != printed.end()) {
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

std::string table_line(const std::string& first, const Words& others) {
  std::string line = fmt::format("{:<26}", first);
  for (const std::string& other : others) {
    line += fmt::format(" {:>5}", other);
  }
  return line + "\n";
}

}  // namespace

std::string xray(const Words& arguments) {
  const std::string folder = arguments[0] + "/";
  const Csv counts(folder + "counts");
  const std::string output = text_of(folder + "output");
  const auto labels = labels_of(counts, output);
  const Words size = search(output, "image +[^\n]*, ([0-9]+) x ([0-9]+)\n");
  const double pixels =
      parse_number<double>(size.at(1)).value() * parse_number<double>(size.at(2)).value();

  std::string csv;
  for (const auto& [key, value] : counts.head()) {
    csv += fmt::format("# {}: {}\n", key, value);
    csv += key == "simulator" ? fmt::format("# size: {} x {}\n", size[1], size[2]) : "";
  }
  const Words numbers(counts.columns().begin() + 2, counts.columns().end());
  csv += fmt::format("kernel,filter_width,width,height,group,{}\n", fmt::join(numbers, ","));
  // The median and edge_conditions have no filter: other columns, and no line for its width.
  const bool filters = counts.number(0, "multiply_adds") > 0.0;
  std::string table =
      table_line(
          "", {filters ? "mult." : "min,", "input", filters ? "tap" : "com-", "local", "bran-",
               "other", "", "sec-", "bank"}) +
      table_line(
          "kernel", {filters ? "-adds" : "max", "loads", filters ? "loads" : "pared", "loads",
                     "ches", "arith", "reuse", "tors", "words"});
  Words groups;  // other than those of --work-group
  for (std::size_t row = 0; row < counts.size(); row++) {
    const auto& [label, filter_width] = labels[row];
    const std::string& group = counts.text(row, "group");
    csv += fmt::format("{},{},{},{},{}", label, filter_width, size[1], size[2], group);
    std::map<std::string, double> number;
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const bool ratio = i + 5 >= numbers.size();  // the last five columns; the others are sums
      const double value = counts.number(row, numbers[i]) / (ratio ? 1.0 : pixels);
      csv += ratio && value == 0.0 ? "," : fmt::format(",{:.4g}", value);
      number[numbers[i]] = value;
    }
    csv += "\n";
    if (group != counts.head("work_group") && !contains(groups, group)) {
      groups.push_back(group);
    }
    if (filters && (row == 0 || filter_width != labels[row - 1].second)) {
      table += fmt::format("Filter width {}\n", filter_width);
    }
    Words shown;
    for (const char* column :
         {filters ? "multiply_adds" : "min_max", "input_loads",
          filters ? "tap_loads" : "comparisons", "local_loads", "branches", "other_arithmetic",
          "reuse", "sectors", "conflicts"}) {
      shown.push_back(brief(number.at(column)));
    }
    table += label.size() > 26 ? label + "\n" + table_line("", shown) : table_line(label, shown);
    const std::string cells = fmt::format("{}{}.cells", folder, row + 1);
    if (std::filesystem::exists(cells)) {
      write_whole(
          fmt::format("{}{}-{}.svg", folder, replaced(label, ":", "_"), filter_width),
          picture(fmt::format("{0}, {1} × {1}", label, filter_width), group, text_of(cells)));
    }
  }
  write_whole(folder + "csv", csv);
  return fmt::format(
      "Per pixel, {} x {} of them.\nWork-groups: {}{}{}.\n{}", size[1], size[2],
      counts.head("work_group"), groups.empty() ? "" : ", and ",
      groups.empty() ? "" : fmt::format("{} where the program names them", fmt::join(groups, ", ")),
      table);
}

}  // namespace tutorial
