// How the kernels of this step are launched.
#pragma once

#include <string>
#include <vector>

#include "common/lab/work.hpp"

namespace tutorial::step10 {

/// The kernels of steps 7 and 8 and of this step, in the order of the ladder; the baseline first.
std::vector<KernelEntry> kernels();

/// What the tiles at the right and lower edge read beyond the padded input, at most, in pixels:
/// 2 * 128 - 1 columns if only one of 128 is in the image, and 127 rows.
inline constexpr Extent tile_room = {255, 127};

/// The launch of Convolve_Fft16 for pixels of a type. `to_pixels` is OpenCL C that makes them of
/// `sums`, a vector of floats: see fft16.cl.
Launch vector_tiles(
    const Work& work, const KernelEntry& entry, const std::string& pixel,
    const std::string& to_pixels);

}  // namespace tutorial::step10
