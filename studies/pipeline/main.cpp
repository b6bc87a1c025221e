// The way of an image from the host to the device, through a kernel and back, and what has
// to be compiled before. The steps time the kernel alone; here every part has its time.
//
// Read this file from top to bottom. What is not OpenCL (image files, checking, statistics, tables)
// is one call each into common/; the kernels of the steps are launched as in their launch.cpp.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "common/device.hpp"
#include "common/options.hpp"
#include "common/work.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"
#include "step7_register_block/launch.hpp"

namespace {

// Types of pixels: their name in OpenCL C, their bytes, and how much of a number up to 1 is lost at
// most by rounding to them.
struct Pixel {
  std::string name;
  std::size_t bytes;
  double rounding;
};
const std::vector<Pixel> pixel_types = {
    {"float", 4, 0.0}, {"half", 2, 0x1p-11}, {"uchar", 1, 0.5 / 255}};

// The first kernel of the ladder, and of the last ones two for floats and three for bytes: for CPUs
// (16 or 32 in their names) and for GPUs. Then one for CPUs as well, on pixels of each type; it has
// no launch function, see `many_images`.
std::vector<tutorial::KernelEntry> kernels() {
  const std::set<std::string> chosen = {
      "Convolve_Block16", "Convolve_Fast", "Convolve_Bytes", "Convolve_Bytes_Dot32",
      "Convolve_Bytes_Matrix"};
  std::vector<tutorial::KernelEntry> entries = {{"Convolve", "", tutorial::step7::per_pixel}};
  for (const tutorial::KernelEntry& entry : tutorial::step11::kernels()) {
    if (chosen.contains(entry.label)) {
      entries.push_back(entry);
    }
  }
  for (const Pixel& type : pixel_types) {
    entries.push_back({"Convolve_Pixels:" + type.name, FOLDER "pixels.cl"});
  }
  return entries;
}

bool takes_bytes(const tutorial::KernelEntry& entry) {
  return entry.pixel_bytes == 1;
}

// Memory that the host uses for as long as this is measured.
struct Mapped {
  cl::CommandQueue queue;
  cl::Buffer buffer;
  void* memory;
};

// What pixels of four bytes and of one differ in: on the host, on the device, and in what is right.
struct Floats {
  using Image = tutorial::Image;
  using Work = tutorial::Work;
  static constexpr const char* suffix = "";
  static constexpr tutorial::Extent room = tutorial::block_room;
  static const tutorial::Image& pixels(const tutorial::Image& image) { return image; }
  static const cl::Buffer& input(const Work& work) { return work.input; }
  static const tutorial::GuardedBuffer& output(const Work& work) { return work.output; }
  static tutorial::Verdict check(
      const Work& work, const Image& result, const tutorial::Launch& launch) {
    return tutorial::check(work.reference, result, {}, launch.pairs);
  }
};
struct Bytes {
  using Image = tutorial::ByteImage;
  using Work = tutorial::ByteWork;
  static constexpr const char* suffix = ":bytes";
  static constexpr tutorial::Extent room = tutorial::step11::byte_room;
  static tutorial::ByteImage pixels(const tutorial::Image& image) {
    return tutorial::to_bytes(image);
  }
  static const cl::Buffer& input(const Work& work) { return work.input_bytes; }
  static const tutorial::GuardedBuffer& output(const Work& work) { return work.output_bytes; }
  static tutorial::Verdict check(
      const Work& work, const Image& result, const tutorial::Launch& launch) {
    const bool floats = launch.pixels == tutorial::Launch::Pixels::bytes_by_floats;
    return work.verdict(result, floats, launch.tile, false);
  }
};

// What all parts share: the image and a filter, on the host and on the device.
template <typename Form>
struct Way {
  using Image = typename Form::Image;
  using Pixel = typename decltype(Image::pixels)::value_type;
  Way(const tutorial::Options& its_options, tutorial::Results& its_results,
      const cl::CommandQueue& queue, const tutorial::Image& its_image,
      const tutorial::Filter& filter)
      : options(its_options),
        results(its_results),
        image(Form::pixels(its_image)),
        input(tutorial::repeat_border(image, filter.width)),
        work(queue, its_image, filter, Form::room),
        result(image.width, image.height) {}
  Way(const Way&) = delete;  // the parts refer to it
  ~Way() {
    for (const auto& [its_queue, buffer, memory] : mapped) {
      its_queue.enqueueUnmapMemObject(buffer, memory);
    }
  }

