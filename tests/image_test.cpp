#include "common/image.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
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

FileBytes photo(const std::string& name) {
  return read_bytes(fs::path(__FILE__).parent_path() / "photo" / name);
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
  ImageFiles() {
    std::string name = (fs::temp_directory_path() / "image_test_XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~ImageFiles() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

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
  void expect_refused(const FileBytes& bytes, const std::string& reason) const {
    const std::string name = file(bytes);
    for (const std::string& message :
         {error_of([&] { read_image(name); }), error_of([&] { read_rgba_image(name); })}) {
      EXPECT_NE(message.find(name), std::string::npos) << message;
      EXPECT_NE(message.find(reason), std::string::npos) << message << " lacks: " << reason;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }

  /// Refused at every shorter length, each time for a reason and never with pixels.
  void expect_refused_when_truncated(const FileBytes& bytes) const {
    ASSERT_EQ(error_of([&] { read(bytes); }), "");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      SCOPED_TRACE(length);
      expect_refused(bytes.substr(0, length), "");
      if (HasFailure()) {
        return;
      }
    }
  }

  /// How many files the test has left behind.
  std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

// --- PGM and PPM ---------------------------------------------------------------------------------

using Pnm = ImageFiles;

TEST_F(Pnm, GrayAndColorOf8And16Bits) {
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
      "P5\n2 3\n255\n\x00\x01\x7f\x80\xfe\xff"s, 2, 3,
      {0, 1 / 255.0F, 127 / 255.0F, 128 / 255.0F, 254 / 255.0F, 1},
      {gray(0), gray(1), gray(127), gray(128), gray(254), gray(255)});
  expect(
      "P6 1 2 100\n\x64\x00\x00\x0a\x14\x1e"s, 1, 2,
      {0.299F, (0.299F * 10 + 0.587F * 20 + 0.114F * 30) / 100},
      {rgba(255, 0, 0), rgba(26, 51, 77)});
  // Above 255 a sample has two bytes, the high one first.
  expect("P5 2 1 65535\n\x01\x02\xff\xff"s, 2, 1, {258 / 65535.0F, 1}, {gray(1), gray(255)});
  expect("P5 2 1 256\n\x00\x01\x01\x00"s, 2, 1, {1 / 256.0F, 1}, {gray(1), gray(255)});
  expect(
      "P6 1 1 65535\n\x01\x02\x80\x00\xff\xff"s, 1, 1,
      {(0.299F * 0x102 + 0.587F * 0x8000 + 0.114F * 0xffff) / 65535}, {rgba(1, 128, 255)});
  // Comments and every kind of white space may stand between the numbers.
  expect("P5#one\n#two\n1#three\r\n\t\v\f\r1 # 7 7 7\n7\n\x07", 1, 1, {1}, {gray(255)});
  // The raster may begin with what looks like white space or a comment.
  expect("P5 2 1 255\n# ", 2, 1, {'#' / 255.0F, ' ' / 255.0F}, {gray('#'), gray(' ')});
  expect("P5 2 1 255 \n\n", 2, 1, {'\n' / 255.0F, '\n' / 255.0F}, {gray('\n'), gray('\n')});
}

TEST_F(Pnm, EveryMaximumValueIsWhite) {
  for (const unsigned max_value : {1U, 2U, 7U, 254U, 255U, 256U, 1000U, 65534U, 65535U}) {
    const FileBytes bytes = "P5 1 1 " + std::to_string(max_value) + "\n" +
                            big_endian(max_value, max_value > 255 ? 2 : 1);
    EXPECT_EQ(read(bytes).pixels[0], 1.0F) << max_value;
    EXPECT_EQ(read_rgba(bytes).pixels[0], rgba(255, 255, 255)) << max_value;
  }
}

TEST_F(Pnm, GrayStoredAsColorStaysTheSameGray) {
  for (unsigned gray = 0; gray <= 65535; gray += 771) {
    const FileBytes sample = big_endian(gray, 2);
    const float expected = static_cast<float>(gray) / 65535.0F;
    EXPECT_EQ(read("P5 1 1 65535 " + sample).pixels[0], expected);
    EXPECT_EQ(read("P6 1 1 65535 " + sample + sample + sample).pixels[0], expected);
  }
}

TEST_F(Pnm, BadFilesAreRefused) {
  const std::vector<std::pair<FileBytes, const char*>> cases = {
      {"P2 1 1 255\n7\n", "only in binary form"},
      {"P3 1 1 255\n7 7 7\n", "only in binary form"},
      {"P5", "no white space after P5"},
      {"P55 5 255\n", "no white space after P5"},
      {"P5 ", "the width is not a number from 1 to 2147483647"},
      {"P5 # only a comment", "the width is not a number"},
      {"P5 x 5 255\n", "the width is not a number"},
      {"P5 -1 5 255\n", "the width is not a number"},
      {"P5 0 1 255\n", "the width is not a number"},
      {"P5 99999999999999999999999999 1 255\n", "the width is not a number"},
      {"P5 4294967297 1 255\n\x01", "the width is not a number"},  // 2^32 + 1 must not become 1
      {"P5 1", "the height is not a number"},
      {"P5 1 0 255\n", "the height is not a number"},
      {"P5 1 1.5 255\n", "the maximum value is not a number from 1 to 65535"},
      {"P5 1 1", "the maximum value is not a number"},
      {"P5 1 1 0\n\x01", "the maximum value is not a number"},
      {"P5 1 1 65536\n\x01\x01", "the maximum value is not a number"},
      {"P5 1 1 255", "no white space after the maximum value"},
      {"P5 1 1 255#\n\x01", "no white space after the maximum value"},
      {"P5 65536 65537 255\n\x01", "too large"},  // 2^32 + 2^16 pixels must not become 2^16
      {"P6 2147483647 2147483647 65535\n", "too large"},
      {"P5 16385 16384 255\n1", "too large"},
      {"P5 16384 16384 255\n1", "truncated"},  // the largest that is allowed
      {"P5 2 2 255\nabc", "demands 4 bytes of pixels, 3 follow"},
      {"P5 2 2 256\n\1\1\1\1\1\1\1", "demands 8 bytes of pixels, 7 follow"},
      {"P6 2 2 255\nabcabcabcab", "demands 12 bytes of pixels, 11 follow"},
      {"P5 2 2 255\nabcde", "demands 4 bytes of pixels, 5 follow"},
      {"P5 2 2 255\r\nabcd", "demands 4 bytes of pixels, 5 follow"},  // another system's line end
      {"P5 2 1 100\n\x64\x65", "the sample 101 is above the maximum, 100"},
      {"P5 1 1 256\n\x01\x01", "the sample 257 is above the maximum, 256"},
  };
  for (const auto& [bytes, reason] : cases) {
    SCOPED_TRACE(bytes);
    expect_refused(bytes, reason);
  }
  expect_refused_when_truncated("P5 2 2 255 abcd");
  expect_refused_when_truncated("P6 1 1 65535 \1\1\1\1\1\1");
}

// --- PNG -----------------------------------------------------------------------------------------

// A PNG writer of our own, which knows all that the format allows: an opinion on the format that
// does not come from libpng.

FileBytes chunk(const std::string& type, const FileBytes& data) {
  const FileBytes bytes = type + data;
  const auto* start = reinterpret_cast<const Bytef*>(bytes.data());
  const uLong checksum = crc32(0, start, static_cast<uInt>(bytes.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + bytes +
         big_endian(static_cast<std::uint32_t>(checksum));
}

FileBytes zlib(const FileBytes& data) {
  uLongf size = compressBound(data.size());
  FileBytes stream(size, '\0');
  compress(
      reinterpret_cast<Bytef*>(stream.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
      data.size());
  stream.resize(size);
  return stream;
}

const FileBytes png_signature = "\x89PNG\r\n\x1a\n";

struct PngKind {
  int color_type;  // 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6 RGBA
  int depth;
  bool is_interlaced;

  int channels() const {
    return color_type == 2 ? 3 : color_type == 4 ? 2 : color_type == 6 ? 4 : 1;
  }
  unsigned max_sample() const { return (1U << depth) - 1; }
};

std::vector<PngKind> every_png_kind() {
  std::vector<PngKind> kinds;
  for (const bool is_interlaced : {false, true}) {
    for (const int depth : {1, 2, 4, 8, 16}) {
      for (const int color_type : {0, 2, 3, 4, 6}) {
        if (color_type == 0 || (color_type == 3 ? depth <= 8 : depth >= 8)) {
          kinds.push_back({color_type, depth, is_interlaced});
        }
      }
    }
  }
  return kinds;
}

/// The test pattern: the sample of channel `channel` at (x, y).
unsigned pattern(const PngKind& kind, int x, int y, int channel) {
  return static_cast<unsigned>(x * 2657 + y * 7919 + channel * 3571 + 11) & kind.max_sample();
}

FileBytes png_header(const PngKind& kind, std::uint32_t width, std::uint32_t height) {
  return chunk(
      "IHDR", big_endian(width) + big_endian(height) + static_cast<char>(kind.depth) +
                  static_cast<char>(kind.color_type) + "\0\0"s +
                  static_cast<char>(kind.is_interlaced));
}

/// The scanlines of the pixels first_x, first_x + step_x, ... of the rows first_y, ...
FileBytes png_scanlines(
    const PngKind& kind, int width, int height, int first_x, int first_y, int step_x, int step_y) {
  FileBytes lines;
  for (int y = first_y; first_x < width && y < height; y += step_y) {
    lines += '\0';  // no prediction
    unsigned bits = 0;
    int bit_count = 0;
    const auto put = [&](unsigned sample) {
      bits = bits << kind.depth | sample;
      for (bit_count += kind.depth; bit_count >= 8; bit_count -= 8) {
        lines += static_cast<char>(bits >> (bit_count - 8));
      }
    };
    for (int x = first_x; x < width; x += step_x) {
      for (int channel = 0; channel < kind.channels(); ++channel) {
        put(pattern(kind, x, y, channel));
      }
    }
    while (bit_count != 0) {
      bits <<= 1;
      if (++bit_count == 8) {
        lines += static_cast<char>(bits);
        bit_count = 0;
      }
    }
  }
  return lines;
}

FileBytes png_pixels(const PngKind& kind, int width, int height) {
  if (!kind.is_interlaced) {
    return png_scanlines(kind, width, height, 0, 0, 1, 1);
  }
  return png_scanlines(kind, width, height, 0, 0, 8, 8) +
         png_scanlines(kind, width, height, 4, 0, 8, 8) +
         png_scanlines(kind, width, height, 0, 4, 4, 8) +
         png_scanlines(kind, width, height, 2, 0, 4, 4) +
         png_scanlines(kind, width, height, 0, 2, 2, 4) +
         png_scanlines(kind, width, height, 1, 0, 2, 2) +
         png_scanlines(kind, width, height, 0, 1, 1, 2);
}

unsigned palette_entry(unsigned index, int channel) {
  return (index * 37 + static_cast<unsigned>(channel) * 101 + 5) & 255;
}

FileBytes palette_chunk(unsigned colors) {
  FileBytes palette;
  for (unsigned index = 0; index < colors; ++index) {
    for (int channel = 0; channel < 3; ++channel) {
      palette += static_cast<char>(palette_entry(index, channel));
    }
  }
  return chunk("PLTE", palette);
}

/// A PNG with the test pattern; `extra` chunks come before the pixels.
FileBytes make_png(const PngKind& kind, int width, int height, const FileBytes& extra = "") {
  return png_signature +
         png_header(kind, static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)) +
         (kind.color_type == 3 ? palette_chunk(kind.max_sample() + 1) : "") + extra +
         chunk("IDAT", zlib(png_pixels(kind, width, height))) + chunk("IEND", "");
}

/// Red, green, blue, alpha of the test pattern, each 0..1.
std::array<double, 4> expected_color(const PngKind& kind, int x, int y) {
  const auto channel = [&](int index) {
    return pattern(kind, x, y, index) / static_cast<double>(kind.max_sample());
  };
  const auto color = [&](int index) {
    return palette_entry(pattern(kind, x, y, 0), index) / 255.0;
  };
  switch (kind.color_type) {
    case 0:
      return {channel(0), channel(0), channel(0), 1};
    case 2:
      return {channel(0), channel(1), channel(2), 1};
    case 3:
      return {color(0), color(1), color(2), 1};
    case 4:
      return {channel(0), channel(0), channel(0), channel(1)};
    default:
      return {channel(0), channel(1), channel(2), channel(3)};
  }
}

using Png = ImageFiles;

TEST_F(Png, EveryColorTypeBitDepthAndInterlacing) {
  for (const PngKind& kind : every_png_kind()) {
    // With an alpha channel 16 bits are read as 8.
    const double tolerance = kind.depth == 16 && kind.color_type >= 4 ? 0.5 / 255 + 1e-6 : 1e-7;
    for (const auto& [width, height] :
         {std::pair{1, 1}, {2, 3}, {9, 1}, {1, 9}, {13, 17}, {40, 9}}) {
      SCOPED_TRACE(
          testing::Message() << "color type " << kind.color_type << ", " << kind.depth
                             << " bits, interlaced " << kind.is_interlaced << ", " << width << " x "
                             << height);
      const FileBytes bytes = make_png(kind, width, height);
      if (kind.is_interlaced && kind.depth == 16 && kind.color_type >= 4) {
        expect_refused(bytes, "not supported");
        continue;
      }
      const Image gray = read(bytes);
      const RgbaImage color = read_rgba(bytes);
      ASSERT_EQ(gray.width, width);
      ASSERT_EQ(gray.height, height);
      ASSERT_EQ(color.width, width);
      ASSERT_EQ(color.height, height);
      ASSERT_EQ(color.pixels.size(), gray.size());
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const auto [r, g, b, a] = expected_color(kind, x, y);
          ASSERT_NEAR(gray.at(x, y), 0.299 * r + 0.587 * g + 0.114 * b, tolerance);
          const auto level = [](double value) {
            return static_cast<unsigned>(std::lround(255 * value));
          };
          ASSERT_EQ(color.pixels[color.index(x, y)], rgba(level(r), level(g), level(b), level(a)));
        }
      }
    }
  }
}

TEST_F(Png, SamplesStayAsTheyAreWhateverGammaIsTold) {
  const FileBytes srgb = chunk("gAMA", big_endian(45455)) + chunk("sRGB", "\0"s);
  const FileBytes linear = chunk("gAMA", big_endian(100000));
  for (const FileBytes& extra : {""s, srgb, linear}) {
    for (const int depth : {8, 16}) {
      const PngKind kind{0, depth, false};
      const Image image = read(make_png(kind, 20, 20, extra));
      const RgbaImage color = read_rgba(make_png(kind, 20, 20, extra));
      for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 20; ++x) {
          const float expected =
              static_cast<float>(pattern(kind, x, y, 0)) / static_cast<float>(kind.max_sample());
          ASSERT_EQ(image.at(x, y), expected);
          const auto level = static_cast<unsigned>(std::lround(255 * expected));
          ASSERT_EQ(color.pixels[color.index(x, y)], rgba(level, level, level));
        }
      }
    }
  }
}

