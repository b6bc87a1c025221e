// The roofline: what this device can do at most, and how long a convolution takes at least.
//
// The kernels that reach the ceilings are in common/lab/roofline.cl, their measuring is in
// common/lab/ceilings.cpp, and the floor that follows from them in common/lab/figures.cpp.
#include <fmt/format.h>

#include "common/device.hpp"
#include "common/image.hpp"
#include "common/lab/ceilings.hpp"
#include "common/lab/figures.hpp"
#include "common/lab/results.hpp"
#include "common/options.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

const ProgramInfo info = {
    .title = "The device's ceilings, and the least time of a convolution",
    .kernel_file = KERNEL_FILE,
    .kernels = {},
};

constexpr double giga = 1e-9;

// One row per filter width: what has to be done, how long that takes at least, and why.
void print_floors(const Options& options, const Image& image, const Ceilings& best) {
  fmt::print(
      "\n{:>6} {:>14} {:>12} {:>12} {:>8} {:>12}\n", "filter", "multiply-adds", "bytes",
      "floor, ms", "binds", "Gpixel/s");
  for (const int width : options.filter_widths) {
    const Floor floor = convolution_floor(
        image.width, image.height, width, best.multiply_adds.per_s, best.copies.per_s);
    const auto pixels = static_cast<double>(image.size());
    fmt::print(
        "{:>6} {:>14.4g} {:>12.4g} {:>12.4g} {:>8} {:>12.4g}\n", fmt::format("{0}x{0}", width),
        pixels * width * width, compulsory_bytes(image.width, image.height, width),
        1e3 * floor.seconds, floor.bound, giga * pixels / floor.seconds);
  }
}

int run(const Options& chosen) {
  Options options = chosen;
  options.filter = "none";  // for the head of the CSV
  const cl::Device device = select_device(options.device);
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  const Image image = load_image(options);
  Results results(options, device, image);
  CeilingMeter meter(queue, options, image, options.kernel_file);

  // A kernel that does not do its work is fast. So first: does each do what it is to be timed for?
  if (const std::string problems = meter.verify(); !problems.empty()) {
    fmt::print(stderr, "{}", problems);
    return 2;
  }
  const std::vector<CeilingKernel>& kernels = meter.kernels();
  fmt::print("all {} results verified\n", kernels.size());
  if (options.verify_only) {
    return 0;
  }
  std::vector<Measurement> measured = measure(meter.beside({}), options.time_budget_s);
  const std::optional<Ceilings> best = take_ceilings(measured, meter.kernels());
  if (!best) {
    return 1;
  }
  fmt::print("\n{:<26} {:>12}\n", "ceiling", "rate");
  for (const CeilingKernel& kernel : kernels) {
    const bool computes = kernel.kind == CeilingKernel::Kind::multiply_add;
    fmt::print(
        "{:<26} {:>12.1f} {}\n", kernel.name, giga * kernel.per_s,
        computes ? "G multiply-adds/s" : "GB/s");
    Series series;
    series.kernel = kernel.name;
    series.kind = "ceiling";
    series.rounds = kernel.rounds;
    results.record(series);
  }
  fmt::print("best: {}\n", best->describe());
  // A large image moves 8 bytes per pixel: a float in, a float out.
  fmt::print(
      "ridge: memory binds up to {:.3g} taps per pixel, compute beyond\n",
      8.0 * best->multiply_adds.per_s / best->copies.per_s);
  print_floors(options, image, *best);
  for (const auto& [key, value] : best->head()) {
    results.note(key, value);
  }
  results.write();
  return 0;
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, tutorial::info, tutorial::run);
}
