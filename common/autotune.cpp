#include "common/autotune.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/results.hpp"

namespace tutorial {
namespace {

constexpr const char* tuned_name = "Tuned";
constexpr const char* columns =
    "filter_width,taps,kernel,lanes,tile_width,tile_height,group_width,group_height";

/// FNV-1a, 64 bits: tells a text from a changed one; it is no protection against malice.
std::string hash(const std::string& text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", value);
}

/// The text of a file; nothing of what is no file. (To read a folder throws in libstdc++.)
std::string read_all(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return {};
  }
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// --- What is tried -------------------------------------------------------------------------------

struct Extent {
  int width;
  int height;
};

std::vector<std::string> kernels_to_try(bool cpu) {
  return cpu ? std::vector<std::string>{"Convolve_Tile", "Convolve_Baked"}
             : std::vector<std::string>{"Convolve_Baked", "Convolve_Fast", "Convolve_Tile"};
}

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

}  // namespace

std::string describe(const Candidate& candidate) {
  return candidate.kernel + " " + describe(candidate.tile);
}

std::string only_kernel(const std::string& kernel) {
  // The kernels' numbers, as in the kernel file.
  const int number = kernel == "Convolve_Tile" ? 15 : kernel == "Convolve_Baked" ? 16 : 17;
  return fmt::format(" -DONLY_KERNEL={}", number);
}

std::string build_options(const Candidate& candidate) {
  return build_options(candidate.tile) + only_kernel(candidate.kernel);
}

// --- The file of winners ------------------------------------------------------------------------

namespace {

std::string taps_hash(const Filter& filter) {
  return hash(baked_source(filter));
}

/// A whole number from 1 to `most`; throws `Error` if `text` is anything else. What a foreign file
/// contains is not repeated in messages: it may be anything.
int parse_number(const std::string& text, int most) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || value < 1 || value > most) {
    throw Error(fmt::format("a field is no number within 1 to {}", most));
  }
  return value;
}

/// Whether the kernel can be built with this tile, and the device has room for the work-group.
bool is_candidate(const Candidate& candidate, const cl::Device& device) {
  const Tile& tile = candidate.tile;
  const int unit = tile.lanes == 1 ? 4 : tile.lanes;
  return computes_tiles(candidate.kernel) && (tile.lanes == 1 || tile.lanes == 16) &&
         (candidate.kernel != "Convolve_Fast" || tile.lanes == 1) && tile.width % unit == 0 &&
         static_cast<std::size_t>(tile.group_width) * static_cast<std::size_t>(tile.group_height) <=
             device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
}

}  // namespace

Winners::Winners(const Options& options, const cl::Device& device, const Image& image)
    : path_(options.verify_only ? "" : options.winners) {
  head_ = fmt::format(
      "# winners of: kernels 15 to 17\n# platform: {}\n# device: {}\n# driver: {}\n# source: {}\n"
      "# size: {} x {}\n{}\n",
      platform_name(device), device_name(device), device.getInfo<CL_DRIVER_VERSION>(),
      hash(read_all(options.kernel_file)), image.width, image.height, columns);
  if (path_.empty() || !std::ifstream(path_).good()) {
    return;
  }
  if (const std::string problem = read(device); !problem.empty()) {
    rows_.clear();
    fmt::print("winners {}: {}; ignored\n", path_, problem);
  }
}

