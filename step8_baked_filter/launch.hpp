// How the kernels of this step are launched.
#pragma once

#include <string>
#include <vector>

#include "common/lab/work.hpp"

namespace tutorial::step8 {

/// The kernels of step 7 and of this step, in the order of the ladder; the baseline first.
std::vector<KernelEntry> kernels();

/// OpenCL C: a macro that does something for each input row of a block: DO(0) DO(1) ...
std::string for_each_input_row(const Filter& filter, const Extent& block);

}  // namespace tutorial::step8
