// How the kernels of this step are launched.
#pragma once

#include <vector>

#include "common/work.hpp"

namespace tutorial::step8 {

/// The kernels of step 7 and of this step, in the order of the ladder; the baseline first.
std::vector<KernelEntry> kernels();

}  // namespace tutorial::step8
