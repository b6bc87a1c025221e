// Which fault turns this test red alone: another median, minimum or interval than the tables have,
// and a variant that is timed without a warm-up, out of turn or too seldom.
#include "common/timing.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <numeric>
#include <thread>

namespace tutorial {
namespace {

TEST(Statistics, MedianAndMinimum) {
  const Statistics odd = summarize({5, 1, 3});
  EXPECT_EQ(odd.count, 3);
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.minimum, 1);
  EXPECT_EQ(summarize({4, 1, 3, 2}).median, 2.5);
  EXPECT_EQ(summarize({7}).median, 7);
}

TEST(Statistics, TheIntervalHasTheTabulatedRanks) {
  // Ranks of the two-sided 95 % interval of a median, from tables of the sign test: for n samples
  // the k-th smallest to the k-th largest. Few samples give their whole range.
  const std::map<int, int> table = {{1, 1},  {5, 1},  {6, 1},  {8, 1},  {9, 2},   {11, 2},  {12, 3},
                                    {15, 4}, {17, 5}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
  for (const auto& [n, k] : table) {
    std::vector<double> samples(n);
    std::iota(samples.begin(), samples.end(), 1.0);
    const Statistics statistics = summarize(samples);
    EXPECT_EQ(statistics.low, k) << n;
    EXPECT_EQ(statistics.high, n + 1 - k) << n;
  }
}

TEST(Measure, WarmsUpAndInterleaves) {
  std::string calls;
  const auto host = [&calls](char letter) {
    return [&calls, letter] {
      calls += letter;
      return cl::Event();
    };
  };
  const std::vector<Measurement> result = measure(
      {{"a", cl::NullRange, 0.1, host('a')}, {"b", cl::NDRange(8, 4), 0.2, host('b')}}, 0.0);

  ASSERT_EQ(result.size(), 2U);
  EXPECT_EQ(result[0].name, "a");
  EXPECT_EQ(result[1].name, "b");
  EXPECT_EQ(result[1].max_error, 0.2);
  EXPECT_EQ(result[1].local.get()[0], 8U);
  EXPECT_TRUE(result[0].host_clock) << "a host function has no event";
  EXPECT_GE(result[0].time_ms.count, 6);
  const auto timed = static_cast<std::size_t>(2 * result[0].time_ms.count);
  ASSERT_GE(calls.size(), timed + 2) << "a warm-up round of two variants";
  // Both occur in every round, and not always in the same order.
  bool ab = false;
  bool ba = false;
  for (std::size_t i = calls.size() - timed; i < calls.size(); i += 2) {
    EXPECT_NE(calls[i], calls[i + 1]);
    (calls[i] == 'a' ? ab : ba) = true;
  }
  EXPECT_TRUE(ab && ba);
}

TEST(Measure, TakesTheTimeThatAVariantReports) {
  // What no clock here would measure; a timer that says nothing, so the host's clock counts.
  const auto report_an_hour = [] { return 3.6e6; };
  const auto sleep_and_report_nothing = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return 0.0;
  };
  const auto measured = [](const std::function<double()>& run_ms) {
    return measure({{"any", cl::NullRange, 0.0, nullptr, run_ms}}, 0.0).front();
  };
  EXPECT_FALSE(measured(report_an_hour).host_clock);
  EXPECT_EQ(measured(report_an_hour).time_ms.median, 3.6e6);
  EXPECT_TRUE(measured(sleep_and_report_nothing).host_clock);
  EXPECT_GE(measured(sleep_and_report_nothing).time_ms.minimum, 2.0);
}

TEST(Measure, KeepsToItsBudget) {
  int runs = 0;
  const auto sleep = [&runs] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 1.0 + runs++;
  };
  measure({{"a", cl::NullRange, 0.0, nullptr, sleep}}, 0.4);
  EXPECT_LE(runs, 20) << "of 20 ms each";
}

}  // namespace
}  // namespace tutorial
