#include "median/pixels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

template <typename Pixel>
bool on_border(const Grid<Pixel>& picture, int x, int y) {
  return x == 0 || y == 0 || x == picture.width - 1 || y == picture.height - 1;
}

/// What the median orders, and what a verdict shows.
int level(std::uint32_t pixel) {
  return luminance(pixel);
}
int level(std::uint8_t pixel) {
  return pixel;
}

/// The nine pixels around (x, y), which is not on the border.
template <typename Pixel>
std::array<Pixel, 9> window(const Grid<Pixel>& picture, int x, int y) {
  std::array<Pixel, 9> pixels;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      pixels[3 * r + c] = picture.at(x + c - 1, y + r - 1);
    }
  }
  return pixels;
}

/// Insertion sort: as plain as a reference can be, and quick for nine.
template <typename Pixel>
Pixel median_of(std::array<Pixel, 9> pixels) {
  for (std::size_t i = 1; i < pixels.size(); i++) {
    for (std::size_t j = i; j > 0 && level(pixels[j]) < level(pixels[j - 1]); j--) {
      std::swap(pixels[j], pixels[j - 1]);
    }
  }
  return pixels[4];
}

template <typename Pixel>
Grid<Pixel> medians(const Grid<Pixel>& input) {
  Grid<Pixel> output = input;
#pragma omp parallel for schedule(static)
  for (int y = 1; y < input.height - 1; y++) {
    for (int x = 1; x < input.width - 1; x++) {
      output.pixels[input.index(x, y)] = median_of(window(input, x, y));
    }
  }
  return output;
}

/// Right is one of the window's pixels, on the border the middle one, with the reference's level.
template <typename Pixel>
Verdict check(
    const Grid<Pixel>& input, const Grid<Pixel>& reference, const Grid<Pixel>& output,
    const std::string& damage) {
  Verdict verdict;
  for (int y = 0; y < input.height; y++) {
    for (int x = 0; x < input.width; x++) {
      const Pixel got = output.at(x, y);
      bool known = got == input.at(x, y);
      if (!known && !on_border(input, x, y)) {
        const auto pixels = window(input, x, y);
        known = std::ranges::count(pixels, got) != 0;
      }
      const int expected = level(reference.at(x, y));
      if (known && level(got) == expected) {
        continue;
      }
      verdict.max_error = std::max(verdict.max_error, 1.0 * std::abs(level(got) - expected));
      if (verdict.bad_count == 0) {
        verdict.bad_x = x;
        verdict.bad_y = y;
        verdict.expected = expected;
        verdict.got = static_cast<float>(level(got));
      }
      verdict.bad_count++;
    }
  }
  verdict.damage = damage;
  verdict.passed = verdict.bad_count == 0 && damage.empty();
  return verdict;
}

/// The test card, lit red from the left, green from the right and blue from below.
RgbaImage make_coloured_test_card(int width, int height) {
  const Image card = make_test_card(width, height);
  RgbaImage image(width, height);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      // The light is 128..255 of 255.
      const int level = static_cast<int>(std::lround(255.0F * card.at(x, y)));
      const auto share = [](int part, int whole) {
        return static_cast<int>(std::int64_t{127} * part / whole);
      };
      const auto lit = [level](int light) {
        return static_cast<std::uint32_t>((level * light + 127) / 255);
      };
      image.pixels[image.index(x, y)] = lit(255 - share(x, width)) |
                                        lit(128 + share(x, width)) << 8 |
                                        lit(128 + share(y, height)) << 16 | 255U << 24;
    }
  }
  return image;
}

}  // namespace

int luminance(std::uint32_t pixel) {
  return static_cast<int>(30 * (pixel & 255) + 59 * (pixel >> 8 & 255) + 11 * (pixel >> 16 & 255));
}

Flag noise_flag(double& share) {
  return {
      "--noise", "P", "share of pixels to turn black or white, 0 to 1\n(default: 0)",
      [&share](const std::string& text) {
        share = parse_number<double>(text).value_or(-1.0);
        require(
            share >= 0.0 && share <= 1.0, "--noise: must be a number from 0 to 1, not '{}'", text);
      }};
}

RgbaImage load_rgba_image(const Options& options, double noise) {
  RgbaImage image = options.input.empty()
                        ? make_coloured_test_card(options.size.width, options.size.height)
                        : read_rgba_image(options.input);
  std::mt19937 random(options.seed);  // the same everywhere, unlike <random>'s distributions
  const auto threshold = static_cast<std::uint64_t>(noise * 4294967296.0);  // of 2^32
  for (std::uint32_t& pixel : image.pixels) {
    if (random() < threshold) {
      const bool is_white = (random() & 1) != 0;
      pixel = (pixel & 0xff000000U) | (is_white ? 0x00ffffffU : 0U);
    }
  }
  return image;
}

GrayImage to_gray(const RgbaImage& image) {
  GrayImage gray(image.width, image.height);
  std::ranges::transform(image.pixels, gray.pixels.begin(), [](std::uint32_t pixel) {
    return static_cast<std::uint8_t>((luminance(pixel) + 50) / 100);
  });
  return gray;
}

void write_picture(const std::string& path, const RgbaImage& picture) {
  path.ends_with(".png") ? write_png(path, picture) : write_picture(path, to_gray(picture));
}

void write_picture(const std::string& path, const GrayImage& picture) {
  Image image(picture.width, picture.height);
  std::ranges::transform(
      picture.pixels, image.pixels.begin(), [](std::uint8_t pixel) { return pixel / 255.0F; });
  write_image(path, image);
}

RgbaImage median_reference(const RgbaImage& input) {
  return medians(input);
}
GrayImage median_reference(const GrayImage& input) {
  return medians(input);
}

Verdict check_median(
    const RgbaImage& input, const RgbaImage& reference, const RgbaImage& output,
    const std::string& damage) {
  return check(input, reference, output, damage);
}
Verdict check_median(
    const GrayImage& input, const GrayImage& reference, const GrayImage& output,
    const std::string& damage) {
  return check(input, reference, output, damage);
}

}  // namespace tutorial
