#include "common/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>

namespace tutorial {
namespace {

using Clock = std::chrono::steady_clock;

// A GPU takes a while to raise its clock from idle.
constexpr double warm_up_s = 0.1;
constexpr int most_rounds = 2000;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Sample {
  std::optional<double> event_ms;
  double host_ms = 0.0;
};

Sample run_once(const Variant& variant) {
  Sample sample;
  now_running(variant.name);
  const auto start = Clock::now();
  if (variant.run_ms) {
    sample.event_ms = variant.run_ms();
  } else if (const cl::Event event = variant.launch(); event() != nullptr) {
    sample.event_ms = total_ms({event});
  }
  sample.host_ms = 1e3 * seconds_since(start);
  return sample;
}

/// Rank (0-based) of the lower end of the confidence interval of the median of `count` samples; the
/// upper end has the mirrored rank. With k samples below it, the interval misses the median when k
/// or fewer of `count` fair coins fall one way: the largest k is taken for which the probability of
/// that is at most 2.5 %.
int interval_rank(int count) {
  double below = 0.0;
  int rank = 0;
  for (int k = 0; k < count / 2; k++) {
    below += std::exp(
        std::lgamma(count + 1.0) - std::lgamma(k + 1.0) - std::lgamma(count - k + 1.0) -
        count * std::log(2.0));
    if (below > 0.025) {
      break;
    }
    rank = k;
  }
  return rank;
}

}  // namespace

void append(std::vector<Variant>& variants, const std::optional<Variant>& variant) {
  if (variant) {
    variants.push_back(*variant);
  }
}

Statistics summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto count = static_cast<int>(samples.size());
  const auto sample = [&samples](int rank) { return samples[static_cast<std::size_t>(rank)]; };
  const int rank = interval_rank(count);

  const double median = 0.5 * (sample((count - 1) / 2) + sample(count / 2));
  return {count, median, sample(rank), sample(count - 1 - rank), sample(0)};
}

Statistics paired_ratio(const Measurement& a, const Measurement& b) {
  std::vector<double> ratios;
  std::ranges::transform(a.rounds_ms, b.rounds_ms, std::back_inserter(ratios), std::divides());
  return summarize(ratios);
}

bool no_difference(const Statistics& ratio) {
  return ratio.low <= 1.0 && 1.0 <= ratio.high;
}

double total_ms(const std::vector<cl::Event>& events) {
  double total = 0.0;
  for (const cl::Event& event : events) {
    event.wait();
    const cl_ulong begin = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    if (end <= begin + 1) {
      return 0.0;
    }
    total += 1e-6 * static_cast<double>(end - begin);
  }
  return total;
}

std::vector<Measurement> measure(
    const std::vector<Variant>& variants, double budget_s, int least_rounds) {
  const auto start = Clock::now();
  do {
    std::ranges::for_each(variants, run_once);
  } while (seconds_since(start) < warm_up_s);

  std::vector<std::vector<Sample>> samples(variants.size());
  std::vector<std::size_t> order(variants.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 generator(1);
  bool events_work = true;
  for (int round = 0; round < most_rounds; round++) {
    if (round >= least_rounds && seconds_since(start) >= budget_s) {
      break;
    }
    // In a fixed order every variant would always find the caches as one other left them.
    std::shuffle(order.begin(), order.end(), generator);
    for (const std::size_t v : order) {
      samples[v].push_back(run_once(variants[v]));
      events_work = events_work && samples[v].back().event_ms.value_or(1.0) > 1e-6;
    }
  }

  std::vector<Measurement> measurements;
  for (std::size_t v = 0; v < variants.size(); v++) {
    const bool host_clock = !events_work || !samples[v].front().event_ms;
    std::vector<double> times_ms;
    for (const Sample& sample : samples[v]) {
      times_ms.push_back(host_clock ? sample.host_ms : *sample.event_ms);
    }
    measurements.push_back(
        {variants[v].name, variants[v].local, variants[v].max_error, summarize(times_ms),
         host_clock, times_ms});
    if (variants[v].verify) {
      now_running(variants[v].name);
      measurements.back().verdict = variants[v].verify();
    }
  }
  return measurements;
}

}  // namespace tutorial
