#include <filesystem>
#include <fstream>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

/// studies/pipeline: each way of an image to the device and back.
class Pipeline : public DeviceTest {};

TEST_F(Pipeline, EachWayIsRight) {
  Ran ran = program("pipeline", "--verify-only --size 101x67 --filter-width 7,8");
  EXPECT_EQ(ran.status, 0) << ran;
  // Copies of floats and of bytes, and a kernel for each.
  for (const char* label : {"pinned", "map", "pinned:bytes", "map:bytes", "Convolve_Fast"}) {
    EXPECT_EQ(lines_with(std::string(" ") + label + " +ok", ran.output).size(), 2U) << ran;
  }
  ran = program(
      "pipeline",
      "--verify-only --size 1x40 --filter-width 1 --kernel Convolve_Block16,Convolve_Bytes_Dot32");
  EXPECT_EQ(ran.status, 0) << ran;
}

TEST_F(Pipeline, AWrongKernelIsNoticed) {
  const std::string kernels = read_text(in_repository("step1_naive/convolution.cl"));
  std::ofstream("wrong.cl") << edited(kernels, R"(output\[.*\] = sum;)", "if (y > 0) $&");
  const Ran ran =
      program("pipeline", "--verify-only --size 40x30 --kernel Convolve --kernel-file wrong.cl");
  EXPECT_EQ(ran.status, 2) << ran;
  EXPECT_EQ(lines_with("^pipeline: .* 40 of 1200 pixels", ran.errors).size(), 3U) << ran;
}

// Sharpening has a large tap among small ones, which no scale of 16 bits has.
TEST_F(Pipeline, BytesAreSkippedForAFilterWithoutFixedPoint) {
  const Ran ran = program(
      "pipeline",
      "--verify-only --size 40x30 --filter sharpen --filter-width 15 --kernel Convolve_Bytes");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(ran.output, "Convolve_Bytes.*do not fit into 16 bits")) << ran;
}

TEST_F(Pipeline, TimesEachPartAndLeavesNothingBehind) {
  std::filesystem::create_directory("temporary");
  const Ran ran = program(
      "pipeline",
      "--size 40x30 --filter-width 3 --time-budget 0 --csv out.csv --kernel Convolve_Bytes",
      {{"TMPDIR", std::filesystem::absolute("temporary")}});
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(std::filesystem::is_empty("temporary"));
  const std::string csv = read_text("out.csv");
  for (const char* label :
       {"build", "build:binary", "border", "upload", "read-back", "upload:pinned", "read-back:map",
        "Convolve", "way:Convolve", "border:pinned:bytes", "way:pinned:Convolve_Bytes"}) {
    EXPECT_EQ(lines_with(std::string("^1,") + label + ",3,", csv).size(), 1U) << label;
  }
}

}  // namespace
}  // namespace tutorial
