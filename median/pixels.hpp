// The pictures of the median's programs, and what their median is. No OpenCL here;
// device_picture.hpp brings pictures to the device.
#pragma once

#include <cstdint>
#include <string>

#include "common/checker.hpp"
#include "common/image.hpp"
#include "common/options.hpp"

namespace tutorial {

/// A picture with one byte for each pixel.
using GrayImage = Grid<std::uint8_t>;

/// 100 times the luminance of a pixel packed as in `RgbaImage`: 30 red + 59 green + 11 blue,
/// 0..25500. Orders as 0.3 red + 0.59 green + 0.11 blue does, without rounding.
int luminance(std::uint32_t pixel);

/// --noise, which sets `share`: of the pixels to turn black or white, 0..1.
Flag noise_flag(double& share);

/// The picture that the options name: the file, or the test card, under light whose colour changes
/// from place to place, so that a channel or direction that is mixed up shows. A share `noise` of
/// its pixels is black or white, at random but by options.seed, which is what a median filter is
/// made to remove; alpha does not change. Throws `Error` as `read_rgba_image` does.
RgbaImage load_rgba_image(const Options& options, double noise);

/// The rounded luminance.
GrayImage to_gray(const RgbaImage& image);

/// Writes a picture: as `write_image` does, but a PNG of a colour picture in colour.
void write_picture(const std::string& path, const RgbaImage& picture);
void write_picture(const std::string& path, const GrayImage& picture);

/// The 3 x 3 median, by sorting the nine pixels of every window: those of an RGBA image, which are
/// moved as a whole, by luminance. Pixels on the border are copied.
RgbaImage median_reference(const RgbaImage& input);
GrayImage median_reference(const GrayImage& input);

/// Compares a kernel's `output` with the result of `median_reference(input)`; all three have one
/// size. By luminance, any of the window's pixels that has the right luminance is right, and on the
/// border only the pixel itself; `Verdict::expected` and `got` are luminances then.
Verdict check_median(
    const RgbaImage& input, const RgbaImage& reference, const RgbaImage& output,
    const std::string& damage = {});
Verdict check_median(
    const GrayImage& input, const GrayImage& reference, const GrayImage& output,
    const std::string& damage = {});

}  // namespace tutorial
