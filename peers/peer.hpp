// Libraries that convolve too, and those that compute a median. Each has a file of its own, which
// is compiled where the library is found; the programs that compare them know only this.
#pragma once

#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <vector>

#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/timing.hpp"
#include "median/pixels.hpp"

namespace tutorial {

/// A way in which a library convolves one image with one filter, with all that it works on.
struct Way {
  /// Convolves once and waits for the end. Returns milliseconds by the device's own timer; 0 if the
  /// library has none.
  std::function<double()> run_ms;
  /// What the last run computed, of the size of the image; NaN before the first.
  std::function<Image()> result;
  /// Its result comes from transforms (Fourier, Winograd) of blocks of up to tile x tile pixels,
  /// which spread a bright pixel's rounding error: `check` is told. 0: no transform.
  int tile = 0;
  /// On bytes: it may give the level below the exact sum as well as the nearest one.
  bool truncates = false;
};

/// A library that convolves.
struct Peer {
  std::string version;
  /// Takes over the data: uploads, allocates, chooses; none of this is timed. `padded` is the
  /// result of `repeat_border` for this image and filter; a library uses that or `image`, whichever
  /// is its natural way to treat the border. All three stay as they are as long as a way is in use.
  /// Gives the ways that are worth a try, in the order of preference: the first whose result is
  /// right is the one to be timed. What it throws, `Error` or the library's own, says why there is
  /// none.
  std::function<std::vector<Way>(const Image& image, const Image& padded, const Filter&)> ways;
};

/// Measures them, by the host's clock, and puts the fastest first.
inline std::vector<Way> fastest_first(const std::vector<Way>& ways) {
  std::multimap<double, Way> by_time;
  for (const Way& way : ways) {
    const auto run = [&] {
      way.run_ms();
      return cl::Event();
    };
    by_time.emplace(measure({{"", cl::NullRange, 0.0, run}}, 0.0, 5).front().time_ms.median, way);
  }
  const auto sorted = std::views::values(by_time);
  return {sorted.begin(), sorted.end()};
}

/// On the CPU: OpenCV's filter2D, as one call or as one call for each band of rows, one band a
/// core; its sepFilter2D, also in bands, for filters of rank 1; FFTW in tiles on all cores; Halide
/// by the best of a few schedules. They throw `Error` if `device` is not a CPU: what is computed on
/// the host says nothing of a GPU. With `bytes` the images, whose pixels are whole numbers of
/// 255ths, are converted to bytes, and the result comes from bytes.
Peer opencv_peer(const cl::Device& device, bool split, bool bytes);
Peer opencv_separable_peer(const cl::Device& device);
Peer fftw_peer(const cl::Device& device);
Peer halide_peer(const cl::Device& device);

/// OpenCV's filter2D on `device`, through its transparent API (cv::UMat). Throws `Error` if OpenCV
/// cannot use that device.
Peer opencv_opencl_peer(const cl::Context& context, const cl::Device& device);

/// NPP's nppiFilter_32f_C1R, or for bytes the faster of nppiFilter32f_8u_C1R and
/// nppiFilter_8u_C1R; cuFFT in tiles; and cuDNN's forward convolution on the GPU that is `device`.
/// They throw `Error` if that is not NVIDIA's.
Peer npp_peer(const cl::Device& device, bool bytes);
Peer cufft_peer(const cl::Device& device);
Peer cudnn_peer(const cl::Device& device);

/// The same, timed by the host's clock, whatever its event says.
inline Variant by_host_clock(Variant variant) {
  variant.launch = [launch = variant.launch] {
    launch().wait();
    return cl::Event();
  };
  return variant;
}

/// A library's way to compute the 3 x 3 median of a picture with one channel of 8 bits.
struct MedianPeer {
  Variant variant;  ///< its name, and how it is timed
  Picture result;   ///< what it computed
};

/// OpenCV's medianBlur, by the host's clock, on as many threads as `device` has compute units.
/// `input` stays as long as they are in use.
std::vector<MedianPeer> opencv_medians(const cl::Device& device, const Picture& input);

/// NPP's median on the GPU that is `device`, by CUDA's events. Throws `Error` if that is not
/// NVIDIA's.
std::vector<MedianPeer> npp_medians(const cl::Device& device, const Picture& input);

}  // namespace tutorial
