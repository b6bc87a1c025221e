// The command line, the same in every program, and the frame around a program's main function.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/image.hpp"

namespace tutorial {

/// What a program says about itself.
struct ProgramInfo {
  std::string name;         ///< e.g. "step1_naive"
  std::string summary;      ///< one line for --help
  std::string kernel_file;  ///< path of its kernels
  /// Names that --kernel accepts, in the order of the ladder; the first is the baseline, which
  /// always runs. Empty: there is nothing to choose, and no --filter, --kernel, --output, --seed.
  std::vector<std::string> kernels;
  bool filtered = true;          ///< convolutions: has --filter and --filter-width
  bool work_groups = false;      ///< has --work-group
  bool tiles = false;            ///< has --tile, --lanes and --tile-group
  bool tuned = false;            ///< has --winners, --search-budget and, for --kernel, Tuned
  bool salt_and_pepper = false;  ///< has --noise
  bool reads_results = false;    ///< has --results
};

/// The name of the published CPU baseline in tables and --kernel: a loop on the host, no kernel.
inline constexpr const char* host_baseline = "OpenMP";

/// A kernel to run. Its label is its name as in `ProgramInfo::kernels`, where `:variant` may follow
/// (the same kernel, called in another way); a second entry of the same label is labelled
/// `label#2`.
struct KernelEntry {
  std::string label;
  std::string name;
};

/// The parsed and validated command line.
struct Options {
  std::string program;  ///< ProgramInfo::name
  std::string input;    ///< path of an image; empty: the test card
  int width = 2048;     ///< of the test card, pixels
  int height = 2048;
  std::string filter = "random";
  std::vector<int> filter_widths = {7};
  bool filtered = true;              ///< ProgramInfo::filtered
  std::string device;                ///< as `select_device` takes it
  std::vector<KernelEntry> kernels;  ///< what to run; the baseline first
  bool openmp = true;  ///< run the OpenMP baseline too: no --kernel, or one that names OpenMP
  bool tuned = false;  ///< run what the search finds: likewise; with --verify-only only if named
  std::string kernel_file;
  std::string ceilings_file;   ///< the kernels that measure the ceilings, roofline/roofline.cl
  std::string output;          ///< path for the result of the last kernel; empty: none
  std::string csv;             ///< path for the measurements; empty: none
  std::string results;         ///< path of measurements to read; empty: none
  double time_budget_s = 2.0;  ///< for each filter width
  bool verify_only = false;
  std::uint32_t seed = 1;
  int work_group_width = 16;
  int work_group_height = 16;
  int lanes = 0;        ///< 1, 16; 0, here and in the next four: as suits the device
  int tile_width = 0;   ///< pixels, 1..64
  int tile_height = 0;  ///< pixels, 1..16
  int tile_group_width = 0;
  int tile_group_height = 0;
  std::string winners;           ///< path of the file of winners
  double search_budget_s = 0.0;  ///< for each filter width; 0: as suits the device
  double noise = 0.0;            ///< share of salt-and-pepper pixels, 0..1

  /// The command line as the user gave it, for the record.
  std::string command_line;
};

/// Runs a program: parses the command line, calls `body` and turns whatever is thrown into one
/// clear message on stderr. Returns the exit status: what `body` returns (0: all verified, 2: a
/// wrong result), or 1 for bad input, a usage error or an OpenCL failure. --help and --list-devices
/// print and return 0 without calling `body`.
int run_program(
    int argc, char** argv, const ProgramInfo& info, const std::function<int(const Options&)>& body);

/// The image that the options name: the file, or the test card. Throws `Error` as `read_image`
/// does.
Image load_image(const Options& options);

}  // namespace tutorial
