// What the X-ray counts, against counts by hand and against those that pages show (plots/xray/).
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Xray : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!installed("oclgrind") || !installed("libxray.so")) {
      GTEST_SKIP() << "no Oclgrind, or not its headers";
    }
    const std::string version = program("oclgrind", "--version").output;
    if (version.find(Csv(in_repository("plots/xray/ladder.csv")).head("simulator")) ==
        std::string::npos) {
      GTEST_SKIP() << "the counts are of another Oclgrind than this: " << version;
    }
  }

  /// Counts what these arguments of `tutorial xray` say, into `csv`.
  static Ran count(const std::string& arguments) {
    std::filesystem::remove("csv");
    return program("tutorial", "xray " + arguments + " --csv csv");
  }

  /// Holds the last counts of a kernel against those by hand: COLUMN=NUMBER, with blanks between.
  static void expect(const std::string& kernel, const std::string& by_hand) {
    const Csv csv("csv");
    for (const std::string& pair : split(by_hand, ' ')) {
      const std::string column = pair.substr(0, pair.find('='));
      std::string counted = "nothing";
      for (std::size_t row = 0; row < csv.size(); row++) {
        counted = csv.text(row, "kernel") == kernel ? csv.text(row, column) : counted;
      }
      EXPECT_EQ(column + "=" + counted, pair) << kernel;
    }
  }

  /// The same, and each row must stand in the file of plots/xray/.
  static void count_again(const std::string& file, const std::string& arguments) {
    const Ran ran = count(arguments);
    ASSERT_EQ(ran.status, 0) << ran;
    const std::string committed = read_file(in_repository("plots/xray/" + file));
    for (const std::string& line : split(read_file("csv"), '\n')) {
      EXPECT_TRUE(line.starts_with('#') || committed.find(line + "\n") != std::string::npos)
          << "plots/xray/" << file << " is stale: " << line;
    }
  }
};

TEST_F(Xray, OfTheNaiveKernel) {
  const Ran ran = count("Convolve --filter-width 3");
  ASSERT_EQ(ran.status, 0) << ran;
  // 32 neighbours load 128 bytes: 4 sectors if they begin with one, as one of six loads does, else
  // 5. A group of 32 x 4 loads 34 x 6 different inputs: 32 * 4 * 9 / (34 * 6).
  expect(
      "Convolve",
      "multiply_adds=9 input_loads=9 input_bytes=36 tap_loads=9 local_loads=0 "
      "sectors=4.833 least_sectors=4 group=32x4 reuse=5.647");
  EXPECT_TRUE(says(ran.output, "^ *3 Convolve 128x32  *9  *9  *9  *-  *13  *-  *5.65  *4.83  *-$"));
}

TEST_F(Xray, OfBlocks) {
  // Two outputs at 7 x 7 load 8 inputs for each row: 56. A block of 4 x 4 loads 10 rows of 3
  // float4: 30.
  count_again(
      "ladder.csv", "9 --filter-width 7 --kernel Convolve_Two,Convolve_Block,Convolve_Fast");
  expect("Convolve_Two", "multiply_adds=49 input_loads=28 input_bytes=112 tap_loads=24.5");
  expect(
      "Convolve_Block",
      "multiply_adds=49 multiply_add_instructions=49 input_loads=1.875 input_bytes=30");
}

TEST_F(Xray, OfATileAndItsBanks) {
  // A tile of 22 x 22 for 256 outputs. 16 x 16: two rows of a tile share banks; 32 x 8: one row
  // fills all banks.
  const std::string rest = " --size 256x16 --filter-width 7";
  count_again("group-16x16.csv", "Convolve_Local --work-group 16x16" + rest);
  expect("Convolve_Local", "input_loads=1.891 local_loads=49 reuse=1 conflicts=2");
  EXPECT_EQ(count("Convolve_Local --work-group=32x8" + rest).status, 0);
  expect("Convolve_Local", "group=32x8 conflicts=1");
}

