// OpenCV's filter2D through OpenCL: the same call on a cv::UMat, which lives on the device.
//
// OpenCV works in our context, so on our device, but with a queue of its own, whose events it keeps
// to itself: this peer is timed by the host's clock, from the call to the end of its queue. The
// call builds no program after the first time; it does print the filter into build options every
// time, to look the program up: OpenCV compiles the coefficients into its kernel.
//
// Where OpenCV cannot use OpenCL it turns to the CPU without a word. Two things keep such a run out
// of the tables: an image smaller than the filter is refused, and so is a result that equals the
// CPU's in every bit, for on the device the sum has another order.
#include <algorithm>
#include <cstring>
#include <limits>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>

#include "common/device.hpp"
#include "common/error.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

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

  std::string name() const override { return "OpenCV_OpenCL"; }
  bool has_timer() const override { return false; }
  bool on_our_device() const override { return true; }

  void prepare(const Image& image, const Image& /*padded*/, const Filter& filter) override {
    if (image.width < filter.width || image.height < filter.width) {
      throw Error("the image is smaller than the filter, which OpenCV leaves to the CPU");
    }
    const int left = (filter.width - 1) / 2;
    anchor_ = {left, left};
    const cv::Mat host_image(
        image.height, image.width, CV_32FC1, const_cast<float*>(image.pixels.data()));
    // Without the copy the UMat would be the host's memory under another name.
    host_image.copyTo(source_);
    taps_ = {filter.width, filter.width, CV_32FC1, const_cast<float*>(filter.taps.data())};
    target_.create(image.height, image.width, CV_32FC1);

    if (filter.width > 1) {
      run();
      cv::Mat by_cpu;
      cv::filter2D(host_image, by_cpu, CV_32F, taps_, anchor_, 0, cv::BORDER_REPLICATE);
      const Image by_device = result();
      if (std::memcmp(by_cpu.ptr(), by_device.pixels.data(), by_device.size_bytes()) == 0) {
        throw Error("OpenCV left this filter to the CPU");
      }
    }
    target_.setTo(cv::Scalar::all(std::numeric_limits<double>::quiet_NaN()));
    cv::ocl::finish();
  }

  double run() override {
    cv::filter2D(source_, target_, CV_32F, taps_, anchor_, 0, cv::BORDER_REPLICATE);
    cv::ocl::finish();
    return 0.0;
  }

  Image result() override {
    Image image(target_.cols, target_.rows);
    cv::Mat host_image(image.height, image.width, CV_32FC1, image.pixels.data());
    target_.copyTo(host_image);
    return image;
  }

 private:
  cv::Point anchor_;
  cv::UMat source_;
  cv::Mat taps_;
  cv::UMat target_;
};

}  // namespace

std::unique_ptr<Peer> make_opencv_opencl(const cl::Context& context, const cl::Device& device) {
  return std::make_unique<OpenCvOpenCl>(context, device);
}

}  // namespace tutorial
