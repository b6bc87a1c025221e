#define _FILE_OFFSET_BITS 64
#include "scale/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>
#include <vector>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial::scale {
namespace {

[[noreturn]] void fail(const char* what, const std::string& path, const std::string& why) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, why));
}

// The layout that a header of PGM or PFM tells: kind, width, height, greatest level or scale, with
// comments between them in a PGM. Of a file that begins in another way nothing is known.
Layout parse(const std::string& path, const std::string& start, const Layout& raw) {
  const bool floats = start.starts_with("Pf");
  if (!floats && !start.starts_with("P5")) {
    return raw;
  }
  std::istringstream text(start.substr(2));
  double values[3] = {};
  for (double& value : values) {
    while ((text >> std::ws).peek() == '#') {
      text.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    text >> value;
  }
  const auto [width, height, last] = values;
  text.get();  // one white space ends the header
  if (!text || !(width >= 1 && width <= INT_MAX && height >= 1 && height <= INT_MAX)) {
    fail("read", path, "its header lacks a width or a height");
  }
  if (floats ? !(last < 0) : last != 255) {
    fail(
        "read", path, floats ? "its floats have the high byte first" : "its levels are not 0..255");
  }
  return {std::int64_t(width), std::int64_t(height), floats ? 4 : 1, 2 + text.tellg(), floats};
}

// Moves rows between memory, where they are `pitch` bytes apart, and the file, as many at once as
// the system allows: `move` is preadv or pwritev. These may stop halfway.
void transfer(
    decltype(preadv) move, int file, const Layout& layout, std::int64_t first, std::int64_t count,
    char* rows, std::int64_t pitch) {
  static_assert(sizeof(off_t) == 8);
  const std::int64_t before = layout.bottom_up ? layout.height - first - count : first;
  off_t offset = layout.header + before * layout.row_bytes();
  std::vector<iovec> parts;
  for (std::int64_t i = 0; i < count; i++) {
    const std::int64_t row = layout.bottom_up ? count - 1 - i : i;
    parts.push_back({rows + row * pitch, std::size_t(layout.row_bytes())});
  }
  for (iovec* part = parts.data(); part < parts.data() + parts.size();) {
    const auto left = std::min<std::ptrdiff_t>(IOV_MAX, parts.data() + parts.size() - part);
    auto moved = move(file, part, int(left), offset);
    if (moved == 0 || (moved < 0 && errno != EINTR)) {
      throw Error(moved == 0 ? "it is cut off" : std::strerror(errno));
    }
    offset += std::max<ssize_t>(moved, 0);
    for (; moved > 0; part += part->iov_len == 0) {
      const std::size_t of_this = std::min(part->iov_len, std::size_t(moved));
      *part = {static_cast<char*>(part->iov_base) + of_this, part->iov_len - of_this};
      moved -= ssize_t(of_this);
    }
  }
}

}  // namespace

ImageFile::ImageFile(const std::string& path, const Layout& raw) : layout_(raw), path_(path) {
  if (path.empty()) {
    return;
  }
  struct stat status {};
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0 || fstat(file_, &status) != 0) {
    fail("read", path, std::strerror(errno));
  }
  std::string start(65536, '\0');
  start.resize(std::max<ssize_t>(pread(file_, start.data(), start.size(), 0), 0));
  layout_ = parse(path, start, raw);
  if ((status.st_size - layout_.header) / layout_.row_bytes() < layout_.height) {
    fail(
        "read", path,
        fmt::format("it is shorter than {} x {} pixels", layout_.width, layout_.height));
  }
}

ImageFile::ImageFile(const std::string& path, const Layout& like, bool creator)
    : layout_(like), path_(path), part_(path + ".part"), creator_(creator) {
  const bool pgm = path.ends_with(".pgm"), pfm = path.ends_with(".pfm");
  if ((pgm && like.pixel_bytes != 1) || (pfm && like.pixel_bytes != 4)) {
    fail("write", path, pgm ? "a PGM has no floats" : "a PFM has floats only");
  }
  const std::string size = fmt::format("{} {}\n", like.width, like.height);
  const std::string header = pgm ? "P5\n" + size + "255\n" : pfm ? "Pf\n" + size + "-1.0\n" : "";
  layout_.header = std::int64_t(header.size());
  layout_.bottom_up = pfm;
  if (path.empty()) {
    part_ = (std::filesystem::temp_directory_path() / "scale-XXXXXX").string();
    file_ = mkstemp(part_.data());
    unlink(part_.c_str());
  } else {
    require_writable(path);
    file_ = open(part_.c_str(), O_RDWR | O_CLOEXEC | (creator ? O_CREAT | O_TRUNC : 0), 0666);
  }
  const off_t bytes = layout_.header + layout_.height * layout_.row_bytes();
  if (file_ < 0 ||
      (creator && (ftruncate(file_, bytes) != 0 ||
                   pwrite(file_, header.data(), header.size(), 0) != layout_.header))) {
    const std::string why = std::strerror(errno);
    if (file_ >= 0) {
      unlink(part_.c_str());
    }
    fail("write", path, why);
  }
}

ImageFile::ImageFile(const ImageFile& other) : ImageFile("", other.layout(), true) {
  std::vector<char> row(layout_.row_bytes());
  for (std::int64_t y = 0; y < layout_.height; y++) {
    other.read(y, 1, row.data(), 0);
    write(y, 1, row.data());
  }
}

ImageFile::~ImageFile() {
  if (file_ >= 0) {
    close(file_);
  }
  if (creator_) {
    unlink(part_.c_str());
  }
}

void ImageFile::read(std::int64_t first, std::int64_t count, char* rows, std::int64_t pitch) const {
  if (file_ >= 0) {
    try {
      transfer(preadv, file_, layout_, first, count, rows, pitch);
    } catch (const Error& error) {
      fail("read", path_, error.what());
    }
    return;
  }
  // Bent rings around the first pixel: no two rows or columns of 65536 are equal.
  for (std::int64_t row = 0; row < count; row++) {
    const auto y = std::uint32_t(first + row);
    for (std::uint32_t x = 0; x < std::uint32_t(layout_.width); x++) {
      const auto level = std::uint8_t((x * x + x * y + 3 * y * y) >> 9);
      if (layout_.pixel_bytes == 1) {
        rows[row * pitch + x] = char(level);
      } else {
        reinterpret_cast<float*>(rows + row * pitch)[x] = float(level) / 255.0F;
      }
    }
  }
}

void ImageFile::write(std::int64_t first, std::int64_t count, char* rows) const {
  try {
    transfer(pwritev, file_, layout_, first, count, rows, layout_.row_bytes());
  } catch (const Error& error) {
    fail("write", path_, error.what());
  }
}

void ImageFile::publish() {
  if (creator_ && !path_.empty() && std::rename(part_.c_str(), path_.c_str()) != 0) {
    fail("write", path_, std::strerror(errno));
  }
  creator_ = false;
}

}  // namespace tutorial::scale
