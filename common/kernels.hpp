// Which kernels of a program's table run, and from which files.
#pragma once

#include <string>
#include <vector>

#include "common/options.hpp"

namespace tutorial {

/// Whether kernels of this shape are built for one size of block at a time.
bool computes_block(Shape shape);

/// The program's kernels with the paths of their files. `users_file` (--kernel-file), unless empty,
/// replaces each of the program's files of which it defines a kernel. Throws `Error` if it cannot
/// be read or defines none.
std::vector<KernelEntry> kernels_with_files(const ProgramInfo& info, const std::string& users_file);

/// Of the `known` kernels the baseline and then those that `labels` (--kernel) names, in its order,
/// or all if it names none. `host_baseline` and, in a program that searches, `tuned` are not
/// kernels and passed over. Throws `Error` for an unknown label and for a kernel that its file does
/// not define.
std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, const std::vector<KernelEntry>& known,
    std::vector<std::string> labels);

/// Of the kernels to run (options.kernels) those that the file options.against defines too, each
/// followed by the one from that file, labelled `LABEL:STEM`; the baseline in any case, and all if
/// they were `chosen` by --kernel. Kernels of the file that the program does not know are named on
/// stderr. Throws `Error` if the file cannot be read or defines none of them.
std::vector<KernelEntry> add_against(const Options& options, bool chosen);

}  // namespace tutorial
