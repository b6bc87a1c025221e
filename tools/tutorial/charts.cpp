// The charts of plots/charts.csv: which figures each shows. plots/*.gp draw them.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// The data file of a chart, which gnuplot loads: what stands around the picture, as variables;
/// then the figures, in series with tabs between. A series has a title and a look, for gnuplot's
/// `set style line`.
class ChartData {
 public:
  void set(const std::string& name, double number) { head_[name] = fmt::format("{:.6g}", number); }
  void set(const std::string& name, const std::string& text) {
    head_[name] = "'" + replaced(plain(text), "'", "''") + "'";
  }

  /// A point of a curve: x, y and the interval of y.
  void add_point(
      const std::string& title, const std::string& look, double x,
      const std::array<double, 3>& figure) {
    if (!std::isnan(figure[0])) {
      add(title, look, fmt::format("{:.6g}\t{:.6g}", x, fmt::join(figure, "\t")));
    }
  }

  /// A horizontal bar to a figure with its interval, and a text behind it.
  void add_bar(const std::string& name, const std::array<double, 3>& to, const std::string& text) {
    rows_++;
    add("measured", "linetype 6",
        fmt::format("{}\t{:.6g}\t{}\t{}", rows_, fmt::join(to, "\t"), plain(name), plain(text)));
    longest_name_ = std::max(longest_name_, name.size());
    longest_text_ = std::max(longest_text_, text.size());
  }

  /// The file; empty if it has nothing to draw.
  std::string text() const {
    std::string text = fmt::format(
        "series = {}\nrows = {}\nname_length = {}\ntext_length = {}\n", series_.size(), rows_,
        longest_name_, longest_text_);
    for (const auto& [name, value] : head_) {
      text += fmt::format("{} = {}\n", name, value);
    }
    Words lines;
    for (const Series& series : series_) {
      lines.push_back(series.title + "\n" + series.lines);
      text += fmt::format("set style line {} {}\n", lines.size(), series.look);
    }
    return lines.empty() ? ""
                         : fmt::format("{}$series << END\n{}END\n", text, fmt::join(lines, "\n\n"));
  }

 private:
  struct Series {
    std::string title, look, lines;
  };

  void add(const std::string& title, const std::string& look, const std::string& line) {
    auto found = std::ranges::find(series_, title, &Series::title);
    found = found != series_.end() ? found : series_.insert(found, {title, look, ""});
    found->lines += line + "\n";
  }

  /// Without what ends a field or a line. gnuplot takes double quotes away, and a device may have
  /// any name.
  static std::string plain(std::string text) {
    std::ranges::replace(text, '"', '\'');
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < ' '; }, ' ');
    return text;
  }

  std::map<std::string, std::string> head_;
  std::vector<Series> series_;
  int rows_ = 0;
  std::size_t longest_name_ = 0, longest_text_ = 0;
};

// --- What is read --------------------------------------------------------------------------------

bool is_gpu(const Csv& csv) {
  return csv.head.of("device_type") == "GPU";
}

/// A figure of a row: its median and the ends of its interval; NaN, which gnuplot leaves out, where
/// it was not measured.
using Figure = std::array<double, 3>;
Figure columns(const Csv& csv, std::size_t row, const std::array<const char*, 3>& names) {
  Figure figure;
  for (std::size_t i = 0; i < 3; i++) {
    const bool is_there = csv.has(names[i]) && !csv.text(row, names[i]).empty();
    figure[i] = is_there ? csv.number(row, names[i]) : NAN;
  }
  return figure;
}
Figure milliseconds(const Csv& csv, std::size_t row) {
  return columns(csv, row, {"median_ms", "low_ms", "high_ms"});
}
Figure percent(const Csv& csv, std::size_t row) {
  return columns(csv, row, {"relative_percent", "relative_low", "relative_high"});
}
Figure times_floor(const Csv& csv, std::size_t row) {
  return columns(csv, row, {"x_floor", "x_floor_low", "x_floor_high"});
}
/// Gpixel/s: the lowest is that of the longest time.
Figure rate(const Csv& csv, std::size_t row) {
  const auto [median, low, high] = milliseconds(csv, row);
  const double pixels = csv.number(row, "gpixels_per_s") * median;
  return {pixels / median, pixels / high, pixels / low};
}

/// Three digits, or all before the point.
std::string brief(double x) {
  return x < 999.5 ? fmt::format("{:.3g}", x) : fmt::format("{:.0f}", x);
}

