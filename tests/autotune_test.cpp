// The search and its file of winners, with candidates that only pretend to be kernels. The device
// must be real, because the search asks it what it is.
#include "common/autotune.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "common/device.hpp"
#include "common/error.hpp"

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

/// A folder of its own, a kernel file, a device, and options that name them.
class Autotune : public testing::Test {
 protected:
  Autotune() {
    std::string name = (fs::temp_directory_path() / "autotune_test_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    write(folder_ / "kernels.cl", "__kernel void Convolve() {}\n");
    options_.kernel_file = (folder_ / "kernels.cl").string();
    options_.winners = path().string();
    options_.search_budget_s = 60.0;
  }

  ~Autotune() override { fs::remove_all(folder_); }

  fs::path path() const { return folder_ / "winners.csv"; }

  /// What a new run finds in the file, and what it says about it.
  std::optional<Candidate> found(const Filter& filter, std::string& said) {
    testing::internal::CaptureStdout();
    const Winners winners(options_, device_, image_);
    said = testing::internal::GetCapturedStdout();
    return winners.find(filter);
  }

  /// Expects that the file is ignored as a whole, and why.
  void expect_ignored(const std::string& why) {
    std::string said;
    EXPECT_FALSE(found(filter_, said)) << why;
    EXPECT_NE(said.find(why), std::string::npos) << "said: " << said << " not: " << why;
    EXPECT_NE(said.find("; ignored\n"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_LE(said.size() - path().string().size() + std::string("winners.csv\n").size(), 81U)
        << said;
    EXPECT_TRUE(std::all_of(said.begin(), said.end(), [](char c) {
      return c == '\n' || (c >= ' ' && c <= '~');
    })) << said;
  }

  void keep_one() {
    fs::remove(path());
    Winners winners(options_, device_, image_);
    winners.keep(filter_, winner_);
  }

  cl::Device device_ = select_device("");
  fs::path folder_;
  Options options_;
  Image image_ = Image(37, 23);
  Filter filter_ = make_filter("random", 7, 1);
  Candidate winner_ = {"Convolve_Baked", {16, 48, 6, 1, 1}};
};

using WinnersFile = Autotune;

TEST_F(WinnersFile, RoundTrip) {
  const Filter gauss = make_filter("gaussian", 7, 1);
  const Filter narrow = make_filter("random", 3, 1);
  const Candidate fast = {"Convolve_Fast", {1, 4, 8, 32, 4}};
  const Candidate largest = {"Convolve_Tile", {16, 64, 16, 1, 1}};
  {
    Winners winners(options_, device_, image_);
    EXPECT_FALSE(winners.find(filter_));
    winners.keep(filter_, winner_);
    winners.keep(gauss, fast);
    winners.keep(narrow, largest);
    EXPECT_EQ(winners.find(gauss), fast);
  }
  std::string said;
  EXPECT_EQ(found(filter_, said), winner_);
  EXPECT_EQ(said, "");
  EXPECT_EQ(found(gauss, said), fast);
  EXPECT_EQ(found(narrow, said), largest);
  // A later winner of the same filter takes the place of the earlier one.
  Winners(options_, device_, image_).keep(gauss, winner_);
  EXPECT_EQ(found(gauss, said), winner_);
  EXPECT_EQ(found(narrow, said), largest);
  const std::string text = read(path());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7 + 3) << text;
}

TEST_F(WinnersFile, AnotherFilterIsNotFound) {
  keep_one();
  std::string said;
  EXPECT_TRUE(found(filter_, said));
  EXPECT_FALSE(found(make_filter("random", 7, 2), said)) << "another seed";
  EXPECT_FALSE(found(make_filter("box", 7, 1), said));
  EXPECT_FALSE(found(make_filter("random", 8, 1), said));
  Filter changed = filter_;
  changed.taps[48] = std::nextafter(changed.taps[48], 2.0F);
  EXPECT_FALSE(found(changed, said)) << "one bit of one tap";
}

TEST_F(WinnersFile, EachLineOfTheHeadMustHold) {
  keep_one();
  const std::string good = read(path());
  for (const std::string key : {"platform", "device", "driver", "source", "size"}) {
    const std::size_t at = good.find("# " + key + ": ");
    ASSERT_NE(at, std::string::npos) << key;
    std::string text = good;
    text.insert(at + key.size() + 4, "x");
    write(path(), text);
    expect_ignored("made for another " + key);
    // Left out altogether.
    text = good;
    text.erase(at, text.find('\n', at) + 1 - at);
    write(path(), text);
    expect_ignored("is no file of winners");
  }
  std::string text = good;
  text.replace(text.find("filter_width,"), 12, "width");
  write(path(), text);
  expect_ignored("is no file of winners");
  write(path(), good);
  std::string said;
  EXPECT_EQ(found(filter_, said), winner_);
}

TEST_F(WinnersFile, TheRunItselfMayHaveChanged) {
  keep_one();
  image_ = Image(37, 24);
  expect_ignored("made for another size");
  image_ = Image(37, 23);
  write(options_.kernel_file, read(options_.kernel_file) + "// a comment\n");
  expect_ignored("made for another source");
}

TEST_F(WinnersFile, WhatIsNoSuchFileIsIgnored) {
  keep_one();
  const std::string good = read(path());
  const std::size_t head = good.find("group_height\n") + 13;
  // Cut off anywhere: before the row is whole nothing may be found. (From there on, one row is.)
  for (std::size_t length = 0; length + 2 < good.size(); length++) {
    write(path(), good.substr(0, length));
    std::string said;
    EXPECT_FALSE(found(filter_, said)) << length;
    if (length != head && length + 1 != head) {
      EXPECT_NE(said.find("; ignored\n"), std::string::npos) << length << ": " << said;
    }
  }
  write(path(), "");
  expect_ignored("is cut off");
  write(path(), "What is this?\n");
  expect_ignored("is no file of winners");
  std::string binary;
  for (int i = 0; i < 100000; i++) {
    binary += static_cast<char>(i * 7919 >> 3);
  }
  write(path(), binary);
  expect_ignored("is no file of winners");
  write(path(), good + binary);
  expect_ignored("row 2");
  fs::remove(path());
  fs::create_directory(path());
  expect_ignored("is cut off");
}

TEST_F(WinnersFile, AbsurdRowsAreIgnored) {
  keep_one();
  const std::string good = read(path());
  const std::string row = good.substr(good.find("group_height\n") + 13);
  ASSERT_EQ(row.find("7,"), 0U);
  const std::string taps = row.substr(2, 16);
  for (const std::string rest :
       {"Convolve_Baked,16,4096,6,1,1",
        "Convolve_Baked,16,48,4096,1,1",
        "Convolve_Baked,16,80,6,1,1",
        "Convolve_Baked,16,48,17,1,1",
        "Convolve_Baked,3,48,6,1,1",
        "Convolve_Baked,0,48,6,1,1",
        "Convolve_Baked,16,24,6,1,1",
        "Convolve_Baked,1,6,6,1,1",
        "Convolve_Baked,16,48,6,0,1",
        "Convolve_Baked,16,48,6,1,0",
        "Convolve_Baked,16,48,6,-1,1",
        "Convolve_Baked,16,48,6,65536,65536",
        "Convolve_Baked,16,48,6,4294967297,1",
        "Convolve_Fast,16,48,6,1,1",
        "Convolve,1,4,4,1,1",
        "Convolve_Best,1,4,4,1,1",
        ",1,4,4,1,1",
        "\x1b[31m,1,4,4,1,1",
        "Convolve_Baked,16,48,6,1",
        "Convolve_Baked,16,48,6,1,1,1",
        "Convolve_Baked,16,48,six,1,1",
        "Convolve_Baked,16,48,6 ,1,1",
        "Convolve_Baked,16,,6,1,1",
        "Convolve_Baked,16,48,6,1,1.5",
        "",
        ","}) {
    write(path(), good.substr(0, good.size() - row.size()) + "7," + taps + "," + rest + "\n");
    expect_ignored("row 1: ");
  }
  for (const std::string width : {"33", "0", "-7", "7x", "", "99999999999"}) {
    write(path(), good + width + row.substr(1));
    expect_ignored("row 2: ");
  }
}

TEST_F(WinnersFile, APathThatCannotBeWritten) {
  options_.winners = (folder_ / "missing" / "winners.csv").string();
  Winners winners(options_, device_, image_);
  for (const bool keep : {true, false}) {
    try {
      keep ? winners.keep(filter_, winner_) : winners.require_writable();
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), options_.winners + ": cannot be written");
    }
  }
}

