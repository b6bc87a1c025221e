// Libraries that convolve too, and those that compute a median. Each has a file of its own, which
// is compiled where the library is found; the programs that compare them know only this.
#pragma once

#include <memory>
#include <vector>

#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/timing.hpp"
#include "median/pixels.hpp"

namespace tutorial {

/// A library that convolves. What it throws, `Error` or an exception of its own, says in one line
/// why it cannot.
class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;

  /// Takes over the data: uploads, allocates, chooses. None of this is timed. `padded` is the
  /// result of `repeat_border` for this image and filter; a peer uses that or `image`, whichever is
  /// its natural way to treat the border. All three stay alive and unchanged until the next
  /// `prepare`. The result is full of NaN afterwards.
  virtual void prepare(const Image& image, const Image& padded, const Filter& filter) = 0;

  /// Turns to the next way of computing, if this peer has several that are worth a try, in the
  /// order of preference: the first whose result is right is the one to be timed. The result is
  /// full of NaN afterwards. Returns false if there is none left.
  virtual bool next_way() { return false; }

  /// True if the present way computes by a transform of whole blocks of pixels (Fourier, Winograd),
  /// which spreads a bright pixel's rounding error over its block.
  virtual bool spreads_rounding() const { return false; }

  /// Convolves once and waits for the end. Returns milliseconds by the device's own timer; 0 if the
  /// library has none.
  virtual double run() = 0;

  /// What the last `run` computed; of the size of `image`.
  virtual Image result() = 0;
};

/// OpenCV's filter2D on the CPU, as one call or as one call for each band of rows, one band a core.
/// Throws `Error` if `device` is not a CPU: what is computed on the host says nothing of a GPU.
std::unique_ptr<Peer> make_opencv(const cl::Device& device, bool split);

/// OpenCV's filter2D on `device`, through its transparent API (cv::UMat). Throws `Error` if OpenCV
/// cannot use that device.
std::unique_ptr<Peer> make_opencv_opencl(const cl::Context& context, const cl::Device& device);

/// NPP's nppiFilter_32f_C1R on the GPU that is `device`. Throws `Error` if that is not NVIDIA's.
std::unique_ptr<Peer> make_npp(const cl::Device& device);

/// cuDNN's forward convolution on the GPU that is `device`. Throws `Error` if that is not NVIDIA's.
std::unique_ptr<Peer> make_cudnn(const cl::Device& device);

/// A library's way to compute the 3 x 3 median of a picture with one channel of 8 bits.
struct MedianPeer {
  Variant variant;  ///< its name, and how it is timed
  Picture result;   ///< what it computed
};

/// OpenCV's medianBlur, by the host's clock, on as many threads as `device` has compute units.
std::vector<MedianPeer> opencv_medians(const cl::Device& device, const Picture& input);

/// NPP's median on the GPU that is `device`, by CUDA's events. Throws `Error` if that is not
/// NVIDIA's.
std::vector<MedianPeer> npp_medians(const cl::Device& device, const Picture& input);

}  // namespace tutorial
