// Which kernels of a program's table run, and from which files.
#pragma once

#include <string>
#include <vector>

#include "common/options.hpp"

namespace tutorial {

/// What --kernel names that is not a kernel: the result of the search.
inline constexpr const char* tuned_label = "Tuned";

/// The program's baseline and then the kernels that `labels` (--kernel) names, in its order, or all
/// if it names none, with the paths of their files. `host_baseline` and, in a program that searches,
/// `tuned_label` are not kernels and passed over. `users_file` (--kernel-file), unless empty,
/// replaces each of the program's files of which it defines a kernel. Throws `Error` for an unknown
/// label, and if a file cannot be read or lacks a kernel that is to run.
std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, std::vector<std::string> labels, const std::string& users_file);

}  // namespace tutorial
