// Which fault turns this test red alone: a file of an image or a filter that is read otherwise than
// it says; a filter with other taps than its name says. runs/bad_input.txt has bad ones.
#include "common/image.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <numeric>
#include <set>

#include "common/filters.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;  // "..."s may contain zero bytes

const fs::path here = fs::path(__FILE__).parent_path().parent_path();

class ImageFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  TemporaryFolder folder_;
};

// png/ has PNGs of each colour type, of 1 to 16 bits, some interlaced, some with a transparent
// colour, and PPMs; beside each is what netpbm or ImageMagick reads in it: a PGM with red, green,
// blue and alpha of each pixel side by side. photo/ has the same for JPEGs.
TEST_F(ImageFiles, OfEveryKindAreReadAsByOthers) {
  int count = 0;
  for (const fs::path& folder : {here / "png", here / "photo"}) {
    const double tolerance = folder.stem() == "png" ? 1e-6 : 3.0 / 255;  // a JPEG is not exact
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string path = entry.path().string();
      const std::string expected_path = fs::path(path).replace_extension(".pgm").string();
      if (path == expected_path || !fs::exists(expected_path)) {
        continue;
      }
      SCOPED_TRACE(path);
      count++;
      const Image expected = read_image(expected_path), gray = read_image(path);
      const RgbaImage color = read_rgba_image(path);
      ASSERT_EQ(std::pair(4 * gray.width, gray.height), std::pair(expected.width, expected.height));
      for (std::size_t i = 0; i < gray.size(); ++i) {
        const float* const pixel = &expected.pixels[4 * i];  // red, green, blue, alpha
        ASSERT_NEAR(
            gray.pixels[i], 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2], tolerance);
        for (int channel = 0; channel < 4; ++channel) {
          const unsigned level = color.pixels[i] >> (8 * channel) & 255;
          ASSERT_NEAR(level / 255.0, pixel[channel], tolerance) << channel;
        }
      }
    }
  }
  EXPECT_EQ(count, 17);
}

TEST_F(ImageFiles, TheBytesAreAsTheFormatsSayAndFloatsExact) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Image image(9, 1);
  image.pixels = {-1.0F, 2.0F, infinity, -infinity, NAN, 1.49F / 255, 1.51F / 255, 0.2F, -1e-40F};
  write_image(path("a b{}.pgm"), image);
  EXPECT_EQ(read_file(path("a b{}.pgm")), "P5\n9 1\n255\n\x00\xff\xff\x00\x00\x01\x02\x33\x00"s);
  write_image(path("a.png"), image);
  EXPECT_EQ(read_image(path("a.png")).pixels, read_image(path("a b{}.pgm")).pixels);
  Image rows(1, 2);
  rows.pixels = {2.0F, NAN};
  write_image(path("a.pfm"), rows);  // the bottom row first, nothing clamped
  EXPECT_EQ(read_file(path("a.pfm")), "Pf\n1 2\n-1.0\n\x00\x00\xc0\x7f\x00\x00\x00\x40"s);
  RgbaImage color(1, 2);
  color.pixels = {0x11223344, 0xff00ff00};
  write_png(path("a.png"), color);
  EXPECT_EQ(read_rgba_image(path("a.png")).pixels, color.pixels);
}

TEST(Filters, HaveSumOneAndNoSymmetryToHideBehind) {
  for (int width = 1; width <= max_filter_width; width++) {
    for (const char* name : {"gaussian", "box", "sharpen", "motion-blur"}) {
      const std::vector<float> taps = make_filter(name, width, 1).taps;
      EXPECT_NEAR(std::accumulate(taps.begin(), taps.end(), 0.0), 1.0, 1e-5) << name;
    }
    const std::vector<float> random = make_filter("random", width, 1).taps;
    EXPECT_EQ(std::set(random.begin(), random.end()).size(), random.size()) << width;
  }
  // The first number of the standard's mt19937 with seed 1 is 1791095845.
  EXPECT_FLOAT_EQ(make_filter("random", 1, 1).taps[0], 1.0 - 2.0 * 1791095845.0 / 4294967296.0);
  EXPECT_NE(make_filter("random", 9, 5).taps, make_filter("random", 9, 6).taps);
}

// "Heterogeneous Computing with OpenCL" (2011), chapter 7, host code: the taps to four digits.
TEST(Filters, MotionBlurIsTheOneOfChapter7) {
  const std::vector<float> taps = make_filter("motion-blur", 7, 1).taps;
  for (const auto& [place, tap] :
       {std::pair{0, 0.0}, {5, 0.0145}, {11, 0.0376}, {12, 0.1283}, {19, 0.0376}, {24, 0.1283}}) {
    EXPECT_NEAR(taps.at(place), tap, 0.5e-4) << place;
    EXPECT_NEAR(taps.at(48 - place), tap, 0.5e-4) << "turned round";
  }
}

// options.txt has bad ones.
TEST_F(ImageFiles, AFilterMayHaveCommentsCommasAndAnyNumberFormat) {
  const std::string file = path("filter.txt");
  write_whole(file, "\xef\xbb\xbf# edge\n\n1, -2.5 3e-1 # row 1\n+0 1e-40 0\n\t.5,6,\t7\r\n");
  const std::vector<float> taps = {1, -2.5F, 0.3F, 0, 1e-40F, 0, 0.5F, 6, 7};
  EXPECT_EQ(make_filter(file, 0, 1).taps, taps);
  write_whole(file, "1 2\r3 4\r");
  EXPECT_EQ(make_filter(file, 2, 1).taps, (std::vector<float>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace tutorial
