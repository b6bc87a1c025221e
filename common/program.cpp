#include "common/program.hpp"

#include <fmt/ranges.h>

#include <fstream>
#include <set>

#include "common/error.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// A compiler never sees the kernel file's name, so its messages begin with, e.g.,
///   error: /tmp/tempfile-12-ab.cl:17:5:    PoCL
///   input.cl:17:5: error:                  rusticl, Oclgrind
///   <kernel>:17:5: error:                  NVIDIA
/// All get FILE:17:5: in front, which editors understand.
std::string name_file(const std::string& log, const std::string& kernel_file) {
  const char* place =
      R"((^|\n)(error: |warning: |note: )?(?:\S*\.cl|<[a-z ]+>|\S*CompileSource)(:\d+:\d+: ?))";
  return replaced(log, place, "$1" + kernel_file + "$3$2");
}

/// With TUTORIAL_BINARIES=FOLDER in the environment the folder gets what the compiler made, up to a
/// zero byte: of NVIDIA's, PTX.
void keep_binaries(const cl::Program& program) {
  if (const std::string folder = environment("TUTORIAL_BINARIES"); !folder.empty()) {
    for (const auto& binary : program.getInfo<CL_PROGRAM_BINARIES>()) {
      const std::string text(binary.begin(), std::ranges::find(binary, 0));
      std::ofstream(fmt::format("{}/{}.ptx", folder, content_hash(text))) << text;
    }
  }
}

}  // namespace

cl::Program checked_build(
    const std::string& kernel_file, const std::string& build_options,
    const std::function<cl::Program()>& build) {
  try {
    cl::Program program = build();
    keep_binaries(program);
    const auto log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>().front().second;
    if (!environment("TUTORIAL_BUILD_OPTIONS").empty()) {
      fmt::print(stderr, "{} {}\n{}\n", kernel_file, build_options, log);
    } else if (log.find("warning: ") != std::string::npos) {
      static std::set<std::string> warnings;  // a file is built for each filter width and block
      if (const std::string named = name_file(log, kernel_file); warnings.insert(named).second) {
        fmt::print(stderr, "{}\n", named);
      }
    }
    return program;
  } catch (const cl::BuildError& error) {
    const auto [device, log] = error.getBuildLog().front();
    throw Error(fmt::format(
        "the kernels do not build\n  file     {}\n  device   {}\n  options  {}\n  log:\n{}",
        kernel_file, device_name(device), build_options.empty() ? "(none)" : build_options,
        name_file(log, kernel_file)));
  }
}

cl::Program build_program(
    const cl::Context& context, const cl::Device& device, const std::string& kernel_file,
    const std::string& build_options, const std::string& prologue) {
  const std::string users_options = environment("TUTORIAL_BUILD_OPTIONS");
  const std::string all_options =
      users_options.empty() ? build_options : build_options + " " + users_options;
  cl::Program::Sources sources;
  if (!prologue.empty()) {
    sources.push_back(prologue + "#line 1\n");
  }
  sources.push_back(read_text(kernel_file));
  // The kernels of a file are often launched one after the other. Never released: when a program
  // ends, its driver may be gone first.
  static auto& last = *new std::pair<std::string, cl::Program>;
  const std::string key = fmt::format(
      "{} {} {} {}", fmt::ptr(context()), fmt::ptr(device()), all_options, fmt::join(sources, ""));
  if (last.first != key) {
    last = {key, checked_build(kernel_file, all_options, [&] {
              cl::Program program(context, sources);
              program.build(device, all_options.c_str());
              return program;
            })};
  }
  return last.second;
}

cl::NDRange round_up(const cl::NDRange& global, const cl::NDRange& local) {
  return {round_up(global.get()[0], local.get()[0]), round_up(global.get()[1], local.get()[1])};
}

std::optional<std::string> why_not(
    const cl::Device& device, const KernelEntry& entry, const cl::Kernel& kernel,
    const cl::NDRange& local, std::size_t local_bytes) {
  if (entry.tile && local.get()[0] % static_cast<std::size_t>(entry.group_multiple) != 0) {
    return fmt::format("needs a work-group width that is a multiple of {}", entry.group_multiple);
  }
  const std::size_t items = local.get()[0] * local.get()[1] * local.get()[2];
  // A kernel with the attribute reqd_work_group_size was compiled for that size, so it fits, even
  // if the driver's general figure for the kernel (NVIDIA's is always 256) says less.
  const auto compiled_for = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
  const std::size_t item_limit = std::max(
      kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device),
      compiled_for[0] * compiled_for[1] * compiled_for[2]);
  if (items > item_limit) {
    return fmt::format("{} work-items in a work-group, this kernel allows {}", items, item_limit);
  }
  // Drivers differ in whether their figure counts the arguments.
  const auto counted = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device);
  const std::size_t needed = std::max<std::size_t>(counted, local_bytes);
  const auto available = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  if (needed > available) {
    return fmt::format("needs {} bytes of local memory, the device has {}", needed, available);
  }
  return {};
}

// OpenCL 1.2 promises devices without images nothing, and those with images only four floats per
// pixel (CL_RGBA); most have one float (CL_R) too, but a program has to ask.
cl::Image2D upload_image(
    const cl::Context& context, const cl::CommandQueue& queue, const Image& image) {
  const auto columns = std::size_t(image.width);
  const auto rows = std::size_t(image.height);
  cl::Image2D copy;
  try {
    copy = cl::Image2D(context, CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_FLOAT), columns, rows);
  } catch (const cl::Error&) {
    return {};
  }
  queue.enqueueWriteImage(copy, CL_TRUE, {0, 0, 0}, {columns, rows, 1}, 0, 0, image.pixels.data());
  return copy;
}

}  // namespace tutorial
