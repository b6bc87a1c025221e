// What a measurement ends with: the summary on the terminal, and the page of all results.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

// --- The ladder ----------------------------------------------------------------------------------

/// The row of a kernel at a filter width. Of several, work-group shapes for example, the fastest
/// counts.
std::optional<std::size_t> row_of(
    const Csv& ladder, const std::string& kernel, const std::string& width) {
  const auto rows = rows_where(ladder, {{"kernel", kernel}, {"filter_width", width}});
  const auto time = [&](std::size_t row) { return ladder.number(row, "median_ms"); };
  return rows.empty() ? std::nullopt : std::optional(std::ranges::min(rows, {}, time));
}

/// A number of the ladder as text; `-` if there is none.
std::string text(
    const Csv& ladder, const std::string& kernel, const std::string& width,
    const std::string& column) {
  const auto row = row_of(ladder, kernel, width);
  const double value = row && ladder.has(column) ? ladder.number(*row, column) : 0.0;
  return value <= 0.0                ? "-"
         : column == "gpixels_per_s" ? fmt::format("{:.3g}", value)
         : column == "x_floor"       ? fmt::format("{:.2f}", value)
                                     : fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0);
}

/// At most five of the filter widths, spread evenly.
Words shown(const Words& widths) {
  const std::size_t count = std::min<std::size_t>(widths.size(), 5);
  Words some = {widths[0]};
  for (std::size_t i = 1; i < count; i++) {
    some.push_back(widths[(2 * i * (widths.size() - 1) + count - 1) / (2 * (count - 1))]);
  }
  return some;
}

/// What the ladder's table shows, and the table: percent of Convolve's time at some widths, then
/// the rate and the distance from the floor at one.
std::pair<std::string, Table> ladder_table(const Csv& ladder, bool code) {
  const Words kernels = distinct(ladder, "kernel");
  const Words widths = distinct(ladder, "filter_width");
  if (widths.empty()) {
    fail("{}: no measurements", ladder.path());
  }
  const std::string one = contains(widths, "7") ? "7" : widths[0];
  Words heads = shown(widths);
  heads.insert(heads.end(), {"Gpixel/s", "x floor"});
  return {
      fmt::format(
          "Time in % of Convolve's at filter widths (lower is faster). At width {}, also the\n"
          "rate in Gpixel/s and the time over the floor (1 is the device's ceiling):\n\n",
          one),
      filled("kernel", code ? quoted(kernels) : kernels, heads, [&](auto row, auto i) {
        return heads[i] == "Gpixel/s"  ? text(ladder, kernels[row], one, "gpixels_per_s")
               : heads[i] == "x floor" ? text(ladder, kernels[row], one, "x_floor")
                                       : text(ladder, kernels[row], heads[i], "relative_percent");
      })};
}

// --- Noise ---------------------------------------------------------------------------------------

/// A sentence if the machine was not quiet while it measured; else empty. An interval is wide if
/// its ends differ by more than a fifth; a quarter of wide ones is too many.
std::string noise(const std::string& results) {
  Words paths;
  for (const auto& entry : fs::directory_iterator(results)) {
    if (entry.path().extension() == ".csv") {
      paths.push_back(entry.path().string());
    }
  }
  std::ranges::sort(paths);
  std::size_t intervals = 0;
  std::size_t wide = 0;
  double widest = 1.2;
  std::string worst;
  for (const std::string& path : paths) {
    const Csv& csv = csv_file(path);
    for (std::size_t row = 0; csv.has("median_ms") && csv.has("low_ms") && row < csv.size();
         row++) {
      const double low = csv.number(row, "low_ms");
      const double ratio = low > 0.0 ? csv.number(row, "high_ms") / low : 0.0;
      intervals += ratio > 0.0;
      wide += ratio > 1.2;
      if (ratio > widest) {
        widest = ratio;
        worst = csv.text(row, "kernel") +
                (csv.has("filter_width") ? " at width " + csv.text(row, "filter_width") : "");
      }
    }
  }
  if (4 * wide <= intervals) {
    return "";
  }
  return fmt::format(
      "The machine was not quiet: {} of {} intervals are wider than a fifth of the time. Trust no "
      "difference between kernels whose intervals overlap, and least of all {} (a factor of "
      "{:.1f}). Run again when nothing else runs.\n\n",
      wide, intervals, worst, widest);
}

