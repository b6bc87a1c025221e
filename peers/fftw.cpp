// FFTW, the usual library for Fourier transforms on CPUs: overlap-save in square tiles, which are
// shared out over all cores. Plans and the filter's spectrum are made beforehand. Which size of
// tile is the faster one depends on the filter's width, so both usual ones are tried.
#include <fftw3.h>

#include <complex>
#include <limits>
#include <memory>
#include <span>

#include "peers/peer.hpp"

namespace tutorial {
namespace {

using Complex = std::complex<float>;
using Plan = std::shared_ptr<std::remove_pointer_t<fftwf_plan>>;

/// A tile of size x size pixels, and in the same place its spectrum: rows of size / 2 + 1 numbers.
struct Tile {
  explicit Tile(int size_)
      : size(size_),
        count(std::size_t(size) * (size / 2 + 1)),
        memory(fftwf_alloc_complex(count), fftwf_free) {
    std::ranges::fill_n(numbers(), count, Complex());
  }
  Complex* numbers() const { return reinterpret_cast<Complex*>(memory.get()); }
  float* row(int y) const { return reinterpret_cast<float*>(memory[y * (size / 2 + 1)]); }

  int size;
  std::size_t count;  ///< of the spectrum's numbers
  std::shared_ptr<fftwf_complex[]> memory;
};

Way tiled(int size, const Image& image, const Image& padded, const Filter& filter) {
  const Tile spectrum(size);
  float* pixels = spectrum.row(0);
  const Plan forward(
      fftwf_plan_dft_r2c_2d(size, size, pixels, spectrum.memory.get(), FFTW_MEASURE),
      fftwf_destroy_plan);
  const Plan inverse(
      fftwf_plan_dft_c2r_2d(size, size, spectrum.memory.get(), pixels, FFTW_MEASURE),
      fftwf_destroy_plan);
  // Measuring has overwritten it. A product with the conjugate spectrum is a correlation; the
  // inverse does not divide.
  std::ranges::fill_n(spectrum.numbers(), spectrum.count, Complex());
  for (int r = 0; r < filter.width; r++) {
    std::copy_n(&filter.taps[r * filter.width], filter.width, spectrum.row(r));
  }
  fftwf_execute(forward.get());
  for (Complex& number : std::span(spectrum.numbers(), spectrum.count)) {
    number = std::conj(number) / static_cast<float>(size * size);
  }

  const int step = size - filter.width + 1;  // outputs of a tile that nothing has wrapped into
  const int columns = (image.width + step - 1) / step;
  const int tiles = columns * ((image.height + step - 1) / step);
  const auto result = std::make_shared<Image>(image.width, image.height);
  std::ranges::fill(result->pixels, std::numeric_limits<float>::quiet_NaN());

  const auto run = [=, &padded] {
#pragma omp parallel
    {
      const Tile tile(size);
#pragma omp for schedule(dynamic)
      for (int t = 0; t < tiles; t++) {
        const int left = t % columns * step;
        const int top = t / columns * step;
        const int width = std::min(size, padded.width - left);
        const int height = std::min(size, padded.height - top);
        if (width < size || height < size) {  // beyond the image there is what the last tile left
          std::ranges::fill_n(tile.numbers(), tile.count, Complex());
        }
        for (int y = 0; y < height; y++) {
          std::copy_n(&padded.pixels[padded.index(left, top + y)], width, tile.row(y));
        }
        fftwf_execute_dft_r2c(forward.get(), tile.row(0), tile.memory.get());
        for (std::size_t i = 0; i < tile.count; i++) {  // the operator * also asks for infinities
          const Complex a = tile.numbers()[i];
          const Complex b = spectrum.numbers()[i];
          tile.numbers()[i] = {
              a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
        }
        fftwf_execute_dft_c2r(inverse.get(), tile.memory.get(), tile.row(0));
        const int kept = std::min(step, result->width - left);
        for (int y = 0; y < std::min(step, result->height - top); y++) {
          std::copy_n(tile.row(y), kept, &result->pixels[result->index(left, top + y)]);
        }
      }
    }
    return 0.0;
  };
  return {run, [result] { return *result; }, size};
}

[[maybe_unused]] const bool added = add_library(
    {"FFTW", Library::Place::host, [] { return std::string(fftwf_version); },
     [](const Problem& problem) {
       const auto& [task, context, device, image, padded, filter] = problem;
       return std::vector{tiled(128, image, padded, filter), tiled(256, image, padded, filter)};
     }});

}  // namespace
}  // namespace tutorial
