#include "common/lab/work.hpp"

#include "common/lab/ceilings.hpp"

namespace tutorial {

Image with_room(const Image& input, const Extent& room) {
  Image roomy(round_up(input.width + room.width, 16), input.height + room.height);
  for (int y = 0; y < input.height; y++) {
    std::copy_n(&input.pixels[input.index(0, y)], input.width, &roomy.pixels[roomy.index(0, y)]);
  }
  return roomy;
}

std::vector<cl::Event> Launch::operator()(const cl::CommandQueue& queue) const {
  std::vector<cl::Event> events;
  for (const Launch& pass : before) {
    events.push_back(pass(queue).back());
  }
  events.emplace_back();
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &events.back());
  return events;
}

Work::Work(
    const cl::CommandQueue& a_queue, const Image& image, const Filter& a_filter, const Extent& room,
    ReferenceFunction right)
    : queue(a_queue),
      context(queue.getInfo<CL_QUEUE_CONTEXT>()),
      device(queue.getInfo<CL_QUEUE_DEVICE>()),
      filter(a_filter),
      width(image.width),
      height(image.height),
      padded(with_room(repeat_border(image, filter.width), room)),
      reference(right(padded, filter, image)),
      input(upload(padded.pixels)),
      taps(upload(filter.taps)),
      output(context, device, image.size()),
      result_(width, height) {
  output.watch(queue, {input, taps});
}

cl::Buffer Work::upload(const std::vector<float>& numbers) const {
  const std::size_t bytes = numbers.size() * sizeof(float);
  cl::Buffer buffer(context, CL_MEM_READ_ONLY, bytes);
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, numbers.data());
  return buffer;
}

Launch Work::launch(const KernelEntry& entry) const {
  if (entry.sparse && !filter.is_sparse()) {
    throw CannotRun("for filters with at least half their taps 0");
  }
  KernelEntry row = entry;
  row.shape.block = block_of(device, entry);
  Launch ready = row.launch(*this, row);
  if (const auto problem = why_not(device, entry, ready.kernel, ready.local)) {
    throw CannotRun(*problem);
  }
  return ready;
}

Verdict Work::verify(const Launch& launch) {
  output.poison(queue);
  for (const GuardedBuffer& buffer : launch.between) {
    buffer.poison(queue);
  }
  launch(queue);
  queue.enqueueReadBuffer(output.buffer(), CL_TRUE, 0, result_.size_bytes(), result_.pixels.data());
  std::string damage = output.damage(queue);
  for (const GuardedBuffer& buffer : launch.between) {
    damage += buffer.damage(queue);
  }
  return check(reference, result_, damage, launch.pairs, launch.tile);
}

Verdict Work::judge(const Image& output, int tile, bool) const {
  return check(reference, output, {}, false, tile);
}

std::optional<Variant> Work::prepare(const KernelEntry& entry, Results& results) {
  Launch ready;
  try {
    ready = launch(entry);
  } catch (const CannotRun& reason) {
    results.skip(entry.label, filter.width, reason.what());
    return {};
  }
  const auto verify_it = [this, ready] { return verify(ready); };
  const auto verdict = results.verify(entry.label, filter.width, verify_it);
  if (!verdict) {
    return {};
  }
  const auto start = [ready, queue = queue] { return ready(queue).back(); };
  Variant variant = {entry.label, ready.local, verdict->max_error, start, verify_it};
  if (!ready.before.empty()) {
    variant.run_ms = [ready, queue = queue] { return total_ms(ready(queue)); };
  }
  return variant;
}

Extent block_of(const cl::Device& device, const KernelEntry& entry) {
  const auto [block, group, block8] = entry.shape;
  const int vector = vector_width(device);
  return vector == 16 || block8 == Extent{} ? block
                                            : Extent{block8.width * vector / 8, block8.height};
}

Extent group_of(const Work& work, const KernelEntry& entry) {
  return entry.shape.group != Extent{} ? entry.shape.group
         : is_cpu(work.device)         ? Extent{1, 1}
                                       : Extent{32, 4};
}

Launch per_pixel(const Work& work, const KernelEntry& entry) {
  const std::string options = fmt::format("-DFILTER_WIDTH={}", work.filter.width);
  return per_pixel(work, entry, build_program(work.context, work.device, entry.file, options));
}

