#include "tests/kernels.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>

#include "common/error.hpp"
#include "tests/programs.hpp"

using namespace std::string_literals;

namespace tutorial {
namespace {

/// The folder of a step of kernels.csv: a number, or the name of one's own, perhaps in studies/.
std::filesystem::path step_folder(const std::string& step) {
  for (const char* parent : {".", "studies"}) {
    for (const auto& entry : std::filesystem::directory_iterator(in_repository(parent))) {
      const std::string name = entry.path().filename();
      if (name == step || name.starts_with("step" + step + "_")) {
        return entry.path();
      }
    }
  }
  throw Error("kernels.csv: there is no folder of step " + step);
}

void describe(KernelFile& file) {
  const auto has = [&](const char* part) { return file.text.find(part) != std::string::npos; };
  file.unit = has("BLOCK_WIDTH / 32")   ? 32
              : has("BLOCK_WIDTH / 16") ? 16
              : has("BLOCK_WIDTH")      ? 4
                                        : 0;
  file.constant_taps = has("baked_");
  file.sparse = file.constant_taps && file.unit == 16;
  file.bytes = has("uchar");
  file.tiles = has("STEP_X");
  file.nvidia = has(" asm");
  file.any_filter = file.program.starts_with("step");
  file.slow = file.program == "stereo";
  file.groups = file.unit == 0 && has("get_local_id");
}

void write_filter(const std::string& name, int width, const std::function<double(int, int)>& tap) {
  std::string text;
  for (int r = 0; r < width; r++) {
    for (int c = 0; c < width; c++) {
      text += fmt::format("{} ", tap(r, c));
    }
    text += "\n";
  }
  write_whole(name + ".txt", text);
}

}  // namespace

std::string KernelFile::option(const std::string& part) const {
  std::vector<std::string> chosen;
  for (const std::string& kernel : kernels) {
    if (kernel.find(part) != std::string::npos) {
      chosen.push_back(kernel);
    }
  }
  return chosen.empty() ? "" : fmt::format(" --kernel {}", fmt::join(chosen, ","));
}

std::string KernelFile::block(int columns, int rows) const {
  return unit == 0 ? "" : fmt::format(" --block {}x{}", columns * unit, rows);
}

std::ostream& operator<<(std::ostream& out, const KernelFile& file) {
  return out << file.name;
}

const std::vector<KernelFile>& kernel_files() {
  static std::vector<KernelFile> files;
  if (!files.empty()) {
    return files;
  }
  const Csv table(in_repository("kernels.csv"));
  for (std::size_t row = 0; row < table.size(); row++) {
    const std::string& name = table.text(row, "file");
    if (name.empty()) {
      continue;
    }
    const std::filesystem::path folder = step_folder(table.text(row, "step"));
    const std::string path = folder / name;
    if (files.empty() || files.back().path != path) {
      const std::string program = folder.filename();
      const bool only = name == "convolution.cl";
      std::string test = name;
      std::ranges::replace(test, '.', '_');
      files.push_back({only ? program : test, program, path, read_text(path), {}});
      describe(files.back());
    }
    files.back().kernels.push_back(table.text(row, "kernel"));
  }
  return files;
}

KernelFile as_program_has(KernelFile file) {
  const std::string help = program(file.program, "--help").output;
  file.unit = help.find("--block ") == std::string::npos ? 0 : file.unit;
  file.groups = file.groups && help.find("--work-group ") != std::string::npos;
  return file;
}

std::vector<std::string> ladder_steps() {
  const Csv table(in_repository("kernels.csv"));
  std::vector<std::string> steps;
  for (std::size_t row = 0; row < table.size(); row++) {
    if (parse_number<int>(table.text(row, "step"))) {
      const std::string step = step_folder(table.text(row, "step")).filename();
      if (steps.empty() || steps.back() != step) {
        steps.push_back(step);
      }
    }
  }
  return steps;
}

void write_inputs() {
  for (int width = 1; width <= 32; width++) {
    const int row = width / 4, column = width - 1 - width / 3;
    write_filter("cross" + std::to_string(width), width, [=](int r, int c) {
      const double tap = (width % 4 == 1 ? 1e-6 : 1.0) * (0.25 * r - c + 0.125);  // some are tiny
      return width > 1 && (c == column || (r == row && width > 3)) ? tap : 0.0;
    });
  }
  for (const int width : {4, 9}) {
    write_filter("zeros" + std::to_string(width), width, [](int, int) { return 0.0; });
  }
  write_filter("column18", 18, [](int r, int c) { return c == 6 ? r + 1.0 : 0.0; });
  std::string photo = "P5\n21 17\n255\n";  // black, white, next to them, grey, in no order
  for (int i = 0; i < 21 * 17; i++) {
    photo += "\0\xff\1\xfe\x80"s[i * i / 7 % 5];
  }
  write_whole("extremes.pgm", photo);
  write_whole("limits.txt", "-3 0 0\n0 0 0\n0 3.7 0\n");
  write_whole("edges.txt", "-1 0 1\n-2 0 2\n-1 0 1\n");
}

}  // namespace tutorial