// --- Parts of the page ---------------------------------------------------------------------------

/// Where this device differs from the reference.
std::string comparison(const Csv& here, const Csv& there) {
  // The share of Convolve's time, with the interval that both times have.
  const auto share = [](const Csv& ladder, const std::string& kernel, const std::string& width) {
    return figure_at(ladder, row_of(ladder, kernel, width).value(), "relative_percent") /
           figure_at(ladder, row_of(ladder, "Convolve", width).value(), "relative_percent");
  };
  const Words kernels = distinct(here, "kernel");
  Words widths = distinct(here, "filter_width");
  std::erase_if(widths, [&](auto& width) {
    return !row_of(here, "Convolve", width) || !row_of(there, "Convolve", width);
  });
  if (widths.empty()) {
    return "No filter width was measured on both devices.\n\n";
  }
  widths = shown(widths);
  Words heads;
  for (const std::string& width : widths) {
    heads.insert(heads.end(), {width + " here", width + " there"});
  }
  const Table table = filled("kernel", quoted(kernels), heads, [&](auto row, auto i) {
    const std::string& kernel = kernels[row];
    const std::string& width = widths[i / 2];
    std::string bold;
    if (i % 2 == 0 && row_of(here, kernel, width) && row_of(there, kernel, width)) {
      const Figure ratio = share(here, kernel, width) / share(there, kernel, width);
      bold = ratio.low > 1.0 || ratio.high < 1.0 ? "**" : "";
    }
    return bold + text(i % 2 == 0 ? here : there, kernel, width, "relative_percent") + bold;
  });
  return fmt::format(
      "The reference is {}, {} pixels; yours is {}, {} pixels. Each kernel's time in percent of "
      "`Convolve`'s on the same device, by the filter's width; bold where the two differ by more "
      "than their intervals. The size of the image alone moves the percentages of small "
      "filters.\n\n{}\n",
      escaped(there.head("device")), there.head("size"), escaped(here.head("device")),
      here.head("size"), table.markdown());
}

/// The heads of both files, side by side.
std::string devices(const Csv& here, const Csv& there) {
  const auto value = [](const Csv& csv, const std::string& key) {
    const std::optional<double> number = parse_number<double>(csv.head(key));
    return number && key.ends_with("_per_s") ? fmt::format("{:.0f} G", *number / 1e9)
                                             : escaped(csv.head(key));
  };
  Table table{{"", "here", "reference"}, {}};
  for (const auto& [key, text] : here.head()) {
    if (key != "note" && key != "program") {
      table.rows.push_back(
          {replaced(replaced(key, "_per_s$", "/s"), "_", " "), value(here, key),
           value(there, key)});
    }
  }
  return table.markdown();
}

}  // namespace

std::string summary(const Words& arguments) {
  const std::string& results = arguments[0];
  const Csv& ladder = csv_file(results + "/ladder.csv");
  const auto [explanation, table] = ladder_table(ladder, false);
  write_whole(results + "/claims.csv", claims_csv(results));
  return fmt::format(
      "device: {}\nsize: {}\nfilter: {}\n{}{}\n== Do the published claims hold on this "
      "device?\n{}{}",
      ladder.head("device"), ladder.head("size"), ladder.head("filter"), explanation,
      table.aligned(), claims_text(results), noise(results));
}

