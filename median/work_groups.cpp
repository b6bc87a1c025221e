// How many work-items make a good work-group? The whole picture in work-groups of 1 to 1024
// work-items, all in a row, with a kernel that computes one pixel a work-item.
//
// A wide and low picture, e.g. --size 65536x64, is best: the NDRange is rounded up to whole
// work-groups, and there it grows least.
#include <fmt/format.h>

#include "common/device.hpp"
#include "common/lab/results.hpp"
#include "common/lab/timing.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "median/device_picture.hpp"

namespace {

double noise = 0.0;

const tutorial::ProgramInfo info = {
    .title = "Median filter: time over the size of the work-group",
    .kernel_file = KERNEL_FILE,
    .kernels = {},  // there is nothing to choose
    .filtered = false,
    .flags = {tutorial::noise_flag(noise)},
};

const std::string kernel_name = "medianfilter_rgba";
constexpr int filter_width = 3;

// Powers of two, their neighbours, and some that are multiples of neither 32 nor 64.
const std::vector<int> group_sizes = {1,   2,   4,   8,   16,  24,  31,  32,   33,   48,  63,  64,
                                      65,  96,  100, 127, 128, 129, 160, 192,  224,  255, 256, 257,
                                      320, 384, 500, 512, 513, 640, 768, 1000, 1023, 1024};

std::string label(int group_size) {
  return fmt::format("{}:{}", kernel_name, group_size);
}

int run(const tutorial::Options& given) {
  tutorial::Options options = given;
  options.filter = "median";        // for the head of the CSV
  options.kernels = {{label(64)}};  // the baseline

  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const tutorial::RgbaImage image = tutorial::load_rgba_image(options, noise);
  tutorial::Results results(options, device, tutorial::Image(image.width, image.height));
  tutorial::DevicePicture picture(queue, image);

  const auto make_kernel = [&](const std::string& build_options) {
    const cl::Program program =
        tutorial::build_program(context, device, options.kernel_file, build_options);
    cl::Kernel kernel(program, kernel_name.c_str());
    picture.set_arguments(kernel);
    return kernel;
  };
  const cl::Kernel usual_kernel = make_kernel("");
  const auto group_limit =
      static_cast<int>(usual_kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
  const auto device_limit = static_cast<int>(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());

  std::vector<tutorial::Variant> variants;
  for (const int size : group_sizes) {
    const cl::NDRange local(size, 1);
    // A larger group than the compiler prepared the kernel for: build it anew, for that very size.
    const cl::Kernel kernel = size <= group_limit || size > device_limit
                                  ? usual_kernel
                                  : make_kernel("-DWORK_GROUP_SIZE=" + std::to_string(size));
    if (const auto problem = tutorial::why_not(device, {label(size)}, kernel, local)) {
      results.skip(label(size), filter_width, *problem);
      continue;
    }
    const cl::NDRange global = tutorial::round_up(cl::NDRange(image.width, image.height), local);
    const auto launch = [&queue, kernel, global, local] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
      return event;
    };
    const auto verify = [&picture, launch] { return picture.verify(launch); };
    if (const auto verdict = results.verify(label(size), filter_width, verify)) {
      variants.push_back({label(size), local, verdict->max_error, launch, verify});
    }
  }
  if (!options.verify_only) {
    results.add(filter_width, {tutorial::measure(variants, options.time_budget_s)});
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
