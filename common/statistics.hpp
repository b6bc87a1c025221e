// Medians with intervals, and no difference claimed where there is none.
#pragma once

#include <vector>

namespace tutorial {

/// Median of a sample and the 95 % confidence interval of that median.
struct Statistics {
  int count = 0;
  double median = 0.0;
  double low = 0.0;   ///< lower end of the interval
  double high = 0.0;  ///< upper end of the interval
  double minimum = 0.0;
  bool sure = true;  ///< false: too few rounds were undisturbed, so it is of all of them
};

/// Statistics of `samples` (at least one). The interval is read off the sorted sample (order
/// statistics), so it assumes nothing about how the times are distributed. It misses the median in
/// 5 % of all cases, and as one of `together` intervals so seldom that any of them does in 5 %.
/// Too few samples (for one interval less than six) give their whole range.
Statistics summarize(std::vector<double> samples, int together = 1);

/// The rounds of a measurement, in their order: all that ran in turns has the same number of them.
struct Rounds {
  std::vector<double> ms;
  /// Whether another program had a core that this run could have used, for each round.
  std::vector<bool> disturbed;
};

/// Statistics of the undisturbed rounds. If those are less than six, or less than half, they
/// are of all rounds and not `sure`.
Statistics summarize(const Rounds& rounds);

/// How many times as long as `b` `a` takes: the median of the ratios within each round, with its
/// interval, one of `together`. What slows down a whole round slows down both, so this interval is
/// much narrower than the quotient of the two times' intervals. A round in which one of them was
/// disturbed is left out, as above.
Statistics paired_ratio(const Rounds& a, const Rounds& b, int together = 1);

/// Whether a ratio's interval contains 1: the difference may be chance.
bool no_difference(const Statistics& ratio);

}  // namespace tutorial
