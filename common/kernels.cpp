#include "common/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>

#include "common/error.hpp"
#include "common/program.hpp"

namespace tutorial {

std::vector<KernelEntry> kernels_with_files(
    const ProgramInfo& info, const std::string& users_file) {
  std::set<std::string> replaced;
  if (!users_file.empty()) {
    const std::vector<std::string> defined = kernels_in_file(users_file);
    for (const KernelEntry& entry : info.kernels) {
      if (std::ranges::find(defined, entry.name()) != defined.end()) {
        replaced.insert(entry.file);
      }
    }
    if (replaced.empty() && !info.kernels.empty()) {
      require_kernel(users_file, info.kernels.front().name());
    }
  }
  const std::filesystem::path folder = std::filesystem::path(info.kernel_file).parent_path();
  std::vector<KernelEntry> entries = info.kernels;
  for (KernelEntry& entry : entries) {
    entry.file = replaced.contains(entry.file) ? users_file
                 : entry.file.empty()          ? info.kernel_file
                                               : (folder / entry.file).string();
  }
  return entries;
}

std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, const std::vector<KernelEntry>& known,
    std::vector<std::string> labels) {
  if (known.empty()) {
    return {};
  }
  const auto known_labels = known | std::views::transform(&KernelEntry::label);
  if (labels.empty()) {
    labels.assign(known_labels.begin(), known_labels.end());
  }
  std::erase(labels, host_baseline);
  if (info.tuned) {
    std::erase(labels, tuned);
  }
  if (labels.empty() || labels.front() != known.front().label) {
    labels.insert(labels.begin(), known.front().label);
  }
  std::map<std::string, int> seen;
  std::vector<KernelEntry> entries;
  for (const std::string& label : labels) {
    const auto found = std::ranges::find(known, label, &KernelEntry::label);
    if (found == known.end()) {
      throw Error(fmt::format(
          "--kernel: must be one of {}, not '{}'", fmt::join(known_labels, ", "), label));
    }
    if (found->shape != Shape::peer) {
      require_kernel(found->file, found->name());
    }
    entries.push_back(*found);
    if (const int count = ++seen[label]; count > 1) {
      entries.back().label += fmt::format("#{}", count);
    }
  }
  return entries;
}

}  // namespace tutorial
