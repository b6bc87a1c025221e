// The whole way of an image: from the host to the device, through a kernel and back, and what has
// to be compiled before. The steps time the kernel alone; here every part has its time.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "common/block.hpp"
#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/reference.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"

namespace {

using tutorial::Shape;

// The first kernel of the ladder, and two of the last: one for CPUs and one for GPUs.
const std::vector<tutorial::KernelEntry> kernels = {
    {"Convolve"},  // the baseline of the table
    {"Convolve_Block16", Shape::block16, "../step9_autotune/block16.cl"},
    {"Convolve_Fast", Shape::pairs, "../step9_autotune/fast.cl"},
};

const tutorial::ProgramInfo info = {
    .title = "The whole way of an image: build, upload, kernel and read-back, each timed",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
};

int run(const tutorial::Options& options) {
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  const tutorial::Image image = tutorial::load_image(options);
  tutorial::Image result(image.width, image.height);
  tutorial::Results results(options, device, image);

  for (const int filter_width : options.filter_widths) {
    const tutorial::Filter filter =
        tutorial::make_filter(options.filter, filter_width, options.seed);
    const tutorial::Image input = tutorial::repeat_border(image, filter_width);
    const tutorial::Reference reference = tutorial::convolve_reference(input, filter);

    // Each part of the way is timed by the host's clock, until the device has done its share.
    std::vector<tutorial::Variant> parts;
    const auto add = [&](const std::string& label, const std::function<void()>& work) {
      const auto run_part = [&queue, work] {
        work();
        queue.finish();
        return cl::Event();
      };
      parts.push_back({label, cl::NullRange, 0.0, run_part});
    };

    // Buffers as in steps 7 to 9: rows longer than the host's, with room for the last blocks.
    const int pitch = tutorial::padded_width(result.width, filter_width);
    const std::size_t pitch_bytes = sizeof(float) * pitch;
    const std::size_t row_bytes = sizeof(float) * input.width;
    const auto rows = static_cast<std::size_t>(input.height);
    const std::size_t input_bytes =
        pitch_bytes * tutorial::padded_height(result.height, filter_width);
    const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, input_bytes);
    const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, filter.size_bytes());
    const cl::Buffer output_buffer(context, CL_MEM_WRITE_ONLY, result.size_bytes());
    queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());

    const auto upload = [&](const float* pixels) {
      queue.enqueueWriteBufferRect(
          input_buffer, CL_TRUE, {0, 0, 0}, {0, 0, 0}, {row_bytes, rows, 1}, pitch_bytes, 0,
          row_bytes, 0, pixels);
    };
    const auto read_back = [&](float* pixels) {
      queue.enqueueReadBuffer(output_buffer, CL_TRUE, 0, result.size_bytes(), pixels);
    };

    // Leaves nothing on the device that could pass for the work of what follows.
    const auto forget = [&] {
      queue.enqueueFillBuffer(input_buffer, 0.0F, 0, input_bytes);
      queue.enqueueFillBuffer(output_buffer, NAN, 0, result.size_bytes());
    };
    const auto verify = [&](const std::string& label, bool pairs = false) {
      return results.verify(label, filter_width, tutorial::check(reference, result, true, pairs));
    };

    // --- Three ways to a program ---

    const auto make_kernel = [&](const cl::Program& program, const std::string& name) {
      cl::Kernel kernel(program, name.c_str());
      kernel.setArg(0, input_buffer);
      kernel.setArg(1, filter_buffer);
      kernel.setArg(2, output_buffer);
      kernel.setArg(3, pitch);
      kernel.setArg(4, filter.width);
      return kernel;
    };
    // What the driver makes of a source can be kept in a file until the next start. It fits this
    // device and this driver only: if one of them rejects it, the program is built from source.
    const std::string build_options = "-DFILTER_WIDTH=" + std::to_string(filter_width);
    const auto build = [&](const std::string& more_options) {
      return tutorial::build_program(
          context, device, options.kernel_file, build_options + more_options);
    };
    const cl::Program::Binaries binaries = build("").getInfo<CL_PROGRAM_BINARIES>();
    const auto load = [&] {
      cl::Program program(context, {device}, binaries);
      program.build(device);
      return program;
    };
    // Some drivers compile when a kernel is started for the first time, so that belongs to it.
    const auto first_start = [&](const cl::Program& program) {
      queue.enqueueNDRangeKernel(
          make_kernel(program, "Convolve"), cl::NullRange, cl::NDRange(1, 1));
    };
    // Drivers keep binaries by themselves too. An option that was never given gets around that.
    auto never_given = std::chrono::system_clock::now().time_since_epoch().count();
    add("build", [&] { first_start(build(" -DSTART=" + std::to_string(never_given++))); });
    add("build:again", [&] { first_start(build("")); });
    add("build:binary", [&] { first_start(load()); });

    // --- Three ways to the device and back ---

    const cl::Kernel kernel = make_kernel(load(), "Convolve");
    const auto convolve = [&] {
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(result.width, result.height));
    };
    add("border", [&] { tutorial::repeat_border(image, filter_width); });
    add("upload", [&] { upload(input.pixels.data()); });
    add("read-back", [&] { read_back(result.pixels.data()); });

    // Pinned memory stays where it is, so the device reads and writes it by itself. OpenCL has it
    // as a buffer of the driver's, which is mapped for as long as the host uses it.
    const cl::Buffer pinned_buffer(
        context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
        input.size_bytes() + result.size_bytes());
    auto* const pinned = static_cast<float*>(queue.enqueueMapBuffer(
        pinned_buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
        input.size_bytes() + result.size_bytes()));
    float* const pinned_result = pinned + input.size();
    add("upload:pinned", [&] { upload(pinned); });
    add("read-back:pinned", [&] { read_back(pinned_result); });

    // The other way round: what the device works on is mapped into the host's memory. Where the
    // two share their memory nothing is copied, but by the host itself.
    const auto map_input = [&] {
      auto* const mapped = static_cast<float*>(queue.enqueueMapBuffer(
          input_buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, input_bytes));
      for (int y = 0; y < input.height; y++) {
        std::copy_n(
            &input.pixels[std::size_t(y) * std::size_t(input.width)], input.width,
            mapped + std::ptrdiff_t(y) * pitch);
      }
      queue.enqueueUnmapMemObject(input_buffer, mapped);
    };
    const auto map_output = [&](const std::function<void(const float*)>& look) {
      auto* const mapped = static_cast<float*>(
          queue.enqueueMapBuffer(output_buffer, CL_TRUE, CL_MAP_READ, 0, result.size_bytes()));
      look(mapped);
      queue.enqueueUnmapMemObject(output_buffer, mapped);
    };
    add("upload:map", map_input);
    add("read-back:map", [&] { map_output([](const float*) {}); });

    const auto keep = [&](const float* pixels) {
      std::copy_n(pixels, result.size(), result.pixels.begin());
    };
    forget();
    std::ranges::copy(input.pixels, pinned);
    upload(pinned);
    convolve();
    read_back(pinned_result);
    keep(pinned_result);
    verify("pinned");
    forget();
    map_input();
    convolve();
    map_output(keep);
    verify("map");

    // --- The kernels, and the whole way with each of them ---

    for (const tutorial::KernelEntry& entry : options.kernels) {
      const tutorial::Block block = tutorial::select_block(device, options, entry.shape);
      const std::string build_options = "-DFILTER_WIDTH=" + std::to_string(filter_width) +
                                        tutorial::build_options(block) +
                                        " -DINPUT_WIDTH=" + std::to_string(pitch) +
                                        " -DOUTPUT_WIDTH=" + std::to_string(result.width);
      const cl::Program program = tutorial::build_program(
          context, device, entry.file, build_options, tutorial::baked_source(filter));
      cl::Kernel kernel = make_kernel(program, entry.name());
      cl::NDRange global(result.width, result.height);
      cl::NDRange local = cl::NullRange;
      if (block.width != 0) {
        global = tutorial::global_size(block, result.width, result.height);
        local = cl::NDRange(block.group_width, block.group_height);
        kernel.setArg(5, result.width);
        kernel.setArg(6, result.height);
      }
      const auto launch = [&queue, kernel, global, local] {
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
      };
      const auto whole_way = [&, launch] {
        upload(tutorial::repeat_border(image, filter_width).pixels.data());
        launch();
        read_back(result.pixels.data());
      };
      forget();
      whole_way();
      if (verify(entry.label, entry.shape == Shape::pairs)) {
        add(entry.label, launch);
        add("way:" + entry.label, whole_way);
      }
    }

    if (!options.verify_only) {
      results.add(filter_width, tutorial::measure(parts, options.time_budget_s));
    }
    queue.enqueueUnmapMemObject(pinned_buffer, pinned);
  }
  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
