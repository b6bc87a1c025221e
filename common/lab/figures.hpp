// Rounds and figures. Rounds are the only data: the times that a program measured, as they were.
// Every figure of a table, page or chart is made of them here: medians with intervals, ratios in
// pairs, and no difference claimed where there is none; and how long a convolution takes at least,
// given what the device can do at most.
#pragma once

#include "common/text.hpp"

namespace tutorial {

/// Median of a sample and the 95 % confidence interval of that median.
struct Statistics {
  double median = 0.0;
  double low = 0.0;   ///< lower end of the interval
  double high = 0.0;  ///< upper end of the interval
  bool sure = true;   ///< false: too few rounds were undisturbed, so it is of all of them
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
/// interval, one of `together`: what slows down a whole round slows down both. A round in which one
/// of them was disturbed is left out, as above.
Statistics paired_ratio(const Rounds& a, const Rounds& b, int together = 1);

/// Whether a ratio's interval contains 1: the difference may be chance.
bool no_difference(const Statistics& ratio);

/// What a kernel took in one run at one filter width; or the `floor` of that run.
struct Series {
  int run = 1;  ///< series of one run took turns, round after round
  std::string kernel;
  int filter_width = 0;
  int local_x = 0, local_y = 0;  ///< work-group; 0: OpenCL chose it
  double max_error = 0.0;
  std::string clock = {};  ///< event or host
  std::string kind = {};   ///< kernel, library, host, or floor
  Rounds rounds;           ///< with whole nanoseconds
};

/// The figures of a series.
struct Figures {
  const Series* of = nullptr;
  Statistics time_ms;
  std::optional<Statistics> relative;  ///< to the baseline's time in the same run
  std::optional<Statistics> x_floor;   ///< to the floor's
  double gpixels_per_s = 0.0;
  bool is_baseline = false;

  /// A line for the screen, where what is not sure has a ?, or if it `hides_unsure` is -. Without a
  /// series the columns' names.
  std::string line(bool with_floor, bool hides_unsure = false) const;
};

/// Files of rounds. Head: lines `# key: value`, of which `size` (W x H), `device_type` and
/// `baseline` count here. Columns: run,kernel,filter_width,local_x,local_y,max_error,clock,kind and
/// rounds_ms, which has all times in ms, with blanks between, `?` behind a disturbed one.
struct Measured {
  Head head;
  std::vector<Series> series;

  Measured() = default;
  /// Of a file; or where there is none NAME.csv, of the files NAME.*.csv, whose runs are others
  /// each. Of two series of one kernel and filter width the first counts, but for pairs. Throws
  /// `Error` as `Csv` does, and if a number cannot be read.
  explicit Measured(const std::string& path);

  /// The content of a file.
  std::string text() const;

  Figures figures(const Series& series) const;
  /// How many times as long as another one a kernel (or `floor`) takes: in pairs if a run has both;
  /// else the ratio of their ratios to their own baselines. None if one was not measured.
  std::optional<Statistics> ratio(
      const std::string& kernel, const std::string& other, int filter_width,
      int together = 1) const;
  /// The figures as a table, with all digits.
  Csv view(const std::string& path) const;

 private:
  const Series* find(int run, const std::string& kernel, int filter_width) const;
  void add(const Csv& file);
};

/// A rate that no kernel exceeds, and the kernel that reaches it.
struct Ceiling {
  double per_s = 0.0;  ///< median of a run
  std::string type;    ///< e.g. "float4", "pairs of bytes" or "float16 non-temporal"
  double work = 0.0;   ///< of a launch: multiply-adds, or bytes
  Rounds rounds = {};
};

/// The device's ceilings; ceilings.hpp measures them.
struct Ceilings {
  Ceiling multiply_adds;  ///< single precision, or of bytes with 16-bit taps
  Ceiling copies;         ///< global memory, bytes read + bytes written

  /// "117.3 G multiply-adds/s (float16),\n31.2 GB/s copy (float4)"
  std::string describe() const;

  /// For the head of a file of rounds, in plain units.
  Head head() const;
};

/// The least time of a convolution.
struct Floor {
  double seconds = 0.0;    ///< multiply-adds / their rate, or bytes / copy rate: the larger one
  const char* bound = "";  ///< which it is, "compute" or "memory": the other hides behind it
};

/// The floor of a convolution of `width` x `height` outputs with a filter of `filter_width` x
/// `filter_width` taps, one multiply-add per tap and `compulsory_bytes`, at these rates.
Floor convolution_floor(
    int width, int height, int filter_width, double multiply_adds_per_s, double copy_bytes_per_s,
    int pixel_bytes = sizeof(float));

/// Bytes that any convolution moves: each pixel of the padded input read once, each pixel of the
/// `width` x `height` output written once, `pixel_bytes` each.
double compulsory_bytes(int width, int height, int filter_width, int pixel_bytes = sizeof(float));

}  // namespace tutorial
