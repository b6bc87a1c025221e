#include "common/program.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// A compiler never sees the kernel file's name, so its messages begin with, e.g.,
///   error: /tmp/tempfile-12-ab.cl:17:5:    PoCL
///   input.cl:17:5: error:                  rusticl, Oclgrind
///   <kernel>:17:5: error:                  NVIDIA
/// All get FILE:17:5: in front, which editors understand.
std::string name_file(const std::string& log, const std::string& kernel_file) {
  static const std::regex place(
      R"((^|\n)(error: |warning: |note: )?(?:\S*\.cl|<[a-z ]+>|\S*CompileSource)(:\d+:\d+: ?))");
  return std::regex_replace(log, place, "$1" + kernel_file + "$3$2");
}

/// With TUTORIAL_INPUTS=FILE in the environment FILE gets a line HASH PATH for what the kernels are
/// made of, as it is now: this program and the kernel file.
void note_inputs(const std::string& kernel_file, const std::string& text) {
  static std::set<std::string> noted;
  const char* list = std::getenv("TUTORIAL_INPUTS");
  if (list != nullptr && noted.insert(kernel_file + text).second) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe");
    std::ofstream(list, std::ios::app) << fmt::format(
        "{} {}\n{} {}\n", content_hash(read_text(program)), program, content_hash(text),
        std::filesystem::absolute(kernel_file).string());
  }
}

/// With TUTORIAL_BINARIES=FOLDER in the environment the folder gets what the compiler made, up to a
/// zero byte: of NVIDIA's, PTX.
void keep_binaries(const cl::Program& program) {
  if (const char* folder = std::getenv("TUTORIAL_BINARIES"); folder != nullptr) {
    for (const auto& binary : program.getInfo<CL_PROGRAM_BINARIES>()) {
      const std::string text(binary.begin(), std::ranges::find(binary, 0));
      std::ofstream(fmt::format("{}/{}.ptx", folder, content_hash(text))) << text;
    }
  }
}

}  // namespace

cl::Program build_program(
    const cl::Context& context, const cl::Device& device, const std::string& kernel_file,
    const std::string& build_options, const std::string& prologue) {
  const char* users_options = std::getenv("TUTORIAL_BUILD_OPTIONS");
  const std::string all_options =
      users_options == nullptr ? build_options : fmt::format("{} {}", build_options, users_options);
  cl::Program::Sources sources;
  if (!prologue.empty()) {
    sources.push_back(prologue + "#line 1\n");
  }
  sources.push_back(read_text(kernel_file));
  note_inputs(kernel_file, sources.back());
  cl::Program program(context, sources);
  try {
    program.build(device, all_options.c_str());
    keep_binaries(program);
    const std::string log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    if (users_options != nullptr) {
      fmt::print(stderr, "{} {}\n{}\n", kernel_file, all_options, log);
    } else if (log.find("warning: ") != std::string::npos) {
      static std::set<std::string> warnings;  // a file is built for each filter width and block
      if (const std::string named = name_file(log, kernel_file); warnings.insert(named).second) {
        fmt::print(stderr, "{}\n", named);
      }
    }
  } catch (const cl::Error&) {
    throw Error(fmt::format(
        "the kernels do not build\n  file     {}\n  device   {}\n  options  {}\n  log:\n{}",
        kernel_file, device_name(device), all_options.empty() ? "(none)" : all_options,
        name_file(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device), kernel_file)));
  }
  return program;
}

Programs build_programs(
    const cl::Context& context, const cl::Device& device, const std::vector<KernelEntry>& kernels,
    const std::string& build_options) {
  Programs programs;
  for (const KernelEntry& entry : kernels) {
    if (!programs.contains(entry.file)) {
      programs[entry.file] = build_program(context, device, entry.file, build_options);
    }
  }
  return programs;
}

}  // namespace tutorial
