// Which fault turns this test red alone: a file that is measured again without a reason, or not in
// spite of one; a run of another device, of a killed program or of other arguments that is shown as
// this one's.
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
    for (const char* folder : {"plots", "results", "programs"}) {
      fs::create_directories(folder);
    }
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

  /// The tables that a run has measured, in their order; then what went wrong.
  std::string measured(bool all = false, const Words& own = {}) {
    testing::internal::CaptureStdout();
    const Words problems = measure_all("results", all, own);
    said = testing::internal::GetCapturedStdout();
    std::string tables;
    for (const std::string& line : split(said, '\n')) {
      const Words found = search(line, "^\\[[0-9]+/[0-9]+\\] ([^,]+), about ");
      tables += found.empty() ? "" : found[1] + " ";
    }
    return fmt::format("{}{}", tables, fmt::join(problems, " "));
  }

  std::string said;

 private:
  TemporaryFolder folder_;
  fs::path before_;
};

TEST_F(MeasureTest, OnlyWhatIsNotUpToDate) {
  EXPECT_EQ(measured(), "ladder.1-6 sums ");
  EXPECT_NE(said.find("Not measured: absent"), std::string::npos) << said;
  EXPECT_EQ(
      Csv("results/ladder.1-6.csv").head("options"),
      "--size 16x16 --time-budget 0.01 --filter-width 3");
  EXPECT_EQ(Csv("results/sums.csv").size(), 3U) << "Convolve, OpenMP and the floor";
  EXPECT_EQ(measured(), "");
  const std::string sums = read_file("results/sums.csv");
  const auto soon = fs::file_time_type::clock::now() + std::chrono::hours(1);
  fs::last_write_time("results/sums.csv", soon);
  EXPECT_EQ(measured(), "");
  fs::last_write_time("programs/step2_unroll", soon + std::chrono::seconds(1));
  EXPECT_EQ(measured(), "sums ") << "the program is newer";
  fs::last_write_time("programs/step2_unroll", soon - std::chrono::hours(2));
  EXPECT_EQ(measured(), "");
  write_whole("newer.cl", "");
  fs::last_write_time("newer.cl", soon);
  // All that is in the head; what is no file of rounds.
  for (const auto& [what, by] : std::vector<std::pair<std::string, std::string>>{
           {"(# platform: )", "$1x"},
           {"(# driver: )", "$1x"},
           {"(# compute_units: )", "$1x"},
           {"(# options: )", "$1x"},
           {"(# kernel_files: )[^\n]*", "$1newer.cl"},
           {"(# device: )", "$1other "},
           {"[^]*", "half"}}) {
    write_whole("results/sums.csv", replaced(sums, what, by));
    EXPECT_EQ(measured(), "sums ") << what;
  }
  // What a killed program left; what another device did.
  write_whole("results/old.csv.part", "half");
  write_whole("results/other.csv", replaced(sums, "# device: ", "# device: other "));
  EXPECT_EQ(measured(), "");
  EXPECT_FALSE(fs::exists("results/old.csv.part") || fs::exists("results/other.csv"));
}

TEST_F(MeasureTest, AllWidthsServeARunOfSomeAndTheReadersArgumentsGoToTheLadder) {
  EXPECT_EQ(measured(), "ladder.1-6 sums ");
  EXPECT_EQ(measured(true), "ladder.1-6 more ") << "the widths of sums are the same";
  EXPECT_EQ(Csv("results/ladder.1-6.csv").size(), 9U);
  EXPECT_EQ(measured(), "");
  write_whole("mine.txt", "1 2 1\n2 4 2\n1 2 1\n");
  const Words own = {"--filter", fs::absolute("mine.txt").string(), "--seed", "3"};
  EXPECT_EQ(measured(false, own), "ladder.1-6 ");
  EXPECT_EQ(measured(false, own), "");
  write_whole("mine.txt", "1 2 1\n2 3 2\n1 2 1\n");
  EXPECT_EQ(measured(false, own), "ladder.1-6 ") << "the content has changed, not the name";
  EXPECT_EQ(measured(), "ladder.1-6 ");
}

TEST_F(MeasureTest, WhatIsWrongIsSaidEachTime) {
  const std::string plan = read_file("plots/measurements.csv");
  write_whole(
      "plots/measurements.csv", replaced(plan, "--size 8x8", "--size 8x8 --kernel-file wrong.cl"));
  const std::string right = read_file(fs::path(ROOT_FOLDER) / "step2_unroll/convolution.cl");
  write_whole("wrong.cl", replaced(right, "= sum;", "= sum + 1.0f;"));
  EXPECT_TRUE(measured().starts_with("ladder.1-6 sums sums: "));
  EXPECT_TRUE(measured().starts_with("sums sums: "));
  fs::remove("wrong.cl");
  measured();
  EXPECT_FALSE(fs::exists("results/sums.csv")) << "old results are not shown as new";
}

}  // namespace
}  // namespace tutorial
