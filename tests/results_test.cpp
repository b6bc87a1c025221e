// What a program prints below a table: comparisons with --against, and what x floor means.
#include "common/results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "common/device.hpp"

namespace tutorial {
namespace {

/// What `Results` prints for tables with these measurements and ceilings.
std::string printed(
    const std::vector<KernelEntry>& kernels, const std::vector<Comparison>& comparisons) {
  Options options;
  options.kernels = kernels;
  testing::internal::CaptureStdout();
  Results results(options, select_device(""), Image(64, 48));
  testing::internal::GetCapturedStdout();
  testing::internal::CaptureStdout();
  for (const Comparison& comparison : comparisons) {
    results.add(7, comparison);
  }
  results.finish();
  return testing::internal::GetCapturedStdout();
}

Measurement measurement(const std::string& name, double low, double median, double high) {
  return {name, cl::NullRange, 0.0, {10, median, low, high, low}, false};
}

const Ceilings ceilings = [] {
  Ceilings result;
  result.multiply_adds_per_s = 1e11;
  result.copy_bytes_per_s = 1e10;
  return result;
}();

const std::vector<KernelEntry> pair = {
    {"Convolve"}, {.label = "Convolve:my", .original = "Convolve"}};

void expect_line(const std::string& text, const std::string& line) {
  EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << text;
}

TEST(ResultsTest, OnePairOneLine) {
  const Measurement original = measurement("Convolve", 9.0, 10.0, 11.0);
  expect_line(
      printed(pair, {{{original, measurement("Convolve:my", 4.5, 5.0, 5.5)}, {}}}),
      "Convolve:my is 2.000 times as fast as Convolve (1.636..2.444)");
  expect_line(
      printed(pair, {{{original, measurement("Convolve:my", 18.0, 20.0, 22.0)}, {}}}),
      "Convolve is 2.000 times as fast as Convolve:my (1.636..2.444)");
  expect_line(
      printed(pair, {{{original, measurement("Convolve:my", 8.0, 9.0, 10.0)}, {}}}),
      "Convolve:my and Convolve: no difference was shown (ratio 0.900..1.375)");
  expect_line(
      printed(pair, {{{original}, {}}}),
      "Convolve:my and Convolve are not compared: one of them was not timed");
}

TEST(ResultsTest, NothingIsComparedWithoutAgainst) {
  const std::string text =
      printed({{"Convolve"}}, {{{measurement("Convolve", 9.0, 10.0, 11.0)}, {}}});
  for (const char* words : {"times as fast", "no difference was", "not compared"}) {
    EXPECT_EQ(text.find(words), std::string::npos) << text;
  }
}

TEST(ResultsTest, LongNamesStayWithin80Columns) {
  const std::string name = "Convolve_Local_Read4_UnrollAll";
  const std::vector<KernelEntry> kernels = {
      {"Convolve"}, {name}, {.label = name + ":changed", .original = name}};
  for (const double time : {5.0, 10.0, 20.0}) {
    std::istringstream lines(printed(
        kernels, {{{measurement(name, 0.9 * 10, 10, 11),
                    measurement(name + ":changed", 0.9 * time, time, 1.1 * time)},
                   ceilings}}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(ResultsTest, XFloorIsExplainedBelowTheFirstTableThatHasIt) {
  const Measurement time = measurement("Convolve", 9.0, 10.0, 11.0);
  const std::string text =
      printed({{"Convolve"}}, {{{time}, {}}, {{time}, ceilings}, {{time}, ceilings}});
  const std::string explanation = "\nx floor: ";
  const std::size_t table = text.find(" x floor\n");
  const std::size_t explained = text.find(explanation);
  const std::size_t next_table = text.find(" x floor\n", table + 1);
  EXPECT_LT(table, explained) << text;
  EXPECT_LT(explained, next_table) << text;
  EXPECT_NE(next_table, std::string::npos) << text;
  EXPECT_EQ(text.find(explanation, explained + 1), std::string::npos) << text;
}

}  // namespace
}  // namespace tutorial
