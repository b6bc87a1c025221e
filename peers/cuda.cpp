#include "peers/cuda.hpp"

#include <fmt/format.h>

#include "common/device.hpp"
#include "common/error.hpp"

namespace tutorial {
namespace {

// From cl_nv_device_attribute_query: the GPU's place on the PCI bus.
constexpr cl_device_info pci_bus_id = 0x4008;
constexpr cl_device_info pci_slot_id = 0x4009;

/// -1 if the driver does not say.
int query(const cl::Device& device, cl_device_info what) {
  cl_uint value = 0;
  return clGetDeviceInfo(device(), what, sizeof value, &value, nullptr) == CL_SUCCESS
             ? static_cast<int>(value)
             : -1;
}

int attribute(cudaDeviceAttr what, int number) {
  int value = 0;
  require(cudaDeviceGetAttribute(&value, what, number), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace

void require(cudaError_t status, const char* call) {
  if (status != cudaSuccess) {
    throw Error(fmt::format("{}: {}", call, cudaGetErrorString(status)));
  }
}

int select_cuda_device(const cl::Device& device) {
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_device_attribute_query") ==
      std::string::npos) {
    throw Error(fmt::format("{} is not a GPU of NVIDIA's", device_name(device)));
  }
  int count = 0;
  require(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  for (int number = 0; number < count; number++) {
    // With a single GPU there is nothing to mix up.
    if (count == 1 || (attribute(cudaDevAttrPciBusId, number) == query(device, pci_bus_id) &&
                       attribute(cudaDevAttrPciDeviceId, number) == query(device, pci_slot_id))) {
      require(cudaSetDevice(number), "cudaSetDevice");
      return number;
    }
  }
  throw Error(fmt::format("CUDA does not show {}", device_name(device)));
}

CudaMemory::CudaMemory(std::size_t bytes) : bytes_(bytes) {
  void* address = nullptr;
  const cudaError_t status = cudaMalloc(&address, bytes);
  if (status != cudaSuccess) {
    cudaGetLastError();  // or a later call would report this failure again
    require(status, "cudaMalloc");
  }
  address_ = {address, cudaFree};
}

CudaMemory::CudaMemory(const std::vector<float>& values)
    : CudaMemory(sizeof(float) * values.size()) {
  require(cudaMemcpy(get(), values.data(), bytes_, cudaMemcpyHostToDevice), "cudaMemcpy");
}

void CudaMemory::poison() const {
  require(cudaMemset(get(), 0xFF, bytes_), "cudaMemset");
}

CudaTimer::CudaTimer() {
  for (auto* event : {&begin_, &end_}) {
    cudaEvent_t created = nullptr;
    require(cudaEventCreate(&created), "cudaEventCreate");
    *event = {created, cudaEventDestroy};
  }
}

double CudaTimer::time_ms(const std::function<void()>& enqueue) const {
  require(cudaEventRecord(begin_.get()), "cudaEventRecord");
  enqueue();
  require(cudaEventRecord(end_.get()), "cudaEventRecord");
  require(cudaEventSynchronize(end_.get()), "cudaEventSynchronize");
  float ms = 0.0F;
  require(cudaEventElapsedTime(&ms, begin_.get(), end_.get()), "cudaEventElapsedTime");
  return static_cast<double>(ms);
}

}  // namespace tutorial
