// A program's table of kernels: what differs from row to row, which rows run, and from which files.
#pragma once

#include <CL/cl.h>

#include <string>
#include <vector>

namespace tutorial {

struct Options;
struct ProgramInfo;

/// Columns and rows: of a block in pixels, of a work-group in work-items. 0 x 0: none.
struct Extent {
  int width = 0;
  int height = 0;

  bool operator==(const Extent&) const = default;
};

/// The outputs that each work-item computes.
struct Block {
  int width = 0;     ///< pixels; 0: one work-item per output pixel
  int height = 0;    ///< pixels
  int multiple = 0;  ///< --block sets both, the width to a multiple of this; 0: it does not
  cl_device_type device = 0;  ///< where the search tries such kernels: CL_DEVICE_TYPE_CPU or _GPU

  bool operator==(const Block&) const = default;
};

/// Fourier transforms of square tiles of the input: a work-group computes two tiles side by side,
/// as the real and the imaginary part of one.
struct Transform {
  int tile = 0;       ///< pixels of a side, a power of two; 0: the kernel does not transform
  int lanes = 1;      ///< pixels in the kernel's vectors
  Extent group = {};  ///< work-items that share the two tiles
  cl_device_type device = 0;  ///< where the search tries it
};

/// A kernel of a program's table: one row per kernel, the baseline first. The other fields say what
/// differs in its launch from that of a kernel with one work-item per output pixel.
struct KernelEntry {
  /// The kernel's name, for tables and --kernel. `:variant` may follow: the same kernel, launched
  /// in another way. In `Options`, `:stem` follows if it is from the file stem.cl of --against.
  std::string label;
  /// Path, relative to the folder of the program's kernel file; empty: that file.
  std::string file = {};

  bool image = false;       ///< reads an OpenCL image without a border through a sampler
  bool tile = false;        ///< a work-group caches a tile of the input in local memory
  int group_multiple = 1;   ///< with `tile`: the work-group's width must be a multiple of this
  bool tight_rows = false;  ///< its input rows have nothing behind their last pixel
  Block block = {};         ///< what each work-item computes, if not one pixel
  Extent block_group = {};  ///< work-group of a kernel with a block; none: as suits the device
  Transform fft = {};       ///< with which tiles, if it convolves by Fourier transforms
  bool pairs = false;       ///< outputs 2k and 2k + 1 of a row are made of common sums
  std::string pixel = {};   ///< its type of pixels, for -DPIXEL; empty: floats, as all else has
  bool sparse = false;      ///< for filters with at least half their taps 0
  bool separable = false;   ///< for filters that are a column times a row
  bool peer = false;        ///< not a kernel: another library, in the programs of peers/
  /// With --against, of a kernel from that file: the label of the kernel that it is compared with.
  std::string original = {};

  /// The name of the __kernel function.
  std::string name() const { return label.substr(0, label.find(':')); }

  /// Where the search tries it: CL_DEVICE_TYPE_CPU or _GPU; 0: nowhere.
  cl_device_type tried_on() const { return fft.tile != 0 ? fft.device : block.device; }
};

/// The program's kernels with the paths of their files. `users_file` (--kernel-file), unless empty,
/// replaces each of the program's files of which it defines a kernel; `Error` if it defines none.
std::vector<KernelEntry> kernels_with_files(const ProgramInfo& info, const std::string& users_file);

/// Of the `known` kernels those that `labels` (--kernel) names, in its order, or all if it names
/// none; before them the baseline, if the program keeps it. `host_baseline` and `tuned` are passed
/// over. Throws `Error` for an unknown label and for a kernel that its file does not define.
std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, const std::vector<KernelEntry>& known,
    std::vector<std::string> labels);

/// Of the kernels to run (options.kernels) those that the file options.against defines too, each
/// followed by the one from that file, labelled `LABEL:STEM`; the baseline in any case, and all if
/// they were `chosen` by --kernel. Throws `Error` if the file defines none of them.
std::vector<KernelEntry> add_against(const Options& options, bool chosen);

}  // namespace tutorial
