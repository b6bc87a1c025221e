#include "common/image.hpp"

#if __has_include(<png.h>)
#include <png.h>
#endif
#if __has_include(<turbojpeg.h>)
#include <turbojpeg.h>
#endif

#include <array>
#include <limits>
#include <memory>
#include <numbers>
#include <sstream>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// The gate between a header, which may claim anything, and the allocation.
RgbaImage black_image(std::size_t width, std::size_t height) {
  require(
      width * height <= max_image_pixels,
      "the image is too large: {} x {} pixels, the limit is {} pixels", width, height,
      max_image_pixels);
  return {int(width), int(height)};
}

/// PGM and PPM: width, height and greatest sample as text, perhaps with comments between, one white
/// space, and the samples, of one byte or of two, the high one first. TurboJPEG reads them too, but
/// takes a sample above the greatest for black.
RgbaImage decode_pnm(const std::string& file) {
  std::istringstream stream(file.substr(2));
  const auto number = [&stream] {
    while ((stream >> std::ws).peek() == '#') {
      stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    int value = 0;
    stream >> value;
    return stream && value > 0 ? unsigned(value) : 0;
  };
  const unsigned width = number();
  const unsigned height = number();
  const unsigned greatest = number();
  require(
      width > 0 && height > 0 && greatest > 0 && greatest < 65536,
      "its header lacks a width, a height, or a greatest sample of 1 to 65535");
  const std::size_t sample_bytes = (greatest > 255 ? 2 : 1) * (file[1] == '6' ? 3 : 1);
  require(
      file.size() / sample_bytes / width >= height || width > max_image_pixels / height,
      "it is cut off: shorter than {} x {} pixels", width, height);
  RgbaImage image = black_image(width, height);
  const auto byte = [&bytes = *stream.rdbuf()] { return unsigned(bytes.sbumpc()); };
  byte();  // the white space
  const auto level = [&] {
    const unsigned high = greatest > 255 ? byte() << 8 : 0;
    const unsigned sample = high | byte();  // behind the end all bits are set
    require(sample <= greatest, "it is cut off, or has a sample above {}, its greatest", greatest);
    return (255 * sample + greatest / 2) / greatest;
  };
  for (std::uint32_t& pixel : image.pixels) {
    const unsigned red = level();
    const unsigned green = file[1] == '6' ? level() : red;
    const unsigned blue = file[1] == '6' ? level() : red;
    pixel = red | green << 8 | blue << 16 | 0xff000000U;
  }
  return image;
}

#if __has_include(<png.h>)
/// Pixels must be without fault; what is said of the picture otherwise may be wrong.
RgbaImage decode_png(const std::string& file) {
  png_image png{};
  const std::unique_ptr<png_image, decltype(&png_image_free)> freed(&png, png_image_free);
  png.version = PNG_IMAGE_VERSION;
  require(png_image_begin_read_from_memory(&png, file.data(), file.size()) != 0, "{}", png.message);
  require(file[24] != 16 || file[28] == 0, "libpng misreads interlaced samples of 16 bits");
  RgbaImage image = black_image(png.width, png.height);
  png.format = PNG_FORMAT_RGBA;
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // as those of 8 bits
  png.warning_or_error = 0;
  png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr);
  require(png.warning_or_error == 0, "{}", png.message);
  return image;
}

/// Writes a PNG of 8-bit samples.
void write_samples(
    const std::string& path, int width, int height, unsigned format, const void* samples) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = unsigned(width);
  png.height = unsigned(height);
  png.format = format;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string content(size, '\0');
  png_image_write_to_memory(&png, content.data(), &size, 0, samples, 0, nullptr);
  require(png.warning_or_error == 0, "{}", png.message);
  content.resize(size);
  write_whole(path, content);
}

#else
RgbaImage decode_png(const std::string& /*file*/) {
  throw Error("this program was built without libpng; it reads PGM and PPM");
}

void write_samples(const std::string& path, int, int, unsigned, const void*) {
  throw Error(fmt::format(
      "cannot write {}: this program was built without libpng; it writes .pgm and .pfm", path));
}
constexpr unsigned PNG_FORMAT_RGBA = 0, PNG_FORMAT_GRAY = 0;
#endif

