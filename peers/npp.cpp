// NVIDIA's NPP: nppiFilter_32f_C1R; for bytes nppiFilter32f_8u_C1R, with taps in floats, and
// nppiFilter_8u_C1R, with integers and a divisor.
//
// NPP knows no border, so it computes the interior of the padded image.
//
// Its documentation asks for a filter's coefficients "in reverse order" and leaves open on which
// side of the anchor the longer half of an even filter lies. This anchor is right at all widths, as
// the checker sees.
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nppcore.h>
#include <nppi_filtering_functions.h>

#include <memory>
#include <source_location>
#include <type_traits>

#include "common/error.hpp"
#include "common/program.hpp"
#include "peers/peer.hpp"
#include "step11_bytes/taps.hpp"

namespace tutorial {
namespace {

/// Throws `Error` with the line of the source if a call of CUDA, or NPP, failed: in
/// both 0 is success. CUDA's own statuses have a text.
template <typename Status>
void require(Status status, std::source_location where = std::source_location::current()) {
  if (status != Status{}) {
    std::string text = fmt::format("status {}", static_cast<int>(status));
    if constexpr (std::is_same_v<Status, cudaError_t>) {
      text = cudaGetErrorString(status);
    }
    throw Error(fmt::format("{}:{}: {}", where.file_name(), where.line(), text));
  }
}

/// CUDA's number of the GPU that OpenCL knows as `device`. Throws `Error` if it is not NVIDIA's, or
/// CUDA shows several: the environment's CUDA_VISIBLE_DEVICES, which OpenCL reads too, names one.
int cuda_device(const cl::Device& device) {
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  tutorial::require(
      extensions.find("cl_nv_device_attribute_query") != std::string::npos,
      "{} is not a GPU of NVIDIA's", device_name(device));
  int count = 0;
  require(cudaGetDeviceCount(&count));
  tutorial::require(count == 1, "CUDA shows {} GPUs: let CUDA_VISIBLE_DEVICES name one", count);
  return 0;
}

/// Copies `height` rows of `row_bytes`, to or from the GPU; a pitch is the bytes from row to row.
void copy_rows(
    void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t row_bytes,
    int height) {
  const auto rows = static_cast<std::size_t>(height);
  require(cudaMemcpy2D(to, to_pitch, from, from_pitch, row_bytes, rows, cudaMemcpyDefault));
}

/// Memory on CUDA's current device; copies share it.
class CudaMemory {
 public:
  CudaMemory() = default;
  /// Throws `Error` if there is not so much memory.
  explicit CudaMemory(std::size_t bytes) : bytes_(bytes) {
    void* address = nullptr;
    const cudaError_t status = cudaMalloc(&address, bytes);
    cudaGetLastError();  // or a later call would report a failure again
    require(status);
    address_ = {address, cudaFree};
  }
  /// Uploads `values`.
  template <typename Number>
  explicit CudaMemory(const std::vector<Number>& values)
      : CudaMemory(sizeof(Number) * values.size()) {
    copy_rows(get(), bytes_, values.data(), bytes_, bytes_, 1);
  }

  void* get() const { return address_.get(); }

  /// Floats become NaN.
  void poison() const { require(cudaMemset(get(), 0xFF, bytes_)); }

 private:
  std::size_t bytes_ = 0;
  std::shared_ptr<void> address_;
};

/// Milliseconds that the GPU takes, by CUDA's events, for what `enqueue` hands to CUDA's default
/// stream; returns after its end. Throws `Error` if that fails.
double cuda_time_ms(const std::function<void()>& enqueue) {
  static cudaEvent_t begin = nullptr;
  static cudaEvent_t end = nullptr;
  if (end == nullptr) {
    require(cudaEventCreate(&begin));
    require(cudaEventCreate(&end));
  }
  require(cudaEventRecord(begin));
  enqueue();
  require(cudaEventRecord(end));
  require(cudaEventSynchronize(end));
  float ms = 0.0F;
  require(cudaEventElapsedTime(&ms, begin, end));
  return ms;
}

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

}  // namespace tutorial
