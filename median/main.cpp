// Median filter, 3 x 3: the published kernels, and how much further they can go.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/, or into device_picture.
#include <algorithm>
#include <filesystem>

#include "common/device.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "median/device_picture.hpp"

namespace {

using tutorial::PixelFormat;

struct Kernel {
  std::string name;
  tutorial::MedianShape shape;  // pixel format, block of pixels per work-item, work-group
};

// The first is the baseline of the table and chart.
const std::vector<Kernel> kernels = {
    {"medianfilter_rgba", {PixelFormat::rgba_luminance, 1, 1, 64}},
    {"medianfilter_x4", {PixelFormat::rgba_luminance, 4, 1, 64}},
    {"median_channels", {PixelFormat::rgba_channels, 1, 1, 64}},
    {"median_channels_x4", {PixelFormat::rgba_channels, 4, 1, 64}},
    {"median_gray", {PixelFormat::gray, 1, 1, 64}},
    {"median_gray_rows", {PixelFormat::gray, 1, 8, 256}},
    {"median_gray_x16", {PixelFormat::gray, 16, 8, 64}},
    {"median_gray_packed", {PixelFormat::gray, 16, 8, 64}},
    {"median_float", {PixelFormat::real, 1, 1, 64}},
    {"median_float_x4", {PixelFormat::real, 4, 8, 64}},
};

std::vector<tutorial::KernelEntry> kernel_entries() {
  std::vector<tutorial::KernelEntry> entries;
  for (const Kernel& kernel : kernels) {
    entries.push_back({kernel.name});
  }
  return entries;
}

const tutorial::ProgramInfo info = {
    .title = "Median filter, 3 x 3: by luminance, by channel, on bytes and on floats",
    .kernel_file = KERNEL_FILE,
    .kernels = kernel_entries(),
    .filtered = false,
    .salt_and_pepper = true,
};

constexpr int filter_width = 3;

int run(const tutorial::Options& given) {
  tutorial::Options options = given;
  options.filter = "median";  // for the head of the CSV

  // A device does the work, a context owns the memory and the programs, and a queue takes the
  // commands. With profiling enabled, every command's event knows when it started and ended.
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const tutorial::RgbaImage image = tutorial::load_rgba_image(options);
  tutorial::Results results(options, device, tutorial::Image(image.width, image.height));

  const tutorial::Programs programs = tutorial::build_programs(
      context, device, options.kernels, tutorial::median_build_options(device));

  // One picture on the device for each pixel format: its input and output buffer, and its median,
  // computed on the host. A kernel does not keep its buffers alive, so they are collected here.
  std::vector<tutorial::DevicePicture> pictures;
  std::vector<tutorial::Variant> variants;

  for (const tutorial::KernelEntry& entry : options.kernels) {
    const std::string& label = entry.label;
    const std::string name = entry.name();
    const tutorial::MedianShape& shape = kernels[entry.row].shape;
    if (pictures.empty() || pictures.back().input().format != shape.format) {
      pictures.emplace_back(context, device, queue, image, shape.format);
    }
    tutorial::DevicePicture& picture = pictures.back();

    cl::Kernel kernel(programs.at(entry.file), name.c_str());
    picture.set_arguments(kernel);  // input, output, width, height, pitch of input and of output

    // The NDRange: a work-item for each block of pixels, rounded up to whole work-groups.
    const cl::NDRange local = shape.local(device, kernel);
    const cl::NDRange global = shape.global(picture.input(), local);
    const auto launch = [&queue, kernel, global, local] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
      return event;
    };

    // Run once into an output where every pixel is wrong, read back, and check: now, and once more
    // after the timing.
    const auto verify = [&pictures, place = pictures.size() - 1, launch] {
      return pictures[place].verify(launch);
    };
    if (const auto verdict = results.verify(label, filter_width, verify)) {
      variants.push_back({label, local, verdict->max_error, launch, verify});
    }
  }

  // Only what was right is timed: all variants against each other, round after round.
  if (!options.verify_only) {
    results.add(filter_width, {tutorial::measure(variants, options.time_budget_s)});
  }

  // The last kernel's result, and beside it what it was made from.
  if (!options.output.empty()) {
    const std::filesystem::path after = options.output;
    std::filesystem::path before = after;
    before.replace_filename(after.stem().string() + "-before" + after.extension().string());
    tutorial::write_picture(before.string(), pictures.back().input());
    tutorial::write_picture(after.string(), pictures.back().result());
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
