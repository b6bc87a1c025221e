// The roofline: what this device can do at most, and how long a convolution takes at least.
//
// The kernels that reach the ceilings are in roofline.cl, their measuring is in ceilings.cpp, and
// what follows from them in common/floor.cpp.
#include <fmt/format.h>

#include <fstream>
#include <set>
#include <vector>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/floor.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/results.hpp"
#include "roofline/ceilings.hpp"
#include "roofline/results_file.hpp"

namespace {

const tutorial::ProgramInfo info = {
    .title = "The device's ceilings, and the least time of a convolution",
    .kernel_file = KERNEL_FILE,
    .kernels = {},
    .reads_results = true,
};

constexpr double giga = 1e-9;

// One row per filter width: what has to be done, how long that takes at least, and why.
void print_floors(
    const tutorial::Options& options, const tutorial::Image& image,
    const tutorial::Ceilings& ceilings) {
  fmt::print(
      "\n{:>6} {:>14} {:>12} {:>12} {:>8} {:>12}\n", "filter", "multiply-adds", "bytes",
      "floor, ms", "binds", "Gpixel/s");
  for (const int filter_width : options.filter_widths) {
    const tutorial::Floor floor =
        tutorial::convolution_floor(image.width, image.height, filter_width, ceilings);
    const auto pixels = static_cast<double>(image.size());
    fmt::print(
        "{:>6} {:>14.4g} {:>12.4g} {:>12.4g} {:>8} {:>12.4g}\n",
        fmt::format("{0}x{0}", filter_width), pixels * filter_width * filter_width,
        tutorial::compulsory_bytes(image.width, image.height, filter_width), 1e3 * floor.seconds,
        tutorial::to_string(floor.bound), giga * pixels / floor.seconds);
  }
}

// The same for a spreadsheet or a chart. The ceilings stand in every row, so that a row can be read
// on its own; the rate of each kernel is in the head.
void write_csv(
    const tutorial::Options& options, const std::string& head, const tutorial::Image& image,
    const tutorial::MeasuredCeilings& measured) {
  const tutorial::Ceilings& best = measured.best;
  std::ofstream file(options.csv);
  file << head << best.csv_head();
  for (const tutorial::CeilingRate& rate : measured.rates) {
    file << fmt::format("# {}: {:.6g}\n", rate.kernel, rate.per_s);
  }
  file << "filter_width,width,height,multiply_adds,bytes,compute_ms,memory_ms,floor_ms,bound,"
          "gpixels_per_s,giga_multiply_adds_per_s,multiply_add_type,copy_gigabytes_per_s,copy_type,"
          "cached_giga_loads_per_s,cached_gigabytes_per_s,cached_type,local_gigabytes_per_s\n";
  for (const int filter_width : options.filter_widths) {
    const tutorial::Floor floor =
        tutorial::convolution_floor(image.width, image.height, filter_width, best);
    const auto pixels = static_cast<double>(image.size());
    file << fmt::format(
        "{},{},{},{:.0f},{:.0f},{:.6g},{:.6g},{:.6g},{},{:.5g},{:.5g},{},{:.5g},{},{:.5g},{:.5g},{}"
        ",{:.5g}\n",
        filter_width, image.width, image.height, pixels * filter_width * filter_width,
        tutorial::compulsory_bytes(image.width, image.height, filter_width), 1e3 * floor.compute_s,
        1e3 * floor.memory_s, 1e3 * floor.seconds, tutorial::to_string(floor.bound),
        giga * pixels / floor.seconds, giga * best.multiply_adds_per_s, best.multiply_add_type,
        giga * best.copy_bytes_per_s, best.copy_type, giga * best.cached_loads_per_s,
        giga * best.cached_bytes_per_s, best.cached_type, giga * best.local_bytes_per_s);
  }
  if (!file.flush()) {
    throw tutorial::Error(fmt::format("{}: cannot be written", options.csv));
  }
  fmt::print("floors: {}\n", options.csv);
}

void print_ceilings(const tutorial::MeasuredCeilings& measured) {
  fmt::print("\n{:<26} {:>12}\n", "ceiling", "rate");
  for (const tutorial::CeilingRate& rate : measured.rates) {
    const bool computes = rate.kernel.starts_with("MultiplyAdd");
    fmt::print(
        "{:<26} {:>12.1f} {}\n", rate.kernel, giga * rate.per_s,
        computes ? "G multiply-adds/s" : "GB/s");
  }
  if (measured.host_clock) {
    fmt::print("timed by the host clock\n");
  }
  fmt::print("best: {} ({})\n", measured.best.describe(), measured.best.copy_type);
  // A large image moves 8 bytes per pixel: a float in, a float out.
  const double ridge = tutorial::ridge_taps(2 * sizeof(float), measured.best);
  fmt::print("ridge: memory binds up to {:.3g} taps per pixel, compute beyond\n", ridge);
}

// The rows of the file at the widths of --filter-width, in that order.
std::vector<tutorial::ResultsRow> chosen_rows(
    const tutorial::Options& options, const tutorial::ResultsFile& file) {
  std::vector<tutorial::ResultsRow> rows;
  std::set<int> widths;
  for (const int filter_width : options.filter_widths) {
    for (const tutorial::ResultsRow& row : file.rows) {
      widths.insert(row.filter_width);
      if (row.filter_width == filter_width) {
        rows.push_back(row);
      }
    }
  }
  if (rows.empty()) {
    throw tutorial::Error(fmt::format(
        "{}: no such filter width in it; --filter-width can be {}", options.results,
        fmt::join(widths, ", ")));
  }
  return rows;
}

// Prints how far the times are from the floor.
void print_distances(
    const std::vector<tutorial::ResultsRow>& rows, const tutorial::Ceilings& ceilings,
    bool on_host) {
  int filter_width = 0;
  for (const tutorial::ResultsRow& row : rows) {
    const tutorial::Floor floor =
        tutorial::convolution_floor(row.width, row.height, row.filter_width, ceilings);
    if (row.filter_width != filter_width) {
      filter_width = row.filter_width;
      fmt::print("\nfilter {0} x {0}, image {1} x {2}\n", filter_width, row.width, row.height);
      fmt::print(
          "{:<30} {:>11} {:>11} {:>9}  {}\n", "kernel", "median, ms", "floor, ms", "x floor",
          "binds");
    }
    // The ceilings are the device's; the host's loop has them only where the device is the host.
    if (row.kernel == tutorial::host_baseline && !on_host && row.x_floor == 0.0) {
      fmt::print("{:<30} {:>11.4g} {:>11} {:>9}\n", row.kernel, row.median_ms, "-", "-");
      continue;
    }
    fmt::print(
        "{:<30} {:>11.4g} {:>11.4g} {:>9.3g}  {}\n", row.kernel, row.median_ms, 1e3 * floor.seconds,
        1e-3 * row.median_ms / floor.seconds, tutorial::to_string(floor.bound));
  }
}

// Prints, for the kernels that the X-ray counted, Houston's three columns: a kernel's time is
// predicted to be the largest. Returns the same as a CSV.
std::string print_predictions(
    const tutorial::Options& options, const std::vector<tutorial::ResultsRow>& rows,
    const tutorial::Ceilings& ceilings) {
  const auto counts = tutorial::read_counts(options.xray);
  std::string csv =
      "kernel,filter_width,width,height,arithmetic_ms,loads_ms,memory_ms,bound,predicted_ms,"
      "median_ms,measured_over_predicted\n";
  int filter_width = 0;
  for (const tutorial::ResultsRow& row : rows) {
    const auto counted = counts.find({row.kernel, row.filter_width});
    if (counted == counts.end()) {
      continue;
    }
    if (row.filter_width != filter_width) {
      filter_width = row.filter_width;
      fmt::print("\nfilter {0} x {0}, image {1} x {2}, ms\n", filter_width, row.width, row.height);
      fmt::print(
          "{:<30} {:>7} {:>7} {:>7} {:<10} {:>7} {:>6}\n", "kernel", "arith.", "loads", "memory",
          "binds", "median", "ratio");
    }
    const tutorial::Prediction time =
        tutorial::predict(row.width, row.height, row.filter_width, counted->second, ceilings);
    const double ratio = 1e-3 * row.median_ms / time.seconds;
    fmt::print(
        "{:<30} {:>7.3g} {:>7.3g} {:>7.3g} {:<10} {:>7.4g} {:>6.3g}\n", row.kernel,
        1e3 * time.arithmetic_s, 1e3 * time.loads_s, 1e3 * time.memory_s, time.bound, row.median_ms,
        ratio);
    csv += fmt::format(
        "{},{},{},{},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g},{:.5g}\n", row.kernel, row.filter_width,
        row.width, row.height, 1e3 * time.arithmetic_s, 1e3 * time.loads_s, 1e3 * time.memory_s,
        time.bound, 1e3 * time.seconds, row.median_ms, ratio);
  }
  if (filter_width == 0) {
    throw tutorial::Error(fmt::format(
        "{}: none of these kernels and filter widths is in {}", options.xray, options.results));
  }
  fmt::print("\nratio: measured over predicted, the largest of the three times\n");
  return csv;
}

// Compares the times in a CSV of a step with what the ceilings allow. The ceilings are those that
// the CSV recorded when it was measured; if it is older than that, those of this device now.
int compare(const tutorial::Options& options) {
  const bool predicts = !options.xray.empty();
  if (!options.csv.empty()) {
    if (!predicts) {
      throw tutorial::Error("--csv cannot be combined with --results, unless with --xray");
    }
    tutorial::require_writable(options.csv);
  }
  tutorial::ResultsFile file = tutorial::read_results(options.results);
  const std::vector<tutorial::ResultsRow> rows = chosen_rows(options, file);
  tutorial::Ceilings ceilings;
  try {
    ceilings = tutorial::ceilings_of(file.head);
  } catch (const tutorial::Error& error) {
    throw tutorial::Error(fmt::format("{}: {}", options.results, error.what()));
  }
  const std::string measured_on = file.head["device"];
  const bool recorded = ceilings.multiply_adds_per_s > 0.0 && ceilings.copy_bytes_per_s > 0.0;
  const bool loads_recorded = ceilings.cached_loads_per_s > 0.0 &&
                              ceilings.cached_bytes_per_s > 0.0 && ceilings.local_bytes_per_s > 0.0;
  bool on_host = false;
  if (recorded && (loads_recorded || !predicts)) {
    fmt::print("device  {}\nceilings of {}:\n", measured_on, options.results);
  } else {
    const cl::Device device = tutorial::select_device(options.device);
    const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
    if (measured_on != tutorial::device_name(device)) {
      throw tutorial::Error(fmt::format(
          "{} has no ceilings{} in it and is from another device: '{}', this is '{}'",
          options.results, recorded ? " for loads" : "", measured_on,
          tutorial::device_name(device)));
    }
    on_host = tutorial::is_cpu(device);
    const std::size_t image_bytes = sizeof(float) * rows.front().width * rows.front().height;
    ceilings =
        tutorial::measure_ceilings(queue, options.kernel_file, image_bytes, options.time_budget_s)
            .best;
    fmt::print("device  {}\nceilings measured now, {} has none:\n", measured_on, options.results);
  }
  fmt::print("{}\n", ceilings.describe());
  if (!predicts) {
    print_distances(rows, ceilings, on_host);
    return 0;
  }
  const std::string csv = print_predictions(options, rows, ceilings);
  if (!options.csv.empty()) {
    std::ofstream out(options.csv);
    out << "# device: " << measured_on << '\n' << ceilings.csv_head() << csv;
    if (!out.flush()) {
      throw tutorial::Error(fmt::format("{}: cannot be written", options.csv));
    }
    fmt::print("predictions: {}\n", options.csv);
  }
  return 0;
}

int run(const tutorial::Options& chosen) {
  if (!chosen.results.empty()) {
    return compare(chosen);
  }
  tutorial::Options options = chosen;
  options.filter = "none";  // for the head of the CSV
  const cl::Device device = tutorial::select_device(options.device);
  const cl::CommandQueue queue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  const tutorial::Image image = tutorial::load_image(options);
  const tutorial::Results results(options, device, image);

  // A kernel that does not do its work is fast. So first: does each do what it is to be timed for?
  int wrong = 0;
  const std::vector<tutorial::CeilingVerdict> verdicts =
      tutorial::verify_ceilings(queue, options.kernel_file);
  for (const tutorial::CeilingVerdict& verdict : verdicts) {
    if (!verdict.problem.empty()) {
      wrong++;
      fmt::print(stderr, "{}: {}: {}\n", options.program, verdict.kernel, verdict.problem);
    } else if (options.verify_only) {
      fmt::print("{:<26} ok\n", verdict.kernel);
    }
  }
  if (wrong > 0) {
    fmt::print("{} of {} results are WRONG\n", wrong, verdicts.size());
    return 2;
  }
  if (!options.verify_only) {
    const tutorial::MeasuredCeilings measured = tutorial::measure_ceilings(
        queue, options.kernel_file, image.size_bytes(), options.time_budget_s);
    print_ceilings(measured);
    print_floors(options, image, measured.best);
    if (!options.csv.empty()) {
      write_csv(options, results.csv_head(), image, measured);
    }
  }
  fmt::print("all {} results verified\n", verdicts.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, info, run);
}
