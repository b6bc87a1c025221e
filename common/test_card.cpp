// All arithmetic here is on integers, and every pixel is one of the levels 0..255: so the card is
// the same to the bit on every platform, and survives being saved as an 8-bit image.
#include "common/test_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>
#include <utility>

#include "common/error.hpp"

namespace tutorial {
namespace {

constexpr int black = 0;
constexpr int white = 255;

// --- Integer mathematics
// --------------------------------------------------------------------------

/// Angles are counted in 65536ths of a turn.
constexpr int full_turn = 1 << 16;

/// floor(sqrt(n)). IEEE arithmetic rounds a square root correctly, so this too is exact.
int integer_sqrt(std::int64_t n) {
  return static_cast<int>(std::sqrt(static_cast<double>(n)));
}

/// cos(angle) as a level, 255 for 1 and 0 for -1, by Bhaskara I's formula from the 7th century:
/// sin(x) = 4 x (180 - x) / (40500 - x (180 - x)), x in degrees; it is off by at most half a level.
int cosine_level(int angle) {
  constexpr std::int64_t half = full_turn / 2;
  const std::int64_t x = (angle + full_turn / 4) & (full_turn - 1);  // cos(a) = sin(a + 90)
  const std::int64_t product = (x % half) * (half - x % half);
  // 40500 is 5/4 of 180 squared; numerator and denominator here are 4 times those of the formula.
  const std::int64_t sine_1000000 = 16 * product * 1000000 / (5 * half * half - 4 * product);
  const std::int64_t signed_sine = x < half ? sine_1000000 : -sine_1000000;
  return static_cast<int>((255 * (1000000 + signed_sine) + 1000000) / 2000000);
}

/// The angle of the direction (dx, dy), counted from +x towards +y; 0.1 degrees off at most.
int angle_of(std::int64_t dx, std::int64_t dy) {
  const std::int64_t longer = std::max(std::abs(dx), std::abs(dy));
  const std::int64_t shorter = std::min(std::abs(dx), std::abs(dy));
  if (longer == 0) {
    return 0;
  }
  // atan(t) for t in 0..1 is close to a polynomial: t pi/4 + t (1 - t) (0.2447 + 0.0663 t).
  const std::int64_t t = (shorter << 16) / longer;
  const std::int64_t bulge = (t * (65536 - t) >> 16) * (2552 + (692 * t >> 16)) >> 16;
  int angle = static_cast<int>((t * (full_turn / 8) >> 16) + bulge);
  if (std::abs(dy) > std::abs(dx)) {
    angle = full_turn / 4 - angle;
  }
  if (dx < 0) {
    angle = full_turn / 2 - angle;
  }
  return (dy < 0 ? -angle : angle) & (full_turn - 1);
}

// --- Drawing
// --------------------------------------------------------------------------------------

/// A part of the image: columns left <= x < right, rows top <= y < bottom.
struct Rectangle {
  int left, top, right, bottom;

  int width() const { return right - left; }
  int height() const { return bottom - top; }
  Rectangle shrunk_by(int margin) const {
    return {left + margin, top + margin, right - margin, bottom - margin};
  }
};

class Canvas {
 public:
  Canvas(int width, int height) : image_(width, height) {}

  Image take() { return std::move(image_); }
  int width() const { return image_.width; }
  int height() const { return image_.height; }
  int shorter_side() const { return std::min(width(), height()); }

  /// The card's layout is in 64ths of its sides.
  Rectangle part(int left, int top, int right, int bottom) const {
    const auto scale = [](int position, int side) {
      return static_cast<int>(std::int64_t{position} * side / 64);
    };
    return {
        scale(left, width()), scale(top, height()), scale(right, width()), scale(bottom, height())};
  }

  /// Sets each pixel of `area` to the level that `shade(x, y)` gives, x and y counted from the
  /// area's corner.
  template <typename Shade>
  void draw(const Rectangle& area, const Shade& shade) {
    for (int y = area.top; y < area.bottom; ++y) {
      for (int x = area.left; x < area.right; ++x) {
        pixel(x, y) = static_cast<float>(shade(x - area.left, y - area.top)) / 255.0f;
      }
    }
  }

