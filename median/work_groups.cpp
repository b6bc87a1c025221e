// How many work-items make a good work-group? The whole picture in work-groups of 1 to 1024
// work-items, all in a row, with the kernels that compute one pixel a work-item.
//
// A wide and low picture, e.g. --size 65536x64, is best: the NDRange is rounded up to whole
// work-groups, and there it grows least.
#include <fmt/format.h>

#include "common/device.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "median/device_picture.hpp"

namespace {

// The pixels of each kernel.
const std::vector<tutorial::PixelFormat> formats = {
    tutorial::PixelFormat::rgba_luminance, tutorial::PixelFormat::rgba_channels};

const tutorial::ProgramInfo info = {
    .title = "Median filter: time over the size of the work-group",
    .kernel_file = KERNEL_FILE,
    .kernels = {{"medianfilter_rgba"}, {"median_channels"}},
    .filtered = false,
    .salt_and_pepper = true,
    .against = false,
};

constexpr int filter_width = 3;

// Powers of two, their neighbours, and some that are multiples of neither 32 nor 64.
const std::vector<int> group_sizes = {1,   2,   4,   8,   16,  24,  31,  32,   33,   48,  63,  64,
                                      65,  96,  100, 127, 128, 129, 160, 192,  224,  255, 256, 257,
                                      320, 384, 500, 512, 513, 640, 768, 1000, 1023, 1024};

int run(const tutorial::Options& given) {
  tutorial::Options options = given;
  options.filter = "median";  // for the head of the CSV

  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const tutorial::RgbaImage image = tutorial::load_rgba_image(options);
  const int width = image.width;
  const int height = image.height;
  tutorial::Results results(options, device, tutorial::Image(width, height));
  const cl::Program program = tutorial::build_program(context, device, options.kernel_file, "");
  const auto device_limit = static_cast<int>(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());

  for (const tutorial::KernelEntry& entry : options.kernels) {
    const std::string& label = entry.label;
    const std::string name = entry.name();
    tutorial::DevicePicture picture(context, device, queue, image, formats[entry.row]);
    const auto make_kernel = [&picture, &name](const cl::Program& built) {
      cl::Kernel made(built, name.c_str());
      picture.set_arguments(made);
      return made;
    };
    const cl::Kernel usual_kernel = make_kernel(program);
    const auto group_limit =
        static_cast<int>(usual_kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));

    std::vector<tutorial::Variant> variants;
    for (const int size : group_sizes) {
      const cl::NDRange local(size, 1);
      // A larger group than the compiler prepared the kernel for: build it anew, for that very
      // size.
      const cl::Kernel kernel = size <= group_limit || size > device_limit
                                    ? usual_kernel
                                    : make_kernel(tutorial::build_program(
                                          context, device, options.kernel_file,
                                          "-DWORK_GROUP_SIZE=" + std::to_string(size)));
      if (const auto problem = tutorial::why_not(device, entry, kernel, local)) {
        results.skip(fmt::format("{}:{}", label, size), filter_width, *problem);
        continue;
      }
      const int columns = tutorial::round_up(width, size);
      const std::string sized = fmt::format("{}:{}", label, size);
      const auto launch = [&queue, kernel, columns, height, size] {
        cl::Event event;
        queue.enqueueNDRangeKernel(
            kernel, cl::NullRange, cl::NDRange(columns, height), cl::NDRange(size, 1), nullptr,
            &event);
        return event;
      };
      const tutorial::Verdict verdict = picture.verify(launch);
      if (results.verify(sized, filter_width, verdict)) {
        variants.push_back({sized, local, verdict.max_error, launch});
      }
    }
    if (options.verify_only || variants.empty()) {
      continue;
    }
    results.add(filter_width, {tutorial::measure(variants, options.time_budget_s)});
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
