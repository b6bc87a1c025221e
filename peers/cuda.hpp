// What the peers that run on NVIDIA's CUDA share.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "common/opencl.hpp"

namespace tutorial {

/// Throws `Error` with the line of the source and `problem` if a call was no `success`.
void require(
    bool success, const std::string& problem,
    std::source_location where = std::source_location::current());

/// The same with CUDA's text.
void require(cudaError_t status, std::source_location where = std::source_location::current());

/// Makes the GPU that OpenCL knows as `device` the current one of CUDA, and returns CUDA's number
/// of it. Throws `Error` if `device` is not NVIDIA's or CUDA does not show it.
int select_cuda_device(const cl::Device& device);

/// Copies `height` rows of `row_bytes`, to or from the GPU; a pitch is the bytes from row to row.
void copy_rows(
    void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t row_bytes,
    int height);

/// Memory on CUDA's current device; copies share it.
class CudaMemory {
 public:
  CudaMemory() = default;
  /// Throws `Error` if there is not so much memory.
  explicit CudaMemory(std::size_t bytes);
  /// Uploads `values`.
  explicit CudaMemory(const std::vector<float>& values);

  void* get() const { return address_.get(); }
  float* floats() const { return static_cast<float*>(get()); }
  std::size_t size_bytes() const { return bytes_; }

  /// Sets all floats to NaN: bytes of all ones.
  void poison() const;

 private:
  std::size_t bytes_ = 0;
  std::shared_ptr<void> address_;
};

/// How long the GPU works, by CUDA's events.
class CudaTimer {
 public:
  CudaTimer();

  /// Milliseconds that the GPU takes for what `enqueue` hands to CUDA's default stream; returns
  /// after its end. Throws `Error` if that fails.
  double time_ms(const std::function<void()>& enqueue) const;

 private:
  std::shared_ptr<CUevent_st> begin_;
  std::shared_ptr<CUevent_st> end_;
};

}  // namespace tutorial
