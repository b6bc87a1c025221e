// Which fault turns this test red alone: the search prefers what is slower, times or returns what
// is wrong, or takes a winner that its file has for something else. The candidates only pretend to
// be kernels; the device must be real, because the search asks it what it is.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <set>

#include "common/system.hpp"
#include "common/text.hpp"
#include "step9_autotune/search.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class Search : public testing::Test {
 protected:
  Search() {
    const cl_device_type here = cpu_ ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
    const cl_device_type elsewhere = cpu_ ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    set_environment("TUTORIAL_VECTOR", "16");  // the blocks of a CPU are those for such vectors
    const Shape block = {.block = {cpu_ ? 64 : 4, 4}};
    options_.known_kernels = {
        {"Convolve"},
        {"First", "", nullptr, block, here},
        {"Second", "", nullptr, block, here},
        {"Third", "", nullptr, block, here},
        {"Elsewhere", "", nullptr, block, elsewhere},
        {.label = "Sparse", .shape = block, .tried_on = here, .sparse = true},
        {"Transform", "", nullptr, {{64, 64}, {64, 4}}, here, true},
    };
    search_flags(path_).back().set("60");
  }

  /// Runs tune() with kernels that are right if `works` says so, and take `ms_` milliseconds.
  std::optional<Variant> tune(const std::function<bool(const KernelEntry&)>& works) {
    prepared_.clear();
    timed_.clear();
    const auto prepare = [&](const KernelEntry& entry) -> std::optional<Variant> {
      const std::string name = describe(entry);
      prepared_.push_back(name);
      if (!works(entry)) {
        return {};
      }
      const auto run_ms = [this, name, entry] {
        timed_.insert(last_ = name);
        return ms_(entry);
      };
      return Variant{entry.label, cl::NullRange, 0.0, nullptr, nullptr, run_ms};
    };
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto variant = tutorial::tune(options_, Work(queue_, image_, filter_), prepare, clocks_);
    said_ = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    return variant;
  }

  /// The candidate that a variant stands for.
  std::string name(const std::optional<Variant>& variant) {
    variant.value().run_ms();
    return last_;
  }

  /// Whether it does not find a winner in the file; of so few candidates that it is over at once.
  bool searches() {
    tune([](const KernelEntry& entry) { return entry.fixed; });
    return prepared_.size() > 1;
  }
  bool said(const std::string& part) { return said_.find(part) != said_.npos; }

  cl::Device device_ = select_device("");
  cl::CommandQueue queue_{cl::Context(device_), device_};
  bool cpu_ = is_cpu(device_);
  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/winners.csv";
  Options options_;
  Image image_ = Image(37, 23);
  Filter filter_ = make_filter("random", 7, 1);
  std::function<double(const KernelEntry&)> ms_ = [](const KernelEntry&) { return 1.0; };
  double now_s_ = 0.0;
  const Clocks clocks_ = {
      // each look at them takes a millisecond
      [this] { return now_s_ += 1e-3; }, [] { return 0.0; }, [] { return 0.0; }};
  std::vector<std::string> prepared_;
  Names timed_;
  std::string last_, said_;
};

TEST_F(Search, FindsTheFastestAndTriesNothingTwice) {
  ms_ = [this](const KernelEntry& entry) {
    const Extent group = entry.shape.group;
    return 3.0 - (entry.name() == "Second") - (entry.shape.block.height == 8) -
           0.2 * (group.width == (cpu_ ? 4 : 64)) + 1e-3 * group.width * group.height;
  };
  Names kernels;
  const auto variant =
      tune([&](const KernelEntry& entry) { return kernels.insert(entry.name()), true; });
  EXPECT_EQ(name(variant), cpu_ ? "Second 32x8, group 4x1" : "Second 4x8, group 64x1");
  EXPECT_EQ(kernels, (Names{"First", "Second", "Third", "Transform"}));
  prepared_.pop_back();  // the winner once more
  EXPECT_EQ(Names(prepared_.begin(), prepared_.end()).size(), prepared_.size());
}

// The second is the best, and the third is behind it, but faster than the first.
TEST_F(Search, GivesOtherBlocksToTheTwoBestOfAllAndNotOfTheLast) {
  ms_ = [](const KernelEntry& entry) {
    return entry.name() == "Second" ? 2.0 : entry.name() == "Third" ? 3.0 : 3.9;
  };
  Names varied;
  tune([&](const KernelEntry& entry) {
    return entry.shape.block.height == 4 || entry.fixed || (varied.insert(entry.name()), false);
  });
  EXPECT_EQ(varied, (Names{"Second", "Third"}));
}

