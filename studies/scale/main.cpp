// An image that is larger than a device, or than a machine: its bands go through all devices at
// once. What an image is stands in files.cpp, a band in lane.cpp, other machines in ranks.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "common/device.hpp"
#include "common/launch.hpp"
#include "common/text.hpp"
#include "scale/lane.hpp"
#include "scale/ranks.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"

namespace {

using namespace tutorial::scale;
using tutorial::Error, tutorial::KernelEntry, tutorial::Options;

// For bytes and for floats, on a CPU and on any other device: the first that runs is taken, unless
// --kernel names another one. A step of your own is one more line here, with its launch:
//   chosen.push_back({"Convolve_Mine", "../my_step/convolution.cl", my_launch});
std::vector<KernelEntry> kernels() {
  const std::vector<KernelEntry> all = tutorial::step11::kernels();
  std::vector<KernelEntry> chosen;
  for (const char* label :
       {"Convolve_Bytes_Dot32", "Convolve_Bytes_Matrix", "Convolve_Bytes", "Convolve_Fft16:bytes",
        "Convolve_Block16_Stream", "Convolve_Baked", "Convolve_Fft16"}) {
    chosen.push_back(*std::ranges::find(all, label, &KernelEntry::label));
  }
  return chosen;
}

// Those of `options.kernels` that are for such pixels and, unless they are named, such a device.
std::vector<KernelEntry> suitable(
    const Options& options, int pixel_bytes, const cl::Device& device) {
  const bool named = options.kernels.size() < options.known_kernels.size();
  std::vector<KernelEntry> entries = options.kernels;
  std::erase_if(entries, [&](const KernelEntry& entry) {
    const bool for_bytes = entry.label.find("ytes") != std::string::npos;
    const bool for_cpus = entry.label.find_first_of("0123456789") != std::string::npos;  // vectors
    return for_bytes != (pixel_bytes == 1) ||
           (!named && (for_cpus != tutorial::is_cpu(device) || entry.label.find("Fft") < 99));
  });
  return entries;
}

// The devices of this rank. Ranks on one machine share out its devices.
std::vector<cl::Device> open_devices(const Options& options, const Ranks& ranks) {
  std::vector<cl::Device> all;
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
  std::vector<cl::Device> mine;
  for (int i = 0; i < int(all.size()); i++) {
    if (i % ranks.count_on_host == ranks.on_host % int(all.size())) {
      mine.push_back(all[i]);
    }
  }
  return mine;
}

// As many rows as fit into the memory, beside their halo; but at least four bands for each lane.
int rows_of_a_band(
    const Options& options, const Layout& layout, const KernelEntry& entry, std::int64_t rows,
    int lanes) {
  const tutorial::Extent room = Lane::room(entry);
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
  const auto enough = lanes == 1 ? rows : std::max(rows / (4 * lanes), (256 << 10) / pitch);
  const auto fitting = std::max<std::int64_t>(std::min(most, enough), 1);
  return int(fitting < 16 ? fitting : fitting / 16 * 16);  // whole blocks
}

// A device with its lanes, and the times of its stages for a band when nothing else runs.
struct Worker {
  cl::Device device;
  std::vector<std::unique_ptr<Lane>> lanes;
  std::string name = {};
  std::array<double, 5> alone = {};

