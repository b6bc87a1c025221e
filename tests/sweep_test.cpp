// What a run says about itself: how long it will take, and whether the machine was quiet. The times
// are made up.
#include "common/sweep.hpp"

#include <gtest/gtest.h>

#include "common/device.hpp"
#include "common/results.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

class Summary : public testing::Test {
 protected:
  Summary() {
    options.program = "program";
    options.kernels = {{"Convolve"}};
  }

  /// What the program prints for ten kernels at widths 30 and 31, `wide` of whose intervals go from
  /// 1 ms to `high_ms`, `2 * high_ms` and so on.
  std::string print(int wide, double high_ms) {
    options.filter_widths = {30, 31};
    testing::internal::CaptureStdout();
    Results results(options, device, Image(64, 48));
    for (const int filter_width : options.filter_widths) {
      std::vector<Measurement> measurements;
      for (int k = 0; k < 10; k++) {
        Measurement measurement;
        measurement.name = "Convolve_Local_Read4_UnrollAl" + std::to_string(k);
        measurement.time_ms = {7, 1.1, 1.0, 1.15, 1.0};
        if (wide > 0) {
          measurement.time_ms.high = high_ms * wide--;
        }
        measurements.push_back(measurement);
      }
      results.add(filter_width, measurements);
    }
    results.finish();
    return testing::internal::GetCapturedStdout();
  }

  Options options;
  cl::Device device = select_device("");
};

TEST_F(Summary, NamesTheWidestIntervalsOfAMachineThatWasNotQuiet) {
  const std::string text = print(11, 2.0);
  EXPECT_NE(
      text.find("the machine was not quiet: 11 of 20 intervals are wider than 20 %\n"
                "least to be trusted: Convolve_Local_Read4_UnrollAl0 at width 30 (factor 22.0)\n"
                "and Convolve_Local_Read4_UnrollAl1 at width 30 (factor 20.0)\n"),
      std::string::npos)
      << text;
  for (const std::string& line : split(text, '\n')) {
    EXPECT_TRUE(line.size() <= 80 || line.starts_with("device ")) << line;
  }
}

TEST_F(Summary, AQuarterOfWideIntervalsIsNotTooMany) {
  EXPECT_EQ(print(5, 2.0).find("quiet"), std::string::npos);
  EXPECT_NE(print(6, 2.0).find("quiet"), std::string::npos);
}

TEST_F(Summary, AFifthIsNotWide) {
  EXPECT_EQ(print(1, 1.15).find("quiet"), std::string::npos);
}

TEST_F(Summary, SaysHowLongASweepTakesBeforeAndAfterItsFirstWidth) {
  const std::string text = print(0, 0.0);
  const std::size_t before = text.find("\n2 filter widths: about ");
  ASSERT_NE(before, std::string::npos) << text;
  EXPECT_LT(before, text.find("\nfilter 30 x 30\n"));
  const std::size_t after = text.find("\nabout ");
  EXPECT_LT(text.find("\nfilter 30 x 30\n"), after);
  EXPECT_LT(after, text.find("\nfilter 31 x 31\n"));
  EXPECT_EQ(text.find(" left\n", after + 20), std::string::npos) << "once";
}

TEST_F(Summary, NoTimeIsLeftBehindTheLastWidth) {
  options.filter_widths = {4, 8};
  Sweep sweep(options, device, 64);
  for (int i = 0; i < 2; i++) {
    EXPECT_NE(sweep.time_left(), "");
    sweep.prepared();
    sweep.measured({});
  }
  EXPECT_EQ(sweep.time_left(), "");
}

TEST_F(Summary, OneWidthIsNoSweep) {
  options.filter_widths = {7};
  EXPECT_EQ(Sweep(options, device, 64).announcement(), "");
  EXPECT_EQ(Sweep(options, device, 64).time_left(), "");
}

TEST_F(Summary, TheAnnouncementFitsATerminal) {
  options.filter_widths.assign(32, 32);
  options.kernels.assign(26, {"Convolve", Shape::image});
  options.time_budget_s = 0.333;
  for (std::size_t pixels = 1; pixels < std::size_t{1} << 32; pixels *= 8) {
    const std::string text = Sweep(options, device, pixels).announcement();
    EXPECT_LE(text.size(), 80U) << text;
  }
}

TEST(Cost, GrowsWithTheFilter) {
  const WidthCost known{8, 10.0, 2.0, 0.5};
  // Nearly four times as many taps: six runs of all kernels exceed the budget.
  const WidthCost wide = scaled(known, 16, 2.0);
  EXPECT_NEAR(wide.round_s, 2.0, 0.3);
  EXPECT_DOUBLE_EQ(wide.measure_s, 6.0 * wide.round_s);
  EXPECT_GT(wide.prepare_s, known.prepare_s);
  // A quarter of them: the budget holds.
  EXPECT_DOUBLE_EQ(scaled(known, 4, 2.0).measure_s, 2.0);
}

TEST(Cost, IsDescribedInUnitsForPeople) {
  EXPECT_EQ(describe_duration(8.7), "9 s");
  EXPECT_EQ(describe_duration(540.0), "9 min");
  EXPECT_EQ(describe_duration(12600.0), "3.5 h");
}

}  // namespace
}  // namespace tutorial
