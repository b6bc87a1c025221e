#include "common/image.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <climits>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>

// These two need <cstdio> before them.
#include <jerror.h>
#include <jpeglib.h>
#include <png.h>

#include "common/error.hpp"

namespace tutorial {
namespace {

using Byte = unsigned char;
using Bytes = std::span<const Byte>;

/// Room for a 16-bit colour image of `max_image_pixels`; nothing longer can be an image for us.
constexpr std::size_t max_file_bytes = std::size_t{1} << 31;

// --- What every reader delivers ------------------------------------------------------------------

struct Rgba16 {
  std::uint16_t red, green, blue, alpha;
};
static_assert(sizeof(Rgba16) == 8, "libpng writes rows of this type");

/// A picture as its file describes it: every sample is an integer 0..`max_value`.
struct Decoded {
  int width = 0;
  int height = 0;
  unsigned max_value = 0;
  std::vector<Rgba16> pixels;

  Decoded(std::uint64_t width_, std::uint64_t height_, unsigned max_value_)
      : width(static_cast<int>(width_)),
        height(static_cast<int>(height_)),
        max_value(max_value_),
        pixels(width_ * height_) {}

  Rgba16* row(int y) {
    return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

/// The gate between a header, which may claim anything, and the first allocation. Each side is
/// below 2^32, so that the product cannot overflow.
void check_dimensions(std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0) {
    throw Error(fmt::format("the image is empty ({} x {} pixels)", width, height));
  }
  if (width * height > max_image_pixels) {
    throw Error(fmt::format(
        "the image is too large: {} x {} pixels, the limit is {} pixels", width, height,
        max_image_pixels));
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

// --- Errors of the C libraries -------------------------------------------------------------------

/// libpng and libjpeg must not return from an error, and as C code they cannot pass on an
/// exception. So they jump back to where we called them, and the exception starts from there.
struct LibraryFailure {
  std::jmp_buf return_point;
  char reason[JMSG_LENGTH_MAX] = "";
};

[[noreturn]] void fail(LibraryFailure& failure, const char* reason) {
  std::snprintf(failure.reason, sizeof failure.reason, "%s", reason);
  std::longjmp(failure.return_point, 1);
}

/// Calls into a library. `call` may not own anything (no local with a destructor), because a jump
/// out of it skips destructors: whatever must be released belongs to the caller of this function.
template <typename Call>
void call_library(LibraryFailure& failure, const Call& call) {
  if (setjmp(failure.return_point) != 0) {
    throw Error(failure.reason);
  }
  call();
}

// --- PGM and PPM ---------------------------------------------------------------------------------

bool is_pnm_space(Byte byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// Reads the decimal numbers of a PGM or PPM file: its header, and the raster of the text variants.
class PnmText {
 public:
  PnmText(Bytes bytes, std::size_t position) : bytes_(bytes), position_(position) {}

  /// What is left from the current position on.
  Bytes rest() const { return bytes_.subspan(position_); }

  /// The next number, which may not exceed `limit`; `what` names it in the error.
  unsigned number(const char* what, unsigned limit) {
    skip_spaces_and_comments();
    if (rest().empty()) {
      throw Error(fmt::format("the file is truncated: it ends before the {}", what));
    }
    if (std::isdigit(rest().front()) == 0) {
      throw Error(fmt::format("the {} is not a number", what));
    }
    std::uint64_t value = 0;
    for (; !rest().empty() && std::isdigit(rest().front()) != 0; ++position_) {
      value = 10 * value + static_cast<unsigned>(rest().front() - '0');
      if (value > limit) {
        throw Error(fmt::format("the {} is above {}", what, limit));
      }
    }
    return static_cast<unsigned>(value);
  }

  /// The one white-space byte between a header and a binary raster. There is exactly one, because
  /// the raster's first byte may itself look like a space or the '#' of a comment.
  void end_of_header() {
    if (rest().empty() || !is_pnm_space(rest().front())) {
      throw Error("a white-space byte is missing after the maximum value");
    }
    ++position_;
  }

  void skip_spaces_and_comments() {
    while (!rest().empty()) {
      if (rest().front() == '#') {
        while (!rest().empty() && rest().front() != '\n' && rest().front() != '\r') {
          ++position_;
        }
      } else if (is_pnm_space(rest().front())) {
        ++position_;
      } else {
        return;
      }
    }
  }

 private:
  Bytes bytes_;
  std::size_t position_;
};

/// The samples of a binary raster, checked to be as long as the header demands. Anything behind the
/// raster is refused: most often it means that the header is wrong, for instance that a text editor
/// or an FTP client turned its line ends into two bytes each, and then every pixel would be wrong.
Bytes binary_raster(Bytes raster, std::size_t expected) {
  if (raster.size() < expected) {
    throw Error(fmt::format(
        "the file is truncated: {} bytes of pixels, the header demands {}", raster.size(),
        expected));
  }
  if (raster.size() > expected) {
    throw Error(fmt::format(
        "{} bytes follow the {} bytes of pixels that the header demands", raster.size() - expected,
        expected));
  }
  return raster;
}

Decoded decode_pnm(Bytes bytes) {
  const bool is_binary = bytes[1] >= '5';                    // P5, P6
  const bool is_color = bytes[1] == '3' || bytes[1] == '6';  // P3, P6
  if (bytes.size() < 3 || (!is_pnm_space(bytes[2]) && bytes[2] != '#')) {
    throw Error("a white-space byte is missing after the first two characters");
  }
  PnmText text(bytes, 2);
  const std::uint64_t width = text.number("width", INT_MAX);
  const std::uint64_t height = text.number("height", INT_MAX);
  const unsigned max_value = text.number("maximum value", 65535);
  if (max_value == 0) {
    throw Error("the maximum value is 0");
  }
  check_dimensions(width, height);

  const std::size_t samples = width * height * (is_color ? 3 : 1);
  const std::size_t bytes_per_sample = max_value > 255 ? 2 : 1;
  const Byte* next = nullptr;
  if (is_binary) {
    text.end_of_header();
    next = binary_raster(text.rest(), samples * bytes_per_sample).data();
  } else if (text.rest().size() / 2 < samples) {  // a space and a digit for each
    throw Error(fmt::format(
        "the file is truncated: {} numbers do not fit into its last {} bytes", samples,
        text.rest().size()));
  }
  const auto next_sample = [&]() -> std::uint16_t {
    if (!is_binary) {
      return static_cast<std::uint16_t>(text.number("sample", max_value));
    }
    unsigned sample = *next++;
    if (bytes_per_sample == 2) {  // the high byte comes first
      sample = sample << 8 | *next++;
    }
    if (sample > max_value) {
      throw Error(fmt::format("the sample {} is above {}", sample, max_value));
    }
    return static_cast<std::uint16_t>(sample);
  };

  Decoded decoded(width, height, max_value);
  for (Rgba16& pixel : decoded.pixels) {
    pixel.red = next_sample();
    pixel.green = is_color ? next_sample() : pixel.red;
    pixel.blue = is_color ? next_sample() : pixel.red;
    pixel.alpha = static_cast<std::uint16_t>(max_value);
  }
  if (!is_binary) {
    text.skip_spaces_and_comments();
    if (!text.rest().empty()) {
      throw Error("there is more text after the last sample");
    }
  }
  return decoded;
}

// --- PNG -----------------------------------------------------------------------------------------

[[noreturn]] void on_png_error(png_structp png, png_const_charp message) {
  fail(*static_cast<LibraryFailure*>(png_get_error_ptr(png)), message);
}

void ignore_png_warning(png_structp, png_const_charp) {}

class PngReader {
 public:
  explicit PngReader(Bytes bytes) : rest_(bytes) {
    png_ =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, on_png_error, ignore_png_warning);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, &rest_, read);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }
  LibraryFailure failure;

 private:
  static void read(png_structp png, png_bytep destination, std::size_t count) {
    Bytes& rest = *static_cast<Bytes*>(png_get_io_ptr(png));
    if (rest.size() < count) {
      png_error(png, "the file is truncated");
    }
    std::copy_n(rest.data(), count, destination);
    rest = rest.subspan(count);
  }

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  Bytes rest_;
};

/// Has libpng deliver every kind of PNG as 16-bit RGBA. 8 bits become 16 as v * 257, so that
/// v * 257 / 65535 is exactly v / 255; no gamma is applied, because none is asked for.
void request_rgba16(png_structp png) {
  png_set_expand(png);  // palette to RGB, 1, 2 and 4 bits to 8, a transparent colour to alpha
  png_set_expand_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
  if (std::endian::native == std::endian::little) {
    png_set_swap(png);
  }
}

Decoded decode_png(Bytes bytes) {
  PngReader reader(bytes);
  png_structp png = reader.png();
  png_infop info = reader.info();

  call_library(reader.failure, [&] {
    // Only what makes the pixels is read, and in that no fault is forgiven: left to its defaults,
    // libpng would merely warn of some wrong checksums and of pixel data that are too long.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_benign_errors(png, 0);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_user_limits(png, INT_MAX, INT_MAX);  // check_dimensions is stricter, and says more
    png_read_info(png, info);
  });
  const std::uint64_t width = png_get_image_width(png, info);
  const std::uint64_t height = png_get_image_height(png, info);
  check_dimensions(width, height);
  // Deflate shrinks nothing by more than 1032 to 1, so a small file cannot hold a huge image.
  const std::uint64_t bits_per_pixel =
      std::uint64_t{png_get_channels(png, info)} * png_get_bit_depth(png, info);
  if (width * height * bits_per_pixel / 8 / 1032 > bytes.size()) {
    throw Error(fmt::format(
        "the file is truncated: {} bytes are too few for {} x {} pixels", bytes.size(), width,
        height));
  }

  Decoded decoded(width, height, 65535);
  call_library(reader.failure, [&] {
    request_rgba16(png);
    // An interlaced file comes in seven passes, each of which fills in more pixels of the rows.
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != width * sizeof(Rgba16)) {
      png_error(png, "the rows have an unexpected length");
    }
    for (int pass = 0; pass < passes; ++pass) {
      for (int y = 0; y < decoded.height; ++y) {
        png_read_row(png, reinterpret_cast<png_bytep>(decoded.row(y)), nullptr);
      }
    }
    png_read_end(png, nullptr);  // the last checksum, and that the file does end here
  });
  return decoded;
}

// --- JPEG ----------------------------------------------------------------------------------------

[[noreturn]] void on_jpeg_error(j_common_ptr jpeg) {
  char message[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, message);
  fail(*static_cast<LibraryFailure*>(jpeg->client_data), message);
}

/// libjpeg fills what is missing from a damaged or truncated file with gray and gives a warning, a
/// negative `level`. We refuse such a file, but not one that merely has a newer version number.
void on_jpeg_message(j_common_ptr jpeg, int level) {
  if (level < 0 && jpeg->err->msg_code != JWRN_JFIF_MAJOR) {
    on_jpeg_error(jpeg);
  }
}

class JpegReader {
 public:
  JpegReader() {
    jpeg.err = jpeg_std_error(&errors_);
    errors_.error_exit = on_jpeg_error;
    errors_.emit_message = on_jpeg_message;
    jpeg.client_data = &failure;
  }
  ~JpegReader() { jpeg_destroy_decompress(&jpeg); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  jpeg_decompress_struct jpeg{};
  LibraryFailure failure;

 private:
  jpeg_error_mgr errors_{};
};

/// With `want_gray` the colours are not even decoded: a JPEG stores brightness on its own.
Decoded decode_jpeg(Bytes bytes, bool want_gray) {
  JpegReader reader;
  jpeg_decompress_struct& jpeg = reader.jpeg;
  call_library(reader.failure, [&] {
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes.data(), static_cast<unsigned long>(bytes.size()));
    jpeg_read_header(&jpeg, TRUE);
  });
  if (jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK) {
    throw Error("its colours are CMYK, for printing; convert it to RGB or gray first");
  }
  const std::uint64_t width = jpeg.image_width;
  const std::uint64_t height = jpeg.image_height;
  check_dimensions(width, height);
  // Huffman coding spends at least a bit on each block of 8 x 8 samples, and even the oddest
  // subsampling has a block for each 128 pixels. The factor of 4 is to be on the safe side.
  if (!jpeg.arith_code && width * height / (4 * 8 * 128) > bytes.size()) {
    throw Error(fmt::format(
        "the file is truncated: {} bytes are too few for {} x {} pixels", bytes.size(), width,
        height));
  }

