// Which fault turns this test red alone: a wrong figure in the CSV, in a locale with decimal commas
// as well, and a comparison that shows a difference where there is none or turns it around; another
// median, minimum or interval than the tables have, and a disturbed run that counts.
#include "common/results.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <locale>
#include <map>
#include <numeric>

#include "common/text.hpp"
#include "common/timing.hpp"

namespace tutorial {
namespace {

/// What `Results` prints for a table of these measurements, of an image of 64 x 48 pixels.
std::string printed(
    const std::vector<KernelEntry>& kernels, const Comparison& comparison,
    const std::string& csv = {}) {
  Options options;
  options.kernels = kernels;
  options.csv = csv;
  testing::internal::CaptureStdout();
  Results results(options, select_device(""), Image(64, 48));
  Verdict verdict;
  verdict.passed = true;
  verdict.rounded = 3;
  results.verify("any", 7, verdict);
  results.add(7, comparison);
  results.finish();
  return testing::internal::GetCapturedStdout();
}

/// Rounds of which the middle one counts; their interval is from the first to the last.
Measurement measurement(const std::string& name, const std::vector<double>& rounds_ms) {
  const Rounds rounds = {rounds_ms, std::vector(rounds_ms.size(), false)};
  return {name, cl::NDRange(8, 4), 1e-7, summarize(rounds), false, rounds};
}

void expect_line(const std::string& text, const std::string& line) {
  EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << text;
}

TEST(ResultsTest, OnePairOneLine) {
  // The machine is twice as slow in the second round: the ratios of each round know nothing of it.
  const Measurement original = measurement("Convolve", {10.0, 20.0, 10.0});
  for (const auto& [my_ms, line] : std::vector<std::pair<std::vector<double>, const char*>>{
           {{5.0, 10.0, 4.0}, "Convolve:my is 2.000 times as fast as Convolve (2.000..2.500)"},
           {{20.0, 40.0, 30.0}, "Convolve is 2.000 times as fast as Convolve:my (2.000..3.000)"},
           {{10.0, 16.0, 10.0},
            "Convolve:my and Convolve: no difference was shown (ratio 1.000..1.250)"}}) {
    const Comparison both = {{original, measurement("Convolve:my", my_ms)}};
    expect_line(
        printed({{"Convolve"}, {.label = "Convolve:my", .original = "Convolve"}}, both), line);
  }
}

TEST(ResultsTest, WhatIsWrongAfterTheTimingIsNamedAndHasNoRow) {
  Measurement wrong = measurement("Once", {1.0});
  wrong.verdict.emplace().damage = "changed its input";
  testing::internal::CaptureStderr();
  const std::string table =
      printed({{"Always"}, {"Once"}}, {{measurement("Always", {1.0}), wrong}});
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      ": Once, filter width 7, after the timing: changed its input\n");
  EXPECT_NE(table.find("any: 3 of 3072 pixels are one grey level off\n"), std::string::npos);
  EXPECT_NE(table.find("\nAlways "), std::string::npos) << table;
  EXPECT_EQ(table.find("\nOnce "), std::string::npos) << table;
  EXPECT_TRUE(table.ends_with("\n1 of 1 results are WRONG\n")) << table;
}

TEST(ResultsTest, TheFiguresOfTableAndCsvWhateverTheReadersLocale) {
  // A locale with decimal commas, as a German desktop has it.
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  const std::string path = testing::TempDir() + "results_test.csv";
  // The second and the eighth of nine are the interval's ends.
  const std::vector<double> convolve_ms = {12.288, 20.0, 12.5, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0};
  Measurement busy = measurement("Busy,\"B\"", convolve_ms);
  std::fill_n(busy.rounds.disturbed.begin(), 4, true);
  busy.time_ms = summarize(busy.rounds);
  busy.kind = "library";
  // 1e11 multiply-adds per second in every round; 1e10 bytes, and in the last round half of that.
  const CeilingTimes multiply_adds = {1e8, measurement("", std::vector(9, 1.0)).rounds};
  Ceilings ceilings;
  ceilings.multiply_adds_per_s = 1e11;
  ceilings.copy_bytes_per_s = 1e10;
  const CeilingTimes copies = {1e7, measurement("", {1, 1, 1, 1, 1, 1, 1, 1, 2}).rounds};
  const std::vector<Measurement> measurements = {
      measurement("Convolve", convolve_ms),
      measurement("Fast", {0.3072, 0.5, 0.25, 0.2, 0.26, 0.3, 0.4, 0.45, 0.6}),
      measurement("Same", convolve_ms), busy};
  const std::string table =
      printed({{"Convolve"}}, {measurements, ceilings, multiply_adds, copies}, path);
  const std::string csv = read_file(path), rounds = read_file(rounds_file(path));
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
  std::remove(path.c_str());
  std::remove(rounds_file(path).c_str());
  expect_line(
      table, "Fast                            0.3072  0.2500..0.5000      2.6 % 0.0100   109.5");
  expect_line(
      table, "Same                             10.00   10.00..12.50   = 100.0 % 0.0003    3649");
  expect_line(
      table, "Busy,\"B\"                         10.00?  10.00..12.50  = 100.0 %? 0.0003   3649?");
  expect_line(table, "left out: 4 of 36 runs, as another program had a core; ?: too few others");
  expect_line(
      csv,
      "kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,low_ms,high_ms,min_ms,"
      "relative_percent,gpixels_per_s,max_error,clock,x_floor,relative_low,relative_high,"
      "x_floor_low,x_floor_high,left_out,unsure,kind");
  // (70 * 54 + 64 * 48) * 4 bytes at 1e10 bytes per second are 2.7408 us; 49 taps less. The last
  // round is as good as one of 0.3 ms, so that is the median.
  expect_line(
      csv,
      "Fast,7,64,48,8,4,9,0.3072,0.25,0.5,0.2,2.6,0.01,1.00e-07,event,109.46,2,4.5,91.214,164.19,"
      "0,,kernel");
  expect_line(
      csv,
      R"("Busy,""B""",7,64,48,8,4,9,10,10,12.5,10,100,0.0003072,1.00e-07,event,3648.6,100,100,)"
      "3648.6,4560.7,4,time relative x_floor,library");
  expect_line(csv, "# size: 64 x 48");
  expect_line(csv, "# device_type: " + device_type(select_device("")));
  expect_line(csv, "# copy_bytes_per_s: 1e+10");
  expect_line(rounds, "Fast,7,0.3072 0.5 0.25 0.2 0.26 0.3 0.4 0.45 0.6");
  expect_line(rounds, R"("Busy,""B""",7,12.288? 20? 12.5? 10? 10 10 10 10 10)");
}

TEST(ResultsTest, TheFileKeepsTwoHundredRoundsEvenlyFromAll) {
  const std::string path = testing::TempDir() + "rounds_test.csv";
  std::vector<double> ms(400);
  std::iota(ms.begin(), ms.end(), 1.0);
  printed({{"Convolve"}}, {{measurement("Convolve", ms)}}, path);
  const std::string rounds = read_file(rounds_file(path));
  std::remove(path.c_str());
  std::remove(rounds_file(path).c_str());
  EXPECT_NE(rounds.find("Convolve,7,1 3 5 7 "), std::string::npos) << rounds;
  EXPECT_TRUE(rounds.ends_with(" 397 399\n")) << rounds;
}

TEST(Statistics, TheIntervalHasTheTabulatedRanks) {
  // Ranks of the two-sided 95 % interval of a median, from tables of the sign test: for n samples
  // the k-th smallest to the k-th largest. Few samples give their whole range.
  const std::map<int, int> table = {{1, 1},  {5, 1},  {6, 1},  {8, 1},  {9, 2},   {11, 2},  {12, 3},
                                    {15, 4}, {17, 5}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
  for (const auto& [n, k] : table) {
    std::vector<double> samples(n);
    std::iota(samples.rbegin(), samples.rend(), 1.0);
    const auto [count, median, low, high, minimum, sure] = summarize(samples);
    EXPECT_TRUE(count == n && median == 0.5 * (n + 1) && minimum == 1) << n;
    EXPECT_EQ(low, k) << n;
    EXPECT_EQ(high, n + 1 - k) << n;
  }
  // Ten of them together: each misses in 0.5 %. Of 20 fair coins 3 or fewer fall one way in 0.13 %,
  // 4 or fewer in 0.59 %.
  std::vector<double> samples(20);
  std::iota(samples.begin(), samples.end(), 1.0);
  EXPECT_EQ(summarize(samples, 10).low, 4);
  EXPECT_EQ(summarize(samples, 10).high, 17);
}

TEST(Statistics, DisturbedRoundsAreLeftOut) {
  Rounds slow = {{9, 2, 2, 8, 2, 2, 4, 2}, {true, false, false, true, false, false, false, false}};
  const Rounds fast = {std::vector(8, 1.0), std::vector(8, false)};
  Statistics ratio = paired_ratio(slow, fast);
  EXPECT_TRUE(ratio.sure);
  EXPECT_EQ(ratio.count, 6);
  EXPECT_EQ(ratio.high, 4);
  EXPECT_EQ(paired_ratio(fast, slow).low, 0.25) << "whichever of them was disturbed";
  EXPECT_EQ(summarize(slow).high, 4);
  // With less than six others they count, and that is said.
  slow.disturbed[1] = true;
  ratio = paired_ratio(slow, fast);
  EXPECT_FALSE(ratio.sure);
  EXPECT_EQ(ratio.high, 9);
  // Those few that were lucky on a busy machine may be others in more than that.
  Rounds lucky = {std::vector(32, 1.0), std::vector(32, true)};
  std::fill_n(lucky.disturbed.begin(), 15, false);
  EXPECT_FALSE(summarize(lucky).sure) << "15 of 32 are less than half";
  lucky.disturbed[15] = false;
  EXPECT_TRUE(summarize(lucky).sure);
}

}  // namespace
}  // namespace tutorial
