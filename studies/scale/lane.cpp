#include "scale/lane.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>

#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"

namespace tutorial::scale {

void read_padded(
    const ImageFile& input, int filter_width, std::int64_t first, std::int64_t rows, char* to,
    std::int64_t pitch) {
  const Layout& layout = input.layout();
  const int bytes = layout.pixel_bytes;
  const int left = (filter_width - 1) / 2;
  const int right = filter_width / 2;
  // The rows of the image among them; those above and below repeat the image's first and last.
  const std::int64_t top = std::max<std::int64_t>(left - first, 0);
  const std::int64_t bottom = std::min(rows, layout.height - first + left);
  input.read(first - left + top, bottom - top, to + top * pitch + left * bytes, pitch);
  for (std::int64_t row = top; row < bottom; row++) {
    char* const begin = to + row * pitch + left * bytes;
    char* const end = begin + layout.row_bytes();
    for (int i = 1; i <= left; i++) {
      std::memcpy(begin - i * bytes, begin, bytes);
    }
    for (int i = 0; i < right; i++) {
      std::memcpy(end + i * bytes, end - bytes, bytes);
    }
  }
  for (std::int64_t row = 0; row < rows; row++) {
    if (row < top || row >= bottom) {
      std::memcpy(to + row * pitch, to + std::clamp(row, top, bottom - 1) * pitch, pitch);
    }
  }
}

Extent Lane::room(const KernelEntry& entry) {
  return entry.fixed ? step11::byte_room : block_room;
}

Lane::Lane(
    const cl::Device& device, const cl::Context& context, const Filter& filter,
    const KernelEntry& entry, const ImageFile& input, const ImageFile& output, int rows)
    : input_(input), output_(output), shared_(device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>()) {
  const cl::CommandQueue queue(context, device);
  const Extent size = {int(input.layout().width), rows};
  if (input.layout().pixel_bytes == 1) {
    work_ = std::make_unique<ByteWork>(queue, size, filter, room(entry));
  } else {
    work_ = std::make_unique<Work>(queue, size, filter, room(entry));
  }
  launch_ = work_->launch(entry);
  if (!shared_) {
    const auto in = work_->input.getInfo<CL_MEM_SIZE>();
    const auto out = work_->output.buffer().getInfo<CL_MEM_SIZE>();
    pinned_ = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, in + out);
    in_ = static_cast<char*>(
        queue.enqueueMapBuffer(pinned_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, in + out));
    out_ = in_ + in;
  }
}

void Lane::read(const Band& band) {
  const cl::Buffer& buffer = work_->input;
  if (shared_) {
    in_ = static_cast<char*>(work_->queue.enqueueMapBuffer(
        buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, buffer.getInfo<CL_MEM_SIZE>()));
  }
  const int halo = work_->filter.width - 1;
  const std::int64_t pitch = std::int64_t(work_->padded.width) * input_.layout().pixel_bytes;
  read_padded(input_, work_->filter.width, band.first, band.rows + halo, in_, pitch);
}

void Lane::copy_in(const Band&) {
  const cl::Buffer& buffer = work_->input;
  if (shared_) {
    work_->queue.enqueueUnmapMemObject(buffer, in_);
  } else {
    work_->queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, buffer.getInfo<CL_MEM_SIZE>(), in_);
  }
  work_->queue.finish();
}

void Lane::compute(const Band&) {
  launch_(work_->queue);
  work_->queue.finish();
}

void Lane::copy_out(const Band& band) {
  const cl::Buffer& buffer = work_->output.buffer();
  const std::size_t bytes = band.rows * output_.layout().row_bytes();
  if (shared_) {
    out_ =
        static_cast<char*>(work_->queue.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ, 0, bytes));
  } else {
    work_->queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, out_);
  }
}

void Lane::write(const Band& band) {
  output_.write(band.first, band.rows, out_);
  if (shared_) {
    work_->queue.enqueueUnmapMemObject(work_->output.buffer(), out_);
    work_->queue.finish();
  }
}

void carry(Lane& lane, const Band& band) {
  for (std::size_t i = 0; i < std::size(stages); i++) {
    const auto start = std::chrono::steady_clock::now();
    (lane.*stages[i].run)(band);
    lane.seconds[i] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  lane.bands++;
}

void stream(const std::vector<Lane*>& lanes, Bands& bands) {
  std::vector<std::future<void>> threads;
  for (Lane* lane : lanes) {
    threads.push_back(std::async(std::launch::async, [&bands, lane] {
      try {
        while (const auto band = bands.next()) {
          carry(*lane, *band);
        }
      } catch (...) {
        bands.stop();  // for the others, too
        throw;
      }
    }));
  }
  for (std::future<void>& thread : threads) {
    thread.get();
  }
}

}  // namespace tutorial::scale
