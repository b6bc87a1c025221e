#include "common/test_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "common/error.hpp"

namespace tutorial {
namespace {

constexpr float black = 0.1F;  // not 0, which no light would make differ from its neighbours
constexpr float white = 1.0F;

/// A part of the image: columns left <= x < right, rows top <= y < bottom.
struct Area {
  int left, top, right, bottom;

  int width() const { return right - left; }
  int height() const { return bottom - top; }
};

/// The layout is in 64ths of the image's sides.
Area part(const Image& image, int left, int top, int right, int bottom) {
  const auto scale = [](int position, int side) { return int(std::int64_t{position} * side / 64); };
  return {
      scale(left, image.width), scale(top, image.height), scale(right, image.width),
      scale(bottom, image.height)};
}

/// Sets each pixel of `area` to `shade(x, y)`, x and y counted from the area's corner.
template <typename Shade>
void draw(Image& image, const Area& area, const Shade& shade) {
  for (int y = area.top; y < area.bottom; y++) {
    for (int x = area.left; x < area.right; x++) {
      image.pixels[image.index(x, y)] = shade(x - area.left, y - area.top);
    }
  }
}

/// Draws the largest disc that fits into the middle of `area`: `shade(dx, dy, radius)`, all in
/// pixels, dx and dy from the centre.
template <typename Shade>
void draw_disc(Image& image, const Area& area, const Shade& shade) {
  const int diameter = std::min(area.width(), area.height());
  const float radius = 0.5F * float(diameter);
  const int left = area.left + (area.width() - diameter) / 2;
  const int top = area.top + (area.height() - diameter) / 2;
  const Area square{left, top, left + diameter, top + diameter};
  draw(image, square, [&](int x, int y) {
    const float dx = float(x) + 0.5F - radius;
    const float dy = float(y) + 0.5F - radius;
    return dx * dx + dy * dy < radius * radius ? shade(dx, dy, radius) : white;
  });
}

/// Rings whose frequency rises from 0 at the centre to a period of 4 pixels at the edge: they show
/// at a glance which frequencies a filter passes, in every direction.
float zone_plate(float dx, float dy, float radius) {
  // r^2 / (8 radius) turns, whose derivative at r = radius is 1/4 per pixel.
  const float turns = (dx * dx + dy * dy) / (8.0F * radius);
  return std::lerp(black, white, 0.5F + 0.5F * std::cos(2.0F * std::numbers::pi_v<float> * turns));
}

/// Hard edges in every direction, which a blur closes from the centre outwards.
float siemens_star(float dx, float dy, float) {
  constexpr float spokes = 18.0F;
  return std::sin(spokes * std::atan2(dy, dx)) > 0.0F ? white : black;
}

/// The word from dots of `dot` x `dot` pixels, as often as it fits below and beside itself.
void draw_text(Image& image, const Area& area, int dot) {
  constexpr std::array<std::string_view, 7> word{
      " ###  ####  ##### #   #  ###  #    ",  //
      "#   # #   # #     ##  # #   # #    ",  //
      "#   # #   # #     # # # #     #    ",  //
      "#   # ####  ####  # # # #     #    ",  //
      "#   # #     #     #  ## #     #    ",  //
      "#   # #     #     #   # #   # #    ",  //
      " ###  #     ##### #   #  ###  #####"};
  constexpr int columns = 35 + 4;  // with the gaps
  constexpr int rows = 7 + 3;
  draw(image, area, [&](int x, int y) {
    const auto column = std::size_t(x / dot % columns);
    const auto row = std::size_t(y / dot % rows);
    return row < word.size() && column < word[row].size() && word[row][column] == '#' ? black
                                                                                      : white;
  });
}

}  // namespace

Image make_test_card(int width, int height) {
  if (width < 1 || height < 1 || std::size_t(width) * std::size_t(height) > max_image_pixels) {
    throw Error(fmt::format("--size: must be from 1 to {} pixels", max_image_pixels));
  }
  Image card(width, height);
  draw(card, {0, 0, width, height}, [](int, int) { return 0.5F; });
  draw_disc(card, part(card, 4, 4, 38, 38), zone_plate);
  draw_disc(card, part(card, 41, 20, 60, 39), siemens_star);
  const Area text = part(card, 41, 4, 60, 17);
  draw_text(card, text, std::max(1, text.width() / 39));
  const Area small_text = part(card, 4, 42, 53, 49);
  draw_text(card, small_text, std::max(1, small_text.width() / 300));
  const Area steps = part(card, 4, 52, 53, 60);
  draw(card, steps, [&](int x, int) {
    return std::lerp(black, white, float(std::int64_t{11} * x / steps.width()) / 10.0F);
  });
  const Area slope = part(card, 56, 42, 60, 60);
  draw(card, slope, [&](int, int y) {
    return std::lerp(black, white, float(y) / float(slope.height()));
  });

  // The light: steeper along x than along y, so that no image is its own transpose.
  draw(card, {0, 0, width, height}, [&](int x, int y) {
    const float light =
        0.6F + 0.25F * float(x + 1) / float(width) + 0.15F * float(y + 1) / float(height);
    return card.at(x, y) * light;
  });
  return card;
}

}  // namespace tutorial
