// Every figure within a sentence of a page, and every point of a chart, made anew from the
// committed rounds by a few lines that share nothing with common/lab. Then the charts' pictures.
// Red: a rate doubled, a ratio inverted, another kernel's time; an old picture that stays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Fields = std::vector<std::string>;

/// The rounds of a kernel at one filter width; a `bad` one was disturbed.
struct Row {
  std::string kernel, width, run;
  std::vector<double> ms = {};
  std::vector<bool> bad = {};
};

/// The files NAME.csv or NAME.*.csv of a table; runs are told apart by the file, too.
struct Runs {
  double pixels = 0;
  std::string baseline;
  std::vector<Row> rows;

  explicit Runs(const fs::path& path) {
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(path.parent_path())) {
      const std::string name = entry.path().filename().string();
      const bool is_part = !exists(path) && name.starts_with(path.stem().string() + ".");
      if (name == path.filename() || is_part) {
        files.insert(entry.path().string());
      }
    }
    for (const std::string& file : files) {
      const Csv csv = read_csv(file);
      const Fields size = split(csv.head.of("size"), ' ');
      pixels = std::stod(size.at(0)) * std::stod(size.at(2));
      baseline = csv.head.of("baseline");
      for (std::size_t i = 0; i < csv.size() && csv.has("rounds_ms"); i++) {
        rows.push_back(
            {csv.text(i, "kernel"), csv.text(i, "filter_width"), file + csv.text(i, "run")});
        std::istringstream rounds(csv.text(i, "rounds_ms"));
        for (std::string round; rounds >> round;) {
          rows.back().ms.push_back(std::stod(round));
          rows.back().bad.push_back(round.back() == '?');
        }
      }
    }
  }

  bool has(const std::string& kernel) const {
    return std::ranges::count(rows, kernel, &Row::kernel) > 0;
  }
  const Row* find(
      const std::string& kernel, const std::string& width, const std::string& run = "") const {
    const auto row = std::ranges::find_if(rows, [&](const Row& one) {
      return one.kernel == kernel && one.width == width && (run.empty() || one.run == run);
    });
    return row != rows.end() ? &*row : nullptr;
  }
};

/// Each table is read once.
const Runs& rounds_of(const std::string& path) {
  static std::map<std::string, Runs> read;
  return read.try_emplace(path, path).first->second;
}

/// The median of a / b in each round, or of a, without those that were disturbed, if enough are
/// left.
double ratio(const Row& a, const Row* b) {
  std::vector<double> all, good;
  for (std::size_t i = 0; i < a.ms.size(); i++) {
    all.push_back(a.ms[i] / (b != nullptr ? b->ms.at(i) : 1.0));
    if (!a.bad[i] && (b == nullptr || !b->bad[i])) {
      good.push_back(all.back());
    }
  }
  std::vector<double>& used = good.size() >= 6 && 2 * good.size() >= all.size() ? good : all;
  std::ranges::sort(used);
  return (used[(used.size() - 1) / 2] + used[used.size() / 2]) / 2;
}

/// How many times as long as OTHER a kernel takes: in the first run with both, or in two runs, each
/// to its own baseline.
double between(
    const Runs& rounds, const std::string& kernel, const std::string& other,
    const std::string& width) {
  for (const Row& row : rounds.rows) {
    const Row* mate = rounds.find(other, width, row.run);
    if (row.kernel == kernel && row.width == width && mate != nullptr) {
      return ratio(row, mate);
    }
  }
  return between(rounds, kernel, rounds.baseline, width) /
         between(rounds, other, rounds.baseline, width);
}

/// NaN if it is nothing that rounds say.
double figure(
    const Runs& rounds, const std::string& what, const std::string& kernel,
    const std::string& width, const std::string& other = "") {
  const Row* row = rounds.find(kernel, width);
  if (row == nullptr) {
    return NAN;
  }
  const auto to = [&](const std::string& name) {
    return ratio(*row, rounds.find(name, width, row->run));
  };
  return what == "median_ms"          ? ratio(*row, nullptr)
         : what == "gpixels_per_s"    ? rounds.pixels / ratio(*row, nullptr) / 1e6
         : what == "relative_percent" ? 100 * to(rounds.baseline)
         : what == "x_floor"          ? to("floor")
         : what == "times"            ? between(rounds, kernel, other, width)
         : what == "percent"          ? 100 * between(rounds, kernel, other, width)
                                      : NAN;
}

/// With so many decimals; or if that is negative, with three digits, or two.
std::string printed(double value, int decimals, bool two) {
  if (decimals < 0 && two) {
    decimals = value < 9.95 ? 1 : 0;
    value = std::stod(fmt::format("{:.2g}", value));
  }
  for (int places = 0; decimals < 0; places++) {
    decimals = std::abs(value) * std::pow(10.0, places) >= 100.0 ? places : -1;
  }
  return fmt::format("{:.{}f}", value, decimals);
}

TEST(FiguresOfPages, AreThoseOfTheRounds) {
  const std::regex mark(
      "<!-- = ([a-z_]+)(:([0-9]))? (\\S+) ([0-9]+) (\\S+)( (\\S+))? -->([^<?]*)[^<]*<!-- / -->");
  std::map<std::string, int> compared;
  for (const auto& [page, text] : pages()) {
    for (std::sregex_iterator found(text.begin(), text.end(), mark), none; found != none; ++found) {
      const std::smatch& one = *found;
      const std::string what = one[1], path = in_repository("plots/data/" + one[4].str());
      const Runs& rounds = rounds_of(path);
      if (rounds.rows.empty()) {
        continue;  // old data without rounds
      }
      ASSERT_TRUE(rounds.find(one[6], one[5]) != nullptr) << page << ": " << one[0];
      const double value = figure(rounds, what, one[6], one[5], one[8]);
      if (!std::isnan(value)) {
        const bool two = what == "times" || what == "percent";
        EXPECT_EQ(one[9], printed(value, one[3].matched ? std::stoi(one[3]) : -1, two))
            << page << ": " << one[0];
        compared[what]++;
      }
    }
  }
  EXPECT_EQ(compared.size(), 6U);
  for (const auto& [what, number] : compared) {
    EXPECT_GE(number, 5) << what;
  }
}

