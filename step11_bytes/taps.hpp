// What the kernels of this step get from the host beside the image: the filter's taps as integers,
// each kernel's in its own order; and the exact result that they are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/filters.hpp"
#include "common/image.hpp"

namespace tutorial {

/// A grayscale image of bytes, 0 (black) to 255.
using ByteImage = Grid<std::uint8_t>;

/// Rounds 255 times each pixel.
ByteImage to_bytes(const Image& image);

/// A filter in fixed point: `width` rows of `width` taps, each round(tap * 2^shift).
///
/// With the pixels p under the taps t, an output is
///   clamp((sum of t * p + half) >> shift, 0, 255), where half = 2^shift / 2 (0 if shift is 0),
/// in integers, and >> rounds down. `shift` (0..30) is as large as the filter allows: every tap
/// fits into 16 bits, and every sum, however bright the pixels, into 32.
struct FixedFilter {
  int width = 0;
  int shift = 0;
  std::vector<std::int16_t> taps;
};

/// The taps of `filter` in fixed point. Throws `CannotRun` if rounding the taps could change a
/// pixel of some image by more than half a grey level (`fixed_point_error`): taps that are too
/// large, or large and small ones together.
FixedFilter to_fixed_point(const Filter& filter);

/// By how many grey levels the rounded taps can change the sum for a pixel, before it is rounded
/// itself: 255 times the sum of the taps' errors. Up to 0.5, pixels differ by one level at most.
double fixed_point_error(const Filter& filter, const FixedFilter& fixed);

/// The exact result: width x height pixels. `padded` has at least fixed.width - 1 more both ways.
ByteImage convolve_exactly(
    const ByteImage& padded, const FixedFilter& fixed, int width, int height);

/// What `check_bytes` found.
struct ByteVerdict {
  std::size_t wrong = 0;    ///< pixels that are not what they must be
  std::size_t rounded = 0;  ///< pixels that are one level off, as they may be
  int bad_x = -1;           ///< first wrong pixel in reading order
  int bad_y = -1;
};

/// Compares `output` with `exact`, the result of `convolve_exactly`. Every byte must
/// be equal, unless the kernel's sums are floats: then a pixel may be one level off if its exact
/// sum is as near to the limit between both levels as rounding may have moved it: by width * width
/// * 2^-23 of the sum of |tap| * pixel, or for transforms of tiles of tile x tile pixels as `check`
/// has it. What `truncates` may also be at the level below the exact sum.
ByteVerdict check_bytes(
    const ByteImage& input, const FixedFilter& fixed, const ByteImage& exact,
    const ByteImage& output, bool floats, int tile = 0, bool truncates = false);

/// The same taps as floats, for kernels whose sums are floats: tap / 2^shift, which is exact.
Filter to_floats(const FixedFilter& fixed);

/// The taps in pairs, for the kernels that multiply two neighbouring pixels, of which the left is
/// in an even column. A pair is an int: the left pixel's tap in the lower 16 bits. Output 2x meets
/// pixels 2x + 2k and 2x + 2k + 1 with taps 2k and 2k + 1 of a row, output 2x + 1 with taps 2k - 1
/// and 2k; a tap that the row does not have is 0.
/// Result: for each row, for each k in 0..width / 2, the pair of even outputs and that of odd ones.
std::vector<std::int32_t> tap_pairs(const FixedFilter& fixed);

/// OpenCL C that declares them as `__constant int baked_pairs[]`.
std::string baked_pairs_source(const FixedFilter& fixed);

/// The filter as matrices, for matrix.cl. A patch is 8 x 4 pixels; its outputs depend on the pixels
/// of patches_x x patches_y patches, where patches_x = ceil((width + 7) / 8) and patches_y =
/// ceil((width + 3) / 4). For each of these there is a matrix of 32 x 32 taps: row m for an output
/// of the first patch, column k for a pixel of this one. A tap that does not exist is 0.
///   row 16 * half + 8 * b + g: output (4 * (g % 2) + 2 * half + b, g / 2), with half, b 0 or 1 and
///                              g 0..7
///   column 16 * d + 4 * q + e: pixel (4 * d + e, q), with d 0 or 1 and q, e 0..3
/// Result: words of four bytes, as the matrix units want them: [high, low bytes of the
/// taps][patch][half][lane = 4 * g + q][2 * d + b], bytes e = 0..3 in a word.
std::vector<std::uint32_t> tap_matrices(const FixedFilter& fixed);

}  // namespace tutorial