  void fill(const Rectangle& area, int level) {
    draw(area, [level](int, int) { return level; });
  }

  /// Draws the largest disc that fits into the middle of `area`, white-rimmed. `shade` gets the
  /// distances from the centre in half pixels (a centre may lie between two pixels), and their
  /// squares' sum.
  template <typename Shade>
  void draw_disc(const Rectangle& area, const Shade& shade) {
    const int diameter = std::min(area.width(), area.height());
    const int rim = std::max(2, shorter_side() / 128);  // in half pixels, too
    const Rectangle square{
        area.left + (area.width() - diameter) / 2, area.top + (area.height() - diameter) / 2,
        area.left + (area.width() + diameter) / 2, area.top + (area.height() + diameter) / 2};
    for (int y = square.top; y < square.bottom; ++y) {
      for (int x = square.left; x < square.right; ++x) {
        const std::int64_t dx = 2 * (x - square.left) + 1 - diameter;
        const std::int64_t dy = 2 * (y - square.top) + 1 - diameter;
        const std::int64_t squared = dx * dx + dy * dy;
        const int inside = diameter - integer_sqrt(squared);  // half pixels from the edge inwards
        if (inside > rim) {
          pixel(x, y) = static_cast<float>(shade(dx, dy, squared)) / 255.0f;
        } else if (inside > 0) {
          pixel(x, y) = 1.0f;
        }
      }
    }
  }

 private:
  float& pixel(int x, int y) {
    return image_.pixels
        [static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) +
         static_cast<std::size_t>(x)];
  }

