#include "common/openmp.hpp"

#include <memory>

namespace tutorial {

std::optional<Variant> prepare_openmp(
    const Options& options, const Image& input, const Filter& filter, const Reference& reference,
    Results& results) {
  if (!options.openmp) {
    return {};
  }
  const auto output = std::make_shared<Image>(reference.width, reference.height);
  const auto run = [&input, &filter, output] {
    convolve_openmp(input, filter, *output);
    return cl::Event();
  };
  run();
  const Verdict verdict = check(reference, *output);
  if (!results.verify(host_baseline, filter.width, verdict)) {
    return {};
  }
  Variant variant{host_baseline, cl::NullRange, verdict.max_error, run};
  variant.kind = "host";
  return variant;
}

}  // namespace tutorial
