// How long a convolution takes at least, given what the device can do at most.
#pragma once

#include <map>
#include <string>

namespace tutorial {

/// The device's ceilings: rates that no kernel exceeds. roofline/ceilings.hpp measures them.
struct Ceilings {
  double multiply_adds_per_s = 0.0;  ///< single precision
  std::string multiply_add_type;     ///< the type that reaches it: "float", "float4" or "float16"
  double copy_bytes_per_s = 0.0;     ///< global memory, bytes read + bytes written
  std::string copy_type;             ///< e.g. "float4" or "float16 non-temporal"
  double cached_loads_per_s = 0.0;   ///< from the nearest cache; 0 if it was not measured
  double cached_bytes_per_s = 0.0;   ///< likewise, of the type that reads the most bytes
  std::string cached_type;           ///< e.g. "float16"
  double local_bytes_per_s = 0.0;    ///< read from local memory; 0 if not measured

  /// "117.3 G multiply-adds/s (float16), 31.2 GB/s copy"
  std::string describe() const;

  /// Lines `# key: value` for the head of a CSV, in plain units: multiply_adds_per_s,
  /// multiply_add_type, copy_bytes_per_s, copy_type, cached_loads_per_s,
  /// cached_bytes_per_s, cached_type, local_bytes_per_s.
  std::string csv_head() const;
};

/// The ceilings in the head of a CSV (`Ceilings::csv_head`), as a map from keys to values. A rate
/// that is missing is 0. Throws `Error` if one is there but not a positive number.
Ceilings ceilings_of(const std::map<std::string, std::string>& head);

/// Which of the two decides a kernel's least time.
enum class Bound { compute, memory };

/// "compute" or "memory".
const char* to_string(Bound bound);

/// The least time of a kernel.
struct Floor {
  double compute_s = 0.0;  ///< multiply-adds / multiply-add rate
  double memory_s = 0.0;   ///< bytes / copy rate
  double seconds = 0.0;    ///< the larger of the two: the other one hides behind it
  Bound bound = Bound::compute;
};

/// The floor of a kernel that does `taps` multiply-adds for each of `pixels` outputs and moves at
/// least `bytes` to and from global memory. Both rates must be greater than 0, else
/// std::invalid_argument.
Floor floor_of(double pixels, double taps, double bytes, const Ceilings& ceilings);

/// The floor of a convolution of `width` x `height` outputs with a filter of `filter_width` x
/// `filter_width` taps.
Floor convolution_floor(int width, int height, int filter_width, const Ceilings& ceilings);

/// Bytes that any convolution moves: each pixel of the padded input read once, each pixel of the
/// `width` x `height` output written once, four bytes per pixel.
double compulsory_bytes(int width, int height, int filter_width);

/// What a kernel does for each output pixel, as xray/ counts it.
struct KernelCounts {
  double multiply_adds = 0.0;
  double loads = 0.0;         ///< of any width, of inputs, taps and from local memory
  double cached_bytes = 0.0;  ///< of inputs and taps: taken to be in the nearest cache
  double local_bytes = 0.0;   ///< read from local memory
};

/// A kernel's time by the three columns of Houston's spreadsheet.
struct Prediction {
  double arithmetic_s = 0.0;  ///< the kernel's multiply-adds / multiply-add rate
  double loads_s = 0.0;       ///< loads / load rate, or bytes / their rates, whichever is longer
  double memory_s = 0.0;      ///< compulsory bytes / copy rate
  double seconds = 0.0;       ///< the largest of the three
  const char* bound = "";     ///< which it is: "arithmetic", "loads" or "memory"
};

/// The prediction for a convolution of `width` x `height` outputs with `filter_width` x
/// `filter_width` taps. Every rate must be greater than 0, else std::invalid_argument.
Prediction predict(
    int width, int height, int filter_width, const KernelCounts& counts, const Ceilings& ceilings);

/// The taps per pixel at which the floor changes from memory to compute, if a pixel moves
/// `bytes_per_pixel` bytes.
double ridge_taps(double bytes_per_pixel, const Ceilings& ceilings);

}  // namespace tutorial
