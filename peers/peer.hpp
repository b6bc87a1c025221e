// A library that convolves too. Each has a file of its own, which is compiled where the library is
// found; the program that compares them knows only this.
#pragma once

#include <memory>
#include <string>

#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"

namespace tutorial {

class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;

  /// What it is called in tables, CSVs and charts; without blanks.
  virtual std::string name() const = 0;

  /// True if `run` returns a time of the device's own timer; false if the host's clock is to be
  /// held against it.
  virtual bool has_timer() const = 0;

  /// True if the peer uses the OpenCL device that our kernels run on.
  virtual bool on_our_device() const { return false; }

  /// Takes over the data: uploads, allocates, chooses. None of this is timed. `padded` is the
  /// result of `repeat_border` for this image and filter; a peer uses that or `image`, whichever is
  /// its natural way to treat the border. All three stay alive and unchanged until the next
  /// `prepare`. The result is full of NaN afterwards. Throws `Error` (or the library's own
  /// exception) with one line that says why it cannot.
  virtual void prepare(const Image& image, const Image& padded, const Filter& filter) = 0;

  /// Turns to the next way of computing, if this peer has several that are worth a try, in the
  /// order of preference: the first whose result is right is the one to be timed. The result is
  /// full of NaN afterwards. Returns false if there is none left.
  virtual bool next_way() { return false; }

  /// True if the present way computes by a transform of whole blocks of pixels (Fourier, Winograd),
  /// which spreads a bright pixel's rounding error over its block.
  virtual bool spreads_rounding() const { return false; }

  /// Convolves once and waits for the end. Returns milliseconds if `has_timer`, else 0.
  virtual double run() = 0;

  /// What the last `run` computed; of the size of `image`.
  virtual Image result() = 0;
};

/// OpenCV's filter2D on the CPU, as one call or as one call for each band of rows, one band a core.
std::unique_ptr<Peer> make_opencv(bool split);

/// OpenCV's filter2D on `device`, through its transparent API (cv::UMat). Throws `Error` if OpenCV
/// cannot use that device.
std::unique_ptr<Peer> make_opencv_opencl(const cl::Context& context, const cl::Device& device);

/// NPP's nppiFilter_32f_C1R on the GPU that is `device`. Throws `Error` if that is not NVIDIA's.
std::unique_ptr<Peer> make_npp(const cl::Device& device);

/// cuDNN's forward convolution on the GPU that is `device`. Throws `Error` if that is not NVIDIA's.
std::unique_ptr<Peer> make_cudnn(const cl::Device& device);

}  // namespace tutorial
