// A photo in colour is filtered in colour, by one kernel, and the program says so at once.
#include <cstring>
#include <fstream>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Photo : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    std::ofstream("colour.ppm") << "P6 3 1 255\n\xff" << std::string(3, '\0') << '\xff'
                                << std::string(3, '\0') << '\xff';  // red, green, blue
    std::ofstream("left.txt") << "0 1\n0 0\n";                      // moves them to the left
  }

  /// The grey, in thousandths, of the three pixels of a file.
  static std::vector<int> greys(const std::string& file) {
    const Ran ran = program(
        "step1_naive",
        "--filter box --filter-width 1 --verify-only --output grey.pfm --input " + file);
    EXPECT_EQ(ran.status, 0) << ran;
    const std::string pixels = read_file("grey.pfm");
    std::vector<float> greys(3);
    std::memcpy(greys.data(), &pixels.at(pixels.size() - 12), 12);
    return {int(1000 * greys[0] + 0.5), int(1000 * greys[1] + 0.5), int(1000 * greys[2] + 0.5)};
  }
};

TEST_F(Photo, StaysInColour) {
  for (const char* step : {"step1_naive", "step6_float4", "step11_bytes"}) {
    const Ran ran = program(step, "--input colour.ppm --filter left.txt --output colour.png");
    EXPECT_EQ(ran.status, 0) << ran;
    EXPECT_TRUE(
        says(ran.output.substr(0, ran.output.find('\n')), "^colour.ppm, in colour: Convolve"))
        << ran;
    EXPECT_EQ(lines_with("Gpix", ran.output).size(), 0) << ran;
    EXPECT_EQ(greys("colour.png"), (std::vector{587, 114, 114}));
  }
}

TEST_F(Photo, IsFilteredByTheKernelThatIsAskedFor) {
  const std::string photo = "--input colour.ppm --filter left.txt --output colour.png --kernel ";
  const Ran ran = program("step11_bytes", photo + "Convolve_Bytes,Convolve_Bytes16");
  EXPECT_TRUE(says(ran.output, "^colour.ppm, in colour: Convolve_Bytes16 alone")) << ran;
  // The file is no picture of a kernel that cannot run.
  const Ran other = program("step11_bytes", photo + "Convolve_Bytes16,Convolve_Bytes_Dot");
  EXPECT_EQ(other.status, 0) << other;
  EXPECT_TRUE(
      says(other.output, "Convolve_Bytes16 alone") || !says(other.output, "^it does not run here"))
      << other;
}

// A picture that nobody would write is not asked for in vain.
TEST_F(Photo, IsRefusedWhereThereIsNoOutput) {
  expect_refused(program("pipeline", "--size 8x8 --output grey.png"), "--output");
}

TEST_F(Photo, WithMeasurementsIsGrey) {
  const std::string photo =
      "--input colour.ppm --filter left.txt --time-budget 0 --kernel Convolve ";
  const Ran ran = program("step1_naive", photo + "--csv rows.csv --output grey.png");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_FALSE(says(ran.output, "in colour")) << ran;
}

}  // namespace
}  // namespace tutorial
