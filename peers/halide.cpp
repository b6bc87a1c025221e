// Loads halide_ways.cpp when Halide is asked for. Linked like the other libraries, Halide's LLVM
// would stand before PoCL's own among the libraries in which PoCL's compiler looks for LLVM, and
// that crashes.
#include <dlfcn.h>

#include "common/lab/work.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

Peer halide_peer(const cl::Context&, const cl::Device&, bool) {
  using Ways = void(std::vector<Way>&, const Image&, const Image&, const Filter&);
  void* const library = dlopen(HALIDE_WAYS, RTLD_NOW | RTLD_LOCAL);
  void* const function = library != nullptr ? dlsym(library, "halide_ways") : nullptr;
  require(function != nullptr, "{}", dlerror());
  auto* const halide_ways = reinterpret_cast<Ways*>(function);
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