#if __has_include(<turbojpeg.h>)
RgbaImage decode_jpeg(const std::string& file) {
  const std::unique_ptr<void, int (*)(tjhandle)> jpeg(tjInitDecompress(), tjDestroy);
  // Fails at a warning, too: what a damaged file lacks would become gray.
  const auto check = [&jpeg](int status) {
    require(status == 0, "{}", tjGetErrorStr2(jpeg.get()));
  };
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
  int width = 0, height = 0, subsampling = 0, color_space = 0;
  check(tjDecompressHeader3(
      jpeg.get(), bytes, file.size(), &width, &height, &subsampling, &color_space));
  RgbaImage image = black_image(width, height);
  check(tjDecompress2(
      jpeg.get(), bytes, file.size(), reinterpret_cast<unsigned char*>(image.pixels.data()), width,
      0, height, TJPF_RGBA, 0));
  return image;
}
#else
RgbaImage decode_jpeg(const std::string& /*file*/) {
  throw Error("this program was built without libjpeg-turbo; it reads PGM and PPM");
}
#endif

// Of the test card.
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

/// Rings whose frequency rises from 0 at the centre to a period of 4 pixels at the edge.
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

RgbaImage read_rgba_image(const std::string& path) {
  const std::string file = read_file(path);
  try {
    if (file.starts_with("P5") || file.starts_with("P6")) {
      return decode_pnm(file);
    }
    if (file.starts_with("\x89PNG\r\n\x1a\n")) {
      return decode_png(file);
    }
    require(
        file.starts_with("\xff\xd8\xff"), "this is not a binary PGM or PPM, a PNG or a JPEG file");
    return decode_jpeg(file);
  } catch (const Error& error) {
    throw Error(fmt::format("cannot read {}: {}", path, error.what()));
  }
}

Image read_image(const std::string& path) {
  const RgbaImage colored = read_rgba_image(path);
  Image image(colored.width, colored.height);
  for (std::size_t i = 0; i < image.size(); i++) {
    const std::uint32_t pixel = colored.pixels[i];
    const std::uint32_t red = pixel & 255;
    const std::uint32_t green = pixel >> 8 & 255;
    const std::uint32_t blue = pixel >> 16 & 255;
    // Integer weights: gray that is stored as colour stays exactly the same.
    image.pixels[i] = static_cast<float>((299 * red + 587 * green + 114 * blue) / 255000.0);
  }
  return image;
}

void write_png(const std::string& path, const RgbaImage& image) {
  write_samples(path, image.width, image.height, PNG_FORMAT_RGBA, image.pixels.data());
}

void write_image(const std::string& path, const Image& image) {
  require_writable_image_path(path);
  if (path.ends_with(".pfm")) {
    // The Portable Float Map has its bottom row first; a negative scale means little-endian.
    std::string content = fmt::format("Pf\n{} {}\n-1.0\n", image.width, image.height);
    for (int y = image.height - 1; y >= 0; y--) {
      const auto* row = reinterpret_cast<const char*>(&image.pixels[image.index(0, y)]);
      content.append(row, image.width * sizeof(float));
    }
    write_whole(path, content);
    return;
  }
  std::string samples;
  for (const float pixel : image.pixels) {  // a NaN is the result of no comparison
    samples += char(int(255.0F * std::max(0.0F, std::min(pixel, 1.0F)) + 0.5F));
  }
  if (path.ends_with(".png")) {
    write_samples(path, image.width, image.height, PNG_FORMAT_GRAY, samples.data());
  } else {
    write_whole(path, fmt::format("P5\n{} {}\n255\n", image.width, image.height) + samples);
  }
}

void require_writable_image_path(const std::string& path) {
  require(
      path.ends_with(".png") || path.ends_with(".pgm") || path.ends_with(".pfm"),
      "cannot write {}: the name must end in .png, .pgm or .pfm", path);
  require_writable(path);
}

Image make_test_card(int width, int height) {
  require(
      width >= 1 && height >= 1 && std::size_t(width) * std::size_t(height) <= max_image_pixels,
      "--size: must be from 1 to {} pixels", max_image_pixels);
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
