// The charts of plots/charts.csv: which figures each shows. plots/*.gp draw them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "common/system.hpp"
#include "tutorial/chart_data.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

// The colours of podo, which the colour-blind can tell apart; and a pale one for what is published.
constexpr int kBlack = 0x000000, kOrange = 0xe69f00, kSky = 0x56b4e9, kGreen = 0x009e73,
              kBlue = 0x0072b2, kVermillion = 0xd55e00, kPurple = 0xcc79a7, kGrey = 0xa0a0a0,
              kPublished = 0xe69e66;

// --- What is read --------------------------------------------------------------------------------

/// A column of kernels.csv for a kernel; empty if it is not there.
std::string listed(const std::string& kernel, const std::string& column) {
  const Csv& list = csv_file("kernels.csv");
  const auto rows = rows_where(list, {{"kernel", kernel}});
  return rows.empty() ? "" : list.text(rows[0], column);
}

/// What one of its rows there says of a step.
std::string of_step(const std::string& step, const std::string& column) {
  return std::ranges::max(distinct(csv_file("kernels.csv"), column, {{"step", step}}));
}

bool is_gpu(const Csv& csv) {
  return csv.head("device_type") == "GPU";
}

using Row = std::optional<std::size_t>;
Row row_of(const Csv* csv, const std::string& kernel, const std::string& width) {
  if (csv == nullptr) {
    return {};
  }
  const auto rows = rows_where(*csv, {{"kernel", kernel}, {"filter_width", width}});
  return rows.empty() ? Row() : rows[0];
}

/// 7, or the nearest width to it.
std::string width_near_7(const Csv& csv) {
  const auto distance = [](const std::string& width) { return std::abs(std::stoi(width) - 7); };
  return std::ranges::min(distinct(csv, "filter_width"), {}, distance);
}

/// A figure of a row; `end` is 0 for the median, 1 and 2 for the ends of its interval.
using Value = std::function<double(const Csv&, std::size_t row, int end)>;
Value column(const Words& names) {
  return [=](const Csv& csv, std::size_t row, int end) {
    const bool is_there = csv.has(names[end]) && !csv.text(row, names[end]).empty();
    return is_there ? csv.number(row, names[end]) : kNone;
  };
}
const Value filter_width = column({"filter_width"});
const Value milliseconds = column({"median_ms", "low_ms", "high_ms"});
const Value percent = column({"relative_percent", "relative_low", "relative_high"});
const Value times_floor = column({"x_floor", "x_floor_low", "x_floor_high"});
/// Gpixel/s: the lowest rate is that of the longest time.
double rate(const Csv& csv, std::size_t row, int end) {
  const double slower = milliseconds(csv, row, (3 - end) % 3) / milliseconds(csv, row, 0);
  return csv.number(row, "gpixels_per_s") / slower;
}
/// 10^9 multiply-adds/s of the direct method: one for each tap of each pixel.
double work(const Csv& csv, std::size_t row, int end) {
  return rate(csv, row, end) * std::pow(csv.number(row, "filter_width"), 2);
}
/// What it takes, in ps.
double tap_time(const Csv& csv, std::size_t row, int end) {
  return 1e3 / work(csv, row, (3 - end) % 3);
}

std::string three_digits(double x) {
  const int places = x >= 99.95 ? 0 : x >= 9.995 ? 1 : x >= 0.9995 ? 2 : x >= 0.09995 ? 3 : 4;
  return fmt::format("{:.{}f}", x, places);
}

/// Device, driver, image; `size` for rows of several sizes.
std::string subtitle(const Csv& csv, const std::string& size) {
  return fmt::format(
      "{} · driver {} · {} {}", device_name(csv), csv.head("driver"), size, csv.head("image"));
}

/// A kernel in a chart, perhaps of another CSV than the chart's.
struct Shown {
  std::string kernel, file, title;
  bool in_colour;
};

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

/// The kernels of a chart for the device of a CSV, of those that it has. The grey ones come first,
/// so that they lie below.
std::vector<Shown> shown_in(const Chart& chart, const Csv& csv) {
  Words lists = split(is_gpu(csv) || chart.cpu.empty() ? chart.gpu : chart.cpu, '|');
  lists.resize(2);
  const std::string step = replaced(chart.name, "^step([0-9]+)$", "$1");
  const Words added = distinct(csv_file("kernels.csv"), "kernel", {{"step", step}});
  std::vector<Shown> shown;
  for (const bool in_colour : {false, true}) {
    const Words kernels = split(lists[in_colour ? 0 : 1], ' ');
    for (const std::string& text : in_colour&& lists[0].empty() ? added : kernels) {
      Words parts = split(text, '@');  // KERNEL, or KERNEL@FILE@TITLE
      parts.resize(3);
      const std::string title = parts[2].empty() ? parts[0] : replaced(parts[2], "~", " ");
      if (!rows_where(csv, {{"kernel", parts[0]}}).empty()) {
        shown.push_back({parts[0], parts[1], title, in_colour});
      }
    }
  }
  return shown;
}

