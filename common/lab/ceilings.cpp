#include "common/lab/ceilings.hpp"

#include <bit>
#include <chrono>
#include <numeric>

#include "common/program.hpp"

namespace tutorial {
namespace {

using Kind = CeilingKernel::Kind;

// As in roofline.cl.
constexpr int chains = 12, byte_chains = 8;
constexpr int links_per_turn = 8;
constexpr int reads_per_turn = 8;
constexpr std::size_t cached_bytes = 16384 + 8 * 16 * sizeof(float);

// Every link of a chain makes factor * a + addend of a. With this factor the result depends on
// every link.
constexpr float verified_factor = 2.0F;
// With this one a becomes addend - a and then a again: it neither grows nor settles.
constexpr float timed_factor = -1.0F;

constexpr std::size_t verified_group_size = 16;
constexpr int verified_turns = 2;
constexpr std::size_t group_size = 256;
// Long enough that starting a kernel, 50 us on a CPU, does not count; short enough to fit into the
// pauses of whatever else runs on a CPU.
constexpr double least_launch_s = 4e-3;
constexpr int most_turns = 1 << 20;

}  // namespace

double CeilingKernel::work() const {
  const double floats_in_all = 1.0 * static_cast<double>(global) * turns * floats;
  return kind == Kind::copy            ? floats_in_all * sizeof(float) * 2
         : kind == Kind::cached_read   ? floats_in_all * sizeof(float) * reads_per_turn
         : kind == Kind::byte_products ? floats_in_all * byte_chains * links_per_turn
                                       : floats_in_all * chains * links_per_turn;
}

CeilingMeter::CeilingMeter(
    const cl::CommandQueue& queue, const Options& options, const Image& image,
    const std::string& kernel_file)
    : queue_(queue),
      context_(queue.getInfo<CL_QUEUE_CONTEXT>()),
      device_(queue.getInfo<CL_QUEUE_DEVICE>()),
      options_(options),
      image_bytes_(image.size() * options.pixel_bytes),
      kernel_file_(kernel_file) {}

std::string CeilingMeter::verify() {
  started_ = true;
  const MoreCeilings more = options_.more_ceilings;
  program_ = build_program(context_, device_, kernel_file_, "", more ? more(device_) : "");
  kernels_ = {
      {"MultiplyAdd_float", Kind::multiply_add, 1, "float"},
      {"MultiplyAdd_float4", Kind::multiply_add, 4, "float4"},
      {"MultiplyAdd_float8", Kind::multiply_add, 8, "float8"},
      {"MultiplyAdd_float16", Kind::multiply_add, 16, "float16"},
      {"Copy_float4", Kind::copy, 4, "float4"},
      {"Copy_float16", Kind::copy, 16, "float16"},
      {"Copy_Nontemporal_float4", Kind::copy, 4, "float4 non-temporal"},
      {"Copy_Nontemporal_float16", Kind::copy, 16, "float16 non-temporal"},
      {"CachedRead_float", Kind::cached_read, 1, "float"},
      {"CachedRead_float4", Kind::cached_read, 4, "float4"},
      {"CachedRead_float16", Kind::cached_read, 16, "float16"},
      {"MultiplyAdd_pairs", Kind::byte_products, 32, "pairs of bytes"},
      {"MultiplyAdd_matrices", Kind::byte_products, 64, "matrices of bytes"},
  };
  // Only some compilers have non-temporal stores, or instructions for bytes.
  const auto names = split(program_.getInfo<CL_PROGRAM_KERNEL_NAMES>().c_str(), ';');
  std::erase_if(kernels_, [&](const auto& one) { return !std::ranges::count(names, one.name); });

  std::string problems;
  for (const CeilingKernel& kernel : kernels_) {
    if (const std::string problem = problem_of(kernel); !problem.empty()) {
      problems += fmt::format("{}: {}\n", kernel.name, problem);
    }
  }
  return problems;
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
  if (kernel.kind != Kind::copy) {  // which has no loop
    kernel.kernel.setArg(2, kernel.turns);
  }
  if (kernel.kind == Kind::multiply_add || kernel.kind == Kind::byte_products) {
    kernel.kernel.setArg(3, factor);
  }
}

cl::Event CeilingMeter::launch(const CeilingKernel& kernel) const {
  cl::Event event;
  queue_.enqueueNDRangeKernel(
      kernel.kernel, cl::NullRange, cl::NDRange(kernel.global), cl::NDRange(kernel.local), nullptr,
      &event);
  return event;
}

/// What is wrong with its result, if anything is.
std::string CeilingMeter::problem_of(CeilingKernel kernel) const {
  // Matrices need a whole warp.
  const std::size_t group = kernel.kind == Kind::byte_products ? 32 : verified_group_size;
  const std::size_t items = 3 * group;
  const std::size_t floats = kernel.kind == Kind::copy ? items * kernel.floats : items;
  std::vector<float> source(cached_bytes / sizeof(float));  // more than any of them reads
  std::iota(source.begin(), source.end(), 0.5F);
  const cl::Buffer input(context_, CL_MEM_READ_ONLY, cached_bytes);
  queue_.enqueueWriteBuffer(input, CL_TRUE, 0, cached_bytes, source.data());
  const GuardedBuffer output(context_, device_, floats);
  output.poison(queue_);

  kernel.turns = verified_turns;
  set_up(kernel, group, items, input, output.buffer(), verified_factor);
  launch(kernel).wait();
  std::vector<float> result(floats);
  queue_.enqueueReadBuffer(output.buffer(), CL_TRUE, 0, floats * sizeof(float), result.data());

  for (std::size_t i = 0; i < floats; i++) {
    const std::size_t item = i % kernel.local;
    // A chain that starts with a ends with (a + addend) * 2^links - addend.
    const double addend = source[0];
    const double mean_start = addend + item + 0.5 * (kernel.floats - 1) + 0.5 * (chains - 1);
    const double chain_end =
        std::ldexp(mean_start + addend, verified_turns * links_per_turn) - addend;
    // What a work-item reads lies side by side.
    const float* read = &source[item * kernel.floats];
    const double expected =
        kernel.kind == Kind::multiply_add ? chain_end * chains * kernel.floats
        : kernel.kind == Kind::byte_products
            ? verified_factor * kernel.floats * byte_chains * links_per_turn * verified_turns
        : kernel.kind == Kind::copy
            ? source[i]
            : std::accumulate(read, read + verified_turns * reads_per_turn * kernel.floats, 0.0);
    // Sums may be rounded. Written so that a NaN is wrong.
    if (!(std::abs(result[i] - expected) <= 1e-5 * expected)) {
      return fmt::format("wrong at {}: expected {:.9g}, got {:.9g}", i, expected, result[i]);
    }
  }
  return output.damage(queue_);
}

/// Sets the launches that are to be timed.
void CeilingMeter::prepare() {
  // A GPU's unit holds up to 2048 work-items at once: twice that. A CPU's core runs one group at a
  // time; more of them would leave each only a few turns of its loop.
  const std::size_t groups = is_cpu(device_) ? 4 : 16;
  const std::size_t items = group_size * groups * device_.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  // Whole work-groups, also of float16. A copy within a cache is faster than one through memory, so
  // the copies are of the image's size.
  const std::size_t copied_bytes =
      round_up(std::max(cached_bytes, image_bytes_), group_size * 16 * sizeof(float));
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
    // Without time for rounds it is only to be seen that all work.
    const double long_enough_s = std::min(least_launch_s, options_.time_budget_s);
    seconds();  // the first launch may include a part of the compilation
    while (kernel.turns < most_turns && std::min(seconds(), seconds()) < long_enough_s) {
      kernel.turns *= 2;
      kernel.kernel.setArg(2, kernel.turns);
    }
  }
}

