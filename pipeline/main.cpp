// The whole way of an image: from the host to the device, through a kernel and back, and what has
// to be compiled before. The steps time the kernel alone; here every part has its time.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"
#include "pipeline/convolution.hpp"

namespace {

// The first kernel of the ladder, and two of the last: one for CPUs and one for GPUs.
const std::vector<tutorial::KernelEntry> kernels = {
    {"Convolve"},  // the baseline of the table
    {.label = "Convolve_Block16",
     .file = "../step7_register_block/block16.cl",
     .block = {.width = 64, .height = 4, .multiple = 16}},
    {.label = "Convolve_Fast",
     .file = "../step8_baked_filter/fast.cl",
     .block = {.width = 4, .height = 4, .multiple = 4},
     .pairs = true},
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
    // Buffers and launches as in step 9: the device's rows are longer than the host's.
    const tutorial::Convolution convolution(queue, image, filter);
    const cl::Buffer& input_buffer = convolution.input();
    const cl::Buffer& output_buffer = convolution.output().buffer();

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

    const int pitch = convolution.host_input().width;
    const std::size_t pitch_bytes = sizeof(float) * pitch;
    const std::size_t row_bytes = sizeof(float) * input.width;
    const std::size_t input_bytes = convolution.host_input().size_bytes();
    const auto rows = static_cast<std::size_t>(input.height);

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
      return results.verify(
          label, filter_width, tutorial::check(convolution.reference(), result, true, pairs));
    };

    // --- Three ways to a program ---

    const tutorial::KernelEntry& first = options.kernels.front();
    // What the driver makes of a source can be kept in a file until the next start. It fits this
    // device and this driver only: if one of them rejects it, the program is built from source.
    const cl::Program::Binaries binaries = convolution.build(first).getInfo<CL_PROGRAM_BINARIES>();
    const auto load = [&] {
      cl::Program program(context, {device}, binaries);
      program.build(device);
      return program;
    };
    // Some drivers compile when a kernel is started for the first time, so that belongs to it.
    const auto first_start = [&](const cl::Program& program) {
      const cl::Kernel kernel = convolution.launch(program, first).kernel;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1, 1));
    };
    // Drivers keep binaries by themselves too. An option that was never given gets around that.
    auto never_given = std::chrono::system_clock::now().time_since_epoch().count();
    add("build", [&] {
      first_start(convolution.build(first, " -DSTART=" + std::to_string(never_given++)));
    });
    add("build:again", [&] { first_start(convolution.build(first)); });
    add("build:binary", [&] { first_start(load()); });

    // --- Three ways to the device and back ---

    const tutorial::Launch loaded = convolution.launch(load(), first);
    const auto convolve = [&] { loaded(queue); };
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
      const tutorial::Launch ready = convolution.launch(convolution.build(entry), entry);
      const auto launch = [&queue, ready] { ready(queue); };
      const auto whole_way = [&, launch] {
        upload(tutorial::repeat_border(image, filter_width).pixels.data());
        launch();
        read_back(result.pixels.data());
      };
      forget();
      whole_way();
      if (verify(entry.label, entry.pairs)) {
        add(entry.label, launch);
        add("way:" + entry.label, whole_way);
      }
    }

    if (!options.verify_only) {
      results.add(filter_width, {tutorial::measure(parts, options.time_budget_s)});
    }
    queue.enqueueUnmapMemObject(pinned_buffer, pinned);
  }
  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
