#include "step9_autotune/search.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

// What the flags say.
struct {
  std::string winners;    ///< path
  double budget_s = 0.0;  ///< 0: as suits the device
} settings;

std::vector<Extent> blocks_to_try(const cl::Device& device) {
  if (!is_cpu(device)) {
    return {{4, 4}, {4, 8}, {4, 2}, {4, 6}, {8, 4}};
  }
  const int vector = vector_width(device);
  if (vector == 16) {
    return {{64, 6}, {64, 4}, {32, 8}, {32, 6}, {48, 6}, {64, 3}, {32, 12}};
  }
  // There may be only 16 registers: about 12 for sums.
  return {{4 * vector, 3}, {4 * vector, 2}, {2 * vector, 5}, {4 * vector, 4},
          {2 * vector, 4}, {6 * vector, 2}, {3 * vector, 3}};
}

/// For all blocks the first on a CPU, the first two elsewhere; the rest for the best blocks alone.
std::vector<Extent> groups_to_try(bool cpu) {
  return cpu ? std::vector<Extent>{{1, 1}, {2, 1}, {4, 1}, {1, 2}, {1, 4}}
             : std::vector<Extent>{{32, 4}, {128, 1}, {32, 8}, {32, 2}, {64, 2}, {256, 1}, {64, 1}};
}

// --- The file of winners ------------------------------------------------------------------------

const std::vector<std::string> key_columns = {"device", "driver", "size", "filter", "filter_width"};

struct Winner {
  std::vector<std::string> key;  ///< what the winner is for: the fields of `key_columns`
  KernelEntry kernel;
  std::string texts;  ///< `hash_of` what it was chosen from
  bool complete;      ///< it has met all of them
};

/// Throws `Error` if the file cannot be used.
std::vector<Winner> read_winners(const Options& options) {
  const Csv csv = read_csv(settings.winners);
  std::vector<Winner> winners;
  for (std::size_t row = 0; row < csv.size(); row++) {
    const auto number = [&](const char* column, int most) {
      const double value = csv.number(row, column);
      return value >= 1 && value <= most ? static_cast<int>(value) : throw Error(column);
    };
    const auto kernel =
        std::ranges::find(options.known_kernels, csv.text(row, "kernel"), &KernelEntry::label);
    if (kernel == options.known_kernels.end() || kernel->tried_on == 0) {
      throw Error("kernel");
    }
    Winner winner = {{}, *kernel, csv.text(row, "texts"), csv.number(row, "complete") != 0};
    for (const std::string& column : key_columns) {
      winner.key.push_back(csv.text(row, column));
    }
    if (kernel->has_block()) {
      winner.kernel.shape = {
          {number("block_width", largest_block.width),
           number("block_height", largest_block.height)},
          {number("group_width", 65536), number("group_height", 65536)}};
    }
    winners.push_back(winner);
  }
  return winners;
}

/// Adds the winner to the file, in the place of one with the same key. Another search may have
/// added its own meanwhile.
void remember(const Options& options, const Winner& new_one) {
  std::vector<Winner> winners;
  try {
    winners = read_winners(options);
  } catch (const Error&) {  // there is none, or it cannot be used
  }
  std::erase_if(winners, [&](const Winner& winner) { return winner.key == new_one.key; });
  winners.push_back(new_one);
  std::string csv = fmt::format(
      "{},kernel,block_width,block_height,group_width,group_height,texts,complete\n",
      fmt::join(key_columns, ","));
  for (const auto& [key, kernel, texts, complete] : winners) {
    const auto& [block, group, block8] = kernel.shape;
    csv += fmt::format(
        "{},{},{},{},{},{},{},{}\n", fmt::join(key, ","), kernel.label, block.width, block.height,
        group.width, group.height, texts, int{complete});
  }
  write_whole(settings.winners, csv);
}

/// The kernels that are candidates on this device, for this filter.
std::vector<KernelEntry> kernels_for(const Work& work, const Options& options) {
  std::vector<KernelEntry> kernels;
  for (const KernelEntry& kernel : options.known_kernels) {
    const bool for_cpu = kernel.tried_on == CL_DEVICE_TYPE_CPU;
    const bool suits = !kernel.sparse || work.filter.is_sparse();
    if (kernel.tried_on != 0 && for_cpu == is_cpu(work.device) && suits) {
      kernels.push_back(kernel);
    }
  }
  return kernels;
}

/// A hash of what these kernels may be compiled from: their files, the taps (of the same name, a
/// file or another --seed may have others), and the reader's build options.
std::string hash_of(const std::vector<KernelEntry>& kernels, const Filter& filter) {
  std::string texts = filter.baked_source() + environment("TUTORIAL_BUILD_OPTIONS");
  for (const KernelEntry& kernel : kernels) {
    texts += kernel.file.empty() ? "" : read_text(kernel.file);
  }
  return content_hash(texts);
}