// --- The search
// -----------------------------------------------------------------------------------

/// Stands in for kernels: verifies what `works` accepts, and notes what is launched.
struct Pretence {
  explicit Pretence(std::function<bool(const Candidate&)> accepts) : works(std::move(accepts)) {}

  std::optional<Variant> operator()(const Candidate& candidate) {
    prepared.push_back(candidate);
    if (!works(candidate)) {
      return {};
    }
    const std::string name = describe(candidate);
    return Variant{candidate.kernel, cl::NullRange, 0.0, [this, name] {
                     launched.insert(name);
                     last = name;
                     return cl::Event();
                   }};
  }

  std::function<bool(const Candidate&)> works;
  std::vector<Candidate> prepared;
  std::set<std::string> launched;
  std::string last;
};

/// A run of tune().
struct Outcome {
  std::optional<Variant> variant;
  std::string out;
  std::string err;
};

class Search : public Autotune {
 protected:
  Outcome tune_with(Pretence& pretence) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome run;
    Winners winners(options_, device_, image_);
    run.variant = tune(
        device_, options_, filter_, winners,
        [&pretence](const Candidate& candidate) { return pretence(candidate); });
    run.out = testing::internal::GetCapturedStdout();
    run.err = testing::internal::GetCapturedStderr();
    return run;
  }

  /// The candidate that a variant stands for.
  static std::string launch(const Outcome& run, Pretence& pretence) {
    run.variant->launch();
    return pretence.last;
  }
};

