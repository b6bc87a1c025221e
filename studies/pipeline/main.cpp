// The way of an image from the host to the device, through a kernel and back, and what has
// to be compiled before. The steps time the kernel alone; here every part has its time.
//
// Read this file from top to bottom. What is not OpenCL (image files, checking, statistics, tables)
// is one call each into common/; the kernels of the steps are launched as in their launch.cpp.
#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "common/device.hpp"
#include "common/lab/work.hpp"
#include "common/options.hpp"
#include "common/system.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"
#include "step7_register_block/launch.hpp"

namespace {

using tutorial::ByteImage;
using tutorial::ByteWork;
using tutorial::Image;
using tutorial::Launch;
using tutorial::Verdict;
using tutorial::Work;
using Variants = std::vector<tutorial::Variant>;

// The first kernel of the ladder, and of the last ones two for floats and three for bytes: for CPUs
// (16 or 32 in their names) and for GPUs.
std::vector<tutorial::KernelEntry> kernels() {
  const std::set<std::string> chosen = {
      "Convolve",       "Convolve_Block16",     "Convolve_Fast",
      "Convolve_Bytes", "Convolve_Bytes_Dot32", "Convolve_Bytes_Matrix"};
  auto entries = tutorial::step11::kernels();
  std::erase_if(entries, [&chosen](const auto& entry) { return !chosen.contains(entry.label); });
  return entries;
}

// What is timed: a part of the way, by the host's clock, until the device has done its share.
tutorial::Variant part(
    const std::string& label, const cl::CommandQueue& queue, const std::function<void()>& work,
    const std::function<Verdict()>& verify = nullptr) {
  const auto launch = [queue, work] {
    work();
    queue.finish();
    return cl::Event();
  };
  return {label, cl::NullRange, 0.0, launch, verify};
}

// What is right. The result of bytes is exact.
Verdict check(const Work& work, const Image& result, const Launch& launch) {
  return tutorial::check(work.reference, result, {}, launch.pairs, launch.tile);
}
Verdict check(const ByteWork& work, const ByteImage& result, const Launch& launch) {
  const bool by_floats = launch.pixels == Launch::Pixels::bytes_by_floats;
  return work.verdict(result, by_floats, launch.tile, false);
}

// An image of floats or of bytes on the host, and its ways to the device and back.
template <typename AnyWork, typename AnyImage>
class Way {
 public:
  using Pixel = typename decltype(AnyImage::pixels)::value_type;

  // `input` and `output`: the buffers of `work` for such pixels.
  Way(const AnyWork& work, const cl::Buffer& input, const tutorial::GuardedBuffer& output,
      const AnyImage& image)
      : work_(work),
        queue_(work.queue),
        input_(input),
        output_(output),
        image_(image),
        padded_(tutorial::repeat_border(image, width())),
        result_(image.width, image.height),
        pinned_buffer_(
            work.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
            padded_.size_bytes() + result_.size_bytes()),
        pinned_(map(pinned_buffer_, CL_MAP_READ | CL_MAP_WRITE)) {}
  Way(const Way&) = delete;  // the parts refer to it
  ~Way() {                   // not by CLHPP, which would throw
    clEnqueueUnmapMemObject(queue_(), pinned_buffer_(), pinned_, 0, nullptr, nullptr);
  }