  Decoded decoded(width, height, 255);
  std::vector<Byte> samples;
  jpeg.out_color_space =
      want_gray || jpeg.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  call_library(reader.failure, [&] { jpeg_start_decompress(&jpeg); });
  samples.resize(width * static_cast<unsigned>(jpeg.output_components));
  const bool is_color = jpeg.output_components == 3;
  for (int y = 0; y < decoded.height; ++y) {
    call_library(reader.failure, [&] {
      JSAMPROW row = samples.data();
      jpeg_read_scanlines(&jpeg, &row, 1);
    });
    const Byte* sample = samples.data();
    for (Rgba16& pixel : std::span(decoded.row(y), width)) {
      pixel.red = *sample++;
      pixel.green = is_color ? *sample++ : pixel.red;
      pixel.blue = is_color ? *sample++ : pixel.red;
      pixel.alpha = 255;
    }
  }
  call_library(reader.failure, [&] { jpeg_finish_decompress(&jpeg); });
  return decoded;
}

// --- Reading -------------------------------------------------------------------------------------

enum class Format { pnm, png, jpeg };

/// Recognises a file by its first bytes, of which at least eight are there in every valid image.
Format recognise(Bytes bytes) {
  const std::string_view start(
      reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 8));
  if (start.empty()) {
    throw Error("the file is empty");
  }
  if (start.starts_with("P2") || start.starts_with("P3") || start.starts_with("P5") ||
      start.starts_with("P6")) {
    return Format::pnm;
  }
  if (start == "\x89PNG\r\n\x1a\n") {
    return Format::png;
  }
  if (start.starts_with("\xff\xd8\xff")) {
    return Format::jpeg;
  }
  throw Error("this is not a PGM, PPM, PNG or JPEG file");
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

/// The content of an image file. It is recognised after its first block, so that no time and memory
/// go into a file, or a device without end, that is no image.
std::vector<Byte> read_file(const std::string& path) {
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    throw Error(system_reason());
  }
  std::vector<Byte> content;
  std::error_code no_regular_file;
  const std::uintmax_t file_size = std::filesystem::file_size(path, no_regular_file);
  if (!no_regular_file) {
    content.reserve(std::min<std::uintmax_t>(file_size, max_file_bytes));
  }
  std::vector<Byte> block(std::size_t{1} << 16);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    content.insert(
        content.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    recognise(content);
    if (content.size() > max_file_bytes) {
      throw Error(fmt::format("the file is longer than {} bytes", max_file_bytes));
    }
  }
  if (std::ferror(file.get()) != 0) {  // a folder, for instance: it can be opened, but not read
    throw Error(system_reason());
  }
  return content;
}

Decoded read_and_decode(const std::string& path, bool want_gray) {
  const std::vector<Byte> content = read_file(path);
  switch (recognise(content)) {
    case Format::pnm:
      return decode_pnm(content);
    case Format::png:
      return decode_png(content);
    case Format::jpeg:
      break;
  }
  return decode_jpeg(content, want_gray);
}

// --- Writing -------------------------------------------------------------------------------------

/// Throws if no file can be put in the place of `target`, as far as that can be told beforehand.
void check_target(const std::filesystem::path& target) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(target, error);
  if (status.type() == std::filesystem::file_type::none) {  // neither there nor missing
    throw Error(error.message());
  }
  if (std::filesystem::is_directory(status)) {
    throw Error("this is a folder");
  }
  // A device may not be replaced by a file, which the superuser could do.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error("this is not a regular file");
  }
  if (std::filesystem::exists(status) && access(target.c_str(), W_OK) != 0) {
    throw Error(system_reason());
  }
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error)) {
    throw Error(fmt::format("there is no folder {}", folder.string()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(fmt::format("folder {}: {}", folder.string(), system_reason()));
  }
}

/// A file that appears under its name when it is complete, and not at all if it never is: until
/// `commit` it has a temporary name beside the target.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : target_(path) {
    check_target(target_);
    std::error_code error;
    if (std::filesystem::is_symlink(target_, error)) {
      // Replace the file that the link points to, not the link.
      const std::filesystem::path pointed_to = std::filesystem::canonical(target_, error);
      target_ = error ? target_ : pointed_to;
    }
    // "x" refuses to open a file that exists, for instance one left by a program that was killed.
    for (int attempt = 0; attempt < 100 && !file_; ++attempt) {
      temporary_ = target_.parent_path() / fmt::format(".image-{}-{}.tmp", getpid(), attempt);
      file_.reset(std::fopen(temporary_.c_str(), "wbx"));
      if (!file_ && errno != EEXIST) {
        break;
      }
    }
    if (!file_) {
      throw Error(system_reason());
    }
  }
  ~OutputFile() {
    if (!is_committed_) {
      file_.reset();
      std::error_code ignored;
      std::filesystem::remove(temporary_, ignored);
    }
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Returns false, with the reason in errno, when it fails: also for libpng, which must not see an
  /// exception.
  [[nodiscard]] bool try_write(Bytes bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
  }

  void write(Bytes bytes) {
    if (!try_write(bytes)) {
      throw Error(system_reason());
    }
  }

  void write(std::string_view text) {
    write(Bytes(reinterpret_cast<const Byte*>(text.data()), text.size()));
  }

  void commit() {
    // Closing writes what is still buffered, so a full disk may show only here.
    if (std::fclose(file_.release()) != 0) {
      throw Error(system_reason());
    }
    std::error_code error;
    std::filesystem::rename(temporary_, target_, error);
    if (error) {
      throw Error(error.message());
    }
    is_committed_ = true;
  }

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  FileHandle file_;
  bool is_committed_ = false;
};

/// An image of 8-bit samples, made row by row while it is written.
struct ByteRows {
  int width = 0;
  int height = 0;
  int channels = 0;  ///< 1 gray, 3 RGB, 4 RGBA
  std::function<void(int y, Byte* row)>
      fill{};  ///< stores the `width` * `channels` samples of row y

  std::size_t row_bytes() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
  }
};

void write_pnm(OutputFile& file, const ByteRows& rows) {
  file.write(fmt::format("P{}\n{} {}\n255\n", rows.channels == 1 ? 5 : 6, rows.width, rows.height));
  std::vector<Byte> row(rows.row_bytes());
  for (int y = 0; y < rows.height; ++y) {
    rows.fill(y, row.data());
    file.write(Bytes(row));
  }
}

class PngWriter {
 public:
  explicit PngWriter(OutputFile& file) {
    png_ =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure, on_png_error, ignore_png_warning);
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
    png_set_write_fn(png_, &file, write, flush);
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }
  LibraryFailure failure;

 private:
  static void write(png_structp png, png_bytep source, std::size_t count) {
    if (!static_cast<OutputFile*>(png_get_io_ptr(png))->try_write(Bytes(source, count))) {
      png_error(png, std::strerror(errno));
    }
  }
  static void flush(png_structp) {}

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

void write_png(OutputFile& file, const ByteRows& rows) {
  const int color_type = rows.channels == 1   ? PNG_COLOR_TYPE_GRAY
                         : rows.channels == 3 ? PNG_COLOR_TYPE_RGB
                                              : PNG_COLOR_TYPE_RGBA;
  PngWriter writer(file);
  png_structp png = writer.png();
  call_library(writer.failure, [&] {
    png_set_user_limits(png, INT_MAX, INT_MAX);
    png_set_IHDR(
        png, writer.info(), static_cast<png_uint_32>(rows.width),
        static_cast<png_uint_32>(rows.height), 8, color_type, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, writer.info());
  });
  std::vector<Byte> row(rows.row_bytes());
  for (int y = 0; y < rows.height; ++y) {
    rows.fill(y, row.data());
    call_library(writer.failure, [&] { png_write_row(png, row.data()); });
  }
  call_library(writer.failure, [&] { png_write_end(png, nullptr); });
}

/// The Portable Float Map has its bottom row first; the sign of its scale tells that a float's low
/// byte comes first.
void write_pfm(OutputFile& file, const Image& image) {
  file.write(fmt::format("Pf\n{} {}\n-1.0\n", image.width, image.height));
  std::vector<Byte> row;
  for (int y = image.height - 1; y >= 0; --y) {
    row.clear();
    for (int x = 0; x < image.width; ++x) {
      const auto bits = std::bit_cast<std::uint32_t>(image.at(x, y));
      for (int shift = 0; shift < 32; shift += 8) {
        row.push_back(static_cast<Byte>(bits >> shift));
      }
    }
    file.write(Bytes(row));
  }
}

