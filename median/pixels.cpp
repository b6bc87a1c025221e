#include "median/pixels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

#include "common/error.hpp"
#include "common/image.hpp"

namespace tutorial {
namespace {

template <typename Pixel>
Pixel load(const Picture& picture, std::size_t index) {
  Pixel pixel;
  std::memcpy(&pixel, picture.bytes.data() + index * sizeof(Pixel), sizeof(Pixel));
  return pixel;
}

template <typename Pixel>
void store(Picture& picture, std::size_t index, Pixel pixel) {
  std::memcpy(picture.bytes.data() + index * sizeof(Pixel), &pixel, sizeof(Pixel));
}

bool on_border(const Picture& picture, int x, int y) {
  return x == 0 || y == 0 || x == picture.width - 1 || y == picture.height - 1;
}

/// The nine pixels around (x, y), which is not on the border.
template <typename Pixel>
std::array<Pixel, 9> window(const Picture& picture, int x, int y) {
  std::array<Pixel, 9> pixels;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      pixels[3 * r + c] = load<Pixel>(picture, picture.index(x + c - 1, y + r - 1));
    }
  }
  return pixels;
}

/// The median of nine, in the order that `less` gives. Insertion sort: as plain as a reference can
/// be, and quick for nine.
template <typename Pixel, typename Less>
Pixel median_of(std::array<Pixel, 9> pixels, Less less) {
  for (std::size_t i = 1; i < pixels.size(); i++) {
    for (std::size_t j = i; j > 0 && less(pixels[j], pixels[j - 1]); j--) {
      std::swap(pixels[j], pixels[j - 1]);
    }
  }
  return pixels[4];
}

/// Replaces every pixel of `output` that is not on the border by what `median` makes of its window.
template <typename Pixel, typename Median>
void for_each_window(const Picture& input, Picture& output, Median median) {
#pragma omp parallel for schedule(static)
  for (int y = 1; y < input.height - 1; y++) {
    for (int x = 1; x < input.width - 1; x++) {
      store<Pixel>(output, input.index(x, y), median(window<Pixel>(input, x, y)));
    }
  }
}

int channel(std::uint32_t pixel, int index) {
  return static_cast<int>(pixel >> (8 * index) & 255);
}

std::uint32_t median_of_channels(const std::array<std::uint32_t, 9>& pixels) {
  std::uint32_t median = 0;
  for (int i = 0; i < 4; i++) {
    std::array<int, 9> values;
    std::transform(pixels.begin(), pixels.end(), values.begin(), [i](std::uint32_t pixel) {
      return channel(pixel, i);
    });
    median |= static_cast<std::uint32_t>(median_of(values, std::less<>())) << (8 * i);
  }
  return median;
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

/// Whether the pixel of `output` is right, and what to show if it is not.
struct PixelVerdict {
  bool right = false;
  double expected = 0.0;
  double got = 0.0;
};

PixelVerdict check_luminance(
    const Picture& input, const Picture& reference, const Picture& output, int x, int y) {
  const std::size_t i = input.index(x, y);
  const auto got = load<std::uint32_t>(output, i);
  const int expected = luminance(load<std::uint32_t>(reference, i));
  bool known = got == load<std::uint32_t>(input, i);
  if (!known && !on_border(input, x, y)) {
    const auto pixels = window<std::uint32_t>(input, x, y);
    known = std::find(pixels.begin(), pixels.end(), got) != pixels.end();
  }
  return {
      known && luminance(got) == expected, static_cast<double>(expected),
      static_cast<double>(luminance(got))};
}

PixelVerdict check_exact(const Picture& reference, const Picture& output, int x, int y) {
  const std::size_t i = reference.index(x, y);
  const std::size_t size = reference.pixel_bytes();
  const std::uint8_t* expected = reference.bytes.data() + i * size;
  const std::uint8_t* got = output.bytes.data() + i * size;
  const auto [e, g] = std::mismatch(expected, expected + size, got);
  if (e == expected + size) {
    return {.right = true};
  }
  if (reference.format == PixelFormat::real) {
    return {false, load<float>(reference, i), load<float>(output, i)};
  }
  return {false, static_cast<double>(*e), static_cast<double>(*g)};
}

}  // namespace

int luminance(std::uint32_t pixel) {
  return 30 * channel(pixel, 0) + 59 * channel(pixel, 1) + 11 * channel(pixel, 2);
}

void add_salt_and_pepper(RgbaImage& image, double probability, std::uint32_t seed) {
  if (!(probability >= 0.0 && probability <= 1.0)) {
    throw Error(fmt::format("the share of noise is {}, it must be from 0 to 1", probability));
  }
  std::mt19937 random(seed);  // the same everywhere, unlike the distributions of <random>
  const auto threshold = static_cast<std::uint64_t>(probability * 4294967296.0);  // of 2^32
  for (std::uint32_t& pixel : image.pixels) {
    if (random() < threshold) {
      const bool is_white = (random() & 1) != 0;
      pixel = (pixel & 0xff000000U) | (is_white ? 0x00ffffffU : 0U);
    }
  }
}

