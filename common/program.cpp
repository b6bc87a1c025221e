#include "common/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

std::string read_source(const std::string& path) {
  const std::optional<std::string> source = read_file(path);
  if (!source) {
    throw Error(fmt::format("kernel file {} cannot be read (--kernel-file names another)", path));
  }
  return *source;
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
    if (users_options != nullptr) {
      fmt::print(
          stderr, "{} {}\n{}\n", kernel_file, all_options,
          program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device));
    }
  } catch (const cl::Error&) {
    // Not every driver fills the log, so file, device and options must say enough on their own.
    throw Error(fmt::format(
        "the kernels do not build\n  file     {}\n  device   {}\n  options  {}\n  log:\n{}",
        kernel_file, device_name(device), all_options.empty() ? "(none)" : all_options,
        program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device)));
  }
  return program;
}

std::vector<std::string> kernels_in_file(const std::string& kernel_file) {
  static const std::regex definition(R"(\b(?:__)?kernel\b[^;{]*?\bvoid\s+(\w+)\s*\()");
  const std::string source = read_source(kernel_file);
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
    throw Error(
        fmt::format("{} has no kernel {}; it has {}", kernel_file, name, fmt::join(names, ", ")));
  }
}

}  // namespace tutorial