// --- The search ---------------------------------------------------------------------------------

/// `prepare`, which reports and skips candidates that fail to build or to launch: some devices run
/// out of registers or memory with the largest blocks, and the others are still worth a try.
std::optional<Variant> prepare_or_report(const Prepare& prepare, KernelEntry candidate) {
  candidate.label = describe(candidate);  // what `prepare` says about it names the block too
  candidate.label[candidate.label.find(' ')] = ':';
  std::string problem;
  try {
    return prepare(candidate);
  } catch (const std::exception& error) {
    problem = describe(error);
  }
  fmt::print(stderr, "{}: {}\n", candidate.label, problem.substr(0, problem.find('\n')));
  return {};
}

class Search {
 public:
  Search(
      const Options& options, const Work& work, std::vector<KernelEntry> kernels,
      const Prepare& prepare, const Clocks& clocks)
      : blocks_(blocks_to_try(work.device)),
        cpu_(is_cpu(work.device)),
        verify_only_(options.verify_only),
        budget_s_(settings.budget_s),
        filter_width_(work.filter.width),
        prepare_(prepare),
        clocks_(clocks),
        kernels_(std::move(kernels)) {
    if (budget_s_ == 0.0) {
      budget_s_ = cpu_ ? 40 : 15;
    }
    for (KernelEntry& kernel : kernels_) {
      kernel.shape = {block_of(work.device, kernel), kernel.shape.group};
      if (kernel.shape.group == Extent{}) {
        kernel.shape.group = groups_to_try(cpu_).front();
      }
    }
    // Those without a block, transforms, are compiled in a moment at any width, so there is always
    // time for them.
    std::stable_partition(kernels_.begin(), kernels_.end(), [](const KernelEntry& kernel) {
      return !kernel.has_block();
    });
  }

  /// Goes through the questions; the trials are in the order of their times afterwards.
  void run() {
    for (const KernelEntry& kernel : kernels_) {
      attempt(kernel);
    }
    const std::vector<KernelEntry> kernels = best_with_blocks(verify_only_ ? kernels_.size() : 2);
    const std::vector<Extent> groups = groups_to_try(cpu_);
    for (const Extent& block : blocks_) {
      for (KernelEntry candidate : kernels) {
        candidate.shape.block = block;
        for (const Extent& group : std::span(groups).first(cpu_ ? 1 : 2)) {
          candidate.shape.group = group;
          attempt(candidate);
        }
      }
    }
    for (KernelEntry candidate : best_with_blocks(3)) {
      for (const Extent& group : groups) {
        candidate.shape.group = group;
        attempt(candidate);
      }
    }
  }

  bool found() const { return !trials_.empty(); }

  /// The winner, after a last run of the best against each other.
  KernelEntry winner() const {
    if (verify_only_) {
      return trials_.front().candidate;
    }
    std::vector<Variant> finalists;
    for (std::size_t i = 0; i < std::min<std::size_t>(trials_.size(), 5); i++) {
      finalists.push_back(trials_[i].variant);
    }
    const std::vector<Measurement> times = measure(finalists, 0.5, 15, clocks_);
    const auto first = std::ranges::min_element(times, {}, [&times](const Measurement& time) {
      return paired_ratio(time.rounds, times.front().rounds).median;
    });
    return trials_[static_cast<std::size_t>(first - times.begin())].candidate;
  }

  /// Whether there was time to try all kernels, so that the winner has won against others.
  bool met_all_kernels() const {
    return !out_of_time_ || (trials_.size() > 1 && attempted_.size() >= kernels_.size());
  }

  std::string effort() const {
    return fmt::format(
        "{} candidates in {:.1f} s{}{}", attempted_.size(), seconds(),
        out_of_time_ ? ", then time was up" : "", met_all_kernels() ? "" : "; not remembered");
  }

 private:
  struct Trial {
    KernelEntry candidate;
    Variant variant;
    double time;  ///< over that of the first candidate
  };

  double seconds() const { return clocks_.now_s() - start_s_; }

  /// The best candidates with a block to vary, unless they are so slow that no block can help.
  std::vector<KernelEntry> best_with_blocks(std::size_t count) const {
    std::vector<KernelEntry> candidates;
    for (const auto& [candidate, variant, time] : trials_) {
      if (candidate.has_block() && candidates.size() < count && time <= 2 * trials_.front().time) {
        candidates.push_back(candidate);
      }
    }
    return candidates;
  }

