// Which fault turns this test red alone: a wrong figure in the CSV, in a locale with decimal commas
// as well, and a comparison that shows a difference where there is none or turns it around; another
// median or interval than the tables have, and a disturbed run that counts; a ceiling of which
// another amount of work is counted; a program without an end.
#include "common/lab/results.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <locale>
#include <numeric>

#include "common/lab/ceilings.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// What `Results` prints for a table of these measurements, of an image of 64 x 48 pixels.
std::string printed(
    const std::vector<KernelEntry>& kernels, const std::vector<Measurement>& measured,
    const std::optional<Ceilings>& ceilings = {}, const std::string& csv = {},
    int pixel_bytes = 4) {
  Options options;
  options.kernels = kernels;
  options.csv = csv;
  options.pixel_bytes = pixel_bytes;
  testing::internal::CaptureStdout();
  Results results(options, select_device(""), Image(64, 48));
  Verdict verdict;
  verdict.passed = true;
  verdict.rounded = 3;
  results.verify("any", 7, verdict);
  results.add(7, measured, ceilings);
  results.finish();
  return testing::internal::GetCapturedStdout();
}

/// Rounds of which the middle one counts; their interval is from the first to the last.
Measurement measurement(const std::string& name, const std::vector<double>& rounds_ms) {
  const Rounds rounds = {rounds_ms, std::vector(rounds_ms.size(), false)};
  return {
      {.kernel = name,
       .local_x = 8,
       .local_y = 4,
       .max_error = 1e-7,
       .clock = "event",
       .kind = "kernel",
       .rounds = rounds}};
}

void expect_line(const std::string& text, const std::string& line) {
  EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << text;
}

TEST(ResultsTest, TheCommitIsThatOfThisFolderAlone) {
  const bool is_known =
      fs::exists(SOURCE_FOLDER "/.git") && run({{"git", "--version"}}).status == 0;
  EXPECT_EQ(commit_of(SOURCE_FOLDER) != "unknown", is_known);
  EXPECT_EQ(commit_of(SOURCE_FOLDER "/common"), "unknown") << "a ZIP within another repository";
}

TEST(Processes, EndAtTheirLimitAndKeepWhatTheyHaveSaid) {
  Process endless{{"sh", "-c", "echo said; sleep 60"}};
  endless.limit_s = 1.0;
  const Finished ended = run(endless);
  EXPECT_TRUE(ended.status == 127 || (ended.timed_out && ended.output == "said\n")) << ended.status;
}

TEST(ResultsTest, OnePairOneLine) {
  // The machine is twice as slow in the second round: the ratios of each round know nothing of it.
  const Measurement original = measurement("Convolve", {10.0, 20.0, 10.0});
  for (const auto& [my_ms, line] : std::vector<std::pair<std::vector<double>, const char*>>{
           {{5.0, 10.0, 4.0}, "Convolve:my is 2.000 times as fast as Convolve (2.000..2.500)"},
           {{20.0, 40.0, 30.0}, "Convolve is 2.000 times as fast as Convolve:my (2.000..3.000)"},
           {{10.0, 16.0, 10.0},
            "Convolve:my and Convolve: no difference was shown (ratio 1.000..1.250)"}}) {
    const std::vector<Measurement> both = {original, measurement("Convolve:my", my_ms)};
    expect_line(
        printed({{"Convolve"}, {.label = "Convolve:my", .original = "Convolve"}}, both), line);
  }
}

