#include "peers/median_kernel.hpp"

#include <vector>

#include "common/program.hpp"

namespace tutorial {
namespace {

std::string capability_option(const cl::Device& device) {
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_device_attribute_query") ==
      std::string::npos) {
    return {};
  }
  return "-DCOMPUTE_CAPABILITY=" +
         std::to_string(
             10 * device.getInfo<CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV>() +
             device.getInfo<CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV>());
}

std::size_t rounded(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

MedianKernel::MedianKernel(
    const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue,
    const Options& options, const std::string& name, const Picture& input)
    : queue_(queue),
      block_width_(name == "median_gray_rows" ? 1 : 16),
      group_width_(name == "median_gray_rows" ? 256 : 64),
      width_(static_cast<std::size_t>(input.width)),
      height_(static_cast<std::size_t>(input.height)),
      input_pitch_(rounded(width_ + 20, 64)),
      output_pitch_(rounded(width_, 64)),
      input_(context, CL_MEM_READ_ONLY, input_pitch_ * (rounded(height_, 8) + 2)),
      output_(context, device, output_pitch_ * rounded(height_, 8) / sizeof(cl_float)),
      kernel_(build_program(context, device, options, capability_option(device)), name.c_str()) {
  const std::vector<std::uint8_t> framed = padded(input, input_pitch_, rounded(height_, 8) + 2, 1);
  queue_.enqueueWriteBuffer(input_, CL_TRUE, 0, framed.size(), framed.data());
  kernel_.setArg(0, input_);
  kernel_.setArg(1, output_.buffer());
  kernel_.setArg(2, input.width);
  kernel_.setArg(3, input.height);
  kernel_.setArg(4, static_cast<cl_int>(input_pitch_));
  kernel_.setArg(5, static_cast<cl_int>(output_pitch_));
}

cl::Event MedianKernel::launch() const {
  cl::Event event;
  queue_.enqueueNDRangeKernel(
      kernel_, cl::NullRange,
      cl::NDRange(
          rounded((width_ + block_width_ - 1) / block_width_, group_width_), (height_ + 7) / 8),
      local(), nullptr, &event);
  return event;
}

Verdict MedianKernel::verify(const Picture& input, const Picture& reference) const {
  output_.poison(queue_);
  const std::vector<std::uint8_t> wrong =
      padded(inverted(reference), output_pitch_, rounded(height_, 8), 0);
  queue_.enqueueWriteBuffer(output_.buffer(), CL_TRUE, 0, wrong.size(), wrong.data());
  launch();
  Picture result = input;
  queue_.enqueueReadBufferRect(
      output_.buffer(), CL_TRUE, {0, 0, 0}, {0, 0, 0}, {width_, height_, 1}, output_pitch_, 0,
      width_, 0, result.bytes.data());
  return check_median(input, reference, result, output_.guards_intact(queue_));
}

}  // namespace tutorial
