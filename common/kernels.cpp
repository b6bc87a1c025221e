#include "common/kernels.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <regex>
#include <set>

#include "common/error.hpp"
#include "common/options.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// The names of the kernels that a file defines, whatever its #ifs say.
std::set<std::string> kernels_in_file(const std::string& kernel_file) {
  // At the beginning of a line: not in a comment, as a rule.
  static const std::regex definition(R"((?:^|\n)\s*(?:__)?kernel\b[^;{]*?\bvoid\s+(\w+)\s*\()");
  const std::string source = read_text(kernel_file);
  const std::sregex_token_iterator names(source.begin(), source.end(), definition, 1);
  return {names, std::sregex_token_iterator()};
}

}  // namespace

void require_kernel(const std::string& kernel_file, const std::string& name) {
  if (const auto names = kernels_in_file(kernel_file); !names.contains(name)) {
    throw Error(fmt::format(
        "{} has no kernel {}{}{}", kernel_file, name, names.empty() ? "" : "; it has ",
        fmt::join(names, ", ")));
  }
}

std::vector<KernelEntry> kernels_with_files(
    const ProgramInfo& info, const std::string& users_file) {
  std::set<std::string> replaced;
  if (!users_file.empty()) {
    const std::set<std::string> defined = kernels_in_file(users_file);
    for (const KernelEntry& entry : info.kernels) {
      if (defined.contains(entry.name())) {
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
    entry.row = std::size_t(&entry - entries.data());
    const std::string& file = entry.file;
    entry.file = replaced.contains(file) ? users_file
                 : file.empty()          ? info.kernel_file
                                         : (folder / file).lexically_normal().string();
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
  std::vector<std::string> choice(known_labels.begin(), known_labels.end());
  if (labels.empty()) {
    labels = choice;
  }
  std::erase(labels, host_baseline);
  if (info.tuned) {
    choice.emplace_back(tuned);
    std::erase(labels, tuned);
  }
  if (labels.empty() || (info.keeps_baseline && labels.front() != known.front().label)) {
    labels.insert(labels.begin(), known.front().label);
  }
  std::vector<KernelEntry> entries;
  for (const std::string& label : labels) {
    const auto found = std::ranges::find(known, label, &KernelEntry::label);
    if (found == known.end()) {
      throw Error(fmt::format(
          "--kernel: must be one of {}, not '{}'; the nearest is {}", fmt::join(choice, ", "),
          label, nearest(label, choice)));
    }
    if (!found->file.empty()) {
      require_kernel(found->file, found->name());
    }
    entries.push_back(*found);
  }
  return entries;
}

std::vector<KernelEntry> add_against(const Options& options, bool chosen) {
  const std::set<std::string> defined = kernels_in_file(options.against);
  const auto defines = [&defined](const auto& entry) { return defined.contains(entry.name()); };
  const bool fits = options.baseline.empty() && std::ranges::any_of(options.kernels, defines);
  const std::string model = !options.baseline.empty() ? options.baseline
                            : chosen                  ? options.kernels.back().label
                                                      : options.kernels.front().label;
  if (defined.empty() || (!fits && options.baseline.empty() && defined.size() > 1)) {
    throw Error(fmt::format(
        "{} has no kernel of {}; it defines: {}", options.against, options.program,
        defined.empty()
            ? "no kernel"
            : fmt::format("{}; --baseline says what they are", fmt::join(defined, ", "))));
  }
  std::vector<KernelEntry> entries;
  for (const KernelEntry& entry : options.kernels) {
    const bool compared = fits ? defines(entry) : entry.label == model;
    if (chosen || entries.empty() || compared) {
      entries.push_back(entry);
    }
    for (const std::string& name : compared ? defined : std::set<std::string>{}) {
      if (!fits || name == entry.name()) {
        KernelEntry other = entry;
        other.label = (fits ? entry.label : name) + ":" +
                      std::filesystem::path(options.against).stem().string();
        other.file = options.against;
        other.original = entry.label;
        entries.push_back(other);
      }
    }
  }
  if (std::ranges::all_of(entries, &std::string::empty, &KernelEntry::original)) {
    const auto labels = options.kernels | std::views::transform(&KernelEntry::label);
    const std::vector<std::string> choice(labels.begin(), labels.end());
    throw Error(fmt::format(
        "--baseline: must be one of {}, not '{}'; the nearest is {}", fmt::join(choice, ", "),
        model, nearest(model, choice)));
  }
  return entries;
}

}  // namespace tutorial
