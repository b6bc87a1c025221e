// What peers that work by CUDA share.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "common/error.hpp"
#include "peers/peer.hpp"

namespace tutorial::cuda {

/// Throws `Error` if a call of CUDA, NVRTC or NPP failed: in all of them 0 is success.
template <typename Status>
void require(Status status) {
  cudaGetLastError();  // or a later call would report this one's failure again
  tutorial::require(status == Status{}, "status {} of NVIDIA's library", int(status));
}

/// What CUDA knows of the GPU that OpenCL knows as `device`. Throws `Error` if it is not NVIDIA's,
/// or CUDA shows several: the environment's CUDA_VISIBLE_DEVICES, which OpenCL reads too, names
/// one.
inline cudaDeviceProp properties(const cl::Device& device) {
  tutorial::require(
      compute_capability(device) > 0, "{} is not a GPU of NVIDIA's", device_name(device));
  int count = 0;
  require(cudaGetDeviceCount(&count));
  tutorial::require(count == 1, "CUDA shows {} GPUs: let CUDA_VISIBLE_DEVICES name one", count);
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0));
  return properties;
}

/// A copy of the numbers on the GPU. Throws `Error` if there is not so much memory.
template <typename Number>
std::shared_ptr<Number> upload(const std::vector<Number>& numbers) {
  void* address = nullptr;
  require(cudaMalloc(&address, sizeof(Number) * numbers.size()));
  const std::shared_ptr<Number> copy(static_cast<Number*>(address), cudaFree);
  const auto bytes = sizeof(Number) * numbers.size();
  require(cudaMemcpy(address, numbers.data(), bytes, cudaMemcpyDefault));
  return copy;
}

/// Copies as many numbers back as there are in `numbers`.
template <typename Number>
void download(const std::shared_ptr<Number>& from, std::vector<Number>& numbers) {
  const auto bytes = sizeof(Number) * numbers.size();
  require(cudaMemcpy(numbers.data(), from.get(), bytes, cudaMemcpyDefault));
}

inline cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  require(cudaEventCreate(&event));
  return event;
}

/// Milliseconds that the GPU takes, by CUDA's events, for what `enqueue` hands to CUDA's default
/// stream; returns after its end. Throws `Error` if that fails, or `enqueue` returns a failure.
double time_ms(const auto& enqueue) {
  static const cudaEvent_t begin = make_event(), end = make_event();
  require(cudaEventRecord(begin));
  require(enqueue());
  require(cudaEventRecord(end));
  require(cudaEventSynchronize(end));
  float ms = 0.0F;
  require(cudaEventElapsedTime(&ms, begin, end));
  return ms;
}

}  // namespace tutorial::cuda
