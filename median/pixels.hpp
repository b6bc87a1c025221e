// Pictures of several pixel formats as bytes, and what their median is.
// No OpenCL here; device_picture.hpp brings pictures to the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/checker.hpp"
#include "common/image.hpp"
#include "common/options.hpp"

namespace tutorial {

/// What a pixel is, and what its median means.
enum class PixelFormat {
  rgba_luminance,  ///< four bytes, moved as a whole, ordered by `luminance`
  rgba_channels,   ///< four bytes, each channel with a median of its own
  gray,            ///< one byte
  real,            ///< one float, finite
};

/// A picture: `height` rows of `width` pixels, row-major, top row first, no gaps.
struct Picture {
  PixelFormat format = PixelFormat::gray;
  int width = 0;   ///< pixels
  int height = 0;  ///< pixels
  std::vector<std::uint8_t> bytes;

  /// Bytes of a pixel: 4 or 1.
  std::size_t pixel_bytes() const { return format == PixelFormat::gray ? 1 : 4; }
  /// Bytes of a row.
  std::size_t row_bytes() const { return std::size_t(width) * pixel_bytes(); }
  /// Which pixel column `x` (0..width-1) of row `y` (0..height-1) is.
  std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width) + x; }
};

/// 100 times the luminance of a pixel packed as in `RgbaImage`: 30 red + 59 green + 11 blue,
/// 0..25500. Orders as 0.3 red + 0.59 green + 0.11 blue does, without rounding.
int luminance(std::uint32_t pixel);

/// Turns a share `probability` (0..1) of the pixels black or white, at random but reproducibly:
/// what a median filter is made to remove. The same seed gives the same noise; alpha does not
/// change. Throws `Error` if `probability` is outside 0..1.
void add_salt_and_pepper(RgbaImage& image, double probability, std::uint32_t seed);

/// The picture that the options name, with their share of salt-and-pepper noise: the file, or the
/// test card, under light whose colour changes from place to place, so that a channel or direction
/// that is mixed up shows. Throws `Error` as `read_rgba_image` does.
RgbaImage load_rgba_image(const Options& options);

/// The image in another format; gray is the rounded luminance, a float is the luminance as 0..1.
Picture make_picture(const RgbaImage& image, PixelFormat format);

/// Writes a picture: as `write_image` does, but a PNG of a colour format in colour.
void write_picture(const std::string& path, const Picture& picture);

/// The 3 x 3 median, by sorting the nine pixels of every window; pixels on the border are copied.
Picture median_reference(const Picture& input);

/// The bytes of the picture in a larger one, whose other pixels are zero: `rows` rows of `pitch`
/// pixels, the picture's first pixel in column `frame` of row `frame`. Throws std::invalid_argument
/// if it does not fit.
std::vector<std::uint8_t> padded(
    const Picture& picture, std::size_t pitch, std::size_t rows, std::size_t frame);

/// The picture with every bit turned around: none of its pixels is what it was. An output buffer is
/// filled with it before a kernel runs, and so a pixel that the kernel forgets is found.
Picture inverted(const Picture& picture);

/// Compares a kernel's `output` with the result of `median_reference(input)`; all three have one
/// size, else std::invalid_argument. By luminance, any of the window's pixels that has the right
/// luminance is right, and on the border only the pixel itself; `Verdict::expected` and `got` are
/// luminances then. Otherwise every bit must be as in the reference.
Verdict check_median(
    const Picture& input, const Picture& reference, const Picture& output,
    const std::string& damage = {});

}  // namespace tutorial
