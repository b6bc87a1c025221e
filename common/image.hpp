// Images in memory and in files.
//
// A file that is no good image ends in an `Error` that names the file and the reason, never in a
// crash or in garbage pixels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tutorial {

/// The largest image that is read or generated: 2^28 pixels (16384 x 16384), 1 GiB as floats.
constexpr std::size_t max_image_pixels = std::size_t{1} << 28;

/// `height` rows of `width` pixels, row-major, top row first.
template <typename Pixel>
struct Grid {
  int width = 0;   ///< pixels
  int height = 0;  ///< pixels
  std::vector<Pixel> pixels;

  Grid() = default;
  /// All pixels are 0.
  Grid(int width_, int height_)
      : width(width_), height(height_), pixels(std::size_t(width_) * std::size_t(height_)) {}

  std::size_t size() const { return pixels.size(); }
  std::size_t size_bytes() const { return pixels.size() * sizeof(Pixel); }
  /// Where in `pixels` column `x` (0..width-1) of row `y` (0..height-1) is. `y * width + x` as an
  /// int would overflow in the larger images.
  std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width) + x; }
  Pixel at(int x, int y) const { return pixels[index(x, y)]; }
};

/// A grayscale image, 0 (black) to 1 (white).
using Image = Grid<float>;

/// A colour image. A pixel is `red | green << 8 | blue << 16 | alpha << 24`, each 0..255.
using RgbaImage = Grid<std::uint32_t>;

/// Reads PGM, PPM, PNG or JPEG; the file's first bytes decide, not its name. A gray image gets
/// three equal channels, an image without alpha gets alpha 255, samples of 16 bits are rounded to
/// 8; colour profiles and how a camera was held are passed over. Throws `Error` for a file
/// that cannot be read, is damaged, of another format (also a JPEG in CMYK) or larger than
/// `max_image_pixels`.
RgbaImage read_rgba_image(const std::string& path);

/// The same as gray, 0..1: 0.299 R + 0.587 G + 0.114 B (Rec. 601); alpha is ignored.
Image read_image(const std::string& path);

/// A test card of any size from 1 x 1: a zone plate (rings that get finer outwards), a Siemens
/// star, text and slopes, all that a filter treats differently. Every pixel is 0..1. Even plain
/// areas differ from pixel to pixel: a result that is mirrored, transposed or shifted is wrong.
/// Throws `Error` if the area is above `max_image_pixels`.
Image make_test_card(int width, int height);

/// Writes an image; the extension decides: `.png` and `.pgm` as 8-bit gray (values are clamped to
/// 0..1 and rounded, NaN becomes 0), `.pfm` as 32-bit floats, exactly. Throws `Error` for any other
/// extension, or if the file cannot be written.
void write_image(const std::string& path, const Image& image);

/// Writes an image in colour as a PNG. Throws `Error` if that fails.
void write_png(const std::string& path, const RgbaImage& image);

/// Throws `Error` if `write_image` could not write to `path`: before minutes of work.
void require_writable_image_path(const std::string& path);

/// Writes the image, of any type of pixel, with its border pixels repeated outwards, so that a
/// filter of `filter_width` x `filter_width` taps has an input under every tap: (filter_width-1)/2
/// more columns on the left and rows above, filter_width/2 more on the right and below.
template <typename AnyImage, typename Pixel>
void repeat_border(const AnyImage& image, int filter_width, Pixel* destination) {
  const int before = (filter_width - 1) / 2;
  for (int y = 0; y < image.height + filter_width - 1; y++) {
    const int source_y = std::clamp(y - before, 0, image.height - 1);
    const auto* source = &image.pixels[image.index(0, source_y)];
    destination = std::fill_n(destination, before, source[0]);
    destination = std::copy_n(source, image.width, destination);
    destination = std::fill_n(destination, filter_width / 2, source[image.width - 1]);
  }
}

/// The same as an image of its own.
template <typename AnyImage>
AnyImage repeat_border(const AnyImage& image, int filter_width) {
  AnyImage padded(image.width + filter_width - 1, image.height + filter_width - 1);
  repeat_border(image, filter_width, padded.pixels.data());
  return padded;
}

}  // namespace tutorial
