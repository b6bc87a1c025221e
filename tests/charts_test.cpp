// Which fault turns this test red alone: a chart with other figures than the view of its rounds
// has, or of another kernel, or with another chart's title; a picture that gnuplot or librsvg
// complains about; an old one that stays as if it were new; a committed one that is stale.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "common/lab/figures.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Fields = std::vector<std::string>;

/// The series of a data file by their titles.
std::map<std::string, std::vector<Fields>> drawn(const std::string& chart) {
  std::map<std::string, std::vector<Fields>> series;
  std::string title;
  const std::string text = read_file("charts/" + chart + ".dat");
  for (const std::string& line : split(text.substr(text.find("$series << END") + 15), '\n')) {
    const Fields fields = split(line, '\t');
    if (line == "END") {
      break;
    }
    if (fields.size() > 1) {
      series[title].push_back(fields);
    } else if (!line.empty()) {
      title = line;
    }
  }
  return series;
}

/// The figures of a table of the H200.
class View {
 public:
  explicit View(const std::string& table)
      : path_(in_repository("plots/data/h200/" + table + ".csv")),
        csv_(Measured(path_).view(path_)) {}

  double operator()(
      const std::string& column, const std::string& kernel, const std::string& width) const {
    for (std::size_t row = 0; row < csv_.size(); row++) {
      if (csv_.text(row, "kernel") == kernel && csv_.text(row, "filter_width") == width) {
        return csv_.text(row, column).empty() ? NAN : csv_.number(row, column);
      }
    }
    ADD_FAILURE() << path_ << " has no " << kernel << " at " << width;
    return NAN;
  }
  /// A figure and its interval, `what` being a column or two and more; the lowest rate is that of
  /// the longest time.
  std::array<double, 3> interval(
      const std::string& what, const std::string& kernel, const std::string& width) const {
    const auto of = [&](const std::string& column) { return (*this)(column, kernel, width); };
    if (what == "gpixels_per_s") {
      const double work = of(what) * of("median_ms");
      return {of(what), work / of("high_ms"), work / of("low_ms")};
    }
    const std::string name = what == "x_floor" ? "x_floor_" : split(what, '_')[0] + "_";
    return what == "median_ms" ? std::array{of(what), of("low_ms"), of("high_ms")}
                               : std::array{of(what), of(name + "low"), of(name + "high")};
  }
  /// Of a chart's floor.
  std::string baseline() const {
    return widths("Convolve") > 0 ? "Convolve" : csv_.text(0, "kernel");
  }
  std::size_t widths(const std::string& kernel) const {
    std::size_t count = 0;
    for (std::size_t row = 0; row < csv_.size(); row++) {
      count += csv_.text(row, "kernel") == kernel;
    }
    return count;
  }

 private:
  std::string path_;
  Csv csv_;
};

void expect_same(const std::string& drawn, double measured, const std::string& what) {
  EXPECT_NEAR(parse_number<double>(drawn).value_or(NAN), measured, 1e-5 * std::abs(measured))
      << what;
}

/// All charts of the H200, drawn into charts/.
class ChartsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!installed("gnuplot") || !installed("rsvg-convert")) {
      GTEST_SKIP() << "gnuplot or rsvg-convert is not installed";
    }
    const Ran ran = program("tutorial", "charts " + in_repository("plots/data/h200") + " charts");
    EXPECT_EQ(ran.status, 0) << ran;
    EXPECT_EQ(ran.errors, "") << ran;
  }
};

