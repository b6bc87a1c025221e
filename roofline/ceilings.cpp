#include "roofline/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/error.hpp"
#include "common/filters.hpp"
#include "common/program.hpp"
#include "common/timing.hpp"
#include "common/launch.hpp"

namespace tutorial {
namespace {

enum class Kind { multiply_add, copy, cached_read, local_read };

/// A kernel of roofline.cl.
struct CeilingKernel {
  const char* name;
  Kind kind;
  int floats;        ///< floats in its vector type
  const char* type;  ///< for people
  bool optional;     ///< only some compilers have what it needs
};

constexpr CeilingKernel ceiling_kernels[] = {
    {"MultiplyAdd_float", Kind::multiply_add, 1, "float", false},
    {"MultiplyAdd_float4", Kind::multiply_add, 4, "float4", false},
    {"MultiplyAdd_float16", Kind::multiply_add, 16, "float16", false},
    {"Copy_float4", Kind::copy, 4, "float4", false},
    {"Copy_float16", Kind::copy, 16, "float16", false},
    {"Copy_Nontemporal_float4", Kind::copy, 4, "float4 non-temporal", true},
    {"Copy_Nontemporal_float16", Kind::copy, 16, "float16 non-temporal", true},
    {"CachedRead_float", Kind::cached_read, 1, "float", false},
    {"CachedRead_float4", Kind::cached_read, 4, "float4", false},
    {"CachedRead_float16", Kind::cached_read, 16, "float16", false},
    {"LocalRead_float4", Kind::local_read, 4, "float4", false},
};

// As in roofline.cl.
constexpr int chains = 8;
constexpr int links_per_turn = 8;
constexpr int reads_per_turn = 8;
constexpr std::size_t tile_bytes = 264 * 4 * sizeof(float);
constexpr std::size_t cached_bytes = 16384 + 8 * 16 * sizeof(float);

// Every link of a chain makes factor * a + addend of a.
constexpr float start = 1.0F;
constexpr float addend = 1.0F;
// The result depends on every link of the chain, and forgets where it started only slowly.
constexpr float verified_factor = -0.9990234375F;
// With this one a becomes 1 - a and then a again: it neither grows nor settles.
constexpr float timed_factor = -1.0F;

}  // namespace

/// The kernels that the device's compiler has, their launches, and their rates so far.
struct CeilingBench {
  CeilingBench(const cl::CommandQueue& queue_, const std::string& kernel_file)
      : queue(queue_),
        context(queue.getInfo<CL_QUEUE_CONTEXT>()),
        device(queue.getInfo<CL_QUEUE_DEVICE>()),
        program(build_program(context, device, kernel_file, "")) {
    const std::vector<std::string> names = kernel_names(program);
    for (const CeilingKernel& entry : ceiling_kernels) {
      if (std::find(names.begin(), names.end(), entry.name) != names.end()) {
        kernels.push_back(entry);
      } else if (!entry.optional) {
        throw Error(fmt::format(
            "{} has no kernel {}; it has {}", kernel_file, entry.name, fmt::join(names, ", ")));
      }
    }
  }

  cl::CommandQueue queue;
  cl::Context context;
  cl::Device device;
  cl::Program program;
  std::vector<CeilingKernel> kernels;
  std::vector<cl::Buffer> buffers;  ///< kept for the launches: a kernel does not own its arguments
  std::vector<Variant> variants;    ///< of the kernels, once they are ready to be timed
  std::vector<double> amounts;      ///< multiply-adds or bytes of a run
  MeasuredCeilings measured;
};

namespace {

using Bench = CeilingBench;

/// A kernel with its arguments, ready to run.
struct Launch {
  cl::Kernel kernel;
  std::size_t global = 0;
  std::size_t local = 0;
  double amount = 0.0;      ///< multiply-adds or bytes of a run, by turn if it has turns
  int turns_argument = -1;  ///< index of the argument that says how often a loop turns; -1: none

  void set_turns(int turns) { kernel.setArg(static_cast<cl_uint>(turns_argument), turns); }

