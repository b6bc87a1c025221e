// A convolution on the device, launched as in step 9, for programs whose lesson is another one.
#pragma once

#include <optional>
#include <string>

#include "common/checker.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/kernels.hpp"
#include "common/launch.hpp"
#include "common/opencl.hpp"
#include "common/reference.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// A kernel with its arguments and its NDRange.
struct Launch {
  cl::Kernel kernel;
  cl::NDRange global;
  cl::NDRange local;
  cl::Buffer weights;  ///< an argument, which the kernel does not own

  cl::Event operator()(const cl::CommandQueue& queue) const;
};

/// The buffers of one image and one filter, and the kernels that work on them.
class Convolution {
 public:
  /// Uploads the image with its border and `room` for blocks or tiles, and the filter, to the
  /// queue's device.
  Convolution(
      const cl::CommandQueue& queue, const Image& image, const Filter& filter,
      const Extent& room = block_room);

  /// The padded input as the device has it: with room, all rows as long.
  const Image& host_input() const { return host_input_; }
  const cl::Buffer& input() const { return input_; }
  const GuardedBuffer& output() const { return output_; }
  const Reference& reference() const { return reference_; }

  /// The program of this row's file, built for its block or tile, this filter and this image;
  /// `more` is added to the compiler's options. Throws as `build_program` does.
  cl::Program build(const KernelEntry& entry, const std::string& more = {}) const;

  /// The row's kernel of a program that `build` made.
  Launch launch(const cl::Program& program, const KernelEntry& entry) const;

  /// Makes the row's kernel ready to be timed, or gives nothing if it cannot run here or is wrong,
  /// as in the steps. `result` gets what it computed.
  std::optional<Variant> prepare(const KernelEntry& entry, Results& results, Image& result) const;

 private:
  cl::CommandQueue queue_;
  cl::Context context_;
  cl::Device device_;
  Filter filter_;
  Image host_input_;
  Reference reference_;
  cl::Buffer input_;
  cl::Buffer taps_;
  GuardedBuffer output_;
};

}  // namespace tutorial
