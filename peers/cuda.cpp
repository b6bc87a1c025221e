#include "peers/cuda.hpp"

#include "common/device.hpp"

namespace tutorial {

void require(cudaError_t status, std::source_location where) {
  if (status != cudaSuccess) {
    throw Error(
        fmt::format("{}:{}: {}", where.file_name(), where.line(), cudaGetErrorString(status)));
  }
}

int cuda_device(const cl::Device& device) {
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_device_attribute_query") ==
      std::string::npos) {
    throw Error(fmt::format("{} is not a GPU of NVIDIA's", device_name(device)));
  }
  int count = 0;
  require(cudaGetDeviceCount(&count));
  if (count != 1) {
    throw Error(fmt::format("CUDA shows {} GPUs: let CUDA_VISIBLE_DEVICES name one", count));
  }
  return 0;
}

void copy_rows(
    void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t row_bytes,
    int height) {
  const auto rows = static_cast<std::size_t>(height);
  require(cudaMemcpy2D(to, to_pitch, from, from_pitch, row_bytes, rows, cudaMemcpyDefault));
}

CudaMemory::CudaMemory(std::size_t bytes) : bytes_(bytes) {
  void* address = nullptr;
  const cudaError_t status = cudaMalloc(&address, bytes);
  cudaGetLastError();  // or a later call would report a failure again
  require(status);
  address_ = {address, cudaFree};
}

void CudaMemory::poison() const {
  require(cudaMemset(get(), 0xFF, bytes_));
}

Image CudaMemory::image(int width, int height, int pitch) const {
  Image image(width, height);
  const std::size_t row_bytes = sizeof(float) * static_cast<std::size_t>(width);
  copy_rows(image.pixels.data(), row_bytes, get(), sizeof(float) * pitch, row_bytes, height);
  return image;
}

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

}  // namespace tutorial
