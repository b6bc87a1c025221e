#include "step11_bytes/launch.hpp"

#include <fmt/format.h>

#include "common/device.hpp"
#include "common/text.hpp"
#include "step10_fft/launch.hpp"
#include "step11_bytes/work.hpp"
#include "step7_register_block/launch.hpp"
#include "step8_baked_filter/launch.hpp"

namespace tutorial::step11 {
namespace {

// All kernels of this step: a work-item for each block, whose width is a multiple of `unit`.
Launch blocks(
    const ByteWork& work, const KernelEntry& entry, int unit, const std::string& prologue,
    const cl::Buffer& taps, Launch::Pixels pixels) {
  const Extent block = entry.shape.block;
  if (block.width % unit != 0) {
    throw CannotRun(fmt::format("needs a block width that is a multiple of {}", unit));
  }
  std::string options = fmt::format(
      "-DFILTER_WIDTH={} -DSHIFT={} -DVECTOR={} -DBLOCK_WIDTH={} -DBLOCK_HEIGHT={}{}",
      work.fixed.width, work.fixed.shift, vector_width(work.device), block.width, block.height,
      has_vnni(work.device) ? " -DVNNI" : "");
  if (!prologue.empty()) {  // constant taps, so all else may be constant, too
    options += fmt::format(" -DINPUT_WIDTH={} -DOUTPUT_WIDTH={}", work.padded.width, work.width);
  }
  const cl::Program program =
      build_program(work.context, work.device, entry.file, options, prologue);
  cl::Kernel kernel(program, entry.name().c_str());
  kernel.setArg(0, work.input_bytes);  // has room for what blocks read beyond the image
  kernel.setArg(1, taps);
  kernel.setArg(2, work.output_bytes.buffer());
  kernel.setArg(3, work.padded.width);  // bytes in a row of the input
  kernel.setArg(4, work.fixed.width);
  kernel.setArg(5, work.width);
  kernel.setArg(6, work.height);

  // The NDRange: one work-item for each block, in whole work-groups.
  const Extent group = group_of(work, entry);
  const cl::NDRange local(group.width, group.height);
  const cl::NDRange global = round_up(
      cl::NDRange(ceil_div(work.width, block.width), ceil_div(work.height, block.height)), local);
  return {.kernel = kernel, .global = global, .local = local, .kept = {taps}, .pixels = pixels};
}

// Convolve_Bytes: the taps are constants.
Launch constant_taps(const Work& a_work, const KernelEntry& entry) {
  const auto& work = dynamic_cast<const ByteWork&>(a_work);
  const std::string prologue =
      work.filter.baked_source() + step8::for_each_input_row(work.filter, entry.shape.block);
  return blocks(work, entry, 4, prologue, work.taps, Launch::Pixels::bytes_by_floats);
}

// Convolve_Bytes16, for CPUs: the taps are an argument.
Launch taps(const Work& a_work, const KernelEntry& entry) {
  const auto& work = dynamic_cast<const ByteWork&>(a_work);
  return blocks(
      work, entry, vector_width(work.device), "", work.taps, Launch::Pixels::bytes_by_floats);
}

// Convolve_Bytes_Dot: the pairs of taps are constants.
Launch constant_pairs(const Work& a_work, const KernelEntry& entry) {
  const auto& work = dynamic_cast<const ByteWork&>(a_work);
  require_nvidia(work.device, 8);
  const std::string prologue =
      baked_pairs_source(work.fixed) + step8::for_each_input_row(work.filter, entry.shape.block);
  return blocks(work, entry, 4, prologue, work.taps, Launch::Pixels::bytes);
}

// Convolve_Bytes_Dot32, for CPUs: the pairs are an argument.
Launch pairs(const Work& a_work, const KernelEntry& entry) {
  const auto& work = dynamic_cast<const ByteWork&>(a_work);
  return blocks(
      work, entry, 2 * vector_width(work.device), "", work.upload(tap_pairs(work.fixed)),
      Launch::Pixels::bytes);
}

// Convolve_Bytes_Matrix: 32 work-items compute 128 columns together, so each counts as four.
Launch matrices(const Work& a_work, const KernelEntry& entry) {
  const auto& work = dynamic_cast<const ByteWork&>(a_work);
  require_nvidia(work.device, 8);
  return blocks(work, entry, 4, "", work.upload(tap_matrices(work.fixed)), Launch::Pixels::bytes);
}

// Convolve_Fft16 of step 10, which takes pixels of any type.
Launch byte_tiles(const Work& a_work, const KernelEntry& entry) {
  const auto& work = dynamic_cast<const ByteWork&>(a_work);
  Launch launch = step10::vector_tiles(
      work, entry, "uchar", "convert_ucharN(convert_intN(clamp(sums + 0.5f, 0.0f, 255.0f)))");
  launch.kernel.setArg(0, work.input_bytes);
  launch.kernel.setArg(2, work.output_bytes.buffer());
  launch.pixels = Launch::Pixels::bytes_by_floats;
  return launch;
}

}  // namespace

std::vector<KernelEntry> kernels() {
  const auto cpu = CL_DEVICE_TYPE_CPU, gpu = CL_DEVICE_TYPE_GPU;
  const Shape block = {.block = {4, 8}}, vectors = {.block = {64, 4}, .block8 = {32, 3}};
  const Shape two_rows = {.block = {64, 4}, .block8 = {32, 2}};  // its sums are even and odd
  const Shape tile = {.block = {4, 16}, .group = {32, 1}}, squares = {{128, 128}, {1, 1}};
  std::vector<KernelEntry> all = step10::kernels();
  for (KernelEntry& entry : all) {
    entry.tried_on = 0;  // the search is for a kernel on bytes
  }
  const auto add = [&all](KernelEntry entry) {
    entry.pixel_bytes = 1;
    all.push_back(entry);
  };
  add({"Convolve_Bytes", FOLDER "bytes.cl", constant_taps, block, gpu});
  add({"Convolve_Bytes16", FOLDER "bytes16.cl", taps, vectors, cpu});
  add({"Convolve_Bytes_Dot", FOLDER "dot.cl", constant_pairs, block, gpu});
  add({"Convolve_Bytes_Dot32", FOLDER "dot32.cl", pairs, two_rows, cpu});
  add({"Convolve_Bytes_Matrix", FOLDER "matrix.cl", matrices, tile, gpu, true});
  add({"Convolve_Fft16:bytes", FOLDER "../step10_fft/fft16.cl", byte_tiles, squares, cpu, true});
  return all;
}

}  // namespace tutorial::step11
