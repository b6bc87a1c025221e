#include "common/lab/figures.hpp"

#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <set>

#include "common/error.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_undisturbed = 6;  // whose range is a 95 % interval

/// Rank (0-based) of the lower end of the confidence interval of the median of `count` samples; the
/// upper end has the mirrored rank. With k samples below it, the interval misses the median when k
/// or fewer of `count` fair coins fall one way: the largest k is taken for which the probability of
/// that is at most 2.5 %, shared out among the intervals that are to hold `together`.
int interval_rank(int count, int together) {
  double below = 0.0;
  int rank = 0;
  for (int k = 0; k < count / 2; k++) {
    below += std::exp(
        std::lgamma(count + 1.0) - std::lgamma(k + 1.0) - std::lgamma(count - k + 1.0) -
        count * std::log(2.0));
    rank = below > 0.025 / together ? rank : k;
  }
  return rank;
}

/// A figure on the screen: 0.0123, 1.234, 123.4, 12345.
std::string four_digits(double value) {
  const int decimals = value < 1.0 ? 4 : value < 10.0 ? 3 : value < 100.0 ? 2 : value < 1e3 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string all_digits(double value) {
  return fmt::format("{:.9g}", value);
}

using Words = std::vector<std::string>;

std::string end_of(
    const std::optional<Statistics>& figure, double Statistics::*end, double scale = 1.0) {
  return figure ? all_digits(scale * (*figure).*end) : "";
}

std::string unsure(const Figures& figures) {
  Words names;
  figures.time_ms.sure ? void() : names.push_back("time");
  !figures.relative || figures.relative->sure ? void() : names.push_back("relative");
  !figures.x_floor || figures.x_floor->sure ? void() : names.push_back("x_floor");
  return fmt::format("{}", fmt::join(names, " "));
}

/// Their names, and their texts, empty where there is no such figure.
const std::vector<std::pair<const char*, std::string (*)(const Figures&)>> figure_columns = {
    {"run", [](auto& f) { return std::to_string(f.of->run); }},
    {"kernel", [](auto& f) { return f.of->kernel; }},
    {"filter_width", [](auto& f) { return std::to_string(f.of->filter_width); }},
    {"local_x", [](auto& f) { return std::to_string(f.of->local_x); }},
    {"rounds", [](auto& f) { return std::to_string(f.of->rounds.ms.size()); }},
    {"median_ms", [](auto& f) { return all_digits(f.time_ms.median); }},
    {"low_ms", [](auto& f) { return all_digits(f.time_ms.low); }},
    {"high_ms", [](auto& f) { return all_digits(f.time_ms.high); }},
    {"relative_percent", [](auto& f) { return end_of(f.relative, &Statistics::median, 100.0); }},
    {"relative_low", [](auto& f) { return end_of(f.relative, &Statistics::low, 100.0); }},
    {"relative_high", [](auto& f) { return end_of(f.relative, &Statistics::high, 100.0); }},
    {"gpixels_per_s", [](auto& f) { return all_digits(f.gpixels_per_s); }},
    {"x_floor", [](auto& f) { return end_of(f.x_floor, &Statistics::median); }},
    {"x_floor_low", [](auto& f) { return end_of(f.x_floor, &Statistics::low); }},
    {"x_floor_high", [](auto& f) { return end_of(f.x_floor, &Statistics::high); }},
    {"left_out",
     [](auto& f) { return std::to_string(std::ranges::count(f.of->rounds.disturbed, true)); }},
    {"unsure", unsure},
    {"kind", [](auto& f) { return f.of->kind; }}};

/// The numbers of a field `1.5 2? 1.25`.
Rounds rounds_in(const Csv& file, std::size_t row) {
  Rounds rounds;
  for (const std::string& round : split(file.text(row, "rounds_ms"), ' ')) {
    const auto ms = parse_number<double>(round.substr(0, round.find('?')));
    require(
        ms && *ms > 0.0 && std::isfinite(*ms), "{}: {} has a round of '{}' ms", file.path,
        file.text(row, "kernel"), round);
    rounds.disturbed.push_back(round.ends_with('?'));
    rounds.ms.push_back(*ms);
  }
  return rounds;
}

/// A ratio of two ratios, which were measured in different runs.
Statistics quotient(const Statistics& a, const Statistics& b) {
  return {a.median / b.median, a.low / b.high, a.high / b.low, a.sure && b.sure};
}

}  // namespace

Statistics summarize(std::vector<double> samples, int together) {
  std::ranges::sort(samples);
  const auto count = static_cast<int>(samples.size());
  const int rank = interval_rank(count, together);
  const double median = 0.5 * (samples[(count - 1) / 2] + samples[count / 2]);
  return {median, samples[rank], samples[count - 1 - rank]};
}

