// What a host of Part I hands its kernels to: they are verified and timed there.
#pragma once

#include <map>

#include "common/lab/ceilings.hpp"
#include "common/program.hpp"

namespace tutorial {

/// Verifies the kernels of a program, times those that are right, and prints a table for each
/// filter width.
class Benchmark {
 public:
  Benchmark(const Options& options, const cl::CommandQueue& queue, const Image& image);

  /// Calls `build` for each file of options.kernels; gives the programs by file. If one does not
  /// build, throws `Error` with the file, the device, these `build_options` and the compiler's log.
  std::map<std::string, cl::Program> build(
      const std::function<cl::Program(const std::string& file)>& build,
      const std::string& build_options) const;

  /// A kernel that is ready: it has its arguments, and `launch` enqueues it in work-groups of
  /// `local`, with `local_bytes` of local memory as an argument. That the device does not allow
  /// these is said in its place (`why_not`).
  void add(
      const KernelEntry& entry, const cl::Kernel& kernel, const cl::NDRange& local,
      const std::function<cl::Event()>& launch, std::size_t local_bytes = 0);
  /// One that does not run here, and why.
  void skip(const KernelEntry& entry, const std::string& reason);

  /// Verifies what was added: each kernel runs once into an `output` full of NaN and other garbage,
  /// `read` reads that back, and every pixel is compared with a reference in double precision. Then
  /// it times the kernels that are right, in turns with each other, with the same loops in C++
  /// (`host_loops`) and with kernels that only compute or only copy, for the column "x floor". Each
  /// is verified once more, and the table printed. `input` is the image with its border.
  void run(
      const Filter& filter, const Image& input, const GuardedBuffer& output,
      const std::function<void(Image&)>& read);

  /// Writes --csv and --output, and says whether all were right. Returns the exit status.
  int finish() { return results_.finish(result_); }

 private:
  Options options_;
  cl::CommandQueue queue_;
  Image image_;
  Image result_;  ///< of the last kernel that was verified
  Results results_;
  CeilingMeter ceilings_;
  std::vector<std::pair<Variant, std::optional<std::string>>> added_;  ///< why it does not run here
};

}  // namespace tutorial
