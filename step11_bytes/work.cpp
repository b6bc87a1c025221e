#include "step11_bytes/work.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/device.hpp"

namespace tutorial {
namespace {

/// Words of four bytes that `bytes` take.
std::size_t words(std::size_t bytes) {
  return (bytes + 3) / 4;
}

}  // namespace

Image rounded(const Image& image) {
  Image result = image;
  std::ranges::transform(to_bytes(image).pixels, result.pixels.begin(), [](std::uint8_t pixel) {
    return float(pixel) / 255.0F;
  });
  return result;
}

ByteWork::ByteWork(
    const cl::CommandQueue& queue, const Image& image, const Filter& filter, const Extent& room)
    : Work(queue, rounded(image), to_floats(to_fixed_point(filter)), room),
      fixed(to_fixed_point(filter)),
      padded_bytes(to_bytes(padded)),
      exact(convolve_exactly(padded_bytes, fixed, width, height)),
      input_bytes(upload_words(padded_bytes.pixels.data(), padded_bytes.pixels.size() / 4)),
      output_bytes(context, device, words(exact.pixels.size())) {
  output_bytes.watch(queue, {input_bytes});
}

cl::Buffer ByteWork::upload_words(const void* words, std::size_t count) const {
  cl::Buffer buffer(context, CL_MEM_READ_ONLY, 4 * count);
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, 4 * count, words);
  return buffer;
}

Verdict ByteWork::verify(const Launch& launch) {
  if (launch.pixels == Launch::Pixels::floats) {
    return Work::verify(launch);
  }
  output_bytes.poison(queue);
  launch(queue);
  ByteImage output(width, height);
  queue.enqueueReadBuffer(
      output_bytes.buffer(), CL_TRUE, 0, output.pixels.size(), output.pixels.data());
  const bool floats = launch.pixels == Launch::Pixels::bytes_by_floats;
  Verdict found = verdict(output, floats, launch.tile, false);
  found.damage = output_bytes.damage(queue);
  found.passed = found.passed && found.damage.empty();
  std::ranges::transform(output.pixels, result_.pixels.begin(), [](std::uint8_t pixel) {
    return float(pixel) / 255.0F;
  });
  return found;
}

Verdict ByteWork::judge(const Image& output, int tile, bool truncates) const {
  return verdict(to_bytes(output), true, tile, truncates);
}

Verdict ByteWork::verdict(const ByteImage& output, bool floats, int tile, bool truncates) const {
  const ByteVerdict found =
      check_bytes(padded_bytes, fixed, exact, output, floats, tile, truncates);
  Verdict verdict;
  verdict.max_error = found.rounded > 0 ? 1.0 / 255 : 0.0;
  verdict.bad_count = found.wrong;
  verdict.rounded = found.rounded;
  if (found.wrong > 0) {
    verdict.bad_x = found.bad_x;
    verdict.bad_y = found.bad_y;
    verdict.expected = exact.pixels[exact.index(found.bad_x, found.bad_y)];
    verdict.got = output.pixels[exact.index(found.bad_x, found.bad_y)];
  }
  verdict.passed = verdict.bad_count == 0;
  return verdict;
}

void require_nvidia(const cl::Device& device, int since) {
  if (compute_capability(device) < since) {
    throw CannotRun(fmt::format("needs NVIDIA's compute capability {}", since));
  }
}

}  // namespace tutorial
