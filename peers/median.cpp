// The one-channel 8-bit median against that of another library, in turns: of OpenCV by the host's
// clock, or of NPP on the same GPU by its own timer, OpenCL's events and CUDA's.
#include "common/program.hpp"
#include "common/results.hpp"
#include "median/device_picture.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

#ifdef PEER_opencv
constexpr bool host_clock = true;
const auto make_peers = opencv_medians;
const std::vector<KernelEntry> kernels = {{"median_gray_rows"}, {"median_gray_x16"}};
const std::vector<MedianShape> shapes = {
    {PixelFormat::gray, 1, 8, 256}, {PixelFormat::gray, 16, 8, 64}};
#else
constexpr bool host_clock = false;
const auto make_peers = npp_medians;
const std::vector<KernelEntry> kernels = {{"median_gray_packed"}};
const std::vector<MedianShape> shapes = {{PixelFormat::gray, 16, 8, 64}};
#endif

const ProgramInfo info = {
    .title = "The one-channel 8-bit median against OpenCV's or NPP's",
    .kernel_file = KERNEL_FILE,
    .kernels = kernels,
    .filtered = false,
    .salt_and_pepper = true,
    .against = false,
};

int run(const Options& given) {
  Options options = given;
  options.filter = "median";  // for the head of the CSV
  constexpr int filter_width = 3;

  const cl::Device device = select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const RgbaImage image = load_rgba_image(options);
  Results results(options, device, Image(image.width, image.height));
  const cl::Program program =
      build_program(context, device, options.kernel_file, median_build_options(device));
  DevicePicture picture(context, device, queue, image, PixelFormat::gray);

  std::vector<Variant> variants;
  for (const KernelEntry& entry : options.kernels) {
    const MedianShape& shape = shapes[entry.row];  // as in median/main.cpp
    cl::Kernel kernel(program, entry.name().c_str());
    picture.set_arguments(kernel);
    const cl::NDRange local = shape.local(device, kernel);
    const cl::NDRange global = shape.global(picture.input(), local);
    const auto launch = [&queue, kernel, global, local] {
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &event);
      return event;
    };
    const Verdict verdict = picture.verify(launch);
    if (results.verify(entry.label, filter_width, verdict)) {
      const Variant variant = {entry.label, local, verdict.max_error, launch};
      variants.push_back(host_clock ? by_host_clock(variant) : variant);
    }
  }
  for (const auto& [variant, result] : make_peers(device, picture.input())) {
    const Verdict verdict = check_median(picture.input(), picture.reference(), result);
    if (results.verify(variant.name, filter_width, verdict)) {
      variants.push_back(variant);
      variants.back().kind = "library";
    }
  }
  if (!options.verify_only) {
    results.add(filter_width, {measure(variants, options.time_budget_s)});
  }
  return results.finish();
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  return tutorial::run_program(argc, argv, tutorial::info, tutorial::run);
}
