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

std::string constant_array(const std::string& name, const std::vector<Complex>& values) {
  std::string source = fmt::format("__constant float2 {}[] = {{\n", name);
  for (const Complex& value : values) {
    source += fmt::format(
        "(float2)({:a}f, {:a}f),\n", static_cast<float>(value.real()),
        static_cast<float>(value.imag()));
  }
  return source + "};\n";
}

}  // namespace

std::vector<float> filter_spectrum(const Filter& filter, int tile, int lanes) {
  // roots[k * filter.width + t]: what position k of the transform makes of tap t of a row or column.
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
      float* number = &spectrum[2 * lanes * ((x / lanes * (tile / lanes) + y / lanes) * lanes + x % lanes) + y % lanes];
      number[0] = static_cast<float>(sum.real());
      number[lanes] = static_cast<float>(sum.imag());
    }
  }
  return spectrum;
}

std::string twiddle_source(int tile) {
  std::vector<Complex> twiddles;
  std::vector<Complex> roots;
  for (int k = 0; k < tile / 2; k++) {
    twiddles.push_back(unit_root(reverse_bits(k, tile / 2), tile));
    roots.push_back(unit_root(-k, tile));
  }
  return constant_array("twiddle", twiddles) + constant_array("root", roots);
}

}  // namespace tutorial
