#include "tests/kernels.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

void describe(KernelFile& file) {
  const auto has = [&](const char* part) { return file.text.find(part) != std::string::npos; };
  const auto folder = std::filesystem::path(file.path).parent_path();
  std::string host = read_text((folder / "main.cpp").string());
  if (const auto launches = folder / "launch.cpp"; std::filesystem::exists(launches)) {
    host += read_text(launches.string());
  }
  const bool any_filter = file.program.starts_with("step");
  file.unit = !any_filter && host.find("has_block") == host.npos ? 0
              : has("BLOCK_WIDTH / PIXELS")                      ? 32
              : has("BLOCK_WIDTH / VECTOR")                      ? 16
              : has("BLOCK_WIDTH")                               ? 4
                                                                 : 0;
  file.words = {
      {"any_filter", any_filter},  // their own filter is not the only kind that they are for
      {"blocks", file.unit > 0},
      {"bytes", has("uchar")},
      {"constant_taps", has("baked_")},  // the compiler sees the filter's taps
      {"grows", file.path.ends_with("/convolution.cl")},
      {"groups", host.find("options.work_group") != host.npos && has("get_local_id")},
      {"nvidia", has(" asm")},  // instructions of NVIDIA's GPUs, which no simulator knows
      {"slow", file.program == "stereo"},  // a pixel is hundreds of times the work of others
      {"sparse", has("baked_") && file.unit == 16},  // for filters most of whose taps are 0
      {"tiles", has("STEP_X")},  // transforms of whole tiles, which take long to build
      {"wide", file.unit == 32},
      {file.name, true}};
}

/// `--kernel` with the kernels of a file whose names contain this.
std::string option(const KernelFile& file, const std::string& part) {
  Words chosen = file.kernels;
  std::erase_if(chosen, [&](auto& kernel) { return kernel.find(part) == kernel.npos; });
  return fmt::format("--kernel {} ", fmt::join(chosen, ","));
}

/// The text once for each of the first {A,B}, and so on.
void add_alternatives(const std::string& text, Words& all) {
  const std::size_t begin = text.find('{'), end = text.find('}');
  if (begin == text.npos) {
    all.push_back(text);
    return;
  }
  for (const std::string& one : split(text.substr(begin + 1, end - begin - 1), ',')) {
    add_alternatives(text.substr(0, begin) + one + text.substr(end + 1), all);
  }
}

}  // namespace

Words KernelFile::runs(const std::string& where) const {
  Words all;
  for (const std::string& row : lines_with("^" + where + " ", source("tests/kernel_runs.txt"))) {
    const Words fields = split(row, '|');
    const auto is_true = [this](const std::string& word) {
      return word.empty() || (word[0] == '!' ? !is(word.substr(1)) : is(word));
    };
    if (!std::ranges::all_of(split(fields.at(1), ' '), is_true)) {
      continue;
    }
    std::string text = fields.at(2);
    text = unit > 0 ? text : replaced(text, " --block(-group)? \\S+", "");
    text = is("groups") ? text : replaced(text, " --work-group \\S+", "");
    text = replaced(
        text, "--taps (\\S+)", is("sparse") ? "--filter cross{$1}.txt" : "--filter-width $1");
    for (Words of; !(of = search(text, "^(.*?)([0-9]+)U([+-][0-9]+)?(.*)$")).empty();) {
      const int more = of[3].empty() ? 0 : std::stoi(of[3]);
      text = fmt::format("{}{}{}", of[1], std::stoi(of[2]) * unit + more, of[4]);
    }
    const bool is_local = text.find("--kernel LOCAL ") != text.npos;
    text = is_local ? replaced(text, "--kernel LOCAL ", option(*this, "Local"))
           : where == "mutant" || where == "against" ? text
                                                     : option(*this, "") + text;
    add_alternatives(text, all);
  }
  return all;
}

const std::vector<KernelFile>& kernel_files() {
  static const std::vector<KernelFile> all = in_root([] {
    std::vector<KernelFile> files;
    const Csv& table = csv_file("kernels.csv");
    for (std::size_t row = 0; row < table.size(); row++) {
      const std::string& name = table.text(row, "file");
      if (name.empty()) {
        continue;
      }
      const std::string folder = step_folder(table.text(row, "step"));
      const std::string path = in_repository(folder + "/" + name);
      if (files.empty() || files.back().path != path) {
        const bool only = name == "convolution.cl";
        const std::string test = only ? program_in(folder) : replaced(name, "\\.", "_");
        files.push_back({test, program_in(folder), path, read_text(path), {}, 0, {}});
        describe(files.back());
      }
      files.back().kernels.push_back(table.text(row, "kernel"));
    }
    return files;
  });
  return all;
}

void write_inputs() {
  std::filesystem::copy(in_repository("tests/inputs"), ".");
  for (int width = 1; width <= 32; width++) {
    const int row = width / 4, column = width - 1 - width / 3;
    const double unit = width % 4 == 1 ? 1e-6 : 1.0;  // some are tiny
    std::string text;
    for (int i = 0; i < width * width; i++) {
      const int r = i / width, c = i % width;
      const bool is_tap = width > 1 && (c == column || (r == row && width > 3));
      text += fmt::format("{} ", is_tap ? unit * (0.25 * r - c + 0.125) : 0.0);
    }
    write_whole(fmt::format("cross{}.txt", width), text);
  }
}

}  // namespace tutorial
