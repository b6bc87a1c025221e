// A kernel of the tutorial, ready to run: what the steps' main.cpp spell out, for the program that
// compares them with other libraries.
#pragma once

#include <string>

#include "common/checker.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/reference.hpp"
#include "common/tile.hpp"

namespace tutorial {

/// All that differs from kernel to kernel.
struct KernelPlan {
  std::string name;                ///< in the kernel file
  std::string build_options;       ///< for the OpenCL compiler
  std::string prologue;            ///< OpenCL C that goes in front of the kernel file
  int input_width = 0;             ///< row pitch of the input on the device, floats
  int input_height = 0;            ///< rows of the input on the device
  bool takes_output_size = false;  ///< whether output_width and output_height are arguments 5 and 6
  cl::NDRange global;
  cl::NDRange local;  ///< cl::NullRange: OpenCL chooses
};

/// The plan of the kernel `name`, of those without local memory, for the result of `repeat_border`
/// and this filter. `tile` is what a kernel that computes blocks is built and launched for; the
/// others are in the same program and only find its padding around their input.
KernelPlan plan_kernel(
    const std::string& name, const Image& padded, const Filter& filter, const Tile& tile);

class OurKernel {
 public:
  /// Takes the kernel of `plan` from `program`, which was built as the plan says, and uploads
  /// `padded`, the result of `repeat_border`, and `filter`.
  OurKernel(
      const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue,
      const cl::Program& program, const KernelPlan& plan, const Image& padded,
      const Filter& filter);

  /// Enqueues the kernel once.
  cl::Event launch() const;

  /// Runs the kernel into an output full of NaN, compares with `reference`, and leaves what it
  /// computed in `result`, which has the reference's size.
  Verdict verify(const Reference& reference, Image& result) const;

  /// The work-group.
  const cl::NDRange& local() const { return plan_.local; }

 private:
  cl::CommandQueue queue_;
  KernelPlan plan_;
  cl::Buffer input_;
  cl::Buffer filter_;
  GuardedBuffer output_;
  cl::Kernel kernel_;
};

}  // namespace tutorial