Statistics paired_ratio(const Rounds& a, const Rounds& b, int together) {
  std::vector<double> all, undisturbed;
  for (std::size_t round = 0; round < a.ms.size(); round++) {
    all.push_back(a.ms[round] / b.ms[round]);
    if (!a.disturbed[round] && !b.disturbed[round]) {
      undisturbed.push_back(all.back());
    }
  }
  const bool enough =
      undisturbed.size() == all.size() ||
      (undisturbed.size() >= least_undisturbed && 2 * undisturbed.size() >= all.size());
  Statistics statistics = summarize(enough ? undisturbed : all, together);
  statistics.sure = enough;
  return statistics;
}

Statistics summarize(const Rounds& rounds) {
  const std::size_t count = rounds.ms.size();
  return paired_ratio(rounds, {std::vector(count, 1.0), std::vector(count, false)});
}

bool no_difference(const Statistics& ratio) {
  return ratio.low <= 1.0 && 1.0 <= ratio.high;
}

std::string Figures::line(bool with_floor, bool hides_unsure) const {
  const auto row = [&](auto... cells) {
    return fmt::format("{:<30} {:>8} {:>14} {:>10} {:>6}{:>{}}\n", cells..., with_floor ? 8 : 0);
  };
  if (of == nullptr) {
    const char* floor = with_floor ? "x floor" : "";
    return row("kernel", "median", "95 % interval", "relative", "Gpix/s", floor);
  }
  const auto shown = [&](bool sure, const std::string& text, const char* end = "") {
    return sure ? text + end : hides_unsure ? "-" : text + "?";
  };
  const bool bears = time_ms.sure || !hides_unsure;
  std::string percent = "-", floor = "-";
  if (relative) {
    const double median = 100.0 * relative->median;
    const bool same = !is_baseline && no_difference(*relative);
    // Beside a fast kernel the host's loop takes thousands of percent.
    percent = shown(
        relative->sure, fmt::format("{}{:.{}f} %", same ? "= " : "", median, median < 1e4 ? 1 : 0));
  }
  if (x_floor) {
    floor = shown(x_floor->sure, four_digits(x_floor->median));
  }
  return row(
      of->kernel, shown(time_ms.sure, four_digits(time_ms.median), of->clock == "host" ? "*" : " "),
      shown(bears, four_digits(time_ms.low) + ".." + four_digits(time_ms.high)), percent,
      shown(bears, four_digits(gpixels_per_s)), with_floor ? floor : "");
}

Measured::Measured(const std::string& path) {
  const fs::path name = path;
  std::set<std::string> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(name.parent_path(), none)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with(name.stem().string() + ".") && file.ends_with(".csv")) {
      files.insert(entry.path().string());
    }
  }
  files = fs::exists(name) ? std::set{path} : files;
  require(!files.empty(), "{}: there is no such file", path);
  for (const std::string& file : files) {
    add(read_csv(file));
  }
}

void Measured::add(const Csv& file) {
  const int run_before = series.empty() ? 0 : std::ranges::max(series, {}, &Series::run).run;
  head = head.empty() ? file.head : head;
  const auto whole = [&](std::size_t row, const char* column) {
    return static_cast<int>(file.number(row, column));
  };
  std::map<std::pair<int, int>, std::size_t> lengths;  // of runs at a filter width
  for (std::size_t row = 0; row < file.size(); row++) {
    series.push_back(
        {run_before + whole(row, "run"), file.text(row, "kernel"), whole(row, "filter_width"),
         whole(row, "local_x"), whole(row, "local_y"), file.number(row, "max_error"),
         file.text(row, "clock"), file.text(row, "kind"), rounds_in(file, row)});
    const Series& one = series.back();
    const std::size_t length =
        lengths.try_emplace({one.run, one.filter_width}, one.rounds.ms.size()).first->second;
    require(
        length == one.rounds.ms.size(), "{}: {} has {} rounds, and others of its run {}", file.path,
        one.kernel, one.rounds.ms.size(), length);
  }
}

std::string Measured::text() const {
  std::string content;
  for (const auto& [key, value] : head) {
    content += fmt::format("# {}: {}\n", key, value);
  }
  content += "run,kernel,filter_width,local_x,local_y,max_error,clock,kind,rounds_ms\n";
  for (const Series& one : series) {
    const bool is_plain = one.kernel.find_first_of("\",") == std::string::npos;
    const auto quoted = fmt::format("\"{}\"", fmt::join(split(one.kernel, '"'), "\"\""));
    content += fmt::format(
        "{},{},{},{},{},{:.2e},{},{},", one.run, is_plain ? one.kernel : quoted, one.filter_width,
        one.local_x, one.local_y, one.max_error, one.clock, one.kind);
    for (std::size_t i = 0; i < one.rounds.ms.size(); i++) {
      content += fmt::format(
          "{}{}{}", i == 0 ? "" : " ", one.rounds.ms[i], one.rounds.disturbed[i] ? "?" : "");
    }
    content += '\n';
  }
  return content;
}

