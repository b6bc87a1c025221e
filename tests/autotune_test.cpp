// The search and its file of winners, with candidates that only pretend to be kernels. The device
// must be real, because the search asks it what it is.
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
#include "step9_autotune/search.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// What is said of a file whose head does not hold for this run.
constexpr const char* another = "of another device, driver, size, kernels or blocks";

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
    options_.known_kernels = kernels_;
    for (KernelEntry& kernel : options_.known_kernels) {
      kernel.file = (folder_ / kernel.file).string();
    }
    write(folder_ / "convolution.cl", "__kernel void Convolve() {}\n");
    write(folder_ / "block.cl", "__kernel void Convolve_Block() {}\n");
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
    EXPECT_LE(said.size() - path().string().size() + std::string("winners.csv").size(), 81U)
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

  static fs::path new_folder() {
    std::string name = (fs::temp_directory_path() / "autotune_test_XXXXXX").string();
    return mkdtemp(name.data());
  }

  cl::Device device_ = select_device("");
  bool cpu_ = is_cpu(device_);
  fs::path folder_ = new_folder();
  Options options_;
  Image image_ = Image(37, 23);
  Filter filter_ = make_filter("random", 7, 1);
  std::vector<KernelEntry> kernels_ = {
      {"Convolve", Shape::pixel, "convolution.cl"},
      {"Tile", Shape::tile, "convolution.cl"},
      {"Two", Shape::two, "block.cl"},
      {"Block", Shape::block, "block.cl"},
      {"Pairs", Shape::pairs, "block.cl"},
      {"Block16", Shape::block16, "block.cl"},
      {"Stream16", Shape::block16, "block.cl"},
      {"Sparse16", Shape::sparse16, "block.cl"},
  };
  // What the search tries on this device if the filter is not sparse.
  KernelEntry first_ = kernels_[cpu_ ? 5 : 3];
  KernelEntry second_ = kernels_[cpu_ ? 6 : 4];
  Candidate winner_ = {second_, {48, 6, 1, 1}};
};

using WinnersFile = Autotune;

TEST_F(WinnersFile, RoundTrip) {
  const Filter gauss = make_filter("gaussian", 7, 1);
  const Filter narrow = make_filter("random", 3, 1);
  const Candidate fast = {first_, {4, 8, 32, 4}};
  const Candidate largest = {second_, {64, 16, 1, 1}};
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
  for (const std::string key : {"platform", "device", "driver", "kernels", "size"}) {
    const std::size_t at = good.find("# " + key + ": ");
    ASSERT_NE(at, std::string::npos) << key;
    std::string text = good;
    text.insert(at + key.size() + 4, "x");
    write(path(), text);
    expect_ignored(another);
    // Left out altogether.
    text = good;
    text.erase(at, text.find('\n', at) + 1 - at);
    write(path(), text);
    expect_ignored(another);
  }
  std::string text = good;
  text.replace(text.find("filter_width,"), 12, "width");
  write(path(), text);
  expect_ignored(another);
  write(path(), good);
  std::string said;
  EXPECT_EQ(found(filter_, said), winner_);
}

TEST_F(WinnersFile, TheRunItselfMayHaveChanged) {
  keep_one();
  image_ = Image(37, 24);
  expect_ignored(another);
  image_ = Image(37, 23);
  for (const char* file : {"convolution.cl", "block.cl"}) {
    const std::string source = read(folder_ / file);
    write(folder_ / file, source + "// a comment\n");
    expect_ignored(another);
    write(folder_ / file, source);
  }
  std::string said;
  EXPECT_EQ(found(filter_, said), winner_);
}

TEST_F(WinnersFile, WhatIsNoSuchFileIsIgnored) {
  keep_one();
  const std::string good = read(path());
  // Cut off anywhere: a row counts only when it is whole.
  for (std::size_t length = 0; length < good.size(); length++) {
    write(path(), good.substr(0, length));
    std::string said;
    EXPECT_FALSE(found(filter_, said)) << length;
  }
  write(path(), "");
  expect_ignored(another);
  write(path(), "What is this?\n");
  expect_ignored(another);
  std::string binary;
  for (int i = 0; i < 100000; i++) {
    binary += static_cast<char>(i * 7919 >> 3);
  }
  write(path(), binary);
  expect_ignored(another);
  write(path(), good + binary);
  expect_ignored("row 2 cannot be used");
  fs::remove(path());
  fs::create_directory(path());
  expect_ignored(another);
}

