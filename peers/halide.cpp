// Loads halide_ways.cpp when Halide is asked for. Linked like the other libraries, Halide's LLVM
// would stand before PoCL's own among the libraries in which PoCL's compiler looks for LLVM, and
// that crashes.
#include "common/lab/work.hpp"
#include "common/system.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

Peer halide_peer(const cl::Context&, const cl::Device&, bool) {
  using Ways = void(std::vector<Way>&, const Image&, const Image&, const Filter&);
  auto* const halide_ways = reinterpret_cast<Ways*>(function_of(HALIDE_WAYS, "halide_ways"));
  const auto ways = [=](const Image& image, const Image& padded, const Filter& filter) {
    std::vector<Way> found;
    halide_ways(found, image, with_room(padded, {64 - 1, 8 - 1}), filter);
    return fastest_first(found);
  };
  return {HALIDE_VERSION, ways};
}

[[maybe_unused]] const bool added = add_library({"Halide", Library::Place::host, halide_peer});

}  // namespace
}  // namespace tutorial
