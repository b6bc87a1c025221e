// A program's table of kernels; the command line, the same in every program; and the frame around a
// program's main function.
#pragma once

#include <functional>

#include "common/device.hpp"
#include "common/image.hpp"

// The path of a program's kernels: CMake knows it. Otherwise it runs in its folder.
#ifndef KERNEL_FILE
#define KERNEL_FILE "convolution.cl"
#endif

namespace tutorial {

class Work;
struct Filter;
struct KernelEntry;
struct Launch;

/// Columns and rows: of a block in pixels, of a work-group in work-items. 0 x 0: none.
struct Extent {
  int width = 0;
  int height = 0;

  bool operator==(const Extent&) const = default;
};

/// What a launch can vary: what each work-item computes, or the tile that a work-group transforms,
/// in pixels; and the work-group, in work-items. None: as the launch function says.
struct Shape {
  Extent block = {};
  Extent group = {};
  Extent block8 = {};  ///< in place of `block` where a CPU's vectors have 8 floats, as `block_of`
};

/// Builds the kernel of a row, sets its arguments and chooses its NDRange, for one image and one
/// filter. Throws `CannotRun` if it cannot run there. Those of the steps are in their launch.cpp.
using LaunchFunction = Launch (*)(const Work&, const KernelEntry&);

/// OpenCL C of kernels that roofline.cl lacks and ceilings.cpp knows, as this device takes them.
using MoreCeilings = std::string (*)(const cl::Device&);

/// A kernel of a program's table: one row per kernel, the baseline first.
struct KernelEntry {
  /// The kernel's name, for tables and --kernel. `:variant` may follow: the same kernel, launched
  /// in another way. In `Options`, `:stem` follows if it is from the file stem.cl of --against.
  std::string label;
  /// Path, relative to the folder of the program's kernel file; empty: that file, or if there is
  /// none, no kernel but another library.
  std::string file = {};

  // From step 7 on.
  LaunchFunction launch = nullptr;
  Shape shape = {};                 ///< the usual one, or that of --block and --block-group
  cl_device_type tried_on = 0;      ///< where the search tries it: CL_DEVICE_TYPE_CPU or _GPU
  bool fixed = false;               ///< the kernel is written for this shape alone
  bool sparse = false;              ///< for filters with at least half their taps 0
  int pixel_bytes = sizeof(float);  ///< of the images that its launch function takes

  // For the hosts of Part I: how the launch differs from that of one work-item per output pixel.
  bool image = false;      ///< reads an OpenCL image without a border through a sampler
  bool tile = false;       ///< a work-group caches a tile of the input in local memory
  int group_multiple = 1;  ///< with `tile`: the work-group's width must be a multiple of this

  // In `Options`.
  std::size_t row = 0;        ///< in the program's table; if it is from --against its original's
  std::string original = {};  ///< if it is from --against: the label of what it is held against

  /// The name of the __kernel function.
  std::string name() const { return label.substr(0, label.find(':')); }

  /// Whether --block and the search may change what each work-item computes.
  bool has_block() const { return !fixed && shape.block != Extent{}; }
};

/// A flag of one program alone.
struct Flag {
  const char* name;                                       ///< e.g. "--noise"
  const char* type;                                       ///< what its value is, for --help
  std::string text;                                       ///< for --help
  std::function<void(const std::string&)> set = nullptr;  ///< takes the value, or throws `Error`
  std::string* output = nullptr;                          ///< instead: the path of a file to write
};

/// What a program says about itself.
struct ProgramInfo {
  std::string title;             ///< one line for --help
  std::string kernel_file = {};  ///< path of its kernels; empty: each has its own
  /// What --kernel accepts, in the order of the ladder; the first is the baseline. Empty: there is
  /// nothing to choose, and no --filter, --kernel, --output, --seed.
  std::vector<KernelEntry> kernels;
  bool keeps_baseline = true;  ///< it runs even if --kernel does not name it
  bool filtered = true;        ///< convolutions: has --filter and --filter-width
  bool openmp = true;          ///< and for --kernel, loops on the host
  bool tuned = false;          ///< for --kernel, Tuned
  bool output = true;          ///< with kernels: has --output
  bool against = true;         ///< with kernels: has --against; builds each from its entry's file
  std::string filter = "random";  ///< the default of --filter
  MoreCeilings more_ceilings = nullptr;
  std::vector<Flag> flags = {};
};

/// Loops on the host that kernels are compared with; the padded input becomes the output.
struct HostLoops {
  const char* label;  ///< for tables and --kernel
  void (*convolve)(const Image& input, const Filter& filter, Image& output);
};

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
  std::vector<HostLoops> openmp;  ///< what to run on the host too: all, or what --kernel names
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
  int pixel_bytes = sizeof(float);  ///< what the floor is for: the least of all known kernels
  MoreCeilings more_ceilings = nullptr;
  std::string build_options;  ///< the user's, TUTORIAL_BUILD_OPTIONS behind a blank; empty: none
  std::string command_line;   ///< as the user gave it, for the record
};

/// Throws `Error` if the file does not define a kernel of this name.
void require_kernel(const std::string& kernel_file, const std::string& name);

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
