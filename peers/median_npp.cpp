// The one-channel 8-bit median against NVIDIA's NPP: the same picture, the same GPU, the same run,
// interleaved. Both are timed by the GPU: OpenCL's profiling events, CUDA's events.
#include <nppi_filtering_functions.h>

#include <algorithm>
#include <cstring>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/program.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "median/device_picture.hpp"
#include "peers/cuda.hpp"
#include "peers/npp_context.hpp"

namespace {

const tutorial::ProgramInfo info = {
    .title = "The one-channel 8-bit median against NPP's nppiFilterMedian_8u_C1R",
    .kernel_file = KERNEL_FILE,
    .kernels = {{"median_gray_packed"}},
    .filtered = false,
    .salt_and_pepper = true,
    .against = false,
};

constexpr int filter_width = 3;
constexpr int rounds = 201;
constexpr int warm_up_rounds = 20;

// As in median/main.cpp.
constexpr tutorial::MedianShape packed_shape{tutorial::PixelFormat::gray, 16, 8, 64};

using tutorial::require;

/// NPP's median on the GPU that OpenCL knows as `device`. NPP knows no border: it computes the
/// interior, and the border is a copy of the input's.
class NppMedian {
 public:
  NppMedian(const cl::Device& device, const tutorial::Picture& input)
      : width_(static_cast<std::size_t>(input.width)),
        height_(static_cast<std::size_t>(input.height)),
        context_(tutorial::npp_context(tutorial::select_cuda_device(device))) {
    require(cudaMallocPitch(&source_, &source_pitch_, width_, height_), "cudaMallocPitch");
    require(cudaMallocPitch(&result_, &result_pitch_, width_, height_), "cudaMallocPitch");
    for (const auto& [buffer, pitch] :
         {std::pair{source_, source_pitch_}, {result_, result_pitch_}}) {
      require(
          cudaMemcpy2D(
              buffer, pitch, input.bytes.data(), width_, width_, height_, cudaMemcpyHostToDevice),
          "cudaMemcpy2D");
    }

    Npp32u scratch_bytes = 0;
    require(
        nppiFilterMedianGetBufferSize_8u_C1R_Ctx(interior(), {3, 3}, &scratch_bytes, context_),
        "nppiFilterMedianGetBufferSize_8u_C1R_Ctx");
    require(cudaMalloc(&scratch_, std::max<std::size_t>(scratch_bytes, 1)), "cudaMalloc");
  }
  NppMedian(const NppMedian&) = delete;
  NppMedian& operator=(const NppMedian&) = delete;
  ~NppMedian() {
    cudaFree(source_);
    cudaFree(result_);
    cudaFree(scratch_);
  }

  /// Runs it once; returns the milliseconds that the GPU took.
  double run() const {
    return timer_.time_ms([this] {
      require(
          nppiFilterMedian_8u_C1R_Ctx(
              static_cast<const Npp8u*>(source_) + source_pitch_ + 1,
              static_cast<int>(source_pitch_), static_cast<Npp8u*>(result_) + result_pitch_ + 1,
              static_cast<int>(result_pitch_), interior(), {3, 3}, {1, 1},
              static_cast<Npp8u*>(scratch_), context_),
          "nppiFilterMedian_8u_C1R_Ctx");
    });
  }

  tutorial::Picture result(const tutorial::Picture& like) const {
    tutorial::Picture picture = like;
    require(
        cudaMemcpy2D(
            picture.bytes.data(), width_, result_, result_pitch_, width_, height_,
            cudaMemcpyDeviceToHost),
        "cudaMemcpy2D");
    return picture;
  }

 private:
  NppiSize interior() const {
    return {static_cast<int>(width_) - 2, static_cast<int>(height_) - 2};
  }

  std::size_t width_;
  std::size_t height_;
  void* source_ = nullptr;
  void* result_ = nullptr;
  void* scratch_ = nullptr;
  std::size_t source_pitch_ = 0;
  std::size_t result_pitch_ = 0;
  NppStreamContext context_;  // before the timer, whose events belong to CUDA's current device
  tutorial::CudaTimer timer_;
};

double event_ms(const cl::Event& event) {
  event.wait();
  return 1e-6 * static_cast<double>(
                    event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                    event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
}

int run(const tutorial::Options& given) {
  tutorial::Options options = given;
  options.filter = "median";  // for the head of the CSV

  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const tutorial::RgbaImage image = tutorial::load_rgba_image(options);
  if (image.width < 3 || image.height < 3) {
    throw tutorial::Error("NPP's median needs a picture of at least 3 x 3");
  }
  tutorial::Results results(options, device, tutorial::Image(image.width, image.height));
  const cl::Program program = tutorial::build_program(
      context, device, options.kernel_file, tutorial::median_build_options(device));
  tutorial::DevicePicture picture(context, device, queue, image, tutorial::PixelFormat::gray);
  const tutorial::Picture& input = picture.input();

  cl::Kernel kernel(program, options.kernels.front().name().c_str());
  picture.set_arguments(kernel);
  const cl::NDRange local = packed_shape.local(device, kernel);
  const cl::NDRange global = packed_shape.global(input, local);
  const auto launch = [&queue, &kernel, &global, &local] {
    cl::Event event;
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
    return event;
  };

  const NppMedian npp(device, input);
  npp.run();
  const std::string& label = options.kernels.front().label;
  const bool kernel_right = results.verify(label, filter_width, picture.verify(launch));
  const bool npp_right = results.verify(
      "NPP", filter_width, tutorial::check_median(input, picture.reference(), npp.result(input)));
  if (kernel_right && npp_right && !options.verify_only) {
    std::vector<double> kernel_ms;
    std::vector<double> npp_ms;
    for (int round = -warm_up_rounds; round < rounds; round++) {
      const double kernel_time = event_ms(launch());
      const double npp_time = npp.run();
      if (round >= 0) {
        kernel_ms.push_back(kernel_time);
        npp_ms.push_back(npp_time);
      }
    }
    results.add(
        filter_width, {{label, local, 0.0, tutorial::summarize(kernel_ms), false},
                       {"NPP", cl::NullRange, 0.0, tutorial::summarize(npp_ms), false}});
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
