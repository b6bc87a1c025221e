// NVIDIA's NPP: nppiFilter_32f_C1R, and nppiFilterMedian_8u_C1R.
//
// NPP knows no border, so it computes the interior of the padded image; of the median the border is
// a copy of the input's.
//
// Its documentation asks for a filter's coefficients "in reverse order" and leaves open on which
// side of the anchor the longer half of an even filter lies. This anchor is right at all widths, as
// the checker sees.
#include <nppcore.h>
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

/// What NPP wants to know of the GPU; its work goes to the default stream.
NppStreamContext npp_context(const cl::Device& device) {
  const int number = cuda_device(device);
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

}  // namespace

Peer npp_peer(const cl::Device& device) {
  const NppStreamContext context = npp_context(device);
  const auto ways = [=](const Image& image, const Image& padded, const Filter& filter) {
    const std::size_t row_bytes = sizeof(float) * padded.width;
    const int pitch = round_up(image.width + 2 * margin, 128);  // floats
    const int pitch_bytes = sizeof(float) * pitch;
    const CudaMemory source(std::size_t(pitch_bytes) * (image.height + 2 * margin));
    const auto place = [=](int rows_and_columns) {
      return source.floats() + std::size_t(rows_and_columns) * (pitch + 1);
    };
    copy_rows(
        place(margin - (filter.width - 1) / 2), pitch_bytes, padded.pixels.data(), row_bytes,
        row_bytes, padded.height);

    const int result_pitch = round_up(image.width, 128);
    const int result_bytes = sizeof(float) * result_pitch;
    const CudaMemory target(std::size_t(result_bytes) * image.height);
    const CudaMemory taps(std::vector<float>(filter.taps.rbegin(), filter.taps.rend()));
    target.poison();

    const NppiSize size = {image.width, image.height};
    const NppiSize taps_size = {filter.width, filter.width};
    const NppiPoint anchor = {filter.width / 2, filter.width / 2};
    const auto run_ms = [=] {
      return cuda_time_ms([&] {
        require(nppiFilter_32f_C1R_Ctx(
            place(margin), pitch_bytes, target.floats(), result_bytes, size, taps.floats(),
            taps_size, anchor, context));
      });
    };
    const auto result = [=] { return target.image(size.width, size.height, result_pitch); };
    return std::vector{Way{run_ms, result}};
  };
  const NppLibraryVersion& version = *nppGetLibVersion();
  return {fmt::format("{}.{}.{}", version.major, version.minor, version.build), ways};
}

std::vector<MedianPeer> npp_medians(const cl::Device& device, const Picture& input) {
  if (input.width < 3 || input.height < 3) {
    throw Error("NPP's median needs a picture of at least 3 x 3");
  }
  const NppStreamContext context = npp_context(device);
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
    return cuda_time_ms([&] {
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
  return {{{"NPP", cl::NullRange, 0.0, nullptr, nullptr, run, "library"}, result}};
}

}  // namespace tutorial
