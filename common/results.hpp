// What a program prints while it runs, and the CSV that the charts are drawn from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/checker.hpp"
#include "common/floor.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// Throws `Error` if the file cannot be written to. Leaves what is there as it is.
void require_writable(const std::string& path);

/// The times of one filter width, and the ceilings as they are known by then, for x_floor.
struct Comparison {
  std::vector<Measurement> measurements;
  std::optional<Ceilings> ceilings;  ///< none: no x_floor
};

/// Collects verdicts and times of a program's run.
///
/// The CSV (--csv) begins with lines `# key: value` about device, image and program, and with the
/// ceilings of x_floor (`Ceilings::csv_head`); then one row per kernel and filter width:
///   kernel,filter_width,width,height,local_x,local_y,rounds,median_ms,low_ms,high_ms,min_ms,
///   relative_percent,gpixels_per_s,max_error,clock,x_floor
/// width and height are the image's, in pixels; local_x and local_y are 0 where OpenCL chose the
/// work-group; relative_percent is the median as a percentage of the baseline's at the same width
/// (lower is faster); clock is `event` or `host`; x_floor is the median over the floor (floor.hpp),
/// empty without ceilings, and for the host's loop unless the device is the CPU. The file is written
/// anew after every width, so that each x_floor is of the ceilings in the head, which may have
/// improved; a run that fails early leaves none.
class Results {
 public:
  /// Prints the head (device, image). Throws `Error` if --csv or --output cannot be written to.
  Results(const Options& options, const cl::Device& device, const Image& image);

  /// Records the verdict of the kernel labelled `label` at `filter_width`; says on stderr what is
  /// wrong, if anything is. Returns whether it passed: a kernel that did not is not to be timed.
  bool verify(const std::string& label, int filter_width, const Verdict& verdict);

  /// Prints that a kernel does not run here and why. This does not count as a failure. Returns
  /// std::nullopt, so that a function that prepares a kernel can end with it.
  std::nullopt_t skip(const std::string& label, int filter_width, const std::string& reason);

  /// Prints the table of one filter width, with the column "x floor" if there are ceilings, and adds
  /// its rows to the CSV. With --against, one line follows for each pair.
  void add(int filter_width, const Comparison& comparison);
  void add(int filter_width, const std::vector<Measurement>& measurements) {
    add(filter_width, Comparison{measurements, {}});
  }

  /// Prints where the CSV is and the sum of the verdicts, and says if the machine was not quiet: if
  /// the ends of more than a quarter of the intervals differ by more than a fifth. Returns the exit
  /// status: 0, or 2 if a kernel was wrong.
  int finish();

  /// The same, but first writes `last`, the result of the last kernel, to --output if it is given.
  /// Throws `Error` if that fails.
  int finish(const Image& last);

  /// The head of the CSV, for a program that writes a table of its own.
  const std::string& csv_head() const { return csv_head_; }

 private:
  struct Row {
    int filter_width;
    Measurement measurement;
    double relative_percent;  ///< 0 without the baseline
  };

  /// Of each kernel of --against, whether it or the original is faster.
  void compare_originals(const std::vector<Measurement>& measurements) const;

  void show_progress(int filter_width, const std::string& label) const;
  void print_noise() const;
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
