// Edge conditions: five ways to smooth an image up to its edge, and what each of them costs.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/; the border rules, as the checker
// sees them, are in reference.cpp.
#include <algorithm>
#include <cstdio>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "edge_conditions/reference.hpp"

namespace {

// What follows a colon names another way to launch the same kernel: with an NDRange that is a
// multiple of 8 columns wide.
const std::vector<tutorial::KernelEntry> kernels = {
    {"Smooth_Branches"},  // the baseline of every table and chart
    {"Smooth_Padded"},   {"Smooth_Clamp"}, {"Smooth_Interior"}, {"Smooth_Interior:multiple_of_8"},
    {"Smooth_Image"},
};

// A pixel and its neighbours span 3 x 3 pixels. The tables and the CSV call that the filter width.
constexpr int filter_width = 3;

const tutorial::ProgramInfo info = {
    .title = "Five ways to smooth an image up to its edge, and what each of them costs",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
    .filtered = false,
};

// Why `image` cannot be an OpenCL image with one float per pixel on this device; empty if it can.
// OpenCL 1.2 promises devices without images nothing, and those with images only four floats per
// pixel (CL_RGBA); most have one float (CL_R) too, but a program has to ask.
std::string image_problem(
    const cl::Context& context, const cl::Device& device, const tutorial::Image& image) {
  if (device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() == CL_FALSE) {
    return "the device has no images";
  }
  std::vector<cl::ImageFormat> formats;
  context.getSupportedImageFormats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &formats);
  if (std::none_of(formats.begin(), formats.end(), [](const cl::ImageFormat& format) {
        return format.image_channel_order == CL_R && format.image_channel_data_type == CL_FLOAT;
      })) {
    return "the device has no images with one float per pixel (CL_R, CL_FLOAT)";
  }
  const std::size_t most_columns = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
  const std::size_t most_rows = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
  if (static_cast<std::size_t>(image.width) > most_columns ||
      static_cast<std::size_t>(image.height) > most_rows) {
    return "the device's images are at most " + std::to_string(most_columns) + " x " +
           std::to_string(most_rows);
  }
  return {};
}

int run(const tutorial::Options& given) {
  tutorial::Options options = given;
  options.filter = "mean of a pixel and its four neighbours";  // for the head of the CSV

  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const tutorial::Image image = tutorial::load_image(options);
  tutorial::Image before(image.width, image.height);
  tutorial::Image result(image.width, image.height);
  tutorial::Results results(options, device, image);

  // How many pixels is all this about?
  const long long edge_pixels = edge_conditions::edge_pixels(image.width, image.height);
  const auto all_pixels = static_cast<long long>(image.size());
  std::printf(
      "edge    %lld of %lld pixels lack a neighbour, %.2f %%\n", edge_pixels, all_pixels,
      100.0 * static_cast<double>(edge_pixels) / static_cast<double>(all_pixels));

  // Without images, the kernel that reads one is left out.
  const std::string no_image = image_problem(context, device, image);
  if (!no_image.empty() && std::erase_if(options.kernels, [](const tutorial::KernelEntry& entry) {
                             return entry.label == "Smooth_Image";
                           }) > 0) {
    results.skip("Smooth_Image", filter_width, no_image);
  }
  const cl::Program program = tutorial::build_program(context, device, options.kernel_file, "");

  // The same pixels three times on the device: as they are, with a border one pixel wide, and as an
  // image, which is no array but an object that only a sampler reads.
  const tutorial::Image padded = tutorial::repeat_border(image, filter_width);
  const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, image.size_bytes());
  const cl::Buffer padded_buffer(context, CL_MEM_READ_ONLY, padded.size_bytes());
  queue.enqueueWriteBuffer(input_buffer, CL_TRUE, 0, image.size_bytes(), image.pixels.data());
  queue.enqueueWriteBuffer(padded_buffer, CL_TRUE, 0, padded.size_bytes(), padded.pixels.data());
  cl::Image2D input_image;
  if (no_image.empty()) {
    const auto columns = static_cast<std::size_t>(image.width);
    const auto rows = static_cast<std::size_t>(image.height);
    input_image =
        cl::Image2D(context, CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_FLOAT), columns, rows);
    queue.enqueueWriteImage(
        input_image, CL_TRUE, {0, 0, 0}, {columns, rows, 1}, 0, 0, image.pixels.data());
  }
  const tutorial::GuardedBuffer output_buffer(context, device, result.size());

  std::vector<tutorial::Variant> variants;
  for (const tutorial::KernelEntry& entry : options.kernels) {
    const std::string& label = entry.label;
    const std::string name = entry.name();
    const bool inner = name == "Smooth_Interior";
    if ((inner || name == "Smooth_Clamp") && (image.width < 3 || image.height < 3)) {
      results.skip(label, filter_width, "no pixel has all four neighbours");
      continue;
    }

    cl::Kernel kernel(program, name.c_str());
    if (name == "Smooth_Image") {
      kernel.setArg(0, input_image);
    } else {
      kernel.setArg(0, name == "Smooth_Padded" ? padded_buffer : input_buffer);
    }
    kernel.setArg(1, output_buffer.buffer());
    kernel.setArg(2, image.width);
    kernel.setArg(3, image.height);

    // The NDRange is what the kernel writes: the image, or the part of it whose pixels have all
    // four neighbours. That part begins at (1, 1), and get_global_id counts from there.
    edge_conditions::Rectangle written{0, 0, image.width, image.height};
    if (inner) {
      written = {1, 1, image.width - 2, image.height - 2};
      if (label.starts_with("Smooth_Interior:multiple_of_8")) {
        // Whole groups of 8 columns; up to 7 columns of the interior are then not computed.
        written.width = written.width / 8 * 8;
        if (written.width == 0) {
          results.skip(label, filter_width, "fewer than 8 columns have all their neighbours");
          continue;
        }
      }
      std::printf(
          "%s writes %d x %d pixels at (1, 1), leaves %lld\n", label.c_str(), written.width,
          written.height, all_pixels - static_cast<long long>(written.width) * written.height);
    }
    const cl::NDRange offset(written.x, written.y);
    const cl::NDRange global(written.width, written.height);
    const cl::NDRange local = cl::NullRange;

    const auto launch = [&queue, kernel, offset, global, local] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, offset, global, local, nullptr, &event);
      return event;
    };

    // Run once into an output full of NaN. What the kernel has no business with must be NaN still.
    output_buffer.poison(queue);
    queue.enqueueReadBuffer(
        output_buffer.buffer(), CL_TRUE, 0, before.size_bytes(), before.pixels.data());
    launch();
    queue.enqueueReadBuffer(
        output_buffer.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
    // Away from the edge the three rules are the same, so any of them will do for the interior.
    const tutorial::Verdict verdict = edge_conditions::check_rectangle(
        name == "Smooth_Branches" ? edge_conditions::leave_out(image)
        : name == "Smooth_Clamp"  ? edge_conditions::clamp_centre(image)
                                  : edge_conditions::repeat_border(image),
        written, before, result, output_buffer.guards_intact(queue));
    if (results.verify(label, filter_width, verdict)) {
      variants.push_back({label, local, verdict.max_error, launch});
    }
  }

  // Only what was right is timed: all variants against each other, round after round.
  if (!options.verify_only) {
    results.add(filter_width, tutorial::measure(variants, options.time_budget_s));
  }

  if (!options.output.empty()) {
    tutorial::write_image(options.output, result);
  }
  return results.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
