// What a measurement ends with: the summary on the terminal, and the page of all results.
#include <filesystem>

#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// A sentence if the machine was not quiet while it measured the ladder; else empty. An interval is
/// wide if its ends differ by more than a fifth; a quarter of wide ones is too many.
std::string noise(const Csv& ladder) {
  std::size_t wide = 0;
  double widest = 0.0;
  std::string worst;
  for (std::size_t row = 0; row < ladder.size(); row++) {
    const double low = ladder.number(row, "low_ms");
    const double ratio = low > 0.0 ? ladder.number(row, "high_ms") / low : 0.0;
    wide += ratio > 1.2;
    if (ratio > widest) {
      widest = ratio;
      worst = ladder.text(row, "kernel") + " at width " + ladder.text(row, "filter_width");
    }
  }
  if (4 * wide <= ladder.size()) {
    return "";
  }
  return fmt::format(
      "The machine was not quiet: {} of {} intervals are wider than a fifth of the time. Trust no "
      "difference between kernels whose intervals overlap, and least of all {} (a factor of "
      "{:.1f}). Run again when nothing else runs.\n\n",
      wide, ladder.size(), worst, widest);
}

}  // namespace

std::string summary(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv& ladder = csv_file(results + "/ladder.csv");
  write_whole(results + "/claims.csv", claims_csv(results));
  return fmt::format(
      "device: {}\nsize: {}\nfilter: {}\n"
      "Time in % of Convolve's by the filter's width (lower is faster); at width 7\n"
      "the rate and the time over the floor (1 is the device's ceiling):\n\n{}\n"
      "== Do the published claims hold on this device?\n{}{}",
      ladder.head("device"), ladder.head("size"), ladder.head("filter"),
      ladder_table(ladder).aligned(), claims_text(results), noise(ladder));
}

std::string page(const std::string& results) {
  const Csv& here = csv_file(results + "/ladder.csv");
  const bool is_cpu = here.head("device_type") == "CPU";
  const Csv& there =
      csv_file(is_cpu ? "plots/data/pocl-xeon/ladder.csv" : "plots/data/h200/ladder.csv");
  const std::string list = "plots/charts.csv";
  std::string charts;
  const auto add_chart = [&](const std::string& name, const std::string& see) {
    const std::string path = "charts/" + name + ".svg";
    if (fs::exists(results + "/" + path)) {
      charts += fmt::format("![{}]({})\n\n{}\n\n", ask({"title", list, name}), path, see);
    }
  };
  for (std::size_t row = 0; row < csv_file(list).size(); row++) {
    add_chart(csv_file(list).text(row, "chart"), csv_file(list).text(row, "see"));
  }
  for (const std::string& step : steps(true)) {
    add_chart(
        step,
        "Below the dashed line only another method gets, with fewer multiply-adds than taps.");
  }
  std::string head;
  for (const auto& [key, value] : here.head()) {
    head += fmt::format("    {}: {}\n", key, value);
  }
  return fmt::format(
      "# OpenCL convolution on `{}`\n\n{} pixels, image: {}, filter: {}.\n\n{}\n"
      "## The ladder\n\nTime in percent of `Convolve`'s by the filter's width (lower is faster); "
      "at width 7 the rate and the time over the floor (1 is the device's ceiling).\n\n{}\n"
      "## What should my device show?\n\nBeside the reference, `{}`, {} pixels. The size of the "
      "image alone moves the percentages of small filters.\n\n{}\n"
      "## The published claims\n\nA claim holds, or does not hold, if the whole 95 % interval says "
      "so; else it is not shown.\n\n{}\n"
      "## The charts\n\nError bars are 95 % confidence intervals of the median. A dashed line is "
      "the floor, the least time that this device needs. `./tutorial run --all` measures what is "
      "missing here.\n\n{}"
      "## The device\n\n{}",
      here.head("device"), here.head("size"), here.head("image"), here.head("filter"), noise(here),
      ladder_table(here).markdown(), there.head("device"), there.head("size"),
      comparison(here, there).markdown(),
      claims_markdown({"here=" + fs::absolute(results).string()}), charts, head);
}

}  // namespace tutorial
