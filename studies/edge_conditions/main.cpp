// Edge conditions: six ways to smooth an image up to its edge, and what each of them costs.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/; the border rules, as the checker
// sees them, are in reference.cpp.
#include <algorithm>
#include <cstdio>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/image.hpp"
#include "common/lab/results.hpp"
#include "common/lab/timing.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "edge_conditions/reference.hpp"

namespace {

using edge_conditions::clamp_centre;
using edge_conditions::leave_out;
using edge_conditions::with_repeated_border;

enum class Input { pixels, padded, image };

// A kernel, what it reads and what it should write. What follows a colon names another way to
// launch the same kernel: with an NDRange that is a multiple of 8 columns wide.
struct Way {
  std::string label;
  Input input;
  tutorial::Reference (*expected)(const tutorial::Image&);
  int least_size = 1;       // of the image, columns and rows
  bool inner = false;       // computes the pixels that have all four neighbours, and no others
  int column_multiple = 1;  // of the columns that it computes
};

// Away from the edge the three rules are the same, so any of them will do for the interior.
const std::vector<Way> ways = {
    {"Smooth_Branches", Input::pixels, leave_out},  // the baseline of every table and chart
    {"Smooth_Padded", Input::padded, with_repeated_border},
    {"Smooth_Clamp", Input::pixels, clamp_centre, 3},
    {"Smooth_Clamp_Neighbours", Input::pixels, with_repeated_border},
    {"Smooth_Interior", Input::pixels, with_repeated_border, 3, true},
    {"Smooth_Interior:multiple_of_8", Input::pixels, with_repeated_border, 3, true, 8},
    {"Smooth_Image", Input::image, with_repeated_border},
};

std::vector<tutorial::KernelEntry> kernels() {
  std::vector<tutorial::KernelEntry> entries;
  for (const Way& way : ways) {
    entries.push_back({.label = way.label, .image = way.input == Input::image});
  }
  return entries;
}

// A pixel and its neighbours span 3 x 3 pixels. The tables and the CSV call that the filter width.
constexpr int filter_width = 3;

const tutorial::ProgramInfo info = {
    .title = "Six ways to smooth an image up to its edge, and what each of them costs",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels(),
    .filtered = false,
};

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

  // The same pixels three times on the device: as they are, with a border one pixel wide, and as an
  // image, which is no array but an object that only a sampler reads.
  const tutorial::Image padded = tutorial::repeat_border(image, filter_width);
  const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, image.size_bytes());
  const cl::Buffer padded_buffer(context, CL_MEM_READ_ONLY, padded.size_bytes());
  queue.enqueueWriteBuffer(input_buffer, CL_TRUE, 0, image.size_bytes(), image.pixels.data());
  queue.enqueueWriteBuffer(padded_buffer, CL_TRUE, 0, padded.size_bytes(), padded.pixels.data());
  const cl::Image2D input_image = tutorial::upload_image(context, queue, image);
  tutorial::GuardedBuffer output_buffer(context, device, result.size());
  output_buffer.watch(queue, {input_buffer, padded_buffer});

  std::vector<tutorial::Variant> variants;
  for (const tutorial::KernelEntry& entry : options.kernels) {
    const std::string& label = entry.label;
    const Way& way = ways[entry.row];
    if (entry.image && input_image() == nullptr) {
      results.skip(label, filter_width, tutorial::no_image);
      continue;
    }
    if (std::min(image.width, image.height) < way.least_size) {
      results.skip(label, filter_width, "no pixel has all four neighbours");
      continue;
    }

    cl::Kernel kernel(
        tutorial::build_program(context, device, entry.file, ""), entry.name().c_str());
    if (way.input == Input::image) {
      kernel.setArg(0, input_image);
    } else {
      kernel.setArg(0, way.input == Input::padded ? padded_buffer : input_buffer);
    }
    kernel.setArg(1, output_buffer.buffer());
    kernel.setArg(2, image.width);
    kernel.setArg(3, image.height);

    // The NDRange is what the kernel writes: the image, or the part of it whose pixels have all
    // four neighbours. That part begins at (1, 1), and get_global_id counts from there.
    edge_conditions::Rectangle written{0, 0, image.width, image.height};
    if (way.inner) {
      written = {1, 1, image.width - 2, image.height - 2};
      // Whole groups of 8 columns; up to 7 columns of the interior are then not computed.
      written.width = written.width / way.column_multiple * way.column_multiple;
      if (written.width == 0) {
        results.skip(label, filter_width, "fewer than 8 columns have all their neighbours");
        continue;
      }
      std::printf(
          "%s writes %d x %d pixels at (1, 1), leaves %lld\n", label.c_str(), written.width,
          written.height, all_pixels - static_cast<long long>(written.width) * written.height);
    }
    const cl::NDRange offset(written.x, written.y);
    const cl::NDRange global(written.width, written.height);

    const auto launch = [&queue, kernel, offset, global] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, offset, global, cl::NullRange, nullptr, &event);
      return event;
    };

    // Run once into an output full of garbage. What the kernel has no business with must be garbage
    // still.
    const auto verify = [&, launch, written, expected = way.expected] {
      output_buffer.poison(queue);
      queue.enqueueReadBuffer(
          output_buffer.buffer(), CL_TRUE, 0, before.size_bytes(), before.pixels.data());
      launch();
      queue.enqueueReadBuffer(
          output_buffer.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
      return edge_conditions::check_rectangle(
          expected(image), written, before, result, output_buffer.damage(queue));
    };
    if (const auto verdict = results.verify(label, filter_width, verify)) {
      variants.push_back({label, cl::NullRange, verdict->max_error, launch, verify});
    }
  }

  // Only what was right is timed: all variants against each other, round after round.
  if (!options.verify_only) {
    results.add(filter_width, {tutorial::measure(variants, options.time_budget_s)});
  }

  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
