#include "common/image.hpp"

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <variant>

#include "common/error.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Byte = std::uint8_t;
using Bytes = std::vector<Byte>;

/// Room for a 16-bit colour image of `max_image_pixels`; nothing longer can be an image for us.
constexpr std::size_t max_file_bytes = std::size_t{1} << 31;

/// An image as its file describes it: `height` rows of `width` pixels of `channels` samples, each
/// an integer 0..`max_value`. 1 channel: gray, 2: gray and alpha, 3: RGB, 4: RGBA.
struct Decoded {
  int width = 0;
  int height = 0;
  int channels = 1;
  unsigned max_value = 255;
  std::variant<Bytes, std::vector<std::uint16_t>> samples{};
};

/// Throws `Error` with the text, made as by fmt::format, if `condition` does not hold. The
/// arguments may be computed first, so a call that sets errno must not stand in the condition.
template <typename... Args>
void require(bool condition, fmt::format_string<Args...> text, Args&&... args) {
  if (!condition) {
    throw Error(fmt::format(text, std::forward<Args>(args)...));
  }
}

/// Runs `work`; the reason that it gives for failing gets `context` in front: the file's name,
/// which the functions that find the reason do not know.
template <typename Work>
auto with_context(const std::string& context, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(context + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw Error(context + ": not enough memory");
  }
}

std::string system_reason() {
  return std::strerror(errno);
}

std::size_t pixel_count(int width, int height) {
  return std::size_t(width) * std::size_t(height);
}

/// The gate between a header, which may claim anything, and the first allocation. Each side is
/// below 2^32, so that the product cannot overflow.
void check_dimensions(std::uint64_t width, std::uint64_t height, std::size_t file_bytes) {
  require(width > 0 && height > 0, "the image is empty ({} x {} pixels)", width, height);
  require(
      width * height <= max_image_pixels,
      "the image is too large: {} x {} pixels, the limit is {} pixels", width, height,
      max_image_pixels);
  // In a PNG a pixel has at least one bit, and Deflate shrinks nothing by more than 1032 to 1. The
  // other formats do not pack as many pixels into a byte.
  require(
      width * height / (8 * 1032) <= file_bytes,
      "the file is truncated: {} bytes are too few for {} x {} pixels", file_bytes, width, height);
}

