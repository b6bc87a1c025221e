// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/.
#include <algorithm>
#include <cmath>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/openmp.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/reference.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "roofline/ceilings.hpp"

namespace {

const std::vector<tutorial::KernelEntry> kernels = {
    {"Convolve"},  // the baseline of every table and chart
    {.label = "Convolve_Separable", .separable = true},
};

const tutorial::ProgramInfo info = {
    .title = "Your own step: a separable filter in two passes",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
    .filter = "separable",
};

// filter[r][c] = column[r] * row[c]
struct Factors {
  std::vector<float> column;
  std::vector<float> row;
};

// The factors of a filter of rank 1, nothing for any other: all its rows must be multiples of one
// of them, here of the row with the largest tap.
std::optional<Factors> factorize(const tutorial::Filter& filter) {
  const auto n = static_cast<std::size_t>(filter.width);
  const auto largest =
      std::ranges::max_element(filter.taps, {}, [](float tap) { return std::abs(tap); });
  const auto place = static_cast<std::size_t>(largest - filter.taps.begin());
  Factors factors;
  for (std::size_t i = 0; i < n; i++) {
    factors.column.push_back(filter.taps[i * n + place % n]);
    factors.row.push_back(*largest == 0 ? 0 : filter.taps[place / n * n + i] / *largest);
  }
  for (std::size_t i = 0; i < n * n; i++) {
    // Every tap was rounded to a float, so the products come as near as that and no nearer.
    const float product = factors.column[i / n] * factors.row[i % n];
    if (std::abs(product - filter.taps[i]) > 1e-6F * std::abs(filter.taps[i])) {
      return {};
    }
  }
  return factors;
}

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
    const tutorial::Image input = tutorial::repeat_border(image, filter_width);
    const tutorial::Reference reference = tutorial::convolve_reference(input, filter, image);

    // OpenCL C is compiled at run time, for the device at hand: a program for each file.
    const std::string build_options;
    const tutorial::Programs programs =
        tutorial::build_programs(context, device, options.kernels, build_options);

    // Buffers live on the device. The output's has guard bands, which the checker looks at.
    const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, input.size_bytes());
    const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, filter.size_bytes());
    const std::size_t factor_bytes = sizeof(float) * filter_width;
    const cl::Buffer row_buffer(context, CL_MEM_READ_ONLY, factor_bytes);
    const cl::Buffer column_buffer(context, CL_MEM_READ_ONLY, factor_bytes);
    // What the first pass hands to the second: as wide as the output, as high as the padded input.
    const tutorial::GuardedBuffer middle_buffer(
        context, device, static_cast<std::size_t>(result.width) * input.height);
    const tutorial::GuardedBuffer output_buffer(context, device, result.size());
    queue.enqueueWriteBuffer(input_buffer, CL_TRUE, 0, input.size_bytes(), input.pixels.data());
    queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());

    // Runs once into an output full of NaN, reads back, and checks against the reference.
    const auto check = [&](const auto& launch) {
      middle_buffer.poison(queue);
      output_buffer.poison(queue);
      launch();
      queue.enqueueReadBuffer(
          output_buffer.buffer(), CL_TRUE, 0, result.size_bytes(), result.pixels.data());
      return tutorial::check(
          reference, result, middle_buffer.damage(queue) + output_buffer.damage(queue));
    };

    // Makes a kernel ready to be timed, or gives nothing if it cannot run here or is wrong.
    const auto prepare =
        [&](const tutorial::KernelEntry& entry) -> std::optional<tutorial::Variant> {
      cl::Kernel kernel(programs.at(entry.file), entry.name().c_str());
      kernel.setArg(0, input_buffer);
      kernel.setArg(1, filter_buffer);
      kernel.setArg(2, output_buffer.buffer());
      kernel.setArg(3, input.width);
      kernel.setArg(4, filter.width);

      // The NDRange: one work-item for each output pixel; OpenCL chooses the work-groups.
      const cl::NDRange global(result.width, result.height);
      const cl::NDRange local = cl::NullRange;

      const auto launch = [&queue, kernel, global, local] {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
        return event;
      };

      const tutorial::Verdict verdict = check(launch);
      if (!results.verify(entry.label, filter_width, verdict)) {
        return {};
      }
      return tutorial::Variant{entry.label, local, verdict.max_error, launch};
    };

    // The same for the two passes.
    const auto prepare_separable =
        [&](const tutorial::KernelEntry& entry) -> std::optional<tutorial::Variant> {
      const std::optional<Factors> factors = factorize(filter);
      if (!factors) {
        return results.skip(entry.label, filter_width, "this filter is not a column times a row");
      }
      queue.enqueueWriteBuffer(row_buffer, CL_TRUE, 0, factor_bytes, factors->row.data());
      queue.enqueueWriteBuffer(column_buffer, CL_TRUE, 0, factor_bytes, factors->column.data());

      cl::Kernel rows(programs.at(entry.file), "Convolve_Separable_Rows");
      rows.setArg(0, input_buffer);
      rows.setArg(1, row_buffer);
      rows.setArg(2, middle_buffer.buffer());
      rows.setArg(3, input.width);
      rows.setArg(4, filter.width);
      cl::Kernel columns(programs.at(entry.file), "Convolve_Separable");
      columns.setArg(0, middle_buffer.buffer());
      columns.setArg(1, column_buffer);
      columns.setArg(2, output_buffer.buffer());
      columns.setArg(3, result.width);
      columns.setArg(4, filter.width);
      const cl::NDRange rows_global(result.width, input.height);
      const cl::NDRange columns_global(result.width, result.height);

      // Two launches, two events. The queue runs one after the other, so the second pass finds what
      // the first has written.
      const auto launch = [&queue, rows, columns, rows_global, columns_global] {
        std::vector<cl::Event> events(2);
        queue.enqueueNDRangeKernel(
            rows, cl::NullRange, rows_global, cl::NullRange, nullptr, &events[0]);
        queue.enqueueNDRangeKernel(
            columns, cl::NullRange, columns_global, cl::NullRange, nullptr, &events[1]);
        return events;
      };

      const tutorial::Verdict verdict = check(launch);
      if (!results.verify(entry.label, filter_width, verdict)) {
        return {};
      }
      const auto run_ms = [launch] { return tutorial::total_ms(launch()); };
      return tutorial::Variant{entry.label, cl::NullRange, verdict.max_error,
                               nullptr,     nullptr,       run_ms};
    };

    std::vector<tutorial::Variant> variants;
    for (const tutorial::KernelEntry& entry : options.kernels) {
      tutorial::append(variants, entry.separable ? prepare_separable(entry) : prepare(entry));
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
