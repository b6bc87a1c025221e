// What a measurement ends with: the summary on the terminal, and the page of all results.
#include <algorithm>
#include <filesystem>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// The line on top where most runs were disturbed, so that the tables leave figures out.
std::string warning(const Csv& ladder) {
  return !is_mostly_disturbed(ladder) ? ""
                                      : "Other programs had the cores in most runs; - stands for "
                                        "what these cannot bear. Run "
                                        "it again when nothing else runs.\n\n";
}

/// The fastest kernel of each step at one width: rate, times the naive kernel of its own run, and
/// times the floor. That naive kernel stands above those of another run.
Table step_table(const Csv& ladder) {
  const std::string width = rate_width(ladder);
  const Measured& measured = *measured_file(ladder.path());
  Table table{{"step", "kernel", "Gpixel/s", "x naive", "x floor"}, {}};
  int run = 0;
  const auto add = [&](const std::string& step, const Series& of, const std::string& name) {
    const Figures figures = measured.figures(of);
    const bool hides = is_mostly_disturbed(ladder);
    const auto text = [&](const std::optional<Statistics>& figure, double value) {
      return !figure || (hides && !figure->sure) ? "-"
                                                 : two_digits(value) + (figure->sure ? "" : "?");
    };
    table.rows.push_back(
        {step, name,
         hides && !figures.time_ms.sure ? "-" : fmt::format("{:.3g}", figures.gpixels_per_s),
         text(figures.relative, figures.relative ? 1.0 / figures.relative->median : 0.0),
         text(figures.x_floor, figures.x_floor ? figures.x_floor->median : 0.0)});
  };
  const auto find = [&](const std::string& kernel, int of_run) {
    return std::ranges::find_if(measured.series, [&](const Series& one) {
      return one.kernel == kernel && std::to_string(one.filter_width) == width &&
             (of_run == 0 || one.run == of_run);
    });
  };
  for (const auto& [step, rated] : fastest_of_steps(ladder, width)) {
    const auto of = find(rated.second, 0);
    if (run != 0 && of->run != run) {
      if (const auto naive = find("Convolve", of->run); naive != measured.series.end()) {
        add("", *naive, "Convolve, again");
      }
    }
    run = of->run;
    add(std::to_string(step), *of, of->kernel);
  }
  return table;
}

}  // namespace

bool is_mostly_disturbed(const Csv& csv) {
  double rounds = 0.0, left_out = 0.0;
  for (std::size_t row = 0; csv.has("left_out") && row < csv.size(); row++) {
    rounds += csv.number(row, "rounds");
    left_out += csv.number(row, "left_out");
  }
  return 2.0 * left_out > rounds;
}

std::string summary(const Words& arguments) {
  const Csv& ladder = csv_file(arguments[0] + "/ladder.csv");
  const Table table = step_table(ladder);
  const bool two_runs = std::ranges::any_of(table.rows, [](auto& row) { return row[0].empty(); });
  return wrapped(fmt::format("{}{}", warning(ladder), replaced(gain(ladder), "`", "")), 80) +
         fmt::format(
             "The fastest kernel of each step at {0} x {0}; x naive: times as fast as "
             "Convolve\n{1}",
             rate_width(ladder),
             two_runs ? "in the same run (there are two, each with its Convolve)\n" : "") +
         table.aligned();
}

std::string page(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv& here = csv_file(results + "/ladder.csv");
  const bool is_cpu = here.head("device_type") == "CPU";
  const Csv& there =
      csv_file(is_cpu ? "plots/data/pocl-epyc/ladder.csv" : "plots/data/h200/ladder.csv");
  Words charts;
  for (const Chart& chart : all_charts()) {
    const std::string path = "charts/" + chart.name + ".svg";
    charts.push_back(
        fs::exists(results + "/" + path)
            ? fmt::format(
                  "<div class=\"chart\">\n\n![{}]({})\n\n</div>\n\n{}\n\n", chart.title, path,
                  chart.see)
            : "");
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
      fmt::arg("comparison", comparison(here, there).markdown()), fmt::arg("gain", gain(here)),
      fmt::arg("steps", step_table(here).markdown()), fmt::arg("front", charts[0]),
      fmt::arg("charts", fmt::join(charts.begin() + 1, charts.end(), "")), fmt::arg("head", head));
}

}  // namespace tutorial
