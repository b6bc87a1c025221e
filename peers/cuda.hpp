// What the peers that run on NVIDIA's CUDA share.
#pragma once

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <source_location>
#include <vector>

#include "common/error.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"

namespace tutorial {

/// Throws `Error` with the line of the source and CUDA's text if a call failed.
void require(cudaError_t status, std::source_location where = std::source_location::current());

/// The same for a library on CUDA: in all of them 0 is success.
template <typename Status>
void require(Status status, std::source_location where = std::source_location::current()) {
  if (status != Status{}) {
    throw Error(
        fmt::format("{}:{}: status {}", where.file_name(), where.line(), static_cast<int>(status)));
  }
}

/// CUDA's number of the GPU that OpenCL knows as `device`. Throws `Error` if it is not NVIDIA's, or
/// CUDA shows several: the environment's CUDA_VISIBLE_DEVICES, which OpenCL reads too, names one.
int cuda_device(const cl::Device& device);

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
  template <typename Number>
  explicit CudaMemory(const std::vector<Number>& values)
      : CudaMemory(sizeof(Number) * values.size()) {
    copy_rows(get(), bytes_, values.data(), bytes_, bytes_, 1);
  }

  void* get() const { return address_.get(); }
  float* floats() const { return static_cast<float*>(get()); }
  std::size_t size_bytes() const { return bytes_; }

  /// Sets all floats to NaN: bytes of all ones.
  void poison() const;
  /// Downloads an image whose rows begin every `pitch` floats.
  Image image(int width, int height, int pitch) const;

 private:
  std::size_t bytes_ = 0;
  std::shared_ptr<void> address_;
};

/// Milliseconds that the GPU takes, by CUDA's events, for what `enqueue` hands to CUDA's default
/// stream; returns after its end. Throws `Error` if that fails.
double cuda_time_ms(const std::function<void()>& enqueue);

}  // namespace tutorial
