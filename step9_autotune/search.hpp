// The search for the kernel, block and work-group that suit a device and a filter best.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/kernels.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// A kernel with its block, or the tile that it transforms, and its work-group as text, e.g.
/// "Convolve_Baked 4x8, group 128x1".
std::string describe(const KernelEntry& candidate);

/// Makes a kernel ready to be timed, after verifying it; gives nothing if it cannot run or is
/// wrong. It may throw `Error` or cl::Error.
using Prepare = std::function<std::optional<Variant>(const KernelEntry&)>;

/// The best kernel with its block and work-group for this device and filter, ready to be timed,
/// under the name "Tuned": the one in the file of winners (options.winners), or else the one that a
/// search finds. Nothing if no candidate works. Only what `prepare` has verified is timed or
/// returned.
///
/// The search takes one question at a time: which kernel, with the usual block; which block, for
/// the two best kernels, in the usual groups; which other group, for the three best of these. What
/// takes more than twice the best time gets no other block or group. Each candidate is timed in
/// turns with the best so far, and in the end the five best of all against each other. It starts no
/// trial when options.search_budget_s seconds (40 on a CPU and 15 elsewhere if that is 0) have
/// passed. With --verify-only all candidates are prepared, none is timed, and no file is read or
/// written.
///
/// A file of winners that cannot be used is ignored as a whole, says so, and is replaced. A winner
/// is not remembered if time was up before it had met all kernels.
std::optional<Variant> tune(
    const cl::Device& device, const Options& options, const Image& image, const Filter& filter,
    const Prepare& prepare);

}  // namespace tutorial
