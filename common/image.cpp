#include "common/image.hpp"

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using FileHandle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Room for a 16-bit colour image of `max_image_pixels`; nothing longer can be an image for us.
constexpr std::size_t max_file_bytes = std::size_t{1} << 31;

/// An image as its file describes it: `height` rows of `width` pixels of `channels` samples, each
/// an integer 0..`max_value`. 1 channel: gray, 2: gray and alpha, 3: RGB, 4: RGBA.
struct Decoded {
  int width = 0;
  int height = 0;
  int channels = 1;
  unsigned max_value = 255;
  std::vector<std::uint8_t> samples{};  ///< two bytes each, the high one first, if max_value > 255

  std::size_t pixel_count() const { return std::size_t(width) * std::size_t(height); }
  unsigned sample(std::size_t i) const {
    return max_value > 255 ? samples[2 * i] << 8 | samples[2 * i + 1] : samples[i];
  }
  /// Red, green, blue and alpha of pixel `i`.
  std::array<unsigned, 4> color(std::size_t i) const {
    const std::size_t first = i * std::size_t(channels);
    const std::size_t step = channels < 3 ? 0 : 1;  // from a colour to the next
    const bool has_alpha = channels % 2 == 0;
    return {
        sample(first), sample(first + step), sample(first + 2 * step),
        has_alpha ? sample(first + std::size_t(channels) - 1) : max_value};
  }
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
  } catch (const fs::filesystem_error& error) {
    throw Error(context + ": " + error.code().message());
  } catch (const std::bad_alloc&) {
    throw Error(context + ": not enough memory");
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
  const std::size_t count = image.pixel_count() * std::size_t(image.channels);
  const std::size_t expected = count * (max_value > 255 ? 2 : 1);
  const std::size_t begin = 2 + std::size_t(header.tellg());
  require(
      file.size() - begin == expected, "the header demands {} bytes of pixels, {} follow", expected,
      file.size() - begin);
  image.samples.assign(file.begin() + std::ptrdiff_t(begin), file.end());
  for (std::size_t i = 0; i < count; i++) {
    require(
        image.sample(i) <= image.max_value, "the sample {} is above the maximum, {}",
        image.sample(i), max_value);
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
  const FileHandle stream(fmemopen(file.data(), file.size(), "rb"), std::fclose);
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

Decoded read_and_decode(const std::string& path, bool want_gray) {
  const FileHandle file(std::fopen(path.c_str(), "rb"), std::fclose);
  require(file != nullptr, "{}", std::strerror(errno));
  std::string content;
  std::array<char, 65536> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    content.append(block.data(), count);
    // At once, so that no time and memory go into another kind of file, or a device without end.
    require(
        content.starts_with("P5") || content.starts_with("P6") ||
            content.starts_with("\x89PNG\r\n\x1a\n") || content.starts_with("\xff\xd8\xff"),
        "this is not a binary PGM or PPM, a PNG or a JPEG file");
    require(content.size() <= max_file_bytes, "the file is above {} bytes", max_file_bytes);
  }
  // A folder, for instance: it can be opened, but not read.
  require(std::ferror(file.get()) == 0, "{}", std::strerror(errno));
  require(!content.empty(), "the file is empty");
  Decoded image;
  if (content[0] == 'P') {
    decode_pnm(content, image);
  } else if (content[0] == '\x89') {
    decode_png(content, image);
  } else {
    decode_jpeg(content, want_gray, image);
  }
  return image;
}

/// Throws if no file can be put in the place of `target`, as far as that can be told beforehand.
void check_target(const fs::path& target) {
  const bool exists = fs::exists(target);
  // A device may not be replaced by a file, which the superuser could do.
  require(!exists || fs::is_regular_file(target), "this is not a regular file");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const bool may_write = access((folder / "").c_str(), W_OK | X_OK) == 0 &&
                         (!exists || access(target.c_str(), W_OK) == 0);
  require(may_write, "{}", std::strerror(errno));
}

/// Writes a file that appears as `path` when it is complete, and not at all if that fails: until
/// then it has a temporary name beside it.
void write_whole(const fs::path& path, const std::string& content) {
  check_target(path);
  const fs::path target = fs::weakly_canonical(path);  // what a link points to, not the link
  const fs::path temporary = target.parent_path() / fmt::format(".image-{}.tmp", getpid());
  fs::remove(temporary);  // left by a program that was killed
  try {
    FileHandle file(std::fopen(temporary.c_str(), "wbx"), std::fclose);
    // Closing writes what is still buffered, so a full disk may show only there.
    const bool is_written =
        file != nullptr &&
        std::fwrite(content.data(), 1, content.size(), file.get()) == content.size() &&
        std::fclose(file.release()) == 0;
    require(is_written, "{}", std::strerror(errno));
    fs::rename(temporary, target);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

/// The content of a file with 8-bit samples: 1 channel as PGM or PNG, 3 as PPM, 4 as PNG.
std::string encode(bool as_png, int width, int height, int channels, const std::string& samples) {
  if (!as_png) {
    return fmt::format("P{}\n{} {}\n255\n", channels == 1 ? 5 : 6, width, height) + samples;
  }
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

/// The Portable Float Map has its bottom row first; the sign of its scale tells the byte order.
std::string encode_pfm(const Image& image) {
  const char* scale = std::endian::native == std::endian::little ? "-1.0" : "1.0";
  std::string content = fmt::format("Pf\n{} {}\n{}\n", image.width, image.height, scale);
  for (int y = image.height - 1; y >= 0; y--) {
    const float* row = &image.pixels[image.index(0, y)];
    content.append(reinterpret_cast<const char*>(row), std::size_t(image.width) * sizeof(float));
  }
  return content;
}

/// The nearest of the levels 0..255. A NaN becomes 0, because every comparison with it is false.
char to_level(float value) {
  return static_cast<char>(value >= 1.0F ? 255 : value > 0.0F ? int(value * 255.0F + 0.5F) : 0);
}

/// The extension in lower case; throws if it is not one of `known`.
std::string checked_extension(const std::string& path, const std::vector<std::string>& known) {
  const std::string extension = lower(fs::path(path).extension().string());
  require(
      std::ranges::find(known, extension) != known.end(), "the name must end in one of {}",
      fmt::join(known, ", "));
  return extension;
}

const std::vector<std::string> gray_extensions = {".png", ".pgm", ".ppm", ".pfm"};

}  // namespace

Image read_image(const std::string& path) {
  return with_context("cannot read " + path, [&path] {
    const Decoded decoded = read_and_decode(path, true);
    Image image(decoded.width, decoded.height);
    for (std::size_t i = 0; i < image.size(); i++) {
      const auto [red, green, blue, alpha] = decoded.color(i);
      // Integer weights: gray that is stored as colour stays exactly the same.
      const unsigned gray = 299 * red + 587 * green + 114 * blue;
      image.pixels[i] = static_cast<float>(gray / (1000.0 * decoded.max_value));
    }
    return image;
  });
}

RgbaImage read_rgba_image(const std::string& path) {
  return with_context("cannot read " + path, [&path] {
    const Decoded decoded = read_and_decode(path, false);
    RgbaImage image{decoded.width, decoded.height, {}};
    image.pixels.resize(decoded.pixel_count());
    for (std::size_t i = 0; i < image.pixels.size(); i++) {
      int shift = 0;
      for (const unsigned sample : decoded.color(i)) {
        image.pixels[i] |= (sample * 255 + decoded.max_value / 2) / decoded.max_value << shift;
        shift += 8;
      }
    }
    return image;
  });
}

void write_image(const std::string& path, const Image& image) {
  with_context("cannot write " + path, [&] {
    const std::string extension = checked_extension(path, gray_extensions);
    if (extension == ".pfm") {
      write_whole(path, encode_pfm(image));
      return;
    }
    const int channels = extension == ".ppm" ? 3 : 1;
    std::string samples;
    for (const float pixel : image.pixels) {
      samples.append(std::size_t(channels), to_level(pixel));
    }
    write_whole(path, encode(extension == ".png", image.width, image.height, channels, samples));
  });
}

void write_rgba_image(const std::string& path, const RgbaImage& image) {
  with_context("cannot write " + path, [&] {
    const bool as_png = checked_extension(path, {".png", ".ppm"}) == ".png";
    const int channels = as_png ? 4 : 3;
    std::string samples;
    for (const std::uint32_t pixel : image.pixels) {
      for (int channel = 0; channel < channels; channel++) {
        samples += static_cast<char>(pixel >> (8 * channel));
      }
    }
    write_whole(path, encode(as_png, image.width, image.height, channels, samples));
  });
}

void require_writable_image_path(const std::string& path) {
  with_context("cannot write " + path, [&path] {
    checked_extension(path, gray_extensions);
    check_target(path);
  });
}

Image repeat_border(const Image& image, int filter_width) {
  const std::int64_t width = std::int64_t{image.width} + filter_width - 1;
  const std::int64_t height = std::int64_t{image.height} + filter_width - 1;
  require(
      width * height <= static_cast<std::int64_t>(2 * max_image_pixels),
      "an image of {} x {} pixels with a border for a filter of width {} is too large", image.width,
      image.height, filter_width);
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