// --- PGM and PPM ---------------------------------------------------------------------------------

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Takes the next number of a PGM or PPM header off `text`, with the white space and the comments
/// before it. `what` names it in errors.
unsigned take_number(std::string_view& text, const char* what, unsigned limit) {
  while (!text.empty() && (is_space(text[0]) || text[0] == '#')) {
    text.remove_prefix(text[0] == '#' ? std::min(text.find_first_of("\r\n"), text.size()) : 1);
  }
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  require(
      error == std::errc() && number >= 1 && number <= limit, "the {} is not a number from 1 to {}",
      what, limit);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

Decoded decode_pnm(const Bytes& bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const int channels = text[1] == '6' ? 3 : 1;
  text.remove_prefix(2);
  require(!text.empty() && (is_space(text[0]) || text[0] == '#'), "no white space after P5 or P6");
  const unsigned width = take_number(text, "width", INT_MAX);
  const unsigned height = take_number(text, "height", INT_MAX);
  const unsigned max_value = take_number(text, "maximum value", 65535);
  check_dimensions(width, height, bytes.size());
  // One byte and no more: the raster's first byte may itself look like white space or a comment.
  require(!text.empty() && is_space(text[0]), "no white space after the maximum value");
  text.remove_prefix(1);

  // More bytes than that are refused, too: most often they mean that a text editor or an FTP client
  // turned line ends into two bytes each, and then every pixel would be wrong.
  const std::size_t count = std::size_t{width} * height * std::size_t(channels);
  const std::size_t expected = count * (max_value > 255 ? 2 : 1);
  require(
      text.size() == expected, "the header demands {} bytes of pixels, {} follow", expected,
      text.size());

  const auto keep = [&](auto samples) {
    const unsigned largest = *std::max_element(samples.begin(), samples.end());
    require(largest <= max_value, "the sample {} is above the maximum, {}", largest, max_value);
    return Decoded{int(width), int(height), channels, max_value, std::move(samples)};
  };
  const Byte* raster = bytes.data() + bytes.size() - expected;
  if (max_value <= 255) {
    return keep(Bytes(raster, raster + count));
  }
  std::vector<std::uint16_t> samples(count);
  for (std::size_t i = 0; i < count; i++) {  // the high byte comes first
    samples[i] = static_cast<std::uint16_t>(raster[2 * i] << 8 | raster[2 * i + 1]);
  }
  return keep(std::move(samples));
}

// --- PNG -----------------------------------------------------------------------------------------

/// Four bytes of a PNG, the highest first.
std::uint32_t png_number(const Byte* bytes) {
  return std::uint32_t{bytes[0]} << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

/// libpng has limits of its own, which its simplified interface does not let us raise.
void check_png_sides(std::uint32_t width, std::uint32_t height) {
  require(
      width <= PNG_USER_WIDTH_MAX && height <= PNG_USER_HEIGHT_MAX,
      "a side of a PNG is limited to {} pixels", PNG_USER_WIDTH_MAX);
}

/// Drops the chunks that do not make a PNG's pixels; their names begin with a small letter. libpng
/// would apply the gamma that they tell, and warn of their faults; here no gamma is applied, and a
/// warning is an error. Of these chunks, tRNS tells which pixels are transparent.
void drop_other_chunks(Bytes& png, bool keep_transparency) {
  const std::size_t signature_bytes = 8;
  Byte* kept = png.data() + signature_bytes;
  Byte* const end = png.data() + png.size();
  std::string name;
  for (const Byte* chunk = kept; name != "IEND";) {
    // The length of its data, its name, the data, a checksum: four bytes each but the data.
    require(end - chunk >= 12 && png_number(chunk) <= end - chunk - 12, "the file is truncated");
    const std::size_t length = 12 + std::size_t{png_number(chunk)};
    name.assign(chunk + 4, chunk + 8);
    if (name[0] < 'a' || (keep_transparency && name == "tRNS")) {
      kept = std::copy_n(chunk, length, kept);
    }
    chunk += length;
  }
  png.resize(static_cast<std::size_t>(kept - png.data()));
}

Decoded decode_png(Bytes bytes, bool want_gray) {
  drop_other_chunks(bytes, !want_gray);
  require(bytes.size() > 28, "the file is truncated");
  const std::uint32_t width = png_number(&bytes[16]);
  const std::uint32_t height = png_number(&bytes[20]);
  check_dimensions(width, height, bytes.size());
  check_png_sides(width, height);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_image*)> cleanup(&png, png_image_free);
  int status = png_image_begin_read_from_memory(&png, bytes.data(), bytes.size());
  require(status != 0, "{}", png.message);
  png.format &= ~PNG_FORMAT_FLAG_COLORMAP;
  const int channels = PNG_IMAGE_PIXEL_CHANNELS(png.format);
  const auto read = [&](auto samples, unsigned max_value) {
    samples.resize(pixel_count(int(width), int(height)) * std::size_t(channels));
    png_image_finish_read(&png, nullptr, samples.data(), 0, nullptr);
    require(png.warning_or_error == 0, "{}", png.message);
    return Decoded{int(width), int(height), channels, max_value, std::move(samples)};
  };
  if ((png.format & PNG_FORMAT_FLAG_LINEAR) == 0) {
    return read(Bytes(), 255);
  }
  if ((png.format & PNG_FORMAT_FLAG_ALPHA) == 0) {
    return read(std::vector<std::uint16_t>(), 65535);
  }
  // libpng multiplies samples of 16 bits by alpha, so it is asked for 8. These it garbles if the
  // file is interlaced: https://github.com/pnggroup/libpng/issues/853
  const bool is_interlaced = bytes[28] != 0;
  require(!is_interlaced, "interlaced PNG of 16 bits with transparency is not supported");
  png.format &= ~PNG_FORMAT_FLAG_LINEAR;
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // scaled, without gamma
  return read(Bytes(), 255);
}

// --- JPEG ----------------------------------------------------------------------------------------

/// With `want_gray` the colours are not even decoded: a JPEG stores brightness on its own.
Decoded decode_jpeg(const Bytes& bytes, bool want_gray) {
  const std::unique_ptr<void, int (*)(tjhandle)> jpeg(tjInitDecompress(), tjDestroy);
  require(jpeg != nullptr, "TurboJPEG cannot be initialised");
  Decoded image;
  int subsampling = 0;
  int color_space = 0;
  int status = tjDecompressHeader3(
      jpeg.get(), bytes.data(), bytes.size(), &image.width, &image.height, &subsampling,
      &color_space);
  require(status == 0, "{}", tjGetErrorStr2(jpeg.get()));
  require(
      color_space != TJCS_CMYK && color_space != TJCS_YCCK,
      "its colours are CMYK, for printing; convert it to RGB or gray first");
  check_dimensions(unsigned(image.width), unsigned(image.height), bytes.size());

  const TJPF format = want_gray || color_space == TJCS_GRAY ? TJPF_GRAY : TJPF_RGB;
  image.channels = tjPixelSize[format];
  Bytes samples(pixel_count(image.width, image.height) * std::size_t(image.channels));
  // A warning counts as a failure, too: what a damaged file lacks would become gray.
  status = tjDecompress2(
      jpeg.get(), bytes.data(), bytes.size(), samples.data(), image.width, 0, image.height, format,
      0);
  require(status == 0, "{}", tjGetErrorStr2(jpeg.get()));
  image.samples = std::move(samples);
  return image;
}

// --- Reading -------------------------------------------------------------------------------------

/// Throws unless `bytes` begin as an image file does, of which every valid one has more than eight.
void check_beginning(const Bytes& bytes) {
  const std::string_view start(
      reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 8));
  const auto begins = [start](std::string_view signature) { return start.starts_with(signature); };
  require(
      !begins("P2") && !begins("P3"),
      "PGM and PPM as text (P2, P3) are not read, only in binary form (P5, P6)");
  require(
      begins("P5") || begins("P6") || begins("\x89PNG\r\n\x1a\n") || begins("\xff\xd8\xff"),
      "this is not a PGM, PPM, PNG or JPEG file");
}

