// NVIDIA's cuFFT in overlapping tiles of 512 x 512: gather, transform, multiply by the filter's
// spectrum, transform back, scatter (overlap-save). Plans and spectrum are made beforehand.
//
// cuFFT has only the transforms. The three small kernels around them are compiled by NVRTC when
// the peer is opened, so that no part of the tutorial needs CUDA's compiler.
#include <cufft.h>
#include <nvrtc.h>

#include "peers/cuda.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

constexpr int tile = 512;
constexpr int numbers = tile * (tile / 2 + 1);  // of a tile's spectrum
constexpr int group = 256;

// blockIdx.y is a tile's row, blockIdx.z the tile. multiply() takes the conjugate of the filter's
// spectrum, because what is computed is a correlation.
constexpr const char* source = R"(
extern "C" __global__ void gather(
    const float* image, float* tiles, int width, int height, int step, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  const int from_x = blockIdx.z % columns * step + x;
  const int from_y = blockIdx.z / columns * step + y;
  tiles[(blockIdx.z * TILE + y) * TILE + x] =
      from_x < width && from_y < height ? image[(size_t)from_y * width + from_x] : 0.0f;
}

extern "C" __global__ void multiply(float2* tiles, const float2* spectrum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 a = tiles[blockIdx.z * NUMBERS + i];
  const float2 b = spectrum[i];
  tiles[blockIdx.z * NUMBERS + i] =
      make_float2(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y);
}

extern "C" __global__ void scatter(
    const float* tiles, float* output, int width, int height, int step, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  const int to_x = blockIdx.z % columns * step + x;
  const int to_y = blockIdx.z / columns * step + y;
  if (x < step && y < step && to_x < width && to_y < height) {
    output[(size_t)to_y * width + to_x] = tiles[(blockIdx.z * TILE + y) * TILE + x];
  }
}
)";

cudaLibrary_t compile(int device) {
  int major = 0;
  int minor = 0;
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  const std::string architecture = fmt::format("--gpu-architecture=sm_{}{}", major, minor);
  const std::string sizes[] = {
      fmt::format("-DTILE={}", tile), fmt::format("-DNUMBERS={}", numbers)};
  const char* const options[] = {architecture.c_str(), sizes[0].c_str(), sizes[1].c_str()};
  nvrtcProgram program = nullptr;
  require(nvrtcCreateProgram(&program, source, "cufft.cu", 0, nullptr, nullptr));
  require(nvrtcCompileProgram(program, 3, options));
  std::size_t bytes = 0;
  require(nvrtcGetCUBINSize(program, &bytes));
  std::vector<char> binary(bytes);
  require(nvrtcGetCUBIN(program, binary.data()));
  cudaLibrary_t kernels = nullptr;
  require(cudaLibraryLoadData(&kernels, binary.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  return kernels;
}

/// Launches `columns` x `rows` work-items for each of `tiles` tiles.
template <typename... Arguments>
void launch(
    cudaLibrary_t kernels, const char* name, int columns, int rows, int tiles,
    Arguments... arguments) {
  cudaKernel_t kernel = nullptr;
  require(cudaLibraryGetKernel(&kernel, kernels, name));
  void* addresses[] = {&arguments...};
  require(cudaLaunchKernel(
      kernel, dim3(columns / group, rows, tiles), dim3(group), addresses, 0, nullptr));
}

/// A plan for `tiles` tiles, one behind the other.
std::shared_ptr<cufftHandle> plan(cufftType type, int tiles) {
  int size[] = {tile, tile};
  cufftHandle handle = 0;
  require(cufftPlanMany(&handle, 2, size, nullptr, 1, 0, nullptr, 1, 0, type, tiles));
  return {new cufftHandle(handle), [](cufftHandle* made) {
            cufftDestroy(*made);
            delete made;
          }};
}

Peer cufft_peer(const cl::Context&, const cl::Device& device, bool) {
  const cudaLibrary_t kernels = compile(cuda_device(device));
  const auto ways = [=](const Image& image, const Image& padded, const Filter& filter) {
    const int step = tile - filter.width + 1;  // outputs of a tile that nothing has wrapped into
    const int columns = (image.width + step - 1) / step;
    const int tiles = columns * ((image.height + step - 1) / step);
    const auto forward = plan(CUFFT_R2C, tiles);
    const auto inverse = plan(CUFFT_C2R, tiles);
    const CudaMemory input(padded.pixels);
    const CudaMemory pixels(sizeof(float) * tile * tile * tiles);
    const CudaMemory spectra(sizeof(cufftComplex) * numbers * tiles);
    const CudaMemory output(image.size_bytes());
    output.poison();

    // The filter in a tile of its own; the inverse transform does not divide.
    std::vector<float> taps(tile * tile);
    for (int r = 0; r < filter.width; r++) {
      for (int c = 0; c < filter.width; c++) {
        taps[r * tile + c] = filter.taps[r * filter.width + c] / (tile * tile);
      }
    }
    const CudaMemory spectrum(sizeof(cufftComplex) * numbers);
    const auto as_complex = [](const CudaMemory& memory) {
      return static_cast<cufftComplex*>(memory.get());
    };
    require(cufftExecR2C(*plan(CUFFT_R2C, 1), CudaMemory(taps).floats(), as_complex(spectrum)));

    const auto run_ms = [=, in_width = padded.width, in_height = padded.height, width = image.width,
                         height = image.height] {
      return cuda_time_ms([&] {
        launch(
            kernels, "gather", tile, tile, tiles, input.get(), pixels.get(), in_width, in_height,
            step, columns);
        require(cufftExecR2C(*forward, pixels.floats(), as_complex(spectra)));
        launch(kernels, "multiply", numbers, 1, tiles, spectra.get(), spectrum.get());
        require(cufftExecC2R(*inverse, as_complex(spectra), pixels.floats()));
        launch(
            kernels, "scatter", tile, tile, tiles, pixels.get(), output.get(), width, height, step,
            columns);
      });
    };
    return std::vector{Way{run_ms, output.reader(image.width, image.height), tile}};
  };
  int version = 0;
  require(cufftGetVersion(&version));
  return {fmt::format("{}.{}.{}", version / 1000, version / 100 % 10, version % 100), ways};
}

[[maybe_unused]] const bool added = add_library({"cuFFT", Library::Place::cuda, cufft_peer});

}  // namespace
}  // namespace tutorial
