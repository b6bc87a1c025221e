#include "peers/cuda.hpp"

#include "common/device.hpp"

namespace tutorial {
namespace {

// From cl_nv_device_attribute_query: the GPU's place on the PCI bus.
constexpr cl_device_info pci_bus_id = 0x4008;
constexpr cl_device_info pci_slot_id = 0x4009;

/// Whether OpenCL's and CUDA's device say the same of their place.
bool same(const cl::Device& device, cl_device_info in_opencl, int number, cudaDeviceAttr in_cuda) {
  cl_int ours = -1;
  int theirs = 0;
  clGetDeviceInfo(device(), in_opencl, sizeof ours, &ours, nullptr);
  require(cudaDeviceGetAttribute(&theirs, in_cuda, number));
  return ours == theirs;
}

}  // namespace

void require(cudaError_t status, std::source_location where) {
  if (status != cudaSuccess) {
    throw Error(
        fmt::format("{}:{}: {}", where.file_name(), where.line(), cudaGetErrorString(status)));
  }
}

int select_cuda_device(const cl::Device& device) {
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_device_attribute_query") ==
      std::string::npos) {
    throw Error(fmt::format("{} is not a GPU of NVIDIA's", device_name(device)));
  }
  int count = 0;
  require(cudaGetDeviceCount(&count));
  for (int number = 0; number < count; number++) {
    // With a single GPU there is nothing to mix up.
    if (count == 1 || (same(device, pci_bus_id, number, cudaDevAttrPciBusId) &&
                       same(device, pci_slot_id, number, cudaDevAttrPciDeviceId))) {
      require(cudaSetDevice(number));
      return number;
    }
  }
  throw Error(fmt::format("CUDA does not show {}", device_name(device)));
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

CudaMemory::CudaMemory(const std::vector<float>& values)
    : CudaMemory(sizeof(float) * values.size()) {
  require(cudaMemcpy(get(), values.data(), bytes_, cudaMemcpyHostToDevice));
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
