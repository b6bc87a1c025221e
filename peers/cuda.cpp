#include "peers/cuda.hpp"

#include <fmt/format.h>

#include <utility>

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
  const cudaError_t status = cudaMalloc(&address_, bytes);
  if (status != cudaSuccess) {
    cudaGetLastError();  // or a later call would report this failure again
    require(status, "cudaMalloc");
  }
}

CudaMemory::CudaMemory(CudaMemory&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

CudaMemory& CudaMemory::operator=(CudaMemory&& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

CudaMemory::~CudaMemory() {
  cudaFree(address_);
}

CudaTimer::CudaTimer() {
  require(cudaEventCreate(&begin_), "cudaEventCreate");
  require(cudaEventCreate(&end_), "cudaEventCreate");
}

CudaTimer::~CudaTimer() {
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
}

double CudaTimer::time_ms(const std::function<void()>& enqueue) const {
  require(cudaEventRecord(begin_), "cudaEventRecord");
  enqueue();
  require(cudaEventRecord(end_), "cudaEventRecord");
  require(cudaEventSynchronize(end_), "cudaEventSynchronize");
  float ms = 0.0F;
  require(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
  return static_cast<double>(ms);
}

}  // namespace tutorial
