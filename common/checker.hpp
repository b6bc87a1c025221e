// Is the result right? A kernel that fails here is not timed.
#pragma once

#include <cstddef>
#include <string>

#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/reference.hpp"

namespace tutorial {

/// What the checker found.
struct Verdict {
  bool passed = false;
  double max_error = 0.0;  ///< largest |got - expected| over the image; infinite with a NaN or Inf
  std::size_t bad_count = 0;  ///< pixels outside their tolerance
  int bad_x = -1;             ///< first such pixel in reading order
  int bad_y = -1;
  double expected = 0.0;       ///< value at that pixel
  float got = 0.0F;            ///< the kernel's value at that pixel
  bool outside_write = false;  ///< something was written outside of the output

  /// One line for the user, e.g.
  /// "wrong at (3, 0): expected 0.25, got nan; 17 of 4096 pixels are wrong"
  std::string describe(std::size_t pixel_count) const;
};

/// Compares `output` with the reference, pixel by pixel. NaN and Inf never pass, nor does anything
/// if the guard bands around the output (`GuardedBuffer`) were written to. `output` must have the
/// reference's size.
///
/// `pairs`: outputs 2k and 2k + 1 of a row were computed from common sums (Convolve_Fast), so the
/// tolerance of each is the sum of both; in a last column without a partner, the pixel's plus the
/// row's largest.
///
/// `tile`: the outputs were computed by Fourier transforms of tiles of tile x tile pixels
/// (Convolve_Fft). Their tolerance is 4 log2(tile) * 2^-23 * reference.magnitude for every pixel:
/// two transforms and the two back round each value in 4 log2(tile) levels of butterflies, which
/// neither enlarge nor shrink the root mean square of the errors so far, but spread them over the
/// tile. It would stay below the tolerance even if the levels' errors all added up; they have both
/// signs, so they grow with the root of the number of levels (about 5), which leaves that factor
/// for the worst pixel.
Verdict check(
    const Reference& reference, const Image& output, bool guards_intact = true, bool pairs = false,
    int tile = 0);

/// A device buffer of floats for a kernel's output, between two guard bands.
///
/// Before a kernel is verified, `poison()` fills all of it with NaN. So a pixel that the kernel
/// forgot stays NaN, which `check` finds, and a write outside of the output changes a guard.
class GuardedBuffer {
 public:
  GuardedBuffer(const cl::Context& context, const cl::Device& device, std::size_t float_count);

  /// What the kernel gets: the output alone, without the guards.
  const cl::Buffer& buffer() const { return inner_; }

  /// Fills output and guards with NaN. Blocks until that is done.
  void poison(const cl::CommandQueue& queue) const;

  /// True if both guards are as `poison` left them, bit for bit.
  bool guards_intact(const cl::CommandQueue& queue) const;

 private:
  std::size_t guard_bytes_;
  std::size_t inner_bytes_;
  cl::Buffer outer_;
  cl::Buffer inner_;
};

}  // namespace tutorial
