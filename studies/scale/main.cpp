// An image in bands of rows, of which each rank of an MPI job filters one. A whole OpenCL program
// and a whole MPI program; what is neither is one call each into common/.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>

#include "common/checker.hpp"
#include "common/device.hpp"
#include "common/lab/results.hpp"
#include "common/lab/timing.hpp"
#include "common/program.hpp"
#include "common/system.hpp"
#ifdef SCALE_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace {

// What Open MPI's mpirun, and others, tell the programs that they start.
bool started_by_mpirun() {
  const std::vector<std::string> names = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  return std::ranges::any_of(names, [](const auto& n) { return tutorial::environment(n) != ""; });
}

// The programs that mpirun has started together. Otherwise there is one: it has nobody to talk to.
class Ranks {
 public:
  int rank = 0, count = 1;

#ifdef SCALE_MPI
  Ranks() {
    if (started_by_mpirun()) {
      MPI_Init(nullptr, nullptr);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &count);
    }
  }
  // All ranks call this; each returns the value of rank 0.
  int broadcast(int value) const {
    if (count > 1) {
      MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return value;
  }
  // All ranks call this; each returns the largest of their values, so none before all have called.
  int largest(int value) const {
    if (count > 1) {
      MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    return value;
  }
  void send(int to, std::span<const float> pixels) const {
    MPI_Send(pixels.data(), int(pixels.size()), MPI_FLOAT, to, 0, MPI_COMM_WORLD);
  }
  void receive(int from, std::span<float> pixels) const {
    const int size = int(pixels.size());
    MPI_Recv(pixels.data(), size, MPI_FLOAT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  // The end of a rank that has done its part. One that ends without this ends the whole job.
  void leave() const {
    if (started_by_mpirun()) {
      MPI_Finalize();
    }
  }
#else
  int broadcast(int value) const {
    return value;
  }
  int largest(int value) const {
    return value;
  }
  void send(int, std::span<const float>) const {}
  void receive(int, std::span<float>) const {}
  void leave() const {}
#endif
};

// Of `height` rows of the output those before the band of `rank`.
int rows_before(int rank, const Ranks& ranks, int height) {
  return int(std::int64_t{height} * rank / ranks.count);
}

// A rank's band of the whole output, without a halo; or of the whole padded input. There it has
// filter width - 1 rows more: the halo, which the next band has, too.
std::span<float> band_of(int rank, const Ranks& ranks, tutorial::Image& whole, int halo = 0) {
  const int begin = rows_before(rank, ranks, whole.height - halo);
  const int end = rows_before(rank + 1, ranks, whole.height - halo) + halo;
  return {&whole.pixels[whole.index(0, begin)], whole.index(0, end - begin)};
}

// Rank 0 sends each rank the input of its band, and keeps the first. The input is padded, so no
// other rank has to know of edges. They have no `padded`.
void scatter(const Ranks& ranks, tutorial::Image& padded, int halo, tutorial::Image& input) {
  if (ranks.rank > 0) {
    ranks.receive(0, input.pixels);
    return;
  }
  for (int to = 1; to < ranks.count; to++) {
    ranks.send(to, band_of(to, ranks, padded, halo));
  }
  std::ranges::copy(band_of(0, ranks, padded, halo), input.pixels.begin());
}

// And gets each band's output back, for its place in the result.
void gather(const Ranks& ranks, const tutorial::Image& output, tutorial::Image& result) {
  if (ranks.rank > 0) {
    ranks.send(0, output.pixels);
    return;
  }
  for (int from = 1; from < ranks.count; from++) {
    ranks.receive(from, band_of(from, ranks, result));
  }
  std::ranges::copy(output.pixels, result.pixels.begin());
}

// What rank 0 has all ranks do, itself among them.
enum Task : int { stop, kernel_alone, whole_way, whole_way_watched };

// `size` is the image's, which only rank 0 does not know yet.
int run(const tutorial::Options& options, const Ranks& ranks, tutorial::Extent size) {
  const bool leads = ranks.rank == 0;
  const cl::Device device = tutorial::select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const tutorial::KernelEntry& entry = options.kernels.front();
  const cl::Program program = tutorial::build_program(context, device, entry.file, "");

  tutorial::Image image;
  std::optional<tutorial::Results> results;
  if (leads) {
    image = tutorial::load_image(options);
    tutorial::require(
        ranks.count <= image.height, "{} ranks are more than the image has rows", ranks.count);
    results.emplace(options, device, image);
    results->note("ranks", std::to_string(ranks.count));
    size = {ranks.broadcast(image.width), ranks.broadcast(image.height)};
  }
  const int rows =
      rows_before(ranks.rank + 1, ranks, size.height) - rows_before(ranks.rank, ranks, size.height);
  tutorial::Image padded;
  tutorial::Image result(image.width, image.height);

  for (const int filter_width : options.filter_widths) {
    const auto filter = tutorial::make_filter(options.filter, filter_width, options.seed);
    const int halo = filter_width - 1;
    tutorial::Image input(size.width + halo, rows + halo);
    tutorial::Image output(size.width, rows);
    const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, input.size_bytes());
    const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, filter.size_bytes());
    tutorial::GuardedBuffer output_buffer(context, device, output.size());
    queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());
    cl::Kernel kernel(program, entry.name().c_str());
    kernel.setArg(0, input_buffer);
    kernel.setArg(1, filter_buffer);
    kernel.setArg(2, output_buffer.buffer());
    kernel.setArg(3, input.width);
    kernel.setArg(4, filter_width);

    std::string damage;
    const auto obey = [&](int task) {
      if (task != kernel_alone) {
        scatter(ranks, padded, halo, input);
        queue.enqueueWriteBuffer(input_buffer, CL_TRUE, 0, input.size_bytes(), input.pixels.data());
      }
      if (task == whole_way_watched) {
        output_buffer.watch(queue, {input_buffer, filter_buffer});
        output_buffer.poison(queue);
      }
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(size.width, rows));
      if (task != kernel_alone) {
        queue.enqueueReadBuffer(
            output_buffer.buffer(), CL_TRUE, 0, output.size_bytes(), output.pixels.data());
        gather(ranks, output, result);
      }
      queue.finish();
      damage = task == whole_way_watched ? output_buffer.damage(queue) : "";
      // The image is ready when the last band is, and right if no band is wrong.
      if (ranks.largest(damage.empty() ? 0 : 1) > 0 && damage.empty()) {
        damage = "wrote outside of its output, or into its input, on another rank";
      }
    };
    if (!leads) {
      for (int task = ranks.broadcast(0); task != stop; task = ranks.broadcast(0)) {
        obey(task);
      }
      continue;
    }

    padded = tutorial::repeat_border(image, filter_width);
    const auto reference = tutorial::convolve_reference(padded, filter, image);
    const auto verify = [&] {
      obey(ranks.broadcast(whole_way_watched));
      return tutorial::check(reference, result, damage);
    };
    const auto verdict = results->verify(entry.label, filter_width, verify);
    if (verdict && !options.verify_only) {
      const auto variant = [&](const std::string& label, Task task) {
        const auto launch = [&ranks, &obey, task] {
          obey(ranks.broadcast(task));
          return cl::Event();  // so the host's clock tells when all are done
        };
        return tutorial::Variant{label, cl::NullRange, verdict->max_error, launch, verify};
      };
      // The other ranks of this machine are no programs that disturb.
      tutorial::Clocks clocks = tutorial::system_clocks();
      if (ranks.count > 1) {
        clocks.others_s = [] { return 0.0; };
      }
      const std::vector<tutorial::Variant> variants = {
          variant(entry.label, kernel_alone), variant("trip:" + entry.label, whole_way)};
      results->add(filter_width, {tutorial::measure(variants, options.time_budget_s, 15, clocks)});
    }
    ranks.broadcast(stop);
  }
  const int status = ranks.broadcast(leads ? results->finish(result) : 0);
  ranks.leave();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
#ifndef SCALE_MPI
  if (started_by_mpirun()) {
    std::fputs(
        "scale: built without MPI, so its ranks cannot work together; see SETUP.md\n", stderr);
    return 1;
  }
#endif
  // Where this is not set run_program begins the program anew, which MPI does not survive.
  tutorial::set_environment("OMP_WAIT_POLICY", "passive");
  const Ranks ranks;
  const tutorial::ProgramInfo info = {
      .title = "An image in bands of rows, each filtered by a rank of MPI",
      .kernel_file = KERNEL_FILE,
      .kernels = {{"Convolve"}},
      .openmp = false,
      .against = false,
  };
  // Until rank 0 has an image and a kernel the others wait: so it alone says what is wrong.
  tutorial::Extent size;
  if (ranks.rank > 0) {
    size = {ranks.broadcast(0), ranks.broadcast(0)};
  }
  return tutorial::run_program(argc, argv, info, [&](const tutorial::Options& options) {
    return run(options, ranks, size);
  });
}
