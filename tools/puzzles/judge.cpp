// The judge of the puzzles. puzzle.sh calls it twice:
//
//   puzzle N FILE            verifies the kernel in FILE, for the simulator to watch and count
//   puzzle N FILE COUNTS     verifies it on the device, holds what the simulator counted, if there
//                            is such a file, against the goals, and times it
//
// Both print a line for each goal. Exit status: 0, or 2 if a goal is missed (without counts: if
// ours is faster by a fifth); 1 for bad input or a failure of OpenCL, with one line on stderr.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/device.hpp"
#include "common/image.hpp"
#include "common/text.hpp"
#include "common/work.hpp"

namespace tutorial {
namespace {

const Csv puzzles(PUZZLES "/puzzles.csv");
std::size_t puzzle = 0;  // its row there

std::string text(const char* column) {
  return puzzles.text(puzzle, column);
}
int number(const char* column) {
  return static_cast<int>(puzzles.number(puzzle, column));
}

/// The image that is counted: whole work-groups, so that no work-item is idle, as high as a warp is
/// wide.
Extent counted() {
  return {std::max(32, number("group_width") * number("block_width")), 32};
}

/// With pixels of 0 to 255, which a byte can hold.
Image image_of(const Extent& size) {
  Image image = make_test_card(size.width, size.height);
  for (float& pixel : image.pixels) {
    pixel = std::round(255 * pixel);
  }
  return image;
}

/// What the compiler knows must be right for every filter, so only one of them is the puzzle's own.
Filter filter_of(int width) {
  const bool other = text("given") == "taps" && width != number("filter_width");
  return make_filter(other ? "random" : text("filter"), width, 1);
}

bool compiler_knows_width() {
  return !text("given").empty() && text("given") != "pair";
}

/// The kernel in `file`, with what the puzzle tells the compiler of the filter.
cl::Kernel build(const cl::CommandQueue& queue, const std::string& file, const Filter& filter) {
  require_kernel(file, text("kernel"));
  const cl::Program program = build_program(
      queue.getInfo<CL_QUEUE_CONTEXT>(), queue.getInfo<CL_QUEUE_DEVICE>(), file,
      compiler_knows_width() ? fmt::format("-DFILTER_WIDTH={}", filter.width) : "",
      text("given") == "taps" ? filter.baked_source() : "");
  return {program, text("kernel").c_str()};
}

/// The puzzle's work: room for what whole groups read beyond the image.
class Task : public Work {
 public:
  Task(const cl::CommandQueue& queue, const Extent& size, const Filter& filter)
      : Work(queue, image_of(size), filter, {160, 64}) {}

  /// The kernel with what the puzzle gives it, for this task alone until the next gets it.
  Launch load(const cl::Kernel& kernel) const {
    Launch launch = {kernel, {}, {}, {input, taps}};
    if (text("given") == "pair") {  // the column and then the row whose product the filter is
      std::vector<float> pair(2 * filter.width);
      for (int r = 0; r < filter.width; r++) {
        pair[r] = filter.taps[r * filter.width] / filter.taps[0];
        pair[filter.width + r] = filter.taps[r];
      }
      launch.kept[1] = upload(pair);
    } else if (text("given") == "bytes") {
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

/// At a puzzle's filter width all sizes. At others the simulator, which is slow, has small ones.
bool verify(const cl::CommandQueue& queue, const std::string& file, bool simulates) {
  std::vector<int> widths = {number("filter_width"), 4, 3, 1};
  if (!simulates) {
    widths.insert(widths.end(), {10, 18});
  }
  const Extent sizes[] = {counted(), {67, 19}, {5, 17}, {17, 5}, {1, 1}};
  cl::Kernel kernel;
  for (const int width : widths) {
    const Filter filter = filter_of(width);
    if (kernel() == nullptr || compiler_knows_width()) {
      kernel = build(queue, file, filter);
    }
    for (const Extent& size : sizes) {
      if (simulates && width != widths[0] && size.width > 20) {
        continue;
      }
      Task task(queue, size, filter);
      if (const Verdict verdict = task.verify(task.load(kernel)); !verdict.passed) {
        return tick(
            false,
            fmt::format(
                "the right result; with {0} x {0} taps and {1} x {2} pixels: {3}", width,
                size.width, size.height, verdict.describe(std::size_t(size.width) * size.height)));
      }
    }
  }
  return tick(
      true, fmt::format(
                "the right result, at filter widths {} and sizes down to 1 x 1",
                fmt::join(widths, ", ")));
}

/// Whether the counts reach a row of goals.csv. Sums are those of the first launch; what is of one
/// load or one chain is of the worst launch.
bool reach(const Csv& counts, const Csv& goals, std::size_t row) {
  const bool sum = goals.text(row, "per") == "output";
  double count = 0.0;
  for (std::size_t launch = 0; launch < (sum ? 1 : counts.size()); launch++) {
    count = std::max(count, counts.number(launch, goals.text(row, "count")));
  }
  count /= sum ? counted().width * counted().height : 1;
  const bool reached = count <= goals.number(row, "goal");
  return tick(
      reached, fmt::format(
                   "{}: {:.4g}{}", goals.text(row, "what"), count,
                   reached ? "" : ", goal " + goals.text(row, "goal")));
}

/// Prints which share of the reader's time others take; says whether ours takes 80 % or more.
bool time(const cl::CommandQueue& queue, const std::string& file) {
  const std::string folder = PUZZLES "/" + text("puzzle");
  Task task(queue, {512, 512}, filter_of(number("filter_width")));
  std::vector<Variant> variants;
  for (const auto& [name, path] :
       {std::pair("yours", file),
        {"ours", folder + "/solution.cl"},
        {"the first text", folder + "/start.cl"}}) {
    if (const Launch launch = task.load(build(queue, path, task.filter));
        task.verify(launch).passed) {
      variants.push_back({name, {}, 0.0, [launch, queue] { return launch(queue).back(); }});
    }
  }
  const std::vector<Measurement> times = measure(variants, 0.5);
  fmt::print("512 x 512 pixels on {}:\n", device_name(task.device));
  for (std::size_t i = 1; i < times.size(); i++) {
    const Statistics share = paired_ratio(times[i], times[0]);
    fmt::print(
        "  {} takes {:.0f} % of your time ({:.0f} to {:.0f}){}\n", times[i].name,
        100 * share.median, 100 * share.low, 100 * share.high, share.sure ? "" : " ?");
    if (i == 2 && share.sure && share.high < 1.0) {
      fmt::print(
          "  The first text is faster here. Some ideas help other devices only; or compare yours "
          "with ours.\n");
    }
  }
  return paired_ratio(times[1], times[0]).median >= 0.8;
}

int judge(const std::vector<std::string>& arguments) {
  while (text("puzzle") != arguments.at(0)) {
    puzzle++;
  }
  const cl::Device device = select_device({});
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  const bool simulates = arguments.size() == 2;
  const bool simulated = !simulates && std::filesystem::exists(arguments[2]);
  // What a wrong kernel costs does not matter.
  if (const bool right = verify(queue, arguments.at(1), simulates); simulates || !right) {
    return right ? 0 : 2;
  }
  bool all = true;
  const Csv goals(PUZZLES "/goals.csv");
  for (std::size_t row = 0; simulated && row < goals.size(); row++) {
    if (goals.text(row, "puzzle") == arguments[0]) {
      all &= reach(Csv(arguments[2]), goals, row);
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
