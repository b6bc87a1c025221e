// The data file of a chart, which gnuplot loads: what stands around the picture, as variables; then
// the figures, in blocks with tabs between. plots/*.gp draw it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace tutorial {

/// A figure that was not measured; gnuplot leaves it out.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class ChartData {
 public:
  void set(const std::string& name, double number) { head_[name] = fmt::format("{:.6g}", number); }
  void set(const std::string& name, const std::string& text) {
    std::string quoted;
    for (const char c : plain(text)) {
      quoted += c == '\'' ? "''" : std::string(1, c);
    }
    head_[name] = "'" + quoted + "'";
  }
  /// A line across bars.
  void set_line(double at, const std::string& text) {
    set("line_at", at);
    set("line_text", text);
  }

  /// A curve of $curves, or of $floor or $marks, with a look for gnuplot's `set style line`. Points
  /// are x, y and the interval of y; those without a y are left out.
  void add_curve(
      const std::string& block, const std::string& title, const std::string& look,
      const std::vector<std::array<double, 4>>& points) {
    std::string lines;
    for (const auto& [x, y, low, high] : points) {
      lines +=
          std::isnan(y) ? "" : fmt::format("{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\n", x, y, low, high);
    }
    if (!lines.empty()) {
      const int number = counts_[block]++ + (block == "curves" ? 1 : 101);
      styles_ += look.empty() ? "" : fmt::format("set style line {} {}\n", number, look);
      blocks_[block] += (blocks_[block].empty() ? "" : "\n\n") + plain(title) + "\n" + lines;
    }
  }

  /// A horizontal bar with a text behind it and the interval of `to`, in a row of its own or,
  /// without a name, in the last one.
  void add_bar(
      const std::string& name, double from, double to, int colour, const std::string& text = {},
      double low = kNone, double high = kNone) {
    const int row = counts_["bars"] += name.empty() ? 0 : 1;
    blocks_["bars"] += fmt::format(
        "{}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\t{:#08x}\t{}\t{}\n", row, from, to, low, high, colour,
        plain(name), plain(text));
  }
  /// Words in a row of their own.
  void add_note(const std::string& text) { add_bar(" ", 0.0, 0.0, 0, text); }
  /// What a colour of bars means.
  void add_legend(const std::string& text, int colour) {
    const std::string line = fmt::format("{:#08x}\t{}\n", colour, plain(text));
    blocks_["legend"] += blocks_["legend"].find(line) == std::string::npos ? line : "";
  }

  /// The file; empty if it has nothing to draw.
  std::string text() const {
    std::string text;
    for (const auto& [name, value] : head_) {
      text += fmt::format("{} = {}\n", name, value);
    }
    for (const auto& [block, count] : counts_) {
      text += fmt::format("{} = {}\n", block, count);
    }
    text += styles_;
    for (const auto& [name, lines] : blocks_) {
      text += fmt::format("${} << END\n{}END\n", name, lines);
    }
    return counts_.contains("bars") || counts_.contains("curves") ? text : "";
  }

 private:
  /// Without what ends a field or a line. gnuplot takes double quotes away, and a device may have
  /// any name.
  static std::string plain(std::string text) {
    std::ranges::replace(text, '"', '\'');
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < ' '; }, ' ');
    return text;
  }

  std::map<std::string, std::string> head_, blocks_;
  std::string styles_;
  std::map<std::string, int> counts_;  ///< of curves in a block; of rows of bars
};

}  // namespace tutorial
