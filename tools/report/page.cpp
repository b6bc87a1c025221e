// What a measurement ends with: the summary on the terminal, and the page of all results.
#include <filesystem>

#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// A sentence if the machine was not quiet while it measured the ladder; else empty. An interval is
/// wide if its ends differ by more than a fifth; a quarter of wide ones is too many, and so is less
/// than four fifths of the ceilings that were ever reached.
std::string noise(const Csv& ladder) {
  std::size_t wide = 0;
  for (std::size_t row = 0; row < ladder.size(); row++) {
    wide += ladder.number(row, "high_ms") > 1.2 * ladder.number(row, "low_ms");
  }
  const double reached = parse_number<double>(ladder.head("ceilings_reached")).value_or(1.0);
  return 4 * wide <= ladder.size() && reached >= 0.8
             ? ""
             : fmt::format(
                   "The machine was not quiet: {} of {} intervals are wider than a fifth of the "
                   "time, and at the worst width it reached {:.0f} % of its best ceilings. Ratios "
                   "are measured in pairs and bear that; rates and `x floor` do not. Run again "
                   "when nothing else runs.\n\n",
                   wide, ladder.size(), 100.0 * reached);
}

/// A file's name in Markdown: it may hold anything.
std::string escaped(const std::string& name) {
  return replaced(name, "[!-/:-@\\[-`{-~]", "\\$&");
}

}  // namespace

std::string summary(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv ladder = csv_file(results + "/ladder.csv");
  write_whole(results + "/claims.csv", claims_csv(results));
  return fmt::format(
      "device: {}\nsize: {}\nfilter: {}\n"
      "Time in % of Convolve's by the filter's width (lower is faster); at width {}\n"
      "the rate and the time over the floor (1 is the device's ceiling):\n\n{}\n"
      "== Do the published claims hold on this device?\n{}{}",
      ladder.head("device"), ladder.head("size"), ladder.head("filter"), rate_width(ladder),
      ladder_table(ladder).aligned(), claims_text({results}), noise(ladder));
}

std::string page(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv here = csv_file(results + "/ladder.csv");
  const bool is_cpu = here.head("device_type") == "CPU";
  const Csv there =
      csv_file(is_cpu ? "plots/data/pocl-epyc/ladder.csv" : "plots/data/h200/ladder.csv");
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
  for (const std::string& step : step_programs(true)) {
    add_chart(
        step,
        "Below the dashed line only another method gets, with fewer multiply-adds than taps.");
  }
  std::string head;
  for (const auto& [key, value] : here.head()) {
    head += fmt::format("    {}: {}\n", key, value);
  }
  return fmt::format(
      fmt::runtime(read_file("tools/report/page.md")), fmt::arg("device", here.head("device")),
      fmt::arg("size", here.head("size")), fmt::arg("image", escaped(here.head("image"))),
      fmt::arg("filter", escaped(here.head("filter"))), fmt::arg("noise", noise(here)),
      fmt::arg("rate_width", rate_width(here)), fmt::arg("ladder", ladder_table(here).markdown()),
      fmt::arg("other", there.head("device")), fmt::arg("other_size", there.head("size")),
      fmt::arg("comparison", comparison(here, there).markdown()),
      fmt::arg("claims", claims_markdown({"here=" + fs::absolute(results).string()})),
      fmt::arg("charts", charts), fmt::arg("head", head));
}

}  // namespace tutorial