const Series* Measured::find(int run, const std::string& kernel, int filter_width) const {
  const auto found = std::ranges::find_if(series, [&](const Series& one) {
    return one.run == run && one.kernel == kernel && one.filter_width == filter_width;
  });
  return found == series.end() ? nullptr : &*found;
}

Figures Measured::figures(const Series& one) const {
  Figures made;
  made.of = &one;
  made.time_ms = summarize(one.rounds);
  int width = 0, height = 0;
  std::sscanf(head.of("size").c_str(), "%d x %d", &width, &height);
  made.gpixels_per_s = 1e-6 * width * height / made.time_ms.median;
  if (const Series* baseline = find(one.run, head.of("baseline"), one.filter_width)) {
    made.relative = paired_ratio(one.rounds, baseline->rounds);
    made.is_baseline = baseline->kernel == one.kernel;
    made.relative->sure = made.relative->sure || made.is_baseline;
  }
  // The floor is the device's: the host's loop has the same one only if that is the host.
  const Series* floor = find(one.run, "floor", one.filter_width);
  if (floor != nullptr && (one.kind != "host" || head.of("device_type") == "CPU")) {
    made.x_floor = paired_ratio(one.rounds, floor->rounds);
  }
  return made;
}

std::optional<Statistics> Measured::ratio(
    const std::string& kernel, const std::string& other, int filter_width, int together) const {
  // In the first run that has both.
  const auto in_pairs = [&](const std::string& a, const std::string& b, int intervals) {
    std::optional<Statistics> ratio;
    for (const Series& one : series) {
      const Series* mate = find(one.run, b, filter_width);
      if (!ratio && one.kernel == a && one.filter_width == filter_width && mate != nullptr) {
        ratio = paired_ratio(one.rounds, mate->rounds, intervals);
      }
    }
    return ratio;
  };
  if (const auto ratio = in_pairs(kernel, other, together)) {
    return ratio;
  }
  const auto above = in_pairs(kernel, head.of("baseline"), 2 * together);
  const auto below = in_pairs(other, head.of("baseline"), 2 * together);
  return above && below ? std::optional(quotient(*above, *below)) : std::nullopt;
}

Csv Measured::view(const std::string& path) const {
  Words names;
  for (const auto& [name, value] : figure_columns) {
    names.push_back(name);
  }
  std::vector<Words> rows;
  std::map<std::string, int> seen;
  for (const Series& one : series) {
    const std::string key =
        fmt::format("{} {} {} {}", one.kernel, one.filter_width, one.local_x, one.local_y);
    if (one.kind == "floor" || seen.try_emplace(key, one.run).first->second != one.run) {
      continue;
    }
    const Figures made = figures(one);
    auto& row = rows.emplace_back();
    for (const auto& [name, value] : figure_columns) {
      row.push_back(value(made));
    }
  }
  return {path, head, names, rows};
}

std::string Ceilings::describe() const {
  return fmt::format(
      "{:.1f} G multiply-adds/s ({}),\n{:.1f} GB/s copy ({})", 1e-9 * multiply_adds.per_s,
      multiply_adds.type, 1e-9 * copies.per_s, copies.type);
}

Head Ceilings::head() const {
  const auto digits = [](double rate) { return fmt::format("{:.6g}", rate); };
  return {
      {"multiply_adds_per_s", digits(multiply_adds.per_s)},
      {"multiply_add_type", multiply_adds.type},
      {"copy_bytes_per_s", digits(copies.per_s)},
      {"copy_type", copies.type}};
}

// Everything in double: the largest images have more bytes than an int can count.
double compulsory_bytes(int width, int height, int filter_width, int pixel_bytes) {
  const double halo = filter_width - 1.0;
  return pixel_bytes * ((width + halo) * (height + halo) + 1.0 * width * height);
}

Floor convolution_floor(
    int width, int height, int filter_width, double multiply_adds_per_s, double copy_bytes_per_s,
    int pixel_bytes) {
  const double multiply_adds = 1.0 * width * height * filter_width * filter_width;
  const double compute_s = multiply_adds / multiply_adds_per_s;
  const double memory_s =
      compulsory_bytes(width, height, filter_width, pixel_bytes) / copy_bytes_per_s;
  return compute_s >= memory_s ? Floor{compute_s, "compute"} : Floor{memory_s, "memory"};
}

}  // namespace tutorial
