// g++ -std=c++20 -O1 -fopenmp -I.. *.cpp ../common/*.cpp ../common/lab/*.cpp -lOpenCL -lfmt -lpng -lturbojpeg
//
// Read this file from top to bottom: it is a whole OpenCL program, which the line above builds, in
// this folder. What is not OpenCL stands in common/: image files, filters, checks, times, tables.
#include "common/benchmark.hpp"
#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/options.hpp"
#include "common/text.hpp"

namespace {

// In the order of the ladder.
const std::vector<tutorial::KernelEntry> kernels = {
    {"Convolve"},  // the baseline of every table and chart
};

const tutorial::ProgramInfo info = {
    .title = "Step 1: convolution with one work-item per output pixel",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
};

int run(const tutorial::Options& options) {
  // A device does the work, a context owns the memory and the programs, and a queue takes the
  // commands. With profiling enabled, every command's event knows when it started and ended.
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const tutorial::Image image = tutorial::load_image(options);
  tutorial::Benchmark benchmark(options, queue, image);

  for (const int filter_width : options.filter_widths) {
    // The host repeats the image's border once, so that no kernel has to test for edges.
    const tutorial::Filter filter =
        tutorial::make_filter(options.filter, filter_width, options.seed);
    const tutorial::Image input = tutorial::repeat_border(image, filter_width);

    // OpenCL C is compiled at run time, for the device at hand: each file of kernels is a program.
    const std::string build_options = options.build_options;
    const auto build = [&](const std::string& file) {
      cl::Program program(context, tutorial::read_text(file));
      program.build(device, build_options.c_str());
      return program;
    };
    const auto programs = benchmark.build(build, build_options);

    // Buffers live on the device. The output's has guard bands: the checker looks at these, and
    // whether a kernel has changed its input or the filter.
    const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, input.size_bytes());
    const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, filter.size_bytes());
    tutorial::GuardedBuffer output_buffer(context, device, image.size());
    queue.enqueueWriteBuffer(input_buffer, CL_TRUE, 0, input.size_bytes(), input.pixels.data());
    queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());
    output_buffer.watch(queue, {input_buffer, filter_buffer});

    for (const tutorial::KernelEntry& entry : options.kernels) {
      cl::Kernel kernel(programs.at(entry.file), entry.name().c_str());
      kernel.setArg(0, input_buffer);
      kernel.setArg(1, filter_buffer);
      kernel.setArg(2, output_buffer.buffer());
      kernel.setArg(3, input.width);
      kernel.setArg(4, filter.width);

      // The NDRange: one work-item for each output pixel; OpenCL chooses the work-groups.
      const cl::NDRange global(image.width, image.height);
      const cl::NDRange local = cl::NullRange;

      const auto launch = [&queue, kernel, global, local] {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
        return event;
      };
      benchmark.add(entry, kernel, local, launch);
    }

    const auto read = [&](tutorial::Image& output) {
      queue.enqueueReadBuffer(
          output_buffer.buffer(), CL_TRUE, 0, output.size_bytes(), output.pixels.data());
    };
    // Every kernel runs once into an output full of NaN, and each pixel is compared with a
    // reference. Only what was right is timed: all against each other, round after round.
    benchmark.run(filter, input, output_buffer, read);
  }

  return benchmark.finish();
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