  const tutorial::Options& options;
  tutorial::Results& results;
  const Image image;
  const Image input;  // with its border; the device's rows are longer
  typename Form::Work work;
  Image result;
  std::vector<tutorial::Variant> parts = {};  // each to be timed
  std::vector<Mapped> mapped = {};
  Pixel* pinned = nullptr;  // room for the input with its border, then for the result

  const cl::CommandQueue& queue() const { return work.queue; }
  const cl::Buffer& device_input() const { return Form::input(work); }
  std::size_t device_input_bytes() const { return sizeof(Pixel) * work.padded.size(); }
  std::size_t pitch_bytes() const { return sizeof(Pixel) * work.padded.width; }
  std::size_t row_bytes() const { return sizeof(Pixel) * input.width; }
  std::size_t result_bytes() const { return sizeof(Pixel) * result.pixels.size(); }

  // Each part of the way is timed by the host's clock, until the device has done its share.
  void add(const std::string& label, const std::function<void()>& part) {
    const auto run_part = [this, part] {
      part();
      queue().finish();
      return cl::Event();
    };
    parts.push_back({label, cl::NullRange, 0.0, run_part});
  }

  void upload(const Pixel* pixels) const {
    queue().enqueueWriteBufferRect(
        device_input(), CL_TRUE, {0, 0, 0}, {0, 0, 0}, {row_bytes(), std::size_t(input.height), 1},
        pitch_bytes(), 0, row_bytes(), 0, pixels);
  }
  void read_back(Pixel* pixels) const {
    queue().enqueueReadBuffer(Form::output(work).buffer(), CL_TRUE, 0, result_bytes(), pixels);
  }

  // Leaves nothing that could pass for the work of what follows.
  void forget() {
    queue().enqueueFillBuffer(device_input(), cl_uint(0), 0, device_input_bytes());
    Form::output(work).poison(queue());
    std::ranges::fill(result.pixels, Pixel(0));
  }
  bool verify(
      const std::string& label, const tutorial::Launch& launch, const std::string& damage = {}) {
    tutorial::Verdict verdict = Form::check(work, result, launch);
    verdict.damage = damage;
    verdict.passed = verdict.passed && damage.empty();
    return results.verify(label, work.filter.width, verdict);
  }
};

// A queue, and all that an image needs on its way, so that no queue waits for another one.
struct Carrier {
  cl::CommandQueue queue;
  cl::Buffer input;
  cl::Buffer output;
  cl::Buffer pinned;  // the host's input and output
  char* mapped = nullptr;
  tutorial::Launch launch;

  // Sends an image on its way, and does not wait.
  void start() const {
    const auto bytes = input.getInfo<CL_MEM_SIZE>();
    queue.enqueueWriteBuffer(input, CL_FALSE, 0, bytes, mapped);
    launch(queue);
    queue.enqueueReadBuffer(output, CL_FALSE, 0, output.getInfo<CL_MEM_SIZE>(), mapped + bytes);
    queue.flush();
  }
};

// --- Two ways to a program -----------------------------------------------------------------------

// Returns the launch of the first kernel, loaded from a binary.
tutorial::Launch build_and_load(Way<Floats>& way) {
  const tutorial::Work& work = way.work;
  const tutorial::KernelEntry& first = way.options.kernels.front();
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
    tutorial::Launch launch = tutorial::step7::per_pixel(work, first, program);
    launch.global = cl::NDRange(1, 1);
    launch(work.queue);
  };
  // Drivers keep binaries by themselves too. An option that was never given gets around that.
  way.add("build", [=] {
    static auto never_given = std::chrono::system_clock::now().time_since_epoch().count();
    first_start(build(" -DSTART=" + std::to_string(never_given++)));
  });
  way.add("build:binary", [=] { first_start(load()); });
  return tutorial::step7::per_pixel(work, first, load());
}

// --- Three ways to the device and back -----------------------------------------------------------

