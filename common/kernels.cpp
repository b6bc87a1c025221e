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

/// The row that `flag` names by its label. `more` is what else it could have named.
const KernelEntry& find_kernel(
    const std::vector<KernelEntry>& entries, const std::string& label, const char* flag,
    const std::vector<std::string>& more = {}) {
  const auto found = std::ranges::find(entries, label, &KernelEntry::label);
  if (found == entries.end()) {
    const auto labels = entries | std::views::transform(&KernelEntry::label);
    std::vector<std::string> choice(labels.begin(), labels.end());
    choice.insert(choice.end(), more.begin(), more.end());
    throw Error(fmt::format(
        "{}: must be one of {}, not '{}'; the nearest is {}", flag, fmt::join(choice, ", "), label,
        nearest(label, choice)));
  }
  return *found;
}

/// The program's kernels with the paths of their files, and as --block and --block-group ask.
std::vector<KernelEntry> all_kernels(const ProgramInfo& info, const Options& options) {
  std::set<std::string> replaced;
  if (!options.kernel_file.empty()) {
    const std::set<std::string> defined = kernels_in_file(options.kernel_file);
    for (const KernelEntry& entry : info.kernels) {
      if (defined.contains(entry.name())) {
        replaced.insert(entry.file);
      }
    }
    if (replaced.empty() && !info.kernels.empty()) {
      require_kernel(options.kernel_file, info.kernels.front().name());
    }
  }
  const std::filesystem::path folder = std::filesystem::path(info.kernel_file).parent_path();
  std::vector<KernelEntry> entries = info.kernels;
  for (KernelEntry& entry : entries) {
    entry.row = std::size_t(&entry - entries.data());
    const std::string& file = entry.file;
    entry.file = replaced.contains(file) ? options.kernel_file
                 : file.empty()          ? info.kernel_file
                                         : (folder / file).lexically_normal().string();
    if (entry.has_block() && options.block != Extent{}) {
      entry.shape.block = options.block;
    }
    if (!entry.fixed) {
      entry.shape.group = options.block_group;
    }
  }
  return entries;
}

/// Of the `known` kernels those that `labels` (--kernel) names, in its order, or all if it names
/// none; before them the baseline, if the program keeps it.
std::vector<KernelEntry> select_kernels(
    const ProgramInfo& info, const std::vector<KernelEntry>& known,
    std::vector<std::string> labels) {
  if (labels.empty()) {
    return known;
  }
  std::erase(labels, host_baseline);
  std::vector<std::string> more;
  if (info.tuned) {
    more = {tuned};
    std::erase(labels, tuned);
  }
  if (labels.empty() || (info.keeps_baseline && labels.front() != known.front().label)) {
    labels.insert(labels.begin(), known.front().label);
  }
  std::vector<KernelEntry> entries;
  for (const std::string& label : labels) {
    entries.push_back(find_kernel(known, label, "--kernel", more));
  }
  return entries;
}

/// Of the kernels to run those that the file of --against defines too, each followed by the one
/// from that file, labelled `LABEL:STEM`; the baseline in any case, and all if they were `chosen`
/// by --kernel. With --baseline, or if it defines none of them but one kernel of another name, all
/// that it defines, `NAME:STEM`, follow that one, or else the last that was chosen, or else the
/// baseline.
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
  find_kernel(options.kernels, model, "--baseline");
  std::vector<KernelEntry> entries;
  for (const KernelEntry& entry : options.kernels) {
    const bool compared = fits ? defines(entry) : entry.label == model;
    if (chosen || entries.empty() || compared) {
      entries.push_back(entry);
    }
    for (const std::string& name : defined) {
      if (compared && (!fits || name == entry.name())) {
        entries.push_back(entry);
        entries.back().label = (fits ? entry.label : name) + ":" +
                               std::filesystem::path(options.against).stem().string();
        entries.back().file = options.against;
        entries.back().original = entry.label;
      }
    }
  }
  return entries;
}

}  // namespace

void require_kernel(const std::string& kernel_file, const std::string& name) {
  if (const auto names = kernels_in_file(kernel_file); !names.contains(name)) {
    throw Error(fmt::format(
        "{} has no kernel {}{}{}", kernel_file, name, names.empty() ? "" : "; it has ",
        fmt::join(names, ", ")));
  }
}

void choose_kernels(
    const ProgramInfo& info, const std::vector<std::string>& labels, Options& options) {
  options.known_kernels = all_kernels(info, options);
  options.kernels = select_kernels(info, options.known_kernels, labels);
  for (const KernelEntry& entry : options.kernels) {
    if (!entry.file.empty()) {
      require_kernel(entry.file, entry.name());
    }
  }
  if (!options.against.empty()) {
    options.kernels = add_against(options, !labels.empty());
  }
  if (options.kernel_file.empty()) {
    options.kernel_file = info.kernel_file;
  }
  // With --against only what is compared runs, unless --kernel asks for more.
  const bool all = labels.empty() && options.against.empty();
  const auto chosen = [&labels, all](const char* name) {
    return all || std::ranges::count(labels, name) != 0;
  };
  options.openmp = chosen(host_baseline);
  // Checking all candidates of the search takes minutes; that is only done if asked for by name.
  options.tuned = info.tuned && chosen(tuned) && !(options.verify_only && labels.empty());
}

}  // namespace tutorial
