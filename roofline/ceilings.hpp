// What the device can do at most: measured with the kernels of roofline.cl, not from a data sheet.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/floor.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// What checking one of the kernels gave.
struct CeilingVerdict {
  std::string kernel;
  std::string problem;  ///< what is wrong; empty: the result is right
};

/// Runs every kernel of `kernel_file` once, on a few work-items, and checks what it computes: the
/// chains of multiply-adds against the host's, the copies bit for bit, the other reads by their
/// sum. Throws `Error` if the file cannot be read or built or lacks a kernel, cl::Error if the
/// device fails.
std::vector<CeilingVerdict> verify_ceilings(
    const cl::CommandQueue& queue, const std::string& kernel_file);

/// The rate of one kernel.
struct CeilingRate {
  std::string kernel;
  double per_s = 0.0;  ///< multiply-adds or bytes, as the kernel's name says
};

/// The rates of all kernels, and the best ones.
struct MeasuredCeilings {
  Ceilings best;
  std::vector<CeilingRate> rates;  ///< in the file's order
  bool host_clock = false;         ///< timed by the host clock, because the events do not work
};

/// Measures the ceilings with the kernels of `kernel_file`. The copies are of `image_bytes` bytes
/// (rounded up to whole work-groups), because a copy within a cache is faster than one through
/// memory. All kernels run in turns, for 0.3 seconds each or `budget_s` if that is less, but at
/// least six times, and the fastest run counts. Throws as `verify_ceilings` does, and `Error` if
/// a kernel's result is wrong.
MeasuredCeilings measure_ceilings(
    const cl::CommandQueue& queue, const std::string& kernel_file, std::size_t image_bytes,
    double budget_s);

struct CeilingBench;

/// Measures the ceilings together with a program's own kernels: a slow moment of the machine meets
/// both, and the fastest run since the program started counts.
class CeilingMeter {
 public:
  /// The copies are of the size of `image`; `kernel_file` is roofline.cl. Nothing runs yet.
  CeilingMeter(
      const cl::CommandQueue& queue, const Options& options, const Image& image,
      const std::string& kernel_file = ROOFLINE_KERNEL_FILE);
  ~CeilingMeter();

  /// The times of `variants`, as `tutorial::measure` gives them within the time budget, with the
  /// ceilings' kernels among them in every round. The first call builds and verifies these; if that
  /// fails, it prints why, and there are no ceilings.
  ///
  /// A kernel with one multiply-add per tap cannot be faster than its floor. If one is, by more
  /// than its interval, the ceilings are measured again beside it; the worst contradiction that
  /// remains is printed. Not judged are variants that are not among the program's kernels, those of --against, shapes
  /// that save multiply-adds, and filters with taps that are zero.
  Comparison measure(int filter_width, const std::vector<Variant>& variants);

 private:
  bool is_direct(int filter_width, const std::string& label) const;

  cl::CommandQueue queue_;
  Options options_;
  int image_width_;
  int image_height_;
  std::string kernel_file_;
  bool started_ = false;
  std::unique_ptr<CeilingBench> bench_;  ///< none before the start, and if it failed
};

}  // namespace tutorial
