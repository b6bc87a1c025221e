// How the kernels of this step are launched.
#pragma once

#include <vector>

#include "common/lab/work.hpp"

namespace tutorial::step11 {

/// The kernels for bytes, in the order of the ladder; before them the baseline, in floats. Their
/// launch functions need a `ByteWork`.
std::vector<KernelEntry> kernels();

/// Whether it is a CPU with the instructions VNNI of AVX-512, and a compiler that survives assembly
/// language with them.
bool has_vnni(const cl::Device& device);

/// Kernels whose rates are ceilings of products of bytes (products.cl), as this device takes them.
std::string products(const cl::Device& device);

/// What blocks and tiles at the right and lower edge read beyond the padded input, at most, in
/// pixels: 255 x 127 for step 10's transforms, less for matrix.cl's tiles of 128 x 16 and patches.
inline constexpr Extent byte_room = {255, 127};

}  // namespace tutorial::step11
