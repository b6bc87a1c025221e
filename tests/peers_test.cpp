// Which fault turns this red alone: another library's result that is wrong at a width where its
// method changes. Runs where such a library is installed.
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

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
    const std::string known = program("convolution_peers", "--kernel none").errors;
    for (const std::string& name :
         split(std::regex_replace(known, std::regex(".* one of |, not [^]*"), ""), ' ')) {
      if (!name.starts_with("Convolve") && !name.starts_with("Tuned")) {
        names_.push_back(name.substr(0, name.find(',')));
      }
    }
    // Those that were not found are left out like those that do not work on this device.
    const Ran ran =
        program("convolution_peers", "--verify-only --size 5x9 --filter-width 3 --kernel " + all());
    EXPECT_FALSE(says(ran.output, "left out: .*cannot open shared")) << ran;
    for (const std::string& line : lines_with(" is left out: ", ran.output)) {
      lacking_ = line.substr(0, line.find(' '));
      std::erase(names_, lacking_);
    }
    if (names_.empty()) {
      GTEST_SKIP() << "none of the libraries works on this device";
    }
  }

  std::string all() const { return fmt::format("{}", fmt::join(names_, ",")); }

  static void right(const std::string& name, const std::string& arguments) {
    // Builds at once at any width, unlike the baked kernels.
    const Ran ran = unoptimised(
        name,
        "--verify-only --kernel-file " + in_repository("step6_float4/convolution.cl ") + arguments);
    EXPECT_EQ(ran.status, 0) << ran;
    EXPECT_TRUE(says(ran.output, " results verified")) << ran;
  }

  std::vector<std::string> names_;  ///< the libraries that work here
  std::string lacking_;             ///< one that does not
};

TEST_F(Peers, AreRight) {
  if (!lacking_.empty()) {
    const Ran ran = program(
        "convolution_peers", "--size 5x9 --filter-width 3 --verify-only --kernel " + lacking_);
    EXPECT_EQ(ran.status, 1) << ran;
  }
  // An even width, those around OpenCV's change to a Fourier transform (11, 12), and the widest, in
  // an image of several tiles; then an image smaller than the filter.
  const std::string kernels = "--kernel Convolve_Def_Float4," + all();
  right("convolution_peers", kernels + " --size 300x270 --filter-width 1,2,7,12");
  right("convolution_peers", kernels + " --size 5x9 --filter-width 8");
  // One whose first row adds up to much: what a tile at the edge holds beyond the image comes into
  // the result.
  write_whole("three.txt", "3 3 3\n3 3 3\n3 3 3\n");
  right("convolution_peers", kernels + " --size 300x300 --filter three.txt");
  std::erase(names_, "Halide");  // compiles for many seconds at the widest
  right(
      "convolution_peers",
      "--kernel Convolve_Def_Float4," + all() + " --size 300x270 --filter-width 11,32");
  if (names_[0] == "OpenCV") {  // a filter of rank 1
    right(
        "convolution_peers",
        "--kernel OpenCV_sep --filter gaussian --size 61x47 --filter-width 1,2,7,12,31");
  }
  const std::string bytes = "--kernel Convolve_Def_Float4,OpenCV,OpenCV_split,NPP";
  right("byte_peers", bytes + " --size 300x270 --filter-width 1,2,7,11,12,32");
  right("byte_peers", bytes + " --size 5x9 --filter-width 8");
}

// Without --kernel everything that works here is compared, the transforms of ours too.
TEST_F(Peers, AreTimed) {
  const Ran ran = unoptimised(
      "convolution_peers",
      "--size 40x30 --filter-width 3 --time-budget 0 --search-budget 1 --csv all.csv");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(ran.output, "measurements: all.csv")) << ran;
  const std::string csv = read_file("all.csv");
  EXPECT_TRUE(says(csv, "^# version of " + names_[0] + ": .*[0-9]"));
  for (const std::string& name : names_) {
    EXPECT_TRUE(says(csv, name + ","));
  }
  const Ran transforms = unoptimised(
      "convolution_peers",
      "--verify-only --kernel Convolve_Fft,Convolve_Fft_Shared,Convolve_Fft16 --size 150x140 "
      "--filter-width 15");
  EXPECT_TRUE(says(transforms.output, "^width 15  Convolve_Fft.* ok")) << transforms;
}

}  // namespace
}  // namespace tutorial
