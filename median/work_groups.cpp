// How many work-items make a good work-group, and how many a good NDRange? Two experiments with the
// kernels that compute one pixel a work-item:
//
//   group   the whole picture in work-groups of 1 to 1024 work-items, all in a row
//   global  the first 1, 2, 4, ... pixels of the picture: when is the device full?
//
// A wide and low picture, e.g. --size 65536x64, is best: the NDRange is rounded up to whole
// work-groups, and there it grows least.
#include <fmt/format.h>

#include <algorithm>

#include "common/device.hpp"
#include "common/launch.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/results.hpp"
#include "common/text.hpp"
#include "common/timing.hpp"
#include "median/device_picture.hpp"

namespace {

// The pixels of each kernel.
const std::vector<tutorial::PixelFormat> formats = {
    tutorial::PixelFormat::rgba_luminance, tutorial::PixelFormat::rgba_channels};

const tutorial::ProgramInfo info = {
    .title = "Median filter: time over the size of the work-group and of the NDRange",
    .kernel_file = KERNEL_FILE,
    .kernels = {{"medianfilter_rgba"}, {"median_channels"}},
    .filtered = false,
    .salt_and_pepper = true,
    .against = false,
};

constexpr int filter_width = 3;

// Powers of two, their neighbours, and some that are multiples of neither 32 nor 64.
const std::vector<int> group_sizes = {1,   2,   4,   8,   16,  24,  31,  32,   33,   48,  63,  64,
                                      65,  96,  100, 127, 128, 129, 160, 192,  224,  255, 256, 257,
                                      320, 384, 500, 512, 513, 640, 768, 1000, 1023, 1024};

// Work-items in a work-group while the NDRange grows.
constexpr int usual_group_size = 64;

// One measured point: work-items in a work-group, and in the NDRange.
struct Point {
  int group_size;
  int items;
};

// The deck's least number of work-items: enough for every lane of the device, in two bundles.
int fill_of(const cl::Device& device, const cl::Kernel& kernel) {
  const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  const auto bundle = kernel.getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device);
  return static_cast<int>(2 * units * bundle);
}

