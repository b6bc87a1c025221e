// Step 9: the host searches for what suits the device.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/.
#include "common/autotune.hpp"
#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/reference.hpp"
#include "common/results.hpp"
#include "common/tile.hpp"
#include "common/timing.hpp"
#include "common/work_group.hpp"

namespace {

// In the order of the ladder; the first is the baseline of every table and chart.
const std::vector<std::string> kernels = {
    "Convolve",
    "Convolve_Unroll",
    "Convolve_UnrollIf",
    "Convolve_Def",
    "Convolve_Def_Unroll",
    "Convolve_Def_UnrollIf",
    "Convolve_Local",
    "Convolve_Def_Local_Unroll",
    "Convolve_Def_Local_UnrollAll",
    "Convolve_Float4",
    "Convolve_Float4If",
    "Convolve_Def_Float4",
    "Convolve_Def_Float4If",
    "Convolve_Local_Read4",
    "Convolve_Local:tight",
    "Convolve_Tile",
    "Convolve_Baked",
    "Convolve_Fast",
};

const tutorial::ProgramInfo info = {
    .title = "Step 9: the host searches for what suits the device",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
    .work_groups = true,
    .tiles = true,
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
  tutorial::Winners winners(options, device, image);

  for (const int filter_width : options.filter_widths) {
    // The host repeats the image's border once, so that no kernel has to test for edges.
    const tutorial::Filter filter =
        tutorial::make_filter(options.filter, filter_width, options.seed);
    const tutorial::Image input = tutorial::repeat_border(image, filter_width);
    const tutorial::Reference reference = tutorial::convolve_reference(input, filter);

    // OpenCL C is compiled at run time, for the device at hand and now for the filter width too.
    const tutorial::Tile tile = tutorial::select_tile(device, options);
    const int pitch = tutorial::padded_width(tutorial::largest_tile, result.width, filter_width);
    const std::string build_options = "-DFILTER_WIDTH=" + std::to_string(filter_width) +
                                      " -DINPUT_WIDTH=" + std::to_string(pitch) +
                                      " -DOUTPUT_WIDTH=" + std::to_string(result.width);
    // A program may have several sources. The first declares the taps, as constants.
    const cl::Program program = tutorial::build_program(
        context, device, options, build_options + tutorial::build_options(tile),
        tutorial::baked_source(filter));

    // On the device every row of the input begins at a multiple of 16 floats, or 64 bytes. The
    // columns that this adds are never part of a result; they are zeroed to hold something.
    // There is room for what the blocks at the right and lower edge read.
    const int rows = tutorial::padded_height(tutorial::largest_tile, result.height, filter_width);
    const std::size_t pitch_bytes = sizeof(float) * pitch;
    const std::size_t row_bytes = sizeof(float) * input.width;

    // Buffers live on the device. The output's has guard bands, which the checker looks at.
    const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, pitch_bytes * rows);
    const cl::Buffer tight_buffer(context, CL_MEM_READ_ONLY, input.size_bytes());
    const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, filter.size_bytes());
    const tutorial::GuardedBuffer output_buffer(context, device, result.size());
    // A rectangle of the host's rows goes into the device's longer rows. The first number of an
    // origin and of the region is in bytes, the second in rows; both pitches are in bytes.
    queue.enqueueFillBuffer(input_buffer, 0.0F, 0, pitch_bytes * rows);
    queue.enqueueWriteBufferRect(
        input_buffer, CL_TRUE, {0, 0, 0}, {0, 0, 0},
        {row_bytes, static_cast<std::size_t>(input.height), 1}, pitch_bytes, 0, row_bytes, 0,
        input.pixels.data());
    queue.enqueueWriteBuffer(tight_buffer, CL_TRUE, 0, input.size_bytes(), input.pixels.data());
    queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());

    std::vector<tutorial::Variant> variants;
    for (const auto& [label, name] : options.kernels) {
      if (name == "Convolve_Fast" && tile.lanes != 1) {
        results.skip(label, filter_width, "computes by float: --lanes 1");
        continue;
      }
      cl::Kernel kernel(program, name.c_str());
      // `Convolve_Local:tight` is Convolve_Local on rows as they were before this step.
      const bool tight = label.find(":tight") != std::string::npos;
      kernel.setArg(0, tight ? tight_buffer : input_buffer);
      kernel.setArg(1, filter_buffer);
      kernel.setArg(2, output_buffer.buffer());
      kernel.setArg(3, tight ? input.width : pitch);
      kernel.setArg(4, filter.width);

      // The NDRange: one work-item for each output pixel; OpenCL chooses the work-groups.
      cl::NDRange global(result.width, result.height);
      cl::NDRange local = cl::NullRange;

      // A kernel with local memory needs whole work-groups of a known size. So its NDRange is
      // rounded up, and as arguments it gets the image's true size and room for a tile and its
      // halo.
      if (name.find("Local") != std::string::npos) {
        const int group_width = options.work_group_width;
        const int group_height = options.work_group_height;
        local = cl::NDRange(group_width, group_height);
        global = cl::NDRange(
            tutorial::round_up(result.width, group_width),
            tutorial::round_up(result.height, group_height));
        // The tile's rows are rounded up to whole float4s, for Convolve_Local_Read4.
        const std::size_t tile_bytes = sizeof(float) *
                                       tutorial::round_up(group_width + filter_width - 1, 4) *
                                       (group_height + filter_width - 1);
        kernel.setArg(5, result.width);
        kernel.setArg(6, result.height);
        kernel.setArg(7, cl::Local(tile_bytes));
        if (const std::string problem =
                tutorial::work_group_problem(device, kernel, local, tile_bytes);
            !problem.empty()) {
          results.skip(label, filter_width, problem);
          continue;
        }
        if (name == "Convolve_Local_Read4" && group_width % 4 != 0) {
          results.skip(label, filter_width, "needs a work-group width that is a multiple of 4");
          continue;
        }
      }

      // A work-item with a block needs the image's true size as well, and fewer of them are needed.
      if (tutorial::computes_tiles(name)) {
        local = cl::NDRange(tile.group_width, tile.group_height);
        global = tutorial::global_size(tile, result.width, result.height);
        kernel.setArg(5, result.width);
        kernel.setArg(6, result.height);
      }

      const auto launch = [&queue, kernel, global, local] {
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
          reference, result, output_buffer.guards_intact(queue), tutorial::computes_pairs(name));
      if (results.verify(label, filter_width, verdict)) {
        variants.push_back({label, local, verdict.max_error, launch});
      }
    }

    // Which kernel, block and work-group suit this device and filter best cannot be known, but it
    // can be tried. Each candidate is built, called and checked as the kernels above are.
    const auto prepare =
        [&](const tutorial::Candidate& candidate) -> std::optional<tutorial::Variant> {
      const cl::Program candidate_program = tutorial::build_program(
          context, device, options.kernel_file, build_options + tutorial::build_options(candidate),
          tutorial::baked_source(filter));
      cl::Kernel kernel(candidate_program, candidate.kernel.c_str());
      kernel.setArg(0, input_buffer);
      kernel.setArg(1, filter_buffer);
      kernel.setArg(2, output_buffer.buffer());
      kernel.setArg(3, pitch);
      kernel.setArg(4, filter.width);
      kernel.setArg(5, result.width);
      kernel.setArg(6, result.height);
      const cl::NDRange local(candidate.tile.group_width, candidate.tile.group_height);
      const cl::NDRange global = tutorial::global_size(candidate.tile, result.width, result.height);
      if (!tutorial::work_group_problem(device, kernel, local, 0).empty()) {
        return {};
      }
      const auto launch = [&queue, kernel, global, local] {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
        return event;
      };
      output_buffer.poison(queue);
      launch();
      queue.enqueueReadBuffer(
          output_buffer.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
      const tutorial::Verdict verdict = tutorial::check(
          reference, result, output_buffer.guards_intact(queue),
          tutorial::computes_pairs(candidate.kernel));
      if (!results.verify(tutorial::describe(candidate), filter_width, verdict)) {
        return {};
      }
      return tutorial::Variant{candidate.kernel, local, verdict.max_error, launch};
    };
    if (options.tuned) {
      if (const auto tuned = tutorial::tune(device, options, filter, winners, prepare)) {
        variants.push_back(*tuned);
      }
    }

    // The baseline of the published series: the same loops in C++, shared out by OpenMP.
    tutorial::Image host_result(image.width, image.height);
    const auto run_on_host = [&input, &filter, &host_result] {
      tutorial::convolve_openmp(input, filter, host_result);
      return cl::Event();
    };
    if (options.openmp) {
      run_on_host();
      const tutorial::Verdict verdict = tutorial::check(reference, host_result);
      if (results.verify("OpenMP", filter_width, verdict)) {
        variants.push_back({"OpenMP", cl::NullRange, verdict.max_error, run_on_host});
      }
    }

    // Only what was right is timed: all variants against each other, round after round.
    if (!options.verify_only) {
      results.add(filter_width, tutorial::measure(variants, options.time_budget_s));
    }
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
