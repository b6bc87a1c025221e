#include "common/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <stdexcept>

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
constexpr int links_a_turn = 8;
constexpr int quads_a_turn = 8;
constexpr std::size_t tile_bytes = 264 * 4 * sizeof(float);

constexpr std::size_t group_size = 256;
constexpr std::size_t verified_group_size = 16;
// Long enough that starting a kernel does not count; short enough to fit into the pauses of
// whatever else runs on a CPU.
constexpr double least_launch_s = 1e-3;
constexpr int most_turns = 1 << 20;

constexpr float start = 1.0F;

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
  double amount = 0.0;  ///< multiply-adds or bytes of a run with one turn

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
  std::string problem;
  for (std::size_t size = wanted; size >= 1; size /= 2) {
    const std::size_t local_bytes = entry.kind == Kind::local_read ? tile_bytes : 0;
    problem = work_group_problem(device, kernel, cl::NDRange(size), local_bytes);
    if (problem.empty()) {
      return size;
    }
  }
  throw Error(fmt::format("{}: {}", entry.name, problem));
}

/// A launch of `entry` with `items` work-items, rounded up to whole groups of up to `wanted_group`.
/// A copy reads `input`; `output` must hold the result. The number of turns is still to be set.
Launch prepare(
    const Bench& bench, const CeilingKernel& entry, std::size_t wanted_group, std::size_t items,
    const cl::Buffer& input, const cl::Buffer& output) {
  Launch launch;
  launch.kernel = cl::Kernel(bench.program, entry.name);
  launch.local = fitting_group(bench.device, launch.kernel, entry, wanted_group);
  launch.global = (items + launch.local - 1) / launch.local * launch.local;
  const auto count = static_cast<double>(launch.global);
  switch (entry.kind) {
    case Kind::multiply_add:
      launch.kernel.setArg(0, output);
      launch.kernel.setArg(1, start);
      launch.amount = count * entry.floats * chains * links_a_turn;
      break;
    case Kind::copy:
      launch.kernel.setArg(0, input);
      launch.kernel.setArg(1, output);
      launch.amount = count * entry.floats * sizeof(float) * 2;
      break;
    case Kind::local_read:
      launch.kernel.setArg(0, output);
      launch.kernel.setArg(1, start);
      launch.kernel.setArg(3, cl::Local(tile_bytes));
      launch.amount = count * quads_a_turn * 4 * sizeof(float);
      break;
  }
  return launch;
}

// A cl::Kernel is a handle: what is set on its copy is set on the kernel.
void set_chain(cl::Kernel kernel, float factor, float addend, int turns) {
  kernel.setArg(2, factor);
  kernel.setArg(3, addend);
  kernel.setArg(4, turns);
}

// --- Checking ------------------------------------------------------------------------------------

constexpr int verified_turns = 2;
// The result depends on every link of the chain, and forgets where it started only slowly.
constexpr float verified_factor = -0.9990234375F;
constexpr float verified_addend = 1.0F;

/// What work-item `item` of a multiply-add kernel gives.
double expected_chain(const CeilingKernel& entry, std::size_t item) {
  double sum = 0.0;
  for (int lane = 0; lane < entry.floats; lane++) {
    for (int chain = 0; chain < chains; chain++) {
      float a = start + static_cast<float>(item % 16) + static_cast<float>(lane + chain);
      for (int link = 0; link < verified_turns * links_a_turn; link++) {
        a = std::fma(a, verified_factor, verified_addend);
      }
      sum += a;
    }
  }
  return sum;
}

/// What work-item `item` of its group gives in the kernel that reads local memory: a whole number,
/// exact in any order.
double expected_local_sum(std::size_t item) {
  double sum = 0.0;
  for (int quad = 0; quad < verified_turns * quads_a_turn; quad++) {
    const std::size_t i = item + static_cast<std::size_t>(quad);
    sum += 4.0 * start + static_cast<double>(i % 13 + i % 11 + i % 7 + i % 5);
  }
  return sum;
}