// --- The charts: each adds to a data file what there is in its first CSV --------------------------

/// The look of a kernel's curve: that of kernels.csv, so the same in all charts. Others are told
/// apart by their place.
std::string look_of(const std::string& kernel, std::size_t place, bool in_colour = true) {
  static const std::vector<int> podo = {kBlack,   kOrange, kSky,        kGreen,
                                        0xf0e442, kBlue,   kVermillion, kPurple};
  static const std::vector<Words> others = {
      {"1", "6", "1"}, {"8", "4", "2"}, {"6", "8", "3"}, {"4", "10", "4"}, {"3", "12", "2"}};
  Words look = {listed(kernel, "colour"), listed(kernel, "marker"), listed(kernel, "dash")};
  look = look[0].empty() ? others[place % others.size()] : look;
  const int colour = in_colour ? podo.at(std::stoi(look[0]) - 1) : kGrey;
  return fmt::format("linecolor rgb {:#08x} pointtype {} dashtype {}", colour, look[1], look[2]);
}
const std::string published_look = "linecolor rgb 0xd55e00 pointtype 13 pointsize 1.2";

void add_rows(
    ChartData& data, const std::string& block, const std::string& title, const std::string& look,
    const Csv& csv, const std::vector<std::size_t>& rows, const Value& over, const Value& value) {
  std::vector<std::array<double, 4>> points;
  for (const std::size_t row : rows) {
    points.push_back(
        {over(csv, row, 0), value(csv, row, 0), value(csv, row, 1), value(csv, row, 2)});
  }
  data.add_curve(block, title, look, points);
}

// Over the filter's width.
void curves(const Chart& chart, const Csv& csv, ChartData& data) {
  static const std::map<std::string, Value> values = {{"floor", times_floor}, {"percent", percent},
                                                      {"rate", rate},         {"taps", tap_time},
                                                      {"time", milliseconds}, {"work", work}};
  const std::vector<Shown> shown = shown_in(chart, csv);
  if (std::ranges::none_of(shown, &Shown::in_colour)) {
    return;
  }
  // A step of your own may have another baseline: its first kernel.
  const Words measured = distinct(csv, "kernel");
  const std::string baseline = contains(measured, "Convolve") ? "Convolve" : measured[0];
  const bool has_floor = csv.has("x_floor") && distinct(csv, "x_floor") != Words{""};
  std::string kind = chart.draws;
  if (kind.empty()) {  // over the floor, once the growing convolution.cl is left behind
    const bool grows = listed(shown.back().kernel, "file") == "convolution.cl";
    kind = shown.size() == 1 && shown[0].kernel == baseline ? "time"
           : grows || !has_floor                            ? "percent"
                                                            : "floor";
  }
  data.set("kind", kind);
  data.set("baseline", baseline);
  data.set("height", kind == "taps" ? 340 : 500);
  const Value value = values.at(kind);
  const Value at_floor = [&](const Csv&, std::size_t row, int) {
    const double floors = times_floor(csv, row, 0);
    return value(csv, row, 0) * (kind == "rate" ? floors : 1.0 / floors);
  };
  if (has_floor && (kind == "time" || kind == "percent" || kind == "rate")) {
    add_rows(
        data, "floor", "floor", "", csv, rows_where(csv, {{"kernel", baseline}}), filter_width,
        at_floor);
  }
  for (std::size_t i = 0; i < shown.size(); i++) {
    const auto& [kernel, name, title, in_colour] = shown[i];
    const Csv* file = name.empty() ? &csv : csv_of(chart, name);
    const bool is_line = kernel == baseline && (kind == "percent" || kind == "floor");
    if (file == nullptr || is_line) {
      continue;
    }
    std::string look = look_of(kernel, i, in_colour);
    look = file == &csv ? look : replaced(look, "dashtype .", "dashtype 2");
    const bool is_published = name.starts_with("published/");
    if (is_published || file->head("size") == csv.head("size")) {
      add_rows(
          data, is_published ? "marks" : "curves", title, is_published ? published_look : look,
          *file, rows_where(*file, {{"kernel", kernel}}), filter_width, value);
    }
  }
}

