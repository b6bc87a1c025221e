// The search for the kernel, block and work-group that suit a device and a filter best.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/block.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// One thing to try: a kernel that computes blocks, and its block.
struct Candidate {
  KernelEntry kernel;
  Block block;

  bool operator==(const Candidate& other) const {
    return kernel.name() == other.kernel.name() && block == other.block;
  }
};

/// E.g. "Convolve_Baked 4x8, group 128x1".
std::string describe(const Candidate& candidate);

/// The file of winners (--winners), so that a search is done once: a head that says what they hold
/// for, then one row per filter:
///   filter_width,taps,kernel,block_width,block_height,group_width,group_height
/// `taps` is a hash of the filter's taps, in hexadecimal. All of the head must hold for this run:
/// platform, device, driver, a hash of the kernel files and of what the search tries, the image's size.
/// A file with another head or a row that cannot be used is ignored as a whole, says so, and is
/// replaced by the next winner.
class Winners {
 public:
  /// Reads options.winners if that file exists; with --verify-only no file is read or written.
  Winners(const Options& options, const cl::Device& device, const Image& image);

  /// The winner for this filter.
  std::optional<Candidate> find(const Filter& filter) const;

  /// Throws `Error` if the file cannot be written.
  void require_writable() const;

  /// Remembers a winner and writes the file anew. Throws `Error` if it cannot be written.
  void keep(const Filter& filter, const Candidate& winner);

 private:
  struct Row {
    int filter_width;
    std::string taps;
    Candidate candidate;
  };

  /// Reads the file at `path_`. Throws `Error` if it is of no use for this run.
  void read(const Options& options);

  std::string path_;
  std::string head_;
  std::vector<Row> rows_;
};

/// Makes a kernel with this block ready to be timed, after verifying it; gives nothing if it cannot
/// run or is wrong. It may throw `Error` or cl::Error.
using Prepare = std::function<std::optional<Variant>(const KernelEntry&, const Block&)>;

/// The best candidate for this device and filter, ready to be timed, under the name "Tuned": the
/// one in `winners`, or else the one that a search finds, which is then kept there. Nothing if no
/// candidate works. Only what `prepare` has verified is timed or returned.
///
/// The search takes one question at a time: which kernel, with the usual block; which block, for the
/// two best kernels, in the usual groups; which other group, for the three best of these. Then the
/// three best of all run against each other. It starts no trial when options.search_budget_s
/// seconds have passed. With --verify-only all candidates are prepared, and none is timed.
std::optional<Variant> tune(
    const cl::Device& device, const Options& options, const Filter& filter, Winners& winners,
    const Prepare& prepare);

}  // namespace tutorial