TEST_F(Xray, OfConstantTapsAndBytes) {
  // 17 of this filter's 49 are not 0.
  EXPECT_EQ(count("Convolve_Baked --filter motion-blur").status, 0);
  expect("Convolve_Baked", "multiply_adds=17 tap_loads=0");
  // A block of 4 x 8 has 14 rows of three words of four for 32 outputs.
  EXPECT_EQ(count("Convolve_Bytes").status, 0);
  expect("Convolve_Bytes", "multiply_adds=49 input_loads=1.312 input_bytes=5.25 tap_loads=0");
}

TEST_F(Xray, OfWhatHasNoFilter) {
  // Three rows sorted by 6 minima and maxima each; 8 for the largest low, median middle and
  // smallest high; 4 for the middle one of these. Two comparisons find the end of the picture, four
  // its border.
  count_again("median.csv", "median_gray");
  expect("median_gray", "min_max=30 min_max_instructions=30 comparisons=6 input_loads=9");
  // Five loads, four sums and a quotient.
  EXPECT_EQ(count("Smooth_Padded").status, 0);
  expect("Smooth_Padded", "input_loads=5 other_arithmetic=5 comparisons=0 branches=0 min_max=0");
  // Of 16 windows of 7 x 7, 49 differences and 49 sums each. A block of 16 rows needs 22: 22 * 7 /
  // 16 differences for each pixel; as many sums, of a row, and 22 / 16 + 1 of a window, for rows
  // that enter and that leave.
  count_again("stereo.csv", "Stereo_Running --size 32x16");
  expect("Stereo", "other_arithmetic=1568");
  expect("Stereo_Running", "other_arithmetic=346 input_loads=19.25");
}

TEST_F(Xray, OfNeighboursFarApart) {
  // No two of 32 neighbours share a sector. The image is square, so the result stays right.
  const std::string swapped = in_repository("step1_naive/swapped.cl");
  count_again("swapped.csv", "Convolve --size 64x64 --against " + swapped);
  expect("Convolve:swapped", "sectors=32 least_sectors=4");
}

TEST_F(Xray, OfAWrongKernel) {
  // More for each output: an addition of vectors, a sum, a multiply-add, and a load for which
  // work-items share banks.
  write_whole(
      "changed.cl",
      edited(
          read_file(in_repository("step5_local_memory/convolution.cl")), "float sum = 0.0f;",
          "float4 v = vload4(0, input) + vload4(1, input); float sum = v.x + v.y + v.z + v.w + "
          "tile[2 * local_x] + 0.5f * input[0];",
          "Convolve_Local"));
  const Ran ran = count(
      "Convolve_Local --work-group 32x8 --size 64x8 --filter-width 3 --kernel-file changed.cl");
  EXPECT_EQ(ran.status, 2) << ran;
  EXPECT_TRUE(says(ran.errors, "Convolve_Local, filter width 3: wrong at \\(0, 0\\)"));
  expect(
      "Convolve_Local",
      "multiply_adds=10 other_arithmetic=8 tap_loads=9 local_loads=10 conflicts=1.1");
}

TEST_F(Xray, SaysWhatAHaloAdds) {
  const Ran ran = count("two_passes --kernel Convolve_Separable");
  // The first pass computes 7 taps for 32 + 6 rows where there are 32 outputs: 7 * 38 / 32.
  expect("Convolve_Separable_Rows", "multiply_adds=8.312");
  expect("Convolve_Separable", "multiply_adds=7");
  EXPECT_TRUE(says(ran.output, "^ *7 Convolve_Separable_Rows 128x38 "));
}

TEST_F(Xray, RefusesWhatMakesNoSense) {
  expect_refused(count("1 --banks 33"), "'33' is no value for --banks");
  expect_refused(count("1 --work-group 0x4"), "'0x4' is no value for --work-group");
  expect_refused(program("tutorial", "xray 1 --csv"), "'' is no value for --csv");
  expect_refused(
      count("Convolve_Blok"), "no kernel 'Convolve_Blok'; the nearest is Convolve_Block");
}

}  // namespace
}  // namespace tutorial