TEST_F(Search, NeverReturnsWhatWasRejected) {
  const std::vector<std::function<bool(const Candidate&)>> accepted = {
      [](const Candidate& c) { return c.kernel == "Convolve_Tile"; },
      [](const Candidate& c) { return c.kernel == "Convolve_Baked"; },
      [](const Candidate& c) { return c.tile.height == 8; },
      [](const Candidate& c) { return c.tile.height != 4 && c.tile.width != 64; },
      [](const Candidate& c) { return (c.tile.width + c.tile.height) % 3 == 0; },
  };
  for (std::size_t i = 0; i < accepted.size(); i++) {
    fs::remove(path());
    Pretence pretence(accepted[i]);
    const Outcome run = tune_with(pretence);
    std::set<std::string> right;
    for (const Candidate& candidate : pretence.prepared) {
      if (accepted[i](candidate)) {
        right.insert(describe(candidate));
      }
    }
    if (!run.variant) {
      EXPECT_TRUE(right.empty()) << i;
      continue;
    }
    EXPECT_EQ(run.variant->name, "Tuned");
    EXPECT_TRUE(right.contains(launch(run, pretence))) << i << ": " << pretence.last;
    for (const std::string& name : pretence.launched) {
      EXPECT_TRUE(right.contains(name)) << i << ": timed without verification: " << name;
    }
    // What the file says is what was returned.
    std::string said;
    const auto kept = found(filter_, said);
    ASSERT_TRUE(kept) << said;
    EXPECT_EQ(describe(*kept), launch(run, pretence));
    EXPECT_NE(run.out.find("best: " + describe(*kept)), std::string::npos) << run.out;
  }
}

TEST_F(Search, PrefersTheFaster) {
  // By a hundredfold, so that no load of the machine changes it.
  Pretence pretence([](const Candidate&) { return true; });
  const auto slow = [&pretence](const Candidate& candidate) {
    auto variant = pretence(candidate);
    if (candidate.tile.height != 3) {
      variant->launch = [launch = variant->launch] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return launch();
      };
    }
    return variant;
  };
  if ((device_.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) == 0) {
    GTEST_SKIP() << "blocks of three rows are tried on CPUs";
  }
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Winners winners(options_, device_, image_);
  const auto variant = tune(device_, options_, filter_, winners, slow);
  testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
  ASSERT_TRUE(variant);
  EXPECT_EQ(winners.find(filter_)->tile.height, 3);
}

TEST_F(Search, TriesNothingTwiceAndNothingThatCannotBe) {
  for (const int lanes : {0, 1, 16}) {
    for (const bool verify_only : {false, true}) {
      fs::remove(path());
      options_.lanes = lanes;
      options_.verify_only = verify_only;
      Pretence pretence([](const Candidate&) { return true; });
      const Outcome run = tune_with(pretence);
      EXPECT_TRUE(run.variant);
      if (!verify_only) {
        // The winner is prepared once more in the end.
        const Candidate last = pretence.prepared.back();
        pretence.prepared.pop_back();
        EXPECT_EQ(std::ranges::count(pretence.prepared, last), 1) << describe(last);
      }
      std::set<std::string> names;
      for (const Candidate& candidate : pretence.prepared) {
        const Tile& tile = candidate.tile;
        EXPECT_TRUE(names.insert(describe(candidate)).second) << describe(candidate);
        EXPECT_TRUE(computes_tiles(candidate.kernel)) << candidate.kernel;
        EXPECT_EQ(tile.width % (tile.lanes == 1 ? 4 : 16), 0) << describe(candidate);
        EXPECT_LE(tile.width, largest_tile.width);
        EXPECT_LE(tile.height, largest_tile.height);
        EXPECT_TRUE(lanes == 0 || tile.lanes == lanes) << describe(candidate);
      }
      EXPECT_GE(names.size(), 10U);
    }
  }
}

TEST_F(Search, NothingWorks) {
  Pretence pretence([](const Candidate&) { return false; });
  const Outcome run = tune_with(pretence);
  EXPECT_FALSE(run.variant);
  EXPECT_EQ(run.out, "width  7  no candidate works\n");
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_GE(pretence.prepared.size(), 2U);
}

