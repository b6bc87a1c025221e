#include "common/openmp.hpp"

#include <algorithm>
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
  const auto clocks = system_clocks();
  const double start_s = clocks.now_s();
  run();
  // All others would wait for it, round after round.
  if (!options.verify_only && clocks.now_s() - start_s > std::max(0.1, options.time_budget_s)) {
    return results.skip(host_baseline, filter.width, "one run takes longer than --time-budget");
  }
  const Verdict verdict = check(reference, *output);
  if (!results.verify(host_baseline, filter.width, verdict)) {
    return {};
  }
  Variant variant{host_baseline, cl::NullRange, verdict.max_error, run};
  variant.kind = "host";
  return variant;
}

}  // namespace tutorial