TEST_F(Png, ATransparentColorSetsAlphaAndLeavesGrayAlone) {
  for (const PngKind& kind : {PngKind{0, 4, false}, {0, 16, false}, {2, 8, true}, {2, 16, false}}) {
    SCOPED_TRACE(testing::Message() << kind.color_type << " " << kind.depth);
    FileBytes transparent;
    for (int channel = 0; channel < kind.channels(); ++channel) {
      transparent += big_endian(pattern(kind, 2, 1, channel), 2);
    }
    const FileBytes bytes = make_png(kind, 5, 4, chunk("tRNS", transparent));
    const RgbaImage color = read_rgba(bytes);
    EXPECT_EQ(color.pixels[color.index(2, 1)] >> 24, 0U);
    EXPECT_EQ(color.pixels[color.index(3, 1)] >> 24, 255U);
    EXPECT_EQ(read(bytes).pixels, read(make_png(kind, 5, 4)).pixels);
  }
}

TEST_F(Png, APaletteMayHaveAlpha) {
  const PngKind kind{3, 2, false};
  const FileBytes bytes = make_png(kind, 6, 6, chunk("tRNS", "\x11\x22"));
  const RgbaImage color = read_rgba(bytes);
  constexpr std::array<unsigned, 4> alpha{0x11, 0x22, 255, 255};
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      EXPECT_EQ(color.pixels[color.index(x, y)] >> 24, alpha[pattern(kind, x, y, 0)]);
    }
  }
  EXPECT_EQ(read(bytes).pixels, read(make_png(kind, 6, 6)).pixels);
}

