// What the device can do at most: measured with the kernels of roofline.cl, not from a data sheet.
#pragma once

#include "common/lab/results.hpp"

namespace tutorial {

/// A kernel of roofline.cl and its launch.
struct CeilingKernel {
  enum class Kind { multiply_add, byte_products, copy, cached_read };

  std::string name;
  Kind kind;
  int floats;        ///< in its vector type; products of bytes in an instruction
  std::string type;  ///< that vector type, for people

  cl::Kernel kernel = {};  ///< with its arguments
  std::size_t global = 0;  ///< work-items
  std::size_t local = 0;
  int turns = 1;       ///< of the loop in each work-item
  Rounds rounds = {};  ///< its times so far
  double per_s = 0.0;  ///< their median rate: multiply-adds, or bytes if it copies or reads

  /// What a launch does: multiply-adds, or bytes read and written.
  double work() const;
};

/// Makes the ceilings of the times of `kernels`, which are the last that were `measured`: takes
/// them out there, and adds them to the kernels' rounds. Nothing if there are none.
std::optional<Ceilings> take_ceilings(
    std::vector<Measurement>& measured, std::vector<CeilingKernel>& kernels);

/// Measures the ceilings together with a program's own kernels.
class CeilingMeter {
 public:
  /// The copies are of the size of `image`, with options.pixel_bytes. `kernel_file` may take the
  /// place of roofline.cl. Nothing runs yet.
  CeilingMeter(
      const cl::CommandQueue& queue, const Options& options, const Image& image,
      const std::string& kernel_file = SOURCE_FOLDER "/common/lab/roofline.cl");

  /// Builds the kernels and runs each on a few work-items. Returns what is wrong with their
  /// results, a line for each kernel. Throws if they cannot be built.
  std::string verify();

  /// The variants, and behind them the ceilings' kernels, to be measured together: a slow moment
  /// of the machine meets all of them. The first call verifies these; if that fails, it prints why,
  /// and there are none.
  std::vector<Variant> beside(std::vector<Variant> variants);

  std::vector<CeilingKernel>& kernels() { return kernels_; }  ///< in the file's order

 private:
  void set_up(
      CeilingKernel& kernel, std::size_t wanted_group, std::size_t items, const cl::Buffer& input,
      const cl::Buffer& output, float factor) const;
  cl::Event launch(const CeilingKernel& kernel) const;
  std::string problem_of(CeilingKernel kernel) const;
  void prepare();

  cl::CommandQueue queue_;
  cl::Context context_;
  cl::Device device_;
  Options options_;
  std::size_t image_bytes_;
  std::string kernel_file_;
  bool started_ = false;
  cl::Program program_;
  std::vector<CeilingKernel> kernels_;  ///< that the compiler has; none before the start
  std::vector<cl::Buffer> buffers_;     ///< a kernel does not own its arguments
};

}  // namespace tutorial
