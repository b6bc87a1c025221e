#include "step11_bytes/colour.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/device.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"

namespace tutorial::step11 {
namespace {

/// The kernel that needs the shortest time for a channel, in a few runs of each: one of those on
/// bytes, or of all if none of these runs here.
const KernelEntry& fastest(
    const std::vector<KernelEntry>& kernels, const ByteWork& work, bool on_floats = false) {
  std::vector<Variant> variants;
  std::vector<const KernelEntry*> entries;
  for (const KernelEntry& entry : kernels) {
    try {
      const Launch launch = work.launch(entry);
      if ((launch.pixels == Launch::Pixels::floats) == on_floats) {
        entries.push_back(&entry);
        const auto run = [launch, &work] { return launch(work.queue); };
        variants.push_back({entry.label, launch.local, 0.0, [run] { return run().back(); }});
        variants.back().run_ms = [run] { return total_ms(run()); };
      }
    } catch (const CannotRun&) {  // another one
    }
  }
  if (entries.size() < 2) {
    return !entries.empty() ? *entries[0]
           : on_floats      ? throw NothingRan()
                            : fastest(kernels, work, true);
  }
  const std::vector<Measurement> times = measure(variants, 0.0, 3);
  const auto best = std::ranges::min_element(
      times, {}, [](const Measurement& time) { return time.time_ms.median; });
  return *entries[best - times.begin()];
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
  const Filter filter = make_filter(options.filter, options.filter_widths.back(), options.seed);
  const KernelEntry* entry = nullptr;
  for (int c = 0; c < 3; c++) {
    Image channel(photo.width, photo.height);
    for (std::size_t i = 0; i < channel.size(); i++) {
      channel.pixels[i] = float(photo.pixels[i] >> 8 * c & 255) / 255.0F;
    }
    ByteWork work(queue, channel, filter, byte_room);
    entry = entry != nullptr ? entry : &fastest(options.kernels, work);
    if (!work.verify(work.launch(*entry)).passed) {
      throw Error(fmt::format("{}: {} is wrong", options.output, entry->label));
    }
    const ByteImage result = to_bytes(work.result());
    for (std::size_t i = 0; i < channel.size(); i++) {
      samples[4 * i + c] = char(result.pixels[i]);
    }
  }
  write_png(options.output, photo.width, photo.height, samples);
  fmt::print("{}: in colour, each channel by {}\n", options.output, entry->label);
}

}  // namespace tutorial::step11
