#include "common/benchmark.hpp"

#include "common/lab/work.hpp"

namespace tutorial {

Benchmark::Benchmark(const Options& options, const cl::CommandQueue& queue, const Image& image)
    : options_(options),
      queue_(queue),
      image_(image),
      result_(image.width, image.height),
      results_(options, queue.getInfo<CL_QUEUE_DEVICE>(), image),
      ceilings_(queue, options, image) {}

std::map<std::string, cl::Program> Benchmark::build(
    const std::function<cl::Program(const std::string& file)>& build,
    const std::string& build_options) const {
  std::map<std::string, cl::Program> programs;
  for (const KernelEntry& entry : options_.kernels) {
    if (!programs.contains(entry.file)) {
      programs[entry.file] =
          checked_build(entry.file, build_options, [&] { return build(entry.file); });
    }
  }
  return programs;
}

void Benchmark::add(
    const KernelEntry& entry, const cl::Kernel& kernel, const cl::NDRange& local,
    const std::function<cl::Event()>& launch, std::size_t local_bytes) {
  added_.push_back(
      {{entry.label, local, 0.0, launch},
       why_not(queue_.getInfo<CL_QUEUE_DEVICE>(), entry, kernel, local, local_bytes)});
}

void Benchmark::skip(const KernelEntry& entry, const std::string& reason) {
  added_.push_back({{entry.label, cl::NullRange, 0.0, nullptr}, reason});
}

void Benchmark::run(
    const Filter& filter, const Image& input, const GuardedBuffer& output,
    const std::function<void(Image&)>& read) {
  const Reference reference = convolve_reference(input, filter, image_);
  std::vector<Variant> variants;
  for (auto& [variant, problem] : added_) {
    if (problem) {
      results_.skip(variant.name, filter.width, *problem);
      continue;
    }
    const auto launch = variant.launch;
    variant.verify = [&, launch] {
      output.poison(queue_);
      launch();
      read(result_);
      return check(reference, result_, output.damage(queue_));
    };
    if (const auto verdict = results_.verify(variant.name, filter.width, variant.verify)) {
      variant.max_error = verdict->max_error;
      variants.push_back(variant);
    }
  }
  append_openmp(variants, options_, input, filter, reference, results_);
  if (!options_.verify_only) {
    std::vector<Measurement> measured = measure(ceilings_.beside(variants), options_.time_budget_s);
    const auto ceilings = take_ceilings(measured, ceilings_.kernels());
    results_.add(filter.width, measured, ceilings);
  }
  added_.clear();
}

}  // namespace tutorial