// A candidate that is faster beside all others than it was beside the best alone, as they were
// tried; and by the median, not by its fastest run.
TEST_F(Search, TheFinalDecidesWhoWinsByMedians) {
  std::deque<std::string> last_runs;
  int mixed = 0;  // how long more than two take turns
  int runs = 0;
  ms_ = [&](const KernelEntry& entry) {
    last_runs.push_front(last_);
    last_runs.resize(10);
    mixed = Names(last_runs.begin(), last_runs.end()).size() > 2 ? mixed + 1 : 0;
    return entry.name() == "First"                  ? 1.0
           : entry.name() == "Third" && mixed > 20  ? 0.5
           : entry.name() == "Second" && runs++ % 5 ? 1.5
           : entry.name() == "Second"               ? 0.1
                                                    : 1.6;
  };
  Names usual;  // blocks and groups, of which each kernel has one
  const auto winner = tune([&usual](const KernelEntry& entry) {
    return usual.size() < 4 ? usual.insert(describe(entry)).second
                            : usual.contains(describe(entry));
  });
  EXPECT_EQ(name(winner).substr(0, 5), "Third") << said_;
}

TEST_F(Search, ReturnsAndTimesOnlyWhatIsRightAndBuilds) {
  for (const int height : {4, 8, 0}) {  // of the blocks with which kernels are right
    fs::remove(path_);
    Names right;
    const auto variant = tune([&](const KernelEntry& entry) {
      require(entry.name() != "First", "it does not build\n  file  ...");
      return entry.shape.block.height == height && (right.insert(describe(entry)), true);
    });
    EXPECT_TRUE(said(": it does not build\n")) << "one line each";
    EXPECT_EQ(variant.has_value(), !right.empty()) << said_;
    EXPECT_EQ(fs::exists(path_), !right.empty());
    EXPECT_TRUE(std::ranges::includes(right, timed_)) << "timed without verification";
    if (variant) {
      EXPECT_EQ(variant->name, "Tuned");
      EXPECT_TRUE(right.contains(name(variant)) && said("best: " + last_ + "\n")) << said_;
    }
  }
}

TEST_F(Search, AWinnerIsForItsCaseAlone) {
  const std::string kernel_file = folder_.path() + "/any.cl";
  options_.known_kernels.back().file = kernel_file;
  write_whole(kernel_file, "// one text");
  EXPECT_TRUE(searches());
  const std::vector<std::function<void()>> changes = {
      [&] { image_ = Image(37, 24); },
      [&] { options_.filter = "a, \"b\"\n#c.txt"; },  // a path that a CSV cannot hold as it is
      [&] { filter_ = make_filter("random", 8, 1); },
      [&] { filter_.taps[0] += 0.5F; },  // the file has another content now, or --seed is another
      [&] { set_environment("TUTORIAL_BUILD_OPTIONS", "-cl-fast-relaxed-math"); },
      [&] { write_whole(kernel_file, "// another"); }};
  for (std::size_t i = 0; i < changes.size(); i++) {
    changes[i]();
    EXPECT_TRUE(searches()) << i;
    EXPECT_FALSE(searches()) << i << read_file(path_);
  }
  set_environment("TUTORIAL_BUILD_OPTIONS", "");
  const std::string file = read_file(path_);
  EXPECT_EQ(std::ranges::count(file, '\n'), 5) << "a row for each key";
  // Of another device, or another driver; or what is none.
  const std::size_t device = file.rfind('\n', file.size() - 2) + 1;
  const std::string key = device_name(device_) + "," + device_.getInfo<CL_DRIVER_VERSION>();
  EXPECT_EQ(file.substr(device, key.size() + 7), key + ",37x24,");
  for (const std::size_t column : {device, file.find(',', device) + 1}) {
    write_whole(path_, std::string(file).insert(column, "x"));
    EXPECT_TRUE(searches());
  }
  for (const char* row : {"Best,64,4", "Convolve,4,4", "First,65,4", "First,64,four"}) {
    const std::size_t kernel = file.find("Transform", device);
    write_whole(path_, fmt::format("{}{},1,1,0,1\n", file.substr(0, kernel), row));
    EXPECT_TRUE(searches() && said("winners " + path_ + ": not a file of winners")) << row << said_;
    EXPECT_FALSE(searches()) << "it is replaced";
  }
}

}  // namespace
}  // namespace tutorial