template <typename Form>
void copy(Way<Form>& way, const tutorial::Launch& kernel) {
  using Pixel = typename Way<Form>::Pixel;
  const std::string of = Form::suffix;
  way.add("border" + of, [&way] { tutorial::repeat_border(way.image, way.work.filter.width); });
  way.add("upload" + of, [&way] { way.upload(way.input.pixels.data()); });
  way.add("read-back" + of, [&way] { way.read_back(way.result.pixels.data()); });

  // Pinned memory stays where it is, so the device reads and writes it by itself. OpenCL has it
  // as a buffer of the driver's, which is mapped for as long as the host uses it.
  const std::size_t bytes = sizeof(Pixel) * way.input.pixels.size() + way.result_bytes();
  const cl::Buffer pinned_buffer(
      way.work.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes);
  auto* const pinned = static_cast<Pixel*>(
      way.queue().enqueueMapBuffer(pinned_buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes));
  way.mapped.push_back({way.queue(), pinned_buffer, pinned});
  Pixel* const pinned_result = pinned + way.input.pixels.size();
  way.pinned = pinned;
  way.add("border:pinned" + of, [&way, pinned] {
    tutorial::repeat_border(way.image, way.work.filter.width, pinned);
  });
  way.add("upload:pinned" + of, [&way, pinned] { way.upload(pinned); });
  way.add("read-back:pinned" + of, [&way, pinned_result] { way.read_back(pinned_result); });

  // The other way round: what the device works on is mapped into the host's memory. Where the two
  // share their memory nothing is copied, but by the host itself.
  const auto map_input = [&way] {
    const cl::Buffer& buffer = way.device_input();
    auto* const mapped = static_cast<Pixel*>(way.queue().enqueueMapBuffer(
        buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, way.device_input_bytes()));
    for (int y = 0; y < way.input.height; y++) {
      std::copy_n(
          &way.input.pixels[way.input.index(0, y)], way.input.width,
          mapped + std::ptrdiff_t(y) * way.work.padded.width);
    }
    way.queue().enqueueUnmapMemObject(buffer, mapped);
  };
  const auto map_output = [&way](const std::function<void(const Pixel*)>& look) {
    const cl::Buffer& buffer = Form::output(way.work).buffer();
    auto* const mapped = static_cast<Pixel*>(
        way.queue().enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ, 0, way.result_bytes()));
    look(mapped);
    way.queue().enqueueUnmapMemObject(buffer, mapped);
  };
  way.add("upload:map" + of, map_input);
  way.add("read-back:map" + of, [map_output] { map_output([](const Pixel*) {}); });

  const auto keep = [&way](const Pixel* pixels) {
    std::copy_n(pixels, way.result.pixels.size(), way.result.pixels.begin());
  };
  way.forget();
  tutorial::repeat_border(way.image, way.work.filter.width, pinned);
  way.upload(pinned);
  kernel(way.queue());
  way.read_back(pinned_result);
  keep(pinned_result);
  way.verify("pinned" + of, kernel);
  way.forget();
  map_input();
  kernel(way.queue());
  map_output(keep);
  way.verify("map" + of, kernel);
}

// --- The kernels, and the whole way with each of them --------------------------------------------

template <typename Form>
void whole_way(Way<Form>& way) {
  for (const tutorial::KernelEntry& entry : way.options.kernels) {
    if (entry.launch == nullptr || takes_bytes(entry) != std::is_same_v<Form, Bytes>) {
      continue;
    }
    tutorial::Launch ready;
    try {
      ready = way.work.launch(entry);
    } catch (const tutorial::CannotRun& reason) {
      way.results.skip(entry.label, way.work.filter.width, reason.what());
      continue;
    }
    const auto launch = [&way, ready] { ready(way.queue()); };
    const auto all = [&way, launch] {
      way.upload(tutorial::repeat_border(way.image, way.work.filter.width).pixels.data());
      launch();
      way.read_back(way.result.pixels.data());
    };
    const auto all_pinned = [&way, launch] {  // in memory that is kept from image to image
      tutorial::repeat_border(way.image, way.work.filter.width, way.pinned);
      way.upload(way.pinned);
      launch();
      way.read_back(way.pinned + way.input.pixels.size());
    };
    if (way.parts.empty()) {  // of bytes, whose copies any kernel of theirs can check
      copy(way, ready);
    }
    way.forget();
    all();
    if (way.verify(entry.label, ready, Form::output(way.work).damage(way.queue()))) {
      way.add(entry.label, launch);
      way.add("way:" + entry.label, all);
      way.add("way:pinned:" + entry.label, all_pinned);
    }
  }
}

