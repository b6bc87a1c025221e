// The filters (convolution matrices) that the programs know, and the text form for your own.
#pragma once

#include "common/image.hpp"

namespace tutorial {

constexpr int max_filter_width = 32;

/// A square filter: `width` rows of `width` taps, row-major.
struct Filter {
  int width = 0;  ///< 1..max_filter_width, even widths too
  std::vector<float> taps;

  std::size_t size_bytes() const { return taps.size() * sizeof(float); }
  /// Whether at least half of the taps are 0.
  bool is_sparse() const;
  /// OpenCL C that declares the taps as the constant array `baked_filter`, row-major, in
  /// hexadecimal, which loses no bit.
  std::string baked_source() const;
};

/// Makes the filter `name` at `width` x `width`:
///   random       seeded, asymmetric, both signs: a mirrored, shifted or transposed result is wrong
///                with it; the sum is positive, or as bytes most results were black
///   separable    seeded too: the product of a random column and a random row, which two passes can
///                compute one after the other (two_passes/)
///   gaussian     standard deviation width / 6, sum 1
///   box          all taps equal, sum 1
///   sharpen      twice the pixel minus the box, sum 1
///   motion-blur  along the rising 45-degree diagonal; at 7 x 7 these are the taps of chapter 7 of
///                "Heterogeneous Computing with OpenCL" (2011), at other widths the same profile
///                stretched, sum scaled to 1
/// Any other name is the path of a text file: as many rows as columns of numbers, separated by
/// white space or commas, `#` begins a comment; then `width` must be the width of the file, or 0.
/// Of another name a filter of width 0 has no taps. Throws `Error` for anything else.
Filter make_filter(const std::string& name, int width, std::uint32_t seed);

/// Convolves as `convolve_reference`, in floats and on all cores; `input` is the padded image.
void convolve_columns(const Image& input, const Filter& filter, Image& output);

}  // namespace tutorial
