// What a program prints while it runs, and the CSV that the charts are drawn from.
#pragma once

#include "common/error.hpp"
#include "common/options.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// A kernel whose rate is a ceiling.
struct CeilingTimes {
  double work = 0.0;  ///< of a launch: multiply-adds, or bytes
  Rounds rounds = {};
};

/// The times of one filter width, and the ceilings of the same rounds.
struct Comparison {
  std::vector<Measurement> measurements;
  std::optional<Ceilings> ceilings = {};  ///< none: no x_floor
  CeilingTimes multiply_adds = {}, copies = {};
};

/// No result was verified, because no kernel that was asked for runs here.
class NothingRan : public Error {
 public:
  NothingRan() : Error("no kernel that was asked for runs here, so nothing was verified") {}
};

/// Collects verdicts and times of a program's run.
///
/// The CSV (--csv) begins with lines `# key: value` about device, image and program, and with the
/// medians of the ceilings (`Ceilings::csv_head`); then one row per kernel and filter width.
/// local_x and local_y are 0 where OpenCL chose the work-group; relative_percent is the time as a
/// percentage of the baseline's at the same width (lower is faster), as `paired_ratio` has it, from
/// relative_low to relative_high; clock is `event` or `host`; x_floor is likewise the time over the
/// floor (floor.hpp) that the ceilings have in the same round, from x_floor_low to x_floor_high:
/// empty without ceilings, and for the host's loop unless the device is the CPU. left_out is the
/// number of disturbed rounds, and unsure names what had too few others: `time`, `relative` and
/// `x_floor`, with blanks between. kind is `kernel`, `library` or `host`.
///
/// Beside NAME.csv, NAME.rounds.csv has the first 200 rounds of each row, and of the floor, so that
/// any two can be compared in pairs: times in ms, with blanks between, `?` behind a disturbed one.
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
  /// timing has none; stderr says so, as in `verify`. With --against, one line follows for each
  /// pair.
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
  void fail(const std::string& label, int filter_width, const char* when, const Verdict& verdict);
  void compare_originals(const std::vector<Measurement>& measurements) const;
  Rounds floor_rounds(int filter_width, const Comparison& comparison) const;
  void add_row(
      int filter_width, const Measurement& measurement, const Measurement* baseline,
      const Rounds& floors);

  Options options_;
  cl::Device device_;
  int image_width_;
  int image_height_;
  std::size_t pixels_;
  std::string csv_head_;
  std::optional<Ceilings> ceilings_;
  std::string rows_;
  std::string rounds_ = "kernel,filter_width,rounds_ms\n";
  bool host_clock_ = false;
  std::size_t runs_ = 0;
  std::size_t left_out_ = 0;
  int passed_ = 0;
  int failed_ = 0;
};

}  // namespace tutorial
