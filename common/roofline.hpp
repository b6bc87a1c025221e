// What the device can do at most, and how long a convolution takes at least.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "common/opencl.hpp"

namespace tutorial {

/// The rate of one of the kernels in roofline/roofline.cl.
struct CeilingRate {
  std::string kernel;
  double per_s = 0.0;  ///< multiply-adds or bytes, as the kernel's name says
};

/// The device's ceilings: rates that no kernel exceeds. Measured, not from a data sheet.
struct Ceilings {
  double multiply_adds_per_s = 0.0;  ///< single precision; the best of the three types
  std::string multiply_add_type;     ///< that type: "float", "float4" or "float16"
  double copy_bytes_per_s = 0.0;     ///< global memory, bytes read + bytes written
  std::string copy_type;             ///< e.g. "float4" or "float16 non-temporal"
  double local_bytes_per_s = 0.0;    ///< read from local memory; 0 if it was not measured
  std::vector<CeilingRate> rates;    ///< of every kernel, in the file's order
  bool host_clock = false;           ///< timed by the host clock, because the events do not work

  /// "117 G multiply-adds/s (float16), 31.2 GB/s copy"
  std::string describe() const;

  /// Lines `# key: value` for the head of a CSV, in plain units: multiply_adds_per_s,
  /// multiply_add_type, copy_bytes_per_s, copy_type, local_bytes_per_s.
  std::string csv_head() const;
};

/// What ends a kernel's time at the floor.
enum class Bound { compute, memory };

/// "compute" or "memory".
const char* to_string(Bound bound);

/// The least time of a convolution.
struct Floor {
  double compute_s = 0.0;  ///< multiply-adds / multiply-add rate
  double memory_s = 0.0;   ///< bytes / copy rate
  double seconds = 0.0;    ///< the larger of the two: the other one hides behind it
  Bound bound = Bound::compute;
};

/// The floor of a kernel that does `taps` multiply-adds for each of `pixels` outputs and moves at
/// least `bytes` to and from global memory. Both ceilings must be greater than 0, else
/// std::invalid_argument.
Floor floor_of(double pixels, double taps, double bytes, const Ceilings& ceilings);

/// The floor of a convolution of `width` x `height` outputs with a filter of `filter_width` x
/// `filter_width` taps.
Floor convolution_floor(int width, int height, int filter_width, const Ceilings& ceilings);

/// Bytes that any convolution moves: each pixel of the padded input read once, each pixel of the
/// `width` x `height` output written once, four bytes a pixel.
double compulsory_bytes(int width, int height, int filter_width);

/// The taps a pixel at which the floor changes from memory to compute, for `bytes_per_pixel` bytes
/// of compulsory traffic a pixel.
double ridge_taps(double bytes_per_pixel, const Ceilings& ceilings);

/// The ceilings in the head of a CSV (`csv_head`), as a map from keys to values. Without the two
/// rates that a floor needs, they are 0. Throws `Error` if one is there and no positive number.
Ceilings ceilings_of(const std::map<std::string, std::string>& head);

/// What checking one of the ceilings' kernels gave.
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

/// How long a kernel runs for a ceiling: long enough to meet the machine in a good moment.
constexpr double ceiling_seconds_a_kernel = 0.3;

/// Measures the ceilings with the kernels of `kernel_file`, in a context of its own. The copies are
/// of `image_bytes` bytes (rounded up to whole work-groups), because a copy within a cache is
/// faster than one through memory. All kernels run in turns, for `seconds_a_kernel` each but at
/// least seven times, and the fastest run counts. Throws as `verify_ceilings` does, and `Error` if
/// a kernel is wrong.
Ceilings measure_ceilings(
    const cl::Device& device, const std::string& kernel_file, std::size_t image_bytes,
    double seconds_a_kernel = ceiling_seconds_a_kernel);

}  // namespace tutorial
