// Which fault turns this test red alone: a filter with other taps than its name says, and a filter
// file that is read otherwise than it says, or is no filter and not refused.
#include "common/filters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "common/error.hpp"

namespace tutorial {
namespace {

TEST(Filters, AreAsWideAsToldAndHaveSumOne) {
  for (int width = 1; width <= max_filter_width; width++) {
    for (const char* name : {"gaussian", "box", "sharpen", "motion-blur"}) {
      const Filter filter = make_filter(name, width, 1);
      EXPECT_EQ(filter.width, width) << name;
      EXPECT_EQ(filter.taps.size(), static_cast<std::size_t>(width * width)) << name;
      EXPECT_NEAR(std::accumulate(filter.taps.begin(), filter.taps.end(), 0.0), 1.0, 1e-5) << name;
    }
  }
}

TEST(Filters, RandomHasNoSymmetryToHideBehindAndSeparableIsOfRankOne) {
  for (int width = 1; width <= max_filter_width; width++) {
    const std::vector<float> random = make_filter("random", width, 1).taps;
    const std::vector<float> taps = make_filter("separable", width, 1).taps;
    for (int r = 0; r < width; r++) {
      for (int c = 0; c < width; c++) {
        const float tap = random.at(r * width + c);
        EXPECT_TRUE(r == c || tap != random.at(c * width + r)) << width;
        EXPECT_TRUE(2 * c == width - 1 || tap != random.at(r * width + width - 1 - c)) << width;
        EXPECT_TRUE(2 * r == width - 1 || tap != random.at((width - 1 - r) * width + c)) << width;
        const double product = 1.0 * taps.at(r * width) * taps.at(c) / taps[0];
        EXPECT_NEAR(product, taps.at(r * width + c), 1e-6 * std::abs(product)) << width;
      }
    }
  }
}

TEST(Filters, RandomIsTheSameForTheSameSeedOnly) {
  EXPECT_EQ(make_filter("random", 9, 5).taps, make_filter("random", 9, 5).taps);
  EXPECT_NE(make_filter("random", 9, 5).taps, make_filter("random", 9, 6).taps);
  // The first number of the standard's mt19937 with seed 1 is 1791095845.
  EXPECT_FLOAT_EQ(make_filter("random", 1, 1).taps[0], 2.0 * 1791095845.0 / 4294967296.0 - 1.0);
}

TEST(Filters, MotionBlurIsTheOneOfChapter7) {
  // "Heterogeneous Computing with OpenCL" (2011), chapter 7, host code: the taps to four digits.
  constexpr double o = 0.0;
  constexpr double e = 0.0145;
  constexpr double s = 0.0376;
  constexpr double m = 0.1283;
  const std::vector<double> published = {
      o, o, o, o, o, e, o,  //
      o, o, o, o, s, m, e,  //
      o, o, o, s, m, s, o,  //
      o, o, s, m, s, o, o,  //
      o, s, m, s, o, o, o,  //
      e, m, s, o, o, o, o,  //
      o, e, o, o, o, o, o,
  };
  const Filter filter = make_filter("motion-blur", 7, 1);
  ASSERT_EQ(filter.taps.size(), published.size());
  for (std::size_t i = 0; i < published.size(); i++) {
    EXPECT_NEAR(filter.taps[i], published[i], 0.5e-4) << "tap " << i;
  }
}

/// What `make_filter` makes of a file with this text.
Filter read(const std::string& text, int width = 0) {
  const std::string path = testing::TempDir() + "filters_test.txt";
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << text;
  return make_filter(path, width, 1);
}

TEST(FilterFile, MayHaveCommentsCommasAndAnyNumberFormatAndNothingElse) {
  const std::string text = "\xef\xbb\xbf# edge\n\n1, -2.5 3e-1 # row 1\n+0 1e-40 0\n\t.5,6,\t7\r\n";
  const std::vector<float> taps = {1, -2.5F, 0.3F, 0, 1e-40F, 0, 0.5F, 6, 7};
  EXPECT_EQ(read(text).width, 3);
  EXPECT_EQ(read(text, 3).taps, taps);
  EXPECT_EQ(read("7").taps, std::vector<float>{7});
  EXPECT_EQ(read("1 2\r3 4\r", 2).taps, (std::vector<float>{1, 2, 3, 4}));

  const std::vector<std::pair<std::string, std::string>> bad = {
      {text, ": the filter is 3 wide, not 5"},
      {"", ": 0 numbers"},
      {"1 2\n", ": 2 numbers"},
      {"1 2 3\n4 5\n6 7 8 9\n", ": 9 numbers"},
      {"1 2\n1 2y\n", ": its number 4"},
      {"nan 1\n1 1\n", ": its number 1"},
      {"1 inf\n1 1\n", ": its number 2"},
      {"1e99 1\n1 1\n", ": its number 1"},
      {"\x89PNG\r\n\x1a\n", ": its number 1"}};
  for (const auto& [content, reason] : bad) {
    try {
      read(content, 5);
      ADD_FAILURE() << content;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("filters_test.txt" + reason), std::string::npos)
          << error.what();
    }
  }
  EXPECT_THROW(make_filter("gausian", 3, 1), Error);
}

}  // namespace
}  // namespace tutorial
