// The command line, the same in every program, and the frame around a program's main function.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/image.hpp"
#include "common/kernels.hpp"

namespace tutorial {

/// What a program says about itself.
struct ProgramInfo {
  std::string title;             ///< one line for --help
  std::string kernel_file = {};  ///< path of its kernels; empty: each has its own
  /// What --kernel accepts, in the order of the ladder; the first is the baseline. Empty: there is
  /// nothing to choose, and no --filter, --kernel, --output, --seed.
  std::vector<KernelEntry> kernels;
  bool keeps_baseline = true;    ///< it runs even if --kernel does not name it
  bool filtered = true;          ///< convolutions: has --filter and --filter-width
  bool tuned = false;            ///< has --winners, --search-budget and, for --kernel, Tuned
  bool salt_and_pepper = false;  ///< has --noise
  bool streamed = false;         ///< has --floats, --memory, --carriers and --sub-devices
  bool against = true;           ///< with kernels: has --against; builds each from its entry's file
  std::string filter = "random";        ///< the default of --filter
  std::string winners = "winners.csv";  ///< that of --winners
  int pixel_bytes = sizeof(float);      ///< of the kernels that the step is about
};

/// The name of the published CPU baseline in tables and --kernel: a loop on the host.
inline constexpr const char* host_baseline = "OpenMP";

/// The name of what the search of step 9 finds, in the same places.
inline constexpr const char* tuned = "Tuned";

/// The command line.
struct Options {
  std::string program;         ///< the program's file name, e.g. "step1_naive"
  std::string input;           ///< path of an image; empty: the test card
  Extent size = {2048, 2048};  ///< of the test card, pixels
  std::string filter = "random";
  std::vector<int> filter_widths = {7};
  std::string device;                      ///< as `select_device` takes it
  std::vector<KernelEntry> kernels;        ///< what to run and from which files; the baseline first
  std::vector<KernelEntry> known_kernels;  ///< all of the program's, in the order of its table
  bool openmp = true;       ///< run the OpenMP baseline too: no --kernel, or one that names OpenMP
  bool tuned = false;       ///< run what the search finds too; with --verify-only only if named
  std::string kernel_file;  ///< the user's, or else the program's
  std::string against;      ///< path of a file with kernels to compare with; empty: none
  std::string baseline;  ///< what all its kernels are launched as, and held against; empty: by name
  bool as_asked = false;       ///< these are not tried at other sizes; so with verify_only
  std::string output;          ///< path for the result of the last kernel; empty: none
  std::string csv;             ///< path for the measurements; empty: none
  double time_budget_s = 2.0;  ///< for each filter width
  bool verify_only = false;
  std::uint32_t seed = 1;
  Extent work_group = {16, 16};  ///< work-items, of kernels with local memory
  Extent block;                  ///< pixels, up to `largest_block`; none: as the kernels' rows say
  Extent block_group;            ///< work-items; none: as suits the device
  std::string winners;           ///< path of the file of winners
  double search_budget_s = 0.0;  ///< for each filter width; 0: as suits the device
  int pixel_bytes = sizeof(float);   ///< what the floor is for
  double noise = 0.0;                ///< share of salt-and-pepper pixels, 0..1
  std::uint64_t memory = 256 << 20;  ///< bytes for bands
  int carriers = 3;
  int sub_devices = 1;
  std::string command_line;  ///< as the user gave it, for the record
};

/// Runs a program: parses the command line, tries the kernels from --against at other sizes, filter
/// widths and work-groups (those that are wrong there are not run any more), calls `body` and turns
/// whatever is thrown into one clear message on stderr. Returns the exit status: what `body`
/// returns (0: all verified, 2: a wrong result), or 1 for bad input, a usage error or an OpenCL
/// failure.
int run_program(
    int argc, char** argv, const ProgramInfo& info, const std::function<int(const Options&)>& body);

/// The image that the options name: the file, or the test card.
Image load_image(const Options& options);

}  // namespace tutorial
