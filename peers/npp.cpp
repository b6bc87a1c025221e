// NVIDIA's NPP: nppiFilter_32f_C1R, and nppiFilterMedian_8u_C1R.
//
// NPP knows no border, so it computes the interior of the padded image; of the median the border is
// a copy of the input's.
//
// Its documentation asks for a filter's coefficients "in reverse order" and leaves open on which
// side of the anchor the longer half of an even filter lies. This anchor is right at all widths, as
// the checker sees.
#include <fmt/format.h>
#include <nppi_filtering_functions.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "common/launch.hpp"
#include "peers/cuda.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

// The image's own first pixel is so many rows and columns into the source. As floats they are 128
// bytes, which keeps the image's rows aligned.
constexpr int margin = max_filter_width;

using tutorial::require;

/// A positive status is a warning, and the result cannot be relied on either.
void require(NppStatus status, std::source_location where = std::source_location::current()) {
  require(status == NPP_SUCCESS, fmt::format("NPP status {}", static_cast<int>(status)), where);
}

/// What NPP wants to know of the GPU; its work goes to the default stream.
NppStreamContext npp_context(const cl::Device& device) {
  const int number = select_cuda_device(device);
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, number));
  NppStreamContext context{};
  context.hStream = nullptr;
  context.nCudaDeviceId = number;
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  return context;
}

std::size_t bytes(int width, int height) {
  return sizeof(float) * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

class Npp final : public Peer {
 public:
  explicit Npp(const cl::Device& device) : context_(npp_context(device)) {}

  void prepare(const Image& image, const Image& padded, const Filter& filter) override {
    width_ = image.width;
    height_ = image.height;
    filter_width_ = filter.width;
    const int left = (filter.width - 1) / 2;

    source_pitch_ = round_up(image.width + 2 * margin, 128);
    source_ = CudaMemory(bytes(source_pitch_, image.height + 2 * margin));
    copy_rows(
        source_.floats() + offset(margin - left), bytes(source_pitch_, 1), padded.pixels.data(),
        bytes(padded.width, 1), bytes(padded.width, 1), padded.height);

    result_pitch_ = round_up(image.width, 128);
    result_ = CudaMemory(bytes(result_pitch_, image.height));
    taps_ = CudaMemory(std::vector<float>(filter.taps.rbegin(), filter.taps.rend()));
    result_.poison();
  }

  double run() override {
    const int anchor = filter_width_ / 2;
    return timer_.time_ms([&] {
      require(nppiFilter_32f_C1R_Ctx(
          source_.floats() + offset(margin), static_cast<int>(bytes(source_pitch_, 1)),
          result_.floats(), static_cast<int>(bytes(result_pitch_, 1)), {width_, height_},
          taps_.floats(), {filter_width_, filter_width_}, {anchor, anchor}, context_));
    });
  }

  Image result() override {
    Image image(width_, height_);
    copy_rows(
        image.pixels.data(), bytes(width_, 1), result_.get(), bytes(result_pitch_, 1),
        bytes(width_, 1), height_);
    return image;
  }

 private:
  /// Floats in front of the pixel in column `place` of row `place` of the source.
  std::size_t offset(int place) const {
    return static_cast<std::size_t>(place) * static_cast<std::size_t>(source_pitch_ + 1);
  }

  NppStreamContext context_;  // before what belongs to CUDA's current device
  CudaTimer timer_;
  int width_ = 0;
  int height_ = 0;
  int filter_width_ = 0;
  int source_pitch_ = 0;  // floats
  int result_pitch_ = 0;  // floats
  CudaMemory source_;
  CudaMemory result_;
  CudaMemory taps_;
};

}  // namespace

std::unique_ptr<Peer> make_npp(const cl::Device& device) {
  return std::make_unique<Npp>(device);
}

std::vector<MedianPeer> npp_medians(const cl::Device& device, const Picture& input) {
  if (input.width < 3 || input.height < 3) {
    throw Error("NPP's median needs a picture of at least 3 x 3");
  }
  const NppStreamContext context = npp_context(device);
  const CudaTimer timer;
  const int pitch = round_up(input.width, 512);  // bytes
  const auto row_pitch = static_cast<std::size_t>(pitch);
  const CudaMemory source(row_pitch * static_cast<std::size_t>(input.height));
  const CudaMemory target(source.size_bytes());
  for (const CudaMemory& buffer : {source, target}) {
    copy_rows(
        buffer.get(), row_pitch, input.bytes.data(), input.row_bytes(), input.row_bytes(),
        input.height);
  }
  const NppiSize interior = {input.width - 2, input.height - 2};
  Npp32u scratch_bytes = 0;
  require(nppiFilterMedianGetBufferSize_8u_C1R_Ctx(interior, {3, 3}, &scratch_bytes, context));
  const CudaMemory scratch(std::max<std::size_t>(scratch_bytes, 1));

  const auto run = [=] {
    return timer.time_ms([&] {
      require(nppiFilterMedian_8u_C1R_Ctx(
          static_cast<const Npp8u*>(source.get()) + pitch + 1, pitch,
          static_cast<Npp8u*>(target.get()) + pitch + 1, pitch, interior, {3, 3}, {1, 1},
          static_cast<Npp8u*>(scratch.get()), context));
    });
  };
  run();
  Picture result = input;
  copy_rows(
      result.bytes.data(), result.row_bytes(), target.get(), row_pitch, result.row_bytes(),
      input.height);
  return {{{"NPP", cl::NullRange, 0.0, nullptr, run}, result}};
}

}  // namespace tutorial
