#include "scale/check.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "step11_bytes/work.hpp"

namespace tutorial::scale {
namespace {

// Whether row `y` of the output is right.
bool is_right(const Carrier& carrier, std::int64_t y) {
  const Filter& filter = carrier.work->filter;
  const int width = carrier.work->width;
  const int padded_width = width + filter.width - 1;
  const auto get = [&](auto& padded, auto& row) {
    auto* const pixels = reinterpret_cast<char*>(padded.pixels.data());
    const std::size_t pitch = padded.width * sizeof(padded.pixels[0]);
    carrier.input.read_padded(filter.width, y, 1, pixels, std::int64_t(pitch));
    carrier.output.read(y, 1, reinterpret_cast<char*>(row.pixels.data()), 0);
  };
  if (const auto* work = dynamic_cast<const ByteWork*>(carrier.work.get())) {
    ByteImage padded(padded_width, filter.width), row(width, 1);
    get(padded, row);
    const ByteImage exact = convolve_exactly(padded, work->fixed, width, 1);
    const bool by_floats = carrier.launch.pixels == Launch::Pixels::bytes_by_floats;
    return check_bytes(padded, work->fixed, exact, row, by_floats, carrier.launch.tile).wrong == 0;
  }
  Image padded(padded_width, filter.width), row(width, 1);
  get(padded, row);
  const Reference reference = convolve_reference(padded, filter, row);
  return check(reference, row, {}, carrier.launch.pairs, carrier.launch.tile).passed;
}

}  // namespace

int wrong_rows(const Carrier& carrier, const Bands& bands) {
  const auto first = bands.first, last = bands.last;
  const std::int64_t rows = carrier.work->height;
  int wrong = 0;
  for (int i = 0; i < 16 && first < last; i++) {
    const std::int64_t begin = first + (last - first + rows - 1) / rows * i / 16 * rows;
    const std::int64_t row = i == 15 ? last - 1 : std::max(begin - i % 2, first);
    wrong += is_right(carrier, row) ? 0 : 1;
  }
  return wrong;
}

void probe(Worker& worker, const Bands& bands) {
  Carrier& carrier = worker.carriers.front();
  const std::int64_t rows = carrier.work->height;
  for (int i = 0; i < 3 && bands.first < bands.last; i++) {
    carrier.ms = {};
    carrier.carry({std::min(bands.first + i * rows, bands.last - rows), rows});
  }
  worker.alone = carrier.ms;
  carrier.bands = 0;
}

std::pair<double, std::string> predict(const std::vector<Worker>& workers, int ranks_here) {
  double rate = 0.0, busy = 0.0, file = HUGE_VAL;
  const auto cores = std::thread::hardware_concurrency();
  std::string slowest;
  for (const auto& [name, carriers, alone] : workers) {
    const cl::Device& device = carriers.front().work->device;
    const auto* longest = std::ranges::max_element(alone);
    const double sum = std::accumulate(alone.begin(), alone.end(), 0.0);
    const double each = std::max(*longest, sum / double(carriers.size()));
    const int rows = carriers.front().work->height;
    rate += rows / each;
    file = std::min(file, rows / std::max(alone.front(), alone.back()));  // all share it
    // Of the host's cores: one of them reads and writes a file, a CPU's kernel runs on all.
    const auto units = std::min(cores, device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
    const double on_cpu = alone[1] + units * alone[2] + alone[3];
    busy += (alone[0] + (tutorial::is_cpu(device) ? on_cpu : 0.0) + alone[4]) / each;
    slowest = each > *longest ? "too few carriers" : stages[longest - alone.begin()];
  }
  busy /= double(cores) / ranks_here;
  if (busy > 1.0) {
    slowest = "the host's cores";
  } else if (rate > file) {
    slowest = "the file";
  }
  return {std::min(rate / std::max(busy, 1.0), file), slowest};
}

void print(
    const std::vector<Worker>& workers, const Layout& layout, double predicted,
    const std::string& slowest, double measured) {
  const char* kind = layout.pixel_bytes == 1 ? "bytes" : "floats";
  fmt::print("image     {} x {} {}\n", layout.width, layout.height, kind);
  for (const auto& [name, carriers, alone] : workers) {
    int bands = 0;
    for (const Carrier& carrier : carriers) {
      bands += carrier.bands;
    }
    fmt::print("device    {}\n", name);
    fmt::print("          {} bands of {} rows\n", bands, carriers.front().work->height);
    std::string text;
    for (std::size_t i = 0; i < std::size(stages); i++) {
      text += fmt::format("{} {} {:.2f}", i == 0 ? "ms alone:" : ",", stages[i], alone[i]);
    }
    fmt::print("          {}\n", text);
  }
  const auto line = [&](const char* what, double ms, const std::string& why) {
    const double pixels = double(layout.width) * double(layout.height);
    fmt::print("{} {:.3f} s, {:.3f} Gpixel/s{}\n", what, 1e-3 * ms, 1e-6 * pixels / ms, why);
  };
  line("predicted", predicted, "; the slowest: " + slowest);
  line("measured ", measured, "");
}

void measure(const Options& options, const std::vector<Carrier*>& carriers, const Layout& layout) {
  Image size;
  size.width = int(layout.width);
  size.height = int(layout.height);
  const std::string kind = layout.pixel_bytes == 1 ? ":bytes" : ":floats";
  Options shown = options;
  shown.output = "";
  shown.input = options.input.empty() ? "rings" : options.input;
  // The carriers of the first device; and what the others are compared with.
  const std::vector<Carrier*> one(carriers.begin(), carriers.begin() + options.carriers);
  shown.kernels = {{(one.size() == carriers.size() ? "series" : "one-device") + kind}};
  Results results(shown, carriers.front()->work->device, size);
  const int width = options.filter_widths.front();
  Verdict right;
  right.passed = true;
  std::vector<Variant> variants;
  const auto add = [&](const std::string& label, const std::vector<Carrier*>& used, int stage = -1,
                       bool files = true) {
    results.verify(label + kind, width, right);
    variants.push_back({label + kind, cl::NullRange, 0.0, nullptr, nullptr, [=, &layout] {
                          Bands bands(0, layout.height);
                          for (Carrier* carrier : used) {
                            carrier->files = files;
                          }
                          used.front()->ms = {};
                          const auto start = std::chrono::steady_clock::now();
                          stream(used, bands);
                          return stage < 0 ? ms_since(start) : used.front()->ms[stage];
                        }});
  };
  if (one.size() == carriers.size()) {
    for (int i = 0; i < int(std::size(stages)); i++) {
      add(stages[i], {carriers.front()}, i);
    }
    add("series", {carriers.front()});
  } else {
    add("one-device", one, -1, false);
    add("one-stream", one);
  }
  add("devices", carriers, -1, false);
  add("stream", carriers);
  results.add(width, {tutorial::measure(variants, options.time_budget_s)});
  results.finish();
}

}  // namespace tutorial::scale
