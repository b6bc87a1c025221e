// What xray/ recorded, as a table, a CSV and pictures.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <ranges>
#include <sstream>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

/// What is loaded: its order or how often, by the number of the word of 4 bytes in its buffer.
using Cells = std::map<std::int64_t, int>;

// --- Pictures ------------------------------------------------------------------------------------

/// How far the rows of an image are from each other, as far as the words of 4 bytes that are loaded
/// tell.
std::int64_t row_pitch(const std::set<std::int64_t>& words) {
  std::int64_t pitch = 0;
  std::map<std::int64_t, int> times;
  for (std::int64_t start = *words.begin(), previous = start; const std::int64_t word : words) {
    if (word > previous + 1) {
      pitch = ++times[word - start] > times[pitch] ? word - start : pitch;
      start = word;
    }
    previous = word;
  }
  return pitch == 0 ? *words.rbegin() + 1 : pitch;
}

/// What one work-item and one work-group load, as SVG: a square for each word, where it lies in the
/// image as far as the addresses tell; the higher its number, the darker. `lines` are the plugin's:
/// work-item, address and bytes of a load.
std::string picture(const std::string& title, const std::string& group, const std::string& lines) {
  Cells of_group, of_item;
  std::map<int, int> loads_of;  // a work-item
  std::map<int, std::vector<std::int64_t>> words_of;
  int loads = 0;
  std::istringstream text(lines);
  int item = 0;
  for (std::int64_t address = 0, bytes = 0; text >> item >> address >> bytes;) {
    address %= std::int64_t{1} << 48;  // what is above numbers the buffer
    loads_of[item]++;
    for (std::int64_t word = address / 4; word <= (address + bytes - 1) / 4; word++) {
      of_group[word]++;
      words_of[item].push_back(word);
      loads++;
    }
  }
  const auto [columns, rows] = halves(group, 'x');
  item = std::stoi(rows) / 2 * std::stoi(columns) + std::stoi(columns) / 2;
  for (const auto& [other, number] : loads_of) {  // the centre, unless others load more
    item = number > loads_of[item] ? other : item;
  }
  for (const std::int64_t word : words_of[item]) {
    of_item.try_emplace(word, of_item.size() + 1);
  }
  const auto words = of_group | std::views::keys;
  const std::int64_t pitch = row_pitch({words.begin(), words.end()});
  const auto [left, right] = std::ranges::minmax(
      words | std::views::transform([&](std::int64_t number) { return number % pitch; }));
  const std::int64_t top = of_group.begin()->first / pitch;
  const std::int64_t side = std::min<std::int64_t>(900 / (right - left + 1), 20);
  const std::int64_t width = (right - left + 1) * side;
  const std::int64_t height = (of_group.rbegin()->first / pitch - top + 1) * side;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"DejaVu Sans, sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<text x=\"20\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{2}</text>\n",
      std::max<std::int64_t>(500, width + 40), 120 + 2 * height, title);
  for (const Cells& cells : {of_item, of_group}) {
    const bool first = svg.find("<g ") == std::string::npos;
    svg += fmt::format(
        "<g transform=\"translate(20,{})\">\n<text y=\"-8\" font-size=\"13\">{}</text>\n"
        "<rect width=\"{}\" height=\"{}\" fill=\"#f2f2f2\" stroke=\"#999999\"/>\n",
        first ? 70 : 110 + height,
        first ? fmt::format("One work-item loads {} inputs, in this order", cells.size())
              : fmt::format(
                    "A work-group of {}: {} loads of {} inputs; how often each of them",
                    replaced(group, "x", " × "), loads, cells.size()),
        width, height);
    const int most = std::ranges::max(cells | std::views::values);
    for (const auto& [number, value] : cells) {
      const std::int64_t x = (number % pitch - left) * side;
      const std::int64_t y = (number / pitch - top) * side;
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#56b4e9\" "
          "fill-opacity=\"{:.2f}\" stroke=\"#ffffff\"/>\n"
          "<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
          x, y, side, side, 1.0 * value / most, x + 0.5 * side, y + 0.65 * side, 0.45 * side,
          value);
      if (number % 8 == 0) {  // a sector of 32 bytes begins
        svg += fmt::format(
            "<path d=\"M{},{}v{}\" stroke=\"#d55e00\" stroke-width=\"2\"/>\n", x, y, side);
      }
    }
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

// --- The table and the CSV -----------------------------------------------------------------------

/// A kernel's label and filter width for each row of `counts`, as the program printed them. A
/// launch of another kernel than the next label's is that of a helper, which has its own name.
std::vector<std::pair<std::string, std::string>> labels_of(
    const Csv& counts, const std::string& output) {
  std::vector<std::pair<std::string, std::string>> printed;
  for (const std::string& line : split(output, '\n')) {
    // What was right, or wrong; not what is skipped.
    const Words found =
        search(line, "^width +([0-9]+)  ([^ ]+)  |^[^ ]+: ([^ ]+), filter width ([0-9]+): ");
    if (!found.empty() && found[2] != "OpenMP") {
      printed.emplace_back(found[2] + found[3], found[1] + found[4]);
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

std::string brief(double number) {
  return number == 0.0 ? "-" : fmt::format("{:.{}g}", number, number >= 100 ? 4 : 3);
}

}  // namespace

std::string xray(const Words& arguments) {
  const std::string folder = arguments[0] + "/";
  const Csv counts(folder + "counts");
  const std::string output = read_file(folder + "output");
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
  // The median and edge_conditions have no filter: other columns.
  const bool filters = counts.number(0, "multiply_adds") > 0.0;
  Table table{
      {"width", "kernel", filters ? "mul-add" : "min-max", "loads", filters ? "taps" : "tests",
       "local", "branch", "other", "reuse", "sector", "banks"},
      {}};
  for (std::size_t row = 0; row < counts.size(); row++) {
    const auto& [label, filter_width] = labels[row];
    const std::string& group = counts.text(row, "group");
    csv += fmt::format("{},{},{},{},{}", label, filter_width, size[1], size[2], group);
    std::map<std::string, double> number;
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const bool ratio = i + 6 >= numbers.size();  // the last six columns; the others are sums
      const double value = counts.number(row, numbers[i]) / (ratio ? 1.0 : pixels);
      csv += ratio && value == 0.0 ? "," : fmt::format(",{:.4g}", value);
      number[numbers[i]] = value;
    }
    csv += "\n";
    table.rows.push_back({filter_width, label});
    for (const char* column :
         {filters ? "multiply_adds" : "min_max", "input_loads",
          filters ? "tap_loads" : "comparisons", "local_loads", "branches", "other_arithmetic",
          "reuse", "sectors", "conflicts"}) {
      table.rows.back().push_back(brief(number.at(column)));
    }
    const std::string recorded = fmt::format("{}{}.", folder, row + 1);
    const std::string svg = fmt::format("{}-{}.svg", replaced(label, ":", "_"), filter_width);
    if (std::filesystem::exists(recorded + "cells")) {
      write_whole(
          folder + svg, picture(
                            fmt::format("{0}, {1} × {1}", label, filter_width), group,
                            read_file(recorded + "cells")));
    }
  }
  write_whole(folder + "csv", csv);
  return fmt::format(
      "Per pixel, {} x {} of them. Work-groups: {}.\n{}"
      "Floor: pixels x ({} + other) / multiply-adds per s (step roofline)\n",
      size[1], size[2], fmt::join(distinct(counts, "group"), ", "), table.aligned(),
      table.heads[2]);
}

}  // namespace tutorial
