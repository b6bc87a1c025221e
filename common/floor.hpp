// How long a convolution takes at least, given what the device can do at most.
#pragma once

#include <string>

namespace tutorial {

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
