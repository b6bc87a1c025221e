#include "step10_fft/launch.hpp"

#include <fmt/format.h>

#include <chrono>

#include "common/device.hpp"
#include "step10_fft/spectrum.hpp"
#include "step8_baked_filter/launch.hpp"

namespace tutorial::step10 {
namespace {

// The filter's spectrum, which the host computes, and prints how long it took.
cl::Buffer upload_spectrum(const Work& work, int tile, int lanes) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<float> spectrum = filter_spectrum(work.filter, tile, lanes);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  fmt::print(
      "width {:2}  spectrum in {} x {}: {:.2f} ms on the host\n", work.filter.width, tile, tile,
      time.count());
  return work.upload(spectrum);
}

// All kernels of this step: a work-group transforms two square tiles of the input, side by side,
// whose numbers the kernel has in vectors of `vector`.
Launch tiles_of(
    const Work& work, const KernelEntry& entry, int vector, const std::string& pixel_source) {
  const auto [tile, group] = std::pair(entry.shape.block.width, entry.shape.group);
  // Of a tile so many outputs are right, and so many columns are kept.
  const int right = tile - work.filter.width + 1;
  const int step_x = tile_step(tile, work.filter.width, vector);
  // There are neither NaN nor Inf, so a product with 0 is 0. In front of the kernel stand the
  // factors of its butterflies.
  const std::string options = fmt::format(
      "-DFILTER_WIDTH={} -DINPUT_WIDTH={} -DOUTPUT_WIDTH={} -DVECTOR={} -DSTEP_X={} "
      "-cl-finite-math-only -cl-no-signed-zeros",
      work.filter.width, work.padded.width, work.width, vector, step_x);
  const cl::Program program = build_program(
      work.context, work.device, entry.file, options, pixel_source + twiddle_source(tile));

  cl::Kernel kernel(program, entry.name().c_str());
  kernel.setArg(0, work.input);  // has room for what tiles at the edges read beyond the image
  const cl::Buffer spectrum = upload_spectrum(work, tile, vector);
  kernel.setArg(1, spectrum);  // in place of the taps
  kernel.setArg(2, work.output.buffer());
  kernel.setArg(3, work.padded.width);
  kernel.setArg(4, work.filter.width);
  kernel.setArg(5, work.width);
  kernel.setArg(6, work.height);

  // The NDRange: a work-group for each pair of tiles.
  const cl::NDRange global(
      ceil_div(work.width, 2 * step_x) * group.width, ceil_div(work.height, right) * group.height);
  return {kernel, global, cl::NDRange(group.width, group.height), {spectrum}, false, tile};
}

Launch tiles(const Work& work, const KernelEntry& entry) {
  return tiles_of(work, entry, 1, "");
}

// Convolve_Fft_Shared also looks up factors in a buffer.
Launch shared_tiles(const Work& work, const KernelEntry& entry) {
  Launch launch = tiles(work, entry);
  launch.kept.push_back(work.upload(root_table(entry.shape.block.width)));
  launch.kernel.setArg(7, launch.kept.back());
  return launch;
}

// Convolve_Fft16.
Launch float_tiles(const Work& work, const KernelEntry& entry) {
  return vector_tiles(work, entry, "float", "(sums)");
}

}  // namespace

Launch vector_tiles(
    const Work& work, const KernelEntry& entry, const std::string& pixel,
    const std::string& to_pixels) {
  if (!is_cpu(work.device)) {
    throw CannotRun("for CPUs: a work-item has two tiles to itself");
  }
  const int vector = vector_width(work.device);
  std::string source = fmt::format(
      "typedef {0} pixel;\ntypedef {0}{1} pixels;\n#define TO_PIXELS(sums) {2}\n", pixel, vector,
      to_pixels);
  for (const char* name : {"float", "vstore", "convert_float", "convert_int", "convert_uchar"}) {
    source += fmt::format("#define {0}N {0}{1}\n", name, vector);
  }
  return tiles_of(work, entry, vector, source);
}

std::vector<KernelEntry> kernels() {
  const auto cpu = CL_DEVICE_TYPE_CPU, gpu = CL_DEVICE_TYPE_GPU;
  const Shape columns = {{64, 64}, {64, 1}}, quarters = {{64, 64}, {64, 4}};
  const Shape squares = {{128, 128}, {1, 1}};
  std::vector<KernelEntry> all = step8::kernels();
  all.push_back({"Convolve_Fft", FOLDER "fft.cl", tiles, columns, gpu, true});
  all.push_back({"Convolve_Fft_Shared", FOLDER "fft.cl", shared_tiles, quarters, gpu, true});
  all.push_back({"Convolve_Fft16", FOLDER "fft16.cl", float_tiles, squares, cpu, true});
  return all;
}

}  // namespace tutorial::step10
