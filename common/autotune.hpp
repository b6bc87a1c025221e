// The search for the kernel, block and work-group that suit a device and a filter best.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/tile.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// One thing to try: a kernel that computes tiles, and its tile.
struct Candidate {
  std::string kernel;  ///< Convolve_Tile, Convolve_Baked or Convolve_Fast
  Tile tile;

  bool operator==(const Candidate&) const = default;
};

/// E.g. "Convolve_Baked 4x8, group 128x1".
std::string describe(const Candidate& candidate);

/// The build option that leaves all kernels of the file out but `kernel`, one of the three, with a
/// blank in front. No other is needed, and compiling is what most of a search's time goes into.
std::string only_kernel(const std::string& kernel);

/// The tile's build options and `only_kernel`.
std::string build_options(const Candidate& candidate);

/// The largest block that the search tries: an input with room for it suits all candidates.
inline constexpr Tile largest_tile = {.lanes = 16, .width = 64, .height = 16};

/// The file of winners (--winners), so that a search is done once: a head that says what they are
/// valid for, then a row a filter:
///   filter_width,taps,kernel,lanes,tile_width,tile_height,group_width,group_height
/// `taps` is a hash of the filter's taps, in hexadecimal. All of the head must hold for this run:
/// platform, device, driver, a hash of the kernel file, the image's size. If it does not, or if the
/// file is no such file, it is ignored as a whole, says so, and the next winner replaces it.
class Winners {
 public:
  /// Reads options.winners, if there is such a file.
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

  /// Reads the file at `path_`; says what is wrong with it, if anything is.
  std::string read(const cl::Device& device);

  std::string path_;
  std::string head_;
  std::vector<Row> rows_;
};

/// Makes a candidate ready to be timed, or says that it is not to be: that it does not fit the
/// device, or computed something wrong. What it throws as it builds and launches says so, too.
using Prepare = std::function<std::optional<Variant>(const Candidate&)>;

/// The best candidate for this device and filter, ready to be timed, under the name "Tuned": the
/// one in `winners`, or else the one that a search finds, which is then kept there. Nothing if not
/// one candidate works. `prepare` verifies, so what has not been verified is never timed, and never
/// returned.
///
/// The search goes one question at a time: which kernel, with the device's usual tile; which block,
/// for the two best kernels, in the usual groups; which other group, for the three best of these.
/// Then the three best of all run against each other. It begins nothing new when
/// options.search_budget_s seconds have passed. With --verify-only all candidates are prepared,
/// none is timed, and no file is read or written.
std::optional<Variant> tune(
    const cl::Device& device, const Options& options, const Filter& filter, Winners& winners,
    const Prepare& prepare);

}  // namespace tutorial