// Some of the ladder's kernels below the ceilings of the same run. A transform does fewer
// multiply-adds than the direct method, and gets above the roof.
void roofline(const Chart& chart, const Csv& csv, ChartData& data) {
  const auto set_ceiling = [&](const char* name, const Csv& file, const char* key) {
    data.set(name, 1e-9 * parse_number<double>(file.head(key)).value_or(0.0));
  };
  set_ceiling("compute", csv, "multiply_adds_per_s");
  set_ceiling("copy", csv, "copy_bytes_per_s");
  // Products of bytes have a roof of their own, if a unit for them was measured.
  if (const Csv* bytes = csv_of(chart, "bytes.csv");
      bytes != nullptr && bytes->head("multiply_add_type").find("bytes") != std::string::npos) {
    set_ceiling("bytes_compute", *bytes, "multiply_adds_per_s");
  }
  if (!csv.head("multiply_adds_per_s").empty()) {
    curves(chart, csv, data);
    const auto start =
        rows_where(csv, {{"kernel", "Convolve"}, {"filter_width", width_near_7(csv)}});
    add_rows(
        data, "marks", "you start here",
        "linecolor rgb 0xd55e00 pointtype 6 pointsize 2.6 linewidth 2", csv, start, filter_width,
        work);
  }
}

// Time of one kernel over the size of its work-group, relative to 64 work-items.
void work_groups(const Chart& /*chart*/, const Csv& csv, ChartData& data) {
  const std::size_t usual = rows_where(csv, {{"local_x", "64"}}).at(0);
  const Value relative = [&](const Csv&, std::size_t row, int end) {
    return 100.0 * milliseconds(csv, row, end) / milliseconds(csv, usual, 0);
  };
  const std::string kernel = split(csv.text(0, "kernel"), ':')[0];
  data.set("kind", "work_groups");
  add_rows(
      data, "curves", kernel, look_of(kernel, 0), csv, rows_where(csv, {}), column({"local_x"}),
      relative);
}

/// The colour of a kernel's part of the ladder, which the legend names.
int part_colour(const std::string& kernel, ChartData& data) {
  static const std::vector<int> colours = {0x404040, kOrange, kSky,    kBlue,
                                           kPurple,  kGreen,  0xf0e442};
  Words parts = distinct(csv_file("kernels.csv"), "part");
  std::erase(parts, "");
  const std::string step = listed(kernel, "step"), part = step.empty() ? "" : of_step(step, "part");
  if (part.empty()) {
    return kBlue;
  }
  const auto place = static_cast<std::size_t>(std::ranges::find(parts, part) - parts.begin());
  data.add_legend(part, colours[place % colours.size()]);
  return colours[place % colours.size()];
}

/// The label of the axis of rates at a filter width, and the line of the floor: the median of what
/// the rows say.
void set_rates(ChartData& data, const Csv& csv, const std::string& width) {
  std::vector<double> rates;
  for (const std::size_t row : rows_where(csv, {{"filter_width", width}})) {
    if (const double floors = times_floor(csv, row, 0); !std::isnan(floors)) {
      rates.push_back(rate(csv, row, 0) * floors);
    }
  }
  std::ranges::sort(rates);
  data.set("x_label", fmt::format("Gpixel/s at {0} x {0} (higher is better)", width));
  if (!rates.empty()) {
    data.set_line(
        rates[rates.size() / 2], "at the floor: " + three_digits(rates[rates.size() / 2]));
  }
}

void add_rate(
    ChartData& data, const std::string& name, const Csv& csv, std::size_t row, int colour,
    const std::string& more = {}) {
  const double median = rate(csv, row, 0);
  data.add_bar(
      name, 0.0, median, colour, three_digits(median) + more, rate(csv, row, 1), rate(csv, row, 2));
}