  /// Prepares and times a candidate. Skips repeated ones, and all when time is up.
  void attempt(const KernelEntry& candidate) {
    const std::string text = describe(candidate);
    if (std::ranges::find(attempted_, text) != attempted_.end()) {
      return;
    }
    if (!verify_only_ && !trials_.empty() && seconds() > budget_s_) {
      out_of_time_ = true;
      return;
    }
    attempted_.push_back(text);
    std::optional<Variant> variant = prepare_or_report(prepare_, candidate);
    if (!variant) {
      return;
    }
    variant->verify = nullptr;  // the winner's is asked once more, in the end
    // The machine's speed changes from one second to the next, so a candidate runs in turns with
    // the best so far.
    double time = 1.0;
    if (!verify_only_) {
      const Trial& best = trials_.empty() ? Trial{candidate, *variant, 1.0} : trials_.front();
      const auto times = measure({*variant, best.variant}, 0.0, 6, clocks_);
      const double ratio = paired_ratio(times[0].rounds, times[1].rounds).median;
      time = best.time * ratio;
      fmt::print(
          stderr, "width {:2}  {:5.1f} s  {:<43} {:6.4f} ms  {:.2f} x the best\n", filter_width_,
          seconds(), text, summarize(times[0].rounds).median, ratio);
    }
    const auto place = std::ranges::upper_bound(trials_, time, {}, &Trial::time);
    trials_.insert(place, {candidate, *variant, time});
  }

  const std::vector<Extent> blocks_;
  const bool cpu_;
  const bool verify_only_;
  double budget_s_;
  const int filter_width_;
  const Prepare& prepare_;
  const Clocks& clocks_;
  std::vector<KernelEntry> kernels_;  ///< with their usual blocks
  const double start_s_ = clocks_.now_s();
  std::vector<std::string> attempted_;
  std::vector<Trial> trials_;  ///< the fastest first
  bool out_of_time_ = false;
};

}  // namespace

std::vector<Flag> search_flags(const std::string& winners) {
  settings.winners = winners;
  const auto set_budget = [](const std::string& text) {
    settings.budget_s = parse_number<double>(text).value_or(0.0);
    require(settings.budget_s > 0.0, "--search-budget: must be above 0, not '{}'", text);
  };
  return {
      {"--winners", "FILE",
       fmt::format("where the search's winners are kept\n(default: {})", winners), nullptr,
       &settings.winners},
      {"--search-budget", "SECONDS",
       "time for the search, for each filter width\n(default: 40 on a CPU, else 15)", set_budget}};
}

std::string describe(const KernelEntry& candidate) {
  const auto& [block, group, block8] = candidate.shape;
  return fmt::format(
      "{} {}x{}, group {}x{}", candidate.name(), block.width, block.height, group.width,
      group.height);
}

std::optional<Variant> tune(const Options& options, const Work& work, const Prepare& prepare) {
  return tune(options, work, prepare, system_clocks());
}

std::optional<Variant> tune(
    const Options& options, const Work& work, const Prepare& prepare, const Clocks& clocks) {
  std::vector<Winner> winners;
  if (!options.verify_only && std::filesystem::exists(settings.winners)) {
    try {
      winners = read_winners(options);
    } catch (const Error&) {
      const std::string text = read_file(settings.winners);
      if (!text.empty() && !text.starts_with(key_columns.front() + ',')) {
        throw Error("--winners: " + settings.winners + " is another file, and stays as it is");
      }
      fmt::print("winners {}: not a file of winners; ignored\n", settings.winners);
    }
  }
  const std::vector<KernelEntry> kernels = kernels_for(work, options);
  const std::string texts = hash_of(kernels, work.filter);
  std::vector<std::string> key = {
      device_name(work.device), work.device.getInfo<CL_DRIVER_VERSION>(),
      fmt::format("{}x{}", work.width, work.height), options.filter,
      std::to_string(work.filter.width)};
  for (std::string& field : key) {
    const auto special = [](unsigned char c) { return c < ' ' || c == ',' || c == '"'; };
    std::ranges::replace_if(field, special, '_');
  }
  if (const auto known = std::ranges::find(winners, key, &Winner::key); known != winners.end()) {
    const bool still_best = known->complete && known->texts == texts;
    if (auto variant = still_best ? prepare_or_report(prepare, known->kernel) : std::nullopt) {
      fmt::print("width {:2}  known: {}\n", work.filter.width, describe(known->kernel));
      variant->name = tuned;
      return variant;
    }
  }

  if (!options.verify_only) {
    require_writable(settings.winners);  // better now than after the search
  }
  Search search(options, work, kernels, prepare, clocks);
  search.run();
  if (!search.found()) {
    fmt::print("width {:2}  no candidate works\n", work.filter.width);
    return {};
  }
  const KernelEntry winner = search.winner();
  // Prepared once more, so that the winner is verified after having been timed too, and its result
  // is the program's last.
  auto variant = prepare_or_report(prepare, winner);
  if (!options.verify_only) {
    fmt::print(
        "width {:2}  {}\n          best: {}\n", work.filter.width, search.effort(),
        describe(winner));
  }
  if (variant) {
    variant->name = tuned;
    if (!options.verify_only) {
      remember(options, {key, winner, texts, search.met_all_kernels()});
    }
  }
  return variant;
}

}  // namespace tutorial
