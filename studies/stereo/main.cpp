// Stereo matching, which METHOD.md makes faster step by step. A whole OpenCL program; what is not
// OpenCL (image files, checking, statistics, tables) is one call each into common/.
#include <algorithm>
#include <cmath>
#include <random>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/image.hpp"
#include "common/lab/results.hpp"
#include "common/lab/timing.hpp"
#include "common/lab/work.hpp"
#include "common/options.hpp"
#include "common/program.hpp"

namespace {

// What a work-item computes: a pixel, or a block.
const tutorial::Shape pixel = {.block = {1, 1}};
const tutorial::Shape vectors = {.block = {16, 16}, .block8 = {8, 16}};

const std::vector<tutorial::KernelEntry> kernels = {
    {.label = "Stereo", .shape = pixel, .fixed = true},            // the baseline
    {.label = "Stereo_Def", .shape = pixel, .fixed = true},        // constants, as in step 4
    {.label = "Stereo_Block16", .shape = vectors, .fixed = true},  // a block, as in step 7
    {.label = "Stereo_Whole", .shape = vectors, .fixed = true},    // its vectors kept whole
    {.label = "Stereo_Running", .shape = vectors, .fixed = true},  // less work
};

const tutorial::ProgramInfo info = {
    .title = "Stereo matching by sums of absolute differences; the filter's width is the window's",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
    .openmp = false,
};

// The left picture of a pair. The scene is a cone whose tip points at the cameras: its pixels are
// moved to the right by none, far from the middle, to one pixel more than the kernels try. With
// noise, so that the least sum often leads by little.
tutorial::Image make_left(const tutorial::Image& right, int disparities, std::uint32_t seed) {
  std::mt19937 random(seed);
  tutorial::Image left = right;
  const float middle_x = left.width / 2.0f, middle_y = left.height / 2.0f;
  for (int y = 0; y < left.height; y++) {
    for (int x = 0; x < left.width; x++) {
      const float far = std::hypot(x - middle_x, y - middle_y) / std::min(middle_x, middle_y);
      const int moved = std::max(0, int((disparities + 1) * (1 - far)));
      left.pixels[left.index(x, y)] = right.at(std::max(x - moved, 0), y) + float(random() % 5) - 2;
    }
  }
  return left;
}

// By the definition: the first disparity with the least sum. It is a whole number, so the kernels'
// tolerance is 0.
tutorial::Reference match(
    const tutorial::Image& right, const tutorial::Image& left, int window, int disparities,
    const tutorial::Image& image) {
  const std::vector<double> zeros(image.size());
  tutorial::Reference reference{image.width, image.height, zeros, zeros};
#pragma omp parallel for
  for (int y = 0; y < image.height; y++) {
    for (int x = 0; x < image.width; x++) {
      double least = INFINITY;
      for (int d = 0; d < disparities; d++) {
        double sum = 0;
        for (int i = 0; i < window * window; i++) {
          const int column = x + i % window, row = y + i / window;
          sum += std::abs(right.at(column, row) - left.at(column + d, row));
        }
        if (sum < least) {
          least = sum;
          reference.values[image.index(x, y)] = d;
        }
      }
    }
  }
  return reference;
}

int run(tutorial::Options options) {
  options.filter = "sums of absolute differences";  // for the head of the CSV
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  // Grey values are whole numbers: their sums are exact, and the same in any order.
  tutorial::Image image = tutorial::load_image(options);
  std::ranges::for_each(image.pixels, [](float& value) { value = std::round(255 * value); });
  const int disparities = std::min(16, image.width);
  const tutorial::Image left_image = make_left(image, disparities, options.seed);
  tutorial::Image result(image.width, image.height);
  tutorial::Results results(options, device, image);

  for (const int window : options.filter_widths) {
    const tutorial::Image right = tutorial::with_room(tutorial::repeat_border(image, window));
    const tutorial::Image left = tutorial::with_room(tutorial::repeat_border(left_image, window));
    const tutorial::Reference reference = match(right, left, window, disparities, image);

    const std::string build_options =
        "-DWINDOW=" + std::to_string(window) + " -DDISPARITIES=" + std::to_string(disparities) +
        " -DBLOCK_HEIGHT=16 -DVECTOR=" + std::to_string(tutorial::vector_width(device));
    const cl::Buffer right_buffer(context, CL_MEM_READ_ONLY, right.size_bytes());
    const cl::Buffer left_buffer(context, CL_MEM_READ_ONLY, left.size_bytes());
    tutorial::GuardedBuffer output_buffer(context, device, result.size());
    queue.enqueueWriteBuffer(right_buffer, CL_TRUE, 0, right.size_bytes(), right.pixels.data());
    queue.enqueueWriteBuffer(left_buffer, CL_TRUE, 0, left.size_bytes(), left.pixels.data());
    output_buffer.watch(queue, {right_buffer, left_buffer});
    std::vector<tutorial::Variant> variants;
    for (const tutorial::KernelEntry& entry : options.kernels) {
      cl::Kernel kernel(
          tutorial::build_program(context, device, entry.file, build_options),
          entry.name().c_str());
      kernel.setArg(0, right_buffer);
      kernel.setArg(1, left_buffer);
      kernel.setArg(2, output_buffer.buffer());
      kernel.setArg(3, right.width);
      kernel.setArg(4, window);
      kernel.setArg(5, disparities);
      kernel.setArg(6, result.width);
      kernel.setArg(7, result.height);
      // The NDRange: one work-item for each pixel or block; OpenCL chooses the work-groups.
      const auto [columns, rows] = tutorial::block_of(device, entry);
      const cl::NDRange global(
          tutorial::ceil_div(result.width, columns), tutorial::ceil_div(result.height, rows));
      const auto launch = [&queue, kernel, global] {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, cl::NullRange, nullptr, &event);
        return event;
      };

      // Run once into an output full of garbage, read back, and check against the reference.
      const auto verify = [&, launch] {
        output_buffer.poison(queue);
        launch();
        queue.enqueueReadBuffer(
            output_buffer.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
        return tutorial::check(reference, result, output_buffer.damage(queue));
      };
      if (const auto verdict = results.verify(entry.label, window, verify)) {
        variants.push_back({entry.label, cl::NullRange, verdict->max_error, launch, verify});
      }
    }

    // Only what was right is timed: all variants against each other, round after round.
    if (!options.verify_only) {
      results.add(window, {tutorial::measure(variants, options.time_budget_s)});
    }
  }
  // As a picture: black is far away.
  std::ranges::for_each(result.pixels, [=](float& value) { value /= disparities; });
  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
