#include "peers/cuda.hpp"

#include <fmt/format.h>

#include "common/device.hpp"
#include "common/error.hpp"

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

void require(bool success, const std::string& problem, std::source_location where) {
  if (!success) {
    throw Error(fmt::format("{}:{}: {}", where.file_name(), where.line(), problem));
  }
}

void require(cudaError_t status, std::source_location where) {
  require(status == cudaSuccess, cudaGetErrorString(status), where);
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

CudaTimer::CudaTimer() {
  for (auto* event : {&begin_, &end_}) {
    cudaEvent_t created = nullptr;
    require(cudaEventCreate(&created));
    *event = {created, cudaEventDestroy};
  }
}

double CudaTimer::time_ms(const std::function<void()>& enqueue) const {
  require(cudaEventRecord(begin_.get()));
  enqueue();
  require(cudaEventRecord(end_.get()));
  require(cudaEventSynchronize(end_.get()));
  float ms = 0.0F;
  require(cudaEventElapsedTime(&ms, begin_.get(), end_.get()));
  return static_cast<double>(ms);
}

}  // namespace tutorial