  Image image_;
};

// --- What the card is made of
// ---------------------------------------------------------------------

/// A gentle slope with a grid of thin lines. The slope is steeper along x than along y, so that
/// even an image of a few pixels, which has no grid, differs from its mirror images and its
/// transpose.
void draw_background(Canvas& canvas) {
  const bool has_grid = canvas.shorter_side() >= 32;
  const int spacing = std::max(8, canvas.shorter_side() / 16);
  const int thickness = std::max(1, canvas.shorter_side() / 512);
  const std::int64_t width = canvas.width();
  const std::int64_t height = canvas.height();
  canvas.draw({0, 0, canvas.width(), canvas.height()}, [=](int x, int y) {
    if (has_grid && (x % spacing < thickness || y % spacing < thickness)) {
      return 150;
    }
    return static_cast<int>(60 + 48 * x / width + 24 * y / height);
  });
}

/// The zone plate: rings whose frequency rises from 0 at the centre to a period of 4 pixels at the
/// edge, so it shows at a glance which frequencies a filter passes, in every direction.
void draw_zone_plate(Canvas& canvas, const Rectangle& area) {
  std::array<int, 1024> wave;
  for (int i = 0; i < 1024; ++i) {
    wave[static_cast<std::size_t>(i)] = cosine_level(i * (full_turn / 1024));
  }
  // The phase is r^2 / (4 * diameter) turns, whose derivative at r = diameter / 2 is 1/4 a pixel.
  const std::int64_t diameter = std::max(1, std::min(area.width(), area.height()));
  canvas.draw_disc(area, [&](std::int64_t, std::int64_t, std::int64_t four_r_squared) {
    const std::int64_t phase_1024 = four_r_squared * (1024 / 16) / diameter;
    return wave[static_cast<std::size_t>(phase_1024 & 1023)];
  });
}

/// The Siemens star: hard edges in every direction, which a blur closes from the centre outwards.
void draw_siemens_star(Canvas& canvas, const Rectangle& area) {
  constexpr int cycles = 18;
  canvas.draw_disc(area, [](std::int64_t dx, std::int64_t dy, std::int64_t squared) {
    const int phase = (angle_of(dx, dy) * cycles + full_turn / 4) & (full_turn - 1);
    // How far we are inside a white (> 0) or a black (< 0) spoke, along the circle around the
    // centre. A pixel that an edge runs through is gray.
    const int into_spoke = std::min(phase, full_turn - phase) - full_turn / 4;
    const std::int64_t half_pixels =
        std::int64_t{into_spoke} * integer_sqrt(squared) * 2 * 355 / 113;  // * 2 pi
    const std::int64_t level = 128 + half_pixels * 128 / (std::int64_t{cycles} * full_turn);
    return static_cast<int>(std::clamp<std::int64_t>(level, black, white));
  });
}

/// Bars of ever longer periods, upright above and slanting below: the finest that pixels can show
/// are on the left.
void draw_bars(Canvas& canvas, const Rectangle& area) {
  constexpr std::array<int, 6> periods{2, 3, 4, 6, 8, 12};
  const int cell_width = std::max(1, area.width() / static_cast<int>(periods.size()));
  const int cell_height = std::max(1, area.height() / 2);
  canvas.draw(area, [&](int x, int y) {
    const auto cell = std::min<std::size_t>(static_cast<std::size_t>(x / cell_width), 5);
    const int period = periods[cell];
    const int along = y < cell_height ? x : x + y;
    return along % period < (period + 1) / 2 ? white : black;
  });
}

using DotLetters = std::array<std::string_view, 7>;

constexpr DotLetters opencl{
    " ###  ####  ##### #   #  ###  #    ",  //
    "#   # #   # #     ##  # #   # #    ",  //
    "#   # #   # #     # # # #     #    ",  //
    "#   # ####  ####  # # # #     #    ",  //
    "#   # #     #     #  ## #     #    ",  //
    "#   # #     #     #   # #   # #    ",  //
    " ###  #     ##### #   #  ###  #####"};

constexpr DotLetters convolution{
    " ###   ###  #   # #   #  ###  #     #   # ##### #####  ###  #   #",  //
    "#   # #   # ##  # #   # #   # #     #   #   #     #   #   # ##  #",  //
    "#     #   # # # # #   # #   # #     #   #   #     #   #   # # # #",  //
    "#     #   # # # # #   # #   # #     #   #   #     #   #   # # # #",  //
    "#     #   # #  ##  # #  #   # #     #   #   #     #   #   # #  ##",  //
    "#   # #   # #   #  # #  #   # #     #   #   #     #   #   # #   #",  //
    " ###   ###  #   #   #    ###  #####  ###    #   #####  ###  #   #"};

/// Writes `word` over and over into `line`, in dots of `dot` x `dot` pixels, as often as it fits.
void draw_line_of_text(Canvas& canvas, const Rectangle& line, const DotLetters& word, int dot) {
  const int letters = static_cast<int>(word[0].size());
  const int word_width = letters * dot;
  const int gap = 4 * dot;
  const int count = std::max(1, (line.width() + gap) / (word_width + gap));
  const int text_width = std::min(line.width(), count * (word_width + gap) - gap);
  const Rectangle text{line.left, line.top, line.left + text_width, line.bottom};
  canvas.draw(text, [&](int x, int y) {
    const int column = x / dot % (letters + 4);
    const bool is_ink =
        column < letters &&
        word[static_cast<std::size_t>(y / dot)][static_cast<std::size_t>(column)] == '#';
    return is_ink ? black : white;
  });
}

/// An optician's chart: letters that get smaller down to dots of one pixel, as text on a screen.
void draw_eye_chart(Canvas& canvas, const Rectangle& area) {
  canvas.fill(area, white);
  const Rectangle paper = area.shrunk_by(std::min(area.width(), area.height()) / 16);
  int top = paper.top;
  const auto next_line = [&](const DotLetters& word, int dot) {
    const Rectangle line{paper.left, top, paper.right, std::min(top + 7 * dot, paper.bottom)};
    draw_line_of_text(canvas, line, word, dot);
    top = line.bottom + std::max(2, 3 * dot);
  };
  const int largest_dot = std::max(1, std::min(paper.width() / 35, paper.height() / 16));
  next_line(opencl, largest_dot);
  for (int dot = (largest_dot + 1) / 2; dot > 0 && top < paper.bottom; --dot) {
    next_line(convolution, dot);
  }
}

/// Eleven steps from black to white over a smooth slope from white to black.
void draw_horizontal_gradients(Canvas& canvas, const Rectangle& area) {
  const int width = area.width();
  const int half = area.height() / 2;
  canvas.draw(area, [=](int x, int y) {
    if (y < half) {
      return static_cast<int>(std::int64_t{x} * 11 / width) * white / 10;
    }
    return white - static_cast<int>(std::int64_t{x} * 255 / std::max(1, width - 1));
  });
}

void draw_vertical_gradient(Canvas& canvas, const Rectangle& area) {
  const int height = area.height();
  canvas.draw(area, [=](int, int y) {
    return static_cast<int>(std::int64_t{y} * 255 / std::max(1, height - 1));
  });
}

/// Black and white blocks along the four edges, so that what happens at a border is seen.
void draw_border(Canvas& canvas) {
  const int thickness = canvas.shorter_side() / 64;
  const int block = 4 * thickness;
  const auto castellate = [&](const Rectangle& edge) {
    canvas.draw(edge, [&](int x, int y) {
      return ((edge.left + x) / block + (edge.top + y) / block) % 2 == 0 ? white : black;
    });
  };
  const int width = canvas.width();
  const int height = canvas.height();
  castellate({0, 0, width, thickness});
  castellate({0, height - thickness, width, height});
  castellate({0, 0, thickness, height});
  castellate({width - thickness, 0, width, height});
}

/// Where in the random sequence a pixel stands decides its fate, so the order of the pixels counts.
/// std::mt19937 is the same everywhere, the distributions of <random> are not.
template <typename Pixel, typename MakeBlackOrWhite>
void replace_at_random(
    std::vector<Pixel>& pixels, double probability, std::uint32_t seed,
    const MakeBlackOrWhite& black_or_white) {
  if (!(probability >= 0.0 && probability <= 1.0)) {
    throw Error(fmt::format("the probability of noise is {}, it must be 0 to 1", probability));
  }
  std::mt19937 random(seed);
  const auto threshold = static_cast<std::uint64_t>(probability * 4294967296.0);  // of 2^32
  for (Pixel& pixel : pixels) {
    if (random() < threshold) {
      pixel = black_or_white(pixel, (random() & 1) != 0);
    }
  }
}

}  // namespace

