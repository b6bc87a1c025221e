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
    {"Convolve_Unroll"},
    {"Convolve_UnrollIf"},
    {"Convolve_Def"},
    {"Convolve_Def_Unroll"},
    {"Convolve_Def_UnrollIf"},
    {"Convolve_Def_UnrollAll"},
    {.label = "Convolve_Local", .tile = true},
    {.label = "Convolve_Def_Local_Unroll", .tile = true},
    {.label = "Convolve_Def_Local_UnrollAll", .tile = true},
    {.label = "Convolve_Image", .image = true},
    {"Convolve_Float4"},
    {"Convolve_Float4If"},
    {"Convolve_Def_Float4"},
    {"Convolve_Def_Float4If"},
    {.label = "Convolve_Local_Read4", .tile = true, .group_multiple = 4},
    {.label = "Convolve_Local_Read4_UnrollAll", .tile = true, .group_multiple = 4},
    {.label = "Convolve_Local:tight", .tile = true},
};

const tutorial::ProgramInfo info = {
    .title = "Step 6: four floats at a time, from aligned rows",
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
  // An OpenCL image is read through a sampler, which repeats the border by itself.
  const cl::Memory input_image = tutorial::upload_image(context, queue, image);

  for (const int filter_width : options.filter_widths) {
    // The host repeats the image's border once, so that no kernel has to test for edges.
    const tutorial::Filter filter =
        tutorial::make_filter(options.filter, filter_width, options.seed);
    const tutorial::Image input = tutorial::repeat_border(image, filter_width);

    // OpenCL C is compiled at run time, for the device at hand and for the filter width too.
    const std::string build_options =
        "-DFILTER_WIDTH=" + std::to_string(filter_width) + options.build_options;
    const auto build = [&](const std::string& file) {
      cl::Program program(context, tutorial::read_text(file));
      program.build(device, build_options.c_str());
      return program;
    };
    const auto programs = benchmark.build(build, build_options);

    // On the device every row of the input begins at a multiple of 16 floats, or 64 bytes. The
    // columns that this adds are never part of a result; they are zeroed to hold something.
    const int pitch = tutorial::round_up(input.width, 16);
    const std::size_t pitch_bytes = sizeof(float) * pitch;
    const std::size_t row_bytes = sizeof(float) * input.width;
    const std::size_t rows = input.height;

    // Buffers live on the device. The output's has guard bands: the checker looks at these, and
    // whether a kernel has changed its input or the filter.
    const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, pitch_bytes * rows);
    const cl::Buffer tight_buffer(context, CL_MEM_READ_ONLY, input.size_bytes());
    const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, filter.size_bytes());
    tutorial::GuardedBuffer output_buffer(context, device, image.size());
    // A rectangle of the host's rows goes into the device's longer rows. The first number of an
    // origin and of the region is in bytes, the second in rows; both pitches are in bytes.
    queue.enqueueFillBuffer(input_buffer, 0.0F, 0, pitch_bytes * rows);
    queue.enqueueWriteBufferRect(
        input_buffer, CL_TRUE, {0, 0, 0}, {0, 0, 0}, {row_bytes, rows, 1}, pitch_bytes, 0,
        row_bytes, 0, input.pixels.data());
    queue.enqueueWriteBuffer(tight_buffer, CL_TRUE, 0, input.size_bytes(), input.pixels.data());
    queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());
    output_buffer.watch(queue, {input_buffer, tight_buffer, filter_buffer});

    for (const tutorial::KernelEntry& entry : options.kernels) {
      if (entry.image && input_image() == nullptr) {
        benchmark.skip(entry, tutorial::no_image);
        continue;
      }
      cl::Kernel kernel(programs.at(entry.file), entry.name().c_str());
      // Convolve_Local once more on rows as long as the image, to see what longer rows change.
      const bool tight = entry.label == kernels.back().label;
      kernel.setArg(0, entry.image ? input_image : tight ? tight_buffer : input_buffer);
      kernel.setArg(1, filter_buffer);
      kernel.setArg(2, output_buffer.buffer());
      kernel.setArg(3, tight ? input.width : pitch);
      kernel.setArg(4, filter.width);

      // The NDRange: one work-item for each output pixel; OpenCL chooses the work-groups.
      cl::NDRange global(image.width, image.height);
      cl::NDRange local = cl::NullRange;
      std::size_t tile_bytes = 0;

      // A kernel with local memory needs whole work-groups of a known size. So its NDRange is
      // rounded up, and it gets the image's true size, and room for a tile and its halo.
      if (entry.tile) {
        const int group_width = options.work_group.width;
        const int group_height = options.work_group.height;
        local = cl::NDRange(group_width, group_height);
        global = tutorial::round_up(global, local);
        // The tile's rows are rounded up to whole float4s, for Convolve_Local_Read4.
        tile_bytes = sizeof(float) * tutorial::round_up(group_width + filter_width - 1, 4) *
                     (group_height + filter_width - 1);
        kernel.setArg(5, image.width);
        kernel.setArg(6, image.height);
        kernel.setArg(7, cl::Local(tile_bytes));
      }

      const auto launch = [&queue, kernel, global, local] {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
        return event;
      };
      benchmark.add(entry, kernel, local, launch, tile_bytes);
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