// Powers of two up to `most`, and the least that the deck asks for, on its GPU and on this device,
// and twice that.
std::vector<int> global_sizes(int most, int fill) {
  std::vector<int> sizes;
  for (int size = 1; size <= most; size *= 2) {
    sizes.push_back(size);
  }
  for (const int size : {1280, 2560, fill, 2 * fill}) {
    if (size <= most) {
      sizes.push_back(size);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

// Prints the points of one experiment. Returns its rows of the CSV.
std::string report(
    const std::string& experiment, const std::string& kernel, const std::vector<Point>& points,
    const std::vector<tutorial::Measurement>& measurements) {
  fmt::print(
      "\n{}: {}\n{:>10} {:>10} {:>10} {:>21} {:>12}\n", experiment, kernel, "work-group", "items",
      "median", "95 % interval", "ns per item");
  std::string rows;
  for (std::size_t i = 0; i < points.size(); i++) {
    const tutorial::Statistics& time = measurements[i].time_ms;
    const double ns_per_item = 1e6 * time.median / points[i].items;
    fmt::print(
        "{:>10} {:>10} {:>10.5f} {:>10.5f}..{:<9.5f} {:>12.4g}\n", points[i].group_size,
        points[i].items, time.median, time.low, time.high, ns_per_item);
    rows += fmt::format(
        "{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.5g},{},{}\n", experiment, kernel,
        points[i].group_size, points[i].items, time.count, time.median, time.low, time.high,
        time.minimum, ns_per_item, measurements[i].host_clock ? "host" : "event",
        time.sure ? "" : "time");
  }
  return rows;
}

int run(const tutorial::Options& given) {
  tutorial::Options options = given;
  options.filter = "median";  // for the head of the CSV

  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const tutorial::RgbaImage image = tutorial::load_rgba_image(options);
  const int width = image.width;
  const int height = image.height;
  tutorial::Results results(options, device, tutorial::Image(width, height));
  const cl::Program program = tutorial::build_program(context, device, options.kernel_file, "");
  const int fill = fill_of(device, cl::Kernel(program, options.kernels.front().name().c_str()));
  std::string rows;
  const std::string csv_head = fmt::format(
      "{}# fill: {}\n# twice_fill: {}\n"
      "experiment,kernel,work_group,items,rounds,median_ms,low_ms,high_ms,min_ms,ns_per_item,"
      "clock,unsure\n",
      results.csv_head(), fill, 2 * fill);
  const auto device_limit = static_cast<int>(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  int wrong = 0;

  for (const tutorial::KernelEntry& entry : options.kernels) {
    const std::string& label = entry.label;
    const std::string name = entry.name();
    tutorial::DevicePicture picture(context, device, queue, image, formats[entry.row]);
    const auto make_kernel = [&picture, &name](const cl::Program& built) {
      cl::Kernel made(built, name.c_str());
      picture.set_arguments(made);
      return made;
    };
    const cl::Kernel usual_kernel = make_kernel(program);
    const auto group_limit =
        static_cast<int>(usual_kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
    // A row of work-items: `columns` x `rows`, of which the first is in row `first_row`.
    const auto launch_kernel =
        [&queue](const cl::Kernel& launched, int first_row, int columns, int rows, int group_size) {
          cl::Event event;
          queue.enqueueNDRangeKernel(
              launched, cl::NDRange(0, first_row), cl::NDRange(columns, rows),
              cl::NDRange(group_size, 1), nullptr, &event);
          return event;
        };

    std::vector<Point> points;
    std::vector<tutorial::Variant> variants;
    for (const int size : group_sizes) {
      const cl::NDRange local(size, 1);
      // A larger group than the compiler prepared the kernel for: build it anew, for that very
      // size.
      const cl::Kernel kernel = size <= group_limit || size > device_limit
                                    ? usual_kernel
                                    : make_kernel(tutorial::build_program(
                                          context, device, options.kernel_file,
                                          "-DWORK_GROUP_SIZE=" + std::to_string(size)));
      if (const auto problem = tutorial::why_not(device, entry, kernel, local)) {
        results.skip(fmt::format("{}:{}", label, size), filter_width, *problem);
        continue;
      }
      const int columns = tutorial::round_up(width, size);
      const auto launch = [launch_kernel, kernel, columns, height, size] {
        return launch_kernel(kernel, 0, columns, height, size);
      };
      const tutorial::Verdict verdict = picture.verify(launch);
      if (!results.verify(fmt::format("{}:{}", label, size), filter_width, verdict)) {
        wrong++;
        continue;
      }
      points.push_back({size, columns * height});
      variants.push_back({label, local, verdict.max_error, launch});
    }
    if (options.verify_only || variants.empty()) {
      continue;
    }
    rows += report("group", label, points, tutorial::measure(variants, options.time_budget_s));

    // From the second row on, because the first row of the picture is copied, not filtered.
    points.clear();
    variants.clear();
    for (const int items : global_sizes(width * std::max(height - 2, 1), fill)) {
      const int columns = std::min(items, width);
      const int size = std::min({columns, usual_group_size, group_limit});
      if (items % columns != 0 || columns % size != 0) {
        continue;
      }
      points.push_back({size, items});
      variants.push_back(
          {label, cl::NDRange(size, 1), 0.0, [launch_kernel, usual_kernel, columns, items, size] {
             return launch_kernel(usual_kernel, 1, columns, items / columns, size);
           }});
    }
    rows += report("global", label, points, tutorial::measure(variants, options.time_budget_s));
  }
  if (!options.csv.empty() && !rows.empty()) {
    tutorial::write_whole(options.csv, csv_head + rows);
  }
  if (wrong == 0) {
    fmt::print("\nall results verified\n");
  }
  return wrong == 0 ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
