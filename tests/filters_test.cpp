#include "common/filters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "common/error.hpp"

namespace tutorial {
namespace {

double sum(const Filter& filter) {
  return std::accumulate(filter.taps.begin(), filter.taps.end(), 0.0);
}

class AllWidths : public testing::TestWithParam<int> {};

TEST_P(AllWidths, HaveWidthTimesWidthTapsAndSumOne) {
  for (const char* name : {"gaussian", "box", "sharpen", "motion-blur"}) {
    const Filter filter = make_filter(name, GetParam(), 1);
    EXPECT_EQ(filter.width, GetParam()) << name;
    EXPECT_EQ(filter.taps.size(), static_cast<std::size_t>(GetParam() * GetParam())) << name;
    EXPECT_NEAR(sum(filter), 1.0, 1e-5) << name;
  }
}

TEST_P(AllWidths, RandomHasNoSymmetryToHideBehind) {
  const int width = GetParam();
  const Filter filter = make_filter("random", width, 1);
  const auto at = [&filter, width](int r, int c) {
    return filter.taps[static_cast<std::size_t>(r * width + c)];
  };
  for (int r = 0; r < width; r++) {
    for (int c = 0; c < width; c++) {
      EXPECT_NE(at(r, c), 0.0F);
      if (r != c) {
        EXPECT_NE(at(r, c), at(c, r));
      }
      if (2 * c != width - 1) {
        EXPECT_NE(at(r, c), at(r, width - 1 - c));
      }
      if (2 * r != width - 1) {
        EXPECT_NE(at(r, c), at(width - 1 - r, c));
      }
    }
  }
}

TEST_P(AllWidths, SeparableIsOfRankOneAndNotSymmetric) {
  const auto width = static_cast<std::size_t>(GetParam());
  const Filter filter = make_filter("separable", GetParam(), 1);
  ASSERT_EQ(filter.taps.size(), width * width);
  for (std::size_t r = 0; r < width; r++) {
    for (std::size_t c = 0; c < width; c++) {
      const double tap = filter.taps[r * width + c];
      const double product = 1.0 * filter.taps[r * width] * filter.taps[c] / filter.taps[0];
      EXPECT_NEAR(product, tap, 1e-6 * std::abs(tap));
      if (r != c) {
        EXPECT_NE(filter.taps[r * width + c], filter.taps[c * width + r]);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Filters, AllWidths, testing::Range(1, max_filter_width + 1));

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

TEST(Filters, RefusesWidthsOutsideTheRange) {
  for (const int width : {0, -3, 33, 1000000}) {
    EXPECT_THROW(make_filter("box", width, 1), Error);
  }
}

/// A text file in a folder of its own, both removed afterwards. CTest runs these tests side by
/// side, in processes of their own, so that one file for all would be removed by one test and read
/// by another.
class FilterFile : public testing::Test {
 protected:
  std::filesystem::path folder_;
  std::string path_;

  FilterFile() {
    std::string name = testing::TempDir() + "filters_test_XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "filter.txt";
  }
  std::string write(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }
  ~FilterFile() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
};

TEST_F(FilterFile, ReadsCommentsCommasAndAnyNumberFormat) {
  const Filter filter =
      make_filter(write("# edge\n\n1, -2.5 3e-1 # row 1\n0 0 0\n\t.5,6,\t7\r\n"), 0, 1);
  EXPECT_EQ(filter.width, 3);
  EXPECT_EQ(filter.taps, (std::vector<float>{1, -2.5F, 0.3F, 0, 0, 0, 0.5F, 6, 7}));
  EXPECT_EQ(filter_file_width(path_), 3);
  EXPECT_EQ(make_filter(path_, 3, 1).width, 3);
  EXPECT_THROW(make_filter(path_, 5, 1), Error);
}

TEST_F(FilterFile, RefusesWhatIsNoFilter) {
  std::string row33;
  for (int i = 0; i < 33; i++) {
    row33 += "1 ";
  }
  for (const std::string& text :
       {std::string(), std::string("# nothing\n"), std::string("1 2\n3\n"),
        std::string("1 2\n3 4 5\n"), std::string("1 2\n"), std::string("1\n2\n"),
        std::string("1 x\n2 3\n"), std::string("nan 1\n1 1\n"), std::string("1 inf\n1 1\n"),
        std::string("1e99 1\n1 1\n"), std::string("1 2;3 4\n"), std::string("0x 1\n1 1\n"),
        std::string("\x89PNG\r\n\x1a\n\0\0\0", 11), row33}) {
    EXPECT_THROW(make_filter(write(text), 0, 1), Error) << text;
  }
}

TEST_F(FilterFile, NamesTheFileAndTheLine) {
  try {
    make_filter(write("1 2\n3 oops\n"), 0, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), path_ + ":2: 'oops' is not a finite number");
  }
}

TEST(Filters, RefusesUnknownNamesAndFolders) {
  EXPECT_THROW(make_filter("gausian", 3, 1), Error);
  EXPECT_THROW(make_filter(testing::TempDir(), 3, 1), Error);
  EXPECT_EQ(filter_file_width("gaussian"), 0);
}

}  // namespace
}  // namespace tutorial
