// The image that the programs use when no file is given: generated, the same at every run.
#pragma once

#include <cstdint>

#include "common/image.hpp"

namespace tutorial {

/// A test card of any size from 1 x 1: a zone plate (rings that get finer outwards), a Siemens
/// star, horizontal and vertical gradients, and text-like hard edges; all that a filter treats
/// differently, in one picture. The result depends on `width` and `height` alone. Throws `Error` if
/// a side is < 1 or the area is above `max_image_pixels`.
Image make_test_card(int width, int height);

/// Turns a share `probability` (0..1) of the pixels black or white, at random but reproducibly: the
/// same seed gives the same noise on every platform. What a median filter is made to remove.
/// Alpha stays as it is. Throws `Error` if `probability` is outside 0..1.
void add_salt_and_pepper(Image& image, double probability, std::uint32_t seed);
void add_salt_and_pepper(RgbaImage& image, double probability, std::uint32_t seed);

}  // namespace tutorial
