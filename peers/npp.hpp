// What the two programs that use NPP share.
#pragma once

#include <fmt/format.h>
#include <nppi_filtering_functions.h>

#include "common/error.hpp"
#include "peers/cuda.hpp"

namespace tutorial {

/// Throws `Error` with the name of the call and the number of the status if it failed; a positive
/// number is a warning, and the result cannot be relied on either.
inline void require(NppStatus status, const char* call) {
  if (status != NPP_SUCCESS) {
    throw Error(fmt::format("{}: NPP status {}", call, static_cast<int>(status)));
  }
}

/// What NPP wants to know of CUDA's device `number`; its work goes to the default stream.
inline NppStreamContext npp_context(int number) {
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  NppStreamContext context{};
  context.hStream = nullptr;
  context.nCudaDeviceId = number;
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  return context;
}

}  // namespace tutorial
