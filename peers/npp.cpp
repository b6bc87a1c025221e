// NVIDIA's NPP: nppiFilter_32f_C1R; for bytes nppiFilter32f_8u_C1R, with taps in floats, and
// nppiFilter_8u_C1R, with integers and a divisor; and nppiFilterMedian_8u_C1R.
//
// NPP knows no border, so it computes the interior of the padded image; of the median the border is
// a copy of the input's.
//
// Its documentation asks for a filter's coefficients "in reverse order" and leaves open on which
// side of the anchor the longer half of an even filter lies. This anchor is right at all widths, as
// the checker sees.
#include <nppcore.h>
#include <nppi_filtering_functions.h>

#include "common/program.hpp"
#include "peers/cuda.hpp"
#include "peers/peer.hpp"
#include "step11_bytes/taps.hpp"

namespace tutorial {
namespace {

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

/// Filters by `nppi`, a function for pixels and taps of these types, which gets all but the last of
/// its arguments. `reversed` are the taps in NPP's order.
template <typename Pixel, typename Tap>
Way way(
    const Image& image, const Image& padded, int width, const std::vector<Tap>& reversed,
    auto nppi) {
  constexpr bool bytes = sizeof(Pixel) == 1;
  constexpr float white = bytes ? 255.0F : 1.0F;
  // The image's own first pixel is so many rows and columns into the source, which keeps the
  // image's rows aligned.
  constexpr int margin = 128 / sizeof(Pixel);
  static_assert(margin >= max_filter_width);
  std::vector<Pixel> pixels(padded.pixels.size());
  std::ranges::transform(padded.pixels, pixels.begin(), [](float pixel) {
    return static_cast<Pixel>(pixel * white + (bytes ? 0.5F : 0.0F));
  });

  const int pitch = round_up(image.width + 2 * margin, 128);  // pixels
  const int pitch_bytes = sizeof(Pixel) * pitch;
  const CudaMemory source(std::size_t(pitch_bytes) * (image.height + 2 * margin));
  const auto place = [=](int rows_and_columns) {
    return static_cast<Pixel*>(source.get()) + std::size_t(rows_and_columns) * (pitch + 1);
  };
  const std::size_t row_bytes = sizeof(Pixel) * padded.width;
  copy_rows(
      place(margin - (width - 1) / 2), pitch_bytes, pixels.data(), row_bytes, row_bytes,
      padded.height);

  const int result_bytes = sizeof(Pixel) * round_up(image.width, 128);
  const CudaMemory target(std::size_t(result_bytes) * image.height);
  const CudaMemory taps(reversed);
  target.poison();

  const NppiSize size = {image.width, image.height};
  const NppiSize taps_size = {width, width};
  const NppiPoint anchor = {width / 2, width / 2};
  const auto run_ms = [=] {
    return cuda_time_ms([&] {
      require(nppi(
          place(margin), pitch_bytes, static_cast<Pixel*>(target.get()), result_bytes, size,
          static_cast<const Tap*>(taps.get()), taps_size, anchor));
    });
  };
  const auto result = [=] {
    Image image(size.width, size.height);
    std::vector<Pixel> pixels(image.pixels.size());
    const std::size_t row_bytes = sizeof(Pixel) * image.width;
    copy_rows(pixels.data(), row_bytes, target.get(), result_bytes, row_bytes, image.height);
    std::ranges::transform(pixels, image.pixels.begin(), [](Pixel pixel) { return pixel / white; });
    return image;
  };
  return {run_ms, result, 0, bytes};
}

Peer npp_peer(const cl::Context&, const cl::Device& device, bool bytes) {
  const NppStreamContext context = npp_context(device);
  const auto ways = [=](const Image& image, const Image& padded, const Filter& filter) {
    const std::vector<Npp32f> floats(filter.taps.rbegin(), filter.taps.rend());
    if (!bytes) {
      return std::vector{way<Npp32f>(image, padded, filter.width, floats, [=](auto... arguments) {
        return nppiFilter_32f_C1R_Ctx(arguments..., context);
      })};
    }
    const FixedFilter fixed = to_fixed_point(filter);
    const std::vector<Npp32s> integers(fixed.taps.rbegin(), fixed.taps.rend());
    return fastest_first(
        {way<Npp8u>(
             image, padded, filter.width, floats,
             [=](auto... arguments) { return nppiFilter32f_8u_C1R_Ctx(arguments..., context); }),
         way<Npp8u>(image, padded, filter.width, integers, [=](auto... arguments) {
           return nppiFilter_8u_C1R_Ctx(arguments..., 1 << fixed.shift, context);
         })});
  };
  const NppLibraryVersion& version = *nppGetLibVersion();
  return {fmt::format("{}.{}.{}", version.major, version.minor, version.build), ways};
}

[[maybe_unused]] const bool added = add_library({"NPP", Library::Place::cuda, npp_peer});

}  // namespace

std::vector<MedianPeer> npp_medians(const cl::Device& device, const Picture& input) {
  require(input.width >= 3 && input.height >= 3, "NPP's median needs a picture of at least 3 x 3");
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
