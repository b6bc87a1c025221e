// What the kernels of this step get from the host beside the image: the filter's spectrum, and the
// factors of the butterflies.
#pragma once

#include <string>
#include <vector>

#include "common/filters.hpp"

namespace tutorial {

/// Outputs to the right that the kernels take from a tile of `tile` pixels: the build option
/// STEP_X. tile - filter_width + 1 are right. Of them the kernels that compute vectors of `lanes`
/// pixels take whole vectors. Those for GPUs (lanes = 1) leave up to three for a multiple of 8:
/// that tiles begin at whole sectors of memory is worth more.
int tile_step(int tile, int filter_width, int lanes);

/// The spectrum of `filter`, divided by tile * tile, as the kernels multiply tiles by it.
///
/// tile * tile complex numbers in the order in which the forward transform leaves a tile, which is
/// bit-reversed in both directions: number (x, y), with x and y from 0 to tile - 1, is
///   1 / tile^2 * sum over r, c of filter[r][c] * exp(-2 pi i (r * rev(y) + c * rev(x)) / tile)
/// with rev(k) the log2(tile) bits of k in reverse. The exponents are negative, where those of the
/// forward transform are positive, because the kernels correlate: they do not turn the filter
/// around. The inverse transform of the kernels does not divide, hence the 1 / tile^2.
///
/// Computed in double precision and rounded once. Result: 2 * tile * tile floats, as squares of
/// lanes x lanes numbers: square (x / lanes, y / lanes), columns of squares one after the other,
/// has for each x the real parts of its numbers and then their imaginary parts, y running fastest.
/// With lanes = 1 this is a float2 per number, at x * tile + y.
///
/// `tile` is a power of two and at least the filter's width, and a multiple of `lanes`.
std::vector<float> filter_spectrum(const Filter& filter, int tile, int lanes);

/// OpenCL C that declares the factors of the butterflies as constants, for tiles of `tile` pixels,
/// to stand in front of a kernel file (the prologue of `build_program`):
///   `__constant float2 twiddle[tile / 2]`: entry k is exp(2 pi i rev(k) / tile), with rev(k) the
///       log2(tile / 2) bits of k in reverse: 1, i, ... The factor of block k on every level of the
///       forward transform.
///   `__constant float2 root[tile / 2]`: entry k is exp(-2 pi i k / tile), for the inverse
///       transform.
/// In hexadecimal, rounded once from double precision; 0 and 1 are exact.
std::string twiddle_source(int tile);

/// The `root` of `twiddle_source` as tile / 2 pairs of floats, for a buffer.
std::vector<float> root_table(int tile);

}  // namespace tutorial