  cl::Event operator()(const cl::CommandQueue& queue) const {
    cl::Event event;
    queue.enqueueNDRangeKernel(
        kernel, cl::NullRange, cl::NDRange(global), cl::NDRange(local), nullptr, &event);
    return event;
  }
};

/// The largest power of two up to `wanted` that the kernel can have as its work-group's size.
std::size_t fitting_group(
    const cl::Device& device, const cl::Kernel& kernel, const CeilingKernel& entry,
    std::size_t wanted) {
  const std::size_t local_bytes = entry.kind == Kind::local_read ? tile_bytes : 0;
  std::optional<std::string> problem;
  for (std::size_t size = wanted; size >= 1; size /= 2) {
    problem = why_not(device, KernelEntry{}, kernel, cl::NDRange(size), local_bytes);
    if (!problem) {
      return size;
    }
  }
  throw Error(fmt::format("{}: {}", entry.name, problem.value_or("")));
}

/// A launch of `entry` with `items` work-items, rounded up to whole groups of up to `wanted_group`.
/// Copies and cached reads read `input`; `output` must have room for the result. Turns are still to be set.
Launch prepare(
    const Bench& bench, const CeilingKernel& entry, std::size_t wanted_group, std::size_t items,
    const cl::Buffer& input, const cl::Buffer& output, float factor) {
  Launch launch;
  launch.kernel = cl::Kernel(bench.program, entry.name);
  launch.local = fitting_group(bench.device, launch.kernel, entry, wanted_group);
  launch.global = round_up(items, launch.local);
  const auto count = static_cast<double>(launch.global);
  switch (entry.kind) {
    case Kind::multiply_add:
      launch.kernel.setArg(0, output);
      launch.kernel.setArg(1, start);
      launch.kernel.setArg(2, factor);
      launch.kernel.setArg(3, addend);
      launch.turns_argument = 4;
      launch.amount = count * entry.floats * chains * links_per_turn;
      break;
    case Kind::copy:
      launch.kernel.setArg(0, input);
      launch.kernel.setArg(1, output);
      launch.amount = count * entry.floats * sizeof(float) * 2;
      break;
    case Kind::cached_read:
      launch.kernel.setArg(0, output);
      launch.kernel.setArg(1, input);
      launch.turns_argument = 2;
      launch.amount = count * reads_per_turn * entry.floats * sizeof(float);
      break;
    case Kind::local_read:
      launch.kernel.setArg(0, output);
      launch.kernel.setArg(1, start);
      launch.turns_argument = 2;
      launch.kernel.setArg(3, cl::Local(tile_bytes));
      launch.amount = count * reads_per_turn * 4 * sizeof(float);
      break;
  }
  return launch;
}

// --- Checking ------------------------------------------------------------------------------------

constexpr std::size_t verified_group_size = 16;
constexpr int verified_turns = 2;

/// What work-item `item` of a group gives in a multiply-add kernel.
double expected_chain(const CeilingKernel& entry, std::size_t item) {
  double sum = 0.0;
  for (int lane = 0; lane < entry.floats; lane++) {
    for (int chain = 0; chain < chains; chain++) {
      float a = start + static_cast<float>(item % 16) + static_cast<float>(lane + chain);
      for (int link = 0; link < verified_turns * links_per_turn; link++) {
        a = std::fma(a, verified_factor, addend);
      }
      sum += a;
    }
  }
  return sum;
}

/// What work-item `item` of a group gives in a kernel that reads `source` from the cache: exact in
/// any order.
double expected_cached_sum(
    const CeilingKernel& entry, std::size_t item, const std::vector<float>& source) {
  const auto first = source.begin() + static_cast<std::ptrdiff_t>(item) * entry.floats;
  return std::accumulate(first, first + verified_turns * reads_per_turn * entry.floats, 0.0);
}

/// What work-item `item` of a group gives in the kernel that reads local memory: a whole number,
/// exact in any order.
double expected_local_sum(std::size_t item) {
  double sum = 0.0;
  for (std::size_t i = item; i < item + verified_turns * reads_per_turn; i++) {
    sum += 4.0 * start + static_cast<double>(i % 13 + i % 11 + i % 7 + i % 5);
  }
  return sum;
}

/// Runs `entry` on a few work-items; returns what is wrong with its result, or nothing.
std::string problem_of(const Bench& bench, const CeilingKernel& entry) {
  const std::size_t items = 3 * verified_group_size;
  const std::size_t floats = entry.kind == Kind::copy ? items * entry.floats : items;
  std::vector<float> source(cached_bytes / sizeof(float));  // more than any of them reads
  for (std::size_t i = 0; i < source.size(); i++) {
    source[i] = 0.5F + static_cast<float>(i);
  }
  const cl::Buffer input(bench.context, CL_MEM_READ_ONLY, cached_bytes);
  bench.queue.enqueueWriteBuffer(input, CL_TRUE, 0, cached_bytes, source.data());
  const GuardedBuffer output(bench.context, bench.device, floats);
  output.poison(bench.queue);

  Launch launch =
      prepare(bench, entry, verified_group_size, items, input, output.buffer(), verified_factor);
  if (launch.turns_argument >= 0) {
    launch.set_turns(verified_turns);
  }
  launch(bench.queue).wait();
  std::vector<float> result(floats);
  bench.queue.enqueueReadBuffer(output.buffer(), CL_TRUE, 0, floats * sizeof(float), result.data());

  for (std::size_t i = 0; i < floats; i++) {
    const std::size_t item = i % launch.local;
    const double expected = entry.kind == Kind::multiply_add ? expected_chain(entry, item)
                            : entry.kind == Kind::copy       ? source[i]
                            : entry.kind == Kind::cached_read
                                ? expected_cached_sum(entry, item, source)
                                : expected_local_sum(item);
    // Without fma() every link of the chain may be rounded twice; all else is exact.
    const double tolerance =
        entry.kind == Kind::multiply_add ? 1e-5 * std::abs(expected) + 1e-4 : 0.0;
    // Written so that a NaN is wrong.
    if (!(std::abs(result[i] - expected) <= tolerance)) {
      return fmt::format("wrong at {}: expected {:.9g}, got {:.9g}", i, expected, result[i]);
    }
  }
  return output.guards_intact(bench.queue) ? "" : "wrote outside of the output buffer";
}

// --- Measuring -----------------------------------------------------------------------------------

constexpr std::size_t group_size = 256;
// Long enough to meet the machine in a good moment.
constexpr double seconds_per_kernel = 0.3;
// Long enough that starting a kernel does not count; short enough to fit into the pauses of
// whatever else runs on a CPU.
constexpr double least_launch_s = 1e-3;
constexpr int most_turns = 1 << 20;

double host_seconds(const Launch& launch, const cl::CommandQueue& queue) {
  const auto before = std::chrono::steady_clock::now();
  launch(queue).wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

/// Lets the kernel's loop turn so often that a launch takes long enough.
void calibrate(Launch& launch, const cl::CommandQueue& queue) {
  int turns = 1;
  launch.set_turns(turns);
  launch(queue).wait();  // the first launch may include a part of the compilation
  while (turns < most_turns) {
    const double seconds = std::min(host_seconds(launch, queue), host_seconds(launch, queue));
    if (seconds >= least_launch_s) {
      break;
    }
    const double growth = std::clamp(1.2 * least_launch_s / seconds, 2.0, 8.0);
    turns = static_cast<int>(std::min<double>(most_turns, turns * growth));
    launch.set_turns(turns);
  }
  launch.amount *= turns;
}

/// Of the kernels of a kind the best one counts.
void take_best(Ceilings& best, const CeilingKernel& entry, double per_s) {
  if (entry.kind == Kind::multiply_add && per_s > best.multiply_adds_per_s) {
    best.multiply_adds_per_s = per_s;
    best.multiply_add_type = entry.type;
  } else if (entry.kind == Kind::copy && per_s > best.copy_bytes_per_s) {
    best.copy_bytes_per_s = per_s;
    best.copy_type = entry.type;
  } else if (entry.kind == Kind::cached_read) {
    const double loads_per_s = per_s / (entry.floats * sizeof(float));
    best.cached_loads_per_s = std::max(best.cached_loads_per_s, loads_per_s);
    if (per_s > best.cached_bytes_per_s) {
      best.cached_bytes_per_s = per_s;
      best.cached_type = entry.type;
    }
  } else if (entry.kind == Kind::local_read) {
    best.local_bytes_per_s = std::max(best.local_bytes_per_s, per_s);
  }
}

/// Makes the kernels ready to be timed, with copies of `image_bytes`. Throws `Error` if a result is
/// wrong.
void make_ready(Bench& bench, std::size_t image_bytes) {
  for (const CeilingKernel& entry : bench.kernels) {
    if (const std::string problem = problem_of(bench, entry); !problem.empty()) {
      throw Error(fmt::format("{}: {}", entry.name, problem));
    }
  }
  // A GPU's unit holds up to 2048 work-items at once: twice that. A CPU's core runs one group at a
  // time; more of them would leave each only a few turns of its loop.
  const std::size_t groups = is_cpu(bench.device) ? 4 : 16;
  const std::size_t items =
      group_size * groups * bench.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  // Whole work-groups, also of float16.
  const std::size_t copied_bytes =
      round_up(std::max<std::size_t>(cached_bytes, image_bytes), group_size * 16 * sizeof(float));
  const cl::Buffer input(bench.context, CL_MEM_READ_WRITE, copied_bytes);
  const cl::Buffer copy(bench.context, CL_MEM_READ_WRITE, copied_bytes);
  const cl::Buffer sums(bench.context, CL_MEM_READ_WRITE, items * sizeof(float));
  bench.buffers = {input, copy, sums};
  bench.queue.enqueueFillBuffer(input, 1.0F, 0, copied_bytes);
  bench.queue.enqueueFillBuffer(copy, 0.0F, 0, copied_bytes);
  bench.queue.finish();

  for (const CeilingKernel& entry : bench.kernels) {
    const bool copies = entry.kind == Kind::copy;
    Launch launch = prepare(
        bench, entry, group_size, copies ? copied_bytes / (entry.floats * sizeof(float)) : items,
        input, copies ? copy : sums, timed_factor);
    if (launch.turns_argument >= 0) {
      calibrate(launch, bench.queue);
    }
    bench.amounts.push_back(launch.amount);
    bench.measured.rates.push_back({entry.name});
    bench.variants.push_back(
        {entry.name, cl::NDRange(launch.local), 0.0,
         [queue = bench.queue, launch] { return launch(queue); }});
  }
}

/// The times of `variants`, measured in turns with the ceilings' kernels. A slow moment of the
/// machine meets all of them. A ceiling is what the device can do, so of these kernels the fastest
/// run counts, not the median.
std::vector<Measurement> measure_beside(
    Bench& bench, const std::vector<Variant>& variants, double budget_s) {
  std::vector<Variant> all = variants;
  all.insert(all.end(), bench.variants.begin(), bench.variants.end());
  std::vector<Measurement> measurements = measure(all, budget_s);
  for (std::size_t k = 0; k < bench.kernels.size(); k++) {
    const Measurement& measurement = measurements[variants.size() + k];
    const double per_s = bench.amounts[k] / (1e-3 * measurement.time_ms.minimum);
    bench.measured.rates[k].per_s = std::max(bench.measured.rates[k].per_s, per_s);
    bench.measured.host_clock = bench.measured.host_clock || measurement.host_clock;
    take_best(bench.measured.best, bench.kernels[k], per_s);
  }
  measurements.resize(variants.size());
  return measurements;
}

}  // namespace

std::vector<CeilingVerdict> verify_ceilings(
    const cl::CommandQueue& queue, const std::string& kernel_file) {
  const Bench bench(queue, kernel_file);
  std::vector<CeilingVerdict> verdicts;
  for (const CeilingKernel& entry : bench.kernels) {
    verdicts.push_back({entry.name, problem_of(bench, entry)});
  }
  return verdicts;
}

MeasuredCeilings measure_ceilings(
    const cl::CommandQueue& queue, const std::string& kernel_file, std::size_t image_bytes,
    double budget_s) {
  Bench bench(queue, kernel_file);
  make_ready(bench, image_bytes);
  measure_beside(
      bench, {},
      std::min(seconds_per_kernel, budget_s) * static_cast<double>(bench.kernels.size()));
  return bench.measured;
}

CeilingMeter::CeilingMeter(
    const cl::CommandQueue& queue, const Options& options, const Image& image,
    const std::string& kernel_file)
    : queue_(queue),
      options_(options),
      image_width_(image.width),
      image_height_(image.height),
      kernel_file_(kernel_file) {}

CeilingMeter::~CeilingMeter() = default;

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
    std::string problem;
    try {
      auto bench = std::make_unique<CeilingBench>(queue_, kernel_file_);
      make_ready(*bench, sizeof(float) * image_width_ * image_height_);
      bench_ = std::move(bench);
    } catch (const cl::Error& error) {
      problem = describe(error);
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (!bench_) {
      fmt::print("no x floor: {}\n", problem.substr(0, problem.find('\n')));
    }
  }
  if (!bench_) {
    return {tutorial::measure(variants, options_.time_budget_s), {}};
  }

