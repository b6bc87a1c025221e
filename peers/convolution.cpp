// The convolution against other libraries: the same image, the same filter, the same machine, the
// same run, interleaved; and everybody's result is checked before it is timed.
//
// Kernels of ours are timed by OpenCL's events and CUDA's libraries by CUDA's: both are the GPU's
// own timer. OpenCV offers none, so it is held against the host's clock, and wherever that is a
// comparison on one device, our kernels are too.
#include "pipeline/convolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/reference.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "peers/peer.hpp"
#include "roofline/ceilings.hpp"
#include "step9_autotune/search.hpp"

namespace tutorial {
namespace {

/// A library that was compiled in.
struct Library {
  std::string name;  ///< in tables, CSVs and charts; without blanks
  bool has_timer;    ///< the device's own; otherwise the host's clock is held against it
  std::function<std::unique_ptr<Peer>(const cl::Context&, const cl::Device&)> make;
  std::shared_ptr<Peer> peer = {};
};

const std::vector<Library> known_libraries = {
#ifdef PEER_OPENCV
    {"OpenCV", false, [](auto&, auto& device) { return make_opencv(device, false); }},
    {"OpenCV_split", false, [](auto&, auto& device) { return make_opencv(device, true); }},
    {"OpenCV_OpenCL", false, make_opencv_opencl},
#endif
#ifdef PEER_NPP
    {"NPP", true, [](auto&, auto& device) { return make_npp(device); }},
#endif
#ifdef PEER_CUDNN
    {"cuDNN", true, [](auto&, auto& device) { return make_cudnn(device); }},
#endif
};

const std::string step7 = "../step7_register_block/";
const std::string step8 = "../step8_baked_filter/";
const Block floats = {.width = 4, .height = 4, .multiple = 4, .device = CL_DEVICE_TYPE_GPU};
const Block vectors = {.width = 64, .height = 4, .multiple = 16, .device = CL_DEVICE_TYPE_CPU};

// Our kernels, and the peers; the first is the baseline.
std::vector<KernelEntry> all_kernels() {
  std::vector<KernelEntry> kernels = {
      {"Convolve"},
      {.label = "Convolve_Def_Float4", .file = "../step6_float4/convolution.cl"},
      {.label = "Convolve_Block_Restrict", .file = step7 + "block.cl", .block = floats},
      {.label = "Convolve_Block16_Stream", .file = step7 + "block16.cl", .block = vectors},
      {.label = "Convolve_Baked", .file = step8 + "baked.cl", .block = floats},
      {.label = "Convolve_Baked16", .file = step8 + "baked16.cl", .block = vectors, .sparse = true},
      {.label = "Convolve_Fast", .file = step8 + "fast.cl", .block = floats, .pairs = true},
  };
  for (const Library& library : known_libraries) {
    kernels.push_back({.label = library.name, .peer = true});
  }
  return kernels;
}

const ProgramInfo info = {
    .title = "The convolution against other libraries: OpenCV, NPP, cuDNN",
    .kernel_file = KERNEL_FILE,
    .kernels = all_kernels(),
    .tuned = true,
    .against = false,
};

/// The one line of a library's message; OpenCV's ends with a line feed.
std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

/// Those of the libraries that are among `wanted` and work here; says why of those that do not.
std::vector<Library> open_libraries(
    const std::vector<KernelEntry>& wanted, const cl::Context& context, const cl::Device& device) {
  std::vector<Library> libraries;
  for (Library library : known_libraries) {
    if (std::ranges::find(wanted, library.name, &KernelEntry::label) == wanted.end()) {
      continue;
    }
    try {
      library.peer = library.make(context, device);
      libraries.push_back(library);
    } catch (const std::exception& error) {
      fmt::print("{} is left out: {}\n", library.name, first_line(error));
    }
  }
  return libraries;
}

/// Runs the peer's ways of computing until one is right.
Verdict verify(Peer& peer, const Reference& reference, Image& result) {
  // For a peer that transforms whole blocks a rounding error is relative to the brightest pixel of
  // the block, not to the pixels under the filter: the largest tolerance of all holds for each.
  Reference tolerant = reference;
  std::ranges::fill(tolerant.tolerances, std::ranges::max(reference.tolerances));
  Verdict verdict;
  do {
    peer.run();
    result = peer.result();
    verdict = check(peer.spreads_rounding() ? tolerant : reference, result);
  } while (!verdict.passed && peer.next_way());
  return verdict;
}

int run(const Options& options) {
  const cl::Device device = select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const Image image = load_image(options);
  Image result(image.width, image.height);
  Results results(options, device, image);
  CeilingMeter ceilings(queue, options, image);

  const std::vector<Library> libraries = open_libraries(options.kernels, context, device);
  // On a CPU every peer is held against the host's clock, so our kernels are as well. On a GPU they
  // have their events; the fast ones are timed by the host's clock as well if a peer on this GPU
  // has nothing else.
  const bool on_cpu = is_cpu(device);
  const bool host_clock_too = !on_cpu && std::ranges::any_of(libraries, [](const Library& library) {
    return !library.has_timer;
  });

  for (const int filter_width : options.filter_widths) {
    const Filter filter = make_filter(options.filter, filter_width, options.seed);
    const Image padded = repeat_border(image, filter_width);
    std::vector<Variant> variants;

    // A variant whose event counts, on a GPU; by the host's clock where that is what counts.
    const auto add = [&](const Variant& variant, bool fast) {
      Variant by_host = by_host_clock(variant);
      variants.push_back(on_cpu ? by_host : variant);
      if (host_clock_too && fast) {
        by_host.name += ":host";
        variants.push_back(by_host);
      }
    };

    const Convolution convolution(queue, image, filter);
    const auto prepare = [&](const KernelEntry& entry) {
      return convolution.prepare(entry, results, result);
    };
    for (const KernelEntry& entry : options.kernels) {
      if (entry.peer) {
        continue;
      }
      if (const auto variant = prepare(entry)) {
        add(*variant, entry.block.width != 0);
      }
    }
    // What the search of step 9 found, or finds now.
    if (options.tuned) {
      if (const auto variant = tune(device, options, image, filter, prepare)) {
        add(*variant, true);
      }
    }

    for (const Library& library : libraries) {
      Peer& peer = *library.peer;
      try {
        peer.prepare(image, padded, filter);
        const Verdict verdict = verify(peer, convolution.reference(), result);
        if (!results.verify(library.name, filter_width, verdict)) {
          continue;
        }
        Variant variant = {library.name, cl::NullRange, verdict.max_error, [&peer] {
                             peer.run();
                             return cl::Event();
                           }};
        if (library.has_timer) {
          variant.run_ms = [&peer] { return peer.run(); };
        }
        variants.push_back(variant);
      } catch (const std::exception& error) {
        results.skip(library.name, filter_width, first_line(error));
      }
    }

    if (!options.verify_only) {
      results.add(filter_width, ceilings.measure(filter_width, variants));
    }
  }

  return results.finish(result);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, tutorial::info, tutorial::run);
}
