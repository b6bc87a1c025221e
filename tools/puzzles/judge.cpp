// The judge of the puzzles. puzzle.sh calls it twice:
//
//   puzzle N FILE            launches the kernel in FILE once, for the simulator to count
//   puzzle N FILE FOLDER     verifies it, holds what the simulator counted in FOLDER against the
//                            goals, and times it; prints a line for each goal. With a further
//                            argument a goal is missed already.
//
// Exit status: 0, or 2 if a goal is missed (without counts: if ours is faster by a quarter); 1 for
// bad input or a failure of OpenCL, with one line on stderr.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/checker.hpp"
#include "common/csv.hpp"
#include "common/device.hpp"
#include "common/error.hpp"
#include "common/launch.hpp"
#include "common/program.hpp"
#include "common/test_card.hpp"
#include "common/text.hpp"
#include "common/timing.hpp"
#include "common/work.hpp"

namespace tutorial {
namespace {

/// The image that is counted: whole work-groups of every puzzle, so that no work-item is idle.
constexpr Extent counted = {128, 32};

const Csv puzzles(PUZZLES "/puzzles.csv");
std::size_t puzzle = 0;  // its row there

std::string text(const char* column) {
  return puzzles.text(puzzle, column);
}
int number(const char* column) {
  return static_cast<int>(puzzles.number(puzzle, column));
}

/// A kernel that has run once, and can run again.
struct Run {
  Verdict verdict;
  std::function<cl::Event()> launch;
};

/// Runs the puzzle's kernel in `file` on an image of `size`, with what the puzzle gives it.
Run run(
    const cl::CommandQueue& queue, const std::string& file, const Extent& size, int filter_width) {
  const std::string given = text("given");
  Image image = make_test_card(size.width, size.height);
  Filter filter = make_filter(text("filter"), filter_width, 1);
  std::vector<float> taps = filter.taps;
  if (given == "pair") {  // a column and a row of taps, as multiples of 1/256: products are exact
    taps = make_filter("random", filter_width + 1, 1).taps;
    for (float& tap : taps) {
      tap = std::round(256 * tap) / 256;
    }
    for (int i = 0; i < filter_width * filter_width; i++) {
      filter.taps[i] = taps[i / filter_width] * taps[filter_width + i % filter_width];
    }
  } else if (given == "bytes") {
    std::ranges::fill(filter.taps, 1.0F);
    for (float& pixel : image.pixels) {
      pixel = std::round(255 * pixel);
    }
  }
  // Room for what whole groups read beyond the image.
  const Image input = with_room(repeat_border(image, filter_width), {160, 64});
  const std::vector<cl_uchar> bytes(input.pixels.begin(), input.pixels.end());
  const void* pixels = input.pixels.data();
  const std::size_t input_bytes = given == "bytes" ? bytes.size() : input.size_bytes();

  const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
  const auto device = queue.getInfo<CL_QUEUE_DEVICE>();
  const bool knows_width = !given.empty() && given != "pair";
  const cl::Program program = build_program(
      context, device, file, knows_width ? fmt::format("-DFILTER_WIDTH={}", filter_width) : "",
      given == "taps" ? filter.baked_source() : "");
  const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, input_bytes);
  const cl::Buffer taps_buffer(context, CL_MEM_READ_ONLY, 4 * taps.size());
  GuardedBuffer output_buffer(context, device, image.size());
  queue.enqueueWriteBuffer(
      input_buffer, CL_TRUE, 0, input_bytes, given == "bytes" ? bytes.data() : pixels);
  queue.enqueueWriteBuffer(taps_buffer, CL_TRUE, 0, 4 * taps.size(), taps.data());
  output_buffer.watch(queue, {input_buffer, taps_buffer});

