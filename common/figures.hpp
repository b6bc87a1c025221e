// The figures of the tables: medians with intervals, and no difference claimed where there is none;
// and how long a convolution takes at least, given what the device can do at most.
#pragma once

#include <string>
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

/// The device's ceilings: rates that no kernel exceeds, medians of a run.
/// background/roofline/ceilings.hpp measures them.
struct Ceilings {
  double multiply_adds_per_s = 0.0;  ///< single precision, or of bytes with 16-bit taps
  std::string multiply_add_type;     ///< what reaches it, e.g. "float4" or "pairs of bytes"
  double copy_bytes_per_s = 0.0;     ///< global memory, bytes read + bytes written
  std::string copy_type;             ///< e.g. "float4" or "float16 non-temporal"
  double cached_loads_per_s = 0.0;   ///< loads of any type from the nearest cache
  double cached_bytes_per_s = 0.0;   ///< from the nearest cache
  std::string cached_type;           ///< the type that reads the most bytes, e.g. "float16"
  double local_bytes_per_s = 0.0;    ///< read from local memory

  /// "117.3 G multiply-adds/s (float16), 31.2 GB/s copy (float4)"
  std::string describe() const;

  /// Lines `# key: value` for the head of a CSV, in plain units.
  std::string csv_head() const;
};

/// The least time of a convolution.
struct Floor {
  double compute_s = 0.0;  ///< multiply-adds / multiply-add rate
  double memory_s = 0.0;   ///< bytes / copy rate
  double seconds = 0.0;    ///< the larger of the two: the other one hides behind it
  const char* bound = "";  ///< which it is: "compute" or "memory"
};

/// The floor of a convolution of `width` x `height` outputs with a filter of `filter_width` x
/// `filter_width` taps, one multiply-add per tap and `compulsory_bytes`.
Floor convolution_floor(
    int width, int height, int filter_width, const Ceilings& ceilings,
    int pixel_bytes = sizeof(float));

/// Bytes that any convolution moves: each pixel of the padded input read once, each pixel of the
/// `width` x `height` output written once, `pixel_bytes` each.
double compulsory_bytes(int width, int height, int filter_width, int pixel_bytes = sizeof(float));

}  // namespace tutorial
