#include "peers/our_kernel.hpp"

namespace tutorial {
namespace {

std::size_t floats(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

}  // namespace

KernelPlan plan_kernel(
    const std::string& name, const Image& padded, const Filter& filter, const Tile& tile) {
  const int width = padded.width - filter.width + 1;
  const int height = padded.height - filter.width + 1;
  KernelPlan plan;
  plan.name = name;
  plan.input_width = padded_width(tile, width, filter.width);
  plan.input_height = padded_height(tile, height, filter.width);
  plan.build_options = "-DFILTER_WIDTH=" + std::to_string(filter.width) + build_options(tile) +
                       " -DINPUT_WIDTH=" + std::to_string(plan.input_width) +
                       " -DOUTPUT_WIDTH=" + std::to_string(width);
  plan.prologue = baked_source(filter);
  plan.takes_output_size = computes_tiles(name);
  if (plan.takes_output_size) {
    plan.global = global_size(tile, width, height);
    plan.local = cl::NDRange(tile.group_width, tile.group_height);
  } else {
    plan.global = cl::NDRange(width, height);
    plan.local = cl::NullRange;
  }
  return plan;
}

OurKernel::OurKernel(
    const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue,
    const cl::Program& program, const KernelPlan& plan, const Image& padded, const Filter& filter)
    : queue_(queue),
      plan_(plan),
      input_(
          context, CL_MEM_READ_ONLY, sizeof(float) * floats(plan.input_width, plan.input_height)),
      filter_(context, CL_MEM_READ_ONLY, filter.size_bytes()),
      output_(
          context, device,
          floats(padded.width - filter.width + 1, padded.height - filter.width + 1)),
      kernel_(program, plan.name.c_str()) {
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
  return check(reference, result, output_.guards_intact(queue_), computes_pairs(plan_.name));
}

}  // namespace tutorial
