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
  int floats;        ///< in its vector type
  std::string type;  ///< that vector type, for people

  cl::Kernel kernel = {};  ///< with its arguments
  std::size_t global = 0;  ///< work-items
  std::size_t local = 0;
  int turns = 1;            ///< of the loop in each work-item
  double per_s = 0.0;       ///< the best rate so far: multiply-adds, or bytes if it copies or reads
  double kept_per_s = 0.0;  ///< the best that three runs in one program reached, ever

  /// What a launch does: multiply-adds, or bytes read and written.
  double work() const;
};

/// Measures the ceilings together with a program's own kernels. The fastest run since the program
/// started counts, or what earlier programs reached on this device with this driver. That is kept
/// in a CSV if three runs have reached it, so that one fault of a timer does not stay.
class CeilingMeter {
 public:
  /// The copies are of the size of `image`; `kernel_file` is roofline.cl. A `kept_file` that cannot
  /// be used is written anew, or done without. Nothing runs yet.
  CeilingMeter(
      const cl::CommandQueue& queue, const Options& options, const Image& image,
      const std::string& kernel_file = ROOFLINE_KERNEL_FILE,
      const std::string& kept_file = KEPT_CEILINGS_FILE);

  /// Builds the kernels and runs each on a few work-items. Returns what is wrong with their
  /// results, a line for each kernel. Throws if they cannot be built.
  std::string verify();

  /// The times of `variants`, as `tutorial::measure` gives them within the time budget, with the
  /// ceilings' kernels among them in every round: a slow moment of the machine meets all of them.
  /// The first call verifies these; if that fails, it prints why, and there are no ceilings.
  Comparison measure(const std::vector<Variant>& variants);

  const std::vector<CeilingKernel>& kernels() const { return kernels_; }  ///< in the file's order

 private:
  void set_up(
      CeilingKernel& kernel, std::size_t wanted_group, std::size_t items, const cl::Buffer& input,
      const cl::Buffer& output, float factor) const;
  cl::Event launch(const CeilingKernel& kernel) const;
  std::string problem_of(CeilingKernel kernel) const;
  void prepare();
  void keep();
  Ceilings best(bool kept) const;

  cl::CommandQueue queue_;
  cl::Context context_;
  cl::Device device_;
  double time_budget_s_;
  std::size_t image_bytes_;
  std::string kernel_file_;
  std::string kept_file_;
  bool started_ = false;
  cl::Program program_;
  std::vector<CeilingKernel> kernels_;  ///< that the compiler has; none before the start
  std::vector<cl::Buffer> buffers_;     ///< a kernel does not own its arguments
};

}  // namespace tutorial
