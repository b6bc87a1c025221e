// A carrier takes a band of an image from the file to a device, through a kernel, to another file.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "common/work.hpp"
#include "scale/files.hpp"

namespace tutorial::scale {

/// Rows `first` .. `first + rows - 1` of the output. They need the filter's width - 1 rows more of
/// the input: the halo.
struct Band {
  std::int64_t first = 0;
  std::int64_t rows = 0;
};

/// Hands out the rows from `first` to `last` - 1 to whoever asks next.
class Bands {
 public:
  Bands(std::int64_t first_, std::int64_t last_) : first(first_), last(last_), next_(first_) {}
  std::optional<Band> next(std::int64_t rows) {
    const std::int64_t row = next_.fetch_add(rows);
    return row < last ? Band{row, std::min(rows, last - row)} : std::optional<Band>();
  }
  void stop() { next_ = last; }

  const std::int64_t first, last;

 private:
  std::atomic<std::int64_t> next_;
};

inline constexpr const char* stages[] = {"read", "copy-in", "kernel", "copy-out", "write"};
using Times = std::array<double, std::size(stages)>;  ///< in each of them, ms

inline double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Room for a band on a device, a queue, and a kernel that is ready: no carrier waits for another.
class Carrier {
 public:
  /// Throws `CannotRun` if this kernel does not run there.
  Carrier(
      std::unique_ptr<Work> room, const KernelEntry& entry, const ImageFile& input_,
      const ImageFile& output_)
      : work(std::move(room)), launch(work->launch(entry)), input(input_), output(output_) {
    map();
  }

  // The stages. Between copy-out and copy-in the host has the pixels.
  void read(const Band& band) {
    const Filter& filter = work->filter;
    const std::int64_t pitch = std::int64_t(work->padded.width) * input.layout().pixel_bytes;
    if (files) {
      input.read_padded(filter.width, band.first, band.rows, in_, pitch);
      // Kernels read the room below, too, and a transform spreads what it finds there.
      std::fill(in_ + (band.rows + filter.width - 1) * pitch, in_ + work->padded.height * pitch, 0);
    }
  }
  void copy_in(const Band&) {
    if (unified_) {
      work->queue.enqueueUnmapMemObject(host_in_, in_);
      work->queue.enqueueUnmapMemObject(host_out_, out_);
    } else {
      work->queue.enqueueWriteBuffer(work->input, CL_FALSE, 0, bytes_of(work->input), in_);
    }
    work->queue.finish();
  }
  void compute(const Band&) {
    launch(work->queue);
    work->queue.finish();
  }
  void copy_out(const Band&) {
    if (unified_) {
      map();
    } else {
      const cl::Buffer& from = work->output.buffer();
      work->queue.enqueueReadBuffer(from, CL_FALSE, 0, bytes_of(from), out_);
      work->queue.finish();
    }
  }
  void write(const Band& band) {
    if (files) {
      output.write(band.first, band.rows, out_);
    }
  }

  /// All of them, timed; each waits until it is done.
  void carry(const Band& band) {
    double* time = ms.data();
    for (const auto stage :
         {&Carrier::read, &Carrier::copy_in, &Carrier::compute, &Carrier::copy_out,
          &Carrier::write}) {
      const auto start = std::chrono::steady_clock::now();
      (this->*stage)(band);
      *time++ += ms_since(start);
    }
    bands++;
  }

  const std::unique_ptr<Work> work;
  const Launch launch;
  const ImageFile &input, &output;
  Times ms = {};      ///< so far
  int bands = 0;      ///< so far
  bool files = true;  ///< no: the device alone works, on what its buffers happen to hold

 private:
  static std::size_t bytes_of(const cl::Buffer& buffer) { return buffer.getInfo<CL_MEM_SIZE>(); }
  // What the host fills and reads. Where a device works in the host's memory, mapping its buffers
  // copies nothing. Where it has its own, we copy to and from pinned memory, which stays mapped.
  cl::Buffer host_side(const cl::Buffer& of) const {
    return unified_ ? of : cl::Buffer(work->context, CL_MEM_ALLOC_HOST_PTR, bytes_of(of));
  }
  void map() {
    const auto pixels = [this](const cl::Buffer& buffer, cl_map_flags how) {
      return static_cast<char*>(
          work->queue.enqueueMapBuffer(buffer, CL_TRUE, how, 0, bytes_of(buffer)));
    };
    in_ = pixels(host_in_, CL_MAP_WRITE_INVALIDATE_REGION);
    out_ = pixels(host_out_, CL_MAP_READ);
  }

  const bool unified_ = work->device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>();
  const cl::Buffer host_in_ = host_side(work->input), host_out_ = host_side(work->output.buffer());
  char *in_ = nullptr, *out_ = nullptr;
};

/// A device with its carriers.
struct Worker {
  std::string name;
  std::list<Carrier> carriers = {};
  Times alone = {};  ///< of a band, when nothing else runs
};

/// Each carrier, in a thread of its own, takes a band whenever it has none, until there are no
/// more. Throws what a stage throws.
inline void stream(const std::vector<Carrier*>& carriers, Bands& bands) {
  std::vector<std::future<void>> threads;
  for (Carrier* carrier : carriers) {
    threads.push_back(std::async(std::launch::async, [&bands, carrier] {
      try {
        while (const auto band = bands.next(carrier->work->height)) {
          carrier->carry(*band);
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