  // With the stages side by side: as long as the slowest, or as all of them in so many lanes.
  double seconds() const {
    const double sum = std::accumulate(alone.begin(), alone.end(), 0.0);
    return std::max(*std::ranges::max_element(alone), sum / double(lanes.size()));
  }
  // Of the host's cores: a file is read and written by one of them, a CPU's kernel runs on all.
  double core_seconds() const {
    const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    return alone[0] + alone[4] +
           (tutorial::is_cpu(device) ? alone[1] + units * alone[2] + alone[3] : 0);
  }
};

// Opens this rank's devices, with `options.lanes` lanes for each, for `rows` rows of the output.
std::vector<Worker> make_workers(
    const Options& options, const Ranks& ranks, const ImageFile& input, const ImageFile& output,
    std::int64_t rows) {
  const auto filter =
      tutorial::make_filter(options.filter, options.filter_widths.front(), options.seed);
  const std::vector<cl::Device> devices = open_devices(options, ranks);
  std::vector<Worker> workers;
  int band = 0;
  for (const cl::Device& device : devices) {
    const cl::Context context(device);
    Worker worker = {device, {}};
    for (const KernelEntry& entry : suitable(options, input.layout().pixel_bytes, device)) {
      try {
        const int lanes = options.lanes * int(devices.size());
        band = band > 0 ? band : rows_of_a_band(options, input.layout(), entry, rows, lanes);
        while (int(worker.lanes.size()) < options.lanes) {
          worker.lanes.push_back(
              std::make_unique<Lane>(device, context, filter, entry, input, output, band));
        }
        worker.name = tutorial::device_name(device) + ", " + entry.label;
        break;
      } catch (const tutorial::CannotRun&) {  // then the next one
      }
    }
    if (worker.lanes.empty()) {
      throw Error("none of these kernels is for such pixels and runs on this device");
    }
    workers.push_back(std::move(worker));
  }
  return workers;
}

// Sends a few bands through each device alone, the first of them to warm up.
void probe(std::vector<Worker>& workers, Bands& bands, std::int64_t all) {
  for (Worker& worker : workers) {
    Lane& lane = *worker.lanes.front();
    for (int i = 0; i < std::min<std::int64_t>(all / 8, 4); i++) {
      lane.seconds = {};
      if (const auto band = bands.next()) {
        carry(lane, *band);
      }
      for (std::size_t stage = 0; stage < std::size(stages); stage++) {
        const double least = std::min(worker.alone[stage], lane.seconds[stage]);
        worker.alone[stage] = i < 2 ? lane.seconds[stage] : least;
      }
    }
  }
}

// Predicts the seconds for each band, and says why.
std::pair<double, std::string> predict(const std::vector<Worker>& workers, int ranks_here) {
  double rate = 0.0, core_seconds = 0.0;
  for (const Worker& worker : workers) {
    rate += 1 / worker.seconds();
    core_seconds += worker.core_seconds() / worker.seconds();
  }
  const double cores = double(std::thread::hardware_concurrency()) / ranks_here;
  if (core_seconds / cores > 1) {
    return {core_seconds / rate / cores, "the host's cores"};
  }
  const auto& alone = workers.front().alone;
  const auto slowest = std::ranges::max_element(alone) - alone.begin();
  return {
      1 / rate,
      workers.front().seconds() > alone[slowest] ? "too few lanes" : stages[slowest].name};
}

void print(
    const std::vector<Worker>& workers, const Layout& layout, std::int64_t all,
    std::int64_t streamed, double seconds, const Ranks& ranks) {
  const int rows = workers.front().lanes.front()->work().height;
  fmt::print(
      "image     {} x {} {}, {} x {} bands of {} rows\n", layout.width, layout.height,
      layout.pixel_bytes == 1 ? "bytes" : "floats", ranks.count, all, rows);
  for (const Worker& worker : workers) {
    fmt::print("device    {}\n", worker.name);
    int bands = 0;
    for (const auto& lane : worker.lanes) {
      bands += lane->bands;
    }
    fmt::print("          {} bands", bands);
    for (std::size_t i = 0; i < std::size(stages) && streamed < all; i++) {
      fmt::print(
          "{} {} {:.2f}", i == 0 ? "; ms alone:" : ",", stages[i].name, 1e3 * worker.alone[i]);
    }
    fmt::print("\n");
  }
  const double pixels = double(layout.width) * rows * double(streamed) * ranks.count;
  const auto line = [&](const char* what, double s, const std::string& why) {
    fmt::print("{} {:.3f} s, {:.3f} Gpixel/s{}\n", what, s, 1e-9 * pixels / s, why);
  };
  if (streamed < all) {
    const auto [each, why] = predict(workers, ranks.count_on_host);
    line("predicted", each * double(streamed), "; the slowest: " + why);
  }
  line("measured ", seconds, "");
}

// Compares 16 of the rows, the first and the last of bands among them. Returns how many are wrong.
int wrong_rows(
    const ImageFile& input, const ImageFile& output, const Lane& lane, const Bands& bands) {
  const tutorial::Filter& filter = lane.work().filter;
  const int width = int(input.layout().width);
  // The input of a row of the output, and that row, as images in memory.
  const auto get = [&](std::int64_t row, auto padded, auto result) {
    auto* const pixels = reinterpret_cast<char*>(padded.pixels.data());
    const std::size_t pitch = padded.width * sizeof(padded.pixels[0]);
    read_padded(input, filter.width, row, filter.width, pixels, std::int64_t(pitch));
    output.read(row, 1, reinterpret_cast<char*>(result.pixels.data()), 0);
    return std::pair(padded, result);
  };
  const int padded_width = width + filter.width - 1;
  const auto& [kernel, global, local, kept, pairs, tile, kind, before, between] = lane.launch();
  int wrong = 0;
  for (int i = 0; i < 16 && bands.first < bands.last; i++) {
    const auto all = (bands.last - bands.first + bands.rows - 1) / bands.rows;
    const auto begin = bands.first + all * i / 16 * bands.rows;
    const auto row = i == 15 ? bands.last - 1 : std::max(begin - i % 2, bands.first);
    if (const auto* work = dynamic_cast<const tutorial::ByteWork*>(&lane.work())) {
      const auto [padded, result] =
          get(row, tutorial::ByteImage(padded_width, filter.width), tutorial::ByteImage(width, 1));
      const auto exact = convolve_exactly(padded, work->fixed, width, 1);
      const bool by_floats = kind == tutorial::Launch::Pixels::bytes_by_floats;
      wrong += check_bytes(padded, work->fixed, exact, result, by_floats, tile).wrong > 0;
    } else {
      const auto [padded, result] =
          get(row, tutorial::Image(padded_width, filter.width), tutorial::Image(width, 1));
      const auto reference = convolve_reference(padded, filter, result);
      wrong += !check(reference, result, {}, pairs, tile).passed;
    }
  }
  return wrong;
}

// The times for --csv, for the whole image: of each stage alone, of all of them one after the other
// in one lane (series), and side by side (stream).
void measure(
    const Options& options, const std::vector<Lane*>& lanes, const Bands& all,
    const Layout& layout) {
  tutorial::Image size;
  size.width = int(layout.width);
  size.height = int(layout.height);
  Options shown = options;
  shown.output = "";
  shown.input = options.input.empty() ? "rings" : options.input;
  const std::string kind = layout.pixel_bytes == 1 ? ":bytes" : ":floats";
  shown.kernels = {{"series" + kind}};  // what the others are compared with
  tutorial::Results results(shown, lanes.front()->work().device, size);
  const auto run_ms = [&](const std::vector<Lane*>& used) {
    Bands bands(all.first, all.last, all.rows);
    const auto start = std::chrono::steady_clock::now();
    stream(used, bands);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  };
  std::vector<tutorial::Variant> variants;
  tutorial::Verdict right;
  right.passed = true;
  const auto add = [&](const std::string& label, const std::function<double()>& run) {
    results.verify(label + kind, options.filter_widths.front(), right);
    variants.push_back({label + kind, cl::NullRange, 0.0, nullptr, nullptr, run});
  };
  for (std::size_t i = 0; i < std::size(stages); i++) {
    add(stages[i].name, [&, i] {
      lanes.front()->seconds = {};
      run_ms({lanes.front()});
      return 1e3 * lanes.front()->seconds[i];
    });
  }
  add("series", [&] { return run_ms({lanes.front()}); });
  add("stream", [&] { return run_ms(lanes); });
  results.add(options.filter_widths.front(), {tutorial::measure(variants, options.time_budget_s)});
  results.finish();
}

int run(const Options& options) {
  const Ranks ranks;
  if (ranks.rank > 0) {
    ranks.wait_for_all();  // until the first one has opened everything
  }
  if (options.filter_widths.size() > 1) {
    throw Error("--filter-width: one width at a time");
  }
  if (!options.input.empty() && options.input == options.output + ".part") {
    throw Error("--output: it is written to " + options.input + " first, which is the input");
  }
  auto input = std::make_unique<ImageFile>(
      options.input, Layout{options.size.width, options.size.height, options.pixel_bytes});
  if (!options.csv.empty() && options.input.empty()) {  // what is measured is a file
    input = std::make_unique<ImageFile>(*input);
  }
  const Layout& layout = input->layout();
  ImageFile output(options.output, layout, ranks.rank == 0);
  std::vector<Worker> workers =
      make_workers(options, ranks, *input, output, layout.height / ranks.count);
  if (ranks.rank == 0) {
    ranks.wait_for_all();
  }

  const int rows = workers.front().lanes.front()->work().height;
  Bands bands(
      layout.height * ranks.rank / ranks.count, layout.height * (ranks.rank + 1) / ranks.count,
      rows);
  std::vector<Lane*> lanes;
  for (const Worker& worker : workers) {
    for (const auto& lane : worker.lanes) {
      lanes.push_back(lane.get());
    }
  }
  const std::int64_t all = bands.left();
  probe(workers, bands, all);
  const std::int64_t streamed = bands.left();
  ranks.wait_for_all();
  const auto start = std::chrono::steady_clock::now();
  stream(lanes, bands);
  const std::chrono::duration<double> measured = std::chrono::steady_clock::now() - start;
  const double seconds = ranks.largest(measured.count());
  const double wrong = ranks.largest(wrong_rows(*input, output, *lanes.front(), bands));
  if (ranks.rank == 0) {
    print(workers, layout, all, streamed, seconds, ranks);
  }
  if (wrong > 0) {
    fmt::print(stderr, "scale: the result is wrong in {} of 16 rows\n", wrong);
    return 2;
  }
  output.publish();
  if (!options.csv.empty()) {
    measure(options, lanes, bands, layout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "An image of any size, in bands, on several devices and machines",
      .kernel_file = KERNEL_FILE,
      .kernels = kernels(),
      .keeps_baseline = false,
      .streamed = true,
      .against = false,
      .pixel_bytes = 1,
  };
  return tutorial::run_program(argc, argv, info, run);
}
