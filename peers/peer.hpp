// Libraries that convolve too. Each has a file of its own, which is compiled where the library is
// found; the programs that compare them know only this.
#pragma once

#include <map>

#include "common/lab/timing.hpp"

namespace tutorial {

/// What is convolved: images of floats, or of bytes, with any filter; or images of floats with a
/// filter that is a column times a row.
enum class Task { floats, bytes, separable };

/// The same for all. For bytes the pixels are whole numbers of 255ths: a library converts them to
/// bytes, and its result comes from bytes.
struct Problem {
  Task task;
  const cl::Context& context;
  const cl::Device& device;
  const Image& image;
  const Image& padded;  ///< the result of `repeat_border` for this image and filter
  const Filter& filter;
};

/// A way in which a library convolves one image with one filter, with all that it works on.
struct Way {
  /// Convolves once and waits for the end. Returns milliseconds by the device's own timer; 0 if the
  /// library has none.
  std::function<double()> run_ms;
  /// What the last run computed, of the size of the image; NaN before the first.
  std::function<Image()> result;
  /// Its result comes from Fourier transforms of blocks of up to tile x tile pixels,
  /// which spread a bright pixel's rounding error: `check` is told. 0: no transform.
  int tile = 0;
  /// On bytes: it may give the level below the exact sum as well as the nearest one.
  bool truncates = false;
};

/// A library that convolves.
struct Library {
  std::string name;  ///< in tables, CSVs and charts; without blanks
  /// Where it computes: on the host's cores, which says nothing of a GPU; or on the device, whose
  /// own timer counts.
  enum class Place { host, device } place;
  std::string (*version)();
  /// Takes over the data: uploads, allocates, chooses; none of this is timed. A library uses the
  /// image or the padded one, whichever is its natural way to treat the border. Both stay as they
  /// are as long as a way is in use. Gives the ways that are worth a try: the fastest of those
  /// whose result is right counts. What it throws, `Error` or the library's own, says why there is
  /// none.
  std::vector<Way> (*ways)(const Problem&);
};

/// Those that were found when this was built: each file adds its own before the program starts.
inline std::map<std::string, Library>& libraries() {
  static std::map<std::string, Library> by_name;
  return by_name;
}
inline bool add_library(const Library& library) {
  return libraries().try_emplace(library.name, library).second;
}

/// Milliseconds by the device's timer of what `enqueue` hands to the queue, which takes times and
/// keeps the order: the second of two calls, from the end of the first. So it does not wait for the
/// host, unless the library itself does.
inline double queue_ms(const cl::CommandQueue& queue, const std::function<void()>& enqueue) {
  cl::Event first, second;
  enqueue();
  queue.enqueueMarkerWithWaitList(nullptr, &first);
  enqueue();
  queue.enqueueMarkerWithWaitList(nullptr, &second);
  second.wait();
  const auto end = [](const cl::Event& event) {
    return event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
  };
  return 1e-6 * static_cast<double>(end(second) - end(first));
}

}  // namespace tutorial