TEST_F(Png, PixelsMayComeInSeveralChunksAndWhatIsNoPixelIsIgnored) {
  const PngKind kind{2, 8, false};
  const FileBytes stream = zlib(png_pixels(kind, 7, 5));
  const FileBytes bytes =
      png_signature + png_header(kind, 7, 5) + chunk("iCCP", "no profile at all") +
      chunk("tEXt", "x") + chunk("IDAT", stream.substr(0, 10)) + chunk("IDAT", "") +
      chunk("IDAT", stream.substr(10)) + chunk("tIME", "late") + chunk("IEND", "");
  EXPECT_EQ(read(bytes).pixels, read(make_png(kind, 7, 5)).pixels);
  EXPECT_EQ(read(bytes + "behind the image").pixels, read(bytes).pixels);
}

TEST_F(Png, TruncatedFilesAreRefused) {
  expect_refused_when_truncated(make_png({0, 8, false}, 5, 5));
  expect_refused_when_truncated(make_png({6, 8, true}, 5, 5));
}

TEST_F(Png, AChangedByteAnywhereIsFound) {
  const FileBytes good = make_png({3, 4, false}, 9, 7);
  for (std::size_t i = 0; i < good.size() - 4; ++i) {  // the last four are the checksum of the end
    SCOPED_TRACE(i);
    FileBytes bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x04);
    expect_refused(bad, "");
    if (HasFailure()) {
      return;
    }
  }
}

