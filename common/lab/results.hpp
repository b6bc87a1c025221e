// What a program prints while it runs, and the CSV that the charts are drawn from.
#pragma once

#include "common/error.hpp"
#include "common/lab/timing.hpp"
#include "common/options.hpp"

// The repository: CMake knows it. Otherwise the program runs in a step's folder.
#ifndef SOURCE_FOLDER
#define SOURCE_FOLDER ".."
#endif

namespace tutorial {

/// No result was verified, because no kernel that was asked for runs here.
struct NothingRan : Error {
  NothingRan() : Error("no kernel that was asked for runs here, so nothing was verified") {}
};

/// The commit that the repository in this folder is at now, whoever owns it; or "unknown".
std::string commit_of(const std::string& folder);

/// Collects verdicts and times of a program's run.
///
/// --csv gets the rounds (`Measured`), when the program is at its end: what is there was measured
/// whole. Its head says what device, image and program they are of, and the medians of the ceilings
/// (`Ceilings::head`).
class Results {
 public:
  /// Throws `Error` if --csv or --output cannot be written to.
  Results(const Options& options, const cl::Device& device, const Image& image);

  /// Records the verdict of a kernel; says on stderr what is wrong, if anything is. Returns whether
  /// it passed: a kernel that did not is not to be timed.
  bool verify(const std::string& label, int filter_width, const Verdict& verdict);

  /// The same of what `verify` finds when it runs the kernel, which is named as what runs from now
  /// on (`now_running`), on a terminal too. Returns the verdict, or nothing if the kernel is wrong.
  std::optional<Verdict> verify(
      const std::string& label, int filter_width, const std::function<Verdict()>& verify);

  /// Prints that a kernel does not run here and why: no failure.
  void skip(const std::string& label, int filter_width, const std::string& reason);

  /// Prints the table of what was measured at one filter width, a run of its own, with the ceilings
  /// of the same rounds; none: no x_floor. What was wrong after the timing has no row; stderr says
  /// so, as in `verify`. With --against, one line follows for each pair.
  void add(
      int filter_width, std::vector<Measurement> measured,
      const std::optional<Ceilings>& ceilings = {});

  /// Writes the rounds to --csv, and `last`, the result of the last kernel, to --output; prints the
  /// sum of the verdicts. Returns the exit status: 0, or 2 if a kernel was wrong. Throws
  /// `NothingRan`.
  int finish(const Image& last = {});

  /// Writes the rounds to --csv, if it was given.
  void write() const;

  /// Adds a line `# key: value` to the head of the rounds.
  void note(const std::string& key, const std::string& value) {
    measured_.head.emplace_back(key, value);
  }
  /// Adds rounds that no table shows: of a ceiling.
  void record(const Series& series) { measured_.series.push_back(series); }

 private:
  void fail(const std::string& label, int filter_width, const char* when, const Verdict& verdict);
  void compare_originals(int filter_width, bool is_busy) const;
  Rounds floor_rounds(int filter_width) const;

  Options options_;
  int image_width_;
  int image_height_;
  std::size_t pixels_;
  Measured measured_;
  std::optional<Ceilings> ceilings_;
  int run_ = 0;
  bool host_clock_ = false;
  std::size_t runs_ = 0;
  std::size_t left_out_ = 0;
  int passed_ = 0;
  int failed_ = 0;
};

}  // namespace tutorial
