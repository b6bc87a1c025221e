// Image files: what is read is exactly what the file says, a bad file ends in one line that names
// it, and a file that cannot be written whole is not written at all.
#include "common/image.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "median/pixels.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;  // "..."s may contain zero bytes

/// Files are kept in strings: byte for byte what is on the disk.
using FileBytes = std::string;

FileBytes read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

const fs::path here = fs::path(__FILE__).parent_path();

FileBytes photo(const std::string& name) {
  return read_bytes(here / "photo" / name);
}

std::uint32_t rgba(unsigned red, unsigned green, unsigned blue, unsigned alpha = 255) {
  return red | green << 8 | blue << 16 | alpha << 24;
}

FileBytes big_endian(std::uint32_t value, int bytes = 4) {
  FileBytes result;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    result += static_cast<char>(value >> shift);
  }
  return result;
}

/// The reason that an image function gives for failing, "" if it does not fail.
template <typename Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A folder of its own for each test, removed afterwards.
class ImageFiles : public testing::Test {
 protected:
  ImageFiles() { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
  ~ImageFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  /// The path of a file with the given content. Its name says nothing about its format.
  std::string file(const FileBytes& bytes) const {
    // A new file each time: ext4 waits for the disk when one is truncated and written again.
    fs::remove(path("input"));
    std::ofstream(path("input"), std::ios::binary) << bytes;
    return path("input");
  }

  Image read(const FileBytes& bytes) const { return read_image(file(bytes)); }
  RgbaImage read_rgba(const FileBytes& bytes) const { return read_rgba_image(file(bytes)); }

  /// Both readers must refuse the file, in one line that names it and contains `reason`.
  static void expect_path_refused(const std::string& name, const std::string& reason) {
    for (const std::string& message :
         {error_of([&] { read_image(name); }), error_of([&] { read_rgba_image(name); })}) {
      EXPECT_TRUE(message.starts_with("cannot read " + name + ": ")) << message;
      EXPECT_NE(message.find(reason), std::string::npos) << message << " lacks: " << reason;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
  void expect_refused(const FileBytes& bytes, const std::string& reason) const {
    expect_path_refused(file(bytes), reason);
  }

  /// How many files the test has left behind.
  std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  std::string folder_ = testing::TempDir() + "image_test_XXXXXX";
};

FileBytes chunk(const std::string& type, const FileBytes& data) {
  const FileBytes bytes = type + data;
  const uLong checksum =
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + bytes +
         big_endian(static_cast<std::uint32_t>(checksum));
}

/// png/gray8.png with chunks before and behind its pixels, which may claim another size.
FileBytes make_png(
    std::uint32_t width, std::uint32_t height, const FileBytes& before = "",
    const FileBytes& behind = "") {
  const FileBytes good = read_bytes(here / "png/gray8.png");
  const std::size_t header =
      8 + 25;  // the signature, and a chunk with the size in its 8 first bytes
  const std::size_t end = good.size() - 12;
  return good.substr(0, 8) +
         chunk("IHDR", big_endian(width) + big_endian(height) + good.substr(24, 5)) + before +
         good.substr(header, end - header) + behind + good.substr(end);
}

// --- Good files ----------------------------------------------------------------------------------

TEST_F(ImageFiles, PnmGrayAndColorOf8And16Bits) {
  const auto expect = [this](
                          const FileBytes& bytes, int width, int height,
                          const std::vector<float>& expected_gray,
                          const std::vector<std::uint32_t>& expected_color) {
    SCOPED_TRACE(bytes);
    const Image gray = read(bytes);
    const RgbaImage color = read_rgba(bytes);
    EXPECT_EQ(std::pair(gray.width, gray.height), std::pair(width, height));
    EXPECT_EQ(std::pair(color.width, color.height), std::pair(width, height));
    EXPECT_EQ(color.pixels, expected_color);
    ASSERT_EQ(gray.size(), expected_gray.size());
    for (std::size_t i = 0; i < gray.size(); i++) {
      EXPECT_FLOAT_EQ(gray.pixels[i], expected_gray[i]) << i;
    }
  };
  const auto gray = [](unsigned level) { return rgba(level, level, level); };
  expect(
      "P5\n2 2\n255\n\x00\x01\x80\xff"s, 2, 2, {0, 1 / 255.0F, 128 / 255.0F, 1},
      {gray(0), gray(1), gray(128), gray(255)});
  expect(
      "P6 1 2 100\n\x64\x00\x00\x0a\x14\x1e"s, 1, 2,
      {0.299F, (0.299F * 10 + 0.587F * 20 + 0.114F * 30) / 100},
      {rgba(255, 0, 0), rgba(26, 51, 77)});
  // Above 255 a sample has two bytes, the high one first.
  expect("P5 2 1 65535\n\x01\x02\xff\xff"s, 2, 1, {258 / 65535.0F, 1}, {gray(1), gray(255)});
  expect(
      "P6 1 1 65535\n\x01\x02\x80\x00\xff\xff"s, 1, 1,
      {(0.299F * 0x102 + 0.587F * 0x8000 + 0.114F * 0xffff) / 65535}, {rgba(1, 128, 255)});
  // Comments and every kind of white space may stand between the numbers.
  expect("P5#one\n#two\n1#three\r\n\t\v\f\r1 # 7 7 7\n7\n\x07", 1, 1, {1}, {gray(255)});
  // The raster may begin with what looks like white space or a comment.
  expect("P5 2 1 255\n# ", 2, 1, {'#' / 255.0F, ' ' / 255.0F}, {gray('#'), gray(' ')});
  expect("P5 2 1 255 \n\n", 2, 1, {'\n' / 255.0F, '\n' / 255.0F}, {gray('\n'), gray('\n')});
}

TEST_F(ImageFiles, EveryMaximumIsWhiteAndGrayStoredAsColorStaysTheSameGray) {
  for (const unsigned max_value : {1U, 2U, 7U, 254U, 255U, 256U, 1000U, 65534U, 65535U}) {
    for (const unsigned level : {max_value, max_value / 2, max_value / 3}) {
      const FileBytes sample = big_endian(level, max_value > 255 ? 2 : 1);
      const FileBytes size = " 1 1 " + std::to_string(max_value) + "\n";
      const float expected = static_cast<float>(level) / static_cast<float>(max_value);
      EXPECT_EQ(read("P5" + size + sample).pixels[0], expected) << level << size;
      EXPECT_EQ(read("P6" + size + sample + sample + sample).pixels[0], expected) << level << size;
    }
  }
}

// png/ has a PNG of each colour type and depth, some interlaced, some with a transparent colour or
// with a gamma that must not be applied, and beside each what netpbm or ImageMagick reads in it: a
// PGM with red, green, blue and alpha of each pixel side by side. photo/ has the same for three
// JPEGs.
TEST_F(ImageFiles, PngOfEveryKindAndJpegAreReadAsByOthers) {
  int count = 0;
  for (const char* folder : {"png", "photo"}) {
    const double tolerance = folder == "png"s ? 1e-7 : 3.0 / 255;  // a JPEG has lost something
    for (const auto& entry : fs::directory_iterator(here / folder)) {
      const fs::path expected_path = fs::path(entry.path()).replace_extension(".pgm");
      if (entry.path() == expected_path || !fs::exists(expected_path)) {
        continue;
      }
      SCOPED_TRACE(entry.path());
      count++;
      const Image expected = read_image(expected_path);
      const Image gray = read_image(entry.path());
      const RgbaImage color = read_rgba_image(entry.path());
      ASSERT_EQ(std::pair(4 * gray.width, gray.height), std::pair(expected.width, expected.height));
      ASSERT_EQ(std::pair(color.width, color.height), std::pair(gray.width, gray.height));
      for (std::size_t i = 0; i < gray.size(); ++i) {
        const float* const pixel = &expected.pixels[4 * i];  // red, green, blue, alpha
        ASSERT_NEAR(
            gray.pixels[i], 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2], tolerance);
        if (folder == "photo"s) {  // the brightness that is stored, not made from colours
          ASSERT_FLOAT_EQ(255 * gray.pixels[i], std::round(255 * gray.pixels[i]));
        }
        for (int channel = 0; channel < 4; ++channel) {
          const unsigned level = color.pixels[i] >> (8 * channel) & 255;
          ASSERT_NEAR(level, std::round(255 * pixel[channel]), 255 * tolerance) << channel;
        }
      }
    }
  }
  EXPECT_EQ(count, 25);
}

TEST_F(ImageFiles, WhatIsNoPixelOfAPngIsIgnored) {
  const FileBytes good = read_bytes(here / "png/gray8.png");
  ASSERT_EQ(make_png(13, 7), good);
  const FileBytes more = make_png(
      13, 7, chunk("iCCP", "no profile at all") + chunk("tEXt", "x"), chunk("tIME", "late"));
  EXPECT_EQ(read(more + "behind the image").pixels, read(good).pixels);
}

// --- Bad files -----------------------------------------------------------------------------------

TEST_F(ImageFiles, BadFilesAreRefused) {
  const auto jpeg_of_size = [](unsigned width, unsigned height) {
    FileBytes bytes = photo("color.jpg");
    const std::size_t frame = bytes.find("\xff\xc0\x00\x11\x08"s);
    return bytes.replace(frame + 5, 4, big_endian(height, 2) + big_endian(width, 2));
  };
  ASSERT_EQ(jpeg_of_size(27, 19), photo("color.jpg"));
  FileBytes jpeg_with_hole = photo("color.jpg");
  jpeg_with_hole.erase(jpeg_with_hole.size() - 200, 60);

  const std::vector<std::pair<FileBytes, const char*>> cases = {
      {"", "not a binary PGM"},
      {"\0"s, "not a binary PGM"},
      {"P2 1 1 255\n7\n", "not a binary PGM"},
      {"\x89PNG\r\r\n\x1a", "not a binary PGM"},
      {"\n\nP5 1 1 255\n1", "not a binary PGM"},
      {"P5 # only a comment", "its header must give width"},
      {"P5 x 5 255\n", "its header must give width"},
      {"P5 0 1 255\n", "its header must give width"},
      {"P5 4294967297 1 255\n\x01", "its header must give width"},  // 2^32 + 1 must not become 1
      {"P5 1 1.5 255\n", "its header must give width"},
      {"P5 1 1 0\n\x01", "a maximum value from 1 to 65535"},
      {"P5 1 1 65536\n\x01\x01", "a maximum value from 1 to 65535"},
      {"P5 1 1 255#\n\x01", "its header must give width"},
      {"P5 65536 65537 255\n\x01", "too large"},  // 2^32 + 2^16 pixels must not become 2^16
      {"P6 2147483647 2147483647 65535\n", "too large"},
      {"P5 16385 16384 255\n1", "too large"},
      {"P5 16384 16384 255\n1", "truncated"},  // the largest that is allowed
      {"P5 2 2 256\n\1\1\1\1\1\1\1", "demands 8 bytes of pixels, 7 follow"},
      {"P5 2 2 255\r\nabcd", "demands 4 bytes of pixels, 5 follow"},  // another system's line end
      {"P5 2 1 100\n\x64\x65", "the sample 101 is above the maximum, 100"},
      {"P5 1 1 256\n\x01\x01", "the sample 257 is above the maximum, 256"},
      {make_png(13, 7).substr(0, 8) + "these bytes are no chunk, but there are enough", ""},
      {make_png(13, 7, chunk("ABCD", "")), "ABCD"},  // an unknown chunk that matters
      {make_png(0, 7), "width is zero"},
      {make_png(0x7fffffff, 0x7fffffff), "exceeds user limit"},
      {make_png(16385, 16384), "too large"},
      {make_png(16384, 16384), "truncated"},
      {photo("cmyk.jpg"), "color conversion"},
      {photo("color.jpg").substr(0, 20), "the image is empty"},
      {"\xff\xd8\xff these bytes are no marker, but there are many of them", ""},
      {jpeg_of_size(0, 19), ""},
      {jpeg_of_size(65500, 65500), "too large"},
      {jpeg_of_size(16384, 16384), "truncated"},
      {jpeg_of_size(200, 200), ""},  // the data end too early
      {jpeg_with_hole, ""},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    expect_refused(cases[i].first, cases[i].second);
  }
  for (const auto& bad : fs::directory_iterator(here / "png/bad")) {
    expect_path_refused(bad.path(), "");
  }
}

TEST_F(ImageFiles, WhatCannotBeReadIsRefused) {
  expect_path_refused(path("missing.png"), "No such file or directory");
  expect_path_refused("", "No such file or directory");
  expect_path_refused(folder_, "Is a directory");
}

/// A small file of each kind.
std::vector<FileBytes> small_files() {
  return {
      "P5 # comment\n3 2\n9\n\0\1\2\3\4\x09"s,
      "P6 1 1 65535 \1\1\1\1\1\1",
      read_bytes(here / "png/gray8.png"),
      read_bytes(here / "png/palette2_transparent.png"),
      read_bytes(here / "png/rgb16.png"),
      read_bytes(here / "png/rgba16_interlaced.png"),
      photo("gray.jpg"),
      photo("color.jpg"),
      photo("progressive.jpg")};
}

TEST_F(ImageFiles, TruncatedFilesAreRefusedAtEveryLength) {
  for (const FileBytes& bytes : small_files()) {
    ASSERT_EQ(error_of([&] { read(bytes); }), "");
    for (std::size_t length = 0; length < bytes.size() && !HasFailure(); ++length) {
      SCOPED_TRACE(testing::Message() << length << " bytes of " << bytes.substr(0, 4));
      expect_refused(bytes.substr(0, length), "");
    }
  }
}

/// Damaged copies of all files must end in an `Error` or in an image that is well formed.
TEST_F(ImageFiles, DamagedFilesEndInOneLineOrAGoodImage) {
  testing::internal::CaptureStderr();  // the libraries must not print either
  std::mt19937 random(1);
  for (const FileBytes& good : small_files()) {
    int refused = 0;
    for (int copy = 0; copy < 1000 && !HasFailure(); ++copy) {
      FileBytes bad = good;
      for (auto count = 1 + random() % 4; count > 0; --count) {
        // Headers are short, and worth as much damage as all the rest.
        const std::size_t reach =
            random() % 2 == 0 ? bad.size() : std::min<std::size_t>(bad.size(), 48);
        const std::size_t at = random() % reach;
        const auto other = static_cast<char>(random() % 3 == 0 ? '0' + random() % 10 : random());
        bad.replace(at, random() % 3, random() % 3 + (bad.size() < 4), other);
      }
      const std::string name = file(bad);
      const std::string message = error_of([&] {
        const Image image = read_image(name);
        EXPECT_EQ(image.size(), std::size_t(image.width) * std::size_t(image.height));
        EXPECT_GT(image.size(), 0U);
        EXPECT_TRUE(std::ranges::all_of(image.pixels, [](float p) { return p >= 0 && p <= 1; }));
        EXPECT_EQ(read_rgba_image(name).pixels.size(), image.size());
      });
      refused += message.empty() ? 0 : 1;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
    EXPECT_GT(refused, 250);  // else the damage is too gentle to test anything
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// --- Writing -------------------------------------------------------------------------------------

Image random_image(int width, int height) {
  Image image(width, height);
  std::mt19937 random(static_cast<std::uint32_t>(width * 1000 + height));
  for (float& pixel : image.pixels) {
    pixel = static_cast<float>(random() % 256) / 255.0F;
  }
  return image;
}

const std::vector<std::pair<int, int>> sizes{{1, 1}, {1, 7}, {7, 1}, {31, 17}, {101, 67}};

TEST_F(ImageFiles, EightBitsComeBackExactly) {
  for (const auto& [width, height] : sizes) {
    const Image image = random_image(width, height);
    for (const char* name : {"a.png", "a.pgm", "a.PNG", "a b{}.PgM"}) {
      SCOPED_TRACE(testing::Message() << name << " " << width << " x " << height);
      write_image(path(name), image);
      EXPECT_EQ(read_image(path(name)).width, width);
      EXPECT_EQ(read_image(path(name)).pixels, image.pixels);
    }
    RgbaImage color{width, height, {}};
    std::mt19937 random(5);
    std::generate_n(std::back_inserter(color.pixels), width * height, std::ref(random));
    const auto* bytes = reinterpret_cast<const char*>(color.pixels.data());
    write_rgba_png(path("a.png"), width, height, {bytes, 4 * color.pixels.size()});
    EXPECT_EQ(read_rgba_image(path("a.png")).width, width);
    EXPECT_EQ(read_rgba_image(path("a.png")).pixels, color.pixels);
  }
}

TEST_F(ImageFiles, TheBytesAreAsTheFormatsSayAndFloatsExact) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Image image(9, 1);
  image.pixels = {-1.0F, 2.0F, infinity, -infinity, nan, 1.49F / 255, 1.51F / 255, 0.2F, -1e-40F};
  const FileBytes levels = "\x00\xff\xff\x00\x00\x01\x02\x33\x00"s;
  write_image(path("a.pgm"), image);
  EXPECT_EQ(read_bytes(path("a.pgm")), "P5\n9 1\n255\n" + levels);
  write_image(path("a.png"), image);
  EXPECT_EQ(read_image(path("a.png")).pixels, read_image(path("a.pgm")).pixels);
  write_image(path("a.pfm"), image);
  const FileBytes bytes = read_bytes(path("a.pfm"));
  ASSERT_EQ(bytes.substr(0, 12), "Pf\n9 1\n-1.0\n");
  ASSERT_EQ(bytes.size(), 12U + 36);
  EXPECT_EQ(std::memcmp(bytes.data() + 12, image.pixels.data(), 36), 0);

  Image square(2, 2);
  square.pixels = {0.0F, 1.0F, 0.2F, 0.5F};
  write_image(path("a.pfm"), square);  // the bottom row first
  EXPECT_EQ(
      read_bytes(path("a.pfm")),
      "Pf\n2 2\n-1.0\n\xcd\xcc\x4c\x3e\x00\x00\x00\x3f\x00\x00\x00\x00\x00\x00\x80\x3f"s);
}

TEST_F(ImageFiles, AFileIsReplacedAndALinkStaysALink) {
  fs::create_directory(path("elsewhere"));
  write_image(path("elsewhere/a.pgm"), Image(1, 1));
  fs::create_symlink("elsewhere/a.pgm", path("link.pgm"));
  for (const int side : {50, 3}) {
    EXPECT_EQ(error_of([&] { require_writable_image_path(path("link.pgm")); }), "");
    write_image(path("link.pgm"), random_image(side, side));
    EXPECT_TRUE(fs::is_symlink(path("link.pgm")));
    EXPECT_EQ(read_image(path("elsewhere/a.pgm")).pixels, random_image(side, side).pixels);
  }
  EXPECT_EQ(file_count(), 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(path("elsewhere")), {}), 1);
}

TEST_F(ImageFiles, PathsThatCannotBeWrittenAreRefused) {
  write_image(path("file.pgm"), Image(1, 1));
  fs::create_symlink("loop.png", path("loop.png"));
  fs::create_directory(path("folder.png"));
  ASSERT_EQ(mkfifo(path("pipe.png").c_str(), 0600), 0);
  std::vector<std::pair<std::string, std::string>> cases = {
      {path("missing/a.png"), "No such file or directory"},
      {path("file.pgm/a.png"), "Not a directory"},
      {path(std::string(300, 'a') + ".png"), "File name too long"},
      {path("loop.png"), "Too many levels of symbolic links"},
      {path("folder.png"), "not a regular file"},
      {path("pipe.png"), "not a regular file"},
      {"", "must end in"}};
  for (const char* name : {"a.jpg", "a", "a.png.txt", ".png", "png", "a.", "a.pngx", "a.,"}) {
    cases.emplace_back(path(name), "must end in .png");
  }
  if (geteuid() != 0) {  // the superuser can write everywhere
    cases.emplace_back("/a.png", "Permission denied");
  }
  for (const auto& [name, reason] : cases) {
    for (const std::string& message :
         {error_of([&name] { write_image(name, Image(2, 2)); }),
          error_of([&name] { require_writable_image_path(name); })}) {
      EXPECT_TRUE(message.starts_with("cannot write " + name + ": ")) << message;
      EXPECT_NE(message.find(reason), std::string::npos) << message << " lacks: " << reason;
    }
  }
  EXPECT_EQ(file_count(), 4);
}

TEST_F(ImageFiles, AFullDiskLeavesTheOldFileAndNothingElse) {
  rlimit unlimited{};
  getrlimit(RLIMIT_FSIZE, &unlimited);
  const rlimit full_disk{10000, unlimited.rlim_max};  // no file can grow beyond 10000 bytes
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"a.png", "a.pgm", "a.pfm"}) {
    SCOPED_TRACE(name);
    write_image(path(name), Image(1, 1));
    const FileBytes before = read_bytes(path(name));
    for (const int side : {101, 300}) {  // with a.pgm, the smaller one fails only when it is closed
      setrlimit(RLIMIT_FSIZE, &full_disk);
      const std::string message =
          error_of([&] { write_image(path(name), random_image(side, side)); });
      setrlimit(RLIMIT_FSIZE, &unlimited);
      EXPECT_EQ(message, "cannot write " + path(name) + ": File too large");
      EXPECT_EQ(read_bytes(path(name)), before);
    }
    fs::remove(path(name));
    EXPECT_EQ(file_count(), 0);
  }
  std::signal(SIGXFSZ, handler);
}

// --- Borders -------------------------------------------------------------------------------------

TEST(RepeatBorder, EveryTapOfEveryWidthFindsTheNearestPixel) {
  for (const auto& [width, height] : sizes) {
    const Image image = random_image(width, height);
    for (const int filter_width : {1, 2, 3, 4, 5, 8, 31, 32, 200}) {
      SCOPED_TRACE(testing::Message() << width << " x " << height << ", filter " << filter_width);
      const Image padded = repeat_border(image, filter_width);
      ASSERT_EQ(padded.width, width + filter_width - 1);
      ASSERT_EQ(padded.height, height + filter_width - 1);
      for (int y = 0; y < padded.height; ++y) {
        for (int x = 0; x < padded.width; ++x) {
          // The longer border of an even width is on the right and below.
          const int source_x = std::clamp(x - (filter_width - 1) / 2, 0, width - 1);
          const int source_y = std::clamp(y - (filter_width - 1) / 2, 0, height - 1);
          ASSERT_EQ(padded.at(x, y), image.at(source_x, source_y)) << x << ", " << y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutorial
