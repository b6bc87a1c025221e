// Images that no memory holds: rows of pixels, by their place in a file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace tutorial::scale {

/// Where the pixels of an image are in its file: behind `header`, row by row without gaps.
struct Layout {
  std::int64_t width = 0;   ///< pixels, 1 to 2^31 - 1
  std::int64_t height = 0;  ///< the same
  int pixel_bytes = 1;      ///< 1: levels of 0..255; 4: floats, their low byte first
  std::int64_t header = 0;  ///< bytes
  bool bottom_up = false;   ///< the bottom row is the first one, as in a PFM

  std::int64_t row_bytes() const { return width * pixel_bytes; }
};

class ImageFile {
 public:
  /// Opens an image to read: a PGM of 8 bits, a PFM of one channel, or a file .raw as pixels alone,
  /// of `raw`'s size and kind. Without a path it is an image of rings, whose rows are computed when
  /// they are read. Throws `Error`, also for a file that is shorter than its header says.
  ImageFile(const std::string& path, const Layout& raw);

  /// Makes room in PATH.part for an image like that one; the name's end decides: .pgm, .pfm, or
  /// .raw for pixels alone. Only one rank is the `creator`, before the others. Without a path it is
  /// a temporary file without a name. Throws `Error`.
  ImageFile(const std::string& path, const Layout& like, bool creator);

  /// Removes what has not been published.
  ~ImageFile();

  const Layout& layout() const { return layout_; }

  /// Rows `first` .. `first + count - 1`, which begin `pitch` bytes apart in memory. Many threads
  /// may read and write at once. Throws `Error`.
  void read(std::int64_t first, std::int64_t count, char* rows, std::int64_t pitch) const;
  void write(std::int64_t first, std::int64_t count, char* rows) const;

  /// What `count` rows of the output need, from row `first` on: `count + filter_width - 1` rows of
  /// the input with its border repeated around it, `pitch` bytes apart, and zeros up to there.
  void read_padded(
      int filter_width, std::int64_t first, std::int64_t count, char* rows,
      std::int64_t pitch) const;

  /// Computes all rings now, into a temporary file; any other image stays as it is.
  void store();

  /// Gives the creator's complete file its name.
  void publish();

 private:
  Layout layout_;
  std::string path_, part_;  ///< part_: to be removed; empty: nothing
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};  ///< none: rings
};

}  // namespace tutorial::scale