/// A CSV of the folder of a chart's data; null if it is not there, or empty.
const Csv* csv_of(const Chart& chart, const std::string& file) {
  const std::string path = (file.starts_with("published/") ? "plots" : chart.folder) + "/" + file;
  try {
    const Csv& csv = csv_file(path);
    return csv.size() > 0 ? &csv : nullptr;
  } catch (const Error&) {
    return fs::exists(path) ? throw : nullptr;
  }
}

/// A kernel in a chart of curves, perhaps of another CSV than the chart's.
struct Shown {
  std::string kernel, title, look;
  const Csv* csv;
};

/// The kernels of a chart for the device of a CSV, of those that it has, if it has one to show in
/// colour. The grey ones come first, so that they lie below. A look is that of kernels.csv, so the
/// same in all charts; others are told apart by their place.
std::vector<Shown> shown_in(const Chart& chart, const Csv& csv) {
  static const std::vector<Words> others = {
      {"1", "6", "1"}, {"8", "4", "2"}, {"6", "8", "3"}, {"4", "10", "4"}, {"3", "12", "2"}};
  Words lists = split(is_gpu(csv) || chart.cpu.empty() ? chart.gpu : chart.cpu, '|');
  lists.resize(2);
  const std::string step = replaced(chart.name, "^step([0-9]+)$", "$1");
  if (lists[0].empty()) {
    const Words added = distinct(csv_file("kernels.csv"), "kernel", {{"step", step}});
    lists[0] = fmt::format("{}", fmt::join(added, " "));
  }
  std::vector<Shown> shown;
  bool has_colour = false;
  for (const bool in_colour : {false, true}) {
    for (const std::string& text : split(lists[in_colour ? 0 : 1], ' ')) {
      Words parts = split(text, '@');  // KERNEL, or KERNEL@FILE@TITLE
      parts.resize(3);
      const Csv* its = parts[1].empty() ? &csv : csv_of(chart, parts[1]);
      if (its == nullptr || rows_where(*its, {{"kernel", parts[0]}}).empty()) {
        continue;
      }
      has_colour = has_colour || in_colour;
      Words look = others[shown.size() % others.size()];
      if (!listed("kernel", parts[0], "colour").empty()) {
        for (const std::size_t i : {0, 1, 2}) {
          look[i] = listed("kernel", parts[0], std::array{"colour", "marker", "dash"}[i]);
        }
      }
      shown.push_back(
          {parts[0], parts[2].empty() ? parts[0] : replaced(parts[2], "~", " "),
           parts[1].starts_with("published/")
               ? "linecolor rgb 0xd55e00 pointtype 13 pointsize 1.2"
               : fmt::format(
                     "{} pointtype {} dashtype {} linewidth 1.3 pointsize 0.75",
                     in_colour ? "linetype " + look[0] : "linecolor rgb 0xa0a0a0", look[1],
                     look[2]),
           its});
    }
  }
  return has_colour ? shown : std::vector<Shown>();
}

// --- The charts: each adds to a data file what there is in its first CSV -------------------------

