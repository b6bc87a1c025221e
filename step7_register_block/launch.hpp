// How the kernels of this step are launched.
#pragma once

#include <vector>

#include "common/lab/work.hpp"

namespace tutorial::step7 {

/// The kernels, in the order of the ladder; the baseline first.
std::vector<KernelEntry> kernels();

}  // namespace tutorial::step7