std::string Winners::read(const cl::Device& device) {
  std::istringstream file(read_all(path_));
  std::istringstream head(head_);
  std::string line;
  for (std::string wanted; std::getline(head, wanted);) {
    if (!std::getline(file, line)) {
      return "is cut off";
    }
    if (line != wanted) {
      const std::string key = wanted.substr(0, wanted.find(':'));
      const bool same_key = key != wanted && line.compare(0, key.size(), key) == 0;
      return same_key ? "made for another " + key.substr(2) : "is no file of winners";
    }
  }
  for (int row_number = 1; std::getline(file, line); row_number++) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) {
      fields.push_back(field);
    }
    try {
      if (fields.size() != 8) {
        throw Error(fmt::format("{} fields instead of 8", fields.size()));
      }
      const auto number = [&fields](std::size_t field, int most) {
        return parse_number(fields[field], most);
      };
      const Row row = {
          number(0, max_filter_width),
          fields[1],
          {fields[2],
           {.lanes = number(3, 16),
            .width = number(4, largest_tile.width),
            .height = number(5, largest_tile.height),
            .group_width = number(6, 65536),
            .group_height = number(7, 65536)}}};
      if (!is_candidate(row.candidate, device)) {
        throw Error("no kernel can be built so");
      }
      rows_.push_back(row);
    } catch (const Error& error) {
      return fmt::format("row {}: {}", row_number, error.what());
    }
  }
  return {};
}

std::optional<Candidate> Winners::find(const Filter& filter) const {
  const std::string taps = taps_hash(filter);
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
  const std::string taps = taps_hash(filter);
  std::erase_if(
      rows_, [&](const Row& row) { return row.filter_width == filter.width && row.taps == taps; });
  rows_.push_back({filter.width, taps, winner});
  std::ofstream file(path_, std::ios::trunc);
  file << head_;
  for (const auto& [width, hash, candidate] : rows_) {
    const Tile& tile = candidate.tile;
    file << fmt::format(
        "{},{},{},{},{},{},{},{}\n", width, hash, candidate.kernel, tile.lanes, tile.width,
        tile.height, tile.group_width, tile.group_height);
  }
  if (!file.flush()) {
    throw Error(fmt::format("{}: cannot be written", path_));
  }
}

// --- The search ---------------------------------------------------------------------------------

namespace {

/// `prepare`, and a candidate that does not even build or launch is said to be none: some devices
/// run out of registers or memory with the largest blocks, and the others are still worth a try.
std::optional<Variant> prepare_or_say_why(const Prepare& prepare, const Candidate& candidate) {
  std::string problem;
  try {
    return prepare(candidate);
  } catch (const cl::Error& error) {
    problem = describe(error);
  } catch (const Error& error) {
    problem = error.what();
  }
  fmt::print(stderr, "{}: {}\n", describe(candidate), problem.substr(0, problem.find('\n')));
  return {};
}

class Search {
 public:
  Search(const cl::Device& device, const Options& options, int filter_width, const Prepare& prepare)
      : device_(device),
        cpu_(is_cpu(device)),
        usual_(select_tile(device, options)),
        budget_s_(
            options.search_budget_s > 0.0 ? options.search_budget_s
            : cpu_                        ? 40.0
                                          : 15.0),
        verify_only_(options.verify_only),
        filter_width_(filter_width),
        prepare_(prepare) {}

  /// Goes through the questions; the trials in the order of their times afterwards.
  void run() {
    for (const std::string& kernel : kernels_to_try(cpu_)) {
      attempt({kernel, usual_});
    }
    const std::vector<Candidate> kernels = best(2);
    for (const Extent& block : blocks_to_try(cpu_)) {
      for (const Candidate& candidate : verify_only_ ? all_kernels() : kernels) {
        for (std::size_t g = 0; g < usual_groups(cpu_); g++) {
          attempt(with_group(with_block(candidate, block), groups_to_try(cpu_)[g]));
        }
      }
    }
    for (const Candidate& candidate : best(3)) {
      for (const Extent& group : groups_to_try(cpu_)) {
        attempt(with_group(candidate, group));
      }
    }
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r{:79}\r", "");
    }
  }

