#include "common/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/kernels.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

std::string read_source(const std::string& path) {
  const std::optional<std::string> source = read_file(path);
  if (!source) {
    throw Error(fmt::format(
        "kernel file {} cannot be read",
        std::filesystem::absolute(path).lexically_normal().string()));
  }
  return *source;
}

/// The source with a space for each comment; what looks like a comment within a string goes too.
std::string without_comments(const std::string& source) {
  std::string code;
  for (std::size_t i = 0; i < source.size();) {
    if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size());
    } else if (source.compare(i, 2, "/*") == 0) {
      const std::size_t end = source.find("*/", i + 2);
      i = end == std::string::npos ? source.size() : end + 2;
      code += ' ';
    } else {
      code += source[i++];
    }
  }
  return code;
}

/// `path` as seen from the current folder, unless that folder does not contain it.
std::string short_path(const std::string& path) {
  const std::string relative = std::filesystem::proximate(path).string();
  return relative.starts_with("..") ? path : relative;
}

/// A compiler never sees the kernel file's name, so its messages begin with, e.g.,
///   error: /tmp/tempfile-12-ab.cl:17:5:    PoCL
///   input.cl:17:5: error:                  rusticl, Oclgrind
///   <kernel>:17:5: error:                  NVIDIA
/// All become FILE:17:5: error:, which editors understand.
std::string name_file(const std::string& log, const std::string& kernel_file) {
  static const std::regex pocl(R"((^|\n)(error|warning|note): (\S+:\d+:\d+:))");
  static const std::regex place(R"((^|\n)(?:\S*\.cl|<[a-z ]+>|\S*CompileSource)(:\d+:\d+:))");
  static const std::regex dollar(R"(\$)");
  const std::string file = std::regex_replace(short_path(kernel_file), dollar, "$$$$");
  return std::regex_replace(std::regex_replace(log, pocl, "$1$3 $2:"), place, "$1" + file + "$2");
}

}  // namespace

// CL_PROGRAM_KERNEL_NAMES is one string: names with semicolons between them.
std::vector<std::string> kernel_names(const cl::Program& program) {
  std::vector<std::string> names;
  std::istringstream list(program.getInfo<CL_PROGRAM_KERNEL_NAMES>());
  for (std::string name; std::getline(list, name, ';');) {
    names.push_back(name.substr(0, name.find('\0')));
  }
  return names;
}

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
  sources.push_back(read_source(kernel_file));
  cl::Program program(context, sources);
  try {
    program.build(device, all_options.c_str());
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
    // Not every driver fills the log, so file, device and options must say enough on their own.
    throw Error(fmt::format(
        "the kernels do not build\n  file     {}\n  device   {}\n  options  {}\n  log:\n{}",
        short_path(kernel_file), device_name(device), all_options.empty() ? "(none)" : all_options,
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

std::vector<std::string> kernels_in_file(const std::string& kernel_file) {
  static const std::regex definition(R"(\b(?:__)?kernel\b[^;{]*?\bvoid\s+(\w+)\s*\()");
  const std::string source = without_comments(read_source(kernel_file));
  std::vector<std::string> names;
  for (std::sregex_iterator match(source.begin(), source.end(), definition), end; match != end;
       ++match) {
    names.push_back((*match)[1]);
  }
  return names;
}

void require_kernel(const std::string& kernel_file, const std::string& name) {
  const std::vector<std::string> names = kernels_in_file(kernel_file);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error(fmt::format(
        "{} has no kernel {}; it has {} (--against takes a file with some of a program's kernels)",
        kernel_file, name, fmt::join(names, ", ")));
  }
}

}  // namespace tutorial