  const std::vector<Measurement> measurements =
      measure_beside(*bench_, variants, options_.time_budget_s);
  const Ceilings& ceilings = bench_->measured.best;
  const auto floor_ms = [&] {
    return 1e3 * convolution_floor(image_width_, image_height_, filter_width, ceilings).seconds;
  };
  // The indices of those that are faster than they can be, the worst first.
  const auto contradictions = [&] {
    std::vector<std::size_t> found;
    for (std::size_t v = 0; v < variants.size(); v++) {
      if (measurements[v].time_ms.high < floor_ms() && is_direct(filter_width, variants[v].name)) {
        found.push_back(v);
      }
    }
    std::ranges::sort(found, {}, [&](std::size_t v) { return measurements[v].time_ms.median; });
    return found;
  };
  std::vector<Variant> suspects;
  for (const std::size_t v : contradictions()) {
    suspects.push_back(variants[v]);
  }
  if (!suspects.empty()) {
    measure_beside(*bench_, suspects, options_.time_budget_s);
  }
  if (const std::vector<std::size_t> remaining = contradictions(); !remaining.empty()) {
    const Measurement& worst = measurements[remaining.front()];
    fmt::print(
        "width {:2}  {}: x floor {:.2g}, measured twice: ceilings too low\n", filter_width,
        worst.name, worst.time_ms.median / floor_ms());
  }
  return {measurements, ceilings};
}

}  // namespace tutorial
