// The convolution against other libraries: the same image, the same filter, the same machine, the
// same run, interleaved; and everybody's result is checked before it is timed.
//
// On a GPU kernels of ours are timed by OpenCL's events and NPP by CUDA's: both are the GPU's own
// timer. On a CPU all are held against the host's clock.
#include "common/lab/ceilings.hpp"
#include "peers/peer.hpp"
#include "step10_fft/launch.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"
#include "step7_register_block/launch.hpp"
#include "step9_autotune/search.hpp"

namespace tutorial {
namespace {

// This source becomes two programs, for images of floats and of bytes.
constexpr bool on_bytes = ON_BYTES;

// Those of all builds, so that one command fits them all.
const std::vector<std::string> library_names =
    on_bytes ? std::vector<std::string>{"OpenCV", "OpenCV_split", "NPP"}
             : std::vector<std::string>{"OpenCV", "OpenCV_split", "FFTW", "Halide", "NPP"};

// The ladder's first kernel, the best of Part I, all that the search tries (beside the kernels on
// bytes those on floats), and the peers, which have no file. The first is the baseline.
std::vector<KernelEntry> all_kernels() {
  std::vector<KernelEntry> kernels = on_bytes ? step11::kernels() : step10::kernels();
  std::erase_if(kernels, [](const KernelEntry& entry) {
    return !on_bytes && entry.tried_on == 0 && entry.label != "Convolve";
  });
  kernels.insert(kernels.begin() + 1, {"Convolve_Def_Float4", KERNEL_FILE, per_pixel});
  for (const std::string& name : library_names) {
    kernels.push_back({name});
  }
  return kernels;
}

/// Made when it is asked for: the search's flags have to be there.
ProgramInfo info() {
  return {
      .title = "The convolution against other libraries: OpenCV, FFTW, Halide, NPP",
      .kernels = all_kernels(),
      .keeps_baseline = false,
      .tuned = true,
      .against = false,
      .more_ceilings = on_bytes ? step11::products : nullptr,
      .flags = search_flags(on_bytes ? "winners-bytes.csv" : "winners.csv"),
  };
}

/// The one line of a library's message; OpenCV's ends with a line feed.
std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

/// The first way whose result is right, or the last one with a verdict that says what is not.
std::pair<Way, Verdict> choose_way(const std::vector<Way>& ways, const Work& work, Image& result) {
  std::pair<Way, Verdict> choice;
  for (const Way& way : ways) {
    way.run_ms();
    result = way.result();
    choice = {way, work.judge(result, way.tile, way.truncates)};
    if (choice.second.passed) {
      break;
    }
  }
  return choice;
}

int run(const Options& options) {
  const cl::Device device = select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const Image image = on_bytes ? rounded(load_image(options)) : load_image(options);
  Image result;
  Results results(options, device, image);
  CeilingMeter ceilings(queue, options, image);

  // Those of the libraries that are wanted and work here.
  std::vector<std::pair<Library, Peer>> peers;
  const bool on_cpu = is_cpu(device);
  for (const KernelEntry& entry : options.kernels) {
    if (!entry.file.empty()) {
      continue;
    }
    try {
      require(libraries().contains(entry.label), "it was not found when this was built");
      const Library& library = libraries().at(entry.label);
      require(
          library.place != Library::Place::host || on_cpu,
          "it computes on the host, not on this device");
      peers.emplace_back(library, library.open(context, device, on_bytes));
      const std::string& version = peers.back().second.version;
      fmt::print("{:<13} version {}\n", library.name, version);
      results.note("version of " + library.name, version);
    } catch (const std::exception& error) {
      fmt::print("{} is left out: {}\n", entry.label, first_line(error));
    }
  }

  for (const int filter_width : options.filter_widths) {
    const Filter filter = make_filter(options.filter, filter_width, options.seed);
    const Image padded = repeat_border(image, filter_width);
    std::vector<Variant> variants;

    const auto add = [&](const std::optional<Variant>& variant) {
      if (variant) {
        variants.push_back(on_cpu ? by_host_clock(*variant) : *variant);
      }
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

    for (const auto& [library, peer] : peers) {
      try {
        const auto [way, verdict] = choose_way(peer.ways(image, padded, work.filter), work, result);
        if (!results.verify(library.name, filter_width, verdict)) {
          continue;
        }
        variants.push_back(by_host_clock(library.name, way.run_ms, verdict.max_error));
        if (library.place == Library::Place::cuda) {
          variants.back().run_ms = way.run_ms;
        }
      } catch (const std::exception& error) {
        results.skip(library.name, filter_width, first_line(error));
      }
    }

    if (!options.verify_only) {
      std::vector<Measurement> measured = measure(ceilings.beside(variants), options.time_budget_s);
      const auto best = ceilings.take_from(measured);
      results.add(filter_width, measured, best);
    }
  }

  return results.finish(result);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, tutorial::info(), tutorial::run);
}
