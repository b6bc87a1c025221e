// Which fault turns this red alone: a kernel that is wrong at a size that breaks such code, and the
// published kernel as it is printed, unnoticed (HISTORY.md has the worst).
#include <algorithm>
#include <filesystem>
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
    expect(0, ran);
    EXPECT_FALSE(says(ran.errors, "^Invalid|warning")) << ran;
  }

  const std::string text = source("median/median.cl"), kernel = "medianfilter_rgba";
};

// PoCL compiles all kernels anew for each size, so most sizes are for Oclgrind, which compiles at
// once.
TEST_F(MedianOf, PicturesOfOddSizesIsRight) {
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
  write_whole("out-before.pgm", "mine");
  const std::string arguments = "--input spot.pgm --verify-only --output out.pgm --noisy in.pgm";
  for (const char* name : {" --kernel medianfilter_rgba", " --kernel median_gray_packed"}) {
    right(simulated("median", arguments + name));
    const std::string before = read_file("in.pgm"), after = read_file("out.pgm");
    EXPECT_EQ(std::count(before.end() - 25, before.end(), '\0'), 1) << name;
    EXPECT_EQ(std::count(after.end() - 25, after.end(), '\0'), 0) << name;
  }
  EXPECT_EQ(read_file("out-before.pgm"), "mine");
  expect(1, program("median", "--input spot.pgm --noisy ./spot.pgm"));
}

TEST_F(MedianOf, PublishedFaultsAreNoticed) {
  write_picture(70, 50, 256);
  const auto printed = [&](const std::string& regex, const std::string& by) {
    write_whole("broken.cl", edited(text, regex, by));
    const Ran ran = simulated(
        "median", "--verify-only --input random.ppm --kernel-file broken.cl --kernel " + kernel);
    EXPECT_TRUE(says(ran.errors, kernel + ", filter width 3: .*wrong at")) << ran;
    return ran.errors;
  };
  printed(R"(\(size_t\)y \* input_pitch \+ x;)", "(size_t)y * input_pitch + x + 1;");
  // The printed network gives the median in 4 of 7 orders of nine values, so 3 of 7 pixels of the
  // interior, 48 x 68, are wrong: 1399. That is a share of random pixels, so within 10 %.
  const std::string said = printed(R"(sort3\(&p02, &p11, &p20\))", "sort3(&p00, &p11, &p22)");
  EXPECT_NEAR(std::stoi(replaced(said, "[^]* ([0-9]+) of 3500 pixels[^]*", "$1")), 1399, 140);
}

// Groups in which the kernel is wrong are not measured.
TEST_F(MedianOf, WrongKernelsAreNotMeasured) {
  write_whole("broken.cl", edited(text, R"(output\[)", "output[1 + ", kernel));
  const std::string arguments = "--size 64x9 --time-budget 0 --csv groups.csv --kernel-file ";
  expect(2, program("median_work_groups", arguments + "broken.cl"));
  EXPECT_FALSE(std::filesystem::exists("groups.csv"));
}

}  // namespace
}  // namespace tutorial
