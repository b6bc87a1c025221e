// The search and its file of winners, with candidates that only pretend to be kernels. The device
// must be real, because the search asks it what it is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/launch.hpp"
#include "step9_autotune/search.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Search : public testing::Test {
 protected:
  Search() {
    constexpr Block floats = {4, 4, 4, CL_DEVICE_TYPE_GPU};
    constexpr Block vectors = {64, 4, 16, CL_DEVICE_TYPE_CPU};
    options_.known_kernels = {
        {"Convolve"},
        {.label = "Two", .block = {2, 1}},
        {.label = "Block", .block = floats},
        {.label = "Pairs", .block = floats, .pairs = true},
        {.label = "Block16", .block = vectors},
        {.label = "Stream16", .block = vectors},
        {.label = "Sparse16", .block = vectors, .sparse = true},
    };
    options_.winners = path_.string();
    options_.search_budget_s = 60.0;
  }
  ~Search() override { fs::remove_all(folder_); }

  static fs::path new_folder() {
    std::string name = (fs::temp_directory_path() / "autotune_test_XXXXXX").string();
    return mkdtemp(name.data());
  }

  /// Runs tune() with kernels that are right if `works` says so, and take `ms_` milliseconds.
  std::optional<Variant> tune(const std::function<bool(const KernelEntry&)>& works) {
    prepared_.clear();
    timed_.clear();
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto prepare = [&](const KernelEntry& entry) -> std::optional<Variant> {
      const std::string name = describe(entry);
      prepared_.push_back(name);
      if (!works(entry)) {
        return {};
      }
      const auto run_ms = [this, name, ms = ms_(entry)] {
        timed_.insert(last_ = name);
        return ms;
      };
      return Variant{entry.label, cl::NullRange, 0.0, nullptr, run_ms};
    };
    std::optional<Variant> variant;
    try {
      variant = tutorial::tune(device_, options_, image_, filter_, prepare);
      thrown_.clear();
    } catch (const Error& error) {
      thrown_ = error.what();
    }
    said_ = testing::internal::GetCapturedStdout();
    errors_ = testing::internal::GetCapturedStderr();
    return variant;
  }

  /// The candidate that a variant stands for.
  std::string name(const std::optional<Variant>& variant) {
    return variant ? (variant->run_ms(), last_) : "";
  }

  static bool all(const KernelEntry&) { return true; }

  cl::Device device_ = select_device("");
  bool cpu_ = is_cpu(device_);
  fs::path folder_ = new_folder();
  fs::path path_ = folder_ / "winners.csv";
  Options options_;
  Image image_ = Image(37, 23);
  Filter filter_ = make_filter("random", 7, 1);
  // What the search tries on this device if the filter is not sparse.
  std::string first_ = cpu_ ? "Block16" : "Block";
  std::string second_ = cpu_ ? "Stream16" : "Pairs";

  std::function<double(const KernelEntry&)> ms_ = [](const KernelEntry&) { return 1.0; };
  std::vector<std::string> prepared_;
  std::set<std::string> timed_;
  std::string last_, said_, errors_, thrown_;
};

TEST_F(Search, PrefersTheFaster) {
  ms_ = [](const KernelEntry& entry) { return entry.block.height == 8 ? 1.0 : 2.0; };
  EXPECT_NE(name(tune(all)).find("x8, group "), std::string::npos) << last_;
  fs::remove(path_);
  ms_ = [this](const KernelEntry& entry) { return entry.name() == second_ ? 1.0 : 2.0; };
  EXPECT_EQ(name(tune(all)).find(second_ + " "), 0U) << last_;
}