// --- Four images of smaller pixels, in one queue and in two --------------------------------------

// A work-item of Convolve_Pixels computes this block; input and output have room for whole ones.
constexpr tutorial::Extent block = {16, 8};

cl::Program build_pixels(
    const tutorial::Work& work, const tutorial::KernelEntry& entry, const Pixel& type) {
  const std::string options = "-DFILTER_WIDTH=" + std::to_string(work.filter.width) +
                              " -DBLOCK_WIDTH=" + std::to_string(block.width) +
                              " -DBLOCK_HEIGHT=" + std::to_string(block.height) +
                              " -DPIXEL=" + type.name;
  return tutorial::build_program(work.context, work.device, entry.file, options);
}

// A carrier for images of `type` that are `columns` x `rows` pixels on the device, whole blocks.
Carrier make_carrier(
    Way<Floats>& way, const tutorial::KernelEntry& entry, const cl::Program& program,
    const Pixel& type, int columns, int rows) {
  const tutorial::Work& work = way.work;
  const std::size_t up = type.bytes * work.padded.size();
  const std::size_t down = type.bytes * std::size_t(columns) * std::size_t(rows);
  Carrier carrier;
  carrier.queue = cl::CommandQueue(work.context, work.device);
  carrier.input = cl::Buffer(work.context, CL_MEM_READ_WRITE, up);
  carrier.output = cl::Buffer(work.context, CL_MEM_READ_WRITE, down);
  carrier.pinned = cl::Buffer(work.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, up + down);
  carrier.mapped = static_cast<char*>(carrier.queue.enqueueMapBuffer(
      carrier.pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, up + down));
  way.mapped.push_back({carrier.queue, carrier.pinned, carrier.mapped});

  cl::Kernel kernel(program, entry.name().c_str());
  kernel.setArg(0, carrier.input);
  kernel.setArg(1, work.taps);
  kernel.setArg(2, carrier.output);
  kernel.setArg(3, work.padded.width);
  kernel.setArg(4, work.filter.width);
  kernel.setArg(5, columns);
  kernel.setArg(6, rows);
  const tutorial::Extent group = tutorial::step7::group_of(work, entry);
  const cl::NDRange local(group.width, group.height);
  const cl::NDRange blocks(columns / block.width, rows / block.height);
  carrier.launch = {kernel, tutorial::round_up(blocks, local), local};
  return carrier;
}

