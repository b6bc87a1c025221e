// A median kernel of median/median.cl, ready to run on a gray picture: what median/main.cpp spells
// out, for the programs that compare it with others.
#pragma once

#include <string>

#include "common/checker.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/pixels.hpp"

namespace tutorial {

class MedianKernel {
 public:
  /// Builds the kernel `name`, one of those that compute eight rows of gray pixels a work-item, and
  /// uploads `input`, which is PixelFormat::gray. Throws as `build_program` does.
  MedianKernel(
      const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue,
      const Options& options, const std::string& name, const Picture& input);

  /// Enqueues the kernel once.
  cl::Event launch() const;

  /// Runs the kernel into an output where every pixel is wrong, and compares with `reference`.
  Verdict verify(const Picture& input, const Picture& reference) const;

  /// The work-group.
  cl::NDRange local() const { return {group_width_, 1}; }

 private:
  cl::CommandQueue queue_;
  std::size_t block_width_;
  std::size_t group_width_;
  std::size_t width_;
  std::size_t height_;
  std::size_t input_pitch_;
  std::size_t output_pitch_;
  cl::Buffer input_;
  GuardedBuffer output_;
  cl::Kernel kernel_;
};

}  // namespace tutorial
