// The judge of the puzzles, which `./tutorial puzzle` runs twice:
//
//   oclgrind ... puzzle N FILE    verifies the kernel in FILE on small images, and holds what the
//                                 X-ray's plugin has counted in XRAY_FOLDER against the goals
//   puzzle N FILE                 verifies it on the device, on large images too, finds its longest
//                                 chain of additions, if that is a goal, and times it
//
// Both print a line for each goal. Exit status: 0; 2 if a goal is missed; 3 if all is right, but
// ours is faster by a fifth; 1 for bad input or a failure of OpenCL, with one line on stderr, which
// begins with FILE if its kernel crashed.
#include <fmt/ranges.h>

#include <random>
#include <set>

#include "common/lab/work.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

constexpr Extent timed = {512, 512};

std::size_t puzzle = 0;  // its row in puzzles.csv

const Csv& puzzles() {
  static const Csv csv = read_csv(SOURCE_FOLDER "/tools/puzzles/puzzles.csv");
  return csv;
}
std::string text(const char* column) {
  return puzzles().text(puzzle, column);
}
int number(const char* column) {
  return static_cast<int>(puzzles().number(puzzle, column));
}

bool is_simulated() {
  return !environment("XRAY_FOLDER").empty();
}

/// The work-items of a group, in a puzzle that leaves groups to OpenCL as well: those of one item,
/// which the simulator would make then, hide what a group's items do to each other.
Extent group() {
  const bool is_given = number("group_width") != 0;
  return is_given ? Extent{number("group_width"), number("group_height")} : Extent{32, 4};
}

/// The image that is counted: whole work-groups, so that no work-item is idle, as high as a warp is
/// wide, or with a wide filter, which takes long, a group high.
Extent counted() {
  const bool is_wide = number("filter_width") > 8;
  return {std::max(32, group().width * number("block_width")), is_wide ? group().height : 32};
}

/// In the simulator, which is slow: what is counted, at the puzzle's own filter width; three groups
/// both ways, the third only begun if groups may be, at one other width; less than a group. On the
/// device also many groups, and more pixels than 16 bits can number.
std::vector<Extent> sizes(int filter_width) {
  const int width = group().width * number("block_width");
  const int height = group().height * number("block_height");
  const Extent three = number("group_width") != 0 ? Extent{2 * width + 3, 2 * height + 5}
                                                  : Extent{3 * width, 3 * height};
  if (!is_simulated()) {
    return {counted(), three, {5, 17}, {17, 5}, {1, 1}, {67, 19}, {1056, 36}, {32, 1060}, timed};
  }
  std::vector<Extent> some = {{5, 17}, {17, 5}, {1, 1}};
  if (filter_width == number("filter_width")) {
    some.insert(some.begin(), counted());
  } else if (filter_width == 4) {
    some.push_back(three);
  }
  return some;
}

