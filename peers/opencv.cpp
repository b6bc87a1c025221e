// OpenCV's filter2D on the CPU and through OpenCL, and its medianBlur.
//
// filter2D gets the image as it is: repeating the border is a mode of it, and its anchor is the tap
// above the output pixel. From 12 x 12 taps on it turns to a Fourier transform; that is its natural
// way, so it may. Both work on one core whatever their number of threads is, so each runs in two
// ways: as one call, and as one call for each band of rows.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "common/device.hpp"
#include "common/error.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// From this number of taps on OpenCV transforms, unless it is given a view of a larger matrix.
constexpr int fourier_taps = 130;

/// Bands of rows that are computed at the same time, one band a thread.
class Bands {
 public:
  explicit Bands(int bands) : results_(static_cast<std::size_t>(bands)) {}

  int count() const { return static_cast<int>(results_.size()); }

  /// Calls `compute` for each band of the matrices. With rows `above` or `below` a band of the
  /// source is a matrix of its own, with so many of the neighbours' rows, whose results are
  /// dropped; without them it is a view.
  void run(
      cv::Mat source, cv::Mat target, int above, int below,
      const std::function<void(const cv::Mat&, cv::Mat&)>& compute) {
    const auto run_bands = [&](const cv::Range& bands) {
      for (int band = bands.start; band < bands.end; band++) {
        const int first = source.rows * band / count();
        const int last = source.rows * (band + 1) / count();
        if (first == last) {
          continue;
        }
        cv::Mat rows = target.rowRange(first, last);
        if (above == 0 && below == 0) {
          compute(source.rowRange(first, last), rows);
          continue;
        }
        const int top = std::max(first - above, 0);
        const int bottom = std::min(last + below, source.rows);
        cv::Mat& result = results_[static_cast<std::size_t>(band)];
        compute(cv::Mat(bottom - top, source.cols, source.type(), source.ptr(top)), result);
        result.rowRange(first - top, last - top).copyTo(rows);
      }
    };
    cv::parallel_for_(cv::Range(0, count()), run_bands, count());
  }

 private:
  std::vector<cv::Mat> results_;
};

/// OpenCV has no matrices of constants; it does not write to this one.
cv::Mat view(int width, int height, const std::vector<float>& values) {
  return {height, width, CV_32FC1, const_cast<float*>(values.data())};
}

/// filter2D with its arguments.
struct Filter2D {
  cv::Mat taps;
  cv::Point anchor;

  Filter2D() = default;
  explicit Filter2D(const Filter& filter)
      : taps(view(filter.width, filter.width, filter.taps)),
        anchor((filter.width - 1) / 2, (filter.width - 1) / 2) {}

  void operator()(cv::InputArray from, cv::OutputArray to) const {
    cv::filter2D(from, to, CV_32F, taps, anchor, 0, cv::BORDER_REPLICATE);
  }
};

class OpenCv final : public Peer {
 public:
  explicit OpenCv(bool split) : bands_(split ? cv::getNumberOfCPUs() : 1) {
    cv::setNumThreads(cv::getNumberOfCPUs());
  }

  bool spreads_rounding() const override { return true; }

  void prepare(const Image& image, const Image& /*padded*/, const Filter& filter) override {
    filter_ = Filter2D(filter);
    source_ = view(image.width, image.height, image.pixels);
    result_ = Image(image.width, image.height);
    target_ = view(image.width, image.height, result_.pixels);
    target_.setTo(nan);
  }

  double run() override {
    // filter2D reads on beyond the edges of a view, and repeats only what is the border of the
    // whole.
    const int width = filter_.taps.rows;
    const bool views = bands_.count() == 1 || width * width < fourier_taps;
    const int above = filter_.anchor.y;
    bands_.run(source_, target_, views ? 0 : above, views ? 0 : width - 1 - above, filter_);
    return 0.0;
  }

  Image result() override { return result_; }

 private:
  Bands bands_;
  Filter2D filter_;
  cv::Mat source_;
  cv::Mat target_;
  Image result_;
};

