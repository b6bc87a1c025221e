// Which fault turns this test red alone: a chart with other figures than the view of its rounds has,
// or of another kernel, or with another chart's title; a picture that gnuplot or librsvg complains
// about; an old one that stays as if it were new; a committed one that is stale.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "common/figures.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Fields = std::vector<std::string>;

/// The lines of a block of a data file.
std::vector<Fields> block(const std::string& chart, const std::string& name) {
  std::vector<Fields> rows;
  bool inside = false;
  for (const std::string& line : split(read_file("charts/" + chart + ".dat"), '\n')) {
    inside = inside && line != "END";
    if (inside) {
      rows.push_back(split(line, '\t'));
    }
    inside = inside || line == "$" + name + " << END";
  }
  return rows;
}

double number(const std::string& text) {
  return parse_number<double>(text).value_or(NAN);
}

/// The figures of a table of the H200, by column, kernel and filter width.
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
  EXPECT_NEAR(number(drawn), measured, 1e-5 * std::abs(measured)) << what;
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
      {"baseline", "ladder", "taps", 1},    {"peers", "peers", "rate", 2},
      {"roofline", "ladder", "work", 4},    {"sawtooth", "unoptimised", "percent", 2},
      {"step1", "ladder", "time", 2},       {"step2", "ladder", "percent", 1},
      {"step4", "ladder", "percent", 2},    {"step7", "ladder", "floor", 3},
      {"step10", "transforms", "floor", 3}, {"two_passes", "two_passes", "percent", 3}};
  for (const auto& [chart, table, kind, curves] : cases) {
    const View view(table);
    std::map<std::string, std::size_t> points;
    std::string kernel;
    for (const Fields& fields : block(chart, "curves")) {
      if (fields.size() == 1) {
        kernel = split(fields[0].empty() ? kernel : fields[0], ',')[0];
        continue;
      }
      points[kernel]++;
      const auto& width = fields[0];
      const double taps = std::pow(number(width), 2);
      const auto figure = [&](const char* column) { return view(column, kernel, width); };
      const auto rate = [&](const char* end) {
        return figure("gpixels_per_s") * figure("median_ms") / figure(end);
      };
      std::array<double, 3> expected{};  // the median and its interval
      if (kind == "time") {
        expected = {figure("median_ms"), figure("low_ms"), figure("high_ms")};
      } else if (kind == "percent") {
        expected = {figure("relative_percent"), figure("relative_low"), figure("relative_high")};
      } else if (kind == "floor") {
        expected = {figure("x_floor"), figure("x_floor_low"), figure("x_floor_high")};
      } else if (kind == "taps") {
        expected = {
            1e3 / rate("median_ms") / taps, 1e3 / rate("low_ms") / taps,
            1e3 / rate("high_ms") / taps};
      } else {
        const double each = kind == "work" ? taps : 1.0;
        expected = {each * rate("median_ms"), each * rate("high_ms"), each * rate("low_ms")};
      }
      for (std::size_t i = 0; i < 3; i++) {
        expect_same(
            fields[i + 1], expected[i], fmt::format("{}: {} at {}, {}", chart, kernel, width, i));
      }
    }
    EXPECT_EQ(points.size(), curves) << chart;
    for (const auto& [of, count] : points) {
      EXPECT_EQ(count, view.widths(of)) << chart << ": " << of;
    }
  }
}

TEST_F(ChartsTest, LinesAndPublishedPoints) {
  // The floor of step 1 in ms, of step 2 in percent.
  const View view("ladder");
  for (const auto& [chart, column] :
       {std::pair("step1", "median_ms"), std::pair("step2", "relative_percent")}) {
    for (const Fields& fields : block(chart, "floor")) {
      if (fields.size() > 1) {
        expect_same(
            fields[1], view(column, "Convolve", fields[0]) / view("x_floor", "Convolve", fields[0]),
            chart);
      }
    }
  }
  const Csv published(in_repository("plots/published/amd-step4.csv"));
  const std::vector<Fields> marks = block("sawtooth", "marks");
  ASSERT_EQ(marks.size(), published.size() + 1);
  for (std::size_t row = 0; row < published.size(); row++) {
    EXPECT_EQ(marks[row + 1][0], published.text(row, "filter_width"));
    EXPECT_EQ(marks[row + 1][1], published.text(row, "relative_percent"));
  }
}

/// Row, from, to, low, high, colour, name, text.
enum { kRow, kFrom, kTo, kLow, kHigh, kColour, kName, kText };