TEST_F(Png, BadFilesAreRefused) {
  const PngKind kind{0, 8, false};
  const FileBytes header = png_header(kind, 4, 4);
  const FileBytes pixels = png_pixels(kind, 4, 4);
  const FileBytes stream = zlib(pixels);
  const FileBytes end = chunk("IEND", "");
  const auto png = [&end](const FileBytes& first, const FileBytes& data) {
    return png_signature + first + chunk("IDAT", data) + end;
  };
  ASSERT_EQ(error_of([&] { read(png(header, stream)); }), "");
  FileBytes wrong_sum = stream;
  wrong_sum.back() = static_cast<char>(wrong_sum.back() ^ 1);

  const std::vector<std::pair<FileBytes, const char*>> cases = {
      {png_signature, "truncated"},
      {png_signature + end, "truncated"},
      {png_signature + "these bytes are no chunk at all, but there are enough of them", ""},
      {png_signature + header + end, ""},
      {png_signature + header + chunk("IDAT", stream), "truncated"},
      {png(header, ""), ""},
      {png(header, "no zlib stream"), ""},
      {png(header, zlib(pixels.substr(1))), ""},
      {png(header, zlib(pixels + pixels)), ""},
      {png(header, zlib("\x07" + pixels.substr(1))), ""},  // an unknown prediction
      {png(header, wrong_sum), ""},
      {png(header + chunk("ABCD", ""), stream), ""},  // an unknown chunk that matters
      {png(chunk("IHDR", ""), stream), ""},
      {png(png_header(kind, 0, 4), stream), "empty"},
      {png(png_header(kind, 4, 0), stream), "empty"},
      {png(png_header({0, 3, false}, 4, 4), stream), ""},
      {png(png_header({5, 8, false}, 4, 4), stream), ""},
      {png(png_header({3, 8, false}, 4, 4), stream), ""},  // without a palette
      {png(png_header(kind, 0x7fffffff, 0x7fffffff), stream), "too large"},
      {png(png_header(kind, 0xffffffff, 1), stream), "too large"},
      {png(png_header(kind, 16385, 16384), stream), "too large"},
      {png(png_header(kind, 16384, 16384), stream), "truncated"},
      {png(png_header({6, 16, true}, 2000, 2000), stream), "truncated"},
      {png(png_header(kind, 1000001, 1), zlib(FileBytes(1000002, '\0'))),
       "limited to 1000000 pixels"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    expect_refused(cases[i].first, cases[i].second);
  }
}

// --- JPEG ----------------------------------------------------------------------------------------

// The files in photo/ are slopes of 27 x 19 pixels in the best quality: color.jpg and
// progressive.jpg have red 20 + 8 x, green 30 + 10 y, blue 128, and gray.jpg has 20 + 5 x + 5 y.

using Jpeg = ImageFiles;

const std::vector<const char*> jpegs = {"gray.jpg", "color.jpg", "progressive.jpg"};

TEST_F(Jpeg, GrayColorAndProgressive) {
  for (const std::string name : jpegs) {
    SCOPED_TRACE(name);
    const Image gray = read(photo(name));
    const RgbaImage color = read_rgba(photo(name));
    ASSERT_EQ(gray.width, 27);
    ASSERT_EQ(gray.height, 19);
    ASSERT_EQ(color.width, 27);
    ASSERT_EQ(color.height, 19);
    for (int y = 0; y < 19; ++y) {
      for (int x = 0; x < 27; ++x) {
        const int level = 20 + 5 * x + 5 * y;
        const auto [red, green, blue] = name == "gray.jpg"
                                            ? std::array{level, level, level}
                                            : std::array{20 + 8 * x, 30 + 10 * y, 128};
        EXPECT_NEAR(gray.at(x, y), (0.299 * red + 0.587 * green + 0.114 * blue) / 255, 1.5 / 255);
        const std::uint32_t pixel = color.pixels[color.index(x, y)];
        EXPECT_NEAR(pixel & 255, red, 3);
        EXPECT_NEAR(pixel >> 8 & 255, green, 3);
        EXPECT_NEAR(pixel >> 16 & 255, blue, 3);
        EXPECT_EQ(pixel >> 24, 255U);
      }
    }
  }
}

TEST_F(Jpeg, TruncatedFilesAreRefused) {
  for (const char* name : jpegs) {
    SCOPED_TRACE(name);
    expect_refused_when_truncated(photo(name));
  }
}

TEST_F(Jpeg, BadFilesAreRefused) {
  const FileBytes good = photo("color.jpg");
  const auto with_size = [&good](unsigned width, unsigned height) {
    FileBytes bytes = good;
    const std::size_t frame = bytes.find("\xff\xc0\x00\x11\x08"s);
    EXPECT_NE(frame, std::string::npos);
    return bytes.replace(frame + 5, 4, big_endian(height, 2) + big_endian(width, 2));
  };
  ASSERT_EQ(with_size(27, 19), good);
  ASSERT_TRUE(good.ends_with("\xff\xd9"));
  FileBytes no_end = good;
  no_end.back() = '\xfe';  // a comment, which never comes
  FileBytes hole = good;
  hole.erase(hole.size() - 200, 60);
  const std::vector<std::pair<FileBytes, const char*>> cases = {
      {photo("cmyk.jpg"), "CMYK"},
      {"\xff\xd8\xff", ""},
      {"\xff\xd8\xff these bytes are no marker, but there are many of them", ""},
      {with_size(0, 19), ""},
      {with_size(27, 0), ""},
      {with_size(65500, 65500), "too large"},
      {with_size(16384, 16384), "truncated"},
      {with_size(200, 200), ""},  // the data end too early
      {no_end, ""},
      {hole, ""},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    expect_refused(cases[i].first, cases[i].second);
  }
}

// --- Any file ------------------------------------------------------------------------------------

TEST_F(ImageFiles, WhatIsNoImageIsRefused) {
  expect_refused("", "empty");
  for (const FileBytes& bytes :
       {"P"s, "\x89"s, "\xff"s, "\0"s, "hello"s, "P1 1 1 1"s, "P4 1 1 \1"s, "P7\n"s, "P8 1 1 1 1"s,
        "GIF89a"s, "\x89PNG\r\r\n\x1a"s, "\n\nP5 1 1 255\n1"s}) {
    SCOPED_TRACE(bytes);
    expect_refused(bytes, "not a PGM, PPM, PNG or JPEG file");
  }
  // A device without end, too, and at once.
  EXPECT_NE(error_of([&] { read_image("/dev/zero"); }).find("not a PGM"), std::string::npos);
}

TEST_F(ImageFiles, WhatCannotBeReadIsRefused) {
  const auto expect_reason = [](const std::string& name, const std::string& reason) {
    EXPECT_EQ(error_of([&] { read_image(name); }), "cannot read " + name + ": " + reason);
    EXPECT_EQ(error_of([&] { read_rgba_image(name); }), "cannot read " + name + ": " + reason);
  };
  expect_reason(path("missing.png"), "No such file or directory");
  expect_reason("", "No such file or directory");
  expect_reason(folder_.string(), "Is a directory");
  if (geteuid() != 0) {  // the superuser can read every file
    const std::string name = file("P5 1 1 1 \1");
    fs::permissions(name, fs::perms::none);
    expect_reason(name, "Permission denied");
  }
}

// --- Writing -------------------------------------------------------------------------------------

using Write = ImageFiles;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Image random_image(int width, int height) {
  Image image(width, height);
  std::mt19937 random(static_cast<std::uint32_t>(width * 1000 + height));
  for (float& pixel : image.pixels) {
    pixel = static_cast<float>(random() % 256) / 255.0F;
  }
  return image;
}

RgbaImage random_rgba_image(int width, int height) {
  RgbaImage image{width, height, {}};
  std::mt19937 random(5);
  for (int i = 0; i < width * height; ++i) {
    image.pixels.push_back(static_cast<std::uint32_t>(random()));
  }
  return image;
}

const std::vector<std::pair<int, int>> sizes{{1, 1}, {1, 7}, {7, 1}, {31, 17}, {64, 64}, {101, 67}};

TEST_F(Write, EightBitsComeBackExactly) {
  for (const auto& [width, height] : sizes) {
    const Image image = random_image(width, height);
    for (const char* name : {"a.png", "a.pgm", "a.ppm", "a.PNG", "a.PgM", "a.b.png"}) {
      SCOPED_TRACE(testing::Message() << name << " " << width << " x " << height);
      write_image(path(name), image);
      const Image back = read_image(path(name));
      EXPECT_EQ(back.width, width);
      EXPECT_EQ(back.height, height);
      EXPECT_EQ(back.pixels, image.pixels);
    }
    RgbaImage color = random_rgba_image(width, height);
    write_rgba_image(path("a.png"), color);
    write_rgba_image(path("a.ppm"), color);
    const RgbaImage png = read_rgba_image(path("a.png"));
    EXPECT_EQ(png.width, width);
    EXPECT_EQ(png.height, height);
    EXPECT_EQ(png.pixels, color.pixels);
    for (std::uint32_t& pixel : color.pixels) {
      pixel |= 0xff000000;  // a PPM has no alpha
    }
    EXPECT_EQ(read_rgba_image(path("a.ppm")).pixels, color.pixels);
  }
}

TEST_F(Write, TheBytesAreAsTheFormatsSay) {
  Image image(2, 2);
  image.pixels = {0.0F, 1.0F, 0.2F, 0.4F};
  write_image(path("a.pgm"), image);
  EXPECT_EQ(read_bytes(path("a.pgm")), "P5\n2 2\n255\n\x00\xff\x33\x66"s);
  write_image(path("a.ppm"), image);
  EXPECT_EQ(
      read_bytes(path("a.ppm")), "P6\n2 2\n255\n\x00\x00\x00\xff\xff\xff\x33\x33\x33\x66\x66\x66"s);
  image.pixels = {1.0F, -2.0F, 0.5F, 1e30F};
  write_image(path("a.pfm"), image);
  EXPECT_EQ(
      read_bytes(path("a.pfm")),
      "Pf\n2 2\n-1.0\n\x00\x00\x00\x3f\xca\xf2\x49\x71\x00\x00\x80\x3f\x00\x00\x00\xc0"s);
}

TEST_F(Write, ValuesAreRoundedAndClamped) {
  Image image(8, 1);
  image.pixels = {-1.0F,        2.0F,        infinity,    -infinity,
                  not_a_number, 1.49F / 255, 1.51F / 255, 254.51F / 255};
  const FileBytes levels = "\x00\xff\xff\x00\x00\x01\x02\xff"s;
  write_image(path("a.pgm"), image);
  EXPECT_EQ(read_bytes(path("a.pgm")), "P5\n8 1\n255\n" + levels);
  write_image(path("a.png"), image);
  const Image png = read_image(path("a.png"));
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(png.pixels[i], static_cast<unsigned char>(levels[i]) / 255.0F);
  }
}