// One bar a step: its fastest kernel, and how many times as fast as Convolve in its own run it is.
// A tile is as fast as its work-group lets it be: on a GPU those of wide work-groups count, too.
void front(const Chart& chart, const Csv& csv, ChartData& data) {
  const std::string width = width_near_7(csv);
  std::map<int, std::pair<const Csv*, std::size_t>> best;
  for (const auto& [step, fastest] : fastest_of_steps(csv, width)) {
    best[step] = {&csv, *row_of(&csv, fastest.second, width)};
  }
  if (const Csv* wide = is_gpu(csv) ? csv_of(chart, "work-group-32x8.csv") : nullptr) {
    for (const auto& [step, fastest] : fastest_of_steps(*wide, width)) {
      const std::size_t row = *row_of(wide, fastest.second, width);
      const bool is_tile = best.contains(step) && wide->text(row, "local_x") != "0";
      if (is_tile && fastest.first > rate(csv, best[step].second, 0)) {
        best[step] = {wide, row};
      }
    }
  }
  set_rates(data, csv, width);
  data.set("subtitle", subtitle(csv, csv.head("size")) + " · x: over Convolve in its own run");
  for (const auto& [step, place] : best) {
    const auto& [file, row] = place;
    const double times = 100.0 / percent(*file, row, 0);
    add_rate(
        data, fmt::format("{}  {}", step, of_step(std::to_string(step), "technique")), *file, row,
        part_colour(file->text(row, "kernel"), data),
        std::isnan(times) ? "" : fmt::format(", {:.{}f}x", times, times < 9.95 ? 1 : 0));
  }
}

// One bar a kernel, in the order of kernels.csv; those of the median beside what was published.
void rates(const Chart& chart, const Csv& csv, ChartData& data) {
  const std::string width = width_near_7(csv);
  set_rates(data, csv, width);
  Words kernels = distinct(csv_file("kernels.csv"), "kernel");
  for (const std::string& kernel : distinct(csv, "kernel")) {
    contains(kernels, kernel) ? void() : kernels.push_back(kernel);
  }
  for (const std::string& kernel : kernels) {
    // The OpenMP loop runs on the host's CPU: it is no result of a GPU.
    const Row row = row_of(&csv, kernel, width);
    const bool is_host = row && csv.text(*row, "kind") == "host";
    if (row && !(is_host && is_gpu(csv))) {
      add_rate(data, kernel, csv, *row, is_host ? kGrey : part_colour(kernel, data));
    }
  }
  if (chart.name == "median" && is_gpu(csv)) {
    const Csv& published = csv_file("plots/published/anchors.csv");
    data.add_note("published (RTX 3090, 2022):");
    for (const std::size_t row : rows_where(published, {{"id", "CA.5"}})) {
      data.add_bar(
          replaced(published.text(row, "what"), "^median 3 x 3; ", ""), 0.0,
          published.number(row, "gpixels_per_s"), kPublished, published.text(row, "gpixels_per_s"));
    }
  }
}

// All devices of plots/data, the fastest first: from Convolve to the fastest kernel.
void devices(const Chart& /*chart*/, const Csv& /*csv*/, ChartData& data) {
  const std::map<std::string, Csv> all = ladders();
  // By the fastest rate: the ladder, and the kernel's row.
  std::map<double, std::pair<const Csv*, std::size_t>, std::greater<>> fastest;
  for (const auto& [folder, csv] : all) {
    std::pair<double, std::string> best;
    for (const auto& [step, rated] : fastest_of_steps(csv, "7")) {
      best = std::max(best, rated);
    }
    fastest[best.first] = {&csv, row_of(&csv, best.second, "7").value()};
  }
  data.set("subtitle", "A filter of 7 x 7 taps; each device with the image size of the table");
  data.set("x_label", "Gpixel/s, logarithmic (right is better)");
  data.set("x_log", 1);
  for (const auto& [best, place] : fastest) {
    const auto& [csv, row] = place;
    const double first = rate(*csv, row_of(csv, "Convolve", "7").value(), 0);
    const std::string text = fmt::format(
        "{}: {:.2g} times, {:.2f} x floor", three_digits(best), best / first,
        times_floor(*csv, row, 0));
    data.add_bar(
        device_name(*csv), first, best, kBlue, text, rate(*csv, row, 1), rate(*csv, row, 2));
  }
}

// What the model predicts for some kernels: arithmetic and loads one after the other, and a line for
// memory. On a CPU these times say little: they know neither waiting nor vectors.
void predictions(const Chart& chart, const Csv& csv, ChartData& data) {
  const Csv& counts = csv_file("plots/xray/ladder.csv");
  data.set("x_label", "ms");
  data.add_legend("arithmetic", kOrange);
  data.add_legend("loads", kSky);
  for (const Shown& one : shown_in(chart, csv)) {
    const Row row = row_of(&csv, one.kernel, "7"), counted = row_of(&counts, one.kernel, "7");
    if (row && counted) {
      const auto [arithmetic, loads, memory] = predicted(csv, *row, counts, *counted);
      const double ms = milliseconds(csv, *row, 0);
      data.add_bar(one.kernel, 0.0, arithmetic, kOrange);
      data.add_bar("", arithmetic, arithmetic + loads, kSky);
      data.add_bar(
          "measured", 0.0, ms, kGrey, fmt::format("{:.3f}", ms), milliseconds(csv, *row, 1),
          milliseconds(csv, *row, 2));
      data.set_line(memory, fmt::format("memory: {:.3f}", memory));
    }
  }
}