RgbaImage load_rgba_image(const Options& options) {
  RgbaImage image = options.input.empty()
                        ? make_coloured_test_card(options.size.width, options.size.height)
                        : read_rgba_image(options.input);
  add_salt_and_pepper(image, options.noise, options.seed);
  return image;
}

Picture make_picture(const RgbaImage& image, PixelFormat format) {
  Picture picture{format, image.width, image.height, {}};
  picture.bytes.resize(image.pixels.size() * picture.pixel_bytes());
  for (std::size_t i = 0; i < image.pixels.size(); i++) {
    const std::uint32_t pixel = image.pixels[i];
    switch (format) {
      case PixelFormat::rgba_luminance:
      case PixelFormat::rgba_channels:
        store(picture, i, pixel);
        break;
      case PixelFormat::gray:
        picture.bytes[i] = static_cast<std::uint8_t>((luminance(pixel) + 50) / 100);
        break;
      case PixelFormat::real:
        store(picture, i, static_cast<float>(luminance(pixel)) / 25500.0F);
        break;
    }
  }
  return picture;
}

void write_picture(const std::string& path, const Picture& picture) {
  const std::size_t count = picture.bytes.size() / picture.pixel_bytes();
  const bool colour =
      picture.format == PixelFormat::rgba_luminance || picture.format == PixelFormat::rgba_channels;
  if (colour && path.ends_with(".png")) {
    RgbaImage image(picture.width, picture.height);
    std::memcpy(image.pixels.data(), picture.bytes.data(), picture.bytes.size());
    write_png(path, image);
    return;
  }
  Image image(picture.width, picture.height);
  for (std::size_t i = 0; i < count; i++) {
    image.pixels[i] =
        picture.format == PixelFormat::real ? load<float>(picture, i)
        : picture.format == PixelFormat::gray
            ? picture.bytes[i] / 255.0F
            : static_cast<float>(luminance(load<std::uint32_t>(picture, i))) / 25500.0F;
  }
  write_image(path, image);
}

Picture median_reference(const Picture& input) {
  Picture output = input;
  switch (input.format) {
    case PixelFormat::rgba_luminance:
      for_each_window<std::uint32_t>(input, output, [](const auto& pixels) {
        return median_of(
            pixels, [](std::uint32_t a, std::uint32_t b) { return luminance(a) < luminance(b); });
      });
      break;
    case PixelFormat::rgba_channels:
      for_each_window<std::uint32_t>(input, output, median_of_channels);
      break;
    case PixelFormat::gray:
      for_each_window<std::uint8_t>(
          input, output, [](const auto& pixels) { return median_of(pixels, std::less<>()); });
      break;
    case PixelFormat::real:
      for_each_window<float>(
          input, output, [](const auto& pixels) { return median_of(pixels, std::less<>()); });
      break;
  }
  return output;
}

std::vector<std::uint8_t> padded(
    const Picture& picture, std::size_t pitch, std::size_t rows, std::size_t frame) {
  const auto width = static_cast<std::size_t>(picture.width);
  const auto height = static_cast<std::size_t>(picture.height);
  if (frame + width > pitch || frame + height > rows) {
    throw std::invalid_argument("padded: the picture does not fit");
  }
  std::vector<std::uint8_t> bytes(pitch * rows * picture.pixel_bytes());
  for (std::size_t y = 0; y < height; y++) {
    std::memcpy(
        bytes.data() + ((y + frame) * pitch + frame) * picture.pixel_bytes(),
        picture.bytes.data() + y * picture.row_bytes(), picture.row_bytes());
  }
  return bytes;
}

Picture inverted(const Picture& picture) {
  Picture result = picture;
  for (std::uint8_t& byte : result.bytes) {
    byte = static_cast<std::uint8_t>(~byte);
  }
  return result;
}

Verdict check_median(
    const Picture& input, const Picture& reference, const Picture& output,
    const std::string& damage) {
  if (output.bytes.size() != reference.bytes.size() || input.bytes.size() != output.bytes.size() ||
      output.width != reference.width || input.width != output.width) {
    throw std::invalid_argument("check_median: the pictures differ in size");
  }
  Verdict verdict;
  for (int y = 0; y < input.height; y++) {
    for (int x = 0; x < input.width; x++) {
      const PixelVerdict pixel = input.format == PixelFormat::rgba_luminance
                                     ? check_luminance(input, reference, output, x, y)
                                     : check_exact(reference, output, x, y);
      if (pixel.right) {
        continue;
      }
      const double error = std::abs(pixel.got - pixel.expected);
      verdict.max_error = std::isfinite(error) ? std::max(verdict.max_error, error)
                                               : std::numeric_limits<double>::infinity();
      if (verdict.bad_count == 0) {
        verdict.bad_x = x;
        verdict.bad_y = y;
        verdict.expected = pixel.expected;
        verdict.got = static_cast<float>(pixel.got);
      }
      verdict.bad_count++;
    }
  }
  verdict.damage = damage;
  verdict.passed = verdict.bad_count == 0 && damage.empty();
  return verdict;
}

}  // namespace tutorial