std::optional<Ceilings> take_ceilings(
    std::vector<Measurement>& measured, std::vector<CeilingKernel>& kernels) {
  if (kernels.empty()) {
    return {};
  }
  Ceilings best;
  const auto first = measured.end() - std::ssize(kernels);
  auto one = first;
  for (CeilingKernel& kernel : kernels) {
    const Rounds& rounds = (one++)->rounds;
    std::ranges::copy(rounds.ms, std::back_inserter(kernel.rounds.ms));
    std::ranges::copy(rounds.disturbed, std::back_inserter(kernel.rounds.disturbed));
    kernel.per_s = kernel.work() / (1e-3 * summarize(kernel.rounds).median);
    Ceiling& ceiling = kernel.kind == Kind::copy ? best.copies : best.multiply_adds;
    // No floor counts reads from a cache.
    if (kernel.kind != Kind::cached_read && kernel.per_s > ceiling.per_s) {
      ceiling = {kernel.per_s, kernel.type, kernel.work(), rounds};
    }
  }
  measured.erase(first, measured.end());
  return best;
}

std::vector<Variant> CeilingMeter::beside(std::vector<Variant> variants) {
  try {
    if (!started_) {
      const std::string problems = verify();
      require(problems.empty(), "{}", problems);
    }
    if (!kernels_.empty() && buffers_.empty()) {
      prepare();
    }
  } catch (const std::exception& error) {
    kernels_.clear();
    const std::string problem = describe(error);
    fmt::print("no x floor: {}\n", problem.substr(0, problem.find('\n')));
  }
  for (const CeilingKernel& kernel : kernels_) {
    variants.push_back({kernel.name, kernel.local, 0.0, [&] { return launch(kernel); }});
  }
  return variants;
}

}  // namespace tutorial