TEST_F(Write, FloatsAreExact) {
  Image image(9, 1);
  image.pixels = {1.0F / 3,  -1e-40F, -0.0F,  not_a_number, infinity,
                  -infinity, 3e38F,   -7.25F, 1e-9F};
  write_image(path("a.pfm"), image);
  const FileBytes bytes = read_bytes(path("a.pfm"));
  ASSERT_EQ(bytes.size(), 12U + 36);  // "Pf\n9 1\n-1.0\n" and the floats
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - 36, image.pixels.data(), 36), 0);
}

TEST_F(Write, AnExistingFileIsReplaced) {
  write_image(path("a.pgm"), random_image(50, 50));
  write_image(path("a.pgm"), random_image(3, 3));
  EXPECT_EQ(read_image(path("a.pgm")).pixels, random_image(3, 3).pixels);
  EXPECT_EQ(file_count(), 1);
}

TEST_F(Write, ALinkStaysALink) {
  fs::create_directory(path("elsewhere"));
  write_image(path("elsewhere/a.pgm"), random_image(2, 2));
  fs::create_symlink("elsewhere/a.pgm", path("link.pgm"));
  write_image(path("link.pgm"), random_image(3, 3));
  EXPECT_TRUE(fs::is_symlink(path("link.pgm")));
  EXPECT_EQ(read_image(path("elsewhere/a.pgm")).width, 3);
  EXPECT_FALSE(fs::exists(path("elsewhere/.image-" + std::to_string(getpid()) + ".tmp")));
  fs::create_symlink("elsewhere/missing.pgm", path("dangling.pgm"));
  write_image(path("dangling.pgm"), random_image(4, 4));
  EXPECT_EQ(read_image(path("dangling.pgm")).width, 4);
}