void many_images(Way<Floats>& way) {
  const tutorial::Work& work = way.work;
  const cl::Context& context = work.context;
  way.upload(way.input.pixels.data());
  for (const tutorial::KernelEntry& entry : way.options.kernels) {
    if (entry.launch != nullptr) {
      continue;
    }
    const Pixel& type = pixel_types[entry.row + pixel_types.size() - kernels().size()];
    tutorial::Reference reference = work.reference;
    const auto [darkest, brightest] = std::ranges::minmax(reference.values);
    if (type.bytes == 1 && (darkest < 0.0 || brightest > 1.001)) {
      way.results.skip(entry.label, work.filter.width, "for filters whose results are from 0 to 1");
      continue;
    }
    // Every input is rounded, and the result.
    for (double& tolerance : reference.tolerances) {
      tolerance += 2.0 * type.rounding * std::max(1.0, reference.magnitude);
    }

    const cl::Program program = build_pixels(work, entry, type);
    cl::KernelFunctor<cl::Buffer, cl::Buffer> pack(program, "Pack");
    cl::KernelFunctor<cl::Buffer, cl::Buffer> unpack(program, "Unpack");
    const int columns = tutorial::round_up(way.image.width, block.width);
    const int rows = tutorial::round_up(way.image.height, block.height);
    const std::size_t output_pixels = std::size_t(columns) * std::size_t(rows);
    const std::size_t up = type.bytes * work.padded.size();
    const std::size_t down = type.bytes * output_pixels;
    const cl::Buffer unpacked(context, CL_MEM_READ_WRITE, sizeof(float) * output_pixels);

    bool right = true;
    std::array<Carrier, 2> carriers;
    for (Carrier& carrier : carriers) {
      carrier = make_carrier(way, entry, program, type, columns, rows);
      // What counts is what the host has, before and after.
      const cl::NDRange vectors(up / type.bytes / 16);
      pack(cl::EnqueueArgs(carrier.queue, vectors), work.input, carrier.input);
      carrier.queue.enqueueReadBuffer(carrier.input, CL_TRUE, 0, up, carrier.mapped);
      carrier.queue.enqueueFillBuffer(carrier.input, cl_uchar(0), 0, up);
      carrier.start();
      carrier.queue.enqueueWriteBuffer(carrier.output, CL_TRUE, 0, down, carrier.mapped + up);
      unpack(
          cl::EnqueueArgs(carrier.queue, cl::NDRange(output_pixels / 16)), carrier.output,
          unpacked);
      carrier.queue.enqueueReadBufferRect(
          unpacked, CL_TRUE, {0, 0, 0}, {0, 0, 0},
          {sizeof(float) * way.image.width, std::size_t(way.image.height), 1},
          sizeof(float) * columns, 0, sizeof(float) * way.image.width, 0, way.result.pixels.data());
      right &= way.results.verify(
          (&carrier == &carriers[0] ? "" : "overlap:") + entry.label, work.filter.width,
          tutorial::check(reference, way.result));
    }
    if (!right) {
      continue;
    }
    way.add(entry.label, [carrier = carriers[0]] {
      carrier.launch(carrier.queue);
      carrier.queue.finish();
    });
    // In one queue each command waits for the one before it. Two queues do not know of each
    // other, so the device can copy for one of them while it computes for the other.
    for (const int used : {1, 2}) {
      way.add((used == 1 ? "series:" : "overlap:") + entry.label, [carriers, used] {
        for (int i = 0; i < 4; i++) {
          carriers[i % used].start();
        }
        carriers[0].queue.finish();
        carriers[1].queue.finish();
      });
    }
  }
}

int run(const tutorial::Options& options) {
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  const tutorial::Image image = tutorial::load_image(options);
  tutorial::Image result;
  tutorial::Results results(options, device, image);

  for (const int filter_width : options.filter_widths) {
    const auto filter = tutorial::make_filter(options.filter, filter_width, options.seed);
    Way<Floats> floats(options, results, queue, image, filter);
    copy(floats, build_and_load(floats));
    whole_way(floats);
    many_images(floats);
    std::vector<tutorial::Variant> parts = floats.parts;
    std::unique_ptr<Way<Bytes>> bytes;
    if (std::ranges::any_of(options.kernels, takes_bytes)) {
      try {
        bytes = std::make_unique<Way<Bytes>>(options, results, queue, image, filter);
      } catch (const tutorial::Error& no_fixed_point) {
        results.skip("bytes", filter_width, no_fixed_point.what());
      }
    }
    if (bytes != nullptr) {
      whole_way(*bytes);
      std::ranges::copy(bytes->parts, std::back_inserter(parts));
    }

    if (!options.verify_only) {
      results.add(filter_width, {tutorial::measure(parts, options.time_budget_s)});
    }
    result = floats.result;
  }
  return results.finish(result);
}

// Drivers keep what they compile in a folder of the user's. A program that compiles in every round
// would fill it, so it has one of its own, which goes with it.
class DriversCache {
 public:
  DriversCache() {
    std::string folder = (std::filesystem::temp_directory_path() / "pipeline-XXXXXX").string();
    if (mkdtemp(folder.data()) != nullptr) {
      folder_ = folder;
      for (const char* name : {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "MESA_SHADER_CACHE_DIR"}) {
        setenv(name, folder.c_str(), 1);
      }
    }
  }
  ~DriversCache() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace

int main(int argc, char** argv) {
  const DriversCache cache;
  const tutorial::ProgramInfo info = {
      .title = "From host to device and back: build, upload, kernel and read-back, each timed",
      .kernel_file = KERNEL_FILE,
      .kernels = kernels(),
      .openmp = false,
  };
  return tutorial::run_program(argc, argv, info, run);
}