  cl::Kernel kernel(program, text("kernel").c_str());
  kernel.setArg(0, input_buffer);
  kernel.setArg(1, taps_buffer);
  kernel.setArg(2, output_buffer.buffer());
  kernel.setArg(3, input.width);
  kernel.setArg(4, filter_width);
  cl::NDRange global(size.width, size.height);
  cl::NDRange local;
  if (number("group_width") != 0) {
    local = {std::size_t(number("group_width")), std::size_t(number("group_height"))};
    global = round_up(
        cl::NDRange(
            ceil_div(size.width, number("block_width")),
            ceil_div(size.height, number("block_height"))),
        local);
    kernel.setArg(5, size.width);
    kernel.setArg(6, size.height);
    if (kernel.getInfo<CL_KERNEL_NUM_ARGS>() > 7) {
      kernel.setArg(7, cl::Local(4 * 4096));
    }
  }
  // With the buffers, which a kernel does not keep alive.
  const auto launch = [queue, kernel, global, local, input_buffer, taps_buffer, output_buffer] {
    cl::Event event;
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
    return event;
  };
  output_buffer.poison(queue);
  launch();
  const Reference reference = convolve_reference(input, filter, image);
  queue.enqueueReadBuffer(
      output_buffer.buffer(), CL_TRUE, 0, image.size_bytes(), image.pixels.data());
  return {check(reference, image, output_buffer.damage(queue)), launch};
}

/// Prints a line of the list, with a tick if `reached`, which it returns.
bool tick(bool reached, const std::string& what) {
  fmt::print("  [{}] {}\n", reached ? 'x' : ' ', what);
  std::fflush(stdout);  // what follows may crash
  return reached;
}

bool verify(const cl::CommandQueue& queue, const std::string& file) {
  for (const int width : {7, 4, 3, 1}) {
    for (const Extent& size : {counted, Extent{67, 43}, Extent{17, 5}, Extent{1, 1}}) {
      if (const Verdict verdict = run(queue, file, size, width).verdict; !verdict.passed) {
        const auto wrong = split(verdict.describe(std::size_t(size.width) * size.height), ';');
        return tick(
            false, fmt::format(
                       "the right result; with {0} x {0} taps and {1} x {2} pixels:\n      {3}",
                       width, size.width, size.height, fmt::join(wrong, "\n     ")));
      }
    }
  }
  return tick(true, "the right result, at filter widths 1, 3, 4, 7 and sizes down to 1 x 1");
}

/// Prints the times; says whether ours is no faster by a quarter.
bool time(const cl::CommandQueue& queue, const std::string& file) {
  const std::string ours = PUZZLES "/" + text("puzzle");
  std::vector<Variant> variants;
  for (const auto& [name, path] :
       {std::pair("yours", file),
        {"ours", ours + "/solution.cl"},
        {"first text", ours + "/start.cl"}}) {
    if (const Run each = run(queue, path, {512, 512}, number("filter_width"));
        each.verdict.passed) {
      variants.push_back({name, {}, 0.0, each.launch});
    }
  }
  const std::vector<Measurement> times = measure(variants, 0.5);
  fmt::print("Time of 512 x 512 pixels on {}:\n", device_name(queue.getInfo<CL_QUEUE_DEVICE>()));
  for (const Measurement& each : times) {
    const double ratio = paired_ratio(each, times[0]).median;
    fmt::print("  {:<10}{:>9.4g} ms {:7.2f} x yours\n", each.name, each.time_ms.median, ratio);
  }
  return paired_ratio(times[0], times[1]).median <= 1.25;
}

int judge(const std::vector<std::string>& arguments) {
  while (text("puzzle") != arguments.at(0)) {
    puzzle++;
  }
  const cl::Device device = select_device({});
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  if (arguments.size() == 2) {
    run(queue, arguments[1], counted, number("filter_width"));
    return 0;
  }
  const bool simulated = std::filesystem::exists(arguments[2] + "/counts");
  if (!verify(queue, arguments[1])) {
    return 2;  // what a wrong kernel costs does not matter
  }
  bool all = arguments.size() == 3;
  const Csv goals(PUZZLES "/goals.csv");
  for (std::size_t row = 0; simulated && row < goals.size(); row++) {
    if (goals.text(row, "puzzle") == arguments[0]) {
      const Csv counts(arguments[2] + "/counts");
      const double count = counts.number(0, goals.text(row, "count")) / goals.number(row, "per");
      const bool reached = count <= goals.number(row, "goal");
      all &= tick(
          reached, fmt::format(
                       "{}: {:.4g}{}", goals.text(row, "what"), count,
                       reached ? "" : ", goal " + goals.text(row, "goal")));
    }
  }
  return all && (time(queue, arguments[1]) || simulated) ? 0 : 2;
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  try {
    return tutorial::judge({argv + 1, argv + argc});
  } catch (const tutorial::Error& error) {
    fmt::print(stderr, "puzzle: {}\n", error.what());
  } catch (const cl::Error& error) {
    fmt::print(stderr, "puzzle: {}\n", tutorial::describe(error));
  }
  return 1;
}
