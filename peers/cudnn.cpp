// NVIDIA's cuDNN: cudnnConvolutionForward on one image of one channel.
//
// What neural networks call a convolution is what is computed here, a correlation; cuDNN pads with
// zeros only, so it gets the padded image and computes without padding. Its algorithms, but for
// one, are tried and timed, and the fastest one whose result is right counts. Tensor cores would
// round the inputs to TF32, 10 bits, and are switched off.
#include <cudnn.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "peers/cuda.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

// The explicit matrix product would need filter.width^2 times the image.
constexpr std::size_t most_workspace_bytes = std::size_t{4} << 30;
constexpr int trial_runs = 3;

// With one image of one channel it launches its kernels anew for each tile of 32 x 32 pixels, of
// which (33 - filter.width)^2 outputs are right. On an H200 that took 20 to 30 us for each tile:
// for 8192 x 8192 pixels five seconds or more at 17 x 17, where the others took 0.1 s, and minutes
// at 31 x 31.
constexpr cudnnConvolutionFwdAlgo_t left_out = CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING;

using tutorial::require;

void require(cudnnStatus_t status, std::source_location where = std::source_location::current()) {
  require(status == CUDNN_STATUS_SUCCESS, cudnnGetErrorString(status), where);
}

class Cudnn final : public Peer {
 public:
  explicit Cudnn(const cl::Device& device) : number_(select_cuda_device(device)) {
    require(cudnnCreate(&handle_));
    require(cudnnCreateTensorDescriptor(&input_format_));
    require(cudnnCreateTensorDescriptor(&output_format_));
    require(cudnnCreateFilterDescriptor(&filter_format_));
    require(cudnnCreateConvolutionDescriptor(&convolution_));
    require(cudnnSetConvolution2dDescriptor(
        convolution_, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    require(cudnnSetConvolutionMathType(convolution_, CUDNN_FMA_MATH));
  }
  ~Cudnn() override {
    cudnnDestroyConvolutionDescriptor(convolution_);
    cudnnDestroyFilterDescriptor(filter_format_);
    cudnnDestroyTensorDescriptor(output_format_);
    cudnnDestroyTensorDescriptor(input_format_);
    cudnnDestroy(handle_);
  }

  bool spreads_rounding() const override {
    const cudnnConvolutionFwdAlgo_t algorithm = ways_.front().algorithm;
    return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_FFT ||
           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD ||
           algorithm == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;
  }

  void prepare(const Image& image, const Image& padded, const Filter& filter) override {
    require(cudaSetDevice(number_));
    width_ = image.width;
    height_ = image.height;
    describe(input_format_, padded.width, padded.height);
    describe(output_format_, image.width, image.height);
    require(cudnnSetFilter4dDescriptor(
        filter_format_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, filter.width, filter.width));
    input_ = CudaMemory(padded.pixels);
    filter_ = CudaMemory(filter.taps);
    output_ = CudaMemory(image.size_bytes());
    find_ways();
    output_.poison();
  }

  bool next_way() override {
    ways_.erase(ways_.begin());
    output_.poison();
    return !ways_.empty();
  }

  double run() override {
    return timer_.time_ms([this] { require(forward(ways_.front())); });
  }

  Image result() override {
    Image image(width_, height_);
    require(
        cudaMemcpy(image.pixels.data(), output_.get(), image.size_bytes(), cudaMemcpyDeviceToHost));
    return image;
  }

 private:
  struct Way {
    cudnnConvolutionFwdAlgo_t algorithm;
    std::size_t workspace_bytes;
    double ms;
  };

  static void describe(cudnnTensorDescriptor_t format, int width, int height) {
    require(cudnnSetTensor4dDescriptor(
        format, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, height, width));
  }

  cudnnStatus_t forward(const Way& way) const {
    const float one = 1.0F;
    const float zero = 0.0F;
    return cudnnConvolutionForward(
        handle_, &one, input_format_, input_.get(), filter_format_, filter_.get(), convolution_,
        way.algorithm, workspace_.get(), way.workspace_bytes, &zero, output_format_, output_.get());
  }

  /// All algorithms but `left_out` that take this filter, the fastest first. What cuDNN cannot do
  /// it says either when it is asked for the workspace or when it is called; neither is a failure.
  void find_ways() {
    ways_.clear();
    for (int number = 0; number < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; number++) {
      Way way = {static_cast<cudnnConvolutionFwdAlgo_t>(number), 0, 0.0};
      if (way.algorithm == left_out ||
          cudnnGetConvolutionForwardWorkspaceSize(
              handle_, input_format_, filter_format_, convolution_, output_format_, way.algorithm,
              &way.workspace_bytes) != CUDNN_STATUS_SUCCESS ||
          way.workspace_bytes > most_workspace_bytes) {
        continue;
      }
      if (way.workspace_bytes > workspace_.size_bytes()) {
        try {
          workspace_ = CudaMemory();
          workspace_ = CudaMemory(way.workspace_bytes);
        } catch (const Error&) {
          continue;  // the GPU has not so much memory left
        }
      }
      cudnnStatus_t status = forward(way);
      for (int trial = 0; trial < trial_runs && status == CUDNN_STATUS_SUCCESS; trial++) {
        const double ms = timer_.time_ms([&] { status = forward(way); });
        way.ms = trial == 0 ? ms : std::min(way.ms, ms);
      }
      if (status == CUDNN_STATUS_SUCCESS) {
        ways_.push_back(way);
      }
    }
    if (ways_.empty()) {
      throw Error("none of cuDNN's algorithms takes this filter");
    }
    std::ranges::sort(ways_, {}, &Way::ms);
  }

  int number_;
  CudaTimer timer_;
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t input_format_ = nullptr;
  cudnnTensorDescriptor_t output_format_ = nullptr;
  cudnnFilterDescriptor_t filter_format_ = nullptr;
  cudnnConvolutionDescriptor_t convolution_ = nullptr;
  int width_ = 0;
  int height_ = 0;
  std::vector<Way> ways_;  // the present one first
  CudaMemory input_;
  CudaMemory filter_;
  CudaMemory output_;
  CudaMemory workspace_;
};

}  // namespace

std::unique_ptr<Peer> make_cudnn(const cl::Device& device) {
  return std::make_unique<Cudnn>(device);
}

}  // namespace tutorial
