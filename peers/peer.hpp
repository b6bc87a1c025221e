// Libraries that convolve too. Each has a file of its own, which is compiled where the library is
// found; the programs that compare them know only this.
#pragma once

#include <map>

#include "common/filters.hpp"
#include "common/image.hpp"
#include "common/lab/timing.hpp"

namespace tutorial {

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
struct Peer {
  std::string version;
  /// Takes over the data: uploads, allocates, chooses; none of this is timed. `padded` is the
  /// result of `repeat_border` for this image and filter; a library uses that or `image`, whichever
  /// is its natural way to treat the border. All three stay as they are as long as a way is in use.
  /// Gives the ways that are worth a try, in the order of preference: the first whose result is
  /// right is the one to be timed. What it throws, `Error` or the library's own, says why there is
  /// none.
  std::function<std::vector<Way>(const Image& image, const Image& padded, const Filter&)> ways;
};

/// A library as the programs know it.
struct Library {
  std::string name;  ///< in tables, CSVs and charts; without blanks
  /// Where it computes: on the host's cores, which says nothing of a GPU; or on the device by CUDA,
  /// whose own timer counts.
  enum class Place { host, cuda } place;
  /// Throws `Error`, or the library's own, if it cannot use the device. With `bytes` the images,
  /// whose pixels are whole numbers of 255ths, are converted to bytes, and the result comes from
  /// bytes.
  Peer (*open)(const cl::Context&, const cl::Device&, bool bytes);
};

/// Those that were found when this was built: each file adds its own before the program starts.
inline std::map<std::string, Library>& libraries() {
  static std::map<std::string, Library> by_name;
  return by_name;
}
inline bool add_library(const Library& library) {
  return libraries().try_emplace(library.name, library).second;
}

/// Work of a library, by the host's clock.
inline Variant by_host_clock(
    const std::string& name, const std::function<double()>& run_ms, double max_error = 0.0) {
  const auto run = [run_ms] {
    run_ms();
    return cl::Event();
  };
  return {name, cl::NullRange, max_error, run, nullptr, nullptr, "library"};
}

/// Measures them, by the host's clock, and puts the fastest first.
inline std::vector<Way> fastest_first(const std::vector<Way>& ways) {
  std::multimap<double, Way> by_time;
  for (const Way& way : ways) {
    const Variant variant = by_host_clock("", way.run_ms);
    by_time.emplace(summarize(measure({variant}, 0.0, 5).front().rounds).median, way);
  }
  std::vector<Way> sorted;
  for (const auto& [ms, way] : by_time) {
    sorted.push_back(way);
  }
  return sorted;
}

/// The same kernel, timed by the host's clock, whatever its event says.
inline Variant by_host_clock(Variant variant) {
  variant.launch = [launch = variant.launch] {
    launch().wait();
    return cl::Event();
  };
  return variant;
}

}  // namespace tutorial