  // The copies that are timed; `kernel` is any, to check them.
  void add_copies(
      Variants& parts, tutorial::Results& results, const Launch& kernel, const std::string& kind) {
    const auto add = [&](const std::string& label, const std::function<void()>& work) {
      parts.push_back(part(label + kind, queue_, work));
    };
    add("border", [this] { tutorial::repeat_border(image_, width()); });
    add("upload", [this] { upload(padded_.pixels.data()); });
    add("read-back", [this] { read_back(result_.pixels.data()); });

    // Pinned memory stays where it is, so the device reads and writes it by itself. OpenCL has it
    // as a buffer of the driver's, which is mapped for as long as the host uses it.
    add("border:pinned", [this] { tutorial::repeat_border(image_, width(), pinned_); });
    add("upload:pinned", [this] { upload(pinned_); });
    add("read-back:pinned", [this] { read_back(pinned_result()); });

    // The other way round: what the device has computed is mapped into the host's memory. Where the
    // two share their memory nothing is copied.
    add("read-back:map", [this] { read_back_mapped([](const Pixel*) {}); });

    const auto keep = [this](const Pixel* pixels) {
      std::copy_n(pixels, result_.size(), result_.pixels.begin());
    };
    results.verify("pinned" + kind, width(), run(kernel, [=, this] {
                     all_pinned(kernel);
                     keep(pinned_result());
                   }));
    results.verify("map" + kind, width(), run(kernel, [=, this] {
                     upload(padded_.pixels.data());
                     kernel(queue_);
                     read_back_mapped(keep);
                   }));
  }

  // A kernel alone, and the whole way with it: in new memory, and in memory that is kept.
  void add_kernel(
      Variants& parts, tutorial::Results& results, const Launch& kernel, const std::string& label) {
    const auto all = [=, this] {
      upload(tutorial::repeat_border(image_, width()).pixels.data());
      kernel(queue_);
      read_back(result_.pixels.data());
    };
    const auto verify = [=, this] { return run(kernel, all); };
    if (results.verify(label, width(), verify)) {
      parts.push_back(part(
          label, queue_, [=, this] { kernel(queue_); }, verify));
      parts.push_back(part("trip:" + label, queue_, all));
      parts.push_back(part("trip:pinned:" + label, queue_, [=, this] { all_pinned(kernel); }));
    }
  }

  const AnyImage& result() const { return result_; }

 private:
  int width() const { return work_.filter.width; }
  Pixel* pinned_result() const { return pinned_ + padded_.size(); }

  Pixel* map(const cl::Buffer& buffer, cl_map_flags how) const {
    const auto bytes = buffer.getInfo<CL_MEM_SIZE>();
    return static_cast<Pixel*>(queue_.enqueueMapBuffer(buffer, CL_TRUE, how, 0, bytes));
  }
  // The device's rows are longer than the host's.
  void upload(const Pixel* pixels) const {
    const std::size_t row = sizeof(Pixel) * std::size_t(padded_.width);
    const std::size_t pitch = sizeof(Pixel) * std::size_t(work_.padded.width);
    queue_.enqueueWriteBufferRect(
        input_, CL_TRUE, {0, 0, 0}, {0, 0, 0}, {row, std::size_t(padded_.height), 1}, pitch, 0, row,
        0, pixels);
  }
  void read_back(Pixel* pixels) const {
    queue_.enqueueReadBuffer(output_.buffer(), CL_TRUE, 0, result_.size_bytes(), pixels);
  }
  void read_back_mapped(const std::function<void(const Pixel*)>& look) const {
    Pixel* const mapped = map(output_.buffer(), CL_MAP_READ);
    look(mapped);
    queue_.enqueueUnmapMemObject(output_.buffer(), mapped);
  }
  void all_pinned(const Launch& kernel) const {
    tutorial::repeat_border(image_, width(), pinned_);
    upload(pinned_);
    kernel(queue_);
    read_back(pinned_result());
  }

  // Goes all the way, and leaves nothing before it that could pass for its work.
  Verdict run(const Launch& kernel, const std::function<void()>& all) {
    queue_.enqueueFillBuffer(input_, cl_uint(0), 0, input_.template getInfo<CL_MEM_SIZE>());
    output_.poison(queue_);
    std::ranges::fill(result_.pixels, Pixel(0));
    all();
    Verdict verdict = check(work_, result_, kernel);
    verdict.damage = output_.damage(queue_);
    verdict.passed = verdict.passed && verdict.damage.empty();
    return verdict;
  }