TEST_F(ChartsTest, BarsHaveTheFiguresOfTheirKernels) {
  const View view("ladder"), wide("work-group-32x8");
  const auto expect_rate = [](const Fields& bar, const View& of, const std::string& kernel,
                              const std::string& width) {
    const double rate = of("gpixels_per_s", kernel, width), ms = of("median_ms", kernel, width);
    EXPECT_EQ(bar.at(kFrom), "0");
    expect_same(bar.at(kTo), rate, kernel);
    expect_same(bar.at(kLow), rate * ms / of("high_ms", kernel, width), kernel + ", low");
    expect_same(bar.at(kHigh), rate * ms / of("low_ms", kernel, width), kernel + ", high");
    EXPECT_NEAR(number(split(bar.at(kText), ',')[0]), rate, 0.006 * rate) << bar.at(kText);
  };
  const std::vector<Fields> ladder = block("ladder", "bars");
  EXPECT_EQ(ladder.size(), 28u);
  for (const Fields& bar : ladder) {
    expect_rate(bar, view, bar.at(kName), "7");
  }
  // The kernels that are the fastest of their steps now.
  const std::vector<Fields> front = block("front", "bars");
  ASSERT_EQ(front.size(), 10u);
  EXPECT_EQ(front[6].at(kName), "7  register blocking");
  expect_rate(front[0], view, "Convolve", "7");
  expect_rate(front[4], wide, "Convolve_Def_Local_UnrollAll", "7");
  expect_rate(front[8], view, "Tuned", "7");
  EXPECT_EQ(
      front[8].at(kText), fmt::format(
                              "{:.0f}, {:.1f}x", view("gpixels_per_s", "Tuned", "7"),
                              100.0 / view("relative_percent", "Tuned", "7")));

  const View median("median");
  const std::vector<Fields> medians = block("median", "bars");
  expect_rate(medians.at(0), median, "medianfilter_rgba", "3");
  EXPECT_EQ(medians.back().at(kTo), "65.4");  // ArrayFire, as published

  const View small("edge_conditions-1920x1080"), large("edge_conditions-7680x4320");
  const std::vector<Fields> edges = block("edge_conditions", "bars");
  ASSERT_EQ(edges.size(), 12u);
  for (std::size_t i = 0; i < edges.size(); i++) {
    const std::string kernel = edges[i - i % 2].at(kName);
    const View& of = i % 2 == 0 ? small : large;
    EXPECT_EQ(edges[i].at(kFrom), "100");
    expect_same(edges[i].at(kTo), of("relative_percent", kernel, "3"), kernel);
    expect_same(edges[i].at(kLow), of("relative_low", kernel, "3"), kernel);
  }

  const View book("chapter7-4096x4096");
  const std::vector<Fields> chapter7 = block("chapter7", "bars");
  const auto is_last = [](const Fields& bar) { return bar.at(kName) == "measured, 4096 x 4096"; };
  const auto gain = std::ranges::find_if(chapter7, is_last);  // of Convolve_Local
  ASSERT_NE(gain, chapter7.end());
  expect_same(
      gain->at(kTo),
      book("relative_percent", "Convolve_Local:tight", "7") /
          book("relative_percent", "Convolve_Local", "7"),
      "gain");
  EXPECT_EQ(chapter7.at(1).at(kText), "+10 %");

  const View pipeline("pipeline");
  const std::vector<Fields> parts = block("pipeline", "bars");
  expect_same(parts.at(0).at(kTo), pipeline("median_ms", "border", "7"), "border");
  expect_same(
      parts.at(2).at(kFrom),
      pipeline("median_ms", "border", "7") + pipeline("median_ms", "upload", "7"), "kernel");
  expect_same(parts.at(4).at(kHigh), pipeline("high_ms", "way:Convolve", "7"), "whole");

  // Multiply-adds, by the rate that the device was measured to have.
  const std::vector<Fields> model = block("model", "bars");
  expect_same(model.at(0).at(kTo), 1e3 * 4096 * 4096 * 49 / 3.2876e13, "arithmetic");
  expect_same(model.at(2).at(kTo), view("median_ms", "Convolve", "7"), "measured");
}

TEST_F(ChartsTest, EachPictureIsAnSvgWithItsOwnTitle) {
  std::set<std::string> titles;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("charts")) {
    if (entry.path().extension() == ".svg") {
      count++;
      const std::string path = entry.path().string();
      EXPECT_EQ(program("rsvg-convert", "--output chart.png " + path).status, 0) << path;
      const std::string title =
          lines_with("^title = ", read_file(path.substr(0, path.size() - 3) + "dat")).at(0);
      titles.insert(title);
      EXPECT_NE(read_file(path).find(title.substr(9, 12)), std::string::npos)
          << path << ": " << title;
    }
  }
  EXPECT_GE(count, 20u);
  EXPECT_EQ(titles.size(), count);
}

