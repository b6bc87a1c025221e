// The one-channel 8-bit median against OpenCV's medianBlur, all by the host's clock.
//
// OpenCV's 3 x 3 median is vectorised, but works on one core whatever its number of threads is. So
// it runs in two ways: as one call, and as one call for each band of rows, one band a thread.
#include <algorithm>
#include <cstring>
#include <opencv2/imgproc.hpp>

#include "peers/median.hpp"

namespace {

const tutorial::ProgramInfo info = {
    .title = "The one-channel 8-bit median against OpenCV's medianBlur",
    .kernel_file = KERNEL_FILE,
    .kernels = {{"median_gray_rows"}, {"median_gray_x16"}},
    .filtered = false,
    .salt_and_pepper = true,
    .against = false,
};

/// The result of OpenCV with its border as in ours: it repeats the border outwards, we copy it.
tutorial::Picture with_border_of(const tutorial::Picture& input, const cv::Mat& result) {
  tutorial::Picture picture = input;
  for (int y = 1; y < input.height - 1; y++) {
    std::memcpy(
        picture.bytes.data() + picture.row_bytes() * static_cast<std::size_t>(y) + 1,
        result.ptr(y, 1), static_cast<std::size_t>(std::max(input.width - 2, 0)));
  }
  return picture;
}

/// The median of a picture by OpenCV.
struct OpenCvMedian {
  tutorial::Picture input;
  int bands;  ///< as many as threads; 1: one call
  cv::Mat result = cv::Mat(input.height, input.width, CV_8UC1);
  std::vector<cv::Mat> band_results = std::vector<cv::Mat>(static_cast<std::size_t>(bands));

  cl::Event operator()() {
    const cv::Mat source(input.height, input.width, CV_8UC1, input.bytes.data());
    if (bands == 1) {
      cv::medianBlur(source, result, 3);
      return {};
    }
    // A band is blurred with a row more above and below it, which are right in the bands next to it.
    const auto blur = [&](const cv::Range& range) {
      for (int band = range.start; band < range.end; band++) {
        const int first = source.rows * band / bands;
        const int last = source.rows * (band + 1) / bands;
        if (first == last) {
          continue;
        }
        const int top = std::max(first - 1, 0);
        const int bottom = std::min(last + 1, source.rows);
        cv::Mat& blurred = band_results[static_cast<std::size_t>(band)];
        cv::medianBlur(source.rowRange(top, bottom), blurred, 3);
        blurred.rowRange(first - top, last - top).copyTo(result.rowRange(first, last));
      }
    };
    cv::parallel_for_(cv::Range(0, bands), blur, bands);
    return {};
  }
};

int run(const tutorial::Options& options) {
  return tutorial::compare_median(
      options, true, [](const cl::Device& device, const tutorial::Picture& input) {
        // As many threads as the device has compute units, so as many as the kernel has cores.
        const int threads = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
        cv::setNumThreads(threads);
        std::vector<tutorial::MedianPeer> peers;
        for (const char* name : {"OpenCV", "OpenCV:bands"}) {
          OpenCvMedian median = {input, peers.empty() ? 1 : threads};
          median();
          peers.push_back(
              {{name, cl::NullRange, 0.0, median}, with_border_of(input, median.result)});
        }
        return peers;
      });
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