Image make_test_card(int width, int height) {
  if (width < 1 || height < 1 ||
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) > max_image_pixels) {
    throw Error(fmt::format(
        "a test card of {} x {} pixels: each side must be at least 1, the area at most {}", width,
        height, max_image_pixels));
  }
  Canvas canvas(width, height);
  draw_background(canvas);
  draw_border(canvas);
  draw_zone_plate(canvas, canvas.part(4, 4, 38, 38));
  draw_eye_chart(canvas, canvas.part(41, 4, 60, 17));
  draw_siemens_star(canvas, canvas.part(41, 20, 60, 39));
  draw_bars(canvas, canvas.part(4, 41, 53, 49));
  draw_horizontal_gradients(canvas, canvas.part(4, 52, 53, 60));
  draw_vertical_gradient(canvas, canvas.part(56, 42, 60, 60));
  return canvas.take();
}

void add_salt_and_pepper(Image& image, double probability, std::uint32_t seed) {
  replace_at_random(
      image.pixels, probability, seed, [](float, bool is_white) { return is_white ? 1.0f : 0.0f; });
}

void add_salt_and_pepper(RgbaImage& image, double probability, std::uint32_t seed) {
  replace_at_random(image.pixels, probability, seed, [](std::uint32_t pixel, bool is_white) {
    return (pixel & 0xff000000u) | (is_white ? 0x00ffffffu : 0u);  // alpha stays as it is
  });
}

}  // namespace tutorial
