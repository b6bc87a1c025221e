#include "roofline/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "common/checker.hpp"
#include "common/error.hpp"
#include "common/program.hpp"
#include "common/timing.hpp"
#include "common/work_group.hpp"

namespace tutorial {
namespace {

enum class Kind { multiply_add, copy, local_read };

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
    {"LocalRead_float4", Kind::local_read, 4, "float4", false},
};

// As in roofline.cl.
constexpr int chains = 8;
constexpr int links_per_turn = 8;
constexpr int quads_per_turn = 8;
constexpr std::size_t tile_bytes = 264 * 4 * sizeof(float);

// Every link of a chain makes factor * a + addend of a.
constexpr float start = 1.0F;
constexpr float addend = 1.0F;
// The result depends on every link of the chain, and forgets where it started only slowly.
constexpr float verified_factor = -0.9990234375F;
// With this one a becomes 1 - a and then a again: it neither grows nor settles.
constexpr float timed_factor = -1.0F;

/// The device, with a context of its own, and the kernels.
struct Bench {
  Bench(const cl::Device& device_, const std::string& kernel_file)
      : device(device_),
        context(device),
        queue(context, device, CL_QUEUE_PROFILING_ENABLE),
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

  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
  cl::Program program;
  std::vector<CeilingKernel> kernels;  ///< those that this device's compiler has
};

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
    problem = work_group_problem(device, kernel, Shape::pixel, cl::NDRange(size), local_bytes);
    if (!problem) {
      return size;
    }
  }
  throw Error(fmt::format("{}: {}", entry.name, problem.value_or("")));
}

/// A launch of `entry` with `items` work-items, rounded up to whole groups of up to `wanted_group`.
/// A copy reads `input`; `output` must have room for the result. Turns are still to be set.
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
    case Kind::local_read:
      launch.kernel.setArg(0, output);
      launch.kernel.setArg(1, start);
      launch.turns_argument = 2;
      launch.kernel.setArg(3, cl::Local(tile_bytes));
      launch.amount = count * quads_per_turn * 4 * sizeof(float);
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

/// What work-item `item` of a group gives in the kernel that reads local memory: a whole number,
/// exact in any order.
double expected_local_sum(std::size_t item) {
  double sum = 0.0;
  for (std::size_t i = item; i < item + verified_turns * quads_per_turn; i++) {
    sum += 4.0 * start + static_cast<double>(i % 13 + i % 11 + i % 7 + i % 5);
  }
  return sum;
}

/// Runs `entry` on a few work-items; returns what is wrong with its result, or nothing.
std::string problem_of(const Bench& bench, const CeilingKernel& entry) {
  const std::size_t items = 3 * verified_group_size;
  const std::size_t floats = entry.kind == Kind::copy ? items * entry.floats : items;
  std::vector<float> source(floats);
  for (std::size_t i = 0; i < floats; i++) {
    source[i] = 0.5F + static_cast<float>(i);
  }
  const cl::Buffer input(bench.context, CL_MEM_READ_ONLY, floats * sizeof(float));
  bench.queue.enqueueWriteBuffer(input, CL_TRUE, 0, floats * sizeof(float), source.data());
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
  } else if (entry.kind == Kind::local_read) {
    best.local_bytes_per_s = per_s;
  }
}

}  // namespace

std::vector<CeilingVerdict> verify_ceilings(
    const cl::Device& device, const std::string& kernel_file) {
  const Bench bench(device, kernel_file);
  std::vector<CeilingVerdict> verdicts;
  for (const CeilingKernel& entry : bench.kernels) {
    verdicts.push_back({entry.name, problem_of(bench, entry)});
  }
  return verdicts;
}

MeasuredCeilings measure_ceilings(
    const cl::Device& device, const std::string& kernel_file, std::size_t image_bytes,
    double budget_s) {
  const Bench bench(device, kernel_file);
  for (const CeilingKernel& entry : bench.kernels) {
    if (const std::string problem = problem_of(bench, entry); !problem.empty()) {
      throw Error(fmt::format("{}: {}", entry.name, problem));
    }
  }

  // Several times what the device can hold at once, so that none of it is idle at the end.
  const std::size_t items =
      4 * device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() *
      std::max<std::size_t>(group_size, device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  // Whole work-groups, also of float16.
  const std::size_t copied_bytes =
      round_up(std::max<std::size_t>(1, image_bytes), group_size * 16 * sizeof(float));
  const cl::Buffer input(bench.context, CL_MEM_READ_WRITE, copied_bytes);
  const cl::Buffer copy(bench.context, CL_MEM_READ_WRITE, copied_bytes);
  const cl::Buffer sums(
      bench.context, CL_MEM_READ_WRITE, round_up(items, group_size) * sizeof(float));
  bench.queue.enqueueFillBuffer(input, 1.0F, 0, copied_bytes);
  bench.queue.enqueueFillBuffer(copy, 0.0F, 0, copied_bytes);
  bench.queue.finish();

  std::vector<Variant> variants;
  std::vector<double> amounts;
  for (const CeilingKernel& entry : bench.kernels) {
    const bool copies = entry.kind == Kind::copy;
    Launch launch = prepare(
        bench, entry, group_size, copies ? copied_bytes / (entry.floats * sizeof(float)) : items,
        input, copies ? copy : sums, timed_factor);
    if (launch.turns_argument >= 0) {
      calibrate(launch, bench.queue);
    }
    amounts.push_back(launch.amount);
    variants.push_back({entry.name, cl::NDRange(launch.local), 0.0, [&bench, launch] {
                          return launch(bench.queue);
                        }});
  }

  // Each kernel has its turn in every round, so that a slow moment of the machine meets all of
  // them. A ceiling is what the device can do, so the fastest round counts, not the median.
  const std::vector<Measurement> measurements = measure(
      variants, std::min(seconds_per_kernel, budget_s) * static_cast<double>(variants.size()));
  MeasuredCeilings ceilings;
  for (std::size_t k = 0; k < measurements.size(); k++) {
    const double per_s = amounts[k] / (1e-3 * measurements[k].time_ms.minimum);
    ceilings.rates.push_back({measurements[k].name, per_s});
    take_best(ceilings.best, bench.kernels[k], per_s);
    ceilings.host_clock = ceilings.host_clock || measurements[k].host_clock;
  }
  return ceilings;
}

std::optional<Ceilings> find_ceilings(
    const cl::Device& device, const Options& options, const Image& image,
    const std::string& kernel_file) {
  if (options.verify_only) {
    return {};
  }
  std::string problem;
  try {
    const Ceilings ceilings =
        measure_ceilings(device, kernel_file, image.size_bytes(), options.time_budget_s).best;
    fmt::print("ceilings {}\n", ceilings.describe());
    return ceilings;
  } catch (const cl::Error& error) {
    problem = describe(error);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  fmt::print("no x floor: {}\n", problem.substr(0, problem.find('\n')));
  return {};
}

}  // namespace tutorial
