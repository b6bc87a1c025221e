#include "median/device_picture.hpp"

#include <algorithm>

#include "common/program.hpp"

namespace tutorial {

std::string median_build_options(const cl::Device& device) {
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_device_attribute_query") ==
      std::string::npos) {
    return "";
  }
  const cl_uint major = device.getInfo<CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV>();
  const cl_uint minor = device.getInfo<CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV>();
  return "-DCOMPUTE_CAPABILITY=" + std::to_string(10 * major + minor);
}

cl::NDRange MedianShape::local(const cl::Device& device, const cl::Kernel& kernel) const {
  const std::size_t limit = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
  return {std::min<std::size_t>(group_width, limit), 1};
}

cl::NDRange MedianShape::global(const Picture& picture, const cl::NDRange& local) const {
  const int columns = round_up(picture.width, block_width) / block_width;
  const int rows = round_up(picture.height, block_height) / block_height;
  return cl::NDRange(round_up(columns, int(local.get()[0])), rows);
}

DevicePicture::DevicePicture(
    const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue,
    const RgbaImage& image, PixelFormat format)
    : queue_(queue),
      input_(make_picture(image, format)),
      reference_(median_reference(input_)),
      result_(input_),
      input_pitch_(round_up(image.width + 20, 64)),
      output_pitch_(round_up(image.width, 64)),
      output_rows_(round_up(image.height, 8)),
      input_buffer_(
          context, CL_MEM_READ_ONLY, input_.pixel_bytes() * input_pitch_ * (output_rows_ + 2)),
      output_buffer_(
          context, device, input_.pixel_bytes() * output_pitch_ * output_rows_ / sizeof(cl_float)) {
  const std::vector<std::uint8_t> framed = padded(input_, input_pitch_, output_rows_ + 2, 1);
  queue_.enqueueWriteBuffer(input_buffer_, CL_TRUE, 0, framed.size(), framed.data());
  output_buffer_.watch(queue_, {input_buffer_});
}

void DevicePicture::set_arguments(cl::Kernel& kernel) const {
  kernel.setArg(0, input_buffer_);
  kernel.setArg(1, output_buffer_.buffer());
  kernel.setArg(2, input_.width);
  kernel.setArg(3, input_.height);
  kernel.setArg(4, input_pitch_);
  kernel.setArg(5, output_pitch_);
}

Verdict DevicePicture::verify(const std::function<cl::Event()>& launch) {
  output_buffer_.poison(queue_);
  const std::vector<std::uint8_t> wrong =
      padded(inverted(reference_), output_pitch_, output_rows_, 0);
  queue_.enqueueWriteBuffer(output_buffer_.buffer(), CL_TRUE, 0, wrong.size(), wrong.data());
  launch();
  // Of the device's rows, the first bytes are the picture: a rectangle of row_bytes x height x 1.
  queue_.enqueueReadBufferRect(
      output_buffer_.buffer(), CL_TRUE, {0, 0, 0}, {0, 0, 0},
      {input_.row_bytes(), std::size_t(input_.height), 1}, input_.pixel_bytes() * output_pitch_, 0,
      input_.row_bytes(), 0, result_.bytes.data());
  return check_median(input_, reference_, result_, output_buffer_.damage(queue_));
}

}  // namespace tutorial