/// Runs `entry` on a few work-items; returns what is wrong with its result, or nothing.
std::string problem_of(const Bench& bench, const CeilingKernel& entry) {
  const std::size_t items = 3 * verified_group_size;
  const std::size_t floats =
      entry.kind == Kind::copy ? items * static_cast<std::size_t>(entry.floats) : items;
  std::vector<float> source(floats);
  for (std::size_t i = 0; i < floats; i++) {
    source[i] = 0.5F + static_cast<float>(i);
  }
  const cl::Buffer input(bench.context, CL_MEM_READ_ONLY, floats * sizeof(float));
  bench.queue.enqueueWriteBuffer(input, CL_TRUE, 0, floats * sizeof(float), source.data());
  const GuardedBuffer output(bench.context, bench.device, floats);
  output.poison(bench.queue);

  const Launch launch = prepare(bench, entry, verified_group_size, items, input, output.buffer());
  if (entry.kind == Kind::multiply_add) {
    set_chain(launch.kernel, verified_factor, verified_addend, verified_turns);
  } else if (entry.kind == Kind::local_read) {
    cl::Kernel(launch.kernel).setArg(2, verified_turns);
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
  return output.guards_intact(bench.queue) ? "" : "written outside of the output";
}

// --- Measuring -----------------------------------------------------------------------------------

double host_seconds(const Launch& launch, const cl::CommandQueue& queue) {
  const auto before = std::chrono::steady_clock::now();
  launch(queue).wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

/// The number of turns with which a launch takes long enough.
template <typename SetTurns>
int calibrate(const Launch& launch, const cl::CommandQueue& queue, const SetTurns& set_turns) {
  int turns = 1;
  set_turns(turns);
  launch(queue).wait();  // the first launch may include a part of the compilation
  while (turns < most_turns) {
    const double seconds = std::min(host_seconds(launch, queue), host_seconds(launch, queue));
    if (seconds >= least_launch_s) {
      break;
    }
    const double growth = std::clamp(1.2 * least_launch_s / seconds, 2.0, 8.0);
    turns = static_cast<int>(std::min<double>(most_turns, turns * growth));
    set_turns(turns);
  }
  return turns;
}

/// Multiply-add and copy rates: the best of the kernels.
void take_best(Ceilings& ceilings, const CeilingKernel& entry, double per_s) {
  switch (entry.kind) {
    case Kind::multiply_add:
      if (per_s > ceilings.multiply_adds_per_s) {
        ceilings.multiply_adds_per_s = per_s;
        ceilings.multiply_add_type = entry.type;
      }
      break;
    case Kind::copy:
      if (per_s > ceilings.copy_bytes_per_s) {
        ceilings.copy_bytes_per_s = per_s;
        ceilings.copy_type = entry.type;
      }
      break;
    case Kind::local_read:
      ceilings.local_bytes_per_s = per_s;
      break;
  }
}

/// Three digits and the prefix of the unit: "32.5 T", "117 G", "5.00 ".
std::string three_digits(double value) {
  const char* prefix = "";
  for (const char* larger : {"k", "M", "G", "T"}) {
    if (value >= 999.5) {
      value *= 1e-3;
      prefix = larger;
    }
  }
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, prefix);
}

double positive_number(const std::string& key, const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value) || value <= 0.0) {
    throw Error(fmt::format("{} '{}' is no positive number", key, text));
  }
  return value;
}

}  // namespace

std::string Ceilings::describe() const {
  return fmt::format(
      "{} multiply-adds/s{}, {}B/s copy", three_digits(multiply_adds_per_s),
      multiply_add_type.empty() ? "" : " (" + multiply_add_type + ")",
      three_digits(copy_bytes_per_s));
}

std::string Ceilings::csv_head() const {
  return fmt::format(
      "# multiply_adds_per_s: {:.6g}\n# multiply_add_type: {}\n# copy_bytes_per_s: {:.6g}\n"
      "# copy_type: {}\n# local_bytes_per_s: {:.6g}\n",
      multiply_adds_per_s, multiply_add_type, copy_bytes_per_s, copy_type, local_bytes_per_s);
}

const char* to_string(Bound bound) {
  return bound == Bound::compute ? "compute" : "memory";
}

Floor floor_of(double pixels, double taps, double bytes, const Ceilings& ceilings) {
  if (!(ceilings.multiply_adds_per_s > 0.0 && ceilings.copy_bytes_per_s > 0.0)) {
    throw std::invalid_argument("a floor needs both ceilings");
  }
  Floor floor;
  floor.compute_s = pixels * taps / ceilings.multiply_adds_per_s;
  floor.memory_s = bytes / ceilings.copy_bytes_per_s;
  floor.bound = floor.compute_s >= floor.memory_s ? Bound::compute : Bound::memory;
  floor.seconds = std::max(floor.compute_s, floor.memory_s);
  return floor;
}

double compulsory_bytes(int width, int height, int filter_width) {
  const double halo = filter_width - 1.0;
  return sizeof(float) * ((width + halo) * (height + halo) + static_cast<double>(width) * height);
}

Floor convolution_floor(int width, int height, int filter_width, const Ceilings& ceilings) {
  return floor_of(
      static_cast<double>(width) * height, static_cast<double>(filter_width) * filter_width,
      compulsory_bytes(width, height, filter_width), ceilings);
}