  const AnyWork& work_;
  const cl::CommandQueue queue_;
  const cl::Buffer input_;
  const tutorial::GuardedBuffer& output_;
  const AnyImage image_;
  const AnyImage padded_;
  AnyImage result_;
  const cl::Buffer pinned_buffer_;
  Pixel* const pinned_;  // room for the padded image, then for the result
};

// Two ways to a program. Returns the launch of the first kernel, loaded from a binary.
Launch add_builds(Variants& parts, const Work& work, const tutorial::KernelEntry& first) {
  const auto build = [&work, first](const std::string& more) {
    const std::string width = "-DFILTER_WIDTH=" + std::to_string(work.filter.width);
    return tutorial::build_program(work.context, work.device, first.file, width + more);
  };
  // What the driver makes of a source can be kept in a file until the next start. It fits this
  // device and this driver only: if one of them rejects it, the program is built from source.
  const cl::Program::Binaries binaries = build("").getInfo<CL_PROGRAM_BINARIES>();
  const auto load = [&work, binaries] {
    cl::Program program(work.context, {work.device}, binaries);
    program.build(work.device);
    return program;
  };
  // Some drivers compile when a kernel is started for the first time, so that belongs to it.
  const auto first_start = [&work, first](const cl::Program& program) {
    Launch launch = tutorial::per_pixel(work, first, program);
    launch.global = cl::NDRange(1, 1);
    launch(work.queue);
  };
  // Drivers keep binaries by themselves too. An option that was never given gets around that.
  parts.push_back(part("build", work.queue, [=] {
    static auto never_given = std::chrono::system_clock::now().time_since_epoch().count();
    first_start(build(" -DSTART=" + std::to_string(never_given++)));
  }));
  parts.push_back(part("build:binary", work.queue, [=] { first_start(load()); }));
  return tutorial::per_pixel(work, first, load());
}

int run(const tutorial::Options& options) {
  // Drivers keep what they compile in a folder of the user's. A program that compiles in every
  // round would fill it, so it has one of its own, which goes with it.
  const tutorial::TemporaryFolder cache;
  for (const char* name : {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "MESA_SHADER_CACHE_DIR"}) {
    tutorial::set_environment(name, cache.path());
  }
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const Image image = tutorial::load_image(options);
  Image result;
  tutorial::Results results(options, device, image);

  for (const int filter_width : options.filter_widths) {
    const auto filter = tutorial::make_filter(options.filter, filter_width, options.seed);
    const Work work(queue, image, filter);
    Way<Work, Image> floats(work, work.input, work.output, image);
    std::optional<ByteWork> byte_work;
    std::optional<Way<ByteWork, ByteImage>> bytes;
    Variants parts;
    floats.add_copies(parts, results, add_builds(parts, work, options.kernels.front()), "");

    for (const tutorial::KernelEntry& entry : options.kernels) {
      try {
        if (entry.pixel_bytes != 1) {
          floats.add_kernel(parts, results, work.launch(entry), entry.label);
          continue;
        }
        if (!byte_work) {
          byte_work.emplace(queue, image, filter, tutorial::step11::byte_room);
        }
        const Launch launch = byte_work->launch(entry);
        if (!bytes) {
          bytes.emplace(
              *byte_work, byte_work->input_bytes, byte_work->output_bytes,
              tutorial::to_bytes(image));
          bytes->add_copies(parts, results, launch, ":bytes");
        }
        bytes->add_kernel(parts, results, launch, entry.label);
      } catch (const tutorial::CannotRun& reason) {
        results.skip(entry.label, filter_width, reason.what());
      }
    }
    if (!options.verify_only) {
      results.add(filter_width, {tutorial::measure(parts, options.time_budget_s)});
    }
    result = floats.result();
  }
  return results.finish(result);
}

}  // namespace

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "From host to device and back: build, upload, kernel and read-back, each timed",
      .kernel_file = KERNEL_FILE,
      .kernels = kernels(),
      .openmp = false,
      .output = false,
  };
  return tutorial::run_program(argc, argv, info, run);
}
