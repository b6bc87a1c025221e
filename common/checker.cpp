#include "common/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/launch.hpp"

namespace tutorial {
namespace {

/// A quiet NaN with a pattern of its own: a NaN that a kernel writes into a guard band differs.
constexpr cl_uint poison_bits = 0x7fc5a5a5;

/// At least this much on each side: enough for a kernel that is wrong by a row of 16384 floats.
constexpr std::size_t least_guard_bytes = 65536;

/// The tolerance of the other pixel of the pair that pixel `i` belongs to.
double partner_tolerance(const Reference& reference, std::size_t i) {
  const std::size_t width = reference.width;
  const std::size_t partner = i % width ^ 1;  // 2k and 2k + 1
  const double* row = &reference.tolerances[i - i % width];
  return partner < width ? row[partner] : *std::max_element(row, row + width);
}

}  // namespace

std::string Verdict::describe(std::size_t pixel_count) const {
  if (passed) {
    return fmt::format("ok, largest error {:.1e}", max_error);
  }
  const char* outside = outside_write ? "wrote outside of the output buffer" : "";
  if (bad_count == 0) {
    return outside;
  }
  return fmt::format(
      "wrong at ({}, {}): expected {:.9g}, got {:.9g}; {} of {} pixels are wrong{}{}", bad_x, bad_y,
      expected, got, bad_count, pixel_count, outside_write ? "; " : "", outside);
}

Verdict check(
    const Reference& reference, const Image& output, bool guards_intact, bool pairs, int tile) {
  // Of a transform: the same for all pixels, because it spreads its errors over the tile.
  const double transform =
      tile == 0 ? 0.0
                : 4 * std::log2(tile) * reference.magnitude * std::numeric_limits<float>::epsilon();
  Verdict verdict;
  for (std::size_t i = 0; i < output.size(); i++) {
    const double error = std::abs(output.pixels[i] - reference.values[i]);
    // Every comparison with a NaN is false, so "not within" finds it where "above" would not.
    const double tolerance =
        tile != 0 ? transform
                  : reference.tolerances[i] + (pairs ? partner_tolerance(reference, i) : 0.0);
    const bool within = error <= tolerance;
    verdict.max_error = std::isfinite(error) ? std::max(verdict.max_error, error)
                                             : std::numeric_limits<double>::infinity();
    if (!within) {
      if (verdict.bad_count == 0) {
        verdict.bad_x = static_cast<int>(i % output.width);
        verdict.bad_y = static_cast<int>(i / output.width);
        verdict.expected = reference.values[i];
        verdict.got = output.pixels[i];
      }
      verdict.bad_count++;
    }
  }
  verdict.outside_write = !guards_intact;
  verdict.passed = verdict.bad_count == 0 && guards_intact;
  return verdict;
}

GuardedBuffer::GuardedBuffer(
    const cl::Context& context, const cl::Device& device, std::size_t float_count)
    : inner_bytes_(float_count * sizeof(float)) {
  // A sub-buffer must begin at a multiple of the device's alignment, which is given in bits.
  const std::size_t alignment = device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
  guard_bytes_ = round_up(least_guard_bytes, alignment);
  outer_ = cl::Buffer(context, CL_MEM_READ_WRITE, inner_bytes_ + 2 * guard_bytes_);
  const cl_buffer_region region{guard_bytes_, inner_bytes_};
  inner_ = outer_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
}

void GuardedBuffer::poison(const cl::CommandQueue& queue) const {
  queue.enqueueFillBuffer(outer_, poison_bits, 0, inner_bytes_ + 2 * guard_bytes_);
  queue.finish();
}

bool GuardedBuffer::guards_intact(const cl::CommandQueue& queue) const {
  std::vector<cl_uint> guards(2 * guard_bytes_ / sizeof(cl_uint));
  queue.enqueueReadBuffer(outer_, CL_TRUE, 0, guard_bytes_, guards.data());
  queue.enqueueReadBuffer(
      outer_, CL_TRUE, guard_bytes_ + inner_bytes_, guard_bytes_,
      guards.data() + guards.size() / 2);
  return std::all_of(
      guards.begin(), guards.end(), [](cl_uint bits) { return bits == poison_bits; });
}

}  // namespace tutorial
