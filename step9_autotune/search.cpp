#include "step9_autotune/search.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/results.hpp"
#include "common/sweep.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// FNV-1a, 64 bits: tells a text from a changed one; it does not protect against malice.
std::string hash(const std::string& text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", value);
}

std::string hash(const Filter& filter) {
  return hash(baked_source(filter));
}

/// The kernels that the search tries: those that compute vectors on a CPU, the others elsewhere.
bool is_tried(const KernelEntry& kernel, bool cpu) {
  return cpu ? kernel.shape == Shape::block16 || kernel.shape == Shape::sparse16
             : kernel.shape == Shape::block || kernel.shape == Shape::pairs;
}

struct Extent {
  int width;
  int height;
};

std::vector<Extent> blocks_to_try(bool cpu) {
  return cpu ? std::vector<Extent>{{64, 6}, {64, 4}, {32, 8}, {32, 6}, {48, 6}, {64, 3}, {32, 12}}
             : std::vector<Extent>{{4, 4}, {4, 2}, {4, 8}, {4, 6}, {8, 4}};
}

/// The first of them, the usual ones, for all blocks; the others for the best blocks alone.
std::vector<Extent> groups_to_try(bool cpu) {
  return cpu ? std::vector<Extent>{{1, 1}, {2, 1}, {4, 1}, {1, 2}, {1, 4}}
             : std::vector<Extent>{{32, 4}, {128, 1}, {32, 8}, {32, 2}, {64, 2}, {256, 1}, {64, 1}};
}

std::size_t usual_groups(bool cpu) {
  return cpu ? 1 : 2;
}

/// Of all that decides what the search finds: the kernel files, and the blocks and groups to try.
std::string hash_of_search(const Options& options, bool cpu) {
  std::set<std::string> files;
  for (const KernelEntry& kernel : options.known_kernels) {
    files.insert(kernel.file);
  }
  std::string all;
  for (const std::string& file : files) {
    all += read_file(file).value_or("");
  }
  for (const std::vector<Extent>& extents : {blocks_to_try(cpu), groups_to_try(cpu)}) {
    for (const Extent& extent : extents) {
      all += fmt::format(" {}x{}", extent.width, extent.height);
    }
    all += fmt::format(" first {}", usual_groups(cpu));
  }
  return hash(all);
}

}  // namespace

std::string describe(const Candidate& candidate) {
  return candidate.kernel.name() + " " + describe(candidate.block);
}

// --- The file of winners ------------------------------------------------------------------------

Winners::Winners(const Options& options, const cl::Device& device, const Image& image)
    : path_(options.verify_only ? "" : options.winners),
      head_(fmt::format(
          "# winners\n# platform: {}\n# device: {}\n# driver: {}\n# kernels: {}\n# size: {} x {}\n"
          "filter_width,taps,kernel,block_width,block_height,group_width,group_height\n",
          platform_name(device), device_name(device), device.getInfo<CL_DRIVER_VERSION>(),
          hash_of_search(options, is_cpu(device)), image.width, image.height)) {
  if (path_.empty() || !std::filesystem::exists(path_)) {
    return;
  }
  try {
    read(options);
  } catch (const Error& error) {
    rows_.clear();
    fmt::print("winners {}: {}; ignored\n", path_, error.what());
  }
}

void Winners::read(const Options& options) {
  const std::string text = read_file(path_).value_or("");
  if (text.compare(0, head_.size(), head_) != 0) {
    throw Error("of another device, driver, size, kernels or blocks");
  }
  std::vector<std::string> lines = split(text.substr(head_.size()), '\n');
  lines.pop_back();  // what follows the last line's end
  for (const std::string& line : lines) {
    // What a foreign file contains is not repeated in messages: it may be anything.
    const Error problem(fmt::format("row {} cannot be used", rows_.size() + 1));
    const std::vector<std::string> fields = split(line, ',');
    if (fields.size() != 7) {
      throw problem;
    }
    const auto number = [&](std::size_t field, int most) {
      const int value = parse_number<int>(fields[field]).value_or(0);
      return value >= 1 && value <= most ? value : throw problem;
    };
    const auto kernel = std::find_if(
        options.known_kernels.begin(), options.known_kernels.end(),
        [&](const KernelEntry& known) { return known.label == fields[2]; });
    if (kernel == options.known_kernels.end() ||
        !(is_tried(*kernel, true) || is_tried(*kernel, false))) {
      throw problem;
    }
    rows_.push_back(
        {number(0, max_filter_width),
         fields[1],
         {*kernel,
          {.width = number(3, largest_block.width),
           .height = number(4, largest_block.height),
           .group_width = number(5, 65536),
           .group_height = number(6, 65536)}}});
  }
}