TEST_F(Write, EveryPathThatCanBeWrittenIsFine) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  for (const std::string& name :
       {std::string(251, 'a') + ".pgm", path("with space.pgm"), path("a{}.pgm"), "a.png"s,
        path("a.ppm"), path("A.PFM")}) {
    EXPECT_EQ(error_of([&] { require_writable_image_path(name); }), "");
    EXPECT_FALSE(fs::exists(name));  // checking a path writes nothing
    EXPECT_EQ(error_of([&] { write_image(name, random_image(2, 2)); }), "");
    EXPECT_TRUE(fs::exists(name));
  }
  EXPECT_EQ(file_count(), 6);
  fs::current_path(before);
}

/// The three functions must complain alike, and leave nothing behind.
void expect_not_writable(const std::string& path, const std::string& reason) {
  for (const std::string& message :
       {error_of([&] { write_image(path, Image(2, 2)); }), error_of([&] {
          write_rgba_image(path, RgbaImage{1, 1, {0}});
        }),
        error_of([&] { require_writable_image_path(path); })}) {
    EXPECT_TRUE(message.starts_with("cannot write " + path + ": ")) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message << " lacks: " << reason;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST_F(Write, AnotherExtensionIsRefused) {
  for (const char* name :
       {"a.jpg", "a", "a.png.txt", ".png", "png", "a.", "a.p", "a.pngx", "a.,"}) {
    expect_not_writable(path(name), "must end in one of .png");
  }
  expect_not_writable("", "must end in one of");
  expect_not_writable("/dev/stdout", "must end in one of");
  // Colours do not fit into gray formats.
  EXPECT_NE(error_of([&] { write_rgba_image(path("a.pgm"), RgbaImage{1, 1, {0}}); }), "");
  EXPECT_NE(error_of([&] { write_rgba_image(path("a.pfm"), RgbaImage{1, 1, {0}}); }), "");
  EXPECT_EQ(file_count(), 0);
}

TEST_F(Write, PathsThatCannotBeWrittenAreRefused) {
  write_image(path("file.pgm"), Image(1, 1));
  fs::create_symlink("loop.png", path("loop.png"));
  fs::create_directory(path("folder.png"));
  fs::create_symlink("/dev/full", path("full.png"));
  ASSERT_EQ(mkfifo(path("pipe.png").c_str(), 0600), 0);
  for (const auto& [name, reason] : std::vector<std::pair<std::string, std::string>>{
           {"missing/a.png", "there is no folder " + path("missing")},
           {"file.pgm/a.png", "there is no folder"},
           {std::string(300, 'a') + ".png", "File name too long"},
           {"loop.png", "Too many levels of symbolic links"},
           {"folder.png", "this is a folder"},
           {"full.png", "not a regular file"},
           {"pipe.png", "not a regular file"}}) {
    expect_not_writable(path(name), reason);
  }
  EXPECT_TRUE(fs::is_directory(path("folder.png")));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_EQ(file_count(), 5);
}

TEST_F(Write, WhatMayNotBeWrittenIsRefused) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "the superuser can write everywhere";
  }
  write_image(path("a.png"), Image(1, 1));
  fs::permissions(path("a.png"), fs::perms::owner_read);
  expect_not_writable(path("a.png"), "Permission denied");
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  expect_not_writable(path("b.png"), "Permission denied");
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(file_count(), 1);
}

