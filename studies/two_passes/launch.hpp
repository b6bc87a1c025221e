// The kernels of this step and how they are launched. What a program does with them (upload,
// verify, time) is run_kernels.
#pragma once

#include <vector>

#include "common/lab/work.hpp"

namespace tutorial::two_passes {

/// A filter as a product: filter[r][c] = column[r] * row[c].
struct Factors {
  std::vector<float> column;
  std::vector<float> row;
};

/// The factors of a filter of rank 1. Throws `CannotRun` for any other.
Factors factorize(const Filter& filter);

/// The kernels, the baseline first.
std::vector<KernelEntry> kernels();

/// What blocks at the edges read beyond the padded input, at most, in pixels.
inline constexpr Extent block_room = {255, 15};

}  // namespace tutorial::two_passes
