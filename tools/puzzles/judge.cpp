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

#include "common/csv.hpp"
#include "common/device.hpp"
#include "common/launch.hpp"
#include "common/test_card.hpp"
#include "common/text.hpp"
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

/// What is given as a pair: a column of taps and then a row of taps, in multiples of 1/256, so that
/// their products are exact.
std::vector<float> pair(int filter_width) {
  std::vector<float> taps = make_filter("random", filter_width + 1, 1).taps;
  for (float& tap : taps) {
    tap = std::round(256 * tap) / 256;
  }
  return taps;
}

Filter filter_of(int width) {
  Filter filter = make_filter(text("filter"), width, 1);
  for (int i = 0; i < width * width && text("given") == "pair"; i++) {
    filter.taps[i] = pair(width)[i / width] * pair(width)[width + i % width];
  }
  if (text("given") == "bytes") {
    std::ranges::fill(filter.taps, 1.0F);
  }
  return filter;
}

Image image_of(const Extent& size) {
  Image image = make_test_card(size.width, size.height);
  for (float& pixel : image.pixels) {
    pixel = text("given") == "bytes" ? std::round(255 * pixel) : pixel;
  }
  return image;
}

/// The puzzle's work: room for what whole groups read beyond the image.
class Task : public Work {
 public:
  Task(const cl::CommandQueue& queue, const Extent& size, int filter_width)
      : Work(queue, image_of(size), filter_of(filter_width), {160, 64}) {}

  /// The kernel in `file`, with what the puzzle gives it.
  Launch load(const std::string& file) const {
    const std::string given = text("given");
    const bool knows_width = !given.empty() && given != "pair";
    const cl::Program program = build_program(
        context, device, file, knows_width ? fmt::format("-DFILTER_WIDTH={}", filter.width) : "",
        given == "taps" ? filter.baked_source() : "");
    Launch launch = {cl::Kernel(program, text("kernel").c_str()), {}, {}};
    launch.kept = {input, given == "pair" ? upload(pair(filter.width)) : taps};
    if (given == "bytes") {
      std::vector<cl_uchar> bytes(padded.pixels.begin(), padded.pixels.end());
      launch.kept[0] = cl::Buffer(context, bytes.begin(), bytes.end(), true);
    }
    launch.kernel.setArg(0, launch.kept[0]);
    launch.kernel.setArg(1, launch.kept[1]);
    launch.kernel.setArg(2, output.buffer());
    launch.kernel.setArg(3, padded.width);
    launch.kernel.setArg(4, filter.width);
    launch.global = cl::NDRange(
        ceil_div(width, number("block_width")), ceil_div(height, number("block_height")));
    if (number("group_width") != 0) {
      launch.local = cl::NDRange(number("group_width"), number("group_height"));
      launch.global = round_up(launch.global, launch.local);
      launch.kernel.setArg(5, width);
      launch.kernel.setArg(6, height);
      if (launch.kernel.getInfo<CL_KERNEL_NUM_ARGS>() > 7) {
        launch.kernel.setArg(7, cl::Local(4 * 4096));
      }
    }
    return launch;
  }
};

/// Prints a line of the list, with a tick if `reached`, which it returns.
bool tick(bool reached, const std::string& what) {
  fmt::print("  [{}] {}\n", reached ? 'x' : ' ', what);
  std::fflush(stdout);  // what follows may crash
  return reached;
}

bool verify(const cl::CommandQueue& queue, const std::string& file) {
  for (const int width : {7, 4, 3, 1}) {
    for (const Extent& size : {counted, Extent{67, 43}, Extent{17, 5}, Extent{1, 1}}) {
      Task task(queue, size, width);
      if (const Verdict verdict = task.verify(task.load(file)); !verdict.passed) {
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
  Task task(queue, {512, 512}, number("filter_width"));
  std::vector<Variant> variants;
  for (const auto& [name, path] :
       {std::pair("yours", file),
        {"ours", ours + "/solution.cl"},
        {"first text", ours + "/start.cl"}}) {
    if (const Launch launch = task.load(path); task.verify(launch).passed) {
      variants.push_back({name, {}, 0.0, [launch, queue] { return launch(queue).back(); }});
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
    const Task task(queue, counted, number("filter_width"));
    task.load(arguments[1])(queue);
    queue.finish();
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
