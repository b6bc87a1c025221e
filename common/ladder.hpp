// What the programs of the steps from 7 on do with their kernels.
#pragma once

#include <functional>

#include "common/work.hpp"

namespace tutorial {

/// Makes a kernel ready to be timed, after verifying it; gives nothing if it cannot run or is
/// wrong. It may throw `Error` or cl::Error.
using Prepare = std::function<std::optional<Variant>(const KernelEntry&)>;

/// Something to be timed beside the kernels of the table, if there is something.
using Tune = std::optional<Variant> (*)(const Options&, const Work&, const Prepare&);

/// The body of these programs. For each filter width it uploads the image, with `room` beyond its
/// border, and the filter; launches and verifies each kernel of options.kernels; and times what was
/// right, in turns, beside what `tune` finds and, if it `convolves`, the OpenMP baseline and the
/// floor, which are a convolution's. Returns the exit status.
int run_kernels(
    const Options& options, const Extent& room = block_room, Tune tune = nullptr,
    const WorkMaker& make = make_work<Work>, bool convolves = true);

/// The same for another result than a convolution.
int run_kernels(const Options& options, ReferenceFunction reference);

}  // namespace tutorial
