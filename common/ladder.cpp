#include "common/ladder.hpp"

#include "background/roofline/ceilings.hpp"
#include "common/device.hpp"
#include "common/openmp.hpp"

namespace tutorial {

int run_kernels(
    const Options& options, const Extent& room, Tune tune, const WorkMaker& make, bool convolves) {
  const cl::Device device = select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const Image image = load_image(options);
  Image result;
  Results results(options, device, image);
  // Measures, in turns with the kernels, what this device can do at most: for the column "x floor".
  CeilingMeter ceilings(queue, options, image);

  for (const int filter_width : options.filter_widths) {
    const Filter filter = make_filter(options.filter, filter_width, options.seed);
    const std::unique_ptr<Work> made = make(queue, image, filter, room);
    Work& work = *made;
    const Prepare prepare = [&](const KernelEntry& entry) { return work.prepare(entry, results); };

    std::vector<Variant> variants;
    for (const KernelEntry& entry : options.kernels) {
      append(variants, prepare(entry));
    }
    if (tune != nullptr && options.tuned) {
      append(variants, tune(options, work, prepare));
    }
    result = work.result();
    // The baseline of the published series: the same loops in C++, shared out by OpenMP.
    if (convolves) {
      append(variants, prepare_openmp(options, work.padded, work.filter, work.reference, results));
    }

    // Only what was right is timed: all variants against each other, round after round.
    if (!options.verify_only) {
      results.add(
          filter_width, convolves ? ceilings.measure(variants)
                                  : Comparison{measure(variants, options.time_budget_s)});
    }
  }
  return results.finish(result);
}

int run_kernels(const Options& options, ReferenceFunction reference) {
  const WorkMaker make = [reference](auto& queue, auto& image, auto& filter, auto& room) {
    return std::make_unique<Work>(queue, image, filter, room, reference);
  };
  return run_kernels(options, block_room, nullptr, make, false);
}

}  // namespace tutorial
