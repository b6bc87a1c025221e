#include "common/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/device.hpp"

namespace tutorial {
namespace {

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Before anything has run: the right order of magnitude for a processor and for a large GPU.
WidthCost guess(const Options& options, const cl::Device& device, std::size_t pixels) {
  const bool cpu = is_cpu(device);
  const double multiply_adds_per_s =
      (cpu ? 1e9 : 1e10) * device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  WidthCost cost;
  cost.filter_width = 8;
  cost.prepare_s = (cpu ? 0.3 : 0.1) * static_cast<double>(options.kernels.size());
  for (const KernelEntry& kernel : options.kernels) {
    // A processor has no texture units.
    const double times = cpu && kernel.shape == Shape::image ? 10.0 : 1.0;
    cost.round_s += times * 64.0 * static_cast<double>(pixels) / multiply_adds_per_s;
  }
  return cost;
}

}  // namespace

WidthCost scaled(const WidthCost& known, int filter_width, double budget_s) {
  const double ratio = static_cast<double>(filter_width) / known.filter_width;
  // What a pixel takes besides its taps is like some more of them.
  const auto taps = [](int width) { return width * width + 10.0; };
  WidthCost cost;
  cost.filter_width = filter_width;
  cost.round_s = known.round_s * taps(filter_width) / taps(known.filter_width);
  // Verifying is a run of every kernel.
  const double build_s = std::max(0.0, known.prepare_s - known.round_s);
  cost.prepare_s = build_s * (0.75 + 0.25 * ratio) + cost.round_s;
  cost.measure_s = std::max(budget_s, static_cast<double>(least_rounds) * cost.round_s);
  return cost;
}

std::string describe_duration(double seconds) {
  if (seconds < 100.0) {
    return fmt::format("{:.0f} s", seconds);
  }
  if (seconds < 6000.0) {
    return fmt::format("{:.0f} min", seconds / 60.0);
  }
  return fmt::format("{:.{}f} h", seconds / 3600.0, seconds < 36000.0 ? 1 : 0);
}

double search_seconds(const Options& options, const cl::Device& device) {
  return options.search_budget_s > 0.0 ? options.search_budget_s : is_cpu(device) ? 40.0 : 15.0;
}

Sweep::Sweep(const Options& options, const cl::Device& device, std::size_t pixels)
    : budget_s_(options.time_budget_s),
      search_s_(options.tuned ? search_seconds(options, device) : 0.0),
      known_(guess(options, device, pixels)) {
  if (!options.verify_only && !options.kernels.empty() && options.filter_widths.size() > 1) {
    widths_ = options.filter_widths;
  }
}

WidthCost Sweep::cost_from(std::size_t first) const {
  WidthCost sum;
  for (std::size_t i = first; i < widths_.size(); i++) {
    const WidthCost cost = scaled(known_, widths_[i], budget_s_);
    sum.prepare_s += cost.prepare_s + search_s_;
    sum.measure_s += cost.measure_s;
  }
  return sum;
}

std::string Sweep::announcement() const {
  if (widths_.empty()) {
    return "";
  }
  const WidthCost cost = cost_from(0);
  return fmt::format(
      "{} filter widths: about {}, {} of it measuring (--time-budget {})", widths_.size(),
      describe_duration(cost.prepare_s + cost.measure_s), describe_duration(cost.measure_s),
      budget_s_);
}

void Sweep::measured(const std::vector<Measurement>& measurements) {
  const Clock::time_point now = Clock::now();
  if (done_ < widths_.size()) {
    const double prepare_s = seconds(prepared_ - begin_);
    // A search ends before its time if it knows the winner, or has tried everything.
    search_s_ = std::min(search_s_, prepare_s);
    known_.filter_width = widths_[done_];
    known_.prepare_s = prepare_s - search_s_;
    known_.round_s = 0.0;
    for (const Measurement& measurement : measurements) {
      known_.round_s += 1e-3 * measurement.time_ms.median;
    }
    done_++;
  }
  begin_ = prepared_ = now;
}

std::string Sweep::time_left() const {
  if (done_ >= widths_.size()) {
    return "";
  }
  const WidthCost cost = cost_from(done_);
  const double spent_s = seconds(Clock::now() - begin_);
  return fmt::format(
      "about {} left", describe_duration(std::max(0.0, cost.prepare_s + cost.measure_s - spent_s)));
}

}  // namespace tutorial
