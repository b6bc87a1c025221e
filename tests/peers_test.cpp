// Which fault turns this red alone: another library's result that is wrong at a width where its
// method changes. Runs where such a library is installed.
#include <fmt/ranges.h>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Peers : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!installed("convolution_peers")) {
      GTEST_SKIP() << "no other library was found, so there is no such program";
    }
    std::string known = program("convolution_peers", "--kernel none").errors;
    std::erase(known, '\n');
    names = split(
        replaced(known, ".* one of |(, )?not '[^]*|,|(Convolve|Tuned|OpenMP)[^ ]* ?", ""), ' ');
    std::erase(names, "");
    // Those that were not found are left out like those that do not work on this device.
    const Ran ran = program("convolution_peers", "--verify-only --size 5x9 --kernel " + all());
    EXPECT_FALSE(says(ran.output, "left out: .*cannot open shared")) << ran;
    for (const std::string& line : lines_with(" is left out: ", ran.output)) {
      const std::string lacking = line.substr(0, line.find(' '));
      std::erase(names, lacking);
      expect(1, program("convolution_peers", "--verify-only --size 5x9 --kernel " + lacking));
    }
    if (names.empty()) {
      GTEST_SKIP() << "none of the libraries works on this device";
    }
  }

  std::string all() const { return fmt::format("{}", fmt::join(names, ",")); }

  static void right(const std::string& name, const std::string& arguments) {
    // Builds at once at any width, unlike the baked kernels.
    const std::string file = in_repository("step6_float4/convolution.cl");
    const Ran ran = expect(0, unoptimised(name, "--verify-only --kernel-file " + file + arguments));
    expect_output(ran, " results verified");
  }

  std::vector<std::string> names;  ///< the libraries that work here
};

// An even width, those around OpenCV's change to a Fourier transform (11, 12), and the widest, in
// an image of several tiles; then an image smaller than the filter.
TEST_F(Peers, AreRight) {
  const std::string kernels = " --kernel Convolve_Def_Float4," + all();
  right("convolution_peers", kernels + " --size 300x270 --filter-width 1,2,7,12");
  right("convolution_peers", kernels + " --size 5x9 --filter-width 8");
  // One whose first row adds up to much: what a tile at the edge holds beyond the image comes into
  // the result.
  write_whole("three.txt", "3 3 3\n3 3 3\n3 3 3\n");
  right("convolution_peers", kernels + " --size 300x300 --filter three.txt");
  if (names[0] == "OpenCV") {  // a filter of rank 1
    const std::string rank_1 = " --kernel OpenCV_sep --filter gaussian --size 61x47";
    right("convolution_peers", rank_1 + " --filter-width 1,2,7,12,31");
  }
  std::erase(names, "Halide");  // compiles for many seconds at the widest
  const std::string fast = " --kernel Convolve_Def_Float4," + all();
  right("convolution_peers", fast + " --size 300x270 --filter-width 11,32");
  const std::string bytes = " --kernel Convolve_Def_Float4,OpenCV,OpenCV_split,NPP";
  right("byte_peers", bytes + " --size 300x270 --filter-width 1,2,7,11,12,32");
  right("byte_peers", bytes + " --size 5x9 --filter-width 8");
}

// Without --kernel everything that works here is compared, the transforms of ours too.
TEST_F(Peers, AreTimed) {
  expect(
      0, unoptimised(
             "convolution_peers",
             "--size 40x30 --filter gaussian --filter-width 3 --time-budget 0 --search-budget 1 "
             "--csv all.csv"));
  const std::string csv = read_file("all.csv");
  EXPECT_TRUE(says(csv, "^# version of " + names[0] + ": .*[0-9]"));
  for (const std::string& name : names) {
    EXPECT_TRUE(says(csv, "," + name + ","));
  }
  const std::string transforms = "--kernel Convolve_Fft,Convolve_Fft_Shared,Convolve_Fft16";
  expect_output(
      unoptimised(
          "convolution_peers", transforms + " --verify-only --size 150x140 --filter-width 15"),
      "^width 15  Convolve_Fft.* ok");
}

}  // namespace
}  // namespace tutorial
