#include "common/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tutorial {
namespace {

constexpr std::size_t least_undisturbed = 6;  // whose range is a 95 % interval

/// Rank (0-based) of the lower end of the confidence interval of the median of `count` samples; the
/// upper end has the mirrored rank. With k samples below it, the interval misses the median when k
/// or fewer of `count` fair coins fall one way: the largest k is taken for which the probability of
/// that is at most 2.5 %, shared out among the intervals that are to hold `together`.
int interval_rank(int count, int together) {
  double below = 0.0;
  int rank = 0;
  for (int k = 0; k < count / 2; k++) {
    below += std::exp(
        std::lgamma(count + 1.0) - std::lgamma(k + 1.0) - std::lgamma(count - k + 1.0) -
        count * std::log(2.0));
    rank = below > 0.025 / together ? rank : k;
  }
  return rank;
}

}  // namespace

Statistics summarize(std::vector<double> samples, int together) {
  std::ranges::sort(samples);
  const auto count = static_cast<int>(samples.size());
  const int rank = interval_rank(count, together);
  const double median = 0.5 * (samples[(count - 1) / 2] + samples[count / 2]);
  return {count, median, samples[rank], samples[count - 1 - rank], samples[0]};
}

Statistics paired_ratio(const Rounds& a, const Rounds& b, int together) {
  std::vector<double> all, undisturbed;
  for (std::size_t round = 0; round < a.ms.size(); round++) {
    all.push_back(a.ms[round] / b.ms[round]);
    if (!a.disturbed[round] && !b.disturbed[round]) {
      undisturbed.push_back(all.back());
    }
  }
  const bool enough =
      undisturbed.size() == all.size() ||
      (undisturbed.size() >= least_undisturbed && 2 * undisturbed.size() >= all.size());
  Statistics statistics = summarize(enough ? undisturbed : all, together);
  statistics.sure = enough;
  return statistics;
}

Statistics summarize(const Rounds& rounds) {
  const std::size_t count = rounds.ms.size();
  return paired_ratio(rounds, {std::vector(count, 1.0), std::vector(count, false)});
}

bool no_difference(const Statistics& ratio) {
  return ratio.low <= 1.0 && 1.0 <= ratio.high;
}

std::string Ceilings::describe() const {
  return fmt::format(
      "{:.1f} G multiply-adds/s ({}), {:.1f} GB/s copy ({})", 1e-9 * multiply_adds_per_s,
      multiply_add_type, 1e-9 * copy_bytes_per_s, copy_type);
}

std::string Ceilings::csv_head() const {
  return fmt::format(
      "# multiply_adds_per_s: {:.6g}\n# multiply_add_type: {}\n# copy_bytes_per_s: {:.6g}\n"
      "# copy_type: {}\n# cached_loads_per_s: {:.6g}\n"
      "# cached_bytes_per_s: {:.6g}\n# cached_type: {}\n"
      "# local_bytes_per_s: {:.6g}\n",
      multiply_adds_per_s, multiply_add_type, copy_bytes_per_s, copy_type, cached_loads_per_s,
      cached_bytes_per_s, cached_type, local_bytes_per_s);
}

// Everything in double: the largest images have more bytes than an int can count.
double compulsory_bytes(int width, int height, int filter_width, int pixel_bytes) {
  const double halo = filter_width - 1.0;
  return pixel_bytes * ((width + halo) * (height + halo) + 1.0 * width * height);
}

Floor convolution_floor(
    int width, int height, int filter_width, const Ceilings& ceilings, int pixel_bytes) {
  const double multiply_adds = 1.0 * width * height * filter_width * filter_width;
  const double compute_s = multiply_adds / ceilings.multiply_adds_per_s;
  const double memory_s =
      compulsory_bytes(width, height, filter_width, pixel_bytes) / ceilings.copy_bytes_per_s;
  const char* bound = compute_s >= memory_s ? "compute" : "memory";
  return {compute_s, memory_s, std::max(compute_s, memory_s), bound};
}

}  // namespace tutorial
