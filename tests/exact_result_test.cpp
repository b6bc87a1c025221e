// Is the result what the README promises? The programs check themselves against common/reference.cpp;
// these plain loops, which share nothing with it, recompute the whole way from image file to result
// file: border repeated, filter not turned around, even widths too.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// An image and a filter of random numbers, and the folder of their files, which is removed afterwards.
struct Example {
  int width, height, filter_width;
  std::vector<unsigned char> pixels;  // 0..200
  std::vector<double> taps;
  std::string folder = testing::TempDir() + "exact_result_XXXXXX";

  Example(int w, int h, int f) : width(w), height(h), filter_width(f) {
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    std::mt19937 random(1);
    std::ofstream image(folder + "/image.pgm", std::ios::binary);
    image << "P5 " << width << " " << height << " 200\n";
    for (int i = 0; i < width * height; i++) {
      pixels.push_back(random() % 201);
      image << pixels.back();
    }
    std::ofstream filter(folder + "/filter.txt");
    for (int i = 0; i < filter_width * filter_width; i++) {
      taps.push_back((int(random() % 20001) - 10000) / 10000.0);
      filter << taps.back() << ((i + 1) % filter_width == 0 ? "\n" : " ");
    }
  }
  Example(const Example&) = delete;
  ~Example() { std::filesystem::remove_all(folder); }

  /// What the program makes of them, top row first; nothing if it fails. A PFM has its bottom row
  /// first.
  std::vector<float> run(const std::string& program) const {
    const std::string command = program + " --input image.pgm --filter filter.txt --verify-only" +
                                " --output result.pfm > out 2>&1";
    EXPECT_EQ(std::system(("cd " + folder + " && " + command).c_str()), 0) << command;
    std::ifstream file(folder + "/result.pfm", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto row = std::size_t(width) * sizeof(float);
    std::vector<float> values(std::size_t(width) * std::size_t(height));
    if (bytes.size() < row * std::size_t(height)) {
      return {};
    }
    for (int y = 0; y < height; y++) {
      std::memcpy(&values[std::size_t(y * width)], &bytes[bytes.size() - row * (y + 1)], row);
    }
    return values;
  }

  /// Where the result is wrong, e.g. "(3, 0): 0.5 instead of 0.25"; "" if it is right. Float may
  /// differ from exact by n * 2^-23 * sum |filter * pixel|, n being the number of taps.
  std::string mistake(const std::vector<float>& result) const {
    if (result.size() != pixels.size()) {
      return "another size";
    }
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        double sum = 0.0;
        double size = 0.0;
        for (int r = 0; r < filter_width; r++) {
          for (int c = 0; c < filter_width; c++) {
            const int from_x = std::clamp(x + c - (filter_width - 1) / 2, 0, width - 1);
            const int from_y = std::clamp(y + r - (filter_width - 1) / 2, 0, height - 1);
            const double tap = taps[std::size_t(r * filter_width + c)];
            const double product = tap * pixels[std::size_t(from_y * width + from_x)] / 200;
            sum += product;
            size += std::abs(product);
          }
        }
        const float got = result[std::size_t(y * width + x)];
        if (!(std::abs(got - sum) <= double(taps.size()) * size * 0x1p-23 + 1e-6 * size)) {
          std::ostringstream text;
          text << "(" << x << ", " << y << "): " << got << " instead of " << sum;
          return text.str();
        }
      }
    }
    return "";
  }
};

class ExactResult : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system(FIRST_STEP " --list-devices > /dev/null 2>&1") != 0) {
      GTEST_SKIP() << "no OpenCL device";
    }
  }
};

TEST_F(ExactResult, OfTheFirstStepAtEveryWidth) {
  // On Oclgrind, where its kernel is ready at once at any width.
  for (int filter_width = 1; filter_width <= 32; filter_width++) {
    for (const auto& [width, height] : {std::pair{5, 3}, {1, 1}, {31, 17}}) {
      if (width == 5 || filter_width % 8 < 2 || filter_width < 5) {
        const Example example(width, height, filter_width);
        EXPECT_EQ(example.mistake(example.run(INTERPRETED " " FIRST_STEP)), "")
            << width << " x " << height << ", filter " << filter_width;
      }
    }
  }
}

TEST_F(ExactResult, OfTheLastKernelOnTheDevice) {
  for (const int filter_width : {1, 2, 7, 17}) {
    const Example example(31, 17, filter_width);
    EXPECT_EQ(example.mistake(example.run(LAST_STEP " --kernel Convolve_Fast")), "")
        << filter_width;
  }
}

// A result that is shifted, upside down or has a NaN must not pass.
TEST_F(ExactResult, MistakesAreNoticed) {
  const Example example(31, 17, 3);
  const std::vector<float> good = example.run(FIRST_STEP);
  ASSERT_EQ(example.mistake(good), "");
  std::vector<float> bad = good;
  std::rotate(bad.begin(), bad.begin() + 1, bad.end());
  EXPECT_TRUE(example.mistake(bad).starts_with("(0, 0): "));
  bad = std::vector<float>(good.rbegin(), good.rend());
  EXPECT_TRUE(example.mistake(bad).starts_with("(0, 0): "));
  bad = good;
  bad[99] = NAN;
  EXPECT_TRUE(example.mistake(bad).starts_with("(6, 3): "));
  bad = good;
  bad[199] += 0.00001F;
  EXPECT_TRUE(example.mistake(bad).starts_with("(13, 6): "));
  bad.pop_back();
  EXPECT_EQ(example.mistake(bad), "another size");
}

}  // namespace
