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
constexpr float plain = 0.5F;

/// A part of the image, in 64ths of its sides.
struct Area {
  int left, top, right, bottom;
};

/// Sets each pixel of `area` to `shade(x, y, width, height)`, x and y counted from the area's
/// corner, times the light, which is steeper along x than along y, so that no image is its own
/// transpose.
template <typename Shade>
void draw(Image& image, const Area& area, const Shade& shade) {
  const auto scale = [](int position, int side) { return int(std::int64_t{position} * side / 64); };
  const int left = scale(area.left, image.width);
  const int width = scale(area.right, image.width) - left;
  const int top = scale(area.top, image.height);
  const int height = scale(area.bottom, image.height) - top;
  for (int y = top; y < top + height; y++) {
    for (int x = left; x < left + width; x++) {
      const float light = 0.6F + 0.25F * float(x + 1) / float(image.width) +
                          0.15F * float(y + 1) / float(image.height);
      image.pixels[image.index(x, y)] = shade(x - left, y - top, width, height) * light;
    }
  }
}

/// The largest disc that fits into the middle of an area: `shade(dx, dy, radius)`, all in pixels,
/// dx and dy from the centre. The square around it is white.
template <typename Shade>
auto disc(const Shade& shade) {
  return [&shade](int x, int y, int width, int height) {
    const int diameter = std::min(width, height);
    const float radius = 0.5F * float(diameter);
    const float dx = float(x - (width - diameter) / 2) + 0.5F - radius;
    const float dy = float(y - (height - diameter) / 2) + 0.5F - radius;
    return std::max(std::abs(dx), std::abs(dy)) > radius ? plain
           : dx * dx + dy * dy < radius * radius         ? shade(dx, dy, radius)
                                                         : white;
  };
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

/// A word from dots, so many to an area's width, as often as it fits below and beside itself.
auto text(int dots) {
  static constexpr std::array<std::string_view, 7> word{
      " ###  ####  ##### #   #  ###  #    ",  //
      "#   # #   # #     ##  # #   # #    ",  //
      "#   # #   # #     # # # #     #    ",  //
      "#   # ####  ####  # # # #     #    ",  //
      "#   # #     #     #  ## #     #    ",  //
      "#   # #     #     #   # #   # #    ",  //
      " ###  #     ##### #   #  ###  #####"};
  return [dots](int x, int y, int width, int) {
    const int dot = std::max(1, width / dots);
    const std::size_t column = x / dot % (35 + 4);  // with the gaps
    const std::size_t row = y / dot % (7 + 3);
    const bool inked = row < 7 && column < 35 && word[row][column] == '#';
    return inked ? black : white;
  };
}

}  // namespace

Image make_test_card(int width, int height) {
  if (width < 1 || height < 1 || std::size_t(width) * std::size_t(height) > max_image_pixels) {
    throw Error(fmt::format("--size: must be from 1 to {} pixels", max_image_pixels));
  }
  Image card(width, height);
  draw(card, {0, 0, 64, 64}, [](int, int, int, int) { return plain; });
  draw(card, {4, 4, 38, 38}, disc(zone_plate));
  draw(card, {41, 20, 60, 39}, disc(siemens_star));
  draw(card, {41, 4, 60, 17}, text(39));
  draw(card, {4, 42, 53, 49}, text(300));
  draw(card, {4, 52, 53, 60}, [](int x, int, int steps_width, int) {
    return std::lerp(black, white, float(std::int64_t{11} * x / steps_width) / 10.0F);
  });
  draw(card, {56, 42, 60, 60}, [](int, int y, int, int slope_height) {
    return std::lerp(black, white, float(y) / float(slope_height));
  });
  return card;
}

}  // namespace tutorial
