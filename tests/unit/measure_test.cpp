// Which fault turns this test red alone: a file that is measured again without a reason, or not in
// spite of one; a run of another device, of a killed program or of other arguments that is shown as
// this one's; a screen of results with a figure that the rounds do not give.
#include <gtest/gtest.h>

#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// In a folder with a plan of three tables, two of which `run` makes.
class MeasureTest : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(folder_.path());
    fs::create_directories("plots");
    fs::create_directories("results");
    fs::create_directories("programs");
    for (const char* step : {"step1_naive", "step2_unroll"}) {
      fs::create_directory_symlink(fs::path(ROOT_FOLDER) / step, step);
      fs::copy_file(fs::path(BUILD_FOLDER) / step, fs::path("programs") / step);
    }
    fs::copy_file(fs::path(ROOT_FOLDER) / "kernels.csv", "kernels.csv");
    set_environment("TUTORIAL_PROGRAMS", fs::absolute("programs").string());
    std::string plan = "table,on,program,widths,short,without,build_options,arguments\n";
    for (const char* on : {"CPU", "GPU"}) {
      plan += fmt::format(
          "ladder.1-6,{0},step1_naive,3:5,3,,,--size 16x16 --time-budget 0.01\n"
          "more,{0},step2_unroll,3,,,,--size 9x8 --time-budget 0.01\n"
          "sums,{0},step2_unroll,3,3,Convolve_Unroll,,--size 8x8 --time-budget 0.01\n"
          "absent,{0},no_program,3,3,,,\n",
          on);
    }
    write_whole("plots/measurements.csv", plan);
  }
  void TearDown() override {
    fs::current_path(before_);
    set_environment("TUTORIAL_PROGRAMS", "");
  }

  /// The tables that a run has measured, in their order.
  Words measured(bool all = false, const Words& own = {}) {
    testing::internal::CaptureStdout();
    problems = measure_all("results", all, own);
    Words tables;
    said = testing::internal::GetCapturedStdout();
    for (const std::string& line : split(said, '\n')) {
      if (const Words found = search(line, "^\\[[0-9]+/[0-9]+\\] ([^,]+), about ");
          !found.empty()) {
        tables.push_back(found[1]);
      }
    }
    return tables;
  }

  std::string said;
  Words problems;

 private:
  TemporaryFolder folder_;
  fs::path before_;
};

TEST_F(MeasureTest, OnlyWhatIsNotUpToDate) {
  const Words both = {"ladder.1-6", "sums"};
  EXPECT_EQ(measured(), both);
  EXPECT_NE(said.find("Not measured: absent"), std::string::npos) << said;
  EXPECT_TRUE(problems.empty()) << problems[0];
  EXPECT_EQ(
      Csv("results/ladder.1-6.csv").head("options"),
      "--size 16x16 --time-budget 0.01 --filter-width 3");
  EXPECT_EQ(Csv("results/sums.csv").size(), 3U) << "Convolve, OpenMP and the floor";
  EXPECT_EQ(measured(), Words{});

  // A program or a kernel file that is newer.
  fs::last_write_time("programs/step2_unroll", fs::file_time_type::clock::now());
  EXPECT_EQ(measured(), Words{"sums"});
  const std::string sums = read_file("results/sums.csv");
  write_whole("newer.cl", "");
  write_whole("results/sums.csv", replaced(sums, "(# kernel_files: )[^\n]*", "$1newer.cl"));
  EXPECT_EQ(measured(), Words{});
  fs::last_write_time("newer.cl", fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(measured(), Words{"sums"});
  // Another driver, other options, another kernel file: all that is in the head.
  for (const char* key : {"driver", "compute_units", "options", "kernel_files"}) {
    write_whole("results/sums.csv", replaced(sums, fmt::format("(# {}: )", key), "$1x"));
    EXPECT_EQ(measured(), Words{"sums"}) << key;
  }
  // What is no file of rounds; what a killed program left; what another device did.
  write_whole("results/sums.csv", "half");
  write_whole("results/old.csv.part", "half");
  write_whole("results/other.csv", replaced(sums, "# device: ", "# device: other "));
  EXPECT_EQ(measured(), Words{"sums"});
  EXPECT_FALSE(fs::exists("results/old.csv.part") || fs::exists("results/other.csv"));
}

TEST_F(MeasureTest, AllWidthsServeARunOfSome) {
  const Words all = {"ladder.1-6", "more", "sums"};
  EXPECT_EQ(measured(), (Words{"ladder.1-6", "sums"}));
  EXPECT_EQ(measured(true), (Words{"ladder.1-6", "more"})) << "the widths of sums are the same";
  EXPECT_EQ(Csv("results/ladder.1-6.csv").size(), 9U);
  EXPECT_EQ(measured(), Words{});
}

TEST_F(MeasureTest, TheReadersArgumentsGoToTheLadder) {
  measured();
  write_whole("mine.txt", "1 2 1\n2 4 2\n1 2 1\n");
  const Words own = {"--filter", fs::absolute("mine.txt").string(), "--seed", "3"};
  EXPECT_EQ(measured(false, own), Words{"ladder.1-6"});
  EXPECT_EQ(measured(false, own), Words{});
  write_whole("mine.txt", "1 2 1\n2 3 2\n1 2 1\n");
  EXPECT_EQ(measured(false, own), Words{"ladder.1-6"}) << "the content has changed, not the name";
  EXPECT_EQ(measured(), Words{"ladder.1-6"});
}

TEST_F(MeasureTest, WhatIsWrongIsSaidEachTime) {
  write_whole(
      "plots/measurements.csv",
      replaced(
          read_file("plots/measurements.csv"), "--size 8x8", "--size 8x8 --kernel-file wrong.cl"));
  const std::string right = read_file(fs::path(ROOT_FOLDER) / "step2_unroll/convolution.cl");
  write_whole("wrong.cl", replaced(right, "= sum;", "= sum + 1.0f;"));
  for (int i = 0; i < 2; i++) {
    EXPECT_EQ(measured(), i == 0 ? (Words{"ladder.1-6", "sums"}) : Words{"sums"}) << said;
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems[0].find("sums: "), std::string::npos);
  }
  fs::remove("wrong.cl");
  measured();
  EXPECT_FALSE(fs::exists("results/sums.csv")) << "old results are not shown as new";
}

}  // namespace
}  // namespace tutorial