/// The nearest of the levels 0..255. Every comparison with NaN is false, so NaN becomes 0.
Byte to_level(float value) {
  if (value >= 1.0f) {
    return 255;
  }
  return value > 0.0f ? static_cast<Byte>(value * 255.0f + 0.5f) : Byte{0};
}

std::string lower_case_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return extension;
}

void check_extension(const std::string& path, std::initializer_list<std::string_view> known) {
  const std::string extension = lower_case_extension(path);
  if (std::find(known.begin(), known.end(), extension) == known.end()) {
    std::string list;
    for (const std::string_view each : known) {
      list.append(list.empty() ? "" : ", ").append(each);
    }
    throw Error("the name must end in one of " + list);
  }
}

void check_gray_extension(const std::string& path) {
  check_extension(path, {".png", ".pgm", ".ppm", ".pfm"});
}

void check_pixel_count(int width, int height, std::size_t pixels) {
  if (width < 1 || height < 1 ||
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) != pixels) {
    throw Error(fmt::format("{} pixels are no image of {} x {}", pixels, width, height));
  }
}

}  // namespace

Image read_image(const std::string& path) {
  return with_context("cannot read " + path, [&] {
    const Decoded decoded = read_and_decode(path, true);
    Image image(decoded.width, decoded.height);
    // The weights as integers in thousandths: gray that is stored as colour stays exactly the same.
    const double white = 1000.0 * decoded.max_value;
    std::transform(
        decoded.pixels.begin(), decoded.pixels.end(), image.pixels.begin(),
        [white](const Rgba16& pixel) {
          const int luma = 299 * pixel.red + 587 * pixel.green + 114 * pixel.blue;
          return static_cast<float>(luma / white);
        });
    return image;
  });
}

