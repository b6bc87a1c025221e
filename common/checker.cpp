#include "common/checker.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <random>

#include "common/error.hpp"
#include "common/program.hpp"

namespace tutorial {
namespace {

/// Another one in each run of the program, so that no kernel can know the poison.
const std::uint64_t run_seed = std::random_device()();

/// A random number that belongs to a place of a buffer.
cl_uint random_bits(std::size_t place) {
  const std::uint64_t hash = (place + 1 + run_seed) * 0x9e3779b97f4a7c15U;
  return static_cast<cl_uint>(hash >> 32);
}

/// What `count` words of a poisoned buffer hold from `place` on: NaNs, and for kernels that look
/// for these one number in sixteen that no result comes near to. No two neighbours are the same, so
/// whatever a kernel writes beside its output is not what was there.
std::vector<cl_uint> poisoned(std::size_t place, std::size_t count) {
  std::vector<cl_uint> words(count);
#pragma omp parallel for
  for (std::size_t i = 0; i < count; i++) {
    const cl_uint bits = random_bits(place + i);
    words[i] =
        bits >> 28 == 15 ? 0x7b800000U | (bits & 0x7fffffU) : 0x7fc00000U | (bits & 0x3fffffU);
  }
  return words;
}

std::vector<cl_uint> read_words(
    const cl::CommandQueue& queue, const cl::Buffer& buffer, std::size_t place, std::size_t count) {
  std::vector<cl_uint> words(count);
  queue.enqueueReadBuffer(
      buffer, CL_TRUE, place * sizeof(cl_uint), count * sizeof(cl_uint), words.data());
  return words;
}

void write_words(
    const cl::CommandQueue& queue, const cl::Buffer& buffer, const std::vector<cl_uint>& words) {
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, words.size() * sizeof(cl_uint), words.data());
}

/// The tolerance of the other pixel of the pair that pixel `i` belongs to.
double partner_tolerance(const Reference& reference, std::size_t i) {
  const std::size_t width = reference.width;
  const std::size_t partner = i % width ^ 1;  // 2k and 2k + 1
  const double* row = &reference.tolerances[i - i % width];
  return partner < width ? row[partner] : *std::max_element(row, row + width);
}

}  // namespace

Reference convolve_reference(const Image& padded, const Filter& filter, const Image& image) {
  Reference reference;
  reference.width = image.width;
  reference.height = image.height;
  const std::size_t width = image.width;
  const std::size_t filter_width = filter.width;
  reference.values.resize(width * reference.height);
  reference.tolerances.resize(reference.values.size());

  const auto by_magnitude = [](float a, float b) { return std::abs(a) < std::abs(b); };
  for (const float tap : filter.taps) {
    reference.magnitude += std::abs(tap);
  }
  reference.magnitude *= std::abs(*std::ranges::max_element(padded.pixels, by_magnitude));

  // Transforms make sums that are larger by far, and the poison is above 10^36.
  require(reference.magnitude < 1e30, "the sums of these pixels and taps are too large for floats");

  const double tap_count = filter.taps.size();
  const double relative = tap_count * std::numeric_limits<float>::epsilon();
  // A device may flush numbers below FLT_MIN to zero, once in every product.
  const double absolute = tap_count * std::numeric_limits<float>::min();

#pragma omp parallel for schedule(static)
  for (int y = 0; y < reference.height; y++) {
    double* values = &reference.values[y * width];
    double* magnitudes = &reference.tolerances[y * width];
    // The columns are innermost, for vectors: no sum waits for another one.
    for (std::size_t r = 0; r < filter_width; r++) {
      for (std::size_t c = 0; c < filter_width; c++) {
        const double tap = filter.taps[r * filter_width + c];
        const float* input = &padded.pixels[(y + r) * padded.width + c];
        for (std::size_t x = 0; x < width; x++) {
          const double product = tap * input[x];
          values[x] += product;
          magnitudes[x] += std::abs(product);
        }
      }
    }
    for (std::size_t x = 0; x < width; x++) {
      magnitudes[x] = relative * magnitudes[x] + absolute;
    }
  }
  return reference;
}

std::string Verdict::describe(std::size_t pixel_count) const {
  if (passed) {
    return fmt::format("ok, largest error {:.1e}", max_error);
  }
  if (bad_count == 0) {
    return damage;
  }
  return fmt::format(
      "wrong at ({}, {}): expected {:.9g}, got {:.9g}; {} of {} pixels are wrong{}{}", bad_x, bad_y,
      expected, got, bad_count, pixel_count, damage.empty() ? "" : "; ", damage);
}

