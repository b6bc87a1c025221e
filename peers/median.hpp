// What the programs that compare the median with another library's share.
#pragma once

#include <functional>
#include <vector>

#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/timing.hpp"
#include "median/device_picture.hpp"

namespace tutorial {

/// A library's way to compute the median of a picture.
struct MedianPeer {
  Variant variant;  ///< its name, and how it is timed
  Picture result;   ///< what it computed
};

/// Compares the one-channel 8-bit median, 3 x 3, of the program's kernels with those of other
/// libraries: `make_peers` gets the OpenCL device and the picture, and what it gives runs in turns
/// with the kernels. `host_clock`: the kernels are timed by the host's clock, as the peers are.
/// Returns the exit status.
int compare_median(
    const Options& options, bool host_clock,
    const std::function<std::vector<MedianPeer>(const cl::Device&, const Picture&)>& make_peers);

}  // namespace tutorial
