// Halide: a language in C++ whose programs say apart what is computed and in which order, the
// schedule. Each is compiled here, at run time, for this filter's width; the taps are an argument.
//
// A library of its own: see halide.cpp. Which schedule is the fastest depends on the width, so a
// few are tried: tiles of outputs whose sums stay in registers, on all cores, as in step 7.
#include <Halide.h>

#include <limits>

#include "peers/peer.hpp"

namespace tutorial {
namespace {

/// With tiles of `columns` x `rows` outputs, in vectors of 16. Tiles at the right and lower edge
/// read beyond the padded image, so `roomy` is larger.
Way scheduled(int columns, int rows, const Image& image, const Image& roomy, const Filter& filter) {
  Halide::Buffer<float> input(roomy.width, roomy.height);
  std::ranges::copy(roomy.pixels, input.data());
  // Halide has no buffers of constants; it does not write to this one.
  const int width = filter.width;
  Halide::Buffer<float> taps(const_cast<float*>(filter.taps.data()), width, width);
  Halide::Buffer<float> output(image.width, image.height);
  output.fill(std::numeric_limits<float>::quiet_NaN());

  Halide::Var x, y, tile_x, tile_y;
  const Halide::RDom r(0, width, 0, width);
  Halide::Func sum, convolve;
  sum(x, y) += taps(r.x, r.y) * input(x + r.x, y + r.y);
  convolve(x, y) = sum(x, y);
  convolve.tile(x, y, tile_x, tile_y, x, y, columns, rows, Halide::TailStrategy::GuardWithIf)
      .vectorize(x, 16)
      .unroll(x)
      .unroll(y)
      .parallel(tile_y);
  sum.compute_at(convolve, tile_x).vectorize(x, 16).unroll(x).unroll(y);
  sum.update().reorder(x, y, r.x, r.y).vectorize(x, 16).unroll(x).unroll(y).unroll(r.x);
  convolve.compile_jit(Halide::get_jit_target_from_environment());
  const auto run = [=]() mutable {
    convolve.realize(output);
    return 0.0;
  };
  const auto result = [=] {
    Image pixels(output.width(), output.height());
    std::copy_n(output.data(), pixels.size(), pixels.pixels.begin());
    return pixels;
  };
  return {run, result};
}

}  // namespace

/// Ways with tiles of at most 64 x 8 outputs.
extern "C" void halide_ways(
    std::vector<Way>& ways, const Image& image, const Image& roomy, const Filter& filter) {
  for (const auto& [columns, rows] : {std::pair{32, 4}, {64, 4}, {32, 8}}) {
    ways.push_back(scheduled(columns, rows, image, roomy, filter));
  }
}

}  // namespace tutorial
