#include "common/image.hpp"

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// Throws `Error` with the text, made as by fmt::format, if `condition` does not hold.
template <typename... Args>
void require(bool condition, fmt::format_string<Args...> text, Args&&... args) {
  if (!condition) {
    throw Error(fmt::format(text, std::forward<Args>(args)...));
  }
}

/// The gate between a header, which may claim anything, and the first allocation.
void check_dimensions(const Decoded& image, const std::string& file) {
  const std::size_t pixels = image.pixel_count();
  require(pixels > 0, "the image is empty");
  require(
      pixels <= max_image_pixels, "the image is too large: {} x {} pixels, the limit is {} pixels",
      image.width, image.height, max_image_pixels);
  // In a PNG a pixel has at least one bit, and Deflate shrinks nothing by more than 1032 to 1. The
  // other formats do not pack as many pixels into a byte.
  require(
      pixels / (8 * 1032) <= file.size(),
      "the file is truncated: {} bytes are too few for {} x {} pixels", file.size(), image.width,
      image.height);
}

// --- PGM and PPM ---------------------------------------------------------------------------------

void decode_pnm(const std::string& file, Decoded& image) {
  image.channels = file[1] == '6' ? 3 : 1;
  std::istringstream header(file.substr(2, 65536));
  int max_value = 0;
  for (int* number : {&image.width, &image.height, &max_value}) {
    while ((header >> std::ws).peek() == '#') {
      header.ignore(65536, '\n');
    }
    header >> *number;
  }
  // One byte and no more: the raster's first byte may itself look like white space or a comment.
  require(
      std::isspace(header.get()) != 0 && image.width >= 1 && image.height >= 1 && max_value >= 1 &&
          max_value <= 65535,
      "its header must give width, height and a maximum value from 1 to 65535");
  image.max_value = unsigned(max_value);
  check_dimensions(image, file);

  // More bytes than that are refused, too: most often they mean that a text editor or an FTP client
  // turned line ends into two bytes each, and then every pixel would be wrong.
  const std::size_t expected =
      image.pixel_count() * std::size_t(image.channels) * (max_value > 255 ? 2 : 1);
  const std::size_t begin = 2 + std::size_t(header.tellg());
  require(
      file.size() - begin == expected, "the header demands {} bytes of pixels, {} follow", expected,
      file.size() - begin);
  image.samples.assign(file.begin() + std::ptrdiff_t(begin), file.end());
  for (std::size_t i = 0; i < image.pixel_count(); i++) {
    const unsigned largest = std::ranges::max(image.color(i));
    require(
        largest <= image.max_value, "the sample {} is above the maximum, {}", largest, max_value);
  }
}

// --- PNG -----------------------------------------------------------------------------------------

/// What libpng calls for errors, and for warnings: these, too, mean that pixels are damaged.
[[noreturn]] void stop_png(png_structp png, png_const_charp problem) {
  *static_cast<std::string*>(png_get_error_ptr(png)) = problem;
  png_longjmp(png, 1);
}

/// libpng's simplified interface would apply the gamma that a file gives, so it is not used here.
void decode_png(std::string& file, Decoded& image) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(
      fmemopen(file.data(), file.size(), "rb"), std::fclose);
  const auto problem = std::make_unique<std::string>();
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, problem.get(), stop_png, stop_png);
  require(stream != nullptr && png != nullptr, "libpng cannot be initialised");
  png_infop info = png_create_info_struct(png);
  const auto destroy = [&info](png_structp p) { png_destroy_read_struct(&p, &info, nullptr); };
  const std::unique_ptr<png_struct, decltype(destroy)> cleanup(png, destroy);
  if (setjmp(png_jmpbuf(png)) != 0) {  // stop_png jumps here, past the destructors of what follows
    throw Error(std::feof(stream.get()) != 0 ? "the file is truncated" : *problem);
  }
  png_init_io(png, stream.get());
  // Of the chunks, only those that make the pixels: faults in others do not matter.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(png, info);
  image.width = int(png_get_image_width(png, info));
  image.height = int(png_get_image_height(png, info));
  check_dimensions(image, file);
  png_set_expand(png);  // to 8 bits at least, a palette to RGB, a transparent colour to alpha
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  image.channels = png_get_channels(png, info);
  image.max_value = png_get_bit_depth(png, info) == 16 ? 65535 : 255;
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  image.samples.resize(row_bytes * std::size_t(image.height));
  for (int pass = 0; pass < passes; pass++) {
    for (std::size_t y = 0; y < std::size_t(image.height); y++) {
      png_read_row(png, &image.samples[y * row_bytes], nullptr);
    }
  }
  png_read_end(png, nullptr);
}

// --- JPEG ----------------------------------------------------------------------------------------

/// With `want_gray` the colours are not even decoded: a JPEG stores brightness on its own.
void decode_jpeg(const std::string& file, bool want_gray, Decoded& image) {
  const std::unique_ptr<void, int (*)(tjhandle)> jpeg(tjInitDecompress(), tjDestroy);
  require(jpeg != nullptr, "TurboJPEG cannot be initialised");
  // Fails at a warning, too: what a damaged file lacks would become gray.
  const auto check = [&jpeg](int status) {
    require(status == 0, "{}", tjGetErrorStr2(jpeg.get()));
  };
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
  int subsampling = 0;
  int color_space = 0;
  check(tjDecompressHeader3(
      jpeg.get(), bytes, file.size(), &image.width, &image.height, &subsampling, &color_space));
  check_dimensions(image, file);
  const TJPF format = want_gray || color_space == TJCS_GRAY ? TJPF_GRAY : TJPF_RGB;
  image.channels = tjPixelSize[format];
  image.samples.resize(image.pixel_count() * std::size_t(image.channels));
  check(tjDecompress2(
      jpeg.get(), bytes, file.size(), image.samples.data(), image.width, 0, image.height, format,
      0));
}

