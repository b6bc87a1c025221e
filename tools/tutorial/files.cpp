// Files and text, for all verbs.
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <tuple>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {

const Measured* measured_file(const std::string& path) {
  static std::map<std::string, std::optional<Measured>> files;
  const auto [file, is_new] = files.try_emplace(path);
  if (is_new && (!std::filesystem::exists(path) || read_csv(path).has("rounds_ms"))) {
    file->second.emplace(path);
  }
  return file->second ? &*file->second : nullptr;
}

const Csv& csv_file(const std::string& path) {
  static std::map<std::string, Csv> files;
  if (!files.contains(path)) {
    const Measured* measured = measured_file(path);
    files.emplace(path, measured != nullptr ? measured->view(path) : read_csv(path));
  }
  return files.at(path);
}

std::vector<std::size_t> rows_where(const Csv& csv, const Values& values) {
  std::vector<std::size_t> rows(csv.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (const auto& [column, choice] : values) {
    const Words any = split(choice, '|');
    std::erase_if(
        rows, [&, &name = column](auto row) { return !contains(any, csv.text(row, name)); });
  }
  return rows;
}

std::vector<std::size_t> rows_of(
    const Csv& csv, const std::string& kernel, const std::string& width) {
  return rows_where(csv, {{"kernel", kernel}, {"filter_width", width}});
}

Words distinct(const Csv& csv, const std::string& column, const Values& values) {
  Words found;
  for (const std::size_t row : rows_where(csv, values)) {
    if (!contains(found, csv.text(row, column))) {
      found.push_back(csv.text(row, column));
    }
  }
  return found;
}

std::string listed(const std::string& key, const std::string& value, const std::string& column) {
  const Words found = distinct(csv_file("kernels.csv"), column, {{key, value}});
  return found.empty() ? "" : std::ranges::max(found);
}

Words in_ladders_order(const Csv& csv) {
  const Words of_csv = distinct(csv, "kernel");
  Words kernels = distinct(csv_file("kernels.csv"), "kernel");
  std::erase_if(kernels, [&](const std::string& kernel) { return !contains(of_csv, kernel); });
  for (const std::string& kernel : of_csv) {
    contains(kernels, kernel) ? void() : kernels.push_back(kernel);
  }
  return kernels;
}

bool contains(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words numbers_of(const std::string& list) {
  Words numbers;
  for (const std::string& part : split(list, ',')) {
    const Words ends = search(part, "^([0-9]{1,5}):([0-9]{1,5})$");
    if (ends.empty()) {
      numbers.push_back(part);
      continue;
    }
    for (int number = std::stoi(ends[1]); number <= std::stoi(ends[2]); number++) {
      numbers.push_back(std::to_string(number));
    }
  }
  return numbers;
}

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string lines;
  for (const std::string& line : split(text, '\n')) {
    const std::string begin = search(line, R"(^ *(\[.\] )?)")[0];
    const std::string form = fmt::format("([^\n]{{1,{}}}|\\S+)( +|$)", columns - begin.size());
    const std::string parts =
        replaced(line.substr(begin.size()), form, "$1\n" + std::string(begin.size(), ' '));
    lines += begin + parts.substr(0, parts.find_last_not_of("\n ") + 1) + '\n';
  }
  lines.pop_back();
  return lines;
}

std::string device_name(const Csv& csv) {
  // Some drivers pad it with blanks; PoCL puts a word and LLVM's name of the processor before it.
  const std::string name =
      replaced(csv.head.of("device"), "^ +| +$| +(?= )|\\((R|TM)\\)| Processor", "");
  return replaced(name, "^(pthread|cpu)-[^A-Z]*-([A-Z].*)$", "$2 (PoCL)");
}

std::string readers_folder() {
  static const std::string folder = std::filesystem::current_path().string();
  return folder;
}

std::string readers_file(const std::string& path) {
  return (std::filesystem::path(readers_folder()) / path).lexically_normal().string();
}

Words page_files() {
  namespace fs = std::filesystem;
  Words pages;
  const Words others = {"build", "results", "site", "puzzles"};
  for (auto entry = fs::recursive_directory_iterator("."); entry != fs::end(entry); ++entry) {
    const fs::path path = entry->path().lexically_normal();
    const std::string name = path.filename().string();
    if (entry->is_directory() && (name.starts_with('.') || contains(others, path.string()))) {
      entry.disable_recursion_pending();
    } else if (path.extension() == ".md" && name != "hints.md") {
      pages.push_back(path.generic_string());
    }
  }
  std::ranges::sort(pages, {}, [](const std::string& page) {
    const auto folders = std::ranges::count(page, '/');
    const Words step = search(page, "^step([0-9]+)_");
    return std::tuple(
        page != "README.md", page != "LADDER.md", step.empty() ? 100 + folders : std::stoi(step[1]),
        !page.ends_with("README.md"), page);
  });
  return pages;
}

}  // namespace tutorial
