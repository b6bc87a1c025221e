// OpenCV's filter2D on the CPU.
//
// filter2D gets the image as it is: repeating the border is a mode of it, and its anchor is the tap
// above the output pixel. From 12 x 12 taps on it turns to a Fourier transform; that is its natural
// way, so it may. It works on one core whatever its number of threads is, so it runs in two ways:
// as one call, and as one call for each band of rows.
#include <limits>
#include <memory>
#include <opencv2/imgproc.hpp>

#include "common/error.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// From this number of taps on OpenCV transforms, unless it is given a view of a larger matrix.
constexpr int fourier_taps = 130;

using Compute = std::function<void(const cv::Mat& from, cv::Mat& to)>;

/// Calls `compute` for `bands` bands of rows at the same time, one band a thread. With rows `above`
/// or `below` a band of the source is a matrix of its own, with so many of the neighbours' rows,
/// whose results are dropped; without them it is a view.
std::function<double()> in_bands(
    int bands, cv::Mat source, cv::Mat target, int above, int below, const Compute& compute) {
  bands = std::min(bands, source.rows);
  // A band's own result is kept for the next call, which then need not allocate it.
  const auto run_bands =
      [=, results = std::make_shared<std::vector<cv::Mat>>(bands)](const cv::Range& range) mutable {
        for (int band = range.start; band < range.end; band++) {
          const int first = source.rows * band / bands;
          const int last = source.rows * (band + 1) / bands;
          cv::Mat rows = target.rowRange(first, last);
          if (above == 0 && below == 0) {
            compute(source.rowRange(first, last), rows);
            continue;
          }
          const int top = std::max(first - above, 0);
          const int bottom = std::min(last + below, source.rows);
          cv::Mat& result = (*results)[band];
          compute(cv::Mat(bottom - top, source.cols, source.type(), source.ptr(top)), result);
          result.rowRange(first - top, last - top).copyTo(rows);
        }
      };
  return [=] {
    cv::parallel_for_(cv::Range(0, bands), run_bands, bands);
    return 0.0;
  };
}

/// OpenCV has no matrices of constants; it does not write to this one.
cv::Mat view(int width, int height, const std::vector<float>& values) {
  return {height, width, CV_32FC1, const_cast<float*>(values.data())};
}

Image image_of(const cv::Mat& matrix) {
  Image image(matrix.cols, matrix.rows);
  const double scale = matrix.depth() == CV_8U ? 1.0 / 255 : 1.0;
  matrix.convertTo(view(image.width, image.height, image.pixels), CV_32F, scale);
  return image;
}

/// The place of the tap above the output pixel, in columns and in rows.
int anchor(const Filter& filter) {
  return (filter.width - 1) / 2;
}

/// It keeps a view of `filter`.
Way banded(int bands, const Image& image, const Filter& filter, bool bytes) {
  const cv::Mat taps = view(filter.width, filter.width, filter.taps);
  const cv::Point place(anchor(filter), anchor(filter));
  const auto compute = [=](const cv::Mat& from, cv::Mat& to) {
    cv::filter2D(from, to, -1, taps, place, 0, cv::BORDER_REPLICATE);
  };
  cv::Mat source = view(image.width, image.height, image.pixels);
  if (bytes) {
    source.convertTo(source, CV_8U, 255.0);
  }
  const cv::Mat target(image.height, image.width, source.type(), cv::Scalar(nan));
  // OpenCV's filters read on beyond the edges of a view, and repeat only what is the border of the
  // whole.
  const bool transforms = filter.width * filter.width >= fourier_taps;
  const bool views = bands == 1 || !transforms;
  const int above = views ? 0 : anchor(filter);
  const int below = views ? 0 : filter.width - 1 - anchor(filter);
  return {
      in_bands(bands, source, target, above, below, compute), [target] { return image_of(target); },
      transforms ? 512 : 0};
}

/// filter2D as one call, or as one for each band of rows, a band a core.
template <bool split>
Peer opencv_peer(const cl::Context&, const cl::Device&, bool bytes) {
  cv::setNumThreads(cv::getNumberOfCPUs());
  const int bands = cv::getNumberOfCPUs();
  return {cv::getVersionString(), [=](const Image& image, const Image&, const Filter& filter) {
            return std::vector{banded(split ? bands : 1, image, filter, bytes)};
          }};
}

[[maybe_unused]] const bool added =
    add_library({"OpenCV", Library::Place::host, opencv_peer<false>}) &&
    add_library({"OpenCV_split", Library::Place::host, opencv_peer<true>});

}  // namespace
}  // namespace tutorial