/// Random pixels of both signs, or bytes.
Image image_of(const Extent& size) {
  Image image(size.width, size.height);
  const bool bytes = text("given") == "bytes";
  std::mt19937 generator(1);
  for (float& pixel : image.pixels) {
    const auto bits = generator();
    pixel = bytes ? float(bits % 256) : 0x1p-23F * float(bits % (1U << 24)) - 1;
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

/// The text in `file`, with what the puzzle tells the compiler of the filter.
cl::Program build(const cl::CommandQueue& queue, const std::string& file, const Filter& filter) {
  require_kernel(file, text("kernel"));
  return build_program(
      queue.getInfo<CL_QUEUE_CONTEXT>(), queue.getInfo<CL_QUEUE_DEVICE>(), file,
      compiler_knows_width() ? fmt::format("-DFILTER_WIDTH={}", filter.width) : "",
      text("given") == "taps" ? filter.baked_source() : "");
}

/// The puzzle's work. Where the puzzle says so, there is room for what whole groups read beyond the
/// image.
class Task : public Work {
 public:
  Task(const cl::CommandQueue& queue, const Image& image, const Filter& filter)
      : Work(queue, image, filter, number("group_width") != 0 ? Extent{160, 64} : Extent{0, 0}) {}

  /// The kernel with what the puzzle gives it.
  Launch load(const cl::Program& program) const {
    Launch launch = per_pixel(*this, {text("kernel")}, program);
    if (text("given") == "pair") {  // the column and then the row whose product the filter is
      std::vector<float> pair(2 * filter.width);
      for (int r = 0; r < filter.width; r++) {
        pair[r] = filter.taps[r * filter.width] / filter.taps[0];
        pair[filter.width + r] = filter.taps[r];
      }
      launch.kept = {upload(pair)};
      launch.kernel.setArg(1, launch.kept[0]);
    } else if (text("given") == "bytes") {
      std::vector<cl_uchar> bytes(padded.pixels.begin(), padded.pixels.end());
      launch.kept = {cl::Buffer(context, bytes.begin(), bytes.end(), true)};
      launch.kernel.setArg(0, launch.kept[0]);
    }
    const cl::NDRange items(
        ceil_div(width, number("block_width")), ceil_div(height, number("block_height")));
    const cl::NDRange whole(group().width, group().height);
    launch.global = round_up(items, whole);
    launch.local = whole;
    if (number("group_width") != 0) {
      launch.kernel.setArg(5, width);
      launch.kernel.setArg(6, height);
      if (launch.kernel.getInfo<CL_KERNEL_NUM_ARGS>() > 7) {
        launch.kernel.setArg(7, cl::Local(4 * 4096));
      }
    } else if (launch.global[0] != items[0] || launch.global[1] != items[1]) {
      launch.global = items;
      launch.local = cl::NDRange(1, 1);
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
  std::vector<int> widths = {number("filter_width"), 4, 3, 1};
  if (!is_simulated()) {
    widths.insert(widths.end(), {10, 18});
  }
  cl::Program program;
  for (const int width : widths) {
    const Filter filter = filter_of(width);
    if (program() == nullptr || compiler_knows_width()) {
      program = build(queue, file, filter);
    }
    for (const Extent& size : sizes(width)) {
      Task task(queue, image_of(size), filter);
      const Launch launch = task.load(program);
      now_running(file);
      const Verdict verdict = task.verify(launch);
      now_running("the judge");
      if (!verdict.passed) {
        return tick(
            false,
            fmt::format(
                "the right result; with {} x {} taps and {} x {} pixels: {}", width, width,
                size.width, size.height, verdict.describe(std::size_t(size.width) * size.height)));
      }
    }
  }
  return tick(
      true, fmt::format(
                "the right result in images up to {} x {}, at filter widths {}",
                sizes(4).back().width, sizes(4).back().height, fmt::join(widths, ", ")));
}

/// The longest chain of additions in an output's sum, each of which needs the one before, as far as
/// results tell. For each two taps there is an output with huge products of these taps, which
/// cancel each other, and equal small ones of all others. The small ones that are added to a huge
/// one are lost, so the result tells how many products are in the least part of the sum that has
/// both. Each addition that a product goes through makes another such part.
int longest_chain(const cl::CommandQueue& queue, const std::string& file) {
  const int width = number("filter_width"), taps = width * width;
  const Filter ones = {width, std::vector<float>(taps, 1.0F)};
  Image image(taps * width, taps * width);
  std::ranges::fill(image.pixels, 1.0F);
  for (int a = 0; a < taps; a++) {
    for (int b = 0; b < taps; b++) {
      image.pixels[image.index(a * width + a % width, b * width + a / width)] += 0x1p60F;
      image.pixels[image.index(a * width + b % width, b * width + b / width)] -= 0x1p60F;
    }
  }
  Task task(queue, image, ones);
  task.verify(task.load(build(queue, file, ones)));
  int longest = 0;
  for (int a = 0; a < taps; a++) {
    std::set<int> parts;
    for (int b = 0; b < taps; b++) {
      const int middle = (width - 1) / 2;
      const float sum = task.result().at(a * width + middle, b * width + middle);
      if (a != b) {  // what is no such sum may be anything
        parts.insert(sum >= 0.0F && sum <= float(taps) ? taps - static_cast<int>(sum) : 0);
      }
    }
    const bool has_whole = *parts.rbegin() == taps;  // or these are no sums of floats
    longest = std::max(longest, has_whole ? static_cast<int>(parts.size()) + 1 : taps);
  }
  return longest;
}

/// Whether the counts reach the puzzle's goals: in the simulator those of its plugin, else the
/// chain. Sums are those of the first launch; what is of one load is of the worst launch.
bool reach_goals(const cl::CommandQueue& queue, const std::string& file) {
  const Csv goals = read_csv(SOURCE_FOLDER "/tools/puzzles/goals.csv");
  bool all = true;
  for (std::size_t row = 0; row < goals.size(); row++) {
    const bool is_chain = goals.text(row, "count") == "chain";
    if (goals.text(row, "puzzle") != text("puzzle") || is_chain == is_simulated()) {
      continue;
    }
    double count = is_chain ? longest_chain(queue, file) : 0.0;
    if (!is_chain) {
      const Csv counts = read_csv(environment("XRAY_FOLDER") + "/counts");
      const bool sum = goals.text(row, "per") == "output";
      for (std::size_t launch = 0; launch < (sum ? 1 : counts.size()); launch++) {
        count = std::max(count, counts.number(launch, goals.text(row, "count")));
      }
      count /= sum ? counted().width * counted().height : 1;
    }
    const bool reached = count <= goals.number(row, "goal");
    const std::string goal = reached ? "" : ", goal " + goals.text(row, "goal");
    all &= tick(reached, fmt::format("{}: {:.4g}{}", goals.text(row, "what"), count, goal));
  }
  return all;
}

/// Prints how fast the reader's kernel is beside the first text and ours. Returns the exit status.
int time(const cl::CommandQueue& queue, const std::string& file) {
  const std::string folder = SOURCE_FOLDER "/tools/puzzles/" + text("puzzle");
  Task task(queue, image_of(timed), filter_of(number("filter_width")));
  std::vector<Variant> variants;
  for (const auto& [name, path] :
       {std::pair(file, file),
        {"the text you began with", folder + "/start.cl"},
        {"ours", folder + "/solution.cl"}}) {
    const Launch launch = task.load(build(queue, path, task.filter));
    now_running(name);
    if (path == file || task.verify(launch).passed) {  // some first texts are wrong
      variants.push_back(
          {name, launch.local, 0.0, [launch, queue] { return launch(queue).back(); },
           [launch, &task] { return task.verify(launch); }});
    }
  }
  const std::vector<Measurement> times = measure(variants, 0.3);
  now_running("the judge");
  if (!times[0].verdict->passed) {
    tick(false, "the right result, after many runs");
    return 2;
  }
  const auto say = [](const char* who, const Statistics& gain, const std::string& whom) {
    fmt::print(
        "  {} is {:.3g} times as fast as {} ({:.3g} to {:.3g}{})\n", who, gain.median, whom,
        gain.low, gain.high, gain.sure ? "" : "; other programs disturbed it");
  };
  if (times.size() == 3) {
    say("yours", paired_ratio(times[1].rounds, times[0].rounds), times[1].kernel);
  }
  const Statistics ahead = paired_ratio(times[0].rounds, times.back().rounds);
  say("ours", ahead, "yours");
  return ahead.low > 1.25 ? 3 : 0;
}

int judge(const std::vector<std::string>& arguments) {
  require(arguments.size() == 2, "usage: puzzle N FILE");
  while (puzzle < puzzles().size() && text("puzzle") != arguments[0]) {
    puzzle++;
  }
  require(puzzle < puzzles().size(), "there is no puzzle '{}'", arguments[0]);
  now_running("the judge");
  const cl::Device device = select_device({});
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  if (!is_simulated()) {
    fmt::print("On {}:\n", device_name(device));
    std::fflush(stdout);  // what follows may crash
  }
  if (!verify(queue, arguments[1]) || !reach_goals(queue, arguments[1])) {
    return 2;
  }
  return is_simulated() ? 0 : time(queue, arguments[1]);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  try {
    return tutorial::judge({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "puzzle: {}\n", tutorial::describe(error));
  }
  return 1;
}
