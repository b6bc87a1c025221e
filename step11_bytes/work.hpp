// One image of bytes and one filter in fixed point on a device.
#pragma once

#include "common/lab/work.hpp"
#include "step11_bytes/taps.hpp"

namespace tutorial {

/// A `Work` whose pixels are whole numbers of 255ths and whose taps are those of a `FixedFilter`,
/// so kernels for floats can do it, too; and the same in bytes.
class ByteWork : public Work {
 public:
  /// Rounds the pixels and the taps. Throws `CannotRun` if the filter has no fixed point.
  ByteWork(
      const cl::CommandQueue& queue, const Image& image, const Filter& filter, const Extent& room);

  const FixedFilter fixed;
  const ByteImage padded_bytes;  ///< what the input's buffer holds, as `padded`
  const ByteImage exact;         ///< the right output
  const cl::Buffer input_bytes;
  GuardedBuffer output_bytes;

  /// A buffer with what kernels get as their taps: pairs, or matrices.
  template <typename Word>
  cl::Buffer upload(const std::vector<Word>& words) const {
    return upload_words(words.data(), words.size());
  }

  Verdict verify(const Launch& launch) override;
  Verdict judge(const Image& output, int tile, bool truncates) const override;
  /// Compares the output with `exact`; for the rest see `check_bytes`.
  Verdict verdict(const ByteImage& output, bool floats, int tile, bool truncates) const;

 private:
  cl::Buffer upload_words(const void* words, std::size_t count) const;
};

/// The image whose pixels are rounded to whole numbers of 255ths.
Image rounded(const Image& image);

/// Throws `CannotRun` unless this is a GPU of NVIDIA's from compute capability `since` on, e.g. 8:
/// for kernels in which an instruction stands that OpenCL C has no name for.
void require_nvidia(const cl::Device& device, int since);

}  // namespace tutorial
