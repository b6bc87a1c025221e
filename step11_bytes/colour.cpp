#include "step11_bytes/colour.hpp"

#include <fmt/format.h>

#include <ranges>

#include "common/device.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"

namespace tutorial::step11 {
namespace {

/// Filters one channel; `label` becomes that of the kernel that did it.
ByteImage filtered(
    const Options& options, const cl::CommandQueue& queue, const Image& channel,
    std::string& label) {
  const Filter filter = make_filter(options.filter, options.filter_widths.back(), options.seed);
  ByteWork work(queue, channel, filter, byte_room);
  for (const KernelEntry& entry : options.kernels | std::views::reverse) {
    try {
      const Launch launch = work.launch(entry);
      label = entry.label;
      if (!work.verify(launch).passed) {
        throw Error(fmt::format("{}: {} is wrong", options.output, label));
      }
      return to_bytes(work.result());
    } catch (const CannotRun&) {  // the one before
    }
  }
  throw NothingRan();
}

}  // namespace

void write_in_colour(const Options& options) {
  if (options.input.empty() || !options.output.ends_with(".png") ||
      !read_image(options.input).was_colored) {
    return;
  }
  const cl::Device device = select_device(options.device);
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  const RgbaImage photo = read_rgba_image(options.input);
  std::string samples(4 * photo.pixels.size(), '\xff');
  std::string label;
  for (int c = 0; c < 3; c++) {
    Image channel(photo.width, photo.height);
    for (std::size_t i = 0; i < channel.size(); i++) {
      channel.pixels[i] = float(photo.pixels[i] >> 8 * c & 255) / 255.0F;
    }
    const ByteImage result = filtered(options, queue, channel, label);
    for (std::size_t i = 0; i < channel.size(); i++) {
      samples[4 * i + c] = char(result.pixels[i]);
    }
  }
  write_png(options.output, photo.width, photo.height, samples);
  fmt::print("{}: in colour, each channel by {}\n", options.output, label);
}

}  // namespace tutorial::step11