using FileHandle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// The content of an image file. Its first block is checked at once, so that no time and memory go
/// into another kind of file, or a device without end.
Bytes read_file(const std::string& path) {
  const FileHandle file(std::fopen(path.c_str(), "rb"), std::fclose);
  require(file != nullptr, "{}", system_reason());
  Bytes content;
  std::error_code not_regular;
  const std::uintmax_t file_size = fs::file_size(path, not_regular);
  content.reserve(not_regular ? 0 : std::min<std::uintmax_t>(file_size, max_file_bytes));
  Bytes block(std::size_t{1} << 16);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    content.insert(content.end(), block.data(), block.data() + count);
    check_beginning(content);
    require(content.size() <= max_file_bytes, "the file is above {} bytes", max_file_bytes);
  }
  // A folder, for instance: it can be opened, but not read.
  require(std::ferror(file.get()) == 0, "{}", system_reason());
  require(!content.empty(), "the file is empty");
  return content;
}

Decoded read_and_decode(const std::string& path, bool want_gray) {
  Bytes content = read_file(path);
  switch (content[0]) {
    case 'P':
      return decode_pnm(content);
    case 0x89:
      return decode_png(std::move(content), want_gray);
    default:
      return decode_jpeg(content, want_gray);
  }
}

/// Sets each of `pixels` to what `make_pixel(red, green, blue, alpha)` gives, each 0..`max_value`.
template <typename Pixel, typename MakePixel>
void convert(const Decoded& decoded, std::vector<Pixel>& pixels, const MakePixel& make_pixel) {
  const int step = decoded.channels < 3 ? 0 : 1;  // from a colour to the next
  const bool has_alpha = decoded.channels % 2 == 0;
  const auto convert_samples = [&](const auto& samples) {
    const auto* sample = samples.data();
    for (Pixel& pixel : pixels) {
      const int alpha = has_alpha ? sample[decoded.channels - 1] : int(decoded.max_value);
      pixel = make_pixel(sample[0], sample[step], sample[2 * step], alpha);
      sample += decoded.channels;
    }
  };
  std::visit(convert_samples, decoded.samples);
}