TEST_F(Search, ReturnsAndTimesOnlyWhatIsRight) {
  const std::vector<std::function<bool(const KernelEntry&)>> rules = {
      [this](const KernelEntry& entry) { return entry.name() == first_; },
      [](const KernelEntry& entry) { return entry.block.height != 4; },
      [](const KernelEntry& entry) { return (entry.block.width + entry.block.height) % 3 == 0; },
      [](const KernelEntry&) { return false; },
  };
  for (const auto& rule : rules) {
    fs::remove(path_);
    std::set<std::string> right;
    const auto variant = tune([&](const KernelEntry& entry) {
      return rule(entry) && (right.insert(describe(entry)), true);
    });
    EXPECT_EQ(variant.has_value(), !right.empty()) << said_;
    EXPECT_EQ(fs::exists(path_), !right.empty());
    for (const std::string& timed : timed_) {
      EXPECT_TRUE(right.contains(timed)) << "timed without verification: " << timed;
    }
    if (variant) {
      EXPECT_EQ(variant->name, "Tuned");
      EXPECT_TRUE(right.contains(name(variant))) << last_;
      EXPECT_NE(said_.find("best: " + last_ + "\n"), std::string::npos) << said_;
    } else {
      EXPECT_EQ(said_, "width  7  no candidate works\n");
    }
  }
}

TEST_F(Search, TriesNothingTwiceAndOnlyWhatSuitsTheDevice) {
  for (const char* filter : {"random", "motion-blur"}) {
    filter_ = make_filter(filter, 7, 1);
    for (const bool verify_only : {false, true}) {
      fs::remove(path_);
      options_.verify_only = verify_only;
      std::set<std::string> kernels;
      ASSERT_TRUE(tune([&](const KernelEntry& entry) {
        kernels.insert(entry.name());
        return !why_not(entry, filter_);
      }));
      EXPECT_EQ(timed_.empty(), verify_only);
      EXPECT_EQ(fs::exists(path_), !verify_only);
      prepared_.pop_back();  // the winner once more
      const std::set<std::string> different(prepared_.begin(), prepared_.end());
      EXPECT_EQ(different.size(), prepared_.size());
      EXPECT_GE(different.size(), 10U);
      std::set<std::string> expected = {first_, second_};
      if (cpu_ && filter_.is_sparse()) {
        expected.insert("Sparse16");
      }
      EXPECT_EQ(kernels, expected);
    }
  }
}

TEST_F(Search, PassesOverWhatDoesNotBuildOrLaunch) {
  const auto variant = tune([this](const KernelEntry& entry) -> bool {
    if (entry.name() == first_) {
      throw Error("the kernels do not build\n  file  ...");
    }
    return entry.block.height != 4 ? true : throw cl::Error(-5, "clEnqueueNDRangeKernel");
  });
  EXPECT_NE(errors_.find(first_ + ":"), std::string::npos) << errors_;
  EXPECT_NE(errors_.find(": the kernels do not build\n"), std::string::npos) << errors_;
  EXPECT_EQ(errors_.find("file  ..."), std::string::npos) << "one line is enough";
  EXPECT_NE(errors_.find("CL_OUT_OF_RESOURCES"), std::string::npos) << errors_;
}

TEST_F(Search, StopsWhenTimeIsUpButNotBeforeSomethingWorks) {
  options_.search_budget_s = 0.001;
  const auto variant = tune([&](const KernelEntry& entry) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return entry.name() == second_;
  });
  EXPECT_EQ(name(variant).find(second_ + " "), 0U) << last_;
  EXPECT_EQ(prepared_.size(), 3U) << "both kernels, and the winner once more";
  EXPECT_NE(said_.find("2 candidates in "), std::string::npos) << said_;
  EXPECT_NE(said_.find(", then time was up; not remembered\n"), std::string::npos) << said_;
  EXPECT_FALSE(fs::exists(path_)) << "it has won against nothing";
}

// --- The file of winners --------------------------------------------------------------------------

TEST_F(Search, AKnownWinnerIsVerifiedAndNotSearched) {
  const std::string winner = name(tune(all));
  const std::string file = read(path_);
  EXPECT_EQ(name(tune(all)), winner);
  EXPECT_EQ(prepared_, std::vector<std::string>{winner});
  EXPECT_EQ(said_, "width  7  known: " + winner + "\n");
  EXPECT_EQ(read(path_), file);
  // Nor is the file read or written with --verify-only.
  options_.verify_only = true;
  tune(all);
  EXPECT_GT(prepared_.size(), 2U);
  EXPECT_EQ(read(path_), file);
}

