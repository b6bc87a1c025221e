// A program's table of kernels: what differs from row to row, which rows run, and from which files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/opencl.hpp"

namespace tutorial {

class Work;
struct KernelEntry;
struct Launch;
struct Options;
struct ProgramInfo;

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
};

/// Builds the kernel of a row, sets its arguments and chooses its NDRange, for one image and one
/// filter. Throws `CannotRun` if it cannot run there. Those of the steps are in their launch.cpp.
using LaunchFunction = Launch (*)(const Work&, const KernelEntry&);

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
  bool image = false;       ///< reads an OpenCL image without a border through a sampler
  bool tile = false;        ///< a work-group caches a tile of the input in local memory
  int group_multiple = 1;   ///< with `tile`: the work-group's width must be a multiple of this
  bool tight_rows = false;  ///< its input rows have nothing behind their last pixel

  // In `Options`.
  std::size_t row = 0;  ///< in the program's table; of a kernel from --against its original's
  std::string original =
      {};  ///< of a kernel from --against: the label of the one it is held against

  /// The name of the __kernel function.
  std::string name() const { return label.substr(0, label.find(':')); }

  /// Whether --block and the search may change what each work-item computes.
  bool has_block() const { return !fixed && shape.block != Extent{}; }
};

/// Throws `Error` if the file does not define a kernel of this name.
void require_kernel(const std::string& kernel_file, const std::string& name);

/// What the program runs, by `labels` (--kernel) and by what the options say of files and blocks:
/// sets known_kernels, kernels, kernel_file, openmp and tuned. A user's kernel file replaces each
/// of the program's files of which it defines a kernel. Throws `Error` for an unknown label, for a
/// kernel that its file does not define, and if there is nothing to compare with --against.
void choose_kernels(
    const ProgramInfo& info, const std::vector<std::string>& labels, Options& options);

}  // namespace tutorial
