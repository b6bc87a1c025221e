#include "roofline/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>
#include <tuple>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/launch.hpp"
#include "common/program.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

using Kind = CeilingKernel::Kind;

// As in roofline.cl.
constexpr int chains = 8;
constexpr int links_per_turn = 8;
constexpr int reads_per_turn = 8;
constexpr std::size_t tile_bytes = 264 * 4 * sizeof(float);
constexpr std::size_t cached_bytes = 16384 + 8 * 16 * sizeof(float);

// Every link of a chain makes factor * a + addend of a. The result depends on every link, and only
// slowly forgets where the chain started.
constexpr float verified_factor = -0.9990234375F;
// With this one a becomes addend - a and then a again: it neither grows nor settles.
constexpr float timed_factor = -1.0F;

constexpr std::size_t verified_group_size = 16;
constexpr int verified_turns = 2;
constexpr std::size_t group_size = 256;
// Long enough that starting a kernel does not count; short enough to fit into the pauses of
// whatever else runs on a CPU.
constexpr double least_launch_s = 1e-3;
constexpr int most_turns = 1 << 20;

/// Not for a copy, which has no loop.
void set_turns(CeilingKernel& kernel, int turns) {
  kernel.turns = turns;
  kernel.kernel.setArg(2, turns);
}

/// What work-item `item` of a group gives in a multiply-add kernel.
double expected_chains(int floats, std::size_t item, float addend) {
  double sum = 0.0;
  for (int lane = 0; lane < floats; lane++) {
    for (int chain = 0; chain < chains; chain++) {
      float a = addend + static_cast<float>(item % 16) + static_cast<float>(lane + chain);
      for (int link = 0; link < verified_turns * links_per_turn; link++) {
        a = std::fma(a, verified_factor, addend);
      }
      sum += a;
    }
  }
  return sum;
}

}  // namespace

double CeilingKernel::work() const {
  const double floats_in_all = 1.0 * static_cast<double>(global) * turns * floats;
  return kind == Kind::multiply_add ? floats_in_all * chains * links_per_turn
         : kind == Kind::copy       ? floats_in_all * sizeof(float) * 2
                                    : floats_in_all * sizeof(float) * reads_per_turn;
}

void CeilingKernel::record(double time_ms) {
  per_s = std::max(per_s, work() / (1e-3 * time_ms));
}

CeilingMeter::CeilingMeter(
    const cl::CommandQueue& queue, const Options& options, const Image& image,
    const std::string& kernel_file)
    : queue_(queue),
      context_(queue.getInfo<CL_QUEUE_CONTEXT>()),
      device_(queue.getInfo<CL_QUEUE_DEVICE>()),
      options_(options),
      image_width_(image.width),
      image_height_(image.height),
      kernel_file_(kernel_file) {}

void CeilingMeter::build() {
  program_ = build_program(context_, device_, kernel_file_, "");
  kernels_ = {
      {"MultiplyAdd_float", Kind::multiply_add, 1, "float"},
      {"MultiplyAdd_float4", Kind::multiply_add, 4, "float4"},
      {"MultiplyAdd_float16", Kind::multiply_add, 16, "float16"},
      {"Copy_float4", Kind::copy, 4, "float4"},
      {"Copy_float16", Kind::copy, 16, "float16"},
      {"Copy_Nontemporal_float4", Kind::copy, 4, "float4 non-temporal", true},
      {"Copy_Nontemporal_float16", Kind::copy, 16, "float16 non-temporal", true},
      {"CachedRead_float", Kind::cached_read, 1, "float"},
      {"CachedRead_float4", Kind::cached_read, 4, "float4"},
      {"CachedRead_float16", Kind::cached_read, 16, "float16"},
      {"LocalRead_float4", Kind::local_read, 4, "float4"},
  };
  const auto names = split(program_.getInfo<CL_PROGRAM_KERNEL_NAMES>().c_str(), ';');
  std::erase_if(kernels_, [&](const CeilingKernel& kernel) {
    const bool missing = std::ranges::find(names, kernel.name) == names.end();
    if (missing && !kernel.optional) {
      throw Error(fmt::format("{} has no kernel {}", kernel_file_, kernel.name));
    }
    return missing;
  });
}

