#include "pipeline/convolution.hpp"

#include <fmt/format.h>

#include "common/program.hpp"
#include "step10_fft/spectrum.hpp"

namespace tutorial {

cl::Event Launch::operator()(const cl::CommandQueue& queue) const {
  cl::Event event;
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
  return event;
}

Convolution::Convolution(
    const cl::CommandQueue& queue, const Image& image, const Filter& filter, const Extent& room)
    : queue_(queue),
      context_(queue.getInfo<CL_QUEUE_CONTEXT>()),
      device_(queue.getInfo<CL_QUEUE_DEVICE>()),
      filter_(filter),
      host_input_(with_room(repeat_border(image, filter.width), room)),
      reference_(convolve_reference(host_input_, filter, image)),
      input_(context_, CL_MEM_READ_ONLY, host_input_.size_bytes()),
      taps_(context_, CL_MEM_READ_ONLY, filter.size_bytes()),
      output_(context_, device_, image.size()) {
  queue.enqueueWriteBuffer(input_, CL_TRUE, 0, host_input_.size_bytes(), host_input_.pixels.data());
  queue.enqueueWriteBuffer(taps_, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());
}

cl::Program Convolution::build(const KernelEntry& entry, const std::string& more) const {
  const std::string options = fmt::format(
      "-DFILTER_WIDTH={} -DINPUT_WIDTH={} -DOUTPUT_WIDTH={}{}{}{}{}", filter_.width,
      host_input_.width, reference_.width, build_options(entry.block),
      build_options(entry.fft, filter_.width), entry.pixel.empty() ? "" : " -DPIXEL=" + entry.pixel,
      more);
  return build_program(context_, device_, entry.file, options, prologue(entry.fft, filter_));
}

Launch Convolution::launch(const cl::Program& program, const KernelEntry& entry) const {
  Launch launch = {
      cl::Kernel(program, entry.name().c_str()), cl::NDRange(reference_.width, reference_.height),
      cl::NullRange, entry.fft.tile != 0 ? upload_spectrum(queue_, filter_, entry.fft) : taps_};
  launch.kernel.setArg(0, input_);
  launch.kernel.setArg(1, launch.weights);
  launch.kernel.setArg(2, output_.buffer());
  launch.kernel.setArg(3, host_input_.width);
  launch.kernel.setArg(4, filter_.width);
  if (entry.block.width != 0) {
    launch.local = block_group(device_, entry);
    launch.global = global_size(launch.global, entry.block, launch.local);
  }
  if (entry.fft.tile != 0) {
    launch.local = cl::NDRange(entry.fft.group.width, entry.fft.group.height);
    launch.global = global_size(launch.global, entry.fft, filter_.width);
  }
  if (entry.block.width != 0 || entry.fft.tile != 0) {
    launch.kernel.setArg(5, reference_.width);
    launch.kernel.setArg(6, reference_.height);
  }
  return launch;
}

std::optional<Variant> Convolution::prepare(
    const KernelEntry& entry, Results& results, Image& result) const {
  if (const auto problem = why_not(device_, entry, filter_)) {
    return results.skip(entry.label, filter_.width, *problem);
  }
  const Launch ready = launch(build(entry), entry);
  if (const auto problem = why_not(device_, entry, ready.kernel, ready.local)) {
    return results.skip(entry.label, filter_.width, *problem);
  }
  output_.poison(queue_);
  ready(queue_);
  queue_.enqueueReadBuffer(output_.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
  const Verdict verdict =
      check(reference_, result, output_.damage(queue_), entry.pairs, entry.fft.tile);
  if (!results.verify(entry.label, filter_.width, verdict)) {
    return {};
  }
  return Variant{entry.label, ready.local, verdict.max_error, [ready, queue = queue_] {
                   return ready(queue);
                 }};
}

}  // namespace tutorial