  /// The winner, after a last run of the three best against each other.
  std::optional<std::pair<Candidate, Variant>> winner() {
    if (trials_.empty()) {
      return {};
    }
    std::vector<Variant> finalists;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, trials_.size()); i++) {
      finalists.push_back(trials_[i].variant);
    }
    std::size_t first = 0;
    if (finalists.size() > 1 && !verify_only_) {
      const std::vector<Measurement> times = measure(finalists, 0.5);
      for (std::size_t i = 1; i < times.size(); i++) {
        if (times[i].time_ms.median < times[first].time_ms.median) {
          first = i;
        }
      }
    }
    return std::pair{trials_[first].candidate, trials_[first].variant};
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
    candidate.tile.width = block.width;
    candidate.tile.height = block.height;
    return candidate;
  }

  static Candidate with_group(Candidate candidate, const Extent& group) {
    candidate.tile.group_width = group.width;
    candidate.tile.group_height = group.height;
    return candidate;
  }

  std::vector<Candidate> all_kernels() const {
    std::vector<Candidate> candidates;
    for (const std::string& kernel : kernels_to_try(cpu_)) {
      candidates.push_back({kernel, usual_});
    }
    return candidates;
  }

  std::vector<Candidate> best(std::size_t count) const {
    std::vector<Candidate> candidates;
    for (const Trial& trial : trials_) {
      if (candidates.size() < count) {
        candidates.push_back(trial.candidate);
      }
    }
    return candidates;
  }

  /// Prepares and times a candidate, unless it is none (a block for one number of lanes need not
  /// suit the other), that has been done, or the time is up.
  void attempt(const Candidate& candidate) {
    if (!is_candidate(candidate, device_) ||
        std::find(attempted_.begin(), attempted_.end(), candidate) != attempted_.end()) {
      return;
    }
    if (!verify_only_ && !trials_.empty() && seconds() > budget_s_) {
      out_of_time_ = true;
      return;
    }
    attempted_.push_back(candidate);
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(
          stderr, "\r{:<79}\r",
          fmt::format(
              "width {:2}  try {:2}  {:<47} {}", filter_width_, attempted_.size(),
              describe(candidate),
              trials_.empty() ? "" : fmt::format("best {:.4g} ms", trials_.front().ms)));
    }
    std::optional<Variant> variant = prepare_or_say_why(prepare_, candidate);
    if (!variant) {
      return;
    }
    const double ms = verify_only_ ? 0.0 : measure({*variant}, 0.0).front().time_ms.median;
    if (!verify_only_ && isatty(STDERR_FILENO) == 0) {
      fmt::print(
          stderr, "width {:2}  {:5.1f} s  {:<47} {:.4g} ms\n", filter_width_, seconds(),
          describe(candidate), ms);
    }
    const auto place = std::find_if(
        trials_.begin(), trials_.end(), [ms](const Trial& trial) { return trial.ms > ms; });
    trials_.insert(place, {candidate, std::move(*variant), ms});
  }

  cl::Device device_;
  bool cpu_;
  Tile usual_;
  double budget_s_;
  bool verify_only_;
  int filter_width_;
  const Prepare& prepare_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<Candidate> attempted_;
  std::vector<Trial> trials_;  ///< the fastest first
  bool out_of_time_ = false;
};

}  // namespace

std::optional<Variant> tune(
    const cl::Device& device, const Options& options, const Filter& filter, Winners& winners,
    const Prepare& prepare) {
  const auto named = [](Variant variant) {
    variant.name = tuned_name;
    return variant;
  };
  if (const std::optional<Candidate> known = winners.find(filter)) {
    if (const std::optional<Variant> variant = prepare_or_say_why(prepare, *known)) {
      fmt::print("width {:2}  known: {}\n", filter.width, describe(*known));
      return named(*variant);
    }
  }

  if (!options.verify_only) {
    winners.require_writable();  // better now than after the search
  }
  Search search(device, options, filter.width, prepare);
  search.run();
  const auto winner = search.winner();
  if (!winner) {
    fmt::print("width {:2}  no candidate works\n", filter.width);
    return {};
  }
  if (options.verify_only) {
    return named(winner->second);
  }
  fmt::print(
      "width {:2}  {}\n          best: {}\n", filter.width, search.effort(),
      describe(winner->first));
  // Prepared once more, so that the winner is verified after having been timed as well, and what it
  // computed is what the program computed last.
  std::optional<Variant> variant = prepare_or_say_why(prepare, winner->first);
  if (!variant) {
    return {};
  }
  winners.keep(filter, winner->first);
  return named(*variant);
}

}  // namespace tutorial