TEST_F(ChartsTest, CurvesHaveTheFiguresOfTheirKernels) {
  // chart, table, what is drawn, and how many curves
  const std::vector<std::tuple<std::string, std::string, std::string, std::size_t>> cases = {
      {"peers", "peers", "gpixels_per_s", 3},
      {"roofline", "ladder", "gpixels_per_s", 5},
      {"sawtooth", "unoptimised", "relative_percent", 5},
      {"step1", "ladder", "median_ms", 3},
      {"step2", "ladder", "relative_percent", 3},
      {"step4", "ladder", "relative_percent", 4},
      {"step7", "ladder", "x_floor", 4},
      {"step10", "transforms", "x_floor", 4},
      {"two_passes", "two_passes", "relative_percent", 5}};
  for (const auto& [chart, table, column, curves] : cases) {
    const View view(table);
    const auto series = drawn(chart);
    EXPECT_EQ(series.size(), curves) << chart;
    for (const auto& [title, points] : series) {
      if (title.starts_with("published")) {
        const Csv published(in_repository("plots/published/amd-step4.csv"));
        ASSERT_EQ(points.size(), published.size());
        EXPECT_EQ(points[0][0], published.text(0, "filter_width"));
        EXPECT_EQ(points[0][1], published.text(0, "relative_percent"));
        continue;
      }
      const bool is_roof = title == "roofline", is_floor = is_roof || title == "floor";
      const std::string kernel = is_floor ? view.baseline() : split(split(title, ',')[0], ' ')[0];
      EXPECT_EQ(points.size(), view.widths(kernel)) << chart << ": " << title;
      for (const Fields& point : points) {
        const double x = parse_number<double>(point[0]).value();
        const double taps = chart == "roofline" ? 8.0 * x : 1.0;
        const std::string width =
            chart == "roofline" ? fmt::format("{:.0f}", std::sqrt(taps)) : point[0];
        const double floors = view("x_floor", kernel, width);
        const auto expected = view.interval(column, kernel, width);
        for (std::size_t i = 0; i < (is_floor ? 1 : 3); i++) {
          expect_same(
              point[i + 1],
              expected[i] * taps *
                  (is_roof    ? floors
                   : is_floor ? 1.0 / floors
                              : 1.0),
              fmt::format("{}: {} at {}, {}", chart, title, width, i));
        }
      }
    }
  }
}

TEST_F(ChartsTest, BarsHaveTheFiguresOfTheirKernels) {
  enum { kRow, kFrom, kTo, kLow, kHigh, kName, kText };
  // chart, table, width, how many bars, and the kernels of some
  const std::vector<std::tuple<
      std::string, std::string, std::string, std::size_t, std::map<std::size_t, std::string>>>
      cases = {
          {"ladder", "ladder", "7", 28, {}},
          {"front",
           "ladder",
           "7",
           10,
           {{0, "Convolve"}, {6, "Convolve_Block_Restrict"}, {8, "Tuned"}}},
          {"median", "median", "3", 5, {}},
          {"edge_conditions", "edge_conditions-7680x4320", "3", 7, {}}};
  for (const auto& [chart, table, width, count, some] : cases) {
    const View view(table);
    const std::vector<Fields> bars = drawn(chart)["measured"];
    ASSERT_EQ(bars.size(), count) << chart;
    for (std::size_t row = 0; row < count; row++) {
      if (some.empty() || some.contains(row)) {
        const Fields& bar = bars[row];
        const std::string kernel = some.empty() ? bar[kName] : some.at(row);
        const auto rate = view.interval("gpixels_per_s", kernel, width);
        EXPECT_EQ(bar[kFrom], "0");
        for (const int end : {0, 1, 2}) {
          expect_same(bar[kTo + end], rate[end], fmt::format("{}: {}, {}", chart, kernel, end));
        }
        const double said = parse_number<double>(split(bar[kText], ',')[0]).value_or(NAN);
        EXPECT_NEAR(said, rate[0], 0.006 * rate[0]) << bar[kText];
      }
    }
  }
  const View ladder("ladder"), book("chapter7-600x400"), pipeline("pipeline");
  const Fields tuned = drawn("front")["measured"].at(8);
  const double times = 100.0 / ladder("relative_percent", "Tuned", "7");
  EXPECT_EQ(tuned[kName], "9  search");
  EXPECT_TRUE(tuned[kText].ends_with(fmt::format(", {:.1f}x", times))) << tuned[kText];

  const auto percent = [&](const char* kernel) { return book("relative_percent", kernel, "7"); };
  auto chapter7 = drawn("chapter7");
  expect_same(
      chapter7["measured"].at(0)[kTo], percent("Convolve_Local:tight") / percent("Convolve_Local"),
      "gain");
  EXPECT_EQ(chapter7["published"].at(1)[kText], "+10 %");

  const auto ms = [&](const char* part) { return pipeline("median_ms", part, "7"); };
  auto parts = drawn("pipeline");
  expect_same(parts["border"].at(0)[kTo], ms("border"), "border");
  expect_same(parts["kernel"].at(0)[kFrom], ms("border") + ms("upload"), "kernel");
  expect_same(
      parts["kernel"].at(1)[kHigh], pipeline("high_ms", "way:Convolve", "7"),
      "measured as a whole");
}

