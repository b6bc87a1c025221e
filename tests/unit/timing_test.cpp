// Which fault turns this test red alone: a variant that is favoured by the orders in which the
// rounds run, timed without a warm-up or too seldom, and a disturbed run that is not known.
#include "common/lab/timing.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <ranges>
#include <set>
#include <thread>

namespace tutorial {
namespace {

using Counts = std::map<std::pair<std::size_t, std::size_t>, int>;

/// Each of so many pairs was counted so often.
void expect_each(const Counts& counts, std::size_t pairs, int times) {
  EXPECT_EQ(counts.size(), pairs);
  EXPECT_EQ(std::ranges::count(counts, times, &Counts::value_type::second), pairs);
}

TEST(BalancedOrders, GiveEachPlaceAndEachPredecessorEquallyOften) {
  std::set<std::size_t> first;  // of three, in several runs
  for (unsigned n = 2; n <= 9; n++) {
    first.insert(balanced_orders(3, 5 * n)[0][0]);
    const int times = n % 2 == 0 ? 1 : 2;
    const std::vector<Order> orders = balanced_orders(n, 5);
    ASSERT_EQ(orders.size(), n * times);
    Counts places, followers;
    for (const Order& order : orders) {
      ASSERT_EQ(order.size(), n);
      for (std::size_t place = 0; place < n; place++) {
        places[{place, order[place]}]++;
        place > 0 ? followers[{order[place - 1], order[place]}]++ : 0;
      }
    }
    expect_each(places, n * n, times);
    expect_each(followers, n * (n - 1), times);
  }
  EXPECT_EQ(first.size(), 3U);
}

TEST(Measure, WarmsUpAndInterleaves) {
  std::string calls;
  const auto host = [&calls](char letter) {
    return [&calls, letter] { return calls += letter, cl::Event(); };
  };
  // Clocks by which each call takes a millisecond.
  const Clocks clocks = {
      [&] { return 1e-3 * static_cast<double>(calls.size()); }, [] { return 0.0; },
      [] { return 0.0; }};
  const std::vector<Measurement> result = measure(
      {{"a", cl::NullRange, 0.1, host('a')}, {"b", cl::NDRange(8, 4), 0.2, host('b')}}, 0.0, 15,
      clocks);
  EXPECT_TRUE(result.at(1).kernel == "b" && result[1].local_x == 8);
  EXPECT_TRUE(result[0].clock == "host" && result[1].max_error == 0.2);
  EXPECT_EQ(result[0].rounds.ms.size(), 16U);  // a cycle of orders is two
  const std::size_t timed = 2 * result[0].rounds.ms.size();
  ASSERT_EQ(calls.size(), timed + 100) << "they warm up for 0.1 seconds";
  const std::string rounds = calls.substr(calls.size() - timed);
  for (std::size_t i = 0; i < timed; i += 2) {
    EXPECT_NE(rounds[i], rounds[i + 1]) << "both occur in every round";
  }
  EXPECT_NE(rounds.find("aa"), std::string::npos) << "and not always in the same order";
}

const auto one_ms = [](double) { return 1.0; };

/// A variant that takes so long, waits so long, and reports `report(now_s)`, measured by clocks
/// that only its runs advance, while others have so many cores.
Measurement measured(
    double takes_ms, double waits_ms, const std::function<double(double now_s)>& report,
    double by_others = 1.0, double budget_s = 0.0) {
  double now_s = 0.0, waited_ms = 0.0;
  const Clocks clocks = {
      [&] { return now_s; }, [&] { return std::exchange(waited_ms, 0.0); },
      [&] { return by_others * now_s; }};
  const auto run_ms = [&] {
    now_s += 1e-3 * takes_ms;
    waited_ms += waits_ms;
    return report(now_s);
  };
  const Variant variant = {"any", cl::NullRange, 0.0, nullptr, nullptr, run_ms, "library"};
  return measure({variant}, budget_s, 15, clocks).front();
}

TEST(Measure, EndsWithACycleOfOrdersThatIsNearAndKeepsToItsBudget) {
  const auto rounds = [](std::size_t variants, std::size_t least) {
    const Variant any = {"any", cl::NullRange, 0.0, nullptr, nullptr, [] { return 1.0; }};
    double now_s = 0.0;
    const Clocks clocks = {[&] { return ++now_s; }, [] { return 0.0; }, [] { return 0.0; }};
    return measure(std::vector(variants, any), 0.0, least, clocks).front().rounds.ms.size();
  };
  EXPECT_EQ(rounds(3, 15), 18U);
  EXPECT_EQ(rounds(4, 15), 16U);
  EXPECT_EQ(rounds(7, 20), 20U) << "28 are far";
  EXPECT_EQ(rounds(7, 21), 28U);
  // Of 27 runs in 0.81 s four warm up.
  EXPECT_EQ(measured(30.0, 0.0, one_ms, 1.0, 0.8).rounds.ms.size(), 23U);
}

TEST(Measure, TakesTheTimeThatAVariantReports) {
  // What a fast kernel takes, and a timer that says nothing, or 1 ns: then the host's clock counts.
  for (const double reported : {3.6e6, 2e-6, 1e-6, 0.0}) {
    const Measurement timed = measured(2.0, 0.0, [=](double) { return reported; });
    const bool by_host = reported < 2e-6;
    EXPECT_EQ(timed.clock, by_host ? "host" : "event") << reported;
    EXPECT_NEAR(summarize(timed.rounds).median, by_host ? 2.0 : reported, 1e-9);
    EXPECT_EQ(timed.kind, "library");
  }
  // Only the run that ends 0.12 s after the start, behind the warm-up, says nothing.
  const auto report = [](double now_s) { return std::abs(now_s - 0.12) < 1e-6 ? 0.0 : 1.0; };
  EXPECT_EQ(measured(2.0, 0.0, report).clock, "host");
}

TEST(Measure, KnowsWhichRunsWereDisturbed) {
  for (const auto& [takes_ms, waits_ms, by_others, expected] :
       {std::tuple{2.0, 0.11, 1.0, true},
        {2.0, 0.09, 1.0, false},   // a thread that is woken
        {50.0, 1.1, 1.0, true},    //
        {50.0, 0.9, 1.0, false},   // less than 2 %
        {2.0, 1.0, 0.11, true},    //
        {2.0, 1.0, 0.09, false}})  // the program's own threads wait for each other
  {
    const Rounds rounds = measured(takes_ms, waits_ms, one_ms, by_others).rounds;
    EXPECT_EQ(rounds.disturbed, std::vector(rounds.ms.size(), expected)) << takes_ms << waits_ms;
  }
}

// Of more threads than there are cores some wait; only Linux tells. Wine shows its files, too.
TEST(SystemClocks, KnowWhoWaits) {
  const Clocks clocks = system_clocks();
  const double from_s = clocks.now_s();
  const bool windows = std::filesystem::path::preferred_separator != '/';
  std::atomic<bool> done = windows || !std::filesystem::exists("/proc/self/task");
  std::vector<std::future<void>> threads(2 * std::thread::hardware_concurrency() + 1);
  for (std::future<void>& thread : threads) {
    thread = std::async(std::launch::async, [&done] {
      while (!done) {
      }
    });
  }
  clocks.waited_ms();
  while (!done && clocks.now_s() < from_s + 60.0) {
    done = clocks.waited_ms() > 0.0;
  }
  EXPECT_TRUE(done.exchange(true));
}

}  // namespace
}  // namespace tutorial
