// What the programs that run kernels of median.cl share: a picture on the device, and its median.
#pragma once

#include <functional>
#include <string>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "median/pixels.hpp"

namespace tutorial {

/// The compiler option that tells an NVIDIA GPU's generation, so that only a GPU that has the
/// instructions is given a kernel that names them; empty for all other devices.
std::string median_build_options(const cl::Device& device);

/// What a kernel of median.cl works on, and in which work-groups.
struct MedianShape {
  PixelFormat format;
  int block_width;  ///< pixels that one work-item computes
  int block_height;
  int group_width;  ///< work-items of a work-group, a row of them, if the device allows so many

  /// The work-group.
  cl::NDRange local(const cl::Device& device, const cl::Kernel& kernel) const;
  /// A work-item for each block of a picture's pixels, rounded up to whole work-groups.
  cl::NDRange global(const Picture& picture, const cl::NDRange& local) const;
};

/// A picture on the device, and room for its median.
///
/// The input has a frame of one pixel, so that no window leaves the buffer. Rows begin at multiples
/// of 64 pixels, and both buffers go on to whole blocks of 16 x 8 pixels, the input by a vector
/// more: so no kernel needs a part of a vector.
class DevicePicture {
 public:
  /// Converts `image` to `format`, computes its median on the host, and uploads it. Throws
  /// cl::Error if the device does not have enough memory.
  DevicePicture(
      const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue,
      const RgbaImage& image, PixelFormat format);

  const Picture& input() const { return input_; }
  /// What the host computed.
  const Picture& reference() const { return reference_; }
  /// What the device computed when `verify` was called last.
  const Picture& result() const { return result_; }

  /// Sets a kernel's arguments, the same for all: input, output, width, height, and the pixels from
  /// a row to the next of the input and of the output. Buffers live as long as this object.
  void set_arguments(cl::Kernel& kernel) const;

  /// Fills the output with wrong pixels, calls `launch`, which enqueues a kernel with these
  /// arguments, and compares the output with the reference.
  Verdict verify(const std::function<cl::Event()>& launch);

 private:
  cl::CommandQueue queue_;
  Picture input_;
  Picture reference_;
  Picture result_;
  int input_pitch_;   // pixels
  int output_pitch_;  // pixels
  int output_rows_;
  cl::Buffer input_buffer_;
  GuardedBuffer output_buffer_;
};

}  // namespace tutorial
