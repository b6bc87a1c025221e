// A band of an image on its way: from the file to a device, through a kernel, and back to a file.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "common/work.hpp"
#include "scale/files.hpp"

namespace tutorial::scale {

/// Rows of the output, beginning with `first`. They need the filter's width - 1 rows more of the
/// input: the halo.
struct Band {
  std::int64_t first = 0;
  std::int64_t rows = 0;
};

/// Hands out bands of `rows` rows, from row `first` to `last` - 1, to whoever asks next.
class Bands {
 public:
  Bands(std::int64_t first, std::int64_t last, std::int64_t rows)
      : first(first), last(last), rows(rows), next_(first) {}
  std::optional<Band> next() {
    const std::int64_t row = next_.fetch_add(rows);
    return row < last ? Band{row, std::min(rows, last - row)} : std::optional<Band>();
  }
  std::int64_t left() const { return std::max<std::int64_t>((last - next_ + rows - 1) / rows, 0); }
  void stop() { next_ = last; }

  const std::int64_t first, last, rows;

 private:
  std::atomic<std::int64_t> next_;
};

/// Room for a band in the host's memory and in a device's, a queue, and a kernel that is ready: no
/// lane waits for another one. Its stages are called in their order; each waits until it is done.
class Lane {
 public:
  /// For bands of up to `rows` rows. Throws `CannotRun` if this kernel does not run there.
  Lane(
      const cl::Device& device, const cl::Context& context, const Filter& filter,
      const KernelEntry& entry, const ImageFile& input, const ImageFile& output, int rows);

  void read(const Band& band);
  void copy_in(const Band& band);
  void compute(const Band& band);
  void copy_out(const Band& band);
  void write(const Band& band);

  /// The columns and rows that this kernel's blocks or tiles read beyond a band's input.
  static Extent room(const KernelEntry& entry);

  const Work& work() const { return *work_; }
  const Launch& launch() const { return launch_; }

  std::array<double, 5> seconds = {};  ///< in each of the stages so far
  int bands = 0;                       ///< so far

 private:
  const ImageFile& input_;
  const ImageFile& output_;
  bool shared_;  ///< the device works in the host's memory: nothing is copied
  std::unique_ptr<Work> work_;
  Launch launch_;
  cl::Buffer pinned_;  ///< the host's input and output, unless they are shared
  char *in_ = nullptr, *out_ = nullptr;
};

struct Stage {
  const char* name;
  void (Lane::*run)(const Band&);
};
inline constexpr Stage stages[] = {
    {"read", &Lane::read},
    {"copy-in", &Lane::copy_in},
    {"kernel", &Lane::compute},
    {"copy-out", &Lane::copy_out},
    {"write", &Lane::write}};

/// All stages of a band, timed.
void carry(Lane& lane, const Band& band);

/// Every lane takes a band whenever it has none, in a thread of its own, until there are no more.
/// Throws what a stage throws.
void stream(const std::vector<Lane*>& lanes, Bands& bands);

/// Rows of the input with the border repeated around them, as a band that begins at row `first` of
/// the output needs them: `rows` of them, `pitch` bytes apart.
void read_padded(
    const ImageFile& input, int filter_width, std::int64_t first, std::int64_t rows, char* to,
    std::int64_t pitch);

}  // namespace tutorial::scale
