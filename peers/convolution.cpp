// The convolution against other libraries: the same image, the same filter, the same machine, the
// same run, interleaved; and everybody's result is checked before it is timed.
//
// On a GPU kernels of ours are timed by OpenCL's events, OpenCV and VkFFT by OpenCL's markers, NPP
// and CUDA by CUDA's events: all by the GPU's own timer. On a CPU all are held against the host's
// clock, except what is timed by markers.
#include "common/lab/ceilings.hpp"
#include "peers/peer.hpp"
#include "step10_fft/launch.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"
#include "step7_register_block/launch.hpp"
#include "step9_autotune/search.hpp"
#include "studies/two_passes/launch.hpp"

namespace tutorial {
namespace {

// This source becomes three programs: for images of floats, of bytes, and for a Gaussian.
constexpr Task task = TASK;
constexpr bool on_bytes = task == Task::bytes, is_separable = task == Task::separable;

// The ladder's first kernel, the best of Part I, all that the search tries (beside the kernels on
// bytes those on floats), or those in two passes; and the peers of all builds, so that one command
// fits them all, which have no file. The first is the baseline.
std::vector<KernelEntry> all_kernels() {
  std::vector<KernelEntry> kernels = two_passes::kernels();
  if (!is_separable) {
    kernels = on_bytes ? step11::kernels() : step10::kernels();
    std::erase_if(kernels, [](const KernelEntry& entry) {
      return !on_bytes && entry.tried_on == 0 && entry.label != "Convolve";
    });
    kernels.insert(kernels.begin() + 1, {"Convolve_Def_Float4", KERNEL_FILE, per_pixel});
  }
  kernels.insert(kernels.end(), {{"OpenCV_split"}, {"OpenCV_UMat"}, {"NPP"}});
  if (task == Task::floats) {
    kernels.insert(
        kernels.end(),
        {{"FFTW"}, {"Halide"}, {"VkFFT"}, {"CUDA:Convolve"}, {"CUDA:Convolve_Block"}});
  }
  return kernels;
}

/// What is timed of a library: the fastest of the ways whose results are right. Nothing if there is
/// none. `result` becomes what the last way gives.
std::optional<Variant> prepare(
    const Library& library, const Problem& problem, const Work& work, Results& results,
    Image& result) {
  std::vector<Variant> right;
  Verdict verdict;
  for (const Way& way : library.ways(problem)) {
    way.run_ms();
    result = way.result();
    const Verdict found = work.judge(result, way.tile, way.truncates);
    if (found.passed || right.empty()) {
      verdict = found;
    }
    if (found.passed) {
      const bool by_itself = library.place == Library::Place::device;
      const auto launch = [run_ms = way.run_ms] {
        run_ms();
        return cl::Event();
      };
      right.push_back(
          {library.name, cl::NullRange, found.max_error, launch, nullptr,
           by_itself ? way.run_ms : nullptr, "library"});
    }
  }
  if (!results.verify(library.name, work.filter.width, verdict)) {
    return {};
  }
  const auto times = right.size() > 1 ? measure(right, 0.0, 5) : std::vector<Measurement>(1);
  const auto fastest = std::ranges::min_element(
      times, {}, [](const Measurement& time) { return summarize(time.rounds).median; });
  return right[fastest - times.begin()];
}

int run(const Options& options) {
  const cl::Device device = select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const Image image = on_bytes ? rounded(load_image(options)) : load_image(options);
  Image result;
  Results results(options, device, image);
  CeilingMeter ceilings(queue, options, image);

  // Those of the libraries that are wanted and can work here.
  std::vector<Library> peers;
  const bool on_cpu = is_cpu(device);
  for (const KernelEntry& entry : options.kernels) {
    if (!entry.file.empty()) {
      continue;
    }
    const auto found = libraries().find(entry.label);
    if (found == libraries().end()) {
      fmt::print("{} is left out: it was not found when this was built\n", entry.label);
    } else if (found->second.place == Library::Place::host && !on_cpu) {
      fmt::print("{} is left out: it computes on the host, not on this device\n", entry.label);
    } else {
      peers.push_back(found->second);
      results.note(entry.label + "_version", peers.back().version());
    }
  }

  for (const int filter_width : options.filter_widths) {
    const Filter filter = make_filter(options.filter, filter_width, options.seed);
    const Image padded = repeat_border(image, filter_width);
    std::vector<Variant> variants;

    const auto add = [&](std::optional<Variant> variant) {
      if (variant && on_cpu) {  // by the host's clock, whatever its event says
        variant->launch = [launch = variant->launch] {
          launch().wait();
          return cl::Event();
        };
      }
      append(variants, variant);
    };
    const auto made = on_bytes ? make_work<ByteWork>(queue, image, filter, step11::byte_room)
                               : make_work<Work>(queue, image, filter, step10::tile_room);
    Work& work = *made;
    const Prepare prepare = [&](const KernelEntry& entry) { return work.prepare(entry, results); };
    for (const KernelEntry& entry : options.kernels) {
      if (!entry.file.empty()) {
        add(prepare(entry));
      }
    }
    if (on_cpu) {
      append_openmp(variants, options, work.padded, work.filter, work.reference, results);
    }
    // What the search of step 9 found, or finds now.
    if (options.tuned) {
      add(tune(options, work, prepare));
    }
    result = work.result();

    for (const Library& library : peers) {
      try {
        const Problem problem = {task, context, device, image, padded, work.filter};
        append(variants, tutorial::prepare(library, problem, work, results, result));
      } catch (const std::exception& error) {
        const std::string text = error.what();  // OpenCV's ends with a line feed
        results.skip(library.name, filter_width, text.substr(0, text.find('\n')));
      }
    }

    if (!options.verify_only) {
      std::vector<Measurement> measured = measure(ceilings.beside(variants), options.time_budget_s);
      const auto best = take_ceilings(measured, ceilings.kernels());
      results.add(filter_width, measured, best);
    }
  }

  return results.finish(result);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  using namespace tutorial;
  const ProgramInfo info = {
      .title = "The convolution against other libraries: OpenCV, FFTW, Halide, VkFFT, NPP",
      .kernels = all_kernels(),
      .keeps_baseline = false,
      .tuned = !is_separable,
      .against = false,
      .filter = is_separable ? "gaussian" : "random",
      .more_ceilings = on_bytes ? step11::products : nullptr,
      .flags = search_flags(on_bytes ? "winners-bytes.csv" : "winners.csv"),
  };
  return run_program(argc, argv, info, run);
}