TEST(ResultsTest, WhatIsWrongAfterTheTimingIsNamedAndHasNoRow) {
  Measurement wrong = measurement("Once", {1.0});
  wrong.verdict.emplace().damage = "changed its input";
  testing::internal::CaptureStderr();
  const std::string table = printed({{"Always"}, {"Once"}}, {measurement("Always", {1.0}), wrong});
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
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/table.csv";
  // The second and the eighth of nine are the interval's ends.
  const std::vector<double> convolve_ms = {12.288, 20.0, 12.5, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0};
  Measurement busy = measurement("Busy,\"B\"", convolve_ms);
  std::fill_n(busy.rounds.disturbed.begin(), 4, true);
  busy.kind = "library";
  Measurement same = measurement("Same", convolve_ms);
  same.clock = "host";
  // 1e11 multiply-adds per second, but in the first round a hundredth of that; 1e10 bytes, but in
  // the last round half of that.
  const Ceilings ceilings = {
      {0, "", 1e8, measurement("", {100, 1, 1, 1, 1, 1, 1, 1, 1}).rounds},
      {1e10, "", 1e7, measurement("", {1, 1, 1, 1, 1, 1, 1, 1, 2}).rounds}};
  const std::vector<Measurement> measurements = {
      measurement("Convolve", convolve_ms),
      measurement("Fast", {0.3072, 0.5, 0.25, 0.2, 0.26, 0.3, 0.4, 0.45, 0.6}), same, busy};
  const std::string table = printed({{"Convolve"}}, measurements, ceilings, path);
  const std::string rounds = read_file(path);
  const Csv view = Measured(path).view(path);
  std::locale::global(before);
  for (const char* line :
       {"Fast                            0.3072  0.2500..0.5000      2.6 % 0.0100   109.5",
        "Same                             10.00*   10.00..12.50  = 100.0 % 0.0003    3649",
        "Busy,\"B\"                         10.00?   10.00..12.50 = 100.0 %? 0.0003   3649?",
        "left out: 4 of 36 runs, as another program had a core; ?: too few others"}) {
    expect_line(table, line);
  }
  const cl::Device device = select_device("");
  // (70 * 54 + 64 * 48) * 4 bytes at 1e10 bytes per second are 2.7408 us; 49 taps less, but for the
  // first round. The last round's copy took twice as long.
  for (const std::string line :
       {"# size: 64 x 48", "# copy_bytes_per_s: 1e+10",
        is_cpu(device) ? "# device_type: CPU" : "# device_type: GPU",
        "run,kernel,filter_width,local_x,local_y,max_error,clock,kind,rounds_ms",
        "1,Same,7,8,4,1.00e-07,host,kernel,12.288 20 12.5 10 10 10 10 10 10",
        "1,Fast,7,8,4,1.00e-07,event,kernel,0.3072 0.5 0.25 0.2 0.26 0.3 0.4 0.45 0.6",
        "1,\"Busy,\"\"B\"\"\",7,8,4,1.00e-07,event,library,12.288? 20? 12.5? 10? 10 10 10 10 10",
        "1,floor,7,0,0,0.00e+00,event,floor,0.150528 0.0027408 0.0027408 0.0027408 0.0027408 "
        "0.0027408 0.0027408 0.0027408 0.0054816"}) {
    expect_line(rounds, line);
  }
  const auto joined = [](const auto& words) { return fmt::format("{}", fmt::join(words, ",")); };
  EXPECT_EQ(
      joined(view.rows[1]),
      "1,Fast,7,8,9,0.3072,0.25,0.5,2.6,2,4.5,0.01,109.457093,72.9713952,164.185639,0,,"
      "kernel");
  EXPECT_TRUE(joined(view.rows[3]).ends_with(",4,time relative x_floor,library"));
}

TEST(ResultsTest, TheFloorOfBytesMovesAQuarterOfThatOfFloats) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/floor.csv";
  const Measurement one = measurement("Convolve", {1.0});
  const Ceilings ceilings = {{0, "", 1e8, one.rounds}, {0, "", 1e6, one.rounds}};
  printed({{"Convolve"}}, {one}, ceilings, path, 1);
  EXPECT_EQ(read_csv(path).text(1, "rounds_ms"), "0.006852") << "of floats it is 0.027408";
}

TEST(ResultsTest, WhereMostRunsWereDisturbedNoFigureStandsThatTheyCannotBear) {
  Measurement quiet = measurement("Convolve", std::vector(15, 1.0));
  Measurement busy = measurement("Busy", std::vector(15, 2.0));
  std::fill_n(quiet.rounds.disturbed.begin(), 2, true);
  std::fill_n(busy.rounds.disturbed.begin(), 14, true);
  const std::string table =
      printed({{"Convolve"}, {.label = "Busy", .original = "Convolve"}}, {quiet, busy});
  expect_line(table, "Other programs had the cores in most runs: -, what they cannot bear.");
  expect_line(table, "Busy                                  -              -          -      -");
  expect_line(table, "Busy and Convolve: not compared, in a busy machine");
  expect_line(table, "Convolve                         1.000    1.000..1.000    100.0 % 0.0031");
}

