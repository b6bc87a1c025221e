// The roofline: what this device can do at most, and how long a convolution takes at least.
//
// The kernels that reach the ceilings are in roofline.cl, their measuring is in ceilings.cpp, and
// the floor that follows from them in common/figures.cpp.
#include <fmt/format.h>

#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/image.hpp"
#include "common/options.hpp"
#include "common/results.hpp"
#include "common/text.hpp"
#include "roofline/ceilings.hpp"

namespace tutorial {
namespace {

const ProgramInfo info = {
    .title = "The device's ceilings, and the least time of a convolution",
    .kernel_file = KERNEL_FILE,
    .kernels = {},
};

constexpr double giga = 1e-9;

// One row per filter width: what has to be done, how long that takes at least, and why. Returns the
// same as a CSV, with the ceilings in every row, so that a row can be read on its own.
std::string print_floors(const Options& options, const Image& image, const Ceilings& best) {
  std::string csv =
      "filter_width,width,height,multiply_adds,bytes,compute_ms,memory_ms,floor_ms,bound,"
      "gpixels_per_s,giga_multiply_adds_per_s,multiply_add_type,copy_gigabytes_per_s,copy_type,"
      "cached_giga_loads_per_s,cached_gigabytes_per_s,cached_type,local_gigabytes_per_s\n";
  fmt::print(
      "\n{:>6} {:>14} {:>12} {:>12} {:>8} {:>12}\n", "filter", "multiply-adds", "bytes",
      "floor, ms", "binds", "Gpixel/s");
  for (const int width : options.filter_widths) {
    const Floor floor = convolution_floor(image.width, image.height, width, best);
    const auto pixels = static_cast<double>(image.size());
    const double multiply_adds = pixels * width * width;
    const double bytes = compulsory_bytes(image.width, image.height, width);
    const double rate = giga * pixels / floor.seconds;
    fmt::print(
        "{:>6} {:>14.4g} {:>12.4g} {:>12.4g} {:>8} {:>12.4g}\n", fmt::format("{0}x{0}", width),
        multiply_adds, bytes, 1e3 * floor.seconds, floor.bound, rate);
    csv += fmt::format(
        "{},{},{},{:.0f},{:.0f},{:.6g},{:.6g},{:.6g},{},{:.5g},{:.5g},{},{:.5g},{},{:.5g},{:.5g},{}"
        ",{:.5g}\n",
        width, image.width, image.height, multiply_adds, bytes, 1e3 * floor.compute_s,
        1e3 * floor.memory_s, 1e3 * floor.seconds, floor.bound, rate,
        giga * best.multiply_adds_per_s, best.multiply_add_type, giga * best.copy_bytes_per_s,
        best.copy_type, giga * best.cached_loads_per_s, giga * best.cached_bytes_per_s,
        best.cached_type, giga * best.local_bytes_per_s);
  }
  return csv;
}

int run(const Options& chosen) {
  Options options = chosen;
  options.filter = "none";  // for the head of the CSV
  const cl::Device device = select_device(options.device);
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  const Image image = load_image(options);
  const Results results(options, device, image);
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
  const std::optional<Ceilings> best = meter.measure({}).ceilings;
  if (!best) {
    return 1;
  }
  std::string csv = results.csv_head() + best->csv_head();
  fmt::print("\n{:<26} {:>12}\n", "ceiling", "rate");
  for (const CeilingKernel& kernel : kernels) {
    const bool computes = kernel.kind == CeilingKernel::Kind::multiply_add;
    fmt::print(
        "{:<26} {:>12.1f} {}\n", kernel.name, giga * kernel.per_s,
        computes ? "G multiply-adds/s" : "GB/s");
    csv += fmt::format("# {}: {:.6g}\n", kernel.name, kernel.per_s);
  }
  fmt::print("best: {}\n", best->describe());
  // A large image moves 8 bytes per pixel: a float in, a float out.
  fmt::print(
      "ridge: memory binds up to {:.3g} taps per pixel, compute beyond\n",
      8.0 * best->multiply_adds_per_s / best->copy_bytes_per_s);
  csv += print_floors(options, image, *best);
  if (!options.csv.empty()) {
    write_whole(options.csv, csv);
    fmt::print("floors: {}\n", options.csv);
  }
  return 0;
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, tutorial::info, tutorial::run);
}