/// The lines of a chart's data file: the title of the series, and the fields.
std::vector<std::pair<std::string, Fields>> drawn(const std::string& text) {
  std::vector<std::pair<std::string, Fields>> lines;
  std::string title;
  for (const std::string& line : split(text.substr(text.find("$series << END") + 15), '\n')) {
    const Fields fields = split(line, '\t');
    if (fields.size() > 1) {
      lines.emplace_back(title, fields);
    }
    title = fields.size() == 1 && !line.empty() ? line : title;
  }
  return lines;
}

/// Of a chart's curves and bars those that have a kernel's own name: each is the figure that the
/// label names. Returns how many points there are.
int expect_points(const std::string& chart, const std::string& text, const Runs& rounds) {
  const std::map<std::string, std::string> figures = {
      {"% of", "relative_percent"},
      {"medi", "median_ms"},
      {"time", "x_floor"},
      {"Gpix", "gpixels_per_s"},
      {"10^9", "gpixels_per_s"}};
  const std::string label = lines_with("^[xy]_label = '(%|median|times|Gp|10)", text).at(0);
  const std::string what = label.substr(11, 4);
  int points = 0;
  std::map<std::string, double> last;
  for (const auto& [title, fields] : drawn(text)) {
    const bool is_bar = title == "measured";
    EXPECT_GT(std::stod(fields[0]), last[title]) << chart << ": " << title << " goes back";
    last[title] = std::stod(fields[0]);
    const std::string kernel = is_bar ? fields.at(4) : title;
    const double taps = what == "10^9" ? 8.0 * std::stod(fields[0]) : 1.0;
    const std::string width = is_bar           ? replaced(label, ".* at ([0-9]+) x .*", "$1")
                              : what == "10^9" ? fmt::format("{:.0f}", std::sqrt(taps))
                                               : fields[0];
    const double value = taps * figure(rounds, figures.at(what), kernel, width);
    if (kernel != "floor" && !std::isnan(value)) {
      const std::string where = fmt::format("{}: {} at {}", chart, kernel, width);
      EXPECT_NEAR(std::stod(fields[1]), value, 1e-5 * value) << where;
      EXPECT_LE(std::stod(fields[2]), 1.00001 * value) << where;
      EXPECT_GE(std::stod(fields[3]), 0.99999 * value) << where;
      points++;
    }
  }
  return points;
}

TEST(Charts, HaveTheFiguresOfTheRoundsAndAreFresh) {
  if (!installed("gnuplot") || !installed("rsvg-convert")) {
    GTEST_SKIP() << "gnuplot or rsvg-convert is not installed";
  }
  const Csv list = read_csv(in_repository("plots/charts.csv"));
  std::map<std::string, std::string> data;
  for (std::size_t row = 0; row < list.size(); row++) {
    data[list.text(row, "chart")] = list.text(row, "data");
  }
  std::set<std::string> titles;
  std::size_t pictures = 0, fresh = 0;
  int points = 0;
  for (const auto& device : fs::directory_iterator(in_repository("plots/data"))) {
    const std::string folder = device.path().string() + "/";
    const std::string committed = replaced(folder, "plots/data", "plots/charts");
    const Ran ran = program("tutorial", "charts " + folder + " charts");
    EXPECT_EQ(ran.errors, "") << ran;
    for (const auto& entry : fs::directory_iterator("charts")) {
      const std::string name = entry.path().stem().string(), picture = "charts/" + name + ".svg";
      if (entry.path().extension() != ".dat") {
        continue;
      }
      const std::string text = read_file("charts/" + name + ".dat"), svg = read_file(picture);
      Fields files = split(data.contains(name) ? data[name] : name + ".csv", ' ');
      const std::string last = split(drawn(text).back().first, ' ')[0];
      std::erase_if(files, [&](const std::string& file) {
        const Runs& of = rounds_of(folder + file);
        return of.rows.empty() || (files.size() > 1 && !of.has(last));
      });
      points += expect_points(name, text, rounds_of(folder + files.at(0)));
      const std::string title = lines_with("^title = ", text).at(0);
      EXPECT_EQ(program("rsvg-convert", "--output chart.png " + picture).status, 0) << picture;
      EXPECT_NE(svg.find(title.substr(9, 12)), std::string::npos) << picture << ": " << title;
      titles.insert(folder + title);
      pictures++;
      const std::string old_path = committed + name + ".svg";
      const std::string old = fs::exists(old_path) ? read_file(old_path) : "";
      // Another version of gnuplot draws the same data with other strokes.
      if (lines_with("Produced by", old) == lines_with("Produced by", svg)) {
        EXPECT_TRUE(old == svg) << old_path << " is stale: ./tutorial charts";
        fresh++;
      }
    }
    for (const auto& entry : fs::directory_iterator(fs::exists(committed) ? committed : "charts")) {
      EXPECT_TRUE(fs::exists("charts" / entry.path().filename())) << entry << " is of no data";
    }
  }
  EXPECT_EQ(titles.size(), pictures);
  EXPECT_GE(fresh, 20U);
  EXPECT_GE(points, 1000);
}

}  // namespace
}  // namespace tutorial
