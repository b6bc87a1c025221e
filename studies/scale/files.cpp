#define _FILE_OFFSET_BITS 64
#include "scale/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <vector>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial::scale {
namespace {

[[noreturn]] void fail(const char* what, const std::string& path, const std::string& why) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, why));
}

// Throws unless the end of the name says what the file holds.
void require_kind(const char* what, const std::string& path) {
  if (!path.ends_with(".pgm") && !path.ends_with(".pfm") && !path.ends_with(".raw")) {
    fail(what, path, "its name ends neither in .pgm nor in .pfm nor in .raw");
  }
}

// The layout that the header of a PGM or a PFM tells: kind, width, height, greatest level or scale,
// with comments between them.
Layout read_header(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const int letter = file.get(), kind = file.get();
  if (letter != 'P' || (kind != '5' && kind != 'f')) {
    fail("read", path, "it is no PGM of bytes (P5), and no PFM of one channel (Pf)");
  }
  std::int64_t width = 0, height = 0;
  double last = 0.0;
  const auto get = [&file](auto& value) {
    while ((file >> std::ws).peek() == '#') {
      file.ignore(INT_MAX, '\n');
    }
    return file >> value && std::isspace(file.get());  // one white space ends the header
  };
  if (!(get(width) && get(height) && get(last)) || std::min(width, height) < 1 ||
      std::max(width, height) > INT_MAX) {
    fail("read", path, "its header lacks a width or a height in whole numbers, or what follows");
  }
  const bool pfm = kind == 'f';
  if (pfm ? last >= 0 : last != 255) {
    fail("read", path, pfm ? "its floats have the high byte first" : "its levels are not 0..255");
  }
  return {width, height, pfm ? 4 : 1, file.tellg(), pfm};
}

// Moves rows between memory, where they are `pitch` bytes apart, and the file, as many at once as
// the system allows: `move` is preadv or pwritev. Returns what is wrong, if anything.
const char* transfer(
    decltype(preadv) move, std::FILE* file, const Layout& layout, std::int64_t first,
    std::int64_t count, char* rows, std::int64_t pitch) {
  static_assert(sizeof(off_t) == 8);
  const std::int64_t bytes = layout.row_bytes();
  const std::int64_t before = layout.bottom_up ? layout.height - first - count : first;
  for (std::int64_t done = 0; done < count;) {
    std::vector<iovec> parts;
    for (std::int64_t i = done; i < std::min<std::int64_t>(count, done + IOV_MAX); i++) {
      parts.push_back({rows + (layout.bottom_up ? count - 1 - i : i) * pitch, std::size_t(bytes)});
    }
    const auto offset = layout.header + (before + done) * bytes;
    const auto moved = move(fileno(file), parts.data(), int(parts.size()), offset);
    if (moved < bytes) {
      return moved < 0 ? std::strerror(errno) : "it is cut off";
    }
    done += moved / bytes;
  }
  return nullptr;
}

// Bent rings around the first pixel: no two rows or columns of 65536 are equal.
void compute_rings(
    const Layout& layout, std::int64_t first, std::int64_t count, char* rows, std::int64_t pitch) {
  for (std::int64_t row = 0; row < count; row++) {
    const auto y = std::uint32_t(first + row);
    for (std::uint32_t x = 0; x < std::uint32_t(layout.width); x++) {
      const auto level = std::uint8_t((x * x + x * y + 3 * y * y) >> 9);
      if (layout.pixel_bytes == 1) {
        rows[row * pitch + x] = char(level);
      } else {
        reinterpret_cast<float*>(rows + row * pitch)[x] = float(level) / 255.0F;
      }
    }
  }
}

}  // namespace

ImageFile::ImageFile(const std::string& path, const Layout& raw) : layout_(raw), path_(path) {
  if (path.empty()) {
    return;
  }
  require_kind("read", path);
  file_.reset(std::fopen(path.c_str(), "rb"));
  if (!file_ || fseeko(file_.get(), 0, SEEK_END) != 0) {
    fail("read", path, std::strerror(errno));
  }
  if (!path.ends_with(".raw")) {  // that has no header, however its pixels begin
    layout_ = read_header(path);
  }
  if ((ftello(file_.get()) - layout_.header) / layout_.row_bytes() < layout_.height) {
    fail("read", path, fmt::format("it is shorter than {} x {}", layout_.width, layout_.height));
  }
}

