// The search for the kernel, block and work-group that suit a device and a filter best.
#pragma once

#include <optional>
#include <string>

#include "common/lab/work.hpp"
#include "common/options.hpp"

namespace tutorial {

/// The flags --winners, whose default is `winners`, and --search-budget.
std::vector<Flag> search_flags(const std::string& winners = "winners.csv");

/// A kernel with its block, or the tile that it transforms, and its work-group as text, e.g.
/// "Convolve_Baked 4x8, group 128x1".
std::string describe(const KernelEntry& candidate);

/// The best kernel with its block and work-group for this device and filter, ready to be timed,
/// under the name "Tuned": the one in the file of winners (--winners), or else the one that a
/// search finds. Nothing if no candidate works. Only what `prepare` has verified is timed or
/// returned.
///
/// The search takes one question at a time: which kernel, with the usual block; which block, for
/// the two best kernels, in the usual groups; which other group, for the three best of these. What
/// takes more than twice the best time gets no other block or group. Each candidate is timed in
/// turns with the best so far, and in the end the five best of all against each other. It starts no
/// trial when --search-budget seconds (40 on a CPU and 15 elsewhere if it is not given) have
/// passed. With --verify-only all candidates are prepared, none is timed, and no file is read or
/// written.
///
/// A winner is for one device, driver, size, filter and width, and for the texts of the kernels it
/// was chosen from, the taps and the reader's build options (column `texts`, a hash). One that had
/// not met all kernels in time has 0 in the column `complete`, and the next search replaces it. A
/// file of winners that cannot be used is ignored as a whole, says so, and is replaced.
std::optional<Variant> tune(const Options& options, const Work& work, const Prepare& prepare);
/// The same by other clocks.
std::optional<Variant> tune(
    const Options& options, const Work& work, const Prepare& prepare, const Clocks& clocks);

}  // namespace tutorial
