// Measuring honestly: interleaved, and what other programs disturbed is known.
#pragma once

#include <functional>

#include "common/checker.hpp"
#include "common/lab/figures.hpp"

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
  const char* kind = "kernel";  ///< or "library" or "host", for the record
};

void append(std::vector<Variant>& variants, const std::optional<Variant>& variant);

/// Waits for the events of several launches, and returns their times START to END in milliseconds,
/// added up; 0 if one of them has no time.
double total_ms(const std::vector<cl::Event>& events);

/// What was measured of a variant: a series, of which the run and the filter width are still open.
struct Measurement : Series {
  std::optional<Verdict> verdict = {};  ///< after the timing, if the variant has a `verify`
};

/// What `measure` reads.
struct Clocks {
  std::function<double()> now_s;  ///< seconds since any moment
  /// The longest time, since the last call, that one of this program's threads was ready to run
  /// while others had the cores, in milliseconds.
  std::function<double()> waited_ms;
  /// Seconds for which the cores worked for other programs, since any moment.
  std::function<double()> others_s;
};

/// The system's. Only Linux tells who has waited for whom.
Clocks system_clocks();

/// The variants of a round, by their numbers from 0, in the order in which they run.
using Order = std::vector<std::size_t>;

/// The orders of as many rounds as there are `variants` (at least one), or of twice as many if that
/// is odd: what a variant leaves in the caches, and how long it keeps the machine busy, is the next
/// one's burden, so none may follow a slow one more often than the others do. Each stands equally
/// often in each place, and within the rounds equally often after each other one; all else follows
/// from the `seed`.
std::vector<Order> balanced_orders(std::size_t variants, unsigned seed);

/// Times the variants against each other: warms them up for 0.1 seconds, each at least once, then
/// runs all of them round after round, so that a drift of the machine affects all of them alike, in
/// `balanced_orders`. It takes `budget_s` seconds, or as long as `least_rounds` do, and up to a
/// third more rounds if a cycle of orders is complete then.
///
/// A kernel's time is its event's START to END, or what `run_ms` returns. If one of these is 1 ns
/// or less (some devices have no timer), all variants are timed by the host clock instead. If other
/// programs had a tenth of a core or more meanwhile, those runs are disturbed in which one of this
/// program's threads had to wait for a core for more than 2 % of the run, and 0.1 ms; a GPU's, by
/// its own clock, never are. Afterwards each variant is verified once more.
std::vector<Measurement> measure(
    const std::vector<Variant>& variants, double budget_s, std::size_t least_rounds = 15,
    const Clocks& clocks = system_clocks());

}  // namespace tutorial