TEST_F(ChartsTest, CommittedPicturesAreFresh) {
  std::size_t count = 0;
  for (const auto& device : fs::directory_iterator(in_repository("plots/data"))) {
    const std::string name = device.path().filename().string();
    const std::string committed = in_repository("plots/charts/" + name);
    program("tutorial", "charts " + device.path().string() + " " + name);
    for (const auto& entry : fs::directory_iterator(fs::exists(committed) ? committed : "charts")) {
      const fs::path drawn = fs::path(name) / entry.path().filename();
      if (!fs::exists(committed) || entry.path().extension() != ".svg") {
        continue;
      }
      ASSERT_TRUE(fs::exists(drawn)) << entry.path() << " is of no data: remove it";
      const std::string old = read_file(entry.path().string()), now = read_file(drawn.string());
      // Another version of gnuplot draws the same data with other strokes.
      if (lines_with("Produced by", old) == lines_with("Produced by", now)) {
        EXPECT_TRUE(old == now) << entry.path() << " is stale: ./tutorial charts";
        count++;
      }
    }
  }
  EXPECT_GT(count, 0u);
}

/// Two kernels at one filter width, on a device with a name that has all that could be in the way.
const std::string poor =
    "# program: step6_float4\n# device: The \"fast\" one's <GPU> & \\more\n# device_type: GPU\n"
    "# driver: `1`\n# size: 64 x 48\n# image: it's.png\n# baseline: Convolve\n"
    "run,kernel,filter_width,local_x,local_y,max_error,clock,kind,rounds_ms\n"
    "1,Convolve,6,0,0,0,event,kernel,1 1 1\n1,Convolve_Unroll,6,0,0,0,event,kernel,0.5 0.5 9000\n"
    "1,Convolve_UnrollIf,6,0,0,0,event,kernel,2 2 2\n";

TEST_F(ChartsTest, OfPoorDataInFoldersWithQuotes) {
  fs::create_directory("it's");
  write_whole("it's/ladder.csv", poor);
  const Ran ran = program("tutorial", "charts it's \"it's new\"");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_EQ(ran.errors, "") << ran;
  for (const std::string chart : {"front", "ladder", "step2", "step3", "baseline"}) {
    EXPECT_EQ(
        program("rsvg-convert", "--output chart.png \"it's new/" + chart + ".svg\"").status, 0)
        << chart;
  }
  EXPECT_TRUE(says(
      read_file("it's new/step2.svg"),
      "one.s &lt;GPU> &amp; .more · driver `1` · 64 x 48 it's.png"));
  // One round of 9 s does not stretch the axis.
  EXPECT_FALSE(says(read_file("it's new/step2.svg"), ">[ 0-9]*[0-9]{4}<"));
}

TEST_F(ChartsTest, NothingOldStays) {
  fs::create_directory("poor");
  write_whole("poor/ladder.csv", poor);
  const std::string charts = "charts poor charts";
  EXPECT_EQ(program("tutorial", charts).status, 0);
  EXPECT_FALSE(fs::exists("charts/peers.svg"));
  EXPECT_TRUE(fs::exists("charts/step2.svg"));
  // Without gnuplot, and with one that draws nothing: it is started once for each chart.
  const Ran without = program("tutorial", charts, {{"PATH", "/none"}});
  EXPECT_TRUE(
      without.status == 0 && says(without.output, "without pictures: gnuplot is not installed"))
      << without;
  EXPECT_TRUE(fs::exists("charts/step2.dat") && !fs::exists("charts/step2.svg"));
  fs::create_symlink("/bin/true", "gnuplot");
  const Ran empty = program("tutorial", charts, {{"PATH", fs::current_path().string()}});
  EXPECT_EQ(empty.status, 1) << empty;
  const std::ptrdiff_t data = std::ranges::count_if(
      fs::directory_iterator("charts"),
      [](const auto& entry) { return entry.path().extension() == ".dat"; });
  EXPECT_EQ(lines_with("could not draw", empty.errors).size(), data) << empty;
  EXPECT_FALSE(fs::exists("charts/step2.svg"));
  fs::create_directory("none");
  expect_refused(program("tutorial", "charts none charts"), "no chart can be drawn from .*none");
  expect_refused(program("tutorial", "charts none"), "charts: where");
}

}  // namespace
}  // namespace tutorial
