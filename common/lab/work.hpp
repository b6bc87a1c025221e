// The work of one image and one filter on a device, the launch of a kernel that does it, and what
// programs do with their kernels.
#pragma once

#include <memory>

#include "common/lab/results.hpp"
#include "common/program.hpp"

namespace tutorial {

/// The largest block that --block accepts and the search tries, in pixels.
inline constexpr Extent largest_block = {64, 16};

/// What kernels with blocks read beyond the padded input, at most, in pixels.
inline constexpr Extent block_room = {largest_block.width - 1, largest_block.height - 1};

/// The padded input with at least `room` columns and rows of zeros to the right and below, for what
/// blocks at the right and lower edge read beyond it; a row is a multiple of 16 floats long.
Image with_room(const Image& input, const Extent& room = block_room);

/// What a launch function throws: the kernel cannot run on this device or with this filter. The
/// text says why, for "NAME skipped: ...".
class CannotRun : public Error {
  using Error::Error;
};

/// A kernel that is ready to start.
struct Launch {
  cl::Kernel kernel;  ///< with its arguments
  cl::NDRange global;
  cl::NDRange local;  ///< cl::NullRange: OpenCL chooses
  /// Arguments besides those of the `Work`: a kernel does not own what it gets.
  std::vector<cl::Buffer> kept = {};
  bool pairs = false;  ///< what its rounding errors depend on, for `check`
  int tile = 0;        ///< as well
  enum class Pixels { floats, bytes, bytes_by_floats } pixels = Pixels::floats;  ///< as well
  std::vector<Launch> before = {};          ///< earlier passes, in their order
  std::vector<GuardedBuffer> between = {};  ///< what one pass hands to the next

  /// Enqueues it, after the passes before it. Returns the event of each.
  std::vector<cl::Event> operator()(const cl::CommandQueue& queue) const;
};

/// What is right, as `convolve_reference`: of the padded input, the filter, and the image, of whose
/// size the output is.
using ReferenceFunction = Reference (*)(const Image&, const Filter&, const Image&);

/// One image and one filter on a device: what kernels get, and what is right.
class Work {
 public:
  /// Uploads the image with its border and `room` beyond it (`with_room`), and the filter, to the
  /// queue's device.
  Work(
      const cl::CommandQueue& queue, const Image& image, const Filter& filter,
      const Extent& room = block_room, ReferenceFunction reference = convolve_reference);
  Work(const Work&) = delete;  // what `prepare` gives refers to it
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  const cl::CommandQueue queue;
  const cl::Context context;
  const cl::Device device;
  const Filter filter;
  const int width;            ///< of the output, pixels
  const int height;           ///< of the output, pixels
  const Image padded;         ///< what the input's buffer holds: with border and room
  const Reference reference;  ///< the right output
  const cl::Buffer input;
  const cl::Buffer taps;
  GuardedBuffer output;  ///< a change of the input or the taps damages it too

  /// A buffer with these numbers, for a kernel to read.
  cl::Buffer upload(const std::vector<float>& numbers) const;

  /// Builds the row's kernel by its launch function. Throws `CannotRun`, or as `build_program`.
  Launch launch(const KernelEntry& entry) const;

  /// Runs it once into an output full of garbage, reads that back, and checks it.
  virtual Verdict verify(const Launch& launch);

  /// Checks the result of another library, see `Way` in peers/peer.hpp.
  virtual Verdict judge(const Image& output, int tile, bool truncates) const;

  /// Makes the row's kernel ready to be timed, or gives nothing if it cannot run here or is wrong.
  /// What it gives refers to this object. Throws as `build_program`.
  std::optional<Variant> prepare(const KernelEntry& entry, Results& results);

  /// What `verify` read back last.
  const Image& result() const { return result_; }

 protected:
  Image result_;
};

/// A row's block on this device. Where a CPU's vectors have 8 floats, it has 16 registers for them,
/// and not 32: then the row may have another one. With 4 floats that is half as wide.
Extent block_of(const cl::Device& device, const KernelEntry& entry);

/// A row's work-group: the one that it was given, or one work-item on a CPU and 32 x 4 elsewhere.
Extent group_of(const Work& work, const KernelEntry& entry);

/// The launch of kernels with the arguments of `Convolve`, one work-item for each output pixel,
/// built for this width of the filter.
Launch per_pixel(const Work& work, const KernelEntry& entry);

/// The same for a program that was built elsewhere.
Launch per_pixel(const Work& work, const KernelEntry& entry, const cl::Program& program);

/// Makes a `Work`, with its arguments, or for pixels of another kind one that is derived from it.
using WorkMaker = std::function<std::unique_ptr<Work>(
    const cl::CommandQueue&, const Image&, const Filter&, const Extent&)>;
template <typename Kind>
std::unique_ptr<Work> make_work(
    const cl::CommandQueue& queue, const Image& image, const Filter& filter, const Extent& room) {
  return std::make_unique<Kind>(queue, image, filter, room);
}

/// The naive loops in C++, on all cores: as the published series have them, and in a better order.
extern const std::vector<HostLoops> host_loops;

/// Runs the options' loops once and checks them, and appends what is to be timed: not what takes
/// longer than the time budget or is wrong. It refers to `input`, `filter` and `reference`.
void append_openmp(
    std::vector<Variant>& variants, const Options& options, const Image& input,
    const Filter& filter, const Reference& reference, Results& results);

/// Makes a kernel ready to be timed, after verifying it; gives nothing if it cannot run or is
/// wrong. It may throw `Error` or cl::Error.
using Prepare = std::function<std::optional<Variant>(const KernelEntry&)>;

/// Something to be timed beside the kernels of the table, if there is something.
using Tune = std::optional<Variant> (*)(const Options&, const Work&, const Prepare&);

/// The body of these programs. For each filter width it uploads the image, with `room` beyond its
/// border, and the filter; launches and verifies each kernel of options.kernels; and times what was
/// right, in turns, beside what `tune` finds and, if it `convolves`, loops on the host and the
/// floor, which are a convolution's. Returns the exit status.
int run_kernels(
    const Options& options, const Extent& room = block_room, Tune tune = nullptr,
    const WorkMaker& make = make_work<Work>, bool convolves = true);

/// The same for another result than a convolution.
int run_kernels(const Options& options, ReferenceFunction reference);

}  // namespace tutorial