TEST(Statistics, TheIntervalHasTheTabulatedRanks) {
  // Ranks of the two-sided 95 % interval of a median, from tables of the sign test: for n samples
  // the k-th smallest to the k-th largest. Few samples give their whole range.
  // Ten of them together: each misses in 0.5 %. Of 20 fair coins 3 or fewer fall one way in 0.13 %,
  // 4 or fewer in 0.59 %.
  for (const auto& [n, together, k] :
       {std::tuple{1, 1, 1},
        {8, 1, 1},
        {9, 1, 2},
        {11, 1, 2},
        {12, 1, 3},
        {17, 1, 5},
        {25, 1, 8},
        {50, 1, 18},
        {100, 1, 40},
        {20, 10, 4}}) {
    std::vector<double> samples(n);
    std::iota(samples.rbegin(), samples.rend(), 1.0);
    const auto [median, low, high, sure] = summarize(samples, together);
    EXPECT_EQ(median, 0.5 * (n + 1)) << n;
    EXPECT_EQ(low, k) << n;
    EXPECT_EQ(high, n + 1 - k) << n;
  }
}

TEST(Statistics, DisturbedRoundsAreLeftOut) {
  Rounds slow = {{9, 2, 2, 8, 2, 2, 4, 2}, {true, false, false, true, false, false, false, false}};
  const Rounds fast = {std::vector(8, 1.0), std::vector(8, false)};
  Statistics ratio = paired_ratio(slow, fast);
  EXPECT_TRUE(ratio.sure && ratio.low == 2 && ratio.high == 4);
  EXPECT_EQ(paired_ratio(fast, slow).low, 0.25) << "whichever of them was disturbed";
  // With less than six others, or than half of all, they count, and that is said.
  slow.disturbed[1] = true;
  ratio = paired_ratio(slow, fast);
  EXPECT_TRUE(!ratio.sure && ratio.high == 9);
  Rounds lucky = {std::vector(32, 1.0), std::vector(32, true)};
  std::fill_n(lucky.disturbed.begin(), 15, false);
  EXPECT_FALSE(summarize(lucky).sure);
  lucky.disturbed[15] = false;
  EXPECT_TRUE(summarize(lucky).sure);
}

// The medians of the program's rounds, of that type which is best by the median, not by one run.
TEST(CeilingRounds, AreOfTheBestTypeByTheMedian) {
  using Kind = CeilingKernel::Kind;
  std::vector<CeilingKernel> kernels = {
      {"jumping", Kind::multiply_add, 4, "float4", {}, 1000},
      {"steady", Kind::multiply_add, 16, "float16", {}, 1000},
      {"copy", Kind::copy, 1, "float", {}, 1000},
      {"cached", Kind::cached_read, 4, "float4", {}, 1000}};
  const auto measured = [](const std::string& name, const std::vector<double>& ms) {
    return Measurement{{.kernel = name, .rounds = {ms, {false, false, true}}}};
  };
  // At the second width the median of all six is still 2, and the rounds are this width's.
  for (const double ms : {2.0, 9.0}) {
    std::vector<Measurement> all = {
        measured("mine", {1, 1, 1}), measured("jumping", {1, 1, 0.1}),
        measured("steady", {2, ms, 2}), measured("copy", {4, 5, 6}), measured("cached", {4, 4, 4})};
    const Ceilings best = take_ceilings(all, kernels).value();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].kernel, "mine");
    EXPECT_EQ(best.multiply_adds.rounds.ms, (std::vector<double>{2, ms, 2}));
    EXPECT_EQ(best.copies.rounds.disturbed, (std::vector{false, false, true}));
    EXPECT_EQ(best.multiply_adds.work, 1000 * 16 * 8 * 12) << "8 links of 12 chains";
    EXPECT_EQ(best.copies.work, 1000 * 8) << "4 bytes read, and written";
    EXPECT_EQ(best.multiply_adds.type, "float16");
    EXPECT_DOUBLE_EQ(best.multiply_adds.per_s, 1000 * 16 * 96 / 2e-3);
    EXPECT_DOUBLE_EQ(best.copies.per_s, 1000 * 8 / 5e-3);
    EXPECT_DOUBLE_EQ(kernels[3].per_s, 1000 * 4 * 4 * 8 / 4e-3) << "8 reads of 16 bytes";
  }
}

}  // namespace
}  // namespace tutorial
