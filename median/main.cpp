// Median filter, 3 x 3: the published kernel, and how much further it can go.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/, or into device_picture.
#include <algorithm>

#include "common/device.hpp"
#include "common/lab/results.hpp"
#include "common/lab/timing.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "median/device_picture.hpp"

namespace {

struct Kernel {
  const char* name;
  bool gray;        // its pixels are bytes, otherwise RGBA
  int block_width;  // pixels that one work-item computes
  int block_height;
  int group_width;  // work-items of a work-group, a row of them, if the device allows so many
};

// The first is the baseline of the table and chart.
const std::vector<Kernel> kernels = {
    {"medianfilter_rgba", false, 1, 1, 64},  {"median_gray", true, 1, 1, 64},
    {"median_gray_rows", true, 1, 8, 256},   {"median_gray_x16", true, 16, 8, 64},
    {"median_gray_packed", true, 16, 8, 64},
};

std::vector<tutorial::KernelEntry> kernel_entries() {
  std::vector<tutorial::KernelEntry> entries;
  for (const Kernel& kernel : kernels) {
    entries.push_back({kernel.name});
  }
  return entries;
}

double noise = 0.0;
std::string noisy;  // path

const tutorial::ProgramInfo info = {
    .title = "Median filter, 3 x 3: by luminance, and of grey pixels",
    .kernel_file = KERNEL_FILE,
    .kernels = kernel_entries(),
    .filtered = false,
    .flags =
        {tutorial::noise_flag(noise),
         {"--noisy", "FILE", "write what is filtered: the input with its noise", nullptr, &noisy}},
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

  const tutorial::RgbaImage image = tutorial::load_rgba_image(options, noise);
  tutorial::Results results(options, device, tutorial::Image(image.width, image.height));
  if (!noisy.empty()) {
    tutorial::write_picture(noisy, image);
  }

  // A GPU of NVIDIA's that has the instructions is given a kernel that names them.
  const std::string build_options =
      "-DCOMPUTE_CAPABILITY=" + std::to_string(tutorial::compute_capability(device));

  // Both on the device: input and output, and the median as the host computes it.
  tutorial::DevicePicture rgba(queue, image);
  tutorial::DevicePicture gray(queue, tutorial::to_gray(image));

  std::vector<tutorial::Variant> variants;
  const auto prepare = [&](const tutorial::KernelEntry& entry, auto& picture) {
    const Kernel& row = kernels[entry.row];
    cl::Kernel kernel(
        tutorial::build_program(context, device, entry.file, build_options), entry.name().c_str());
    picture.set_arguments(kernel);  // input, output, width, height, pitch of input and of output

    // The NDRange: a work-item for each block of pixels, rounded up to whole work-groups.
    const auto limit = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    const cl::NDRange local(std::min<std::size_t>(row.group_width, limit), 1);
    const cl::NDRange global = tutorial::round_up(
        cl::NDRange(
            tutorial::ceil_div(image.width, row.block_width),
            tutorial::ceil_div(image.height, row.block_height)),
        local);
    const auto launch = [&queue, kernel, global, local] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
      return event;
    };

    // Run once into an output where every pixel is wrong, read back, and check: now, and once more
    // after the timing.
    const auto verify = [&picture, launch] { return picture.verify(launch); };
    if (const auto verdict = results.verify(entry.label, filter_width, verify)) {
      variants.push_back({entry.label, local, verdict->max_error, launch, verify});
    }
    if (!options.output.empty() && &entry == &options.kernels.back()) {
      tutorial::write_picture(options.output, picture.result());
    }
  };
  for (const tutorial::KernelEntry& entry : options.kernels) {
    kernels[entry.row].gray ? prepare(entry, gray) : prepare(entry, rgba);
  }

  // Only what was right is timed: all variants against each other, round after round.
  if (!options.verify_only) {
    results.add(filter_width, {tutorial::measure(variants, options.time_budget_s)});
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
