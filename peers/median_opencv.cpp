// The one-channel 8-bit median against OpenCV's medianBlur: the same picture, the same machine, the
// same run, interleaved, all by the host's clock.
//
// OpenCV's 3 x 3 median is vectorised, but works on one core whatever its number of threads is. So
// it runs in two ways: as one call, and as one call for each band of rows, one band a thread.
#include <algorithm>
#include <cstring>
#include <opencv2/imgproc.hpp>

#include "common/device.hpp"
#include "common/program.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "median/device_picture.hpp"

namespace {

const tutorial::ProgramInfo info = {
    .title = "The one-channel 8-bit median against OpenCV's medianBlur",
    .kernel_file = KERNEL_FILE,
    .kernels = {{"median_gray_rows"}, {"median_gray_x16"}},
    .filtered = false,
    .salt_and_pepper = true,
    .against = false,
};

constexpr int filter_width = 3;

// As in median/main.cpp.
constexpr tutorial::MedianShape rows_shape{tutorial::PixelFormat::gray, 1, 8, 256};
constexpr tutorial::MedianShape x16_shape{tutorial::PixelFormat::gray, 16, 8, 64};

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

int run(const tutorial::Options& given) {
  tutorial::Options options = given;
  options.filter = "median";  // for the head of the CSV

  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const tutorial::RgbaImage image = tutorial::load_rgba_image(options);
  tutorial::Results results(options, device, tutorial::Image(image.width, image.height));
  const cl::Program program = tutorial::build_program(
      context, device, options.kernel_file, tutorial::median_build_options(device));
  tutorial::DevicePicture picture(context, device, queue, image, tutorial::PixelFormat::gray);
  tutorial::Picture input = picture.input();

  std::vector<tutorial::Variant> variants;
  for (const tutorial::KernelEntry& entry : options.kernels) {
    const std::string& label = entry.label;
    const std::string name = entry.name();
    const tutorial::MedianShape& shape = name == "median_gray_rows" ? rows_shape : x16_shape;
    cl::Kernel kernel(program, name.c_str());
    picture.set_arguments(kernel);
    const cl::NDRange local = shape.local(device, kernel);
    const cl::NDRange global = shape.global(input, local);
    const auto launch = [&queue, kernel, global, local] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
      return event;
    };
    const tutorial::Verdict verdict = picture.verify(launch);
    if (results.verify(label, filter_width, verdict)) {
      // No event is returned, so that the host's clock counts for both sides.
      const auto launch_and_wait = [launch] {
        launch().wait();
        return cl::Event();
      };
      variants.push_back({label, local, verdict.max_error, launch_and_wait});
    }
  }

  // As many threads as the device has compute units, so as many as the kernel has cores.
  const int threads = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  cv::setNumThreads(threads);
  const cv::Mat source(image.height, image.width, CV_8UC1, input.bytes.data());
  cv::Mat blurred(image.height, image.width, CV_8UC1);
  const auto blur = [&source, &blurred] {
    cv::medianBlur(source, blurred, filter_width);
    return cl::Event();
  };
  // A band is blurred with a row more above and below it, which are right in the bands next to it.
  std::vector<cv::Mat> band_results(static_cast<std::size_t>(threads));
  cv::Mat joined(image.height, image.width, CV_8UC1);
  const auto blur_bands = [&source, &band_results, &joined, threads] {
    const auto blur_band = [&](const cv::Range& bands) {
      for (int band = bands.start; band < bands.end; band++) {
        const int first = source.rows * band / threads;
        const int last = source.rows * (band + 1) / threads;
        if (first == last) {
          continue;
        }
        const int top = std::max(first - 1, 0);
        const int bottom = std::min(last + 1, source.rows);
        cv::Mat& result = band_results[static_cast<std::size_t>(band)];
        cv::medianBlur(source.rowRange(top, bottom), result, filter_width);
        result.rowRange(first - top, last - top).copyTo(joined.rowRange(first, last));
      }
    };
    cv::parallel_for_(cv::Range(0, threads), blur_band, threads);
    return cl::Event();
  };
  blur();
  blur_bands();
  const auto add_peer = [&](const std::string& label, const cv::Mat& result, const auto& launch) {
    const tutorial::Verdict verdict =
        tutorial::check_median(input, picture.reference(), with_border_of(input, result));
    if (results.verify(label, filter_width, verdict)) {
      variants.push_back({label, cl::NullRange, verdict.max_error, launch});
    }
  };
  add_peer("OpenCV", blurred, blur);
  add_peer("OpenCV:bands", joined, blur_bands);

  if (!options.verify_only) {
    results.add(filter_width, tutorial::measure(variants, options.time_budget_s));
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
