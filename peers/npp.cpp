// NVIDIA's NPP: nppiFilter_32f_C1R; for bytes nppiFilter32f_8u_C1R, with taps in floats, and
// nppiFilter_8u_C1R, with integers and a divisor; for a column times a row nppiFilterColumn and
// nppiFilterRow, and for a Gaussian nppiFilterGaussAdvancedBorder.
//
// Only the last one knows a border, so all others compute the interior of the padded image.
//
// NPP's documentation asks for a filter's coefficients "in reverse order" and leaves open on which
// side of the anchor the longer half of an even filter lies. This anchor is right at all widths, as
// the checker sees.
#include <nppcore.h>
#include <nppi_filtering_functions.h>

#include <cmath>
#include <limits>

#include "peers/cuda.hpp"
#include "step11_bytes/taps.hpp"
#include "studies/two_passes/launch.hpp"

namespace tutorial {
namespace {

/// What NPP wants to know of the GPU; its work goes to the default stream.
NppStreamContext npp_context(const cl::Device& device) {
  const cudaDeviceProp properties = cuda::properties(device);
  NppStreamContext context{};
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  return context;
}

/// As wide a border as keeps the rows of the image itself aligned.
constexpr int frame = 128;

template <typename Number>
std::shared_ptr<Number> reversed(const std::vector<Number>& taps) {
  return cuda::upload(std::vector<Number>(taps.rbegin(), taps.rend()));
}

/// Filters by `nppi`, which gets pointers to the image's own first pixel, in the source and in the
/// target, and the bytes from row to row of both; both have a frame around them.
template <typename Pixel>
Way way(const Image& image, auto nppi) {
  constexpr bool bytes = sizeof(Pixel) == 1;
  constexpr float white = bytes ? 255.0F : 1.0F;
  const Image framed = repeat_border(image, 2 * frame + 1);
  std::vector<Pixel> pixels(framed.pixels.size());
  std::ranges::transform(framed.pixels, pixels.begin(), [](float pixel) {
    return static_cast<Pixel>(pixel * white + (bytes ? 0.5F : 0.0F));
  });
  const auto source = cuda::upload(pixels);
  std::ranges::fill(pixels, std::numeric_limits<Pixel>::quiet_NaN());  // of bytes 0
  const auto target = cuda::upload(pixels);
  const std::size_t first = framed.index(frame, frame), pitch = framed.width;
  const auto run_ms = [=] {
    return cuda::time_ms([&] {
      return nppi(source.get() + first, target.get() + first, int(sizeof(Pixel) * pitch));
    });
  };
  const auto result = [=, result = image]() mutable {
    cuda::download(target, pixels);
    for (int i = 0; i < int(result.pixels.size()); i++) {
      const auto place = first + i / result.width * pitch + i % result.width;
      result.pixels[i] = pixels[place] / white;
    }
    return result;
  };
  return {run_ms, result, 0, bytes};
}

/// By a function for filters of width x width taps.
template <typename Pixel, typename Tap>
Way square_way(const Problem& problem, const std::vector<Tap>& taps, auto nppi) {
  const NppiSize size = {problem.image.width, problem.image.height};
  const int width = problem.filter.width;
  return way<Pixel>(
      problem.image, [=, taps = reversed(taps)](const Pixel* source, Pixel* target, int step) {
        return nppi(
            source, step, target, step, size, taps.get(), NppiSize{width, width},
            NppiPoint{width / 2, width / 2});
      });
}

/// In two calls; and, for a column that is the row's multiple, in one.
std::vector<Way> separable_ways(const Problem& problem, const NppStreamContext& context) {
  const auto factors = two_passes::factorize(problem.filter);
  std::vector<float> gauss;
  std::ranges::transform(
      factors.column, factors.row, std::back_inserter(gauss),
      [](float a, float b) { return std::sqrt(a * b); });
  const NppiSize size = {problem.image.width, problem.image.height};
  const int width = problem.filter.width, above = (width - 1) / 2;
  const NppiSize high = {size.width, size.height + width - 1};
  const auto between = cuda::upload(std::vector<float>(std::size_t(high.width) * high.height));
  const auto two_calls = [=, column = reversed(factors.column), row = reversed(factors.row)](
                             const float* source, float* target, int step) {
    const float* top = source - above * (step / sizeof(float));
    const int between_step = sizeof(float) * size.width;
    cuda::require(nppiFilterRow_32f_C1R_Ctx(
        top, step, between.get(), between_step, high, row.get(), width, width / 2, context));
    return nppiFilterColumn_32f_C1R_Ctx(
        between.get() + above * size.width, between_step, target, step, size, column.get(), width,
        width / 2, context);
  };
  const auto one_call = [=, taps = cuda::upload(gauss)](
                            const float* source, float* target, int step) {
    return nppiFilterGaussAdvancedBorder_32f_C1R_Ctx(
        source, step, size, {0, 0}, target, step, size, width, taps.get(), NPP_BORDER_REPLICATE,
        context);
  };
  return {way<float>(problem.image, two_calls), way<float>(problem.image, one_call)};
}

std::vector<Way> ways(const Problem& problem) {
  const NppStreamContext context = npp_context(problem.device);
  const Filter& filter = problem.filter;
  if (problem.task == Task::separable) {
    return separable_ways(problem, context);
  }
  if (problem.task == Task::floats) {
    return {square_way<float>(problem, filter.taps, [=](auto... arguments) {
      return nppiFilter_32f_C1R_Ctx(arguments..., context);
    })};
  }
  const FixedFilter fixed = to_fixed_point(filter);
  const std::vector<Npp32s> integers(fixed.taps.begin(), fixed.taps.end());
  return {
      square_way<Npp8u>(
          problem, filter.taps,
          [=](auto... arguments) { return nppiFilter32f_8u_C1R_Ctx(arguments..., context); }),
      square_way<Npp8u>(problem, integers, [=](auto... arguments) {
        return nppiFilter_8u_C1R_Ctx(arguments..., 1 << fixed.shift, context);
      })};
}

std::string version() {
  const NppLibraryVersion& version = *nppGetLibVersion();
  return fmt::format("{}.{}.{}", version.major, version.minor, version.build);
}

[[maybe_unused]] const bool added = add_library({"NPP", Library::Place::device, version, ways});

}  // namespace
}  // namespace tutorial
