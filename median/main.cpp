// Median filter, 3 x 3: the published kernels, and how much further they can go.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/pixels.hpp"
#include "common/program.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "common/work_group.hpp"

namespace {

using tutorial::PixelFormat;

struct Kernel {
  std::string name;
  PixelFormat format;
  int block_width;  // pixels that one work-item computes
  int block_height;
  int group_width;  // work-items of a work-group, a row of them, if the device allows so many
};

// The first is the baseline of the table and chart.
const std::vector<Kernel> kernels = {
    {"medianfilter_rgba", PixelFormat::rgba_luminance, 1, 1, 64},
    {"medianfilter_x4", PixelFormat::rgba_luminance, 4, 1, 64},
    {"median_channels", PixelFormat::rgba_channels, 1, 1, 64},
    {"median_channels_x4", PixelFormat::rgba_channels, 4, 1, 64},
    {"median_gray", PixelFormat::gray, 1, 1, 64},
    {"median_gray_rows", PixelFormat::gray, 1, 8, 256},
    {"median_gray_x16", PixelFormat::gray, 16, 8, 64},
    {"median_gray_packed", PixelFormat::gray, 16, 8, 64},
    {"median_float", PixelFormat::real, 1, 1, 64},
    {"median_float_x4", PixelFormat::real, 4, 8, 64},
};

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  std::transform(kernels.begin(), kernels.end(), std::back_inserter(names), [](const Kernel& k) {
    return k.name;
  });
  return names;
}

const tutorial::ProgramInfo info = {
    .title = "Median filter, 3 x 3: by luminance, by channel, on bytes and on floats",
    .kernel_file = KERNEL_FILE,
    .kernels = kernel_names(),
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
  const int width = image.width;
  const int height = image.height;
  tutorial::Results results(options, device, tutorial::Image(width, height));

  // Only a GPU that has the instructions is given a kernel that names them.
  std::string build_options;
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_device_attribute_query") !=
      std::string::npos) {
    const cl_uint major = device.getInfo<CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV>();
    const cl_uint minor = device.getInfo<CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV>();
    build_options = "-DCOMPUTE_CAPABILITY=" + std::to_string(10 * major + minor);
  }
  const cl::Program program = tutorial::build_program(context, device, options, build_options);

  // The input has a frame of one pixel, so that no window leaves the buffer. Rows begin at
  // multiples of 64 pixels, and both buffers go on to whole blocks of 16 x 8 pixels, the input by a
  // vector more: so no kernel needs a part of a vector.
  const int input_pitch = tutorial::round_up(width + 20, 64);
  const int output_pitch = tutorial::round_up(width, 64);
  const int output_rows = tutorial::round_up(height, 8);
  const int input_rows = output_rows + 2;

  // One input, reference and pair of buffers for each pixel format; a kernel does not keep its
  // buffers alive, so they are collected here.
  tutorial::Picture input;
  tutorial::Picture reference;
  tutorial::Picture result;
  std::vector<cl::Buffer> input_buffers;
  std::vector<tutorial::GuardedBuffer> output_buffers;
  std::vector<tutorial::Variant> variants;

  for (const auto& [label, name] : options.kernels) {
    const Kernel& shape = *std::find_if(
        kernels.begin(), kernels.end(),
        [&name = name](const Kernel& kernel) { return kernel.name == name; });

    if (output_buffers.empty() || shape.format != input.format) {
      input = tutorial::make_picture(image, shape.format);
      reference = tutorial::median_reference(input);
      result = input;
      const std::vector<std::uint8_t> framed = tutorial::padded(input, input_pitch, input_rows, 1);
      input_buffers.emplace_back(context, CL_MEM_READ_ONLY, framed.size());
      queue.enqueueWriteBuffer(input_buffers.back(), CL_TRUE, 0, framed.size(), framed.data());
      const std::size_t output_bytes = input.pixel_bytes() * output_pitch * output_rows;
      output_buffers.emplace_back(context, device, output_bytes / sizeof(cl_float));
    }
    const tutorial::GuardedBuffer& output_buffer = output_buffers.back();

    cl::Kernel kernel(program, name.c_str());
    kernel.setArg(0, input_buffers.back());
    kernel.setArg(1, output_buffer.buffer());
    kernel.setArg(2, width);
    kernel.setArg(3, height);
    kernel.setArg(4, input_pitch);
    kernel.setArg(5, output_pitch);

    // The NDRange: a work-item for each block of pixels, rounded up to whole work-groups.
    const int columns = tutorial::round_up(width, shape.block_width) / shape.block_width;
    const int rows = tutorial::round_up(height, shape.block_height) / shape.block_height;
    const int group_width = std::min(
        shape.group_width,
        static_cast<int>(kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device)));
    const cl::NDRange global(tutorial::round_up(columns, group_width), rows);
    const cl::NDRange local(group_width, 1);

    const auto launch = [&queue, kernel, global, local] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
      return event;
    };

    // Run once into an output where every pixel is wrong, read back, and check.
    output_buffer.poison(queue);
    const std::vector<std::uint8_t> wrong =
        tutorial::padded(tutorial::inverted(reference), output_pitch, output_rows, 0);
    queue.enqueueWriteBuffer(output_buffer.buffer(), CL_TRUE, 0, wrong.size(), wrong.data());
    launch();
    // Of the device's rows, the first bytes are the picture: a rectangle of row_bytes x height x 1.
    queue.enqueueReadBufferRect(
        output_buffer.buffer(), CL_TRUE, {0, 0, 0}, {0, 0, 0},
        {input.row_bytes(), static_cast<std::size_t>(height), 1},
        input.pixel_bytes() * output_pitch, 0, input.row_bytes(), 0, result.bytes.data());
    const tutorial::Verdict verdict =
        tutorial::check_median(input, reference, result, output_buffer.guards_intact(queue));
    if (results.verify(label, filter_width, verdict)) {
      variants.push_back({label, local, verdict.max_error, launch});
    }
  }

  // Only what was right is timed: all variants against each other, round after round.
  if (!options.verify_only) {
    results.add(filter_width, tutorial::measure(variants, options.time_budget_s));
  }

  // The last kernel's result, and beside it what it was made from.
  if (!options.output.empty()) {
    const std::filesystem::path after = options.output;
    std::filesystem::path before = after;
    before.replace_filename(after.stem().string() + "-before" + after.extension().string());
    tutorial::write_picture(before.string(), input);
    tutorial::write_picture(after.string(), result);
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
