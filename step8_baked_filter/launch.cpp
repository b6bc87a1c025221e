#include "step8_baked_filter/launch.hpp"

#include <fmt/format.h>

#include "common/device.hpp"
#include "step7_register_block/launch.hpp"

namespace tutorial::step8 {

// Compilers stop unrolling long loops, whatever a pragma says, so the host writes this one out.
std::string for_each_input_row(const Filter& filter, const Extent& block) {
  std::string source = "#define FOR_EACH_INPUT_ROW(DO)";
  for (int row = 0; row < block.height + filter.width - 1; row++) {
    source += fmt::format(" DO({})", row);
  }
  return source + "\n";
}

namespace {

// The kernels with a block of outputs in each work-item, whose width is a multiple of `vector`.
Launch blocks_of(const Work& work, const KernelEntry& entry, int vector) {
  // The kernel is built for one size of block; and for one filter and the lengths of the rows.
  const Extent block = entry.shape.block;
  if (block.width % vector != 0) {
    throw CannotRun(fmt::format("needs a block width that is a multiple of {}", vector));
  }
  const std::string options = fmt::format(
      "-DFILTER_WIDTH={} -DINPUT_WIDTH={} -DOUTPUT_WIDTH={} -DVECTOR={} -DBLOCK_WIDTH={} "
      "-DBLOCK_HEIGHT={}",
      work.filter.width, work.padded.width, work.width, vector, block.width, block.height);
  const std::string prologue =  // in front of the kernel: the taps as constants
      work.filter.baked_source() + for_each_input_row(work.filter, block);
  const cl::Program program =
      build_program(work.context, work.device, entry.file, options, prologue);
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

// Convolve_Fast: two neighbouring outputs share rounding errors with the sums that they share.
Launch pairs(const Work& work, const KernelEntry& entry) {
  Launch launch = blocks(work, entry);
  launch.pairs = true;
  return launch;
}

}  // namespace

std::vector<KernelEntry> kernels() {
  const auto cpu = CL_DEVICE_TYPE_CPU, gpu = CL_DEVICE_TYPE_GPU;
  const Shape square = {.block = {4, 4}}, wide = {.block = {64, 4}, .block8 = {32, 2}};
  std::vector<KernelEntry> all = step7::kernels();
  all.push_back({"Convolve_Baked", FOLDER "baked.cl", blocks, square, gpu});
  // On a CPU a constant tap gains nothing, unless it is 0.
  all.push_back({"Convolve_Baked16", FOLDER "baked16.cl", vectors, wide, cpu});
  all.back().sparse = true;
  all.push_back({"Convolve_Fast", FOLDER "fast.cl", pairs, square, gpu});
  return all;
}

}  // namespace tutorial::step8
