// How long a sweep over filter widths takes: said before it begins, corrected by every width.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// What one filter width costs, in seconds. The time budget covers only the measuring.
struct WidthCost {
  int filter_width = 0;
  double prepare_s = 0.0;  ///< building and verifying
  double measure_s = 0.0;
  double round_s = 0.0;  ///< one run of every kernel
};

/// What `filter_width` costs if `known` is what another width took. A kernel's time grows with the
/// number of taps. That of building grows too, but not in all kernels.
WidthCost scaled(const WidthCost& known, int filter_width, double budget_s);

/// "9 s", "12 min", "3.5 h".
std::string describe_duration(double seconds);

/// The seconds that a search of step 9 may take at each filter width, as the options say or as suits
/// the device.
double search_seconds(const Options& options, const cl::Device& device);

/// The widths of a program's run and where it has come to.
class Sweep {
 public:
  Sweep(const Options& options, const cl::Device& device, std::size_t pixels);

  /// "31 filter widths: about 9 min, 62 s of it measuring (--time-budget 2)"; empty if there is only
  /// one width, or nothing to be measured.
  std::string announcement() const;

  /// A kernel is ready: after the last one the measuring begins.
  void prepared() { prepared_ = Clock::now(); }

  /// A width is done. The next estimate is of what it took.
  void measured(const std::vector<Measurement>& measurements);

  /// "about 7 min left"; empty as `announcement` and behind the last width.
  std::string time_left() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// The cost of all widths from the one that `first` counts, from 0.
  WidthCost cost_from(std::size_t first) const;

  std::vector<int> widths_;  ///< empty: nothing to announce
  double budget_s_;
  double search_s_;
  WidthCost known_;  ///< a guess, until a width is done
  std::size_t done_ = 0;
  Clock::time_point begin_ = Clock::now();  ///< of the present width
  Clock::time_point prepared_ = begin_;
};

}  // namespace tutorial
