// NVIDIA's cuDNN: cudnnConvolutionForward on one image of one channel.
//
// What neural networks call a convolution is what is computed here, a correlation; cuDNN pads with
// zeros only, so it gets the padded image and computes without padding. Its algorithms, but for
// one, are tried and timed, and the fastest one whose result is right counts. Tensor cores would
// round the inputs to TF32, 10 bits, and are switched off.
#include <cudnn.h>

#include "peers/cuda.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

// The explicit matrix product would need filter.width^2 times the image.
constexpr std::size_t most_workspace_bytes = std::size_t{4} << 30;

// With one image of one channel it launches its kernels anew for each tile of 32 x 32 pixels, of
// which (33 - filter.width)^2 outputs are right. On an H200 that took 20 to 30 us for each tile:
// for 8192 x 8192 pixels five seconds or more at 17 x 17, where the others took 0.1 s, and minutes
// at 31 x 31.
constexpr cudnnConvolutionFwdAlgo_t left_out = CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING;

/// A descriptor or a handle of cuDNN, which `destroy` frees.
template <typename Pointer>
auto make(cudnnStatus_t (*create)(Pointer*), cudnnStatus_t (*destroy)(Pointer)) {
  Pointer created = nullptr;
  require(create(&created));
  return std::shared_ptr<std::remove_pointer_t<Pointer>>(created, destroy);
}

bool transforms(cudnnConvolutionFwdAlgo_t algorithm) {
  return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_FFT ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;
}

auto image_format(int width, int height) {
  auto format = make(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor);
  require(cudnnSetTensor4dDescriptor(
      format.get(), CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, height, width));
  return format;
}

Peer cudnn_peer(const cl::Context&, const cl::Device& device, bool) {
  cuda_device(device);
  const auto handle = make(cudnnCreate, cudnnDestroy);
  const auto convolution =
      make(cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor);
  require(cudnnSetConvolution2dDescriptor(
      convolution.get(), 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
  require(cudnnSetConvolutionMathType(convolution.get(), CUDNN_FMA_MATH));

  const auto ways = [=](const Image& image, const Image& padded, const Filter& filter) {
    const auto input_format = image_format(padded.width, padded.height);
    const auto output_format = image_format(image.width, image.height);
    const auto filter_format = make(cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor);
    require(cudnnSetFilter4dDescriptor(
        filter_format.get(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, filter.width,
        filter.width));
    const CudaMemory input(padded.pixels);
    const CudaMemory taps(filter.taps);
    const CudaMemory output(image.size_bytes());
    const auto workspace = std::make_shared<CudaMemory>();  // large enough for all algorithms

    // All algorithms but `left_out` that take this filter. What cuDNN cannot do it says either when
    // it is asked for the workspace or when it is called; neither is a failure.
    std::vector<Way> ways;
    for (int number = 0; number < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; number++) {
      const auto algorithm = static_cast<cudnnConvolutionFwdAlgo_t>(number);
      std::size_t bytes = 0;
      if (algorithm == left_out ||
          cudnnGetConvolutionForwardWorkspaceSize(
              handle.get(), input_format.get(), filter_format.get(), convolution.get(),
              output_format.get(), algorithm, &bytes) != CUDNN_STATUS_SUCCESS ||
          bytes > most_workspace_bytes) {
        continue;
      }
      const auto run_ms = [=] {
        const float one = 1.0F;
        const float zero = 0.0F;
        return cuda_time_ms([&] {
          require(cudnnConvolutionForward(
              handle.get(), &one, input_format.get(), input.get(), filter_format.get(), taps.get(),
              convolution.get(), algorithm, workspace->get(), bytes, &zero, output_format.get(),
              output.get()));
        });
      };
      try {
        if (bytes > workspace->size_bytes()) {
          *workspace = CudaMemory();
          *workspace = CudaMemory(bytes);
        }
        run_ms();
      } catch (const Error&) {  // or the GPU has not so much memory left
        continue;
      }
      const int tile = transforms(algorithm) ? 512 : 0;
      ways.push_back({run_ms, output.reader(image.width, image.height), tile});
    }
    require(!ways.empty(), "none of cuDNN's algorithms takes this filter");
    ways = fastest_first(ways);
    output.poison();
    return ways;
  };
  const std::size_t version = cudnnGetVersion();
  return {fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100), ways};
}

[[maybe_unused]] const bool added = add_library({"cuDNN", Library::Place::cuda, cudnn_peer});

}  // namespace
}  // namespace tutorial
