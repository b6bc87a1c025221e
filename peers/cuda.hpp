// What the peers that run on NVIDIA's CUDA share.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <source_location>
#include <type_traits>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/image.hpp"

namespace tutorial {

/// Throws `Error` with the line of the source if a call of CUDA, or of a library on it, failed: in
/// all of them 0 is success. CUDA's own statuses have a text.
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
inline int cuda_device(const cl::Device& device) {
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  require(
      extensions.find("cl_nv_device_attribute_query") != std::string::npos,
      "{} is not a GPU of NVIDIA's", device_name(device));
  int count = 0;
  require(cudaGetDeviceCount(&count));
  require(count == 1, "CUDA shows {} GPUs: let CUDA_VISIBLE_DEVICES name one", count);
  return 0;
}

/// Copies `height` rows of `row_bytes`, to or from the GPU; a pitch is the bytes from row to row.
inline void copy_rows(
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
  float* floats() const { return static_cast<float*>(get()); }
  std::size_t size_bytes() const { return bytes_; }

  /// Sets all floats to NaN: bytes of all ones.
  void poison() const { require(cudaMemset(get(), 0xFF, bytes_)); }
  /// What downloads it as an image of this size.
  std::function<Image()> reader(int width, int height) const {
    return [memory = *this, width, height] {
      Image image(width, height);
      const std::size_t bytes = image.size_bytes();
      copy_rows(image.pixels.data(), bytes, memory.get(), bytes, bytes, 1);
      return image;
    };
  }

 private:
  std::size_t bytes_ = 0;
  std::shared_ptr<void> address_;
};

/// Milliseconds that the GPU takes, by CUDA's events, for what `enqueue` hands to CUDA's default
/// stream; returns after its end. Throws `Error` if that fails.
inline double cuda_time_ms(const std::function<void()>& enqueue) {
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

}  // namespace tutorial
