#include "step11_bytes/taps.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "common/lab/work.hpp"

namespace tutorial {
namespace {

/// Tap c of row r, or 0 outside of the filter.
int tap(const FixedFilter& fixed, int r, int c) {
  const bool inside = r >= 0 && r < fixed.width && c >= 0 && c < fixed.width;
  return inside ? fixed.taps[r * fixed.width + c] : 0;
}

std::string constant_array(const std::string& name, const auto& numbers) {
  return fmt::format("__constant int {}[] = {{{}}};\n", name, fmt::join(numbers, ", "));
}

}  // namespace

ByteImage to_bytes(const Image& image) {
  ByteImage bytes(image.width, image.height);
  std::ranges::transform(image.pixels, bytes.pixels.begin(), [](float pixel) {
    return std::uint8_t(std::lround(std::clamp(pixel, 0.0F, 1.0F) * 255.0F));
  });
  return bytes;
}

FixedFilter to_fixed_point(const Filter& filter) {
  FixedFilter fixed{.width = filter.width, .shift = 30, .taps = {}};
  const auto scaled = [&](float tap) { return std::round(std::ldexp(double{tap}, fixed.shift)); };
  const auto fits = [&] {
    double largest = 0.0;
    double sum = 0.0;
    for (const float tap : filter.taps) {
      largest = std::max(largest, std::abs(scaled(tap)));
      sum += std::abs(scaled(tap));
    }
    return largest <= INT16_MAX && 255.0 * sum + std::ldexp(0.5, fixed.shift) <= INT32_MAX;
  };
  while (fixed.shift > 0 && !fits()) {
    fixed.shift--;
  }
  for (const float tap : filter.taps) {
    fixed.taps.push_back(std::int16_t(fits() ? scaled(tap) : 0.0));
  }
  if (const double error = fixed_point_error(filter, fixed); error > 0.5) {
    throw CannotRun(fmt::format(
        "the filter's taps do not fit into 16 bits: pixels would be off by up to {:.1f} grey "
        "levels",
        error));
  }
  return fixed;
}

double fixed_point_error(const Filter& filter, const FixedFilter& fixed) {
  double error = 0.0;
  for (std::size_t i = 0; i < filter.taps.size(); i++) {
    error += std::abs(filter.taps[i] - std::ldexp(fixed.taps[i], -fixed.shift));
  }
  return 255.0 * error;
}

ByteImage convolve_exactly(
    const ByteImage& padded, const FixedFilter& fixed, int width, int height) {
  ByteImage output(width, height);
  const std::int32_t half = (1 << fixed.shift) / 2;
#pragma omp parallel for
  for (int y = 0; y < output.height; y++) {
    std::vector<std::int32_t> sums(output.width, half);
    for (int r = 0; r < fixed.width; r++) {
      for (int c = 0; c < fixed.width; c++) {
        const std::int32_t tap = fixed.taps[r * fixed.width + c];
        const std::uint8_t* pixels = &padded.pixels[padded.index(c, y + r)];
        for (int x = 0; x < output.width; x++) {
          sums[x] += tap * pixels[x];
        }
      }
    }
    for (int x = 0; x < output.width; x++) {
      output.pixels[output.index(x, y)] = std::uint8_t(std::clamp(sums[x] >> fixed.shift, 0, 255));
    }
  }
  return output;
}

Filter to_floats(const FixedFilter& fixed) {
  Filter filter{fixed.width, {}};
  for (const std::int16_t tap : fixed.taps) {
    filter.taps.push_back(std::ldexp(float(tap), -fixed.shift));
  }
  return filter;
}

ByteVerdict check_bytes(
    const ByteImage& input, const FixedFilter& fixed, const ByteImage& exact,
    const ByteImage& output, bool floats, int tile, bool truncates) {
  const double half = (1 << fixed.shift) / 2;
  double largest = half;  // that the sum's terms can be, without their signs
  for (const int tap : fixed.taps) {
    largest += 255 * std::abs(tap);
  }
  ByteVerdict verdict;
  for (int y = 0; y < exact.height; y++) {
    for (int x = 0; x < exact.width; x++) {
      const int level = exact.pixels[exact.index(x, y)];
      const int got = output.pixels[output.index(x, y)];
      if (got == level) {
        continue;
      }
      double sum = half;
      double magnitude = half;
      for (int i = 0; i < fixed.width * fixed.width; i++) {
        const int pixel = input.pixels[input.index(x + i % fixed.width, y + i / fixed.width)];
        sum += fixed.taps[i] * pixel;
        magnitude += std::abs(fixed.taps[i]) * pixel;
      }
      const double limit = std::ldexp(std::max(level, got), fixed.shift);
      const double roundings = tile == 0 ? fixed.width * fixed.width : 4 * std::log2(tile);
      const double moved = std::ldexp(roundings * (tile == 0 ? magnitude : largest), -23);
      const double above = truncates && got < level ? half + moved : moved;
      if (floats && std::abs(got - level) == 1 && std::abs(sum - limit) <= above) {
        verdict.rounded++;
        continue;
      }
      if (verdict.wrong++ == 0) {
        verdict.bad_x = x;
        verdict.bad_y = y;
      }
    }
  }
  return verdict;
}

std::vector<std::int32_t> tap_pairs(const FixedFilter& fixed) {
  std::vector<std::int32_t> pairs;
  for (int r = 0; r < fixed.width; r++) {
    for (int k = 0; k <= fixed.width / 2; k++) {
      for (const int c : {2 * k, 2 * k - 1}) {
        const auto left = std::uint32_t(tap(fixed, r, c)) & 0xffff;
        const auto right = std::uint32_t(tap(fixed, r, c + 1)) << 16;
        pairs.push_back(std::int32_t(left | right));
      }
    }
  }
  return pairs;
}

std::string baked_pairs_source(const FixedFilter& fixed) {
  return constant_array("baked_pairs", tap_pairs(fixed));
}

std::vector<std::uint32_t> tap_matrices(const FixedFilter& fixed) {
  const int patches_x = (fixed.width + 7 + 7) / 8;
  const int patches_y = (fixed.width + 3 + 3) / 4;
  std::vector<std::uint32_t> matrices;
  for (const int shift : {8, 0}) {
    for (int patch = 0; patch < patches_x * patches_y; patch++) {
      for (int i = 0; i < 2 * 32 * 4; i++) {
        const int half = i / (32 * 4);
        const int lane = i / 4 % 32;
        const int g = lane / 4;
        const int q = lane % 4;
        // The output, and the first of four pixels, in their patches.
        const int output_x = 4 * (g % 2) + 2 * half + i % 2;
        const int output_y = g / 2;
        const int pixel_x = i % 4 / 2 * 4;
        const int r = patch / patches_x * 4 + q - output_y;
        const int c = patch % patches_x * 8 + pixel_x - output_x;
        std::uint32_t bytes = 0;
        for (int k = 0; k < 4; k++) {
          bytes |= (std::uint32_t(tap(fixed, r, c + k)) >> shift & 0xff) << (8 * k);
        }
        matrices.push_back(bytes);
      }
    }
  }
  return matrices;
}

}  // namespace tutorial
