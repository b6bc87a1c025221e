// Loads halide_ways.cpp when Halide is asked for. Linked like the other libraries, Halide's LLVM
// would stand before PoCL's own among the libraries in which PoCL's compiler looks for LLVM, and
// that crashes.
#include <dlfcn.h>

#include "common/lab/work.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

std::vector<Way> ways(const Problem& problem) {
  using Ways = void(std::vector<Way>&, const Image&, const Image&, const Filter&);
  void* const library = dlopen(HALIDE_WAYS, RTLD_NOW | RTLD_LOCAL);
  void* const function = library != nullptr ? dlsym(library, "halide_ways") : nullptr;
  require(function != nullptr, "{}", dlerror());
  std::vector<Way> found;
  const Image roomy = with_room(problem.padded, {64 - 1, 8 - 1});
  reinterpret_cast<Ways*>(function)(found, problem.image, roomy, problem.filter);
  return found;
}

[[maybe_unused]] const bool added =
    add_library({"Halide", Library::Place::host, [] { return std::string(HALIDE_VERSION); }, ways});

}  // namespace
}  // namespace tutorial
