// The convolution against other libraries: the same image, the same filter, the same machine, the
// same run, interleaved; and everybody's result is checked before it is timed.
//
// Kernels of ours are timed by OpenCL's events and CUDA's libraries by CUDA's: both are the GPU's
// own timer. OpenCV offers none, so it is held against the host's clock, and wherever that is a
// comparison on one device, our kernels are too.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/autotune.hpp"
#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/reference.hpp"
#include "common/results.hpp"
#include "common/tile.hpp"
#include "common/timing.hpp"
#include "peers/our_kernel.hpp"
#include "peers/peer.hpp"

namespace {

// Kernels of the kernel file; the first is the baseline.
const std::vector<std::string> our_kernels = {
    "Convolve", "Convolve_Def_Float4", "Convolve_Tile", "Convolve_Baked", "Convolve_Fast"};

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

std::vector<std::string> all_names() {
  std::vector<std::string> names = our_kernels;
  for (const auto& [name, make] : known_peers) {
    names.push_back(name);
  }
  return names;
}

const tutorial::ProgramInfo info = {
    .title = "The convolution against other libraries: OpenCV, NPP, cuDNN",
    .kernel_file = KERNEL_FILE,
    .kernels = all_names(),
    .tiles = true,
    .tuned = true,
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
    if (std::ranges::find(wanted, name, &tutorial::KernelEntry::name) == wanted.end()) {
      continue;
    }
    try {
      peers.push_back(make(context, device));
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

int run(const tutorial::Options& given) {
  // --kernel names peers too, but only our kernels are in the kernel file.
  tutorial::Options options = given;
  std::erase_if(options.kernels, [](const tutorial::KernelEntry& entry) {
    return std::ranges::find(our_kernels, entry.name) == our_kernels.end();
  });
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const tutorial::Image image = tutorial::load_image(options);
  tutorial::Image result(image.width, image.height);
  tutorial::Results results(options, device, image);
  tutorial::Winners winners(options, device, image);

  const Peers peers = make_peers(given.kernels, context, device);
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
    const tutorial::Reference reference = tutorial::convolve_reference(padded, filter);
    std::vector<tutorial::Variant> variants;

    // A variant whose event counts, on a GPU; by the host's clock where that is what counts.
    const auto add = [&](const tutorial::Variant& variant, bool fast) {
      // No event is returned, so that the host's clock counts.
      tutorial::Variant by_host = variant;
      by_host.launch = [launch = variant.launch] {
        launch().wait();
        return cl::Event();
      };
      variants.push_back(on_cpu ? by_host : variant);
      if (host_clock_too && fast) {
        by_host.name += ":host";
        variants.push_back(by_host);
      }
    };

    std::map<std::string, cl::Program> programs;  // by build options
    for (const auto& [label, name] : options.kernels) {
      const tutorial::Tile tile = tutorial::select_tile(device, options);
      if (name == "Convolve_Fast" && tile.lanes != 1) {
        results.skip(label, filter_width, "computes by float: --lanes 1");
        continue;
      }
      const tutorial::KernelPlan plan = tutorial::plan_kernel(name, padded, filter, tile);
      if (!programs.contains(plan.build_options)) {
        programs[plan.build_options] =
            tutorial::build_program(context, device, options, plan.build_options, plan.prologue);
      }
      const tutorial::OurKernel kernel(
          context, device, queue, programs[plan.build_options], plan, padded, filter);
      const tutorial::Verdict verdict = kernel.verify(reference, result);
      if (!results.verify(label, filter_width, verdict)) {
        continue;
      }
      add({label, kernel.local(), verdict.max_error, [kernel] { return kernel.launch(); }},
          tutorial::computes_tiles(name));
    }

    // What the search of step 9 found, or finds now.
    const auto prepare =
        [&](const tutorial::Candidate& candidate) -> std::optional<tutorial::Variant> {
      tutorial::KernelPlan plan =
          tutorial::plan_kernel(candidate.kernel, padded, filter, candidate.tile);
      plan.build_options += tutorial::only_kernel(candidate.kernel);
      const cl::Program program = tutorial::build_program(
          context, device, options.kernel_file, plan.build_options, plan.prologue);
      const tutorial::OurKernel kernel(context, device, queue, program, plan, padded, filter);
      const tutorial::Verdict verdict = kernel.verify(reference, result);
      if (!results.verify(tutorial::describe(candidate), filter_width, verdict)) {
        return {};
      }
      return tutorial::Variant{candidate.kernel, kernel.local(), verdict.max_error, [kernel] {
                                 return kernel.launch();
                               }};
    };
    if (options.tuned) {
      if (const auto variant = tutorial::tune(device, options, filter, winners, prepare)) {
        add(*variant, true);
      }
    }

    for (const auto& peer : peers) {
      try {
        peer->prepare(image, padded, filter);
        const tutorial::Verdict verdict = verify(*peer, reference, result);
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
