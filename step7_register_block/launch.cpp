#include "step7_register_block/launch.hpp"

#include <fmt/format.h>

#include "common/device.hpp"

namespace tutorial::step7 {
namespace {

// Convolve_Two: each work-item computes two outputs side by side.
Launch twos(const Work& work, const KernelEntry& entry) {
  // The kernels beside it in the file need a block, too.
  const std::string options =
      fmt::format("-DFILTER_WIDTH={} -DBLOCK_WIDTH=4 -DBLOCK_HEIGHT=4", work.filter.width);
  const cl::Program program = build_program(work.context, work.device, entry.file, options);
  cl::Kernel kernel(program, entry.name().c_str());
  kernel.setArg(0, work.input);
  kernel.setArg(1, work.taps);
  kernel.setArg(2, work.output.buffer());
  kernel.setArg(3, work.padded.width);
  kernel.setArg(4, work.filter.width);
  kernel.setArg(5, work.width);   // the NDRange is larger than the image, so the kernel
  kernel.setArg(6, work.height);  // must know where the image ends

  // The NDRange: one work-item for two columns, in whole work-groups.
  const Extent group = group_of(work, entry);
  const cl::NDRange local(group.width, group.height);
  const cl::NDRange global = round_up(cl::NDRange(ceil_div(work.width, 2), work.height), local);
  return {kernel, global, local};
}

// The kernels with a block of outputs in each work-item, whose width is a multiple of `vector`.
Launch blocks_of(const Work& work, const KernelEntry& entry, int vector) {
  // The kernel is built for one size of block.
  const Extent block = entry.shape.block;
  if (block.width % vector != 0) {
    throw CannotRun(fmt::format("needs a block width that is a multiple of {}", vector));
  }
  const std::string options = fmt::format(
      "-DFILTER_WIDTH={} -DVECTOR={} -DBLOCK_WIDTH={} -DBLOCK_HEIGHT={}", work.filter.width, vector,
      block.width, block.height);
  const cl::Program program = build_program(work.context, work.device, entry.file, options);
  cl::Kernel kernel(program, entry.name().c_str());
  kernel.setArg(0, work.input);  // has room for what blocks at the edges read beyond the image
  kernel.setArg(1, work.taps);
  kernel.setArg(2, work.output.buffer());
  kernel.setArg(3, work.padded.width);
  kernel.setArg(4, work.filter.width);
  kernel.setArg(5, work.width);
  kernel.setArg(6, work.height);

  // The NDRange: one work-item for each block, in whole work-groups.
  const Extent group = group_of(work, entry);
  const cl::NDRange local(group.width, group.height);
  const cl::NDRange global = round_up(
      cl::NDRange(ceil_div(work.width, block.width), ceil_div(work.height, block.height)), local);
  return {kernel, global, local};
}

Launch blocks(const Work& work, const KernelEntry& entry) {
  return blocks_of(work, entry, 4);
}

// The same in vectors of the device's width, for CPUs.
Launch vectors(const Work& work, const KernelEntry& entry) {
  return blocks_of(work, entry, vector_width(work.device));
}

}  // namespace

std::vector<KernelEntry> kernels() {
  const std::string per_pixel_file = FOLDER "../step4_invariants/convolution.cl";
  const std::string gpu_file = FOLDER "block.cl", cpu_file = FOLDER "block16.cl";
  const auto cpu = CL_DEVICE_TYPE_CPU, gpu = CL_DEVICE_TYPE_GPU;
  const Shape square = {.block = {4, 4}}, wide = {.block = {64, 4}, .block8 = {32, 3}};
  return {
      {"Convolve", per_pixel_file, per_pixel},
      {"Convolve_Def", per_pixel_file, per_pixel},
      {"Convolve_Two", gpu_file, twos},
      {"Convolve_Block", gpu_file, blocks, square, gpu},
      {"Convolve_Block_Restrict", gpu_file, blocks, square, gpu},
      {"Convolve_Block16", cpu_file, vectors, wide, cpu},
      {"Convolve_Block16_Stream", cpu_file, vectors, wide, cpu},
  };
}

}  // namespace tutorial::step7
