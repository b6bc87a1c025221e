#include <fmt/format.h>

#include <fstream>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

/// studies/scale: cut in any way the image is the same, and what is wrong on any rank is wrong.
class Scale : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!installed("mpirun") || says(ranks(1, "--help").errors, "built without MPI")) {
      GTEST_SKIP() << "no MPI";
    }
  }

  static Ran ranks(int count, const std::string& arguments) {
    return program(
        "mpirun",
        fmt::format(
            "--map-by :oversubscribe -np {} \"{}\" {}", count, in_build("scale"), arguments),
        {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}});
  }

  /// Expects a wrong result, said once, of a kernel in which `by` stands for the last line of
  /// Convolve.
  static void expect_wrong(const std::string& by, const std::string& regex) {
    const std::string kernels = read_text(in_repository("step1_naive/convolution.cl"));
    std::ofstream("wrong.cl") << edited(kernels, R"(output\[.*\] = sum;)", by);
    const Ran ran = ranks(3, "--size 40x67 --verify-only --kernel-file wrong.cl");
    EXPECT_EQ(ran.status, 2) << ran;
    EXPECT_EQ(lines_with("^scale: " + regex, ran.errors).size(), 1U) << ran;
  }
};

TEST_F(Scale, CutAsOneLikes) {
  // Sizes that divide nothing, bands lower than the halo or of one row, widths odd and even.
  for (const char* image : {"--size 101x67 --filter-width 8", "--size 3x7 --filter-width 19"}) {
    ASSERT_EQ(
        program(
            "step1_naive",
            fmt::format("{} --verify-only --kernel Convolve --output whole.pfm", image))
            .status,
        0);
    for (const int count : {1, 2, 3, 7}) {
      const Ran ran = ranks(count, fmt::format("{} --verify-only --output cut.pfm", image));
      EXPECT_EQ(ran.status, 0) << ran;
      EXPECT_EQ(read_text("cut.pfm"), read_text("whole.pfm")) << ran;
    }
  }
}

// Ranks 0 and 1 have 22 of 67 rows, rank 2 has 23.
TEST_F(Scale, AWrongRowIsNoticed) {
  expect_wrong(
      "output[y * output_width + x] = sum + (y == 5 && get_global_size(1) == 22);",
      R"(.*wrong at \(0, 5\).* 80 of 2680)");
}
TEST_F(Scale, OnTheLastRankToo) {
  expect_wrong(
      "output[y * output_width + x] = sum + (y == 5 && get_global_size(1) == 23);",
      R"(.*wrong at \(0, 49\).* 40 of 2680)");
}
TEST_F(Scale, AndDamage) {
  expect_wrong(
      "output[y * output_width + x] = sum; if (x == 0 && get_global_size(1) == 23) output[-1] = 0;",
      ".*wrote outside of its output.* on another rank");
}

TEST_F(Scale, MeasuresWithAnyRanks) {
  const Ran ran = ranks(2, "--size 64x64 --filter-width 3,4 --time-budget 0 --csv out.csv");
  EXPECT_EQ(ran.status, 0) << ran;
  const std::string csv = read_text("out.csv");
  EXPECT_TRUE(says(csv, "^# ranks: 2$"));
  EXPECT_EQ(lines_with("Convolve,[34],", csv).size(), 4U) << csv;
}

TEST_F(Scale, SaysOnceWhatIsWrong) {
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"--no-such-flag", "no-such-flag"},
           {"--input missing.pgm", "missing.pgm"},
           {"--size 9x2", "3 ranks are more than the image has rows"}}) {
    const Ran ran = ranks(3, arguments);
    EXPECT_EQ(ran.status, 1) << ran;
    EXPECT_EQ(lines_with("^scale: .*" + message, ran.errors).size(), 1U) << ran;
    EXPECT_EQ(lines_with("^scale: ", ran.errors).size(), 1U) << ran;
  }
}

// Built without MPI it would run once for each rank, and each would write the same file.
TEST_F(DeviceTest, ScaleWithoutMpiIsOneRank) {
  EXPECT_EQ(program("tests/scale_without_mpi", "--size 40x30 --verify-only").status, 0);
  expect_refused(
      program("tests/scale_without_mpi", "--size 40x30", {{"PMI_SIZE", "2"}}), "built without MPI");
}

}  // namespace
}  // namespace tutorial
