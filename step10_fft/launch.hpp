// How the kernels of this step are launched.
#pragma once

#include <vector>

#include "common/work.hpp"

namespace tutorial::step10 {

/// The kernels of steps 7 and 8 and of this step, in the order of the ladder; the baseline first.
std::vector<KernelEntry> kernels();

/// What the tiles at the right and lower edge read beyond the padded input, at most, in pixels:
/// 2 * 128 - 1 columns if only one of 128 is in the image, and 127 rows.
inline constexpr Extent tile_room = {255, 127};

}  // namespace tutorial::step10
