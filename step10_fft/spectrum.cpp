#include "step10_fft/spectrum.hpp"

#include <fmt/format.h>

#include <complex>
#include <cstddef>
#include <numbers>

namespace tutorial {
namespace {

using Complex = std::complex<double>;

/// The bits of `index`, which is below `count`, a power of two, in reverse.
int reverse_bits(int index, int count) {
  int reversed = 0;
  for (int bit = 1; bit < count; bit *= 2) {
    reversed = 2 * reversed + (index & bit ? 1 : 0);
  }
  return reversed;
}

/// exp(2 pi i turns / count), exact on the axes.
Complex unit_root(int turns, int count) {
  const double angle = 2.0 * std::numbers::pi * turns / count;
  const auto exact = [](double value) { return std::abs(value) < 1e-15 ? 0.0 : value; };
  return {exact(std::cos(angle)), exact(std::sin(angle))};
}

/// Factor k of the forward transform, and of the inverse.
Complex twiddle(int k, int tile) {
  return unit_root(reverse_bits(k, tile / 2), tile);
}
Complex root(int k, int tile) {
  return unit_root(-k, tile);
}

using Factor = Complex (*)(int k, int tile);

std::string constant_array(const std::string& name, Factor factor, int tile) {
  std::string source = fmt::format("__constant float2 {}[] = {{\n", name);
  for (int k = 0; k < tile / 2; k++) {
    const std::complex<float> value(factor(k, tile));
    source += fmt::format("(float2)({:a}f, {:a}f),\n", value.real(), value.imag());
  }
  return source + "};\n";
}

}  // namespace

int tile_step(int tile, int filter_width, int lanes) {
  const int right = tile - filter_width + 1;
  if (lanes > 1) {
    return right / lanes * lanes;
  }
  // A tile that begins at a whole sector of 32 bytes, 8 floats, is loaded faster than up to three
  // columns more are worth (tried at all widths on an H200).
  constexpr int sector = 8, most_left = 3;
  return right % sector <= most_left ? right / sector * sector : right;
}

std::vector<float> filter_spectrum(const Filter& filter, int tile, int lanes) {
  // roots[k * filter.width + t]: what position k of the transform makes of tap t of a row or
  // column.
  std::vector<Complex> roots;
  for (int k = 0; k < tile; k++) {
    for (int t = 0; t < filter.width; t++) {
      roots.push_back(unit_root(-reverse_bits(k, tile) * t % tile, tile));
    }
  }
  std::vector<float> spectrum(std::size_t{2} * tile * tile);
  std::vector<Complex> rows(filter.width);  // each row's sum for one x
  for (int x = 0; x < tile; x++) {
    for (int r = 0; r < filter.width; r++) {
      rows[r] = 0.0;
      for (int c = 0; c < filter.width; c++) {
        rows[r] += roots[x * filter.width + c] * double{filter.taps[r * filter.width + c]};
      }
    }
    for (int y = 0; y < tile; y++) {
      Complex sum = 0.0;
      for (int r = 0; r < filter.width; r++) {
        sum += roots[y * filter.width + r] * rows[r];
      }
      sum /= static_cast<double>(tile) * tile;
      const int square = x / lanes * (tile / lanes) + y / lanes;
      float* number = &spectrum[2 * lanes * (square * lanes + x % lanes) + y % lanes];
      number[0] = static_cast<float>(sum.real());
      number[lanes] = static_cast<float>(sum.imag());
    }
  }
  return spectrum;
}

std::string twiddle_source(int tile) {
  return constant_array("twiddle", twiddle, tile) + constant_array("root", root, tile);
}

std::vector<float> root_table(int tile) {
  std::vector<float> table;
  for (int k = 0; k < tile / 2; k++) {
    table.push_back(static_cast<float>(root(k, tile).real()));
    table.push_back(static_cast<float>(root(k, tile).imag()));
  }
  return table;
}

}  // namespace tutorial
