// How the kernels of this step are launched.
#pragma once

#include <vector>

#include "common/work.hpp"

namespace tutorial::step7 {

/// The kernels, in the order of the ladder; the baseline first.
std::vector<KernelEntry> kernels();

/// A row's work-group: the one that it was given, or one work-item on a CPU and 32 x 4 elsewhere.
Extent group_of(const Work& work, const KernelEntry& entry);

/// The launch of kernels with the arguments of `Convolve`, one work-item for each output pixel.
Launch per_pixel(const Work& work, const KernelEntry& entry);

/// The same for a program that was built elsewhere.
Launch per_pixel(const Work& work, const KernelEntry& entry, const cl::Program& program);

}  // namespace tutorial::step7