Verdict check(
    const Reference& reference, const Image& output, const std::string& damage, bool pairs,
    int tile) {
  const double transform =
      tile == 0 ? 0.0
                : 4 * std::log2(tile) * reference.magnitude * std::numeric_limits<float>::epsilon();
  Verdict verdict;
  double max_error = 0.0;
  std::size_t bad_count = 0;
  std::size_t first_bad = output.size();
#pragma omp parallel for reduction(max : max_error) reduction(+ : bad_count) \
    reduction(min : first_bad)
  for (std::size_t i = 0; i < output.size(); i++) {
    const double error = std::abs(output.pixels[i] - reference.values[i]);
    // Every comparison with a NaN is false, so "not within" finds it where "above" would not.
    const double tolerance =
        tile != 0 ? transform
                  : reference.tolerances[i] + (pairs ? partner_tolerance(reference, i) : 0.0);
    const bool within = error <= tolerance;
    max_error =
        std::max(max_error, std::isfinite(error) ? error : std::numeric_limits<double>::infinity());
    if (!within) {
      first_bad = std::min(first_bad, i);
      bad_count++;
    }
  }
  verdict.max_error = max_error;
  verdict.bad_count = bad_count;
  if (bad_count != 0) {
    verdict.bad_x = static_cast<int>(first_bad % output.width);
    verdict.bad_y = static_cast<int>(first_bad / output.width);
    verdict.expected = reference.values[first_bad];
    verdict.got = output.pixels[first_bad];
  }
  verdict.damage = damage;
  verdict.passed = bad_count == 0 && damage.empty();
  return verdict;
}

GuardedBuffer::GuardedBuffer(
    const cl::Context& context, const cl::Device& device, std::size_t float_count)
    : words_(float_count) {
  // A sub-buffer must begin at a multiple of the device's alignment, which is given in bits.
  const std::size_t alignment = device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
  // Oclgrind itself sees what is written beyond a guard, and to watch a byte takes it 48 others.
  const std::size_t least = (1 << 20) / (platform_name(device) == "Oclgrind" ? 16 : 1);
  guard_words_ =
      round_up(std::max(least, words_ * sizeof(cl_uint) / 16), alignment) / sizeof(cl_uint);
  outer_ = cl::Buffer(context, CL_MEM_READ_WRITE, (words_ + 2 * guard_words_) * sizeof(cl_uint));
  const cl_buffer_region region{guard_words_ * sizeof(cl_uint), words_ * sizeof(cl_uint)};
  inner_ = outer_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
}

void GuardedBuffer::watch(const cl::CommandQueue& queue, const std::vector<cl::Buffer>& inputs) {
  watched_.clear();
  for (const cl::Buffer& input : inputs) {
    const std::size_t words = input.getInfo<CL_MEM_SIZE>() / sizeof(cl_uint);
    watched_.emplace_back(input, read_words(queue, input, 0, words));
  }
}

void GuardedBuffer::poison(const cl::CommandQueue& queue) const {
  std::vector<cl_uint> words = poisoned(0, words_ + 2 * guard_words_);
  if (after_timing) {
    const std::vector<cl_uint> result = read_words(queue, outer_, guard_words_, words_);
    const std::size_t away = 1 + random_bits(words_) % words_;
    for (std::size_t i = 0; i < words_; i++) {
      const bool spoiled = random_bits(i) % 16 == 0;
      words[guard_words_ + i] = result[spoiled ? (i + away) % words_ : i];
    }
  }
  write_words(queue, outer_, words);
}

std::string GuardedBuffer::damage(const cl::CommandQueue& queue) const {
  std::vector<std::string> damage;
  const auto intact = [&](std::size_t guard) {
    return read_words(queue, outer_, guard, guard_words_) == poisoned(guard, guard_words_);
  };
  if (!intact(0) || !intact(guard_words_ + words_)) {
    damage.emplace_back("wrote outside of the output buffer");
  }
  bool changed = false;
  for (const auto& [input, content] : watched_) {
    if (read_words(queue, input, 0, content.size()) != content) {
      write_words(queue, input, content);  // or the next kernel would be called wrong
      changed = true;
    }
  }
  if (changed) {
    damage.emplace_back("changed its input");
  }
  return fmt::format("{}", fmt::join(damage, "; "));
}

}  // namespace tutorial
