// What a measurement ends with: the summary on the terminal, and the page of all results.
#include <filesystem>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// The line on top where most runs were disturbed, so that the tables leave figures out.
std::string warning(const Csv& ladder) {
  return is_mostly_disturbed(ladder) ? "Other programs had the cores in most runs; - stands for "
                                       "what these cannot bear. Run "
                                       "it again when nothing else runs.\n\n"
                                     : "";
}

}  // namespace

std::string summary(const Words& arguments) {
  const Csv& ladder = csv_file(arguments[0] + "/ladder.csv");
  return wrapped(fmt::format("{}{}", warning(ladder), replaced(gain(ladder), "`", "")), 80) +
         fmt::format(
             "The fastest kernel of each step at {0} x {0}; x naive, x good C++: times as fast\n"
             "as Convolve, and on a CPU as OpenMP_Columns, in the same run\n",
             rate_width(ladder)) +
         step_table(ladder).aligned();
}

std::string page(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv& here = csv_file(results + "/ladder.csv");
  const bool is_cpu = here.head.of("device_type") == "CPU";
  const Csv& there =
      csv_file(is_cpu ? "plots/data/pocl-epyc/ladder.csv" : "plots/data/h200/ladder.csv");
  const std::string peers = results + "/peers.csv";
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
  for (const auto& [key, value] : here.head) {
    head += fmt::format("    {}: {}\n", key, value);
  }
  const auto escaped = [&](const char* key) {  // a file's name may hold anything
    return replaced(here.head.of(key), "[!-/:-@\\[-`{-~]", "\\$&");
  };
  return fmt::format(
      fmt::runtime(read_file("tools/tutorial/page.txt")), fmt::arg("device", device_name(here)),
      fmt::arg("size", here.head.of("size")), fmt::arg("image", escaped("image")),
      fmt::arg("filter", escaped("filter")), fmt::arg("noise", warning(here)),
      fmt::arg("rate_width", rate_width(here)), fmt::arg("ladder", ladder_table(here).markdown()),
      fmt::arg("other", device_name(there)), fmt::arg("other_size", there.head.of("size")),
      fmt::arg("gain", gain(here)),
      fmt::arg(
          "steps",
          step_table(here, &there, fs::exists(peers) ? &csv_file(peers) : nullptr).markdown()),
      fmt::arg("front", charts[0]),
      fmt::arg("charts", fmt::join(charts.begin() + 1, charts.end(), "")), fmt::arg("head", head));
}

}  // namespace tutorial
