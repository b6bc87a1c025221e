// An image that is larger than a device, or than a machine: its bands go through all devices at
// once. What an image is stands in files.hpp, a band in carrier.hpp, other machines in ranks.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "common/device.hpp"
#include "common/text.hpp"
#include "scale/carrier.hpp"
#include "scale/check.hpp"
#include "scale/ranks.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"
#include "step7_register_block/launch.hpp"  // for a step of your own

namespace {

using namespace tutorial::scale;
using tutorial::Error, tutorial::Extent, tutorial::KernelEntry, tutorial::Options;

// A device takes the first that suits it and the image's pixels; others only if --kernel names
// them. A step of your own is one more line here, with its launch:
//   chosen.push_back({"My_Step", "../my_step/convolution.cl", tutorial::step7::per_pixel});
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

// The devices of this rank: those that the options name, or parts of them.
std::vector<cl::Device> open_devices(const Options& options, const Ranks& ranks) {
  std::vector<cl::Device> all;
  for (const std::string& name : tutorial::split(options.device, ',')) {
    cl::Device device = tutorial::select_device(name);
    std::vector<cl::Device> parts = {device};
    if (options.sub_devices > 1) {
      const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() / options.sub_devices;
      const cl_device_partition_property equal[] = {CL_DEVICE_PARTITION_EQUALLY, units, 0};
      device.createSubDevices(equal, &parts);
      parts.resize(options.sub_devices);
    }
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return ranks.share(all);
}

// As many rows as fit into a carrier's share of the memory, beside their halo; but with several
// carriers at least four bands for each of them.
int rows_of_a_band(
    const Options& options, const Layout& layout, const Extent& room, const Bands& bands,
    int carriers) {
  const int halo = options.filter_widths.front() - 1;
  const auto pitch =
      tutorial::round_up<std::int64_t>(layout.width + halo + room.width, 16) * layout.pixel_bytes;
  const auto memory = std::int64_t(std::min<std::uint64_t>(options.memory / carriers, INT_MAX));
  const auto most = (memory - (halo + room.height) * pitch) / (pitch + layout.row_bytes());
  if (most < 1) {
    throw Error(fmt::format("--memory: one row and its halo take more than {} KiB", memory / 1024));
  }
  const std::int64_t rows = bands.last - bands.first;
  const auto fitting =
      std::min(most, carriers == 1 ? std::max<std::int64_t>(rows, 1) : rows / (4 * carriers) + 1);
  return int(fitting < 16 ? fitting : fitting / 16 * 16);  // whole blocks
}

// One of `devices` that share these bands.
Worker open_carriers(
    const Options& options, const cl::Device& device, const ImageFile& input,
    const ImageFile& output, const Bands& bands, std::size_t devices) {
  const auto filter =
      tutorial::make_filter(options.filter, options.filter_widths.front(), options.seed);
  const bool named = options.kernels.size() < options.known_kernels.size();
  const bool bytes = input.layout().pixel_bytes == 1;
  // Mesa's CPU has no vectors: its work-items fill the lanes, as on a GPU.
  const bool vectors = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR>() > 1;
  const auto type = tutorial::is_cpu(device) && vectors ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
  const cl::Context context(device);
  for (const KernelEntry& entry : options.kernels) {
    if ((entry.pixel_bytes == 1) != bytes || (!named && (entry.tried_on & type) == 0)) {
      continue;
    }
    try {
      Worker worker = {tutorial::device_name(device) + ", " + entry.label};
      const Extent room = entry.fixed ? tutorial::step11::byte_room : tutorial::block_room;
      const int carriers = options.carriers * int(devices);
      const Extent size = {
          int(input.layout().width),
          rows_of_a_band(options, input.layout(), room, bands, carriers)};
      for (int i = 0; i < options.carriers; i++) {
        const cl::CommandQueue queue(context, device);
        auto work = bytes ? std::make_unique<tutorial::ByteWork>(queue, size, filter, room)
                          : std::make_unique<tutorial::Work>(queue, size, filter, room);
        worker.carriers.emplace_back(std::move(work), entry, input, output);
      }
      return worker;
    } catch (const tutorial::CannotRun&) {  // then the next one
    }
  }
  throw Error("none of these kernels is for such pixels and runs on this device");
}

int run(const Options& options, const Ranks& ranks) {
  if (options.filter_widths.size() > 1) {
    throw Error("--filter-width: one width at a time");
  }
  ImageFile input(options.input, {options.size.width, options.size.height, options.pixel_bytes});
  if (!options.csv.empty()) {
    input.store();  // what is measured is a file
  }
  const Layout& layout = input.layout();
  ImageFile output(options.output, layout, ranks.rank == 0);
  Bands bands(ranks.begin(layout.height, ranks.rank), ranks.begin(layout.height, ranks.rank + 1));
  const std::vector<cl::Device> devices = open_devices(options, ranks);
  std::vector<Worker> workers;
  std::vector<Carrier*> carriers;
  for (const cl::Device& device : devices) {
    workers.push_back(open_carriers(options, device, input, output, bands, devices.size()));
    for (Carrier& carrier : workers.back().carriers) {
      carriers.push_back(&carrier);
    }
  }
  if (ranks.rank == 0) {
    ranks.wait_for_all();  // the others begin now
  }
  for (Worker& worker : workers) {
    probe(worker, bands);
  }
  ranks.wait_for_all();
  const auto start = std::chrono::steady_clock::now();
  stream(carriers, bands);
  const double ms = ranks.largest(ms_since(start));
  const double wrong = ranks.largest(wrong_rows(*carriers.front(), bands));
  if (ranks.rank == 0) {
    const auto [rate, slowest] = predict(workers, ranks.count_on_host);
    const double predicted = double(layout.height) / ranks.count / rate;
    print(workers, layout, predicted, slowest, ms);
  }
  if (wrong > 0) {
    fmt::print(stderr, "scale: the result is wrong in {} of 16 rows\n", wrong);
    return 2;
  }
  output.publish();
  if (!options.csv.empty()) {
    measure(options, carriers, layout);
  }
  ranks.leave();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks;
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