// Chapter 7's versions: their published gains on three GPUs of 2009 and 2010, then the measured ones
// at two sizes. The book gives the gain by unrolling over the version that is not unrolled.
void chapter7(const Chart& chart, const Csv& csv, ChartData& data) {
  const Csv& published = csv_file("plots/published/chapter7.csv");
  data.set("subtitle", subtitle(csv, "two sizes of the"));
  data.set("x_label", "speed-up (higher is better)");
  data.set_line(1.0, "no gain");
  for (const Shown& one : shown_in(chart, csv)) {
    const bool unrolls = one.kernel.find("Local_Unroll") != std::string::npos;
    const std::string base = unrolls ? "Convolve_Local" : "Convolve_Local:tight";
    data.add_note(one.kernel + ", over " + base);
    for (const std::size_t row : rows_where(published, {{"kernel", one.kernel}})) {
      data.add_bar(
          published.text(row, "device"), 0.0, published.number(row, "factor"), kPublished,
          published.text(row, "printed"));
    }
    for (const std::string& name : chart.files) {
      const Csv* file = csv_of(chart, name);
      const Row of = row_of(file, base, "7"), row = row_of(file, one.kernel, "7");
      if (of && row) {
        const auto gain = [&](int end) {
          return percent(*file, *of, 0) / percent(*file, *row, (3 - end) % 3);
        };
        data.add_bar(
            "measured, " + file->head("size"), 0.0, gain(0), kBlue, fmt::format("{:.2f}x", gain(0)),
            gain(1), gain(2));
      }
    }
  }
}

// Each way's time relative to the first one's, at several sizes. Bars begin at 100 %; on a
// logarithmic scale half the time and twice the time are equally far from it.
void edge_conditions(const Chart& chart, const Csv& csv, ChartData& data) {
  data.set("subtitle", subtitle(csv, "two sizes of the"));
  data.set(
      "x_label", "% of the time of a branch for each neighbour, logarithmic (lower is faster)");
  data.set("x_log", 1);
  data.set_line(100.0, "100 %");
  for (const std::string& way : distinct(csv, "kernel")) {
    for (const std::string& name : chart.files) {
      const Csv* file = csv_of(chart, name);
      const Row row = row_of(file, way, csv.text(0, "filter_width"));
      if (row && percent(*file, *row, 0) != 100.0) {
        const double its = percent(*file, *row, 0);
        const int colour = file == &csv ? kBlue : kOrange;
        data.add_bar(
            file == &csv ? way : " ", 100.0, its, colour, fmt::format("{:.1f} %", its),
            percent(*file, *row, 1), percent(*file, *row, 2));
        data.add_legend(file->head("size"), colour);
      }
    }
  }
}

// From host to device and back, one part after the other, on floats and on bytes; then the same in
// pinned memory that is kept, or on a CPU without a border, and the result read in place. What was
// measured as a whole has that time behind it.
void pipeline(const Chart& chart, const Csv& csv, ChartData& data) {
  const auto ms = [&](const std::string& name, int end = 0) {
    const Row row = row_of(&csv, name, "7");
    return row ? milliseconds(csv, *row, end) : kNone;
  };
  const auto add = [&](const std::string& name, const Words& parts, const std::string& whole) {
    static const std::vector<std::pair<std::string, int>> looks = {
        {"border", kPurple}, {"upload", kSky}, {"kernel", kOrange}, {"read-back", kGreen}};
    double end = 0.0;
    for (std::size_t i = 0; i < parts.size(); i++) {
      const auto& [part, colour] = looks[i];
      const double its = parts[i].empty() ? 0.0 : ms(parts[i]);
      data.add_bar(i == 0 ? name : "", end, end + its, colour);
      data.add_legend(part, colour);
      end += its;
    }
    const double time = whole.empty() ? end : ms(whole);
    data.add_bar("", end, end, kGrey, three_digits(time), ms(whole, 1), ms(whole, 2));
  };
  data.set("x_label", "ms for one image");
  for (const auto& [kernel, file, title, in_colour] : shown_in(chart, csv)) {
    const std::string bytes = kernel.find("Bytes") != std::string::npos ? ":bytes" : "";
    add(kernel, {"border" + bytes, "upload" + bytes, kernel, "read-back" + bytes}, "way:" + kernel);
    if (kernel == "Convolve") {
      continue;
    }
    if (is_gpu(csv)) {
      const std::string pinned = ":pinned" + bytes;
      add(kernel + ", pinned", {"border" + pinned, "upload" + pinned, kernel, "read-back" + pinned},
          "way:pinned:" + kernel);
    } else {
      add(kernel + ", in place", {"", "upload" + bytes, kernel, "read-back:map" + bytes}, "");
    }
  }
}

