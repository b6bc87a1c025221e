// Which fault turns this red alone: a kernel that is wrong at a size that breaks such code, and the
// published kernels as they are printed, unnoticed (HISTORY.md has the worst).
#include <algorithm>
#include <random>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

class MedianOf : public DeviceTest {
 protected:
  /// A picture of random pixels; few levels in each channel make luminances that are often equal.
  static void write_picture(int width, int height, int levels) {
    std::mt19937 random(width * 1000 + height);
    std::string ppm = "P6 " + std::to_string(width) + " " + std::to_string(height) + " 255\n";
    for (int i = 0; i < 3 * width * height; i++) {
      ppm += static_cast<char>(random() % levels * (255 / (levels - 1)));
    }
    write_whole("random.ppm", ppm);
  }

  static void right(const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran;
    EXPECT_FALSE(says(ran.errors, "^Invalid|warning")) << ran;
  }
};

TEST_F(MedianOf, PicturesOfOddSizesIsRight) {
  // PoCL compiles all kernels anew for each size, so most sizes are for Oclgrind, which compiles at
  // once.
  const std::pair<int, int> sizes[] = {{1, 1},  {1, 9},   {9, 1},  {2, 2},  {3, 3},  {5, 3},
                                       {16, 8}, {17, 31}, {64, 9}, {65, 8}, {131, 5}};
  for (const auto& [width, height] : sizes) {
    write_picture(width, height, 4);
    right(simulated("median", "--verify-only --input random.ppm"));
  }
  // With another alpha in each pixel, which has no part in the luminance.
  right(simulated("median", "--verify-only --input " + in_repository("tests/png/rgba8.png")));
  for (const char* size : {"17x31", "640x480", "1921x1081"}) {
    right(program("median", std::string("--verify-only --noise 0.2 --size ") + size));
  }
  right(program("median_work_groups", "--verify-only --size 130x9 --noise 0.3"));
}

// A black pixel in a white picture is gone afterwards. --noisy has the picture before, --output
// after; the samples of a PGM of 25 pixels are its last 25 bytes. Nothing else is written: not over
// a file that was there.
TEST_F(MedianOf, ASpotIsGone) {
  std::string pixels(25, '\xff');
  pixels[12] = '\0';
  write_whole("spot.pgm", "P5 5 5 255\n" + pixels);
  const auto black = [](const std::string& path) {
    const std::string bytes = read_file(path);
    return std::count(bytes.end() - 25, bytes.end(), '\0');
  };
  write_whole("out-before.pgm", "mine");
  for (const char* kernel : {"medianfilter_rgba", "median_gray_packed"}) {
    right(simulated(
        "median",
        std::string("--verify-only --input spot.pgm --noisy in.pgm --output out.pgm --kernel ") +
            kernel));
    EXPECT_EQ(black("in.pgm"), 1) << kernel;
    EXPECT_EQ(black("out.pgm"), 0) << kernel;
  }
  EXPECT_EQ(read_file("out-before.pgm"), "mine");
  EXPECT_EQ(program("median", "--input spot.pgm --noisy ./spot.pgm").status, 1);
}

TEST_F(MedianOf, PublishedFaultsAreNoticed) {
  write_picture(70, 50, 256);
  const std::string kernel = "medianfilter_rgba";
  const auto printed = [&](const std::string& regex, const std::string& by) {
    const std::string text = read_text(in_repository("median/median.cl"));
    write_whole("broken.cl", edited(text, regex, by));
    const Ran ran = simulated(
        "median", "--verify-only --input random.ppm --kernel-file broken.cl --kernel " + kernel);
    // Unaligned vectors may crash.
    EXPECT_TRUE(ran.status == 139 || says(ran.errors, kernel + ", filter width 3: .*wrong at"))
        << ran;
    return ran;
  };
  printed(R"(\(size_t\)y \* input_pitch \+ x;)", "(size_t)y * input_pitch + x + 1;");
  const Ran network = printed(R"(sort3\(&p02, &p11, &p20\))", "sort3(&p00, &p11, &p22)");
  // The printed network gives the median in 4 of 7 orders of nine values, so 3 of 7 pixels of the
  // interior, 48 x 68, are wrong: 1399. That is a share of random pixels, so within 10 %.
  const auto wrong = lines_with("of 3500 pixels are wrong", network.errors);
  ASSERT_EQ(wrong.size(), 1U) << network;
  const std::string before = wrong[0].substr(0, wrong[0].find(" of 3500"));
  const int count = std::stoi(before.substr(before.rfind(' ')));
  EXPECT_NEAR(count, 1399, 140);
}

// Groups in which the kernel is wrong are not measured.
TEST_F(MedianOf, WrongKernelsAreNotMeasured) {
  write_whole(
      "broken.cl", edited(
                       read_text(in_repository("median/median.cl")), R"(output\[)", "output[1 + ",
                       "medianfilter_rgba"));
  const Ran ran = program(
      "median_work_groups", "--size 64x9 --kernel-file broken.cl --time-budget 0 --csv groups.csv");
  EXPECT_EQ(ran.status, 2) << ran;
  EXPECT_FALSE(says(read_file("groups.csv"), "medianfilter_rgba:"));
}

}  // namespace
}  // namespace tutorial
