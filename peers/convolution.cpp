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

namespace {

using Peers = std::vector<std::unique_ptr<tutorial::Peer>>;
using MakePeer =
    std::function<std::unique_ptr<tutorial::Peer>(const cl::Context&, const cl::Device&)>;

// The peers that were compiled in.
const std::vector<std::pair<std::string, MakePeer>> known_peers = {
#ifdef PEER_OPENCV
    {"OpenCV", [](const auto&, const auto&) { return tutorial::make_opencv(false); }},
    {"OpenCV_split", [](const auto&, const auto&) { return tutorial::make_opencv(true); }},
    {"OpenCV_OpenCL", tutorial::make_opencv_opencl},
#endif
#ifdef PEER_NPP
    {"NPP", [](const auto&, const auto& device) { return tutorial::make_npp(device); }},
#endif
#ifdef PEER_CUDNN
    {"cuDNN", [](const auto&, const auto& device) { return tutorial::make_cudnn(device); }},
#endif
};

const std::string step7 = "../step7_register_block/";
const std::string step8 = "../step8_baked_filter/";
const tutorial::Block floats = {
    .width = 4, .height = 4, .multiple = 4, .device = CL_DEVICE_TYPE_GPU};
const tutorial::Block vectors = {
    .width = 64, .height = 4, .multiple = 16, .device = CL_DEVICE_TYPE_CPU};

// Our kernels, and the peers; the first is the baseline.
std::vector<tutorial::KernelEntry> all_kernels() {
  std::vector<tutorial::KernelEntry> kernels = {
      {"Convolve"},
      {.label = "Convolve_Def_Float4", .file = "../step6_float4/convolution.cl"},
      {.label = "Convolve_Block16_Stream", .file = step7 + "block16.cl", .block = vectors},
      {.label = "Convolve_Baked", .file = step8 + "baked.cl", .block = floats},
      {.label = "Convolve_Baked16", .file = step8 + "baked16.cl", .block = vectors, .sparse = true},
      {.label = "Convolve_Fast", .file = step8 + "fast.cl", .block = floats, .pairs = true},
  };
  for (const auto& [name, make] : known_peers) {
    kernels.push_back({.label = name, .peer = true});
  }
  return kernels;
}

const tutorial::ProgramInfo info = {
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

/// Those of the known peers that are among `wanted` and work here; says why of those that do not.
Peers make_peers(
    const std::vector<tutorial::KernelEntry>& wanted, const cl::Context& context,
    const cl::Device& device) {
  Peers peers;
  for (const auto& [name, make] : known_peers) {
    if (std::ranges::find(wanted, name, &tutorial::KernelEntry::label) == wanted.end()) {
      continue;
    }
    try {
      auto peer = make(context, device);
      // A library that computes on the host says nothing of a GPU.
      if (peer->on_our_device() || tutorial::is_cpu(device)) {
        peers.push_back(std::move(peer));
      } else {
        fmt::print("{} is left out: it computes on the host, not on this device\n", name);
      }
    } catch (const std::exception& error) {
      fmt::print("{} is left out: {}\n", name, first_line(error));
    }
  }
  return peers;
}

/// The reference for a peer that transforms whole blocks: a rounding error there is relative to the
/// brightest pixel of the block, not to the pixels under the filter. So the largest tolerance of
/// all pixels holds for each.
tutorial::Reference with_one_tolerance(const tutorial::Reference& reference) {
  tutorial::Reference result = reference;
  std::ranges::fill(result.tolerances, std::ranges::max(reference.tolerances));
  return result;
}

/// Runs the peer's ways of computing until one is right. If none is, the verdict is the first
/// one's.
tutorial::Verdict verify(
    tutorial::Peer& peer, const tutorial::Reference& reference, tutorial::Image& result) {
  const auto run = [&] {
    peer.run();
    result = peer.result();
    return tutorial::check(
        peer.spreads_rounding() ? with_one_tolerance(reference) : reference, result);
  };
  const tutorial::Verdict first = run();
  tutorial::Verdict verdict = first;
  while (!verdict.passed && peer.next_way()) {
    verdict = run();
  }
  return verdict.passed ? verdict : first;
}

int run(const tutorial::Options& options) {
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const tutorial::Image image = tutorial::load_image(options);
  tutorial::Image result(image.width, image.height);
  tutorial::Results results(options, device, image);
  tutorial::CeilingMeter ceilings(queue, options, image);

  const Peers peers = make_peers(options.kernels, context, device);
  // On a CPU every peer is held against the host's clock, so our kernels are as well. On a GPU they
  // have their events; the fast ones are timed by the host's clock as well if a peer on this GPU
  // has nothing else.
  const bool on_cpu = tutorial::is_cpu(device);
  const bool host_clock_too = !on_cpu && std::ranges::any_of(peers, [](const auto& peer) {
    return peer->on_our_device() && !peer->has_timer();
  });

  for (const int filter_width : options.filter_widths) {
    const tutorial::Filter filter =
        tutorial::make_filter(options.filter, filter_width, options.seed);
    const tutorial::Image padded = tutorial::repeat_border(image, filter_width);
    std::vector<tutorial::Variant> variants;

    // A variant whose event counts, on a GPU; by the host's clock where that is what counts.
    const auto add = [&](const tutorial::Variant& variant, bool fast) {
      tutorial::Variant by_host = tutorial::by_host_clock(variant);
      variants.push_back(on_cpu ? by_host : variant);
      if (host_clock_too && fast) {
        by_host.name += ":host";
        variants.push_back(by_host);
      }
    };

    const tutorial::Convolution convolution(queue, image, filter);
    const auto prepare = [&](const tutorial::KernelEntry& entry) {
      return convolution.prepare(entry, results, result);
    };
    for (const tutorial::KernelEntry& entry : options.kernels) {
      if (entry.peer) {
        continue;
      }
      if (const auto variant = prepare(entry)) {
        add(*variant, entry.block.width != 0);
      }
    }
    // What the search of step 9 found, or finds now.
    if (options.tuned) {
      if (const auto variant = tutorial::tune(device, options, image, filter, prepare)) {
        add(*variant, true);
      }
    }

    for (const auto& peer : peers) {
      try {
        peer->prepare(image, padded, filter);
        const tutorial::Verdict verdict = verify(*peer, convolution.reference(), result);
        if (!results.verify(peer->name(), filter_width, verdict)) {
          continue;
        }
        tutorial::Variant variant = {peer->name(), cl::NullRange, verdict.max_error, nullptr};
        if (peer->has_timer()) {
          variant.run_ms = [&peer] { return peer->run(); };
        } else {
          variant.launch = [&peer] {
            peer->run();
            return cl::Event();
          };
        }
        variants.push_back(variant);
      } catch (const std::exception& error) {
        results.skip(peer->name(), filter_width, first_line(error));
      }
    }

    if (!options.verify_only) {
      results.add(filter_width, ceilings.measure(filter_width, variants));
    }
  }

  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
