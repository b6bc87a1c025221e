#include "peers/our_kernel.hpp"

#include <algorithm>
#include <array>

#include "common/program.hpp"
#include "common/work_group.hpp"

namespace tutorial {
namespace {

std::size_t floats(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

}  // namespace

KernelPlan plan_kernel(const std::string& name, const Image& padded, int filter_width) {
  KernelPlan plan;
  plan.name = name;
  plan.build_options = "-DFILTER_WIDTH=" + std::to_string(filter_width);
  plan.input_width = round_up(padded.width, 16);
  plan.input_height = padded.height;
  plan.global = cl::NDRange(padded.width - filter_width + 1, padded.height - filter_width + 1);
  plan.local = cl::NullRange;
  return plan;
}

OurKernel::OurKernel(
    const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue,
    const Options& options, const KernelPlan& plan, const Image& padded, const Filter& filter)
    : queue_(queue),
      plan_(plan),
      input_(
          context, CL_MEM_READ_ONLY, sizeof(float) * floats(plan.input_width, plan.input_height)),
      filter_(context, CL_MEM_READ_ONLY, filter.size_bytes()),
      output_(
          context, device,
          floats(padded.width - filter.width + 1, padded.height - filter.width + 1)),
      kernel_(build_program(context, device, options, plan.build_options), plan.name.c_str()) {
  const std::size_t row_bytes = sizeof(float) * floats(padded.width, 1);
  const std::size_t pitch_bytes = sizeof(float) * floats(plan.input_width, 1);
  queue_.enqueueFillBuffer(
      input_, 0.0F, 0, sizeof(float) * floats(plan.input_width, plan.input_height));
  queue_.enqueueWriteBufferRect(
      input_, CL_TRUE, {0, 0, 0}, {0, 0, 0},
      {row_bytes, static_cast<std::size_t>(padded.height), 1}, pitch_bytes, 0, row_bytes, 0,
      padded.pixels.data());
  queue_.enqueueWriteBuffer(filter_, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());
  kernel_.setArg(0, input_);
  kernel_.setArg(1, filter_);
  kernel_.setArg(2, output_.buffer());
  kernel_.setArg(3, plan.input_width);
  kernel_.setArg(4, filter.width);
  if (plan.takes_output_size) {
    kernel_.setArg(5, padded.width - filter.width + 1);
    kernel_.setArg(6, padded.height - filter.width + 1);
  }
}

cl::Event OurKernel::launch() const {
  cl::Event event;
  queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, plan_.global, plan_.local, nullptr, &event);
  return event;
}

Verdict OurKernel::verify(const Reference& reference, Image& result) const {
  output_.poison(queue_);
  launch();
  queue_.enqueueReadBuffer(output_.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
  return check(reference, result, output_.guards_intact(queue_));
}

}  // namespace tutorial
