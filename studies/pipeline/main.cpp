// The whole way of an image: from the host to the device, through a kernel and back, and what has
// to be compiled before. The steps time the kernel alone; here every part has its time.
//
// Read this file from top to bottom: it is a whole OpenCL program. What is not OpenCL (image files,
// checking, statistics, tables) is one call each into common/.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>

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

const std::string pixels_file = "../pipeline/pixels.cl";

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
    // For CPUs as well, on pixels of one type or another.
    {.label = "Convolve_Pixels:float", .file = pixels_file, .block = {16, 8}, .pixel = "float"},
    {.label = "Convolve_Pixels:half", .file = pixels_file, .block = {16, 8}, .pixel = "half"},
    {.label = "Convolve_Pixels:uchar", .file = pixels_file, .block = {16, 8}, .pixel = "uchar"},
};

const tutorial::ProgramInfo info = {
    .title = "The whole way of an image: build, upload, kernel and read-back, each timed",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
};

// The types of pixels: bytes, and how much of a number up to 1 is lost at most by rounding to them.
struct Pixel {
  std::size_t bytes;
  double rounding;
};
const std::map<std::string, Pixel> pixel_types = {
    {"float", {4, 0.0}}, {"half", {2, 0x1p-11}}, {"uchar", {1, 0.5 / 255}}};

// A queue, and all that an image needs on its way, so that no queue waits for another one.
struct Lane {
  cl::CommandQueue queue;
  cl::Buffer input;
  cl::Buffer output;
  cl::Buffer pinned;  // the host's input and output
  char* mapped = nullptr;
  tutorial::Launch launch;

  // Sends an image on its way, and does not wait.
  void start() const {
    const auto bytes = input.getInfo<CL_MEM_SIZE>();
    queue.enqueueWriteBuffer(input, CL_FALSE, 0, bytes, mapped);
    launch(queue);
    queue.enqueueReadBuffer(output, CL_FALSE, 0, output.getInfo<CL_MEM_SIZE>(), mapped + bytes);
    queue.flush();
  }
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
          label, filter_width, tutorial::check(convolution.reference(), result, {}, pairs));
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
      if (!entry.pixel.empty()) {
        continue;
      }
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

    // --- Four images of smaller pixels, in one queue and in two ---

    std::vector<Lane> all_lanes;
    upload(input.pixels.data());
    for (const tutorial::KernelEntry& entry : options.kernels) {
      if (entry.pixel.empty()) {
        continue;
      }
      tutorial::Reference reference = convolution.reference();
      const auto [darkest, brightest] = std::ranges::minmax(reference.values);
      if (entry.pixel == "uchar" && (darkest < 0.0 || brightest > 1.001)) {
        results.skip(entry.label, filter_width, "for filters whose results are from 0 to 1");
        continue;
      }
      // Every input is rounded, and the result.
      const Pixel& type = pixel_types.at(entry.pixel);
      for (double& tolerance : reference.tolerances) {
        tolerance += 2.0 * type.rounding * std::max(1.0, reference.magnitude);
      }

      const cl::Program program = convolution.build(entry);
      cl::KernelFunctor<cl::Buffer, cl::Buffer> pack(program, "Pack");
      cl::KernelFunctor<cl::Buffer, cl::Buffer> unpack(program, "Unpack");
      const int columns = tutorial::round_up(image.width, entry.block.width);
      const int lines = tutorial::round_up(image.height, entry.block.height);
      const std::size_t output_pixels = std::size_t(columns) * std::size_t(lines);
      const std::size_t up = type.bytes * convolution.host_input().size();
      const std::size_t down = type.bytes * output_pixels;
      const cl::Buffer unpacked(context, CL_MEM_READ_WRITE, sizeof(float) * output_pixels);

      bool right = true;
      std::array<Lane, 2> lanes;
      for (Lane& lane : lanes) {
        lane.queue = cl::CommandQueue(context, device);
        lane.input = cl::Buffer(context, CL_MEM_READ_WRITE, up);
        lane.output = cl::Buffer(context, CL_MEM_READ_WRITE, down);
        lane.pinned = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, up + down);
        lane.mapped = static_cast<char*>(lane.queue.enqueueMapBuffer(
            lane.pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, up + down));
        lane.launch = convolution.launch(program, entry);
        lane.launch.kernel.setArg(0, lane.input);
        lane.launch.kernel.setArg(2, lane.output);
        lane.launch.kernel.setArg(5, columns);  // whole blocks
        lane.launch.kernel.setArg(6, lines);
        all_lanes.push_back(lane);

        // What counts is what the host has, before and after.
        const cl::NDRange vectors(up / type.bytes / 16);
        pack(cl::EnqueueArgs(lane.queue, vectors), input_buffer, lane.input);
        lane.queue.enqueueReadBuffer(lane.input, CL_TRUE, 0, up, lane.mapped);
        lane.queue.enqueueFillBuffer(lane.input, cl_uchar(0), 0, up);
        lane.start();
        lane.queue.enqueueWriteBuffer(lane.output, CL_TRUE, 0, down, lane.mapped + up);
        unpack(cl::EnqueueArgs(lane.queue, cl::NDRange(output_pixels / 16)), lane.output, unpacked);
        lane.queue.enqueueReadBufferRect(
            unpacked, CL_TRUE, {0, 0, 0}, {0, 0, 0},
            {sizeof(float) * image.width, std::size_t(image.height), 1}, sizeof(float) * columns, 0,
            sizeof(float) * image.width, 0, result.pixels.data());
        right &= results.verify(
            (&lane == &lanes[0] ? "" : "overlap:") + entry.label, filter_width,
            tutorial::check(reference, result));
      }
      if (!right) {
        continue;
      }
      add(entry.label, [lane = lanes[0]] {
        lane.launch(lane.queue);
        lane.queue.finish();
      });
      // In one queue each command waits for the one before it. Two queues do not know of each
      // other, so the device can copy for one of them while it computes for the other.
      for (const int used : {1, 2}) {
        add((used == 1 ? "series:" : "overlap:") + entry.label, [lanes, used] {
          for (int i = 0; i < 4; i++) {
            lanes[i % used].start();
          }
          lanes[0].queue.finish();
          lanes[1].queue.finish();
        });
      }
    }

    if (!options.verify_only) {
      results.add(filter_width, {tutorial::measure(parts, options.time_budget_s)});
    }
    queue.enqueueUnmapMemObject(pinned_buffer, pinned);
    for (const Lane& lane : all_lanes) {
      lane.queue.enqueueUnmapMemObject(lane.pinned, lane.mapped);
    }
  }
  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