std::string ledger(const std::string& results) {
  if (!fs::exists(results + "/claims.csv")) {
    return "There is no `claims.csv` yet: `./tutorial run` makes it.\n\n";
  }
  const Csv csv(results + "/claims.csv");
  Table table{{"claim", "published", "measured here", "verdict"}, {}};
  for (std::size_t row = 0; row < csv.size(); row++) {
    const auto text = [&](const std::string& column) { return escaped(csv.text(row, column)); };
    const auto number = [&](const std::string& column) {
      return fmt::format("{:.{}f}", csv.number(row, column), csv.number(row, column) < 10 ? 2 : 0);
    };
    table.rows.push_back(
        {fmt::format(
             "{}<small>{}: {}, {}, {}</small>", text("statement"), text("id"), text("source"),
             text("device"), text("year")),
         text("published"),
         text("measured").empty()
             ? ""
             : fmt::format(
                   "{}<small>{} to {}</small>", number("measured"), number("low"), number("high")),
         fmt::format("**{}**<small>{}</small>", text("verdict"), text("basis"))});
  }
  std::string tally;
  for (const std::string& verdict : distinct(csv, "verdict")) {
    tally += fmt::format(
        "{} {} {}", tally.empty() ? ":" : ",", verdict,
        rows_where(csv, {{"verdict", verdict}}).size());
  }
  return fmt::format(
      "Of {} claims{}. A claim holds, or does not hold, if the whole interval says so; else it is "
      "not shown.\n\n{}\n",
      csv.size(), tally, table.markdown());
}

std::string page(const std::string& results) {
  const Csv& here = csv_file(results + "/ladder.csv");
  const bool is_cpu = here.head("device_type") == "CPU";
  const Csv& there =
      csv_file(fmt::format("plots/data/{}/ladder.csv", is_cpu ? "pocl-xeon" : "h200"));
  const auto [explanation, table] = ladder_table(here, true);
  const auto head = [&](const std::string& key) { return escaped(here.head(key)); };
  std::string ladder_chart, charts, missing;
  const auto add_chart = [&](const std::string& name, const std::string& title,
                             const std::string& see) {
    const std::string path = "charts/" + name + ".svg";
    if (!fs::exists(results + "/" + path)) {
      missing += "- " + escaped(title) + "\n";
    } else {
      (name == "ladder" ? ladder_chart : charts) += fmt::format(
          "![{}; {}]({})\n\n{}\n\n", escaped(title), head("device"), path, escaped(see));
    }
  };
  const Csv& listed = csv_file("report/charts.csv");
  for (std::size_t row = 0; row < listed.size(); row++) {
    add_chart(listed.text(row, "chart"), listed.text(row, "title"), listed.text(row, "see"));
  }
  for (const std::string& step : steps(true)) {
    add_chart(
        step, step + ": your own step",
        "Below the dashed line only another method gets, with fewer multiply-adds than taps.");
  }
  const std::string warning = noise(results);
  return fmt::format(
             "# OpenCL convolution on {}\n\n{} pixels, image: {}, filter: {}. Percent is time "
             "relative to `Convolve`, the naive kernel, on the same device; lower is faster.\n\n",
             head("device"), head("size"), head("image"), head("filter")) +
         (warning.empty() ? "" : "> " + escaped(warning)) + "## The ladder\n\n" + ladder_chart +
         explanation + table.markdown() + "\n## What should my device show?\n\n" +
         comparison(here, there) + "## The published claims\n\n" + ledger(results) +
         "## The charts\n\nIn all charts the error bars are 95 % confidence intervals of the "
         "median. A dashed line is the floor, the least time that this device needs.\n\n" +
         charts + "## Not measured\n\n" +
         (missing.empty() ? "Nothing: every chart is there.\n"
                          : "These charts were not drawn: they need measurements that `./tutorial "
                            "run --all` makes (those of other libraries where the libraries are "
                            "installed), and gnuplot. `./tutorial charts` draws them anew.\n\n" +
                                missing) +
         "\n## The device\n\n" + devices(here, there);
}

}  // namespace tutorial