TEST_F(Search, WhatDoesNotBuildOrLaunchIsPassedOver) {
  Pretence pretence([](const Candidate& candidate) -> bool {
    if (candidate.kernel == "Convolve_Tile") {
      throw Error("the kernels do not build\n  file  ...");
    }
    if (candidate.tile.height == 4) {
      throw cl::Error(-5, "clEnqueueNDRangeKernel");
    }
    return true;
  });
  const Outcome run = tune_with(pretence);
  EXPECT_NE(run.err.find("group 1x1: the kernels do not build\n"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("file  ..."), std::string::npos) << "one line is enough";
  EXPECT_NE(run.err.find("CL_OUT_OF_RESOURCES"), std::string::npos) << run.err;
  if (run.variant) {
    EXPECT_EQ(launch(run, pretence).find("Convolve_Tile"), std::string::npos);
  }
}

TEST_F(Search, AKnownWinnerIsVerifiedAndNotSearched) {
  keep_one();
  Pretence pretence([](const Candidate&) { return true; });
  const Outcome run = tune_with(pretence);
  ASSERT_TRUE(run.variant);
  EXPECT_EQ(pretence.prepared, std::vector<Candidate>{winner_});
  EXPECT_EQ(run.out, "width  7  known: " + describe(winner_) + "\n");
  EXPECT_EQ(run.variant->name, "Tuned");
  EXPECT_EQ(launch(run, pretence), describe(winner_));
}

TEST_F(Search, AKnownWinnerThatNoLongerWorksIsReplaced) {
  for (const bool throws : {false, true}) {
    keep_one();
    Pretence pretence([&](const Candidate& candidate) {
      if (throws && candidate == winner_) {
        throw Error("does not build");
      }
      return candidate != winner_;
    });
    const Outcome run = tune_with(pretence);
    ASSERT_TRUE(run.variant);
    EXPECT_EQ(pretence.prepared.front(), winner_);
    EXPECT_GT(pretence.prepared.size(), 2U);
    EXPECT_NE(launch(run, pretence), describe(winner_));
    EXPECT_EQ(run.out.find("known:"), std::string::npos) << run.out;
    std::string said;
    const auto kept = found(filter_, said);
    ASSERT_TRUE(kept);
    EXPECT_NE(*kept, winner_);
  }
}

TEST_F(Search, VerifyOnlyPreparesAllAndTouchesNoFile) {
  options_.verify_only = true;
  Pretence pretence([](const Candidate&) { return true; });
  const Outcome run = tune_with(pretence);
  EXPECT_TRUE(run.variant);
  EXPECT_TRUE(pretence.launched.empty()) << "timed: " << *pretence.launched.begin();
  EXPECT_FALSE(fs::exists(path()));
  // Nor is one read.
  options_.verify_only = false;
  keep_one();
  const std::string before = read(path());
  options_.verify_only = true;
  Pretence again([](const Candidate&) { return true; });
  EXPECT_EQ(tune_with(again).out, "");
  EXPECT_EQ(again.prepared, pretence.prepared);
  EXPECT_EQ(read(path()), before);
}

TEST_F(Search, AFileThatCannotBeWrittenIsNoticedBeforeTheSearch) {
  options_.winners = (folder_ / "missing" / "winners.csv").string();
  Winners winners(options_, device_, image_);
  Pretence pretence([](const Candidate&) { return true; });
  EXPECT_THROW(
      tune(
          device_, options_, filter_, winners,
          [&pretence](const Candidate& candidate) { return pretence(candidate); }),
      Error);
  EXPECT_TRUE(pretence.prepared.empty());
}

TEST_F(Search, StopsWhenTimeIsUpButNotBeforeSomethingWorks) {
  options_.search_budget_s = 0.001;
  int rejected = 0;
  Pretence pretence([&rejected](const Candidate& candidate) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    rejected += candidate.kernel == "Convolve_Tile" ? 1 : 0;
    return candidate.kernel != "Convolve_Tile";
  });
  const Outcome run = tune_with(pretence);
  ASSERT_TRUE(run.variant);
  EXPECT_EQ(pretence.prepared.back().kernel, "Convolve_Baked");
  // The one that worked was prepared to be tried, and once more as the winner.
  EXPECT_EQ(pretence.prepared.size(), static_cast<std::size_t>(rejected) + 2);
  EXPECT_NE(run.out.find(", then time was up"), std::string::npos) << run.out;
}

TEST(OnlyKernel, HasTheNumbersOfTheKernelFile) {
  EXPECT_EQ(only_kernel("Convolve_Tile"), " -DONLY_KERNEL=15");
  EXPECT_EQ(only_kernel("Convolve_Baked"), " -DONLY_KERNEL=16");
  EXPECT_EQ(only_kernel("Convolve_Fast"), " -DONLY_KERNEL=17");
}

}  // namespace
}  // namespace tutorial