/// Sets a launch of `items` work-items, rounded up to whole groups of up to `wanted_group`.
/// `output` must have room for the result.
void CeilingMeter::set_up(
    CeilingKernel& kernel, std::size_t wanted_group, std::size_t items, const cl::Buffer& input,
    const cl::Buffer& output, float factor) const {
  kernel.kernel = cl::Kernel(program_, kernel.name.c_str());
  const auto most = kernel.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
  kernel.local = std::bit_floor(std::min(wanted_group, most));
  kernel.global = round_up(items, kernel.local);
  kernel.kernel.setArg(0, output);
  kernel.kernel.setArg(1, input);
  if (kernel.kind != Kind::copy) {
    set_turns(kernel, kernel.turns);
  }
  if (kernel.kind == Kind::multiply_add) {
    kernel.kernel.setArg(3, factor);
  } else if (kernel.kind == Kind::local_read) {
    kernel.kernel.setArg(3, cl::Local(tile_bytes));
  }
}

cl::Event CeilingMeter::launch(const CeilingKernel& kernel) const {
  cl::Event event;
  queue_.enqueueNDRangeKernel(
      kernel.kernel, cl::NullRange, cl::NDRange(kernel.global), cl::NDRange(kernel.local), nullptr,
      &event);
  return event;
}

std::string CeilingMeter::problem_of(CeilingKernel kernel) const {
  const std::size_t items = 3 * verified_group_size;
  const std::size_t floats = kernel.kind == Kind::copy ? items * kernel.floats : items;
  std::vector<float> source(cached_bytes / sizeof(float));  // more than any of them reads
  std::iota(source.begin(), source.end(), 0.5F);
  const cl::Buffer input(context_, CL_MEM_READ_ONLY, cached_bytes);
  queue_.enqueueWriteBuffer(input, CL_TRUE, 0, cached_bytes, source.data());
  const GuardedBuffer output(context_, device_, floats);
  output.poison(queue_);

  kernel.turns = verified_turns;
  set_up(kernel, verified_group_size, items, input, output.buffer(), verified_factor);
  launch(kernel).wait();
  std::vector<float> result(floats);
  queue_.enqueueReadBuffer(output.buffer(), CL_TRUE, 0, floats * sizeof(float), result.data());

  for (std::size_t i = 0; i < floats; i++) {
    const std::size_t item = i % kernel.local;
    // What a work-item reads lies side by side; the sum is exact in any order.
    const float* read = &source[item * kernel.floats];
    const double expected =
        kernel.kind == Kind::multiply_add ? expected_chains(kernel.floats, item, source[0])
        : kernel.kind == Kind::copy
            ? source[i]
            : std::accumulate(read, read + verified_turns * reads_per_turn * kernel.floats, 0.0);
    // Without fma() every link of the chain may be rounded twice; all else is exact.
    const double tolerance =
        kernel.kind == Kind::multiply_add ? 1e-5 * std::abs(expected) + 1e-4 : 0.0;
    // Written so that a NaN is wrong.
    if (!(std::abs(result[i] - expected) <= tolerance)) {
      return fmt::format("wrong at {}: expected {:.9g}, got {:.9g}", i, expected, result[i]);
    }
  }
  return output.guards_intact(queue_) ? "" : "wrote outside of the output buffer";
}

void CeilingMeter::prepare() {
  // A GPU's unit holds up to 2048 work-items at once: twice that. A CPU's core runs one group at a
  // time; more of them would leave each only a few turns of its loop.
  const std::size_t groups = is_cpu(device_) ? 4 : 16;
  const std::size_t items = group_size * groups * device_.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  // Whole work-groups, also of float16. A copy within a cache is faster than one through memory, so
  // the copies are of the image's size.
  const std::size_t image_bytes = sizeof(float) * image_width_ * image_height_;
  const std::size_t copied_bytes =
      round_up(std::max(cached_bytes, image_bytes), group_size * 16 * sizeof(float));
  const cl::Buffer input(context_, CL_MEM_READ_WRITE, copied_bytes);
  const cl::Buffer copy(context_, CL_MEM_READ_WRITE, copied_bytes);
  const cl::Buffer sums(context_, CL_MEM_READ_WRITE, items * sizeof(float));
  buffers_ = {input, copy, sums};
  queue_.enqueueFillBuffer(input, 1.0F, 0, copied_bytes);
  queue_.enqueueFillBuffer(copy, 0.0F, 0, copied_bytes);

  for (CeilingKernel& kernel : kernels_) {
    if (kernel.kind == Kind::copy) {
      const std::size_t vectors = copied_bytes / (kernel.floats * sizeof(float));
      set_up(kernel, group_size, vectors, input, copy, timed_factor);
      continue;
    }
    set_up(kernel, group_size, items, input, sums, timed_factor);
    const auto seconds = [&] {
      const auto before = std::chrono::steady_clock::now();
      launch(kernel).wait();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    };
    seconds();  // the first launch may include a part of the compilation
    while (kernel.turns < most_turns && std::min(seconds(), seconds()) < least_launch_s) {
      set_turns(kernel, 2 * kernel.turns);
    }
  }
}

