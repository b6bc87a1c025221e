// Measuring honestly: interleaved, with an interval, and no difference claimed where there is none.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/checker.hpp"
#include "common/opencl.hpp"

namespace tutorial {

/// What is timed against the others: a kernel with its work-group size, or a host function.
struct Variant {
  std::string name;
  cl::NDRange local;  ///< work-group size, for the record; cl::NullRange if OpenCL chose it
  double max_error;   ///< from its verdict, for the record
  /// Enqueues the work once and returns its event; a host function does its work and returns
  /// `cl::Event()`.
  std::function<cl::Event()> launch;
  /// Runs the work once more and checks it: what was right before the timing may be wrong after it.
  std::function<Verdict()> verify = nullptr;
  /// Instead of `launch`, for work of several launches (`total_ms`) or with another timer: does the
  /// work once and returns its time in milliseconds.
  std::function<double()> run_ms = nullptr;
};

void append(std::vector<Variant>& variants, const std::optional<Variant>& variant);

/// Median of a sample and the 95 % confidence interval of that median.
struct Statistics {
  int count = 0;
  double median = 0.0;
  double low = 0.0;   ///< lower end of the interval
  double high = 0.0;  ///< upper end of the interval
  double minimum = 0.0;
};

/// Statistics of `samples` (at least one). The interval is read off the sorted sample (order
/// statistics), so it assumes nothing about how the times are distributed. Below six samples no
/// such interval reaches 95 %; it is then the whole range.
Statistics summarize(std::vector<double> samples);

/// Waits for the events of several launches, and returns their times START to END in milliseconds,
/// added up; 0 if one of them has no time.
double total_ms(const std::vector<cl::Event>& events);

struct Measurement {
  std::string name;
  cl::NDRange local;
  double max_error = 0.0;
  Statistics time_ms;
  /// true: host clock around launch and wait; false: event START to END, or what `run_ms` returned
  bool host_clock = false;
  std::vector<double> rounds_ms = {};   ///< the time of each round, in their order
  std::optional<Verdict> verdict = {};  ///< after the timing, if the variant has a `verify`
};

/// How many times as long as `b` `a` takes: the median of the ratios within each round, with its
/// interval. Both are of one call of `measure`. What slows down a whole round slows down both, so
/// this interval is much narrower than the quotient of the two times' intervals.
Statistics paired_ratio(const Measurement& a, const Measurement& b);

/// Whether a ratio's interval contains 1: the difference may be chance.
bool no_difference(const Statistics& ratio);

/// Times the variants against each other: warms them up for 0.1 seconds, each at least once, then
/// runs all of them round after round, in an order shuffled anew every round, so that a drift of
/// the machine affects all of them alike. It takes `budget_s` seconds, or as long as `least_rounds`
/// do.
///
/// A kernel's time is its event's START to END, or what `run_ms` returns. If one of these is 1 ns
/// or less (some devices have no timer), all variants are timed by the host clock instead.
/// Afterwards each is verified once more.
std::vector<Measurement> measure(
    const std::vector<Variant>& variants, double budget_s, int least_rounds = 15);

}  // namespace tutorial
