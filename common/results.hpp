// What a program prints while it runs, and the CSV that the charts are drawn from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/checker.hpp"
#include "common/error.hpp"
#include "common/floor.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// The times of one filter width, and the ceilings as they are known by then, for x_floor.
struct Comparison {
  std::vector<Measurement> measurements;
  std::optional<Ceilings> ceilings = {};  ///< none: no x_floor
};

/// No result was verified, because no kernel that was asked for runs here.
class NothingRan : public Error {
 public:
  NothingRan() : Error("no kernel that was asked for runs here, so nothing was verified") {}
};

/// Collects verdicts and times of a program's run.
///
/// The CSV (--csv) begins with lines `# key: value` about device, image and program, and with the
/// ceilings of x_floor (`Ceilings::csv_head`); then one row per kernel and filter width. local_x
/// and local_y are 0 where OpenCL chose the work-group; relative_percent is the time as a
/// percentage of the baseline's at the same width (lower is faster), as `paired_ratio` has it, from
/// relative_low to relative_high; clock is `event` or `host`;
/// x_floor is the median over the floor (floor.hpp), empty without ceilings, and for the host's
/// loop unless the device is the CPU. The file is written anew after every width, so that each
/// x_floor is of the ceilings in the head, which may have improved.
class Results {
 public:
  /// Throws `Error` if --csv or --output cannot be written to.
  Results(const Options& options, const cl::Device& device, const Image& image);

  /// Records the verdict of a kernel; says on stderr what is wrong, if anything is. Returns whether
  /// it passed: a kernel that did not is not to be timed.
  bool verify(const std::string& label, int filter_width, const Verdict& verdict);

  /// The same of what `verify` finds when it runs the kernel; on a terminal it says that it does.
  /// Returns the verdict, or nothing if the kernel is wrong.
  std::optional<Verdict> verify(
      const std::string& label, int filter_width, const std::function<Verdict()>& verify);

  /// Prints that a kernel does not run here and why: no failure. Returns std::nullopt, so that a
  /// function that prepares a kernel can end with it.
  std::nullopt_t skip(const std::string& label, int filter_width, const std::string& reason);

  /// Prints the table of one filter width and adds its rows to the CSV. What was wrong after the
  /// timing has none; stderr says so, as in `verify`. With --against, one line follows for each pair.
  void add(int filter_width, const Comparison& comparison);

  /// Writes `last`, the result of the last kernel, to --output if both are there; prints the sum of
  /// the verdicts. Returns the exit status: 0, or 2 if a kernel was wrong. Throws `NothingRan`.
  int finish(const Image& last = {});

  /// Adds a line `# key: value` to the head of the CSV.
  void note(const std::string& key, const std::string& value) {
    csv_head_ += "# " + key + ": " + value + "\n";
  }
  const std::string& csv_head() const { return csv_head_; }

 private:
  struct Row {
    int filter_width;
    Measurement measurement;
    Statistics relative;  ///< to the baseline; all 0 without it
  };

  void fail(const std::string& label, int filter_width, const char* when, const Verdict& verdict);
  void compare_originals(const std::vector<Measurement>& measurements) const;
  double x_floor(int filter_width, const Measurement& measurement) const;
  double gpixels_per_s(const Measurement& measurement) const;
  void write_csv() const;

  Options options_;
  cl::Device device_;
  int image_width_;
  int image_height_;
  std::size_t pixels_;
  std::string csv_head_;
  std::optional<Ceilings> ceilings_;
  std::vector<Row> rows_;
  bool host_clock_ = false;
  int passed_ = 0;
  int failed_ = 0;
};

}  // namespace tutorial