std::optional<Candidate> Winners::find(const Filter& filter) const {
  const std::string taps = hash(filter);
  for (const Row& row : rows_) {
    if (row.filter_width == filter.width && row.taps == taps) {
      return row.candidate;
    }
  }
  return {};
}

void Winners::require_writable() const {
  tutorial::require_writable(path_);
}

void Winners::keep(const Filter& filter, const Candidate& winner) {
  const std::string taps = hash(filter);
  std::erase_if(
      rows_, [&](const Row& row) { return row.filter_width == filter.width && row.taps == taps; });
  rows_.push_back({filter.width, taps, winner});
  std::ofstream file(path_, std::ios::trunc);
  file << head_;
  for (const Row& row : rows_) {
    const Block& block = row.candidate.block;
    file << fmt::format(
        "{},{},{},{},{},{},{}\n", row.filter_width, row.taps, row.candidate.kernel.name(),
        block.width, block.height, block.group_width, block.group_height);
  }
  if (!file.flush()) {
    throw Error(fmt::format("{}: cannot be written", path_));
  }
}

// --- The search ---------------------------------------------------------------------------------

namespace {

/// `prepare`, which reports and skips candidates that fail to build or to launch: some devices run
/// out of registers or memory with the largest blocks, and the others are still worth a try.
std::optional<Variant> prepare_or_report(const Prepare& prepare, const Candidate& candidate) {
  // What `prepare` says about it names the block too.
  KernelEntry kernel = candidate.kernel;
  kernel.label = fmt::format("{}:{}", kernel.name(), describe(candidate.block));
  std::string problem;
  try {
    return prepare(kernel, candidate.block);
  } catch (const cl::Error& error) {
    problem = describe(error);
  } catch (const Error& error) {
    problem = error.what();
  }
  fmt::print(stderr, "{}: {}\n", kernel.label, problem.substr(0, problem.find('\n')));
  return {};
}

class Search {
 public:
  Search(
      const cl::Device& device, const Options& options, const Filter& filter,
      const Prepare& prepare)
      : options_(options),
        cpu_(is_cpu(device)),
        budget_s_(search_seconds(options, device)),
        filter_(filter),
        prepare_(prepare) {
    for (const KernelEntry& kernel : options.known_kernels) {
      if (is_tried(kernel, cpu_)) {
        kernels_.push_back({kernel, select_block(device, options, kernel.shape)});
      }
    }
  }

  /// Goes through the questions; the trials are in the order of their times afterwards.
  void run() {
    for (const Candidate& candidate : kernels_) {
      attempt(candidate);
    }
    const std::vector<Candidate> kernels = options_.verify_only ? kernels_ : best(2);
    const std::vector<Extent> groups = groups_to_try(cpu_);
    for (const Extent& block : blocks_to_try(cpu_)) {
      for (const Candidate& candidate : kernels) {
        for (std::size_t g = 0; g < usual_groups(cpu_); g++) {
          attempt(with_group(with_block(candidate, block), groups[g]));
        }
      }
    }
    for (const Candidate& candidate : best(3)) {
      for (const Extent& group : groups) {
        attempt(with_group(candidate, group));
      }
    }
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r{:79}\r", "");
    }
  }