TEST_F(ChartsTest, EachPictureHasItsOwnTitleAndIsFresh) {
  std::set<std::string> titles;
  std::size_t pictures = 0, fresh = 0;
  for (const auto& device : fs::directory_iterator(in_repository("plots/data"))) {
    const std::string committed =
        in_repository("plots/charts/" + device.path().filename().string());
    program("tutorial", "charts " + device.path().string() + " charts");
    for (const auto& entry : fs::directory_iterator("charts")) {
      if (entry.path().extension() != ".svg") {
        continue;
      }
      const std::string path = entry.path().string(), picture = read_file(path);
      const std::string title =
          lines_with("^title = ", read_file(fs::path(path).replace_extension("dat").string()))
              .at(0);
      EXPECT_EQ(program("rsvg-convert", "--output chart.png " + path).status, 0) << path;
      EXPECT_NE(picture.find(title.substr(9, 12)), std::string::npos) << path << ": " << title;
      titles.insert(device.path().string() + title);
      pictures++;
      const std::string old_path = committed + "/" + entry.path().filename().string();
      const std::string old = fs::exists(old_path) ? read_file(old_path) : "";
      // Another version of gnuplot draws the same data with other strokes.
      if (lines_with("Produced by", old) == lines_with("Produced by", picture)) {
        EXPECT_TRUE(old == picture) << old_path << " is stale: ./tutorial charts";
        fresh++;
      }
    }
    for (const auto& entry : fs::directory_iterator(fs::exists(committed) ? committed : "charts")) {
      EXPECT_TRUE(fs::exists("charts" / entry.path().filename())) << entry << " is of no data";
    }
  }
  EXPECT_EQ(titles.size(), pictures);
  EXPECT_GE(fresh, 20u);
}

TEST_F(ChartsTest, OfPoorDataInFoldersWithQuotes) {
  fs::create_directory("it's");
  // Two kernels at one filter width, on a device with a name that has all that could be in the way.
  write_whole(
      "it's/ladder.csv",
      "# program: step6_float4\n# device: The \"fast\" one's <GPU> & \\more\n# device_type: GPU\n"
      "# driver: `1`\n# size: 64 x 48\n# image: it's.png\n# baseline: Convolve\n"
      "run,kernel,filter_width,local_x,local_y,max_error,clock,kind,rounds_ms\n"
      "1,Convolve,6,0,0,0,event,kernel,1 1 1\n1,Convolve_Unroll,6,0,0,0,event,kernel,0.5 0.5 9000\n"
      "1,Convolve_UnrollIf,6,0,0,0,event,kernel,2 2 2\n");
  fs::rename("charts", "it's new");
  const std::string charts = "charts it's \"it's new\"";
  const Ran ran = program("tutorial", charts);
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_EQ(ran.errors, "") << ran;
  EXPECT_FALSE(fs::exists("it's new/peers.svg"));
  const std::string picture = read_file("it's new/step2.svg");
  EXPECT_TRUE(says(picture, "one.s &lt;GPU> &amp; .more · driver `1` · 64 x 48 it's.png"));
  EXPECT_FALSE(says(picture, ">[ 0-9]*[0-9]{4}<"));  // one round of 9 s does not stretch the axis

  // Without gnuplot, with one that draws nothing, and without data.
  const Ran without = program("tutorial", charts, {{"PATH", "/none"}});
  EXPECT_EQ(without.status, 0) << without;
  EXPECT_TRUE(says(without.output, "without pictures: gnuplot is not installed"));
  EXPECT_TRUE(fs::exists("it's new/step2.dat") && !fs::exists("it's new/step2.svg"));
  fs::create_symlink("/bin/true", "gnuplot");
  const Ran empty = program("tutorial", charts, {{"PATH", fs::current_path().string()}});
  EXPECT_EQ(empty.status, 1) << empty;
  EXPECT_TRUE(says(empty.errors, "gnuplot could not draw .*step2")) << empty;
  EXPECT_FALSE(fs::exists("it's new/step2.svg"));
  fs::create_directory("none");
  expect_refused(program("tutorial", "charts none charts"), "no chart can be drawn from .*none");
  expect_refused(program("tutorial", "charts none"), "charts: where");
}

}  // namespace
}  // namespace tutorial
