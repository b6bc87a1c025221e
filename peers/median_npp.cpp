// The one-channel 8-bit median against NVIDIA's NPP on the same GPU, timed by the GPU: OpenCL's
// profiling events, CUDA's events.
#include <algorithm>

#include "common/launch.hpp"
#include "peers/median.hpp"
#include "peers/npp.hpp"

namespace {

const tutorial::ProgramInfo info = {
    .title = "The one-channel 8-bit median against NPP's nppiFilterMedian_8u_C1R",
    .kernel_file = KERNEL_FILE,
    .kernels = {{"median_gray_packed"}},
    .filtered = false,
    .salt_and_pepper = true,
    .against = false,
};

using tutorial::require;

/// NPP's median on the GPU that OpenCL knows as `device`. NPP knows no border: it computes the
/// interior, and the border is a copy of the input's.
class NppMedian {
 public:
  NppMedian(const cl::Device& device, const tutorial::Picture& input)
      : width_(input.width),
        height_(input.height),
        pitch_(tutorial::round_up(input.width, 512)),
        context_(tutorial::npp_context(tutorial::select_cuda_device(device))),
        source_(bytes()),
        result_(bytes()) {
    for (const tutorial::CudaMemory& buffer : {source_, result_}) {
      require(
          cudaMemcpy2D(
              buffer.get(), bytes(1), input.bytes.data(), row_bytes(), row_bytes(), rows(),
              cudaMemcpyHostToDevice),
          "cudaMemcpy2D");
    }
    Npp32u scratch_bytes = 0;
    require(
        nppiFilterMedianGetBufferSize_8u_C1R_Ctx(interior(), {3, 3}, &scratch_bytes, context_),
        "nppiFilterMedianGetBufferSize_8u_C1R_Ctx");
    scratch_ = tutorial::CudaMemory(std::max<std::size_t>(scratch_bytes, 1));
  }

  /// Runs it once; returns the milliseconds that the GPU took.
  double run() const {
    return timer_.time_ms([this] {
      require(
          nppiFilterMedian_8u_C1R_Ctx(
              static_cast<const Npp8u*>(source_.get()) + pitch_ + 1, pitch_,
              static_cast<Npp8u*>(result_.get()) + pitch_ + 1, pitch_, interior(), {3, 3}, {1, 1},
              static_cast<Npp8u*>(scratch_.get()), context_),
          "nppiFilterMedian_8u_C1R_Ctx");
    });
  }

  tutorial::Picture result(const tutorial::Picture& like) const {
    tutorial::Picture picture = like;
    require(
        cudaMemcpy2D(
            picture.bytes.data(), row_bytes(), result_.get(), bytes(1), row_bytes(), rows(),
            cudaMemcpyDeviceToHost),
        "cudaMemcpy2D");
    return picture;
  }

 private:
  NppiSize interior() const { return {width_ - 2, height_ - 2}; }
  std::size_t row_bytes() const { return static_cast<std::size_t>(width_); }
  std::size_t rows() const { return static_cast<std::size_t>(height_); }
  std::size_t bytes(std::size_t rows) const { return static_cast<std::size_t>(pitch_) * rows; }
  std::size_t bytes() const { return bytes(rows()); }

  int width_;
  int height_;
  int pitch_;                 // bytes
  NppStreamContext context_;  // before what belongs to CUDA's current device
  tutorial::CudaMemory source_;
  tutorial::CudaMemory result_;
  tutorial::CudaMemory scratch_;
  tutorial::CudaTimer timer_;
};

int run(const tutorial::Options& options) {
  return tutorial::compare_median(
      options, false, [](const cl::Device& device, const tutorial::Picture& input) {
        if (input.width < 3 || input.height < 3) {
          throw tutorial::Error("NPP's median needs a picture of at least 3 x 3");
        }
        const NppMedian npp(device, input);
        npp.run();
        return std::vector<tutorial::MedianPeer>{
            {{"NPP", cl::NullRange, 0.0, nullptr, [npp] { return npp.run(); }}, npp.result(input)}};
      });
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