// --- Writing -------------------------------------------------------------------------------------

/// Throws if no file can be put in the place of `target`, as far as that can be told beforehand.
void check_target(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  require(status.type() != fs::file_type::none, "{}", error.message());
  require(!fs::is_directory(status), "this is a folder");
  if (fs::exists(status)) {
    // A device may not be replaced by a file, which the superuser could do.
    require(fs::is_regular_file(status), "this is not a regular file");
    const bool may_write = access(target.c_str(), W_OK) == 0;  // before system_reason is asked
    require(may_write, "{}", system_reason());
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  require(fs::is_directory(folder, error), "there is no folder {}", folder.string());
  const bool may_write = access(folder.c_str(), W_OK | X_OK) == 0;
  require(may_write, "folder {}: {}", folder.string(), system_reason());
}

/// Has `write(std::FILE*)` write a file that appears as `path` when it is complete, and not at all
/// if that fails: until then it has a temporary name beside it. `write` returns whether all went
/// well, with the reason in errno if not.
template <typename Write>
void write_whole(const fs::path& path, Write write) {
  check_target(path);
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);  // what a link points to, not the link
  require(!error, "{}", error.message());
  const fs::path temporary = target.parent_path() / fmt::format(".image-{}.tmp", getpid());
  fs::remove(temporary, error);  // left by a program that was killed
  FileHandle file(std::fopen(temporary.c_str(), "wbx"), std::fclose);
  require(file != nullptr, "{}", system_reason());
  try {
    // Closing writes what is still buffered, so a full disk may show only there.
    const bool is_written = write(file.get()) && std::fclose(file.release()) == 0;
    require(is_written, "{}", system_reason());
    fs::rename(temporary, target, error);
    require(!error, "{}", error.message());
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
}

/// Writes 8-bit samples: gray as PGM or PNG, RGB as PPM, RGBA as PNG.
void write_samples(
    const std::string& path, int width, int height, int channels, const Bytes& samples,
    bool is_png) {
  if (is_png) {
    check_png_sides(unsigned(width), unsigned(height));
  }
  write_whole(path, [&](std::FILE* file) {
    if (!is_png) {
      std::fprintf(file, "P%d\n%d %d\n255\n", channels == 1 ? 5 : 6, width, height);
      return std::fwrite(samples.data(), 1, samples.size(), file) == samples.size();
    }
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = unsigned(width);
    png.height = unsigned(height);
    png.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGBA;
    errno = 0;
    const int status = png_image_write_to_stdio(&png, file, 0, samples.data(), 0, nullptr);
    require(status != 0, "{}", errno != 0 ? system_reason() : png.message);
    return true;
  });
}

/// The Portable Float Map has its bottom row first; the sign of its scale tells the byte order.
void write_pfm(const std::string& path, const Image& image) {
  write_whole(path, [&image](std::FILE* file) {
    const char* scale = std::endian::native == std::endian::little ? "-1.0" : "1.0";
    std::fprintf(file, "Pf\n%d %d\n%s\n", image.width, image.height, scale);
    const auto width = std::size_t(image.width);
    bool is_written = true;
    for (int y = image.height - 1; y >= 0 && is_written; y--) {
      const float* row = &image.pixels[image.index(0, y)];
      is_written = std::fwrite(row, sizeof(float), width, file) == width;
    }
    return is_written;
  });
}

/// The nearest of the levels 0..255. A NaN becomes 0, because every comparison with it is false.
Byte to_level(float value) {
  return value >= 1.0F ? 255 : value > 0.0F ? static_cast<Byte>(value * 255.0F + 0.5F) : 0;
}

const std::string gray_extensions = ".png, .pgm, .ppm, .pfm";
const std::string color_extensions = ".png, .ppm";

/// The extension in small letters; throws if it is not one of `known`.
std::string checked_extension(const std::string& path, const std::string& known) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  require(
      extension.size() > 1 && (known + ",").find(extension + ",") != std::string::npos,
      "the name must end in one of {}", known);
  return extension;
}