TEST_F(WinnersFile, AbsurdRowsAreIgnored) {
  keep_one();
  const std::string good = read(path());
  const std::string row = good.substr(good.find("group_height\n") + 13);
  ASSERT_EQ(row.find("7,"), 0U);
  const std::string taps = row.substr(2, 16);
  for (const std::string rest : {
           "Block,4096,6,1,1",
           "Block,48,4096,1,1",
           "Block,80,6,1,1",
           "Block,48,17,1,1",
           "Block,0,6,1,1",
           "Block,48,0,1,1",
           "Block,48,6,0,1",
           "Block,48,6,1,0",
           "Block,48,6,-1,1",
           "Block,48,6,65537,1",
           "Block,48,6,4294967297,1",
           "Convolve,4,4,1,1",
           "Tile,4,4,1,1",
           "Two,2,1,1,1",
           "Best,4,4,1,1",
           ",4,4,1,1",
           "\x1b[31m,4,4,1,1",
           "Block,48,6,1",
           "Block,48,6,1,1,1",
           "Block,48,six,1,1",
           "Block,48,6 ,1,1",
           "Block,,6,1,1",
           "Block,48,6,1,1.5",
           "",
           ",",
       }) {
    write(path(), good.substr(0, good.size() - row.size()) + "7," + taps + "," + rest + "\n");
    expect_ignored("row 1 cannot be used");
  }
  for (const std::string width : {"33", "0", "-7", "7x", "", "99999999999"}) {
    write(path(), good + width + row.substr(1));
    expect_ignored("row 2 cannot be used");
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

// --- The search ---------------------------------------------------------------------------------

/// Stands in for kernels: verifies what `works` accepts, and notes what is launched.
struct Pretence {
  explicit Pretence(std::function<bool(const Candidate&)> accepts) : works(std::move(accepts)) {}

  std::optional<Variant> operator()(const KernelEntry& kernel, const Block& block) {
    const Candidate candidate = {kernel, block};
    prepared.push_back(candidate);
    if (!works(candidate)) {
      return {};
    }
    const std::string name = describe(candidate);
    return Variant{kernel.label, cl::NullRange, 0.0, [this, name] {
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
        [&pretence](const KernelEntry& kernel, const Block& block) {
          return pretence(kernel, block);
        });
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
      [this](const Candidate& c) { return c.kernel.name() == first_.name(); },
      [this](const Candidate& c) { return c.kernel.name() == second_.name(); },
      [](const Candidate& c) { return c.block.height == 8; },
      [](const Candidate& c) { return c.block.height != 4 && c.block.width != 64; },
      [](const Candidate& c) { return (c.block.width + c.block.height) % 3 == 0; },
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
  // The times are what the candidates say.
  Pretence pretence([](const Candidate&) { return true; });
  const auto reporting = [&pretence](const KernelEntry& kernel, const Block& block) {
    auto variant = pretence(kernel, block);
    variant->run_ms = [block] { return block.height == 8 ? 1.0 : 2.0; };
    return variant;
  };
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Winners winners(options_, device_, image_);
  const auto variant = tune(device_, options_, filter_, winners, reporting);
  testing::internal::GetCapturedStdout();
  testing::internal::GetCapturedStderr();
  ASSERT_TRUE(variant);
  EXPECT_EQ(winners.find(filter_)->block.height, 8);
}

TEST_F(Search, TriesNothingTwiceAndNothingThatCannotBe) {
  for (const char* name : {"random", "motion-blur"}) {
    filter_ = make_filter(name, 7, 1);
    for (const bool verify_only : {false, true}) {
      fs::remove(path());
      options_.verify_only = verify_only;
      Pretence pretence([](const Candidate&) { return true; });
      const Outcome run = tune_with(pretence);
      ASSERT_TRUE(run.variant);
      // The winner is prepared once more in the end.
      const Candidate last = pretence.prepared.back();
      pretence.prepared.pop_back();
      EXPECT_EQ(std::ranges::count(pretence.prepared, last), 1) << describe(last);
      std::set<std::string> candidates;
      std::set<std::string> kernels;
      for (const Candidate& candidate : pretence.prepared) {
        EXPECT_TRUE(candidates.insert(describe(candidate)).second) << describe(candidate);
        kernels.insert(candidate.kernel.name());
        EXPECT_FALSE(block_problem(candidate.kernel.shape, candidate.block, filter_));
        EXPECT_LE(candidate.block.width, largest_block.width);
        EXPECT_LE(candidate.block.height, largest_block.height);
      }
      EXPECT_GE(candidates.size(), 10U);
      std::set<std::string> expected = {first_.name(), second_.name()};
      if (cpu_ && is_sparse(filter_)) {
        expected.insert("Sparse16");
      }
      EXPECT_EQ(kernels, expected);
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
  Pretence pretence([this](const Candidate& candidate) -> bool {
    if (candidate.kernel.name() == first_.name()) {
      throw Error("the kernels do not build\n  file  ...");
    }
    if (candidate.block.height == 4) {
      throw cl::Error(-5, "clEnqueueNDRangeKernel");
    }
    return true;
  });
  const Outcome run = tune_with(pretence);
  EXPECT_NE(run.err.find(": the kernels do not build\n"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("file  ..."), std::string::npos) << "one line is enough";
  EXPECT_NE(run.err.find("CL_OUT_OF_RESOURCES"), std::string::npos) << run.err;
  if (run.variant) {
    EXPECT_NE(launch(run, pretence).find(second_.name()), std::string::npos);
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
          [&pretence](const KernelEntry& kernel, const Block& block) {
            return pretence(kernel, block);
          }),
      Error);
  EXPECT_TRUE(pretence.prepared.empty());
}

TEST_F(Search, StopsWhenTimeIsUpButNotBeforeSomethingWorks) {
  options_.search_budget_s = 0.001;
  int rejected = 0;
  Pretence pretence([&](const Candidate& candidate) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const bool accepted = candidate.kernel.name() == second_.name();
    rejected += accepted ? 0 : 1;
    return accepted;
  });
  const Outcome run = tune_with(pretence);
  ASSERT_TRUE(run.variant);
  EXPECT_EQ(pretence.prepared.back().kernel.name(), second_.name());
  // The one that worked was prepared to be tried, and once more as the winner.
  EXPECT_EQ(pretence.prepared.size(), static_cast<std::size_t>(rejected) + 2);
  EXPECT_NE(run.out.find(", then time was up"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace tutorial
