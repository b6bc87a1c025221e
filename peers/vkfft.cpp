// VkFFT's convolution, by its OpenCL backend: it transforms the whole image, multiplies by the
// filter's spectrum in the kernel that has the last transform, and transforms back.
//
// Which padded size is the fastest one is not known beforehand, so three are tried, all of them
// even: VkFFT 1.2.26 gives wrong results for odd ones.
#include <vkFFT.h>

#include <limits>

#include "common/lab/work.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

/// Throws `Error` if a call of VkFFT failed.
void require_success(int status) {
  require(status == 0, "VkFFT's status {}", status);
}

/// A plan and its buffers. VkFFT keeps the addresses of them all.
struct Plan {
  ~Plan() { deleteVkFFT(&application); }

  void make(const VkFFTConfiguration& configuration) {
    deleteVkFFT(&application);
    application = {};
    require_success(initializeVkFFT(&application, configuration));
  }
  void start(cl::Buffer& buffer) {
    VkFFTLaunchParams launch = {};
    launch.commandQueue = &queue();
    launch.buffer = &buffer();
    launch.kernel = &spectrum();
    launch.inputBuffer = &input();
    require_success(VkFFTAppend(&application, -1, &launch));
  }

  cl::Device device;
  cl::Context context;
  std::uint64_t input_size;  ///< bytes
  std::uint64_t size;        ///< of the other buffers
  cl::CommandQueue queue{context, device, CL_QUEUE_PROFILING_ENABLE};
  cl::Buffer input{context, CL_MEM_READ_WRITE, input_size};
  cl::Buffer spectrum{context, CL_MEM_READ_WRITE, size};
  cl::Buffer output{context, CL_MEM_READ_WRITE, size};
  VkFFTApplication application = {};
};

/// The least multiple of `of`, from `size` on, without a prime factor above 13.
int smooth(int size, int of) {
  int rest = size = round_up(size, of);
  for (const int prime : {2, 3, 5, 7, 11, 13}) {
    while (rest % prime == 0) {
      rest /= prime;
    }
  }
  return rest == 1 ? size : smooth(size + 1, of);
}

/// With the image padded to columns x rows pixels.
Way padded_way(const Problem& problem, int columns, int rows) {
  const Image& padded = problem.padded;
  const Image input = with_room(padded, {columns - padded.width, rows - padded.height});
  const int pitch = columns + 2;  // floats: a row's spectrum has columns / 2 + 1 complex numbers
  std::vector<float> taps(std::size_t(pitch) * rows);
  // Mirrored, and around the corner: then a product of spectra is a correlation.
  const int width = problem.filter.width;
  for (int i = 0; i < width * width; i++) {
    const int x = (columns - i % width) % columns, y = (rows - i / width) % rows;
    taps[std::size_t(y) * pitch + x] = problem.filter.taps[i];
  }
  const std::shared_ptr<Plan> plan(
      new Plan{problem.device, problem.context, input.size_bytes(), sizeof(float) * taps.size()});
  plan->queue.enqueueWriteBuffer(plan->input, CL_TRUE, 0, plan->input_size, input.pixels.data());
  plan->queue.enqueueWriteBuffer(plan->spectrum, CL_TRUE, 0, plan->size, taps.data());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  plan->queue.enqueueFillBuffer(plan->output, nan, 0, plan->size);

  VkFFTConfiguration configuration = {};
  configuration.device = &plan->device();
  configuration.context = &plan->context();
  configuration.FFTdim = 2;
  configuration.size[0] = columns;
  configuration.size[1] = rows;
  configuration.size[2] = 1;
  configuration.performR2C = 1;
  configuration.normalize = 1;
  configuration.coordinateFeatures = 1;
  configuration.kernelConvolution = 1;
  configuration.buffer = &plan->spectrum();
  configuration.bufferSize = &plan->size;
  plan->make(configuration);
  plan->start(plan->spectrum);

  configuration.kernelConvolution = 0;
  configuration.performConvolution = 1;
  configuration.kernel = &plan->spectrum();
  configuration.kernelSize = &plan->size;
  configuration.buffer = &plan->output();
  configuration.isInputFormatted = 1;  // of its own, so that each run finds the same input
  configuration.inputBuffer = &plan->input();
  configuration.inputBufferSize = &plan->input_size;
  configuration.inputBufferStride[0] = input.width;
  configuration.inputBufferStride[1] = input.size();
  plan->queue.finish();
  plan->make(configuration);

  const auto run_ms = [=] { return queue_ms(plan->queue, [=] { plan->start(plan->output); }); };
  const auto result = [=, result = problem.image]() mutable {
    const std::size_t row = sizeof(float) * result.width, height = result.height;
    plan->queue.enqueueReadBufferRect(
        plan->output, CL_TRUE, {}, {}, {row, height, 1}, sizeof(float) * pitch, 0, row, 0,
        result.pixels.data());
    return result;
  };
  return {run_ms, result, std::max(columns, rows)};
}

std::vector<Way> ways(const Problem& problem) {
  std::vector<Way> found;
  for (const int multiple : {2, 64, 128}) {
    found.push_back(padded_way(
        problem, smooth(problem.padded.width, multiple), smooth(problem.padded.height, multiple)));
  }
  return found;
}

std::string version() {
  const int number = VkFFTGetVersion();
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

[[maybe_unused]] const bool added = add_library({"VkFFT", Library::Place::device, version, ways});

}  // namespace
}  // namespace tutorial
