// Our own kernels as CUDA: the text of a kernel file, in which six macros and one replacement
// translate OpenCL's words, compiled by NVRTC while the program runs.
#include "peers/cuda.hpp"

#include <nvrtc.h>

#include <cmath>
#include <numeric>
#include <regex>

#include "common/lab/work.hpp"

namespace tutorial {
namespace {

constexpr const char* opencl_words = R"(
#define __kernel extern "C" __global__
#define __global
#define __constant const
#define restrict __restrict__
#define get_global_id(d) \
  int(d == 0 ? blockIdx.x * blockDim.x + threadIdx.x : blockIdx.y * blockDim.y + threadIdx.y)
#define get_global_size(d) int(d == 0 ? gridDim.x * blockDim.x : gridDim.y * blockDim.y)
)";

/// A kernel of a file, built as CUDA, as long as the program runs. `options` are NVRTC's.
cudaKernel_t build(
    const std::string& file, const std::string& kernel, const std::vector<std::string>& options) {
  const std::regex vector_literal(R"(\(float4\)\()");
  const std::string text =
      opencl_words + std::regex_replace(read_text(file), vector_literal, "make_float4(");
  std::vector<const char*> words;
  std::ranges::transform(options, std::back_inserter(words), &std::string::c_str);
  nvrtcProgram program = nullptr;
  cuda::require(nvrtcCreateProgram(&program, text.c_str(), file.c_str(), 0, nullptr, nullptr));
  cuda::require(nvrtcCompileProgram(program, int(words.size()), words.data()));
  std::size_t size = 0;
  cuda::require(nvrtcGetCUBINSize(program, &size));
  std::string binary(size, ' ');
  cuda::require(nvrtcGetCUBIN(program, binary.data()));
  cuda::require(nvrtcDestroyProgram(&program));

  cudaLibrary_t library = nullptr;
  cudaKernel_t function = nullptr;
  cuda::require(
      cudaLibraryLoadData(&library, binary.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cuda::require(cudaLibraryGetKernel(&function, library, kernel.c_str()));
  return function;
}

/// `Convolve_Block` as step 7 launches it; or `Convolve`, for which OpenCL chooses the work-group,
/// in groups of 32 x 8 where they divide the image.
template <bool block>
std::vector<Way> ways(const Problem& problem) {
  const auto& [task, context, device, image, padded, filter] = problem;
  const cudaDeviceProp gpu = cuda::properties(device);
  const cudaKernel_t kernel = build(
      block ? FOLDER "step7_register_block/block.cl" : FOLDER "step1_naive/convolution.cl",
      block ? "Convolve_Block" : "Convolve",
      {fmt::format("-arch=sm_{}{}", gpu.major, gpu.minor), "-default-device",
       fmt::format("-DFILTER_WIDTH={}", filter.width), "-DBLOCK_WIDTH=4", "-DBLOCK_HEIGHT=4"});
  const Image input = with_room(padded);
  const auto pixels = cuda::upload(input.pixels), taps = cuda::upload(filter.taps);
  const auto output = cuda::upload(std::vector<float>(image.pixels.size(), NAN));
  const auto run_ms = [=, pitch = input.width, size = filter.width, width = image.width,
                       height = image.height]() mutable {
    const Extent outputs = block ? Extent{4, 4} : Extent{1, 1};  // of a thread
    const dim3 group = block ? dim3(32, 4) : dim3(std::gcd(width, 32), std::gcd(height, 8));
    const dim3 groups(
        ceil_div(width, outputs.width * int(group.x)),
        ceil_div(height, outputs.height * int(group.y)));
    float* buffers[] = {pixels.get(), taps.get(), output.get()};
    void* arguments[] = {&buffers[0], &buffers[1], &buffers[2], &pitch, &size, &width, &height};
    return cuda::time_ms(
        [&] { return cudaLaunchKernel(kernel, groups, group, arguments, 0, nullptr); });
  };
  const auto result = [=, result = image]() mutable {
    cuda::download(output, result.pixels);
    return result;
  };
  return {{run_ms, result}};
}

std::string version() {
  int major = 0, minor = 0;
  cuda::require(nvrtcVersion(&major, &minor));
  return fmt::format("{}.{}", major, minor);
}

[[maybe_unused]] const bool added =
    add_library({"CUDA:Convolve", Library::Place::device, version, ways<false>}) &&
    add_library({"CUDA:Convolve_Block", Library::Place::device, version, ways<true>});

}  // namespace
}  // namespace tutorial