RgbaImage read_rgba_image(const std::string& path) {
  return with_context("cannot read " + path, [&] {
    const Decoded decoded = read_and_decode(path, false);
    RgbaImage image;
    image.width = decoded.width;
    image.height = decoded.height;
    image.pixels.resize(decoded.pixels.size());
    const auto to_8_bits = [max_value = decoded.max_value](std::uint32_t sample) {
      return (sample * 255 + max_value / 2) / max_value;
    };
    std::transform(
        decoded.pixels.begin(), decoded.pixels.end(), image.pixels.begin(),
        [to_8_bits](const Rgba16& pixel) {
          return to_8_bits(pixel.red) | to_8_bits(pixel.green) << 8 | to_8_bits(pixel.blue) << 16 |
                 to_8_bits(pixel.alpha) << 24;
        });
    return image;
  });
}

void write_image(const std::string& path, const Image& image) {
  with_context("cannot write " + path, [&] {
    check_gray_extension(path);
    check_pixel_count(image.width, image.height, image.pixels.size());
    const std::string extension = lower_case_extension(path);
    const int channels = extension == ".ppm" ? 3 : 1;
    const ByteRows rows{image.width, image.height, channels, [&](int y, Byte* row) {
                          for (int x = 0; x < image.width; ++x) {
                            row = std::fill_n(row, channels, to_level(image.at(x, y)));
                          }
                        }};
    OutputFile file(path);
    if (extension == ".pfm") {
      write_pfm(file, image);
    } else if (extension == ".png") {
      write_png(file, rows);
    } else {
      write_pnm(file, rows);
    }
    file.commit();
  });
}

