// What the device can do at most: measured with the kernels of roofline.cl, not from a data sheet.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/floor.hpp"
#include "common/image.hpp"
#include "common/opencl.hpp"
#include "common/options.hpp"
#include "common/results.hpp"
#include "common/timing.hpp"

namespace tutorial {

/// A kernel of roofline.cl and its launch.
struct CeilingKernel {
  enum class Kind { multiply_add, copy, cached_read, local_read };

  std::string name;
  Kind kind;
  int floats;             ///< in its vector type
  std::string type;       ///< that vector type, for people
  bool optional = false;  ///< only some compilers have what it needs

  cl::Kernel kernel = {};  ///< with its arguments
  std::size_t global = 0;  ///< work-items
  std::size_t local = 0;
  int turns = 1;       ///< of the loop in each work-item
  double per_s = 0.0;  ///< the best rate so far: multiply-adds, or bytes if it copies or reads

  /// What a launch does: multiply-adds, or bytes read and written.
  double work() const;
  /// Takes note of a launch that took `time_ms`.
  void record(double time_ms);
};

/// Measures the ceilings together with a program's own kernels. The fastest run since the program
/// started counts.
class CeilingMeter {
 public:
  /// The copies are of the size of `image`; `kernel_file` is roofline.cl. Nothing runs yet.
  CeilingMeter(
      const cl::CommandQueue& queue, const Options& options, const Image& image,
      const std::string& kernel_file = ROOFLINE_KERNEL_FILE);

  /// The times of `variants`, as `tutorial::measure` gives them within the time budget, with the
  /// ceilings' kernels among them in every round. The first call builds and verifies these; if that
  /// fails, it prints why, and there are no ceilings.
  ///
  /// A kernel with one multiply-add per tap cannot be faster than its floor. If one is, by more
  /// than its interval, the ceilings are too low, and a line says so. Not judged are variants that
  /// are not among the program's kernels, those of --against, kernels that save multiply-adds, and
  /// filters with taps that are zero.
  Comparison measure(int filter_width, const std::vector<Variant>& variants);

  /// The parts of it. Builds the kernels; throws `Error` if that fails or if the file lacks one.
  void build();
  /// Runs a kernel on a few work-items and returns what is wrong with its result, or nothing.
  std::string problem_of(CeilingKernel kernel) const;
  /// Sets the launches that are to be timed.
  void prepare();
  /// Times `variants` in turns with the kernels: a slow moment of the machine meets all of them.
  std::vector<Measurement> measure_beside(const std::vector<Variant>& variants, double budget_s);

  std::vector<CeilingKernel>& kernels() { return kernels_; }  ///< in the file's order
  Ceilings best() const;                                      ///< of each kind of kernel

 private:
  void set_up(
      CeilingKernel& kernel, std::size_t wanted_group, std::size_t items, const cl::Buffer& input,
      const cl::Buffer& output, float factor) const;
  cl::Event launch(const CeilingKernel& kernel) const;
  bool is_direct(int filter_width, const std::string& label) const;

  cl::CommandQueue queue_;
  cl::Context context_;
  cl::Device device_;
  Options options_;
  int image_width_;
  int image_height_;
  std::string kernel_file_;
  bool started_ = false;
  cl::Program program_;
  std::vector<CeilingKernel> kernels_;  ///< that the compiler has; none before the start
  std::vector<cl::Buffer> buffers_;     ///< a kernel does not own its arguments
};

}  // namespace tutorial