void check_pixel_count(int width, int height, std::size_t pixels) {
  require(
      width > 0 && height > 0 && pixel_count(width, height) == pixels,
      "{} pixels do not make an image of {} x {}", pixels, width, height);
}

}  // namespace

Image read_image(const std::string& path) {
  return with_context("cannot read " + path, [&] {
    const Decoded decoded = read_and_decode(path, true);
    Image image(decoded.width, decoded.height);
    // The weights as integers in thousandths: gray that is stored as colour stays exactly the same.
    const double white = 1000.0 * decoded.max_value;
    convert(decoded, image.pixels, [white](int red, int green, int blue, int) {
      return static_cast<float>((299 * red + 587 * green + 114 * blue) / white);
    });
    return image;
  });
}

RgbaImage read_rgba_image(const std::string& path) {
  return with_context("cannot read " + path, [&] {
    const Decoded decoded = read_and_decode(path, false);
    RgbaImage image{decoded.width, decoded.height, {}};
    image.pixels.resize(pixel_count(decoded.width, decoded.height));
    const auto level = [max_value = decoded.max_value](int sample) {
      return (unsigned(sample) * 255 + max_value / 2) / max_value;
    };
    convert(decoded, image.pixels, [level](int red, int green, int blue, int alpha) {
      return level(red) | level(green) << 8 | level(blue) << 16 | level(alpha) << 24;
    });
    return image;
  });
}

void write_image(const std::string& path, const Image& image) {
  with_context("cannot write " + path, [&] {
    const std::string extension = checked_extension(path, gray_extensions);
    check_pixel_count(image.width, image.height, image.size());
    if (extension == ".pfm") {
      write_pfm(path, image);
      return;
    }
    const int channels = extension == ".ppm" ? 3 : 1;
    Bytes samples(image.size() * std::size_t(channels));
    auto sample = samples.begin();
    for (const float pixel : image.pixels) {
      sample = std::fill_n(sample, channels, to_level(pixel));
    }
    write_samples(path, image.width, image.height, channels, samples, extension == ".png");
  });
}

void write_rgba_image(const std::string& path, const RgbaImage& image) {
  with_context("cannot write " + path, [&] {
    const bool is_png = checked_extension(path, color_extensions) == ".png";
    check_pixel_count(image.width, image.height, image.pixels.size());
    const int channels = is_png ? 4 : 3;
    Bytes samples(image.pixels.size() * std::size_t(channels));
    auto sample = samples.begin();
    for (const std::uint32_t pixel : image.pixels) {
      for (int channel = 0; channel < channels; channel++) {
        *sample++ = static_cast<Byte>(pixel >> (8 * channel));
      }
    }
    write_samples(path, image.width, image.height, channels, samples, is_png);
  });
}

void require_writable_image_path(const std::string& path) {
  with_context("cannot write " + path, [&] {
    checked_extension(path, gray_extensions);
    check_target(path);
  });
}

Image repeat_border(const Image& image, int filter_width) {
  check_pixel_count(image.width, image.height, image.size());
  require(filter_width >= 1, "the filter width is {}, it must be at least 1", filter_width);
  const std::int64_t width = std::int64_t{image.width} + filter_width - 1;
  const std::int64_t height = std::int64_t{image.height} + filter_width - 1;
  // Twice the largest image: room for any sensible border around it.
  require(
      width <= static_cast<std::int64_t>(2 * max_image_pixels) / height,
      "an image of {} x {} pixels with a border for a filter of width {} is too large: {} x {}",
      image.width, image.height, filter_width, width, height);

  Image padded(static_cast<int>(width), static_cast<int>(height));
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