// Over the filter's width, or of the roofline, over the multiply-adds for each of a pixel's 8
// bytes.
void curves(const Chart& chart, const Csv& csv, ChartData& data) {
  const std::vector<Shown> shown = shown_in(chart, csv);
  if (shown.empty()) {
    return;
  }
  // A step of your own may have another baseline: its first kernel.
  const Words measured = distinct(csv, "kernel");
  const std::string baseline = contains(measured, "Convolve") ? "Convolve" : measured[0];
  const bool has_floor = csv.has("x_floor") && distinct(csv, "x_floor") != Words{""};
  std::string kind = chart.draws;
  if (kind.empty()) {  // over the floor, once the growing convolution.cl is left behind
    const bool grows = listed("kernel", shown.back().kernel, "file") == "convolution.cl";
    kind = grows || !has_floor ? "percent" : "floor";
  }
  using Value = Figure (*)(const Csv&, std::size_t row);
  static const std::map<std::string, std::pair<Value, std::string>> kinds = {
      {"floor", {times_floor, "times the floor"}},
      {"percent", {percent, "% of {}'s time (lower is faster)"}},
      {"rate", {rate, "Gpixel/s (higher is better)"}},
      {"time", {milliseconds, "median time in ms"}},
      {"work", {rate, "10^9 multiply-adds per second"}}};
  const auto& [value, label] = kinds.at(kind);
  data.set("y_label", replaced(label, "\\{\\}", baseline));
  data.set("is_percent", kind == "percent");
  data.set("x_log", kind == "work");
  data.set("x_label", kind == "work" ? "multiply-adds per byte" : "filter width (pixels)");
  const bool is_rate = kind == "rate" || kind == "work";
  const auto add = [&, &value = value](
                       const Csv& of, const std::string& kernel, const std::string& title,
                       const std::string& look, bool at_floor = false) {
    std::map<double, std::size_t> by_width;  // two runs may have the same kernel: the first counts
    for (const std::size_t row : rows_where(of, {{"kernel", kernel}})) {
      by_width.emplace(of.number(row, "filter_width"), row);
    }
    for (const auto& [width, row] : by_width) {
      Figure figure = value(of, row);
      for (double& number : figure) {  // a multiply-add for each tap of each pixel
        number *= kind == "work" ? width * width : 1.0;
      }
      if (at_floor) {
        const double floors = times_floor(of, row)[0];
        figure = {figure[0] * (is_rate ? floors : 1.0 / floors), NAN, NAN};
      }
      data.add_point(title, look, kind == "work" ? width * width / 8.0 : width, figure);
    }
  };
  if (has_floor) {
    add(csv, baseline, is_rate ? "roofline" : "floor",
        "linecolor rgb 0x606060 linewidth 1.5 dashtype (7,5) pointtype 0", true);
  }
  for (const auto& [kernel, title, look, file] : shown) {
    if (kernel != baseline || (kind != "percent" && kind != "floor")) {
      add(*file, kernel, title, look);
    }
  }
  if (kind == "percent") {
    add(csv, baseline, baseline + " = 100 %", "linetype 1 linewidth 2 pointtype 0");
  }
}

// Rows as bars, of rates, or of times. A bar is a step, by its fastest kernel, and behind it how
// many times as fast as Convolve in its own run that is; or a kernel, in the order of kernels.csv
// or of those that the chart names. The line of the floor is the median of what the rows at this
// width say.
void bars(const Chart& chart, const Csv& csv, ChartData& data) {
  const std::string width = chart.draws == "rates31" ? "31" : rate_width(csv);
  const bool is_time = chart.draws == "times";
  const auto add = [&](const std::string& name, std::size_t row, const std::string& more = {},
                       const Csv* of = nullptr) {
    const Figure figure = (is_time ? milliseconds : rate)(of ? *of : csv, row);
    data.add_bar(name, figure, brief(figure[0]) + more);
  };
  if (chart.draws == "front") {
    for (const auto& [step, fastest] : fastest_of_steps(csv, width)) {
      const std::size_t row = rows_of(csv, fastest.second, width).at(0);
      const auto times = ratio(csv, "Convolve", fastest.second, width);
      add(fmt::format("{}  {}", step, listed("step", std::to_string(step), "technique")), row,
          times ? ", " + two_digits(times->median) + "x" : "");
    }
  } else if (!chart.gpu.empty()) {
    for (const auto& [kernel, title, look, of] : shown_in(chart, csv)) {
      if (const auto rows = rows_of(*of, kernel, width); !rows.empty()) {
        add(title, rows[0], {}, of);
      }
    }
  } else {
    for (const std::string& kernel : in_ladders_order(csv)) {
      const auto rows = rows_of(csv, kernel, width);
      // The OpenMP loop runs on the host's CPU: it is no result of a GPU.
      if (!rows.empty() && !(is_gpu(csv) && csv.text(rows[0], "kind") == "host")) {
        add(kernel, rows[0]);
      }
    }
  }
  std::vector<double> floors;
  for (const std::size_t row : rows_where(csv, {{"filter_width", width}})) {
    if (const double floor = times_floor(csv, row)[0]; !std::isnan(floor)) {
      floors.push_back(rate(csv, row)[0] * floor);
    }
  }
  std::ranges::sort(floors);
  data.set(
      "x_label", fmt::format(
                     "{1} at {0} x {0} ({2} is better)", width,
                     is_time ? "median time in ms" : "Gpixel/s", is_time ? "lower" : "higher"));
  if (!floors.empty() && !is_time) {
    data.set("line_at", floors[floors.size() / 2]);
    data.set("line_text", "at the floor: " + brief(floors[floors.size() / 2]));
  }
}

// --- Drawing -------------------------------------------------------------------------------------

bool has_gnuplot() {
  static const bool has = run({{"gnuplot", "--version"}}).status == 0;
  return has;
}