void write_rgba_image(const std::string& path, const RgbaImage& image) {
  with_context("cannot write " + path, [&] {
    check_extension(path, {".png", ".ppm"});
    check_pixel_count(image.width, image.height, image.pixels.size());
    const bool is_png = lower_case_extension(path) == ".png";
    const int channels = is_png ? 4 : 3;
    const ByteRows rows{image.width, image.height, channels, [&](int y, Byte* row) {
                          const std::size_t start =
                              static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
                          for (int x = 0; x < image.width; ++x) {
                            const std::uint32_t pixel =
                                image.pixels[start + static_cast<std::size_t>(x)];
                            for (int channel = 0; channel < channels; ++channel) {
                              *row++ = static_cast<Byte>(pixel >> (8 * channel));
                            }
                          }
                        }};
    OutputFile file(path);
    if (is_png) {
      write_png(file, rows);
    } else {
      write_pnm(file, rows);
    }
    file.commit();
  });
}

void require_writable_image_path(const std::string& path) {
  with_context("cannot write " + path, [&] {
    check_gray_extension(path);
    check_target(path);
  });
}

Image repeat_border(const Image& image, int filter_width) {
  check_pixel_count(image.width, image.height, image.pixels.size());
  if (filter_width < 1) {
    throw Error(fmt::format("the filter width is {}, it must be at least 1", filter_width));
  }
  const std::int64_t width = std::int64_t{image.width} + filter_width - 1;
  const std::int64_t height = std::int64_t{image.height} + filter_width - 1;
  // Twice the largest image: room for any sensible border around it.
  const auto limit = static_cast<std::int64_t>(2 * max_image_pixels);
  if (width > limit / height) {
    throw Error(fmt::format(
        "an image of {} x {} pixels with a border for a filter of width {} is "
        "too large: {} x {}",
        image.width, image.height, filter_width, width, height));
  }

  Image padded(static_cast<int>(width), static_cast<int>(height));
  const int left = (filter_width - 1) / 2;
  const int right = filter_width / 2;
  const int above = left;
  auto destination = padded.pixels.begin();
  for (int y = 0; y < padded.height; ++y) {
    const int source_y = std::clamp(y - above, 0, image.height - 1);
    const auto source = image.pixels.begin() + std::ptrdiff_t{source_y} * image.width;
    destination = std::fill_n(destination, left, source[0]);
    destination = std::copy_n(source, image.width, destination);
    destination = std::fill_n(destination, right, source[image.width - 1]);
  }
  return padded;
}

}  // namespace tutorial
