// Is the result right? A kernel that fails here is not timed.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/reference.hpp"

namespace tutorial {

/// What the checker found.
struct Verdict {
  bool passed = false;
  double max_error = 0.0;  ///< largest |got - expected| over the image; infinite with a NaN or Inf
  std::size_t bad_count = 0;  ///< pixels outside their tolerance
  std::size_t rounded = 0;    ///< bytes that are one grey level off, as they may be
  int bad_x = -1;             ///< first such pixel in reading order
  int bad_y = -1;
  double expected = 0.0;  ///< value at that pixel
  float got = 0.0F;       ///< the kernel's value at that pixel
  std::string damage;     ///< what else the kernel has done (`GuardedBuffer::damage`)

  /// One line for the user, e.g.
  /// "wrong at (3, 0): expected 0.25, got nan; 17 of 4096 pixels are wrong"
  std::string describe(std::size_t pixel_count) const;
};

/// Compares `output` with the reference, pixel by pixel. NaN and Inf never pass, nor does anything
/// with `damage` (`GuardedBuffer::damage`). `output` must have the reference's size.
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
    const Reference& reference, const Image& output, const std::string& damage = {},
    bool pairs = false, int tile = 0);

/// A device buffer of floats for a kernel's output, between two guard bands: of 1 MiB, more than a
/// row of an image of up to 245,000 columns, or a sixteenth of the output; in the simulator, whose
/// images are small, of 64 KiB at least.
///
/// Before a kernel is verified, `poison()` fills all of it with values that are no results, another
/// one in each place. So `check` finds a pixel that the kernel forgot, or computed from what was
/// there, and `damage` a write outside of the output.
class GuardedBuffer {
 public:
  GuardedBuffer(const cl::Context& context, const cl::Device& device, std::size_t float_count);

  /// What the kernel gets: the output alone, without the guards.
  const cl::Buffer& buffer() const { return inner_; }

  /// Remembers what these buffers contain: inputs, which no kernel may change.
  void watch(const cl::CommandQueue& queue, const std::vector<cl::Buffer>& inputs);

  /// Fills output and guards with NaNs, and one place in sixteen with a number above 10^36. Blocks
  /// until that is done.
  void poison(const cl::CommandQueue& queue) const;

  /// What has happened since, beside the output: "wrote outside of the output buffer" if a guard is
  /// not as `poison` left it, bit for bit; "changed its input" if a watched buffer is not as it
  /// was, which it is then again; both; or nothing.
  std::string damage(const cl::CommandQueue& queue) const;

 private:
  std::size_t words_;        ///< of the output, four bytes each
  std::size_t guard_words_;  ///< of each guard
  std::vector<std::pair<cl::Buffer, std::vector<cl_uint>>> watched_;  ///< with their contents
  cl::Buffer outer_;
  cl::Buffer inner_;
};

}  // namespace tutorial