// --- Files ---------------------------------------------------------------------------------------

Decoded decode(std::string& file, bool want_gray) {
  Decoded image;
  if (file.starts_with("P5") || file.starts_with("P6")) {
    decode_pnm(file, image);
  } else if (file.starts_with("\x89PNG\r\n\x1a\n")) {
    decode_png(file, image);
  } else if (file.starts_with("\xff\xd8\xff")) {
    decode_jpeg(file, want_gray, image);
  } else {
    throw Error("this is not a binary PGM or PPM, a PNG or a JPEG file");
  }
  return image;
}

/// 8-bit samples as a PNG of 1 channel or 4.
std::string encode_png(int width, int height, int channels, const std::string& samples) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = unsigned(width);
  png.height = unsigned(height);
  png.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string content(size, '\0');
  png_image_write_to_memory(&png, content.data(), &size, 0, samples.data(), 0, nullptr);
  require(png.warning_or_error == 0, "{}", png.message);
  content.resize(size);
  return content;
}

/// The Portable Float Map has its bottom row first; a negative scale means little-endian.
std::string encode_pfm(const Image& image) {
  std::string content = fmt::format("Pf\n{} {}\n-1.0\n", image.width, image.height);
  for (int y = image.height - 1; y >= 0; y--) {
    const float* row = &image.pixels[image.index(0, y)];
    content.append(reinterpret_cast<const char*>(row), std::size_t(image.width) * sizeof(float));
  }
  return content;
}

std::string extension(const std::string& path) {
  return lower(fs::path(path).extension().string());
}

/// The nearest of the levels 0..255. A NaN becomes 0, because every comparison with it is false.
char to_level(float value) {
  return static_cast<char>(value >= 1.0F ? 255 : value > 0.0F ? int(value * 255.0F + 0.5F) : 0);
}

}  // namespace

std::array<unsigned, 4> Decoded::color(std::size_t i) const {
  const auto sample = [this](std::size_t at) -> unsigned {
    return max_value > 255 ? samples[2 * at] << 8 | samples[2 * at + 1] : samples[at];
  };
  const std::size_t first = i * std::size_t(channels);
  const std::size_t step = channels < 3 ? 0 : 1;  // from a colour to the next
  const bool has_alpha = channels % 2 == 0;
  return {
      sample(first), sample(first + step), sample(first + 2 * step),
      has_alpha ? sample(first + std::size_t(channels) - 1) : max_value};
}

Decoded read_samples(const std::string& path, bool want_gray) {
  std::string file = read_file(path);
  try {
    return decode(file, want_gray);
  } catch (const Error& error) {
    throw Error(fmt::format("cannot read {}: {}", path, error.what()));
  }
}

Image read_image(const std::string& path) {
  const Decoded decoded = read_samples(path, true);
  Image image(decoded.width, decoded.height);
  for (std::size_t i = 0; i < image.size(); i++) {
    const auto [red, green, blue, alpha] = decoded.color(i);
    // Integer weights: gray that is stored as colour stays exactly the same.
    const unsigned gray = 299 * red + 587 * green + 114 * blue;
    image.pixels[i] = static_cast<float>(gray / (1000.0 * decoded.max_value));
  }
  return image;
}

void write_rgba_png(const std::string& path, int width, int height, const std::string& samples) {
  write_whole(path, encode_png(width, height, 4, samples));
}

void write_image(const std::string& path, const Image& image) {
  require_writable_image_path(path);
  if (extension(path) == ".pfm") {
    write_whole(path, encode_pfm(image));
    return;
  }
  std::string samples;
  for (const float pixel : image.pixels) {
    samples += to_level(pixel);
  }
  write_whole(
      path, extension(path) == ".png"
                ? encode_png(image.width, image.height, 1, samples)
                : fmt::format("P5\n{} {}\n255\n", image.width, image.height) + samples);
}

void require_writable_image_path(const std::string& path) {
  const std::string end = extension(path);
  require(
      end == ".png" || end == ".pgm" || end == ".pfm",
      "cannot write {}: the name must end in .png, .pgm or .pfm", path);
  require_writable(path);
}

Image repeat_border(const Image& image, int filter_width) {
  Image padded(image.width + filter_width - 1, image.height + filter_width - 1);
  const int before = (filter_width - 1) / 2;
  float* destination = padded.pixels.data();
  for (int y = 0; y < padded.height; y++) {
    const int source_y = std::clamp(y - before, 0, image.height - 1);
    const float* source = &image.pixels[image.index(0, source_y)];
    destination = std::fill_n(destination, before, source[0]);
    destination = std::copy_n(source, image.width, destination);
    destination = std::fill_n(destination, filter_width / 2, source[image.width - 1]);
  }
  return padded;
}

}  // namespace tutorial
