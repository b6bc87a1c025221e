// The machine code that `tutorial asm` shows, where the device is PoCL on x86-64.
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Asm : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    const std::string device = program("step1_naive", "--verify-only --size 8x8").output;
    if (!says(device, "Portable") || program("uname", "-m").output != "x86_64\n" ||
        !installed("objdump")) {
      GTEST_SKIP() << "not PoCL on x86-64, or no objdump";
    }
  }
};

TEST_F(Asm, OfTheLoopInStep1sPage) {
  const Ran ran = program("tutorial", "asm Convolve");
  ASSERT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(ran.output, "^ +v.*ss "));
  // Five instructions, of which one multiplies and adds and two load.
  EXPECT_TRUE(says(ran.output, "^[0-9.]+ +5 +1 +1 +2 +- +-$") || says(ran.output, "vgather"))
      << ran;
}

TEST_F(Asm, OfVectors) {
  const std::string output = program("tutorial", "asm Convolve_Def_UnrollAll").output;
  program("step1_naive", "--size 8x8 --time-budget 0 --csv driver.csv");
  const bool is_scalar = Csv("driver.csv").head("driver").starts_with("5.0");  // see SETUP.md
  EXPECT_TRUE(says(output, is_scalar ? "^loop.* 1 lane " : "^loop.* (8|16) lanes ")) << output;
}

TEST_F(Asm, OfAdditionsAlone) {
  // A difference and a sum for each pixel of a window.
  const std::string output = program("tutorial", "asm Stereo").output;
  EXPECT_TRUE(says(output, "^[0-9.]+ +[0-9]+ +2 +- +2 +- +-$") || says(output, "vgather"))
      << output;
}

TEST_F(Asm, OfThePassesBefore) {
  const std::string output = program("tutorial", "asm Convolve_Separable").output;
  EXPECT_EQ(
      lines_with(", x86-64$", output),
      (std::vector<std::string>{"Convolve_Separable_Rows, x86-64", "Convolve_Separable, x86-64"}));
}

TEST_F(Asm, SaysWhyThereIsNone) {
  const Ran skipped = program("tutorial", "asm Convolve_Bytes_Matrix");
  EXPECT_EQ(skipped.status, 1);
  EXPECT_TRUE(says(skipped.errors, "Convolve_Bytes_Matrix skipped: ")) << skipped;
  expect_refused(program("tutorial", "asm Convolve_Blok"), "nearest is Convolve_Block$");
}

}  // namespace
}  // namespace tutorial