TEST_F(Search, AWinnerThatNoLongerWorksIsReplaced) {
  for (const bool throws : {false, true}) {
    const std::string winner = name(tune(all));
    const std::string other = name(tune([&](const KernelEntry& entry) {
      const bool is_winner = describe(entry) == winner;
      return is_winner && throws ? throw Error("does not build") : !is_winner;
    }));
    EXPECT_EQ(prepared_.front(), winner);
    EXPECT_NE(other, winner);
    EXPECT_NE(other, "");
    EXPECT_EQ(name(tune(all)), other);
    EXPECT_EQ(prepared_.size(), 1U);
  }
}

TEST_F(Search, AWinnerIsForOneDeviceDriverSizeFilterAndWidth) {
  tune(all);
  const std::string file = read(path_);
  const auto searches = [this] { return tune(all), prepared_.size() > 1; };
  image_ = Image(37, 24);
  EXPECT_TRUE(searches());
  image_ = Image(37, 23);
  options_.filter = "box";
  EXPECT_TRUE(searches());
  options_.filter = "a, \"b\"\n#c.txt";
  EXPECT_TRUE(searches());
  EXPECT_FALSE(searches()) << "a path that a CSV cannot hold as it is: " << read(path_);
  options_.filter = "random";
  filter_ = make_filter("random", 8, 1);
  EXPECT_TRUE(searches());
  filter_ = make_filter("random", 7, 1);
  EXPECT_FALSE(searches()) << "all are kept beside each other: " << read(path_);
  for (const int column : {0, 1}) {  // device, driver
    std::string other = file;
    const std::size_t row = other.find('\n') + 1;
    other.insert(column == 0 ? row : other.find(',', row) + 1, "x");
    write(path_, other);
    EXPECT_TRUE(searches()) << other;
    EXPECT_NE(read(path_).find(other), std::string::npos) << "the other's row is kept";
  }
}

TEST_F(Search, AFileThatCannotBeUsedIsIgnoredAndReplaced) {
  const std::string winner = name(tune(all));
  const std::string file = read(path_);
  const std::string head = file.substr(0, file.find('\n') + 1);
  const std::string row = file.substr(head.size());
  const std::string key = row.substr(0, row.find("," + winner.substr(0, winner.find(' '))));
  std::vector<std::string> bad = {
      "", file + "\x1b[31m\n", head.substr(7) + row.substr(row.find(',') + 1)};
  for (const std::string rest :
       {"Best,64,4,1,1", "Convolve,4,4,1,1", "Two,2,1,1,1", "Block16,65,4,1,1", "Block16,64,17,1,1",
        "Block16,0,4,1,1", "Block16,64,4,0,1", "Block16,64,4,1,65537", "Block16,64,4,1",
        "Block16,64,4,1,1,1", "Block16,64,four,1,1", "Block16,,4,1,1"}) {
    bad.push_back(head + key + "," + rest + "\n");
  }
  for (const std::string& text : bad) {
    write(path_, text);
    tune(all);
    EXPECT_GT(prepared_.size(), 2U) << text;
    const std::string ignored = "winners " + path_.string() + ": not a file of winners; ignored\n";
    EXPECT_EQ(said_.find(ignored), 0U) << text << said_;
    EXPECT_EQ(read(path_).substr(0, head.size()), head);
  }
}

TEST_F(Search, AFileThatCannotBeWrittenIsNoticedBeforeTheSearch) {
  options_.winners = (folder_ / "missing" / "winners.csv").string();
  tune(all);
  EXPECT_NE(thrown_.find("cannot write " + options_.winners), std::string::npos) << thrown_;
  EXPECT_TRUE(prepared_.empty());
}

}  // namespace
}  // namespace tutorial
