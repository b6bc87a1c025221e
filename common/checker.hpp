// What is right, in double precision, and is the result? A kernel that fails here is not timed.
#pragma once

#include "common/device.hpp"
#include "common/filters.hpp"

namespace tutorial {

/// The correct result of a convolution, and how far a float kernel may be from it.
struct Reference {
  int width = 0;   ///< of the output, pixels
  int height = 0;  ///< of the output, pixels
  std::vector<double> values;
  std::vector<double> tolerances;  ///< the largest permitted |got - value|, for each pixel
  double magnitude = 0.0;          ///< sum of the taps' magnitudes times the largest of a pixel
};

/// Convolves in double precision:
///   value(x, y) = sum over r, c in 0..filter.width-1 of filter[r][c] * padded[y + r][x + c]
/// which is a correlation: the filter is not turned around. `padded` is the result of
/// `repeat_border(image)`, perhaps larger (`with_room`); the output has the size of `image`. The
/// tolerance of a pixel is n * epsilon * sum |filter * input|, with n = filter.width^2 taps and
/// epsilon = 2^-23: twice the classical bound on the rounding error of a float sum of n products in
/// *any* order (Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1). Throws
/// `Error` if a sum might be above 10^30, which a kernel's floats might not hold.
Reference convolve_reference(const Image& padded, const Filter& filter, const Image& image);

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
/// spread the errors over the tile. Those grow with the root of the number of levels, which leaves
/// a factor of about 5 for the worst pixel.
Verdict check(
    const Reference& reference, const Image& output, const std::string& damage = {},
    bool pairs = false, int tile = 0);

/// Whether what is verified has been timed (`measure`): see `GuardedBuffer::poison`.
inline bool after_timing = false;

/// A device buffer of floats for a kernel's output, between two guard bands: of 1 MiB, more than a
/// row of an image of up to 245,000 columns, or a sixteenth of the output; in the simulator, whose
/// images are small, of 64 KiB at least.
class GuardedBuffer {
 public:
  GuardedBuffer(const cl::Context& context, const cl::Device& device, std::size_t float_count);

  /// What the kernel gets: the output alone, without the guards.
  const cl::Buffer& buffer() const { return inner_; }

  /// Remembers what these buffers contain: inputs, which no kernel may change.
  void watch(const cl::CommandQueue& queue, const std::vector<cl::Buffer>& inputs);

  /// Before a kernel is verified: fills output and guards with NaNs, and one place in sixteen with
  /// a number above 10^36, another one in each place and each run of the program. So `check` finds
  /// a pixel that the kernel forgot, or computed from what was there, and `damage` a write outside.
  ///
  /// A kernel that is timed finds its results there already. So `after_timing` the output is as it
  /// was but for one place in sixteen, which gets what was in another: a kernel that does its work
  /// only where there is poison leaves it. Blocks until that is done.
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
