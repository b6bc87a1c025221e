#include "common/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

#include "common/error.hpp"
#include "common/program.hpp"

namespace tutorial {
namespace {

/// How many letters must be changed, added or removed to make `a` of `b`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); i++) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); j++) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// " (did you mean X?)" if one of the labels is much like `text` or ends with it, else nothing.
std::string suggestion(const std::vector<KernelEntry>& known, const std::string& text) {
  const auto distance = [&text](const KernelEntry& entry) {
    return entry.label.ends_with(fmt::format("_{}", text)) ? 0 : edit_distance(entry.label, text);
  };
  const auto nearest = std::ranges::min_element(known, {}, distance);
  return distance(*nearest) <= text.size() / 3 ? fmt::format(" (did you mean {}?)", nearest->label)
                                               : "";
}

/// The file's name without folder and .cl, as a part of a label: without what a CSV or a shell
/// takes for its own.
std::string stem_for_label(const std::string& file) {
  std::string stem = std::filesystem::path(file).stem().string();
  std::ranges::replace_if(
      stem, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '_');
  return stem;
}

}  // namespace

bool computes_block(Shape shape) {
  return shape == Shape::two || shape == Shape::block || shape == Shape::pairs ||
         shape == Shape::block16 || shape == Shape::sparse16;
}

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
  std::vector<std::string> choice(known_labels.begin(), known_labels.end());
  if (labels.empty()) {
    labels = choice;
  }
  std::erase(labels, host_baseline);
  if (info.tuned) {
    choice.emplace_back(tuned);
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
          "--kernel: must be one of {}, not '{}'{}{}", fmt::join(choice, ", "), label,
          suggestion(known, label),
          info.against ? "; a kernel of your own under a new name needs a row in the table of "
                         "main.cpp, under one of these names it needs none: --against FILE runs it "
                         "beside the original, --kernel-file FILE in its place"
                       : ""));
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

std::vector<KernelEntry> add_against(const Options& options, bool chosen) {
  const std::vector<KernelEntry>& known = options.known_kernels;
  const std::vector<std::string> defined = kernels_in_file(options.against);
  const auto defines = [&defined](const KernelEntry& entry) {
    return std::ranges::find(defined, entry.name()) != defined.end();
  };
  // A kernel NAME_... above NAME is its helper, which the program launches before it.
  const auto is_helper = [&defined](std::size_t i) {
    return std::any_of(
        defined.begin() + static_cast<std::ptrdiff_t>(i) + 1, defined.end(),
        [&](const std::string& later) { return defined[i].starts_with(later + "_"); });
  };
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < defined.size(); i++) {
    if (std::ranges::find(known, defined[i], &KernelEntry::name) == known.end() && !is_helper(i)) {
      unknown.push_back(defined[i]);
    }
  }
  if (std::ranges::none_of(known, defines)) {
    throw Error(fmt::format(
        "{} has no kernel of {}; it defines: {}{}; {} has: {}", options.against, options.program,
        defined.empty() ? "no kernel" : fmt::format("{}", fmt::join(defined, ", ")),
        defined.size() == 1 ? suggestion(known, defined.front()) : "", options.program,
        fmt::join(known | std::views::transform(&KernelEntry::label), ", ")));
  }
  std::vector<KernelEntry> entries;
  for (const KernelEntry& entry : options.kernels) {
    if (chosen || entries.empty() || defines(entry)) {
      entries.push_back(entry);
    }
    if (defines(entry)) {
      KernelEntry other = entry;
      other.label += fmt::format(":{}", stem_for_label(options.against));
      other.file = options.against;
      other.original = entry.label;
      if (std::ranges::find(known, other.label, &KernelEntry::label) != known.end()) {
        throw Error(fmt::format(
            "--against: {} is a kernel of {}; rename {}", other.label, options.program,
            options.against));
      }
      entries.push_back(other);
    }
  }
  if (std::ranges::all_of(entries, &std::string::empty, &KernelEntry::original)) {
    throw Error(fmt::format(
        "{} defines none of the kernels that --kernel names; it defines: {}", options.against,
        fmt::join(defined, ", ")));
  }
  if (!unknown.empty()) {
    fmt::print(
        stderr, "{}: {} also defines {}; this program has no such kernel and leaves it out\n",
        options.program, options.against, fmt::join(unknown, ", "));
  }
  return entries;
}

}  // namespace tutorial