ImageFile::ImageFile(const std::string& path, const Layout& like, bool creator)
    : layout_(like), path_(path) {
  const bool pgm = path.ends_with(".pgm"), pfm = path.ends_with(".pfm");
  if ((pgm && like.pixel_bytes != 1) || (pfm && like.pixel_bytes != 4)) {
    fail("write", path, pgm ? "a PGM has no floats" : "a PFM has floats only");
  }
  const std::string size = fmt::format("{} {}\n", like.width, like.height);
  const std::string header = pgm ? "P5\n" + size + "255\n" : pfm ? "Pf\n" + size + "-1.0\n" : "";
  layout_.header = std::int64_t(header.size());
  layout_.bottom_up = pfm;
  if (creator && !path.empty()) {
    require_kind("write", path);
    require_writable(path);
    part_ = path + ".part";
  }
  file_.reset(
      path.empty() ? std::tmpfile()
                   : std::fopen((path + ".part").c_str(), creator ? "w+b" : "r+b"));
  int wrong = file_ ? 0 : errno;
  if (wrong == 0 && (creator || path.empty())) {  // a full disk is found before the first band
    std::fputs(header.c_str(), file_.get());
    std::fflush(file_.get());
    wrong = posix_fallocate(
        fileno(file_.get()), 0, layout_.header + layout_.height * layout_.row_bytes());
  }
  if (wrong != 0) {
    std::remove(part_.c_str());
    fail("write", path, std::strerror(wrong));
  }
}

ImageFile::~ImageFile() {
  if (!part_.empty()) {
    std::remove(part_.c_str());
  }
}

void ImageFile::read(std::int64_t first, std::int64_t count, char* rows, std::int64_t pitch) const {
  if (!file_) {
    compute_rings(layout_, first, count, rows, pitch);
  } else if (
      const char* wrong = transfer(preadv, file_.get(), layout_, first, count, rows, pitch)) {
    fail("read", path_, wrong);
  }
}

void ImageFile::write(std::int64_t first, std::int64_t count, char* rows) const {
  const std::int64_t pitch = layout_.row_bytes();
  if (const char* wrong = transfer(pwritev, file_.get(), layout_, first, count, rows, pitch)) {
    fail("write", path_, wrong);
  }
}

void ImageFile::read_padded(
    int filter_width, std::int64_t first, std::int64_t count, char* rows,
    std::int64_t pitch) const {
  const int bytes = layout_.pixel_bytes;
  const int before = (filter_width - 1) / 2, behind = filter_width / 2;
  const std::int64_t all = count + filter_width - 1;
  // The rows of the image among them; those above and below repeat the image's first and last.
  const std::int64_t top = std::max<std::int64_t>(before - first, 0);
  const std::int64_t bottom = std::min(all, layout_.height - first + before);
  read(first - before + top, bottom - top, rows + top * pitch + before * bytes, pitch);
  for (std::int64_t row = top; row < bottom; row++) {
    char* const begin = rows + row * pitch + before * bytes;
    char* const end = begin + layout_.row_bytes();
    for (int i = 1; i <= before; i++) {
      std::memcpy(begin - i * bytes, begin, bytes);
    }
    for (int i = 0; i < behind; i++) {
      std::memcpy(end + i * bytes, end - bytes, bytes);
    }
    std::fill(end + behind * bytes, rows + (row + 1) * pitch, 0);
  }
  for (std::int64_t row = 0; row < all; row++) {
    if (row < top || row >= bottom) {
      std::memcpy(rows + row * pitch, rows + std::clamp(row, top, bottom - 1) * pitch, pitch);
    }
  }
}

void ImageFile::store() {
  if (path_.empty() && !file_) {
    ImageFile stored("", layout_, true);
    std::vector<char> row(layout_.row_bytes());
    for (std::int64_t y = 0; y < layout_.height; y++) {
      read(y, 1, row.data(), 0);
      stored.write(y, 1, row.data());
    }
    file_ = std::move(stored.file_);
  }
}

void ImageFile::publish() {
  if (!part_.empty() && std::rename(part_.c_str(), path_.c_str()) != 0) {
    fail("write", path_, std::strerror(errno));
  }
  part_.clear();
}

}  // namespace tutorial::scale
