// OpenCV's filter2D on the CPU.
//
// It gets the image as it is: repeating the border is a mode of filter2D, and its anchor is the tap
// above the output pixel. From 12 x 12 taps on OpenCV turns to a Fourier transform; that is its
// natural way, so it may. And filter2D works on one core whatever its number of threads is, as
// medianBlur does, so it runs in two ways: as one call, and as one call for each band of rows.
#include <algorithm>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "peers/peer.hpp"

namespace tutorial {
namespace {

// From this number of taps on OpenCV transforms, unless it is given a view of a larger matrix.
constexpr int fourier_taps = 130;

class OpenCv final : public Peer {
 public:
  explicit OpenCv(bool split)
      : name_(split ? "OpenCV_split" : "OpenCV"),
        bands_(split ? cv::getNumberOfCPUs() : 1),
        band_results_(static_cast<std::size_t>(bands_)) {
    cv::setNumThreads(cv::getNumberOfCPUs());
  }

  std::string name() const override { return name_; }
  bool has_timer() const override { return false; }
  bool spreads_rounding() const override { return true; }

  void prepare(const Image& image, const Image& /*padded*/, const Filter& filter) override {
    const int left = (filter.width - 1) / 2;
    anchor_ = {left, left};
    // OpenCV has no matrices of constants; it does not write to these two.
    source_ = {image.height, image.width, CV_32FC1, const_cast<float*>(image.pixels.data())};
    taps_ = {filter.width, filter.width, CV_32FC1, const_cast<float*>(filter.taps.data())};
    result_ = Image(image.width, image.height);
    std::ranges::fill(result_.pixels, std::numeric_limits<float>::quiet_NaN());
    target_ = {image.height, image.width, CV_32FC1, result_.pixels.data()};
  }

  double run() override {
    const auto filter_bands = [this](const cv::Range& bands) {
      for (int band = bands.start; band < bands.end; band++) {
        filter_band(source_.rows * band / bands_, source_.rows * (band + 1) / bands_, band);
      }
    };
    cv::parallel_for_(cv::Range(0, bands_), filter_bands, bands_);
    return 0.0;
  }

  Image result() override { return result_; }

 private:
  /// Computes the rows `first` to `last` - 1.
  void filter_band(int first, int last, int band) {
    if (first == last) {
      return;
    }
    cv::Mat target = target_.rowRange(first, last);
    if (bands_ == 1 || taps_.rows * taps_.cols < fourier_taps) {
      // A view of the whole matrix: filter2D reads on beyond the band's edges, and repeats only
      // what is the border of the whole.
      filter(source_.rowRange(first, last), target);
      return;
    }
    // A matrix of its own, with the neighbours' rows that the filter needs; what is computed for
    // those is dropped.
    const int top = std::max(first - anchor_.y, 0);
    const int bottom = std::min(last + taps_.rows - 1 - anchor_.y, source_.rows);
    cv::Mat& result = band_results_[static_cast<std::size_t>(band)];
    filter(cv::Mat(bottom - top, source_.cols, CV_32FC1, source_.ptr(top)), result);
    result.rowRange(first - top, last - top).copyTo(target);
  }

  void filter(const cv::Mat& from, cv::Mat& to) const {
    cv::filter2D(from, to, CV_32F, taps_, anchor_, 0, cv::BORDER_REPLICATE);
  }

  std::string name_;
  int bands_;
  std::vector<cv::Mat> band_results_;
  cv::Point anchor_;
  cv::Mat source_;
  cv::Mat taps_;
  cv::Mat target_;
  Image result_;
};

}  // namespace

std::unique_ptr<Peer> make_opencv(bool split) {
  return std::make_unique<OpenCv>(split);
}

}  // namespace tutorial
