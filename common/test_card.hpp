// The image that the programs use when no file is given.
#pragma once

#include "common/image.hpp"

namespace tutorial {

/// A test card of any size from 1 x 1: a zone plate (rings that get finer outwards), a Siemens
/// star, text and slopes, all that a filter treats differently. Every pixel is 0..1. Even plain
/// areas differ from pixel to pixel: a result that is mirrored, transposed or shifted is wrong.
/// Throws `Error` if the area is above `max_image_pixels`.
Image make_test_card(int width, int height);

}  // namespace tutorial