// --- Drawing -------------------------------------------------------------------------------------

/// A chart's data file, of the first of its CSVs that has something for it; empty if none has.
std::string data_of(const Chart& chart) {
  static const std::map<std::string, void (*)(const Chart&, const Csv&, ChartData&)> others = {
      {"chapter7", chapter7}, {"devices", devices},         {"edge_conditions", edge_conditions},
      {"front", front},       {"pipeline", pipeline},       {"predictions", predictions},
      {"rates", rates},       {"work_groups", work_groups}, {"work", roofline}};
  std::string text;
  for (std::size_t i = 0; i < chart.files.size() && text.empty(); i++) {
    const Csv* csv = csv_of(chart, chart.files[i]);
    if (csv != nullptr && (chart.cpu != "-" || is_gpu(*csv))) {
      ChartData data;
      data.set("title", chart.title);
      data.set("subtitle", subtitle(*csv, csv->head("size")));
      (others.contains(chart.draws) ? others.at(chart.draws) : curves)(chart, *csv, data);
      text = data.text();
    }
  }
  return text;
}

bool has_gnuplot() {
  static const bool has = run({{"gnuplot", "--version"}}).status == 0;
  return has;
}

/// Draws a chart, or removes it if its data are gone: nothing old stays as if it were new. Returns
/// whether there are data.
bool draw(const Chart& chart, const std::string& out) {
  const std::string file = out + "/" + chart.name + ".dat";
  const std::string picture = out + "/" + chart.name + ".svg";
  fs::remove(file);
  fs::remove(picture);
  const std::string text = data_of(chart);
  if (text.empty()) {
    return false;
  }
  const std::string script = text.find("$bars") != std::string::npos ? "plots/bars.gp"
                             : chart.draws == "work"                 ? "plots/roofline.gp"
                                                                     : "plots/curves.gp";
  const std::string data = "data='" + replaced(file, "'", "''") + "'";
  fs::create_directories(out);
  write_whole(file, fmt::format("# gnuplot -e \"{}\" {} > {}\n{}", data, script, picture, text));
  if (has_gnuplot()) {
    const Finished drawn = run({{"gnuplot", "-d", "-e", data, script}, {{"LC_ALL", "C.UTF-8"}}});
    const bool is_whole = drawn.output.find("</svg>") != std::string::npos;
    if (drawn.status != 0 || !drawn.errors.empty() || !is_whole) {
      fail("gnuplot could not draw {}: {}", picture, drawn.errors);
    }
    write_whole(picture, drawn.output);
  }
  return true;
}

}  // namespace

std::vector<Chart> all_charts() {
  std::vector<Chart> charts;
  const Csv& list = csv_file("plots/charts.csv");
  for (std::size_t i = 0; i < list.size(); i++) {
    const Words& row = list.row(i);
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
  if (!problems.empty()) {
    fail("{}", fmt::join(problems, "\n"));
  }
  const char* missing = has_gnuplot() ? "" : ", without pictures: gnuplot is not installed";
  return drawn == 0 ? "" : fmt::format("{} charts in {}{}\n", drawn, out, missing);
}

std::string charts(const Words& arguments) {
  if (arguments.size() == 2) {
    return draw_charts(readers_file(arguments[0]), readers_file(arguments[1]), false);
  }
  require(arguments.empty(), "charts: where the CSVs are, and where the charts go; or neither");
  require(has_gnuplot(), "gnuplot is not installed");
  std::string said = draw_charts("plots/data", "plots/charts", true);
  for (const auto& entry : fs::directory_iterator("plots/data")) {
    const std::string device = entry.path().filename().string();
    said += draw_charts("plots/data/" + device, "plots/charts/" + device, true);
  }
  return said;
}

}  // namespace tutorial