TEST_F(Write, AnImpossibleImageIsRefused) {
  Image torn(2, 2);
  torn.pixels.pop_back();
  for (const char* name : {"a.png", "a.pgm", "a.pfm"}) {
    EXPECT_NE(error_of([&] { write_image(path(name), Image()); }), "");
    EXPECT_NE(error_of([&] { write_image(path(name), torn); }), "");
  }
  EXPECT_NE(error_of([&] { write_rgba_image(path("a.png"), RgbaImage{2, 2, {1, 2, 3}}); }), "");
  const std::string message = error_of([&] { write_image(path("a.png"), Image(1000001, 1)); });
  EXPECT_NE(message.find("limited to 1000000 pixels"), std::string::npos) << message;
  EXPECT_EQ(file_count(), 0);
}

/// While it exists, no file can grow beyond 10000 bytes: a disk that gets full.
class FullDisk {
 public:
  FullDisk() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{10000, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_before_);
  }

 private:
  void (*handler_before_)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before_{};
};

TEST_F(Write, AFullDiskLeavesTheOldFileAndNothingElse) {
  for (const char* name : {"a.png", "a.pgm", "a.ppm", "a.pfm"}) {
    SCOPED_TRACE(name);
    write_image(path(name), Image(1, 1));
    const FileBytes before = read_bytes(path(name));
    for (const int side : {101, 300}) {  // with a.pgm, the smaller one fails only when it is closed
      std::string message;
      {
        const FullDisk full_disk;
        message = error_of([&] { write_image(path(name), random_image(side, side)); });
      }
      EXPECT_EQ(message, "cannot write " + path(name) + ": File too large");
      EXPECT_EQ(read_bytes(path(name)), before);
    }
    fs::remove(path(name));
    EXPECT_EQ(file_count(), 0);
  }
  const FullDisk full_disk;
  EXPECT_NE(error_of([&] { write_rgba_image(path("a.png"), random_rgba_image(100, 100)); }), "");
  EXPECT_NE(error_of([&] { write_rgba_image(path("a.ppm"), random_rgba_image(100, 100)); }), "");
  EXPECT_EQ(file_count(), 0);
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
      ASSERT_EQ(padded.size(), static_cast<std::size_t>(padded.width * padded.height));
      for (int y = 0; y < padded.height; ++y) {
        for (int x = 0; x < padded.width; ++x) {
          const int source_x = std::clamp(x - (filter_width - 1) / 2, 0, width - 1);
          const int source_y = std::clamp(y - (filter_width - 1) / 2, 0, height - 1);
          ASSERT_EQ(padded.at(x, y), image.at(source_x, source_y)) << x << ", " << y;
        }
      }
    }
  }
}

