// An image that is larger than a device, or than a machine: its bands go through all devices at
// once. What an image is stands in files.hpp, a band in lane.hpp, other machines in ranks.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <numeric>
#include <thread>

#include "common/device.hpp"
#include "common/launch.hpp"
#include "common/text.hpp"
#include "scale/check.hpp"
#include "scale/lane.hpp"
#include "scale/ranks.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"

namespace {

using namespace tutorial::scale;
using tutorial::Error, tutorial::Extent, tutorial::KernelEntry, tutorial::Options;

// A device takes the first that is for its type and for the image's pixels; others only if --kernel
// names them. A step of your own is one more line here, with its launch:
//   chosen.push_back({"Convolve_Mine", "../my_step/convolution.cl", my_launch});
std::vector<KernelEntry> kernels() {
  const std::vector<KernelEntry> all = tutorial::step11::kernels();
  std::vector<KernelEntry> chosen;
  const auto add = [&](const char* label, cl_device_type type) {
    chosen.push_back(*std::ranges::find(all, label, &KernelEntry::label));
    chosen.back().tried_on = type;
  };
  add("Convolve_Bytes_Dot32", CL_DEVICE_TYPE_CPU);
  add("Convolve_Bytes_Matrix", CL_DEVICE_TYPE_GPU);
  add("Convolve_Bytes", CL_DEVICE_TYPE_GPU);
  add("Convolve_Block16_Stream", CL_DEVICE_TYPE_CPU);
  add("Convolve_Baked", CL_DEVICE_TYPE_GPU);
  add("Convolve_Fft16:bytes", 0);
  add("Convolve_Fft16", 0);
  return chosen;
}

// The devices of this rank. Ranks on one machine share out its devices.
std::vector<cl::Device> open_devices(const Options& options, const Ranks& ranks) {
  std::vector<cl::Device> all, mine;
  for (const std::string& name : tutorial::split(options.device, ',')) {
    cl::Device device = tutorial::select_device(name);
    std::vector<cl::Device> parts = {device};
    if (options.sub_devices > 1) {
      const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() / options.sub_devices;
      const cl_device_partition_property equal[] = {CL_DEVICE_PARTITION_EQUALLY, units, 0};
      if (units == 0) {
        throw Error("--sub-devices: the device has not that many compute units");
      }
      device.createSubDevices(equal, &parts);
      parts.resize(options.sub_devices);
    }
    all.insert(all.end(), parts.begin(), parts.end());
  }
  for (int i = 0; i < int(all.size()); i++) {
    if (i % ranks.count_on_host == ranks.on_host % int(all.size())) {
      mine.push_back(all[i]);
    }
  }
  return mine;
}

// As many rows as fit into a lane's share of the memory, beside their halo; but at least four bands
// for each of `lanes` lanes, if there is more than one. `rows` are to be done.
int rows_of_a_band(
    const Options& options, const Layout& layout, const Extent& room, std::int64_t rows,
    int lanes) {
  const int halo = options.filter_widths.front() - 1;
  const auto pitch =
      tutorial::round_up<std::int64_t>(layout.width + halo + room.width, 16) * layout.pixel_bytes;
  const auto memory = std::int64_t(std::min<std::uint64_t>(options.memory / lanes, INT_MAX));
  const auto most = (memory - (halo + room.height) * pitch) / (pitch + layout.row_bytes());
  if (most < 1) {
    throw Error(fmt::format(
        "--memory: one row and its halo take {} KiB, in each of {} lanes",
        ((halo + room.height + 1) * pitch + layout.row_bytes()) / 1024 + 1, lanes));
  }
  const auto fitting = std::min(most, lanes == 1 ? rows : rows / (4 * lanes) + 1);
  return int(fitting < 16 ? fitting : fitting / 16 * 16);  // whole blocks
}

// A device with its lanes.
struct Worker {
  std::string name;
  std::list<Lane> lanes = {};
  Seconds alone = {};  // for a band, when nothing else runs
};

// For a share of `rows` rows of the output, beside `devices - 1` other devices.
Worker open_lanes(
    const Options& options, const cl::Device& device, const ImageFile& input,
    const ImageFile& output, std::int64_t rows, std::size_t devices) {
  const auto filter =
      tutorial::make_filter(options.filter, options.filter_widths.front(), options.seed);
  const bool named = options.kernels.size() < options.known_kernels.size();
  const bool bytes = input.layout().pixel_bytes == 1;
  const cl::Context context(device);
  for (const KernelEntry& entry : options.kernels) {
    const bool for_bytes = tutorial::lower(entry.label).find("bytes") != std::string::npos;
    const bool for_it = named || (entry.tried_on & device.getInfo<CL_DEVICE_TYPE>()) != 0;
    if (for_bytes != bytes || !for_it) {
      continue;
    }
    try {
      Worker worker = {tutorial::device_name(device) + ", " + entry.label};
      const Extent room = entry.fixed ? tutorial::step11::byte_room : tutorial::block_room;
      const int lanes = options.lanes * int(devices);
      const Extent size = {
          int(input.layout().width), rows_of_a_band(options, input.layout(), room, rows, lanes)};
      for (int i = 0; i < options.lanes; i++) {
        const cl::CommandQueue queue(context, device);
        auto work = bytes ? std::make_unique<tutorial::ByteWork>(queue, size, filter, room)
                          : std::make_unique<tutorial::Work>(queue, size, filter, room);
        worker.lanes.emplace_back(std::move(work), entry, input, output);
      }
      return worker;
    } catch (const tutorial::CannotRun&) {  // then the next one
    }
  }
  throw Error("none of these kernels is for such pixels and runs on this device");
}

// Sends a few bands through a device alone. The first one only warms it up.
void probe(Worker& worker, Bands& bands, std::int64_t count) {
  Lane& lane = worker.lanes.front();
  for (int i = 0; i < count; i++) {
    lane.seconds = {};
    lane.carry(*bands.next(lane.work->height));
    for (std::size_t stage = 0; stage < std::size(stages); stage++) {
      const double before = i < 2 ? lane.seconds[stage] : worker.alone[stage];
      worker.alone[stage] = std::min(before, lane.seconds[stage]);
    }
  }
}

// How many rows a second do all devices together, and what decides it?
std::pair<double, std::string> predict(const std::vector<Worker>& workers, int ranks_here) {
  double rate = 0.0, busy = 0.0;
  std::string slowest;
  for (const auto& [name, lanes, alone] : workers) {
    const cl::Device& device = lanes.front().work->device;
    const auto longest = std::ranges::max_element(alone);
    const double sum = std::accumulate(alone.begin(), alone.end(), 0.0);
    const double each = std::max(*longest, sum / double(lanes.size()));
    rate += lanes.front().work->height / each;
    // Of the host's cores: one of them reads and writes a file, a CPU's kernel runs on all.
    const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    const double on_cpu = alone[1] + units * alone[2] + alone[3];
    busy += (alone[0] + (tutorial::is_cpu(device) ? on_cpu : 0.0) + alone[4]) / each;
    if (slowest.empty()) {
      slowest = each > *longest ? "too few lanes" : stages[longest - alone.begin()];
    }
  }
  const double cores = double(std::thread::hardware_concurrency()) / ranks_here;
  return busy > cores ? std::pair(rate * cores / busy, "the host's cores")
                      : std::pair(rate, slowest);
}

void print(const std::vector<Worker>& workers, const Layout& layout, bool probed) {
  fmt::print(
      "image     {} x {} {}\n", layout.width, layout.height,
      layout.pixel_bytes == 1 ? "bytes" : "floats");
  for (const auto& [name, lanes, alone] : workers) {
    int bands = 0;
    for (const Lane& lane : lanes) {
      bands += lane.bands;
    }
    fmt::print(
        "device    {}\n          {} bands of {} rows", name, bands, lanes.front().work->height);
    for (std::size_t i = 0; i < std::size(stages) && probed; i++) {
      fmt::print("{} {} {:.2f}", i == 0 ? "; ms alone:" : ",", stages[i], 1e3 * alone[i]);
    }
    fmt::print("\n");
  }
}

int run(const Options& options, const Ranks& ranks) {
  if (options.filter_widths.size() > 1) {
    throw Error("--filter-width: one width at a time");
  }
  if (!options.input.empty() && options.input == options.output + ".part") {
    throw Error("--output: it is written to " + options.input + " first, which is the input");
  }
  ImageFile input(options.input, {options.size.width, options.size.height, options.pixel_bytes});
  if (!options.csv.empty()) {
    input.store();  // what is measured is a file
  }
  const Layout& layout = input.layout();
  ImageFile output(options.output, layout, ranks.rank == 0);
  std::vector<Worker> workers;
  std::vector<Lane*> lanes;
  Bands bands(
      layout.height * ranks.rank / ranks.count, layout.height * (ranks.rank + 1) / ranks.count);
  const std::vector<cl::Device> devices = open_devices(options, ranks);
  for (const cl::Device& device : devices) {
    workers.push_back(open_lanes(options, device, input, output, bands.left(), devices.size()));
    for (Lane& lane : workers.back().lanes) {
      lanes.push_back(&lane);
    }
  }
  if (ranks.rank == 0) {
    ranks.wait_for_all();  // the others begin now
  }

  const std::int64_t all = bands.left() / lanes.front()->work->height;
  const std::int64_t probes = std::min<std::int64_t>(all / (4 * std::ssize(workers)), 4);
  for (Worker& worker : workers) {
    probe(worker, bands, probes < 2 ? 0 : probes);
  }
  ranks.wait_for_all();
  const double rows = double(bands.left());
  const auto start = std::chrono::steady_clock::now();
  stream(lanes, bands);
  const double seconds = ranks.largest(seconds_since(start));
  const double wrong =
      ranks.largest(wrong_rows(input, output, *lanes.front(), bands.first, bands.last));
  if (ranks.rank == 0) {
    const auto line = [&](const char* what, double s, const std::string& why) {
      const double pixels = double(layout.width) * rows * ranks.count;
      fmt::print("{} {:.3f} s, {:.3f} Gpixel/s{}\n", what, s, 1e-9 * pixels / s, why);
    };
    print(workers, layout, probes >= 2);
    if (probes >= 2) {
      const auto [rate, slowest] = predict(workers, ranks.count_on_host);
      line("predicted", rows / rate, "; the slowest: " + slowest);
    }
    line("measured ", seconds, "");
  }
  if (wrong > 0) {
    fmt::print(stderr, "scale: the result is wrong in {} of 16 rows\n", wrong);
  } else {
    output.publish();
    if (!options.csv.empty()) {
      measure(options, lanes, layout);
    }
  }
  ranks.leave();
  return wrong > 0 ? 2 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks;
  if (ranks.rank > 0) {
    ranks.wait_for_all();  // what is wrong for all of them, the first one says
  }
  const tutorial::ProgramInfo info = {
      .title = "An image of any size, in bands, on several devices and machines",
      .kernel_file = KERNEL_FILE,
      .kernels = kernels(),
      .keeps_baseline = false,
      .streamed = true,
      .against = false,
      .pixel_bytes = 1,
  };
  return tutorial::run_program(
      argc, argv, info, [&ranks](const Options& options) { return run(options, ranks); });
}
