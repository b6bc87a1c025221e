// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/.
#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/launch.hpp"
#include "common/opencl.hpp"
#include "common/openmp.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/reference.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "roofline/ceilings.hpp"
#include "step10_fft/spectrum.hpp"
#include "step9_autotune/search.hpp"

namespace {

const std::string step7 = "../step7_register_block/";
const std::string step8 = "../step8_baked_filter/";
const std::string step10 = "../step10_fft/";
const tutorial::Block floats = {
    .width = 4, .height = 4, .multiple = 4, .device = CL_DEVICE_TYPE_GPU};
const tutorial::Block vectors = {
    .width = 64, .height = 4, .multiple = 16, .device = CL_DEVICE_TYPE_CPU};
const tutorial::Transform columns = {.tile = 64, .group = {64, 1}, .device = CL_DEVICE_TYPE_GPU};
const tutorial::Transform quarters = {.tile = 64, .group = {64, 4}, .device = CL_DEVICE_TYPE_GPU};
const tutorial::Transform squares = {
    .tile = 128, .lanes = 16, .group = {1, 1}, .device = CL_DEVICE_TYPE_CPU};

// In the order of the ladder.
const std::vector<tutorial::KernelEntry> kernels = {
    {"Convolve"},  // the baseline of every table and chart
    {"Convolve_Def"},
    {.label = "Convolve_Two", .file = step7 + "block.cl", .block = {2, 1}},
    {.label = "Convolve_Block", .file = step7 + "block.cl", .block = floats},
    {.label = "Convolve_Block_Restrict", .file = step7 + "block.cl", .block = floats},
    {.label = "Convolve_Block16", .file = step7 + "block16.cl", .block = vectors},
    {.label = "Convolve_Block16_Stream", .file = step7 + "block16.cl", .block = vectors},
    {.label = "Convolve_Baked", .file = step8 + "baked.cl", .block = floats},
    {.label = "Convolve_Baked16", .file = step8 + "baked16.cl", .block = vectors, .sparse = true},
    {.label = "Convolve_Fast", .file = step8 + "fast.cl", .block = floats, .pairs = true},
    {.label = "Convolve_Fft", .file = step10 + "fft.cl", .fft = columns},
    {.label = "Convolve_Fft_Shared", .file = step10 + "fft.cl", .fft = quarters},
    {.label = "Convolve_Fft16", .file = step10 + "fft16.cl", .fft = squares},
};

const tutorial::ProgramInfo info = {
    .title = "Step 10: wide filters by Fourier transforms",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
    .tuned = true,
};

int run(const tutorial::Options& options) {
  // A device does the work, a context owns the memory and the programs, and a queue takes the
  // commands. With profiling enabled, every command's event knows when it started and ended.
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const tutorial::Image image = tutorial::load_image(options);
  tutorial::Image result(image.width, image.height);
  tutorial::Results results(options, device, image);
  // Measures, in turns with the kernels, what this device can do at most: for the column "x floor".
  tutorial::CeilingMeter ceilings(queue, options, image);

  for (const int filter_width : options.filter_widths) {
    // The host repeats the image's border once, so that no kernel has to test for edges.
    const tutorial::Filter filter =
        tutorial::make_filter(options.filter, filter_width, options.seed);
    // Tiles at the right and lower edge read on beyond it, and rows begin at multiples of 64 bytes.
    const tutorial::Image input =
        tutorial::with_room(tutorial::repeat_border(image, filter_width), tutorial::tile_room);
    const tutorial::Reference reference = tutorial::convolve_reference(input, filter, image);

    // OpenCL C is compiled at run time, for the device at hand and for the filter width too.
    const std::string build_options = "-DFILTER_WIDTH=" + std::to_string(filter_width) +
                                      " -DINPUT_WIDTH=" + std::to_string(input.width) +
                                      " -DOUTPUT_WIDTH=" + std::to_string(result.width);

    // Buffers live on the device. The output's has guard bands, which the checker looks at.
    const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, input.size_bytes());
    const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, filter.size_bytes());
    const tutorial::GuardedBuffer output_buffer(context, device, result.size());
    queue.enqueueWriteBuffer(input_buffer, CL_TRUE, 0, input.size_bytes(), input.pixels.data());
    queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());

    // Makes a kernel ready to be timed, or gives nothing if it cannot run here or is wrong.
    const auto prepare =
        [&](const tutorial::KernelEntry& entry) -> std::optional<tutorial::Variant> {
      if (const auto problem = tutorial::why_not(device, entry, filter)) {
        return results.skip(entry.label, filter_width, *problem);
      }
      // Each kernel has a program of its own, built for one size of block.
      // The taps are known too, or a transform's factors: a first source declares these constants.
      const std::string all_options = build_options + tutorial::build_options(entry.block) +
                                      tutorial::build_options(entry.fft, filter_width);
      const cl::Program program = tutorial::build_program(
          context, device, entry.file, all_options, tutorial::prologue(entry.fft, filter));
      cl::Kernel kernel(program, entry.name().c_str());
      kernel.setArg(0, input_buffer);
      // A transform takes the filter's spectrum in its place, which the host has computed.
      const cl::Buffer weights =
          entry.fft.tile != 0 ? tutorial::upload_spectrum(queue, filter, entry.fft) : filter_buffer;
      kernel.setArg(1, weights);
      kernel.setArg(2, output_buffer.buffer());
      kernel.setArg(3, input.width);
      kernel.setArg(4, filter.width);

      // The NDRange: one work-item for each output pixel; OpenCL chooses the work-groups.
      cl::NDRange global(result.width, result.height);
      cl::NDRange local = cl::NullRange;
      // Or one for each block, in work-groups of a known size; it must know where the image ends.
      if (entry.block.width != 0) {
        local = tutorial::block_group(device, entry);
        global = tutorial::global_size(global, entry.block, local);
        kernel.setArg(5, result.width);
        kernel.setArg(6, result.height);
      }
      // Or one work-group for each pair of tiles.
      if (entry.fft.tile != 0) {
        local = cl::NDRange(entry.fft.group.width, entry.fft.group.height);
        global = tutorial::global_size(global, entry.fft, filter_width);
        kernel.setArg(5, result.width);
        kernel.setArg(6, result.height);
      }
      if (const auto problem = tutorial::why_not(device, entry, kernel, local)) {
        return results.skip(entry.label, filter_width, *problem);
      }

      const auto launch = [&queue, kernel, weights, global, local] {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
        return event;
      };

      // Run once into an output full of NaN, read back, and check against the reference.
      output_buffer.poison(queue);
      launch();
      queue.enqueueReadBuffer(
          output_buffer.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
      const tutorial::Verdict verdict = tutorial::check(
          reference, result, output_buffer.damage(queue), entry.pairs, entry.fft.tile);
      if (!results.verify(entry.label, filter_width, verdict)) {
        return {};
      }
      return tutorial::Variant{entry.label, local, verdict.max_error, launch};
    };

    std::vector<tutorial::Variant> variants;
    for (const tutorial::KernelEntry& entry : options.kernels) {
      tutorial::append(variants, prepare(entry));
    }

    // What suits this device and filter best has to be tried: kernels, blocks and work-groups.
    if (options.tuned) {
      tutorial::append(variants, tutorial::tune(device, options, image, filter, prepare));
    }

    // The baseline of the published series: the same loops in C++, shared out by OpenMP.
    tutorial::append(
        variants, tutorial::prepare_openmp(options, input, filter, reference, results));

    // Only what was right is timed: all variants against each other, round after round.
    if (!options.verify_only) {
      results.add(filter_width, ceilings.measure(variants));
    }
  }

  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
