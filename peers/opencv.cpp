// OpenCV's filter2D, and sepFilter2D: on the CPU, and on the device by OpenCV's own OpenCL kernels.
//
// filter2D gets the image as it is: repeating the border is a mode of it, and its anchor is the tap
// above the output pixel. From 12 x 12 taps on it turns to a Fourier transform; that is its natural
// way, so it may; by OpenCL it never does. On the CPU a call works on one core whatever its number
// of threads is.
#include <limits>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>

#include "peers/peer.hpp"
#include "studies/two_passes/launch.hpp"

namespace tutorial {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// From this number of taps on OpenCV transforms, unless it is given a view of a larger matrix.
constexpr int fourier_taps = 130;

using Compute = std::function<void(cv::InputArray from, cv::OutputArray to)>;

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

/// It keeps a view of `filter`.
Compute filter_of(const Filter& filter, Task task) {
  const int above = (filter.width - 1) / 2;  // the tap above the output pixel
  const cv::Point place(above, above);
  if (task == Task::separable) {
    return [=, factors = two_passes::factorize(filter)](cv::InputArray from, cv::OutputArray to) {
      cv::sepFilter2D(from, to, -1, factors.row, factors.column, place, 0, cv::BORDER_REPLICATE);
    };
  }
  const cv::Mat taps = view(filter.width, filter.width, filter.taps);
  return [=](cv::InputArray from, cv::OutputArray to) {
    cv::filter2D(from, to, -1, taps, place, 0, cv::BORDER_REPLICATE);
  };
}

/// A view of the image; or, for bytes, a copy.
cv::Mat matrix_of(const Image& image, Task task) {
  cv::Mat matrix = view(image.width, image.height, image.pixels);
  if (task == Task::bytes) {
    matrix.convertTo(matrix, CV_8U, 255.0);
  }
  return matrix;
}

/// On the CPU: a call for each band of rows, a band a core.
std::vector<Way> split_ways(const Problem& problem) {
  const auto& [task, context, device, image, padded, filter] = problem;
  const cv::Mat source = matrix_of(image, task);
  const cv::Mat target(source.size(), source.type(), cv::Scalar(nan));
  const Compute compute = filter_of(filter, task);
  const bool transforms = task != Task::separable && filter.width * filter.width >= fourier_taps;
  const int above = (filter.width - 1) / 2, below = filter.width - 1 - above;
  const int bands = std::min(cv::getNumberOfCPUs(), source.rows);
  // Kept for the next call, which then need not allocate them.
  const auto results = std::make_shared<std::vector<cv::Mat>>(bands);
  const auto run_band = [=](int band) {
    const cv::Range rows(source.rows * band / bands, source.rows * (band + 1) / bands);
    cv::Mat to = target.rowRange(rows);
    // OpenCV's filters read on beyond the edges of a view, and repeat only what is the border of
    // the whole. To transform a band it must be a matrix of its own, with neighbours' rows.
    if (!transforms) {
      compute(source.rowRange(rows), to);
      return;
    }
    const int top = std::max(rows.start - above, 0);
    const cv::Mat from = source.rowRange(top, std::min(rows.end + below, source.rows));
    cv::Mat& result = (*results)[band];
    compute(cv::Mat(from.size(), from.type(), from.data), result);
    result.rowRange(rows.start - top, rows.end - top).copyTo(to);
  };
  const auto run_ms = [=] {
    const auto run_bands = [&](const cv::Range& range) {
      for (int band = range.start; band < range.end; band++) {
        run_band(band);
      }
    };
    cv::parallel_for_(cv::Range(0, bands), run_bands, bands);
    return 0.0;
  };
  cv::setNumThreads(bands);
  return {{run_ms, [=] { return image_of(target); }, transforms ? 512 : 0}};
}

/// OpenCV's queue in the program's own context, with a timer.
cl::CommandQueue make_queue(const Problem& problem) {
  const cl::Platform platform(problem.device.getInfo<CL_DEVICE_PLATFORM>());
  const auto execution = cv::ocl::OpenCLExecutionContext::create(
      platform.getInfo<CL_PLATFORM_NAME>(), platform(), problem.context(), problem.device());
  execution.cloneWithNewQueue(execution.getQueue().getProfilingQueue()).bind();
  cv::ocl::setUseOpenCL(true);
  require(
      cv::ocl::useOpenCL() && cv::ocl::Device::getDefault().ptr() == problem.device(),
      "OpenCV uses another device");
  return cl::CommandQueue(static_cast<cl_command_queue>(cv::ocl::Queue::getDefault().ptr()), true);
}

/// On the device: one call.
std::vector<Way> umat_ways(const Problem& problem) {
  static const cl::CommandQueue queue = make_queue(problem);
  cv::UMat source;
  matrix_of(problem.image, problem.task).copyTo(source);
  const cv::UMat target(source.size(), source.type(), cv::Scalar(nan));
  const Compute compute = filter_of(problem.filter, problem.task);
  const auto run_ms = [=] { return queue_ms(queue, [&] { compute(source, target); }); };
  return {{run_ms, [=] { return image_of(target.getMat(cv::ACCESS_READ)); }}};
}

/// With the instructions that it was built for: those with a * where the CPU has them, those with a
/// ? are missing here.
std::string version() {
  return cv::getVersionString() + " " + cv::getCPUFeaturesLine();
}

[[maybe_unused]] const bool added =
    add_library({"OpenCV_split", Library::Place::host, version, split_ways}) &&
    add_library({"OpenCV_UMat", Library::Place::device, version, umat_ways});

}  // namespace
}  // namespace tutorial
