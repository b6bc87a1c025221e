// What the programs that run kernels of median.cl share: a picture on the device, and its median.
#pragma once

#include <cstring>
#include <functional>

#include "common/program.hpp"
#include "median/pixels.hpp"

namespace tutorial {

/// A picture on the device, and room for its median.
///
/// The input has a frame of one pixel, so that no window leaves the buffer. Rows begin at multiples
/// of 64 pixels, and both buffers go on to whole blocks of 16 x 8 pixels, the input by a vector
/// more: so no kernel needs a part of a vector.
template <typename Picture>  // RgbaImage or GrayImage
class DevicePicture {
 public:
  /// Computes the median of `picture` on the host, and uploads it. Throws cl::Error if the device
  /// does not have enough memory.
  DevicePicture(const cl::CommandQueue& queue, const Picture& picture)
      : queue_(queue),
        input_(picture),
        reference_(median_reference(picture)),
        result_(picture),
        framed_(round_up(picture.width + 20, 64), round_up(picture.height, 8) + 2),
        output_(round_up(picture.width, 64), round_up(picture.height, 8)),
        input_buffer_(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_ONLY, framed_.size_bytes()),
        output_buffer_(
            queue.getInfo<CL_QUEUE_CONTEXT>(), queue.getInfo<CL_QUEUE_DEVICE>(),
            output_.size_bytes() / sizeof(cl_float)) {
    for (int y = 0; y < picture.height; y++) {
      std::copy_n(
          &picture.pixels[picture.index(0, y)], picture.width,
          &framed_.pixels[framed_.index(1, y + 1)]);
    }
    queue_.enqueueWriteBuffer(
        input_buffer_, CL_TRUE, 0, framed_.size_bytes(), framed_.pixels.data());
    output_buffer_.watch(queue_, {input_buffer_});
  }

  /// What the device computed when `verify` was called last.
  const Picture& result() const { return result_; }

  /// Sets a kernel's arguments, the same for all: input, output, width, height, and the pixels from
  /// a row to the next of the input and of the output. Buffers live as long as this object.
  void set_arguments(cl::Kernel& kernel) const {
    kernel.setArg(0, input_buffer_);
    kernel.setArg(1, output_buffer_.buffer());
    kernel.setArg(2, input_.width);
    kernel.setArg(3, input_.height);
    kernel.setArg(4, framed_.width);
    kernel.setArg(5, output_.width);
  }

  /// Fills the output with wrong pixels, calls `launch`, which enqueues a kernel with these
  /// arguments, and compares the output with the reference.
  Verdict verify(const std::function<cl::Event()>& launch) {
    output_buffer_.poison(queue_);
    for (int y = 0; y < input_.height; y++) {  // with every bit turned around, none is right
      for (int x = 0; x < input_.width; x++) {
        output_.pixels[output_.index(x, y)] = ~reference_.at(x, y);
      }
    }
    queue_.enqueueWriteBuffer(
        output_buffer_.buffer(), CL_TRUE, 0, output_.size_bytes(), output_.pixels.data());
    launch();
    queue_.enqueueReadBuffer(
        output_buffer_.buffer(), CL_TRUE, 0, output_.size_bytes(), output_.pixels.data());
    for (int y = 0; y < input_.height; y++) {
      std::copy_n(
          &output_.pixels[output_.index(0, y)], input_.width, &result_.pixels[result_.index(0, y)]);
    }
    return check_median(input_, reference_, result_, output_buffer_.damage(queue_));
  }

 private:
  cl::CommandQueue queue_;
  Picture input_, reference_, result_;
  Picture framed_, output_;  // as the buffers have them
  cl::Buffer input_buffer_;
  GuardedBuffer output_buffer_;
};

}  // namespace tutorial
