// What the device can do at most: measured with the kernels of roofline.cl, not from a data sheet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/floor.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"

namespace tutorial {

/// The ceilings of `device`, for copies of the size of `image`, and prints them. Prints why if they
/// cannot be measured, and returns nothing then, nor with --verify-only. `kernel_file` is
/// roofline.cl; all errors are caught.
std::optional<Ceilings> find_ceilings(
    const cl::Device& device, const Options& options, const Image& image,
    const std::string& kernel_file = ROOFLINE_KERNEL_FILE);

/// What checking one of the kernels gave.
struct CeilingVerdict {
  std::string kernel;
  std::string problem;  ///< what is wrong; empty: the result is right
};

/// Runs every kernel of `kernel_file` once, on a few work-items, and checks what it computes: the
/// chains of multiply-adds against the host's, the copies bit for bit, the reads from local memory
/// by their sum. Throws `Error` if the file cannot be read or built or lacks a kernel, cl::Error if
/// the device fails.
std::vector<CeilingVerdict> verify_ceilings(
    const cl::Device& device, const std::string& kernel_file);

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

/// Measures the ceilings with the kernels of `kernel_file`, in a context of its own. The copies are
/// of `image_bytes` bytes (rounded up to whole work-groups), because a copy within a cache is
/// faster than one through memory. All kernels run in turns, for 0.3 seconds each or `budget_s` if
/// that is less, but at least seven times, and the fastest run counts. Throws as `verify_ceilings`
/// does, and `Error` if a kernel's result is wrong.
MeasuredCeilings measure_ceilings(
    const cl::Device& device, const std::string& kernel_file, std::size_t image_bytes,
    double budget_s);

}  // namespace tutorial
