// What a measurement ends with: the summary on the terminal, and the page of all results.
#include <algorithm>
#include <filesystem>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// A sentence if the machine was not quiet while it measured a CSV; else empty. The figures are
/// times, percentages and times the floor, each with an interval. A tenth of them may be unsure, or
/// have an interval that is wider than a fifth.
std::string noise(const Csv& csv) {
  std::size_t count = 0, unsure = 0, wide = 0;
  const std::string ends[][3] = {
      {"low_ms", "high_ms", "time"},
      {"relative_low", "relative_high", "relative"},
      {"x_floor_low", "x_floor_high", "x_floor"}};
  for (std::size_t row = 0; row < csv.size(); row++) {
    const Words doubtful = csv.has("unsure") ? split(csv.text(row, "unsure"), ' ') : Words{};
    for (const auto& [low, high, name] : ends) {
      if (csv.has(low) && csv.number(row, low) > 0.0) {
        count++;
        unsure += contains(doubtful, name);
        wide += !contains(doubtful, name) && csv.number(row, high) > 1.2 * csv.number(row, low);
      }
    }
  }
  return 10 * (unsure + wide) <= count
             ? ""
             : fmt::format(
                   "The machine was not quiet: of {} figures {} are unsure, because other programs "
                   "had the cores, and {} have an interval wider than a fifth. ",
                   count, unsure, wide);
}

}  // namespace

std::string disagreement(const Csv& ladder) {
  std::vector<double> factors;
  for (const std::string& width : distinct(ladder, "filter_width")) {
    std::vector<double> times;
    for (const Series& one : measured_file(ladder.path())->series) {
      if (one.kernel == "Convolve" && std::to_string(one.filter_width) == width) {
        times.push_back(summarize(one.rounds).median);
      }
    }
    if (times.size() > 1) {
      factors.push_back(std::ranges::max(times) / std::ranges::min(times));
    }
  }
  const auto differing = std::ranges::count_if(factors, [](double one) { return one > 1.03; });
  return differing == 0
             ? ""
             : fmt::format(
                   "At {} of {} widths the ladder's programs differ by more than 3 % in the time "
                   "of `Convolve`, by up to {:.1f} %. ",
                   differing, factors.size(), 100.0 * (std::ranges::max(factors) - 1.0));
}

namespace {

/// The one warning of a busy machine, with what is good all the same; empty if it was quiet.
std::string warning(const Csv& ladder) {
  const std::string problems = noise(ladder) + disagreement(ladder);
  return problems.empty()
             ? ""
             : problems +
                   "Good all the same: the pixels of all kernels, which were verified, and large "
                   "factors. Small differences may be chance: run again when nothing else "
                   "runs.\n\n";
}

}  // namespace

std::string summary(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv ladder = csv_file(results + "/ladder.csv");
  return fmt::format(
      "device: {}\nsize: {}\nfilter: {}\n"
      "Time in % of Convolve's by the filter's width (lower is faster); at width {}\n"
      "the rate and the time over the floor (1 is the device's ceiling); with a ?: unsure,\n"
      "because other programs had the cores:\n\n{}\n"
      "{}{}",
      ladder.head("device"), ladder.head("size"), ladder.head("filter"), rate_width(ladder),
      ladder_table(ladder).aligned(), replaced(warning(ladder), "`", ""),
      replaced(gain(ladder), "`", ""));
}

std::string page(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv here = csv_file(results + "/ladder.csv");
  const bool is_cpu = here.head("device_type") == "CPU";
  const Csv there =
      csv_file(is_cpu ? "plots/data/pocl-epyc/ladder.csv" : "plots/data/h200/ladder.csv");
  const std::string list = "plots/charts.csv";
  const auto chart = [&](const std::string& name, const std::string& see) {
    const std::string path = "charts/" + name + ".svg";
    return fs::exists(results + "/" + path)
               ? fmt::format(
                     "<div class=\"chart\">\n\n![{}]({})\n\n</div>\n\n{}\n\n",
                     ask({"title", list, name}), path, see)
               : "";
  };
  Words charts;
  for (std::size_t row = 0; row < csv_file(list).size(); row++) {
    charts.push_back(chart(csv_file(list).text(row, "chart"), csv_file(list).text(row, "see")));
  }
  for (const std::string& step : step_programs(true)) {
    charts.push_back(chart(
        step,
        "Lower is faster. Below a dashed line only another method gets, with less arithmetic."));
  }
  std::string head;
  for (const auto& [key, value] : here.head()) {
    head += fmt::format("    {}: {}\n", key, value);
  }
  const auto escaped = [&](const char* key) {  // a file's name may hold anything
    return replaced(here.head(key), "[!-/:-@\\[-`{-~]", "\\$&");
  };
  return fmt::format(
      fmt::runtime(read_file("tools/tutorial/page.md")), fmt::arg("device", device_name(here)),
      fmt::arg("size", here.head("size")), fmt::arg("image", escaped("image")),
      fmt::arg("filter", escaped("filter")), fmt::arg("noise", warning(here)),
      fmt::arg("rate_width", rate_width(here)), fmt::arg("ladder", ladder_table(here).markdown()),
      fmt::arg("other", device_name(there)), fmt::arg("other_size", there.head("size")),
      fmt::arg("comparison", comparison(here, there).markdown()),
      fmt::arg("widths", at_widths(here, there).markdown()), fmt::arg("gain", gain(here)),
      fmt::arg("front", charts[0]),
      fmt::arg("charts", fmt::join(charts.begin() + 1, charts.end(), "")), fmt::arg("head", head));
}

}  // namespace tutorial