  /// The winner, after a last run of the three best against each other.
  std::optional<Candidate> winner() const {
    if (trials_.empty()) {
      return {};
    }
    std::vector<Variant> finalists;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, trials_.size()); i++) {
      finalists.push_back(trials_[i].variant);
    }
    std::size_t first = 0;
    if (finalists.size() > 1 && !options_.verify_only) {
      const std::vector<Measurement> times = measure(finalists, 0.5);
      for (std::size_t i = 1; i < times.size(); i++) {
        if (times[i].time_ms.median < times[first].time_ms.median) {
          first = i;
        }
      }
    }
    return trials_[first].candidate;
  }

  /// "14 candidates in 8.2 s".
  std::string effort() const {
    return fmt::format(
        "{} candidates in {:.1f} s{}", attempted_.size(), seconds(),
        out_of_time_ ? ", then time was up" : "");
  }

 private:
  struct Trial {
    Candidate candidate;
    Variant variant;
    double ms;
  };

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  static Candidate with_block(Candidate candidate, const Extent& block) {
    candidate.block.width = block.width;
    candidate.block.height = block.height;
    return candidate;
  }

  static Candidate with_group(Candidate candidate, const Extent& group) {
    candidate.block.group_width = group.width;
    candidate.block.group_height = group.height;
    return candidate;
  }

  std::vector<Candidate> best(std::size_t count) const {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < std::min(count, trials_.size()); i++) {
      candidates.push_back(trials_[i].candidate);
    }
    return candidates;
  }

  /// Prepares and times a candidate. Skips invalid and repeated ones, and all when time is up.
  void attempt(const Candidate& candidate) {
    if (std::find(attempted_.begin(), attempted_.end(), candidate) != attempted_.end()) {
      return;
    }
    if (const auto problem = block_problem(candidate.kernel.shape, candidate.block, filter_)) {
      // That a dense filter is nothing for Convolve_Baked16 is no news.
      if (candidate.kernel.shape != Shape::sparse16) {
        fmt::print(stderr, "{}: {}\n", describe(candidate), *problem);
      }
      return;
    }
    if (!options_.verify_only && !trials_.empty() && seconds() > budget_s_) {
      out_of_time_ = true;
      return;
    }
    attempted_.push_back(candidate);
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(
          stderr, "\r{:<79}\r",
          fmt::format(
              "width {:2}  try {:2}  {:<47} {}", filter_.width, attempted_.size(),
              describe(candidate),
              trials_.empty() ? "" : fmt::format("best {:.4g} ms", trials_.front().ms)));
    }
    const std::optional<Variant> variant = prepare_or_report(prepare_, candidate);
    if (!variant) {
      return;
    }
    const double ms = options_.verify_only ? 0.0 : measure({*variant}, 0.0).front().time_ms.median;
    if (!options_.verify_only && isatty(STDERR_FILENO) == 0) {
      fmt::print(
          stderr, "width {:2}  {:5.1f} s  {:<47} {:.4g} ms\n", filter_.width, seconds(),
          describe(candidate), ms);
    }
    const auto place = std::find_if(
        trials_.begin(), trials_.end(), [ms](const Trial& trial) { return trial.ms > ms; });
    trials_.insert(place, {candidate, *variant, ms});
  }

  const Options& options_;
  bool cpu_;
  double budget_s_;
  const Filter& filter_;
  const Prepare& prepare_;
  std::vector<Candidate> kernels_;  ///< with their usual blocks
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<Candidate> attempted_;
  std::vector<Trial> trials_;  ///< the fastest first
  bool out_of_time_ = false;
};

}  // namespace

std::optional<Variant> tune(
    const cl::Device& device, const Options& options, const Filter& filter, Winners& winners,
    const Prepare& prepare) {
  const auto prepare_tuned = [&prepare](const Candidate& candidate) {
    std::optional<Variant> variant = prepare_or_report(prepare, candidate);
    if (variant) {
      variant->name = tuned;
    }
    return variant;
  };
  if (const std::optional<Candidate> known = winners.find(filter)) {
    if (const auto variant = prepare_tuned(*known)) {
      fmt::print("width {:2}  known: {}\n", filter.width, describe(*known));
      return variant;
    }
  }

  if (!options.verify_only) {
    winners.require_writable();  // better now than after the search
  }
  Search search(device, options, filter, prepare);
  search.run();
  const std::optional<Candidate> winner = search.winner();
  if (!winner) {
    fmt::print("width {:2}  no candidate works\n", filter.width);
    return {};
  }
  if (!options.verify_only) {
    fmt::print(
        "width {:2}  {}\n          best: {}\n", filter.width, search.effort(), describe(*winner));
  }
  // Prepared once more, so that the winner is verified after having been timed too, and its result
  // is the program's last.
  const auto variant = prepare_tuned(*winner);
  if (variant && !options.verify_only) {
    winners.keep(filter, *winner);
  }
  return variant;
}

}  // namespace tutorial