TEST(RepeatBorder, AnEvenWidthHasItsLongerBorderRightAndBelow) {
  Image image(2, 1);
  image.pixels = {0.25F, 0.75F};
  EXPECT_EQ(
      repeat_border(image, 2).pixels,
      (std::vector<float>{0.25F, 0.75F, 0.75F, 0.25F, 0.75F, 0.75F}));
}

TEST(RepeatBorder, NonsenseIsRefused) {
  EXPECT_THROW(repeat_border(Image(2, 2), 0), Error);
  EXPECT_THROW(repeat_border(Image(2, 2), -3), Error);
  EXPECT_THROW(repeat_border(Image(), 3), Error);
  EXPECT_THROW(repeat_border(Image(2, 2), 1 << 20), Error);
  EXPECT_THROW(repeat_border(Image(2, 2), std::numeric_limits<int>::max()), Error);
}

// --- Damaged files -------------------------------------------------------------------------------

/// Makes a damaged copy; the sequence of random numbers decides how.
FileBytes damage(FileBytes bytes, std::mt19937& random) {
  const FileBytes likely = "\0\1\x7f\x80\xff"s + "09 #\n";
  const auto below = [&random](std::size_t limit) {
    return limit == 0 ? 0 : static_cast<std::size_t>(random()) % limit;
  };
  for (std::size_t count = 1 + below(4); count > 0; --count) {
    // Headers are short, and worth as much damage as all the rest.
    const std::size_t reach =
        below(2) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 48);
    const std::size_t at = below(reach);
    switch (below(5)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:  // something else, longer or shorter
        bytes.replace(at, below(9), below(9), likely[below(likely.size())]);
        break;
      case 2:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(16)));
        break;
      case 3:
        bytes.replace(at, 1, 1, static_cast<char>(random()));
        break;
      default:
        if (!bytes.empty()) {
          bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
        }
    }
  }
  return bytes;
}

/// Makes the checksums of a damaged PNG right again, so that the damage gets past them.
FileBytes with_right_checksums(const FileBytes& bytes) {
  FileBytes mended = bytes.substr(0, png_signature.size());
  while (mended.size() + 12 <= bytes.size()) {
    const FileBytes rest = bytes.substr(mended.size());
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      length = length << 8 | static_cast<unsigned char>(rest[i]);
    }
    if (length > rest.size() - 12) {
      break;
    }
    mended += chunk(rest.substr(4, 4), rest.substr(8, length));
  }
  return mended + bytes.substr(mended.size());
}

class DamagedFiles : public ImageFiles {
 protected:
  /// Reads many damaged copies. Each must end in an `Error` or in an image that is well formed.
  void read_damaged(const FileBytes& good, int copies, bool mend_checksums = false) {
    ASSERT_EQ(error_of([&] { read(good); }), "");
    std::mt19937 random(static_cast<std::uint32_t>(good.size()));
    testing::internal::CaptureStderr();  // the libraries must not print either
    int refused = 0;
    for (int i = 0; i < copies && !HasFailure(); ++i) {
      FileBytes bad = damage(good, random);
      if (mend_checksums && i % 4 != 0) {
        bad = with_right_checksums(std::move(bad));
      }
      const std::string name = file(bad);
      try {
        const Image image = read_image(name);
        EXPECT_GE(image.width, 1);
        EXPECT_GE(image.height, 1);
        EXPECT_EQ(
            image.size(),
            static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
        EXPECT_TRUE(std::all_of(image.pixels.begin(), image.pixels.end(), [](float pixel) {
          return pixel >= 0.0F && pixel <= 1.0F;
        }));
        const RgbaImage color = read_rgba_image(name);
        EXPECT_EQ(color.width, image.width);
        EXPECT_EQ(color.height, image.height);
        EXPECT_EQ(color.pixels.size(), image.size());
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(std::strchr(error.what(), '\n'), nullptr) << error.what();
      } catch (const std::exception& other) {
        ADD_FAILURE() << "copy " << i << ": " << other.what();
      }
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_GT(refused, copies / 4);  // else the damage is too gentle to test anything
  }
};

TEST_F(DamagedFiles, Pnm) {
  read_damaged("P5 # comment\n3 2\n9\n\0\1\2\3\4\x09"s, 1500);
  read_damaged("P5 3 2 255\nabcdef", 1500);
  read_damaged("P6 # comment\n2 2\n1000\n\1\1\2\2\3\3\1\1\2\2\3\3\1\1\2\2\3\3\1\1\2\2\3\3", 1500);
}

TEST_F(DamagedFiles, Png) {
  const FileBytes transparent = chunk("tRNS", "\x11\x22");
  read_damaged(make_png({0, 1, false}, 9, 5), 800, true);
  read_damaged(make_png({3, 4, true}, 9, 5, transparent), 800, true);
  read_damaged(make_png({2, 16, true}, 5, 9), 800, true);
  read_damaged(make_png({6, 8, false}, 6, 6), 800, true);
  write_image(path("compressed.png"), random_image(31, 17));
  read_damaged(read_bytes(path("compressed.png")), 800, true);
}

TEST_F(DamagedFiles, Jpeg) {
  for (const char* name : jpegs) {
    read_damaged(photo(name), 1200);
  }
}

}  // namespace
}  // namespace tutorial
