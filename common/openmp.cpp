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
#pragma omp parallel for schedule(static)
    for (int y = 0; y < output->height; y++) {
      for (int x = 0; x < output->width; x++) {
        float sum = 0.0F;
        for (int r = 0; r < filter.width; r++) {
          const float* row = &input.pixels[input.index(x, y + r)];
          const float* taps = &filter.taps[r * filter.width];
          for (int c = 0; c < filter.width; c++) {
            sum += taps[c] * row[c];
          }
        }
        output->pixels[output->index(x, y)] = sum;
      }
    }
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
