// Which fault turns this test red alone: another median, minimum or interval than the tables have,
// and a variant that is timed without a warm-up, out of turn or too seldom.
#include "common/timing.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <numeric>
#include <random>
#include <thread>

#include "common/device.hpp"
#include "tests/event_times.hpp"

/// In the place of OpenCL's: the times of `event_times`, or the event's own.
extern "C" cl_int clGetEventProfilingInfo(
    cl_event event, cl_profiling_info what, size_t size, void* value, size_t* size_of_value) {
  if (tutorial::event_times) {
    *static_cast<cl_ulong*>(value) = tutorial::event_times->at(what - CL_PROFILING_COMMAND_QUEUED);
    return CL_SUCCESS;
  }
  static const auto real = reinterpret_cast<decltype(&clGetEventProfilingInfo)>(
      dlsym(RTLD_NEXT, "clGetEventProfilingInfo"));
  return real(event, what, size, value, size_of_value);
}

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

// Rounds on a busy machine: what it does to a round, it does to all kernels of it, and each run has
// some noise of its own, now and then much.
std::vector<Measurement> rounds(std::mt19937& generator, int count, double time_of_second) {
  std::vector<Measurement> pair(2);
  std::lognormal_distribution<double> load(0.0, 0.3);
  std::lognormal_distribution<double> own(0.0, 0.03);
  std::bernoulli_distribution interrupted(0.1);
  for (int round = 0; round < count; round++) {
    const double slow = load(generator);
    pair[0].rounds_ms.push_back(slow * own(generator) * (interrupted(generator) ? 3.0 : 1.0));
    pair[1].rounds_ms.push_back(
        slow * own(generator) * (interrupted(generator) ? 3.0 : 1.0) * time_of_second);
  }
  return pair;
}

/// How many percent of the runs show a difference.
double different_percent(int round_count, double time_of_second) {
  std::mt19937 generator(1);
  int different = 0;
  for (int run = 0; run < 4000; run++) {
    const std::vector<Measurement> pair = rounds(generator, round_count, time_of_second);
    different += no_difference(paired_ratio(pair[1], pair[0])) ? 0 : 1;
  }
  return different / 40.0;
}

TEST(PairedRatio, AKernelDiffersFromItselfInNoMoreRunsThanTheIntervalAllows) {
  for (const int round_count : {15, 16, 40, 101}) {
    const double percent = different_percent(round_count, 1.0);
    EXPECT_LE(percent, 5.0) << round_count;
    EXPECT_GE(percent, 1.0) << round_count << ": the interval is wider than it need be";
  }
}

TEST(PairedRatio, FindsADifferenceOfThreePercentUnderTenTimesAsMuchNoise) {
  EXPECT_GE(different_percent(40, 1.03), 70.0);
  EXPECT_GE(different_percent(101, 1.03), 95.0);
  std::mt19937 generator(1);
  const std::vector<Measurement> pair = rounds(generator, 101, 1.03);
  EXPECT_NEAR(paired_ratio(pair[1], pair[0]).median, 1.03, 0.01);
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
  EXPECT_GE(result[0].time_ms.count, 15);
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
    return measure({{"any", cl::NullRange, 0.0, nullptr, nullptr, run_ms}}, 0.0).front();
  };
  EXPECT_FALSE(measured(report_an_hour).host_clock);
  EXPECT_EQ(measured(report_an_hour).time_ms.median, 3.6e6);
  EXPECT_TRUE(measured(sleep_and_report_nothing).host_clock);
  EXPECT_GE(measured(sleep_and_report_nothing).time_ms.minimum, 2.0);
}

TEST(TotalMs, FromStartToEnd) {
  cl::UserEvent event(cl::Context(select_device("")));
  event.setStatus(CL_COMPLETE);
  const auto total = [&event](const std::array<cl_ulong, 4>& times) {
    event_times = times;
    const double ms = total_ms({event, event});
    event_times.reset();
    return ms;
  };
  EXPECT_DOUBLE_EQ(total({1000, 20000, 300000, 4300000}), 8.0);
  EXPECT_EQ(total({1000, 20000, 300000, 300001}), 0.0);
  EXPECT_EQ(total({1000, 20000, 4300000, 300000}), 0.0) << "ends before it starts";
}

TEST(Measure, OneRunWithoutATimeMakesTheHostsClockCount) {
  // After the warm-up of 0.1 s.
  const auto start = std::chrono::steady_clock::now();
  bool failed = false;
  const auto run_ms = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const bool fails =
        !failed && std::chrono::steady_clock::now() - start > std::chrono::milliseconds(115);
    failed = failed || fails;
    return fails ? 0.0 : 1.0;
  };
  const Measurement measured =
      measure({{"any", cl::NullRange, 0.0, nullptr, nullptr, run_ms}}, 0.0).front();
  EXPECT_TRUE(failed);
  EXPECT_TRUE(measured.host_clock);
  EXPECT_GE(measured.time_ms.minimum, 2.0);
}

TEST(Measure, KeepsToItsBudget) {
  int runs = 0;
  const auto sleep = [&runs] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 1.0 + runs++;
  };
  measure({{"a", cl::NullRange, 0.0, nullptr, nullptr, sleep}}, 0.4);
  EXPECT_LE(runs, 20) << "of 20 ms each";
}

}  // namespace
}  // namespace tutorial