std::vector<Measurement> CeilingMeter::measure_beside(
    const std::vector<Variant>& variants, double budget_s) {
  std::vector<Variant> all = variants;
  for (const CeilingKernel& kernel : kernels_) {
    all.push_back({kernel.name, cl::NDRange(kernel.local), 0.0, [&] { return launch(kernel); }});
  }
  std::vector<Measurement> measurements = tutorial::measure(all, budget_s);
  for (std::size_t k = 0; k < kernels_.size(); k++) {
    // A ceiling is what the device can do, so the fastest run counts, not the median.
    kernels_[k].record(measurements[variants.size() + k].time_ms.minimum);
  }
  measurements.resize(variants.size());
  return measurements;
}

Ceilings CeilingMeter::best() const {
  Ceilings best;
  std::string local_type;
  for (const CeilingKernel& kernel : kernels_) {
    const auto [rate, type] =
        kernel.kind == Kind::multiply_add
            ? std::tie(best.multiply_adds_per_s, best.multiply_add_type)
        : kernel.kind == Kind::copy        ? std::tie(best.copy_bytes_per_s, best.copy_type)
        : kernel.kind == Kind::cached_read ? std::tie(best.cached_bytes_per_s, best.cached_type)
                                           : std::tie(best.local_bytes_per_s, local_type);
    if (kernel.per_s > rate) {
      rate = kernel.per_s;
      type = kernel.type;
    }
    if (kernel.kind == Kind::cached_read) {
      const double loads_per_s = kernel.per_s / (kernel.floats * sizeof(float));
      best.cached_loads_per_s = std::max(best.cached_loads_per_s, loads_per_s);
    }
  }
  return best;
}

/// Whether the kernel makes one multiply-add per tap, as the floor assumes.
bool CeilingMeter::is_direct(int filter_width, const std::string& label) const {
  const auto entry = std::ranges::find(options_.kernels, label, &KernelEntry::label);
  if (entry == options_.kernels.end() || !entry->is_direct()) {
    return false;
  }
  const Filter filter = make_filter(options_.filter, filter_width, options_.seed);
  return std::ranges::find(filter.taps, 0.0F) == filter.taps.end();
}

Comparison CeilingMeter::measure(int filter_width, const std::vector<Variant>& variants) {
  if (!started_) {
    started_ = true;
    try {
      build();
      for (const CeilingKernel& kernel : kernels_) {
        if (const std::string problem = problem_of(kernel); !problem.empty()) {
          throw Error(fmt::format("{}: {}", kernel.name, problem));
        }
      }
      prepare();
    } catch (const std::exception& error) {
      kernels_.clear();
      const auto* call = dynamic_cast<const cl::Error*>(&error);
      const std::string problem = call != nullptr ? describe(*call) : error.what();
      fmt::print("no x floor: {}\n", problem.substr(0, problem.find('\n')));
    }
  }
  if (kernels_.empty()) {
    return {tutorial::measure(variants, options_.time_budget_s), {}};
  }

  const std::vector<Measurement> measurements = measure_beside(variants, options_.time_budget_s);
  const double floor_ms =
      1e3 * convolution_floor(image_width_, image_height_, filter_width, best()).seconds;
  for (const Measurement& measurement : measurements) {
    if (measurement.time_ms.high < floor_ms && is_direct(filter_width, measurement.name)) {
      fmt::print(
          "width {:2}  {}: x floor {:.2g}: the measured ceilings are too low\n", filter_width,
          measurement.name, measurement.time_ms.median / floor_ms);
    }
  }
  return {measurements, best()};
}

}  // namespace tutorial