double ridge_taps(double bytes_per_pixel, const Ceilings& ceilings) {
  return ceilings.multiply_adds_per_s * bytes_per_pixel / ceilings.copy_bytes_per_s;
}

Ceilings ceilings_of(const std::map<std::string, std::string>& head) {
  Ceilings ceilings;
  const auto text = [&head](const char* key) {
    const auto found = head.find(key);
    return found == head.end() ? std::string() : found->second;
  };
  const auto number = [&text](const char* key) {
    const std::string value = text(key);
    return value.empty() ? 0.0 : positive_number(key, value);
  };
  ceilings.multiply_adds_per_s = number("multiply_adds_per_s");
  ceilings.multiply_add_type = text("multiply_add_type");
  ceilings.copy_bytes_per_s = number("copy_bytes_per_s");
  ceilings.copy_type = text("copy_type");
  return ceilings;
}

std::vector<CeilingVerdict> verify_ceilings(
    const cl::Device& device, const std::string& kernel_file) {
  const Bench bench(device, kernel_file);
  std::vector<CeilingVerdict> verdicts;
  for (const CeilingKernel& entry : bench.kernels) {
    verdicts.push_back({entry.name, problem_of(bench, entry)});
  }
  return verdicts;
}

Ceilings measure_ceilings(
    const cl::Device& device, const std::string& kernel_file, std::size_t image_bytes,
    double seconds_a_kernel) {
  const Bench bench(device, kernel_file);
  for (const CeilingKernel& entry : bench.kernels) {
    if (const std::string problem = problem_of(bench, entry); !problem.empty()) {
      throw Error(fmt::format("{}: {}", entry.name, problem));
    }
  }

  // Several times what the device can hold at once, so that none of it is idle at the end.
  const std::size_t items =
      4 * static_cast<std::size_t>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()) *
      std::max<std::size_t>(group_size, device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  const std::size_t group_bytes = group_size * 16 * sizeof(float);
  const std::size_t copied_bytes =
      std::max<std::size_t>(1, (image_bytes + group_bytes - 1) / group_bytes) * group_bytes;
  const cl::Buffer input(bench.context, CL_MEM_READ_WRITE, copied_bytes);
  const cl::Buffer copy(bench.context, CL_MEM_READ_WRITE, copied_bytes);
  // Whole groups: at most one more than asked for.
  const cl::Buffer sums(bench.context, CL_MEM_READ_WRITE, (items + group_size) * sizeof(float));
  bench.queue.enqueueFillBuffer(input, 1.0F, 0, copied_bytes);
  bench.queue.enqueueFillBuffer(copy, 0.0F, 0, copied_bytes);
  bench.queue.finish();

  std::vector<Variant> variants;
  std::vector<double> amounts;
  for (const CeilingKernel& entry : bench.kernels) {
    const bool copies = entry.kind == Kind::copy;
    const std::size_t vector_bytes = static_cast<std::size_t>(entry.floats) * sizeof(float);
    const Launch launch = prepare(
        bench, entry, group_size, copies ? copied_bytes / vector_bytes : items, input,
        copies ? copy : sums);
    int turns = 1;
    if (entry.kind == Kind::multiply_add) {
      // With these two numbers x becomes 1 - x and then x again: it neither grows nor settles.
      turns = calibrate(
          launch, bench.queue, [&launch](int n) { set_chain(launch.kernel, -1.0F, 1.0F, n); });
    } else if (entry.kind == Kind::local_read) {
      turns = calibrate(
          launch, bench.queue, [&launch](int n) { cl::Kernel(launch.kernel).setArg(2, n); });
    }
    amounts.push_back(launch.amount * turns);
    variants.push_back({entry.name, cl::NDRange(launch.local), 0.0, [&bench, launch] {
                          return launch(bench.queue);
                        }});
  }

  // Each kernel has its turn in every round, so that a slow moment of the machine meets all of
  // them. A ceiling is what the device can do, so the fastest round counts, not the median.
  const std::vector<Measurement> measurements =
      measure(variants, seconds_a_kernel * static_cast<double>(variants.size()));
  Ceilings ceilings;
  for (std::size_t k = 0; k < measurements.size(); k++) {
    const double per_s = amounts[k] / (1e-3 * measurements[k].time_ms.minimum);
    ceilings.rates.push_back({measurements[k].name, per_s});
    take_best(ceilings, bench.kernels[k], per_s);
    ceilings.host_clock = ceilings.host_clock || measurements[k].host_clock;
  }
  return ceilings;
}

}  // namespace tutorial