/// Draws a chart, of the first of its CSVs that has something for it, or removes it if its data are
/// gone: nothing old stays as if it were new. Returns whether there are data.
bool draw(const Chart& chart, const std::string& out) {
  const std::string file = out + "/" + chart.name + ".dat";
  const std::string picture = out + "/" + chart.name + ".svg";
  fs::remove(file);
  fs::remove(picture);
  const bool has_bars = contains({"front", "rates", "rates31", "times"}, chart.draws);
  std::string text;
  for (std::size_t i = 0; i < chart.files.size() && text.empty(); i++) {
    if (const Csv* csv = csv_of(chart, chart.files[i])) {
      ChartData data;
      data.set("title", chart.title);
      data.set(
          "subtitle", fmt::format(
                          "{} · driver {} · {} {}", device_name(*csv), csv->head.of("driver"),
                          csv->head.of("size"), csv->head.of("image")));
      (has_bars ? bars : curves)(chart, *csv, data);
      text = data.text();
    }
  }
  if (text.empty()) {
    return false;
  }
  const std::string script = has_bars ? "plots/bars.gp" : "plots/curves.gp";
  const std::string data = "data='" + replaced(file, "'", "''") + "'";
  fs::create_directories(out);
  write_whole(file, fmt::format("# gnuplot -e \"{}\" {} > {}\n{}", data, script, picture, text));
  if (has_gnuplot()) {
    const Finished drawn = run({{"gnuplot", "-d", "-e", data, script}, {{"LC_ALL", "C.UTF-8"}}});
    const bool is_whole = drawn.output.find("</svg>") != std::string::npos;
    require(
        drawn.status == 0 && drawn.errors.empty() && is_whole, "gnuplot could not draw {}: {}",
        picture, drawn.errors);
    write_whole(picture, drawn.output);
  }
  return true;
}

}  // namespace
std::vector<Chart> all_charts() {
  std::vector<Chart> charts;
  const Csv& list = csv_file("plots/charts.csv");
  for (std::size_t i = 0; i < list.size(); i++) {
    const Words& row = list.rows[i];
    charts.push_back({row[0], row[1], split(row[2], ' '), row[3], row[4], row[5], row[6]});
  }
  for (const std::string& step : distinct(csv_file("kernels.csv"), "step")) {
    const bool is_own = !parse_number<int>(step);
    const std::string name = is_own ? step : "step" + step;
    auto chart = std::ranges::find(charts, name, &Chart::name);
    if (chart == charts.end()) {
      chart = charts.insert(chart, {name});
      chart->files = {is_own ? step + ".csv" : "ladder.csv"};
      chart->see = "Lower is faster. Below a dashed line only another method gets.";
    }
    const std::string page = step_folder(step) + "/README.md";
    if (chart->title.empty()) {  // that of its page
      chart->title = fs::exists(page) ? search(read_text(page), "# (.*)")[1] : name;
    }
  }
  return charts;
}

std::string draw_charts(const std::string& data, const std::string& out, bool again) {
  int drawn = 0;
  Words problems;
  for (Chart chart : all_charts()) {
    chart.folder = data;
    if (again && chart.name != "front" && !fs::exists(out + "/" + chart.name + ".svg")) {
      continue;
    }
    try {
      drawn += draw(chart, out);
      if (again) {  // they lie beside what is measured, not here
        fs::remove(out + "/" + chart.name + ".dat");
      }
    } catch (const std::exception& error) {
      problems.push_back(error.what());
    }
  }
  if (drawn == 0 && !again) {
    problems.push_back("no chart can be drawn from " + data);
  }
  require(problems.empty(), "{}", fmt::join(problems, "\n"));
  const char* missing = has_gnuplot() ? "" : ", without pictures: gnuplot is not installed";
  return drawn == 0 ? "" : fmt::format("{} charts in {}{}\n", drawn, out, missing);
}

std::string charts(const Words& arguments) {
  if (arguments.size() == 2) {
    return draw_charts(readers_file(arguments[0]), readers_file(arguments[1]), false);
  }
  require(arguments.empty(), "charts: where the CSVs are, and where the charts go; or neither");
  require(has_gnuplot(), "gnuplot is not installed");
  std::string said;
  for (const auto& entry : fs::directory_iterator("plots/data")) {
    const std::string device = entry.path().filename().string();
    said += draw_charts("plots/data/" + device, "plots/charts/" + device, true);
  }
  return said;
}

}  // namespace tutorial