/// The same call on a cv::UMat, which lives on the device.
///
/// OpenCV works in our context, so on our device, but with a queue of its own, whose events it
/// keeps to itself: this peer is timed by the host's clock, from the call to the end of its queue.
///
/// Where OpenCV cannot use OpenCL it turns to the CPU without a word. Two things keep such a run
/// out of the tables: an image smaller than the filter is refused, and so is a result that equals
/// the CPU's in every bit, for on the device the sum has another order.
class OpenCvOpenCl final : public Peer {
 public:
  OpenCvOpenCl(const cl::Context& context, const cl::Device& device) {
    if (!cv::ocl::haveOpenCL()) {
      throw Error("OpenCV finds no OpenCL");
    }
    const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
    const cv::ocl::OpenCLExecutionContext ours = cv::ocl::OpenCLExecutionContext::create(
        platform.getInfo<CL_PLATFORM_NAME>(), platform(), context(), device());
    ours.bind();
    cv::ocl::setUseOpenCL(true);
    if (!cv::ocl::useOpenCL()) {
      throw Error("OpenCV does not use " + device_name(device));
    }
  }

  void prepare(const Image& image, const Image& /*padded*/, const Filter& filter) override {
    if (image.width < filter.width || image.height < filter.width) {
      throw Error("the image is smaller than the filter, which OpenCV leaves to the CPU");
    }
    filter_ = Filter2D(filter);
    const cv::Mat host_image = view(image.width, image.height, image.pixels);
    // Without the copy the UMat would be the host's memory under another name.
    host_image.copyTo(source_);
    target_.create(image.height, image.width, CV_32FC1);

    if (filter.width > 1) {
      run();
      cv::Mat by_cpu;
      filter_(host_image, by_cpu);
      const Image by_device = result();
      if (std::memcmp(by_cpu.ptr(), by_device.pixels.data(), by_device.size_bytes()) == 0) {
        throw Error("OpenCV left this filter to the CPU");
      }
    }
    target_.setTo(nan);
    cv::ocl::finish();
  }

  double run() override {
    filter_(source_, target_);
    cv::ocl::finish();
    return 0.0;
  }

  Image result() override {
    Image image(target_.cols, target_.rows);
    target_.copyTo(view(image.width, image.height, image.pixels));
    return image;
  }

 private:
  Filter2D filter_;
  cv::UMat source_;
  cv::UMat target_;
};

/// The median of a picture, in bands.
struct Median {
  Picture input;
  Bands bands;
  cv::Mat result = cv::Mat(input.height, input.width, CV_8UC1);

  cl::Event operator()() {
    const cv::Mat source(input.height, input.width, CV_8UC1, input.bytes.data());
    const int neighbours = bands.count() == 1 ? 0 : 1;
    bands.run(source, result, neighbours, neighbours, [](const cv::Mat& from, cv::Mat& to) {
      cv::medianBlur(from, to, 3);
    });
    return {};
  }
};

}  // namespace

std::unique_ptr<Peer> make_opencv(const cl::Device& device, bool split) {
  if (!is_cpu(device)) {
    throw Error("it computes on the host, not on this device");
  }
  return std::make_unique<OpenCv>(split);
}

std::unique_ptr<Peer> make_opencv_opencl(const cl::Context& context, const cl::Device& device) {
  return std::make_unique<OpenCvOpenCl>(context, device);
}

std::vector<MedianPeer> opencv_medians(const cl::Device& device, const Picture& input) {
  const int threads = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  cv::setNumThreads(threads);
  std::vector<MedianPeer> peers;
  for (const char* name : {"OpenCV", "OpenCV:bands"}) {
    Median median = {input, Bands(peers.empty() ? 1 : threads)};
    median();
    // OpenCV repeats the border outwards, we copy it.
    Picture picture = input;
    if (input.width > 2 && input.height > 2) {
      const cv::Rect inner(1, 1, input.width - 2, input.height - 2);
      cv::Mat ours(input.height, input.width, CV_8UC1, picture.bytes.data());
      median.result(inner).copyTo(ours(inner));
    }
    peers.push_back({{name, cl::NullRange, 0.0, median}, picture});
  }
  return peers;
}

}  // namespace tutorial