Launch per_pixel(const Work& work, const KernelEntry& entry, const cl::Program& program) {
  cl::Kernel kernel(program, entry.name().c_str());
  kernel.setArg(0, work.input);
  kernel.setArg(1, work.taps);
  kernel.setArg(2, work.output.buffer());
  kernel.setArg(3, work.padded.width);  // floats in a row of the input
  kernel.setArg(4, work.filter.width);
  // The NDRange: one work-item for each output pixel; OpenCL chooses the work-groups.
  return {kernel, cl::NDRange(work.width, work.height), cl::NullRange};
}

namespace {

/// As the sources have them: each sum waits for itself.
void convolve_in_source_order(const Image& input, const Filter& filter, Image& output) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < output.height; y++) {
    for (int x = 0; x < output.width; x++) {
      float sum = 0.0F;
      for (int r = 0; r < filter.width; r++) {
        const float* row = &input.pixels[input.index(x, y + r)];
        const float* taps = &filter.taps[r * filter.width];
        for (int c = 0; c < filter.width; c++) {
          sum += taps[c] * row[c];
        }
      }
      output.pixels[output.index(x, y)] = sum;
    }
  }
}

}  // namespace

const std::vector<HostLoops> host_loops = {
    {"OpenMP", convolve_in_source_order}, {"OpenMP_Columns", convolve_columns}};

void append_openmp(
    std::vector<Variant>& variants, const Options& options, const Image& input,
    const Filter& filter, const Reference& reference, Results& results) {
  for (const HostLoops& loops : options.openmp) {
    const auto output = std::make_shared<Image>(reference.width, reference.height);
    const auto run = [&input, &filter, convolve = loops.convolve, output] {
      convolve(input, filter, *output);
      return cl::Event();
    };
    const auto verify = [&reference, run, output] {
      std::ranges::fill(output->pixels, NAN);
      run();
      return check(reference, *output);
    };
    const auto clocks = system_clocks();
    const double start_s = clocks.now_s();
    const Verdict verdict = verify();
    // All others would wait for it, round after round.
    if (!options.verify_only && clocks.now_s() - start_s > std::max(0.1, options.time_budget_s)) {
      results.skip(loops.label, filter.width, "one run takes longer than --time-budget");
    } else if (results.verify(loops.label, filter.width, verdict)) {
      variants.push_back(
          {loops.label, cl::NullRange, verdict.max_error, run, verify, nullptr, "host"});
    }
  }
}

int run_kernels(
    const Options& options, const Extent& room, Tune tune, const WorkMaker& make, bool convolves) {
  const cl::Device device = select_device(options.device);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);

  const Image image = load_image(options);
  Image result;
  Results results(options, device, image);
  // Measures, in turns with the kernels, what this device can do at most: for the column "x floor".
  CeilingMeter ceilings(queue, options, image);

  for (const int filter_width : options.filter_widths) {
    const Filter filter = make_filter(options.filter, filter_width, options.seed);
    const std::unique_ptr<Work> made = make(queue, image, filter, room);
    Work& work = *made;
    const Prepare prepare = [&](const KernelEntry& entry) { return work.prepare(entry, results); };

    std::vector<Variant> variants;
    for (const KernelEntry& entry : options.kernels) {
      append(variants, prepare(entry));
    }
    if (tune != nullptr && options.tuned) {
      append(variants, tune(options, work, prepare));
    }
    result = work.result();
    append_openmp(variants, options, work.padded, work.filter, work.reference, results);

    // Only what was right is timed: all variants against each other, round after round.
    if (!options.verify_only) {
      std::vector<Measurement> measured =
          measure(convolves ? ceilings.beside(variants) : variants, options.time_budget_s);
      const auto best = take_ceilings(measured, ceilings.kernels());
      results.add(filter_width, measured, best);
    }
  }
  return results.finish(result);
}

int run_kernels(const Options& options, ReferenceFunction reference) {
  const WorkMaker make = [reference](auto& queue, auto& image, auto& filter, auto& room) {
    return std::make_unique<Work>(queue, image, filter, room, reference);
  };
  return run_kernels(options, block_room, nullptr, make, false);
}

}  // namespace tutorial
