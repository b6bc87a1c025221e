#include "studies/two_passes/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/device.hpp"
#include "step7_register_block/launch.hpp"

namespace tutorial::two_passes {

// All rows must be multiples of one of them, here of the row with the largest tap.
Factors factorize(const Filter& filter) {
  const auto n = static_cast<std::size_t>(filter.width);
  const auto largest =
      std::ranges::max_element(filter.taps, {}, [](float tap) { return std::abs(tap); });
  const auto place = static_cast<std::size_t>(largest - filter.taps.begin());
  Factors factors;
  for (std::size_t i = 0; i < n; i++) {
    factors.column.push_back(filter.taps[i * n + place % n]);
    factors.row.push_back(*largest == 0 ? 0 : filter.taps[place / n * n + i] / *largest);
  }
  for (std::size_t i = 0; i < n * n; i++) {
    // Every tap was rounded to a float, so the products come as near as that and no nearer.
    const float product = factors.column[i / n] * factors.row[i % n];
    if (std::abs(product - filter.taps[i]) > 1e-6F * std::abs(filter.taps[i])) {
      throw CannotRun("this filter is not a column times a row");
    }
  }
  return factors;
}

namespace {

// The kernels of a file are built together, so all of them need a block.
cl::Program build(const Work& work, const KernelEntry& entry) {
  const auto [width, height] = entry.has_block() ? entry.shape.block : Extent{16, 1};
  return build_program(
      work.context, work.device, entry.file,
      fmt::format(
          "-DFILTER_WIDTH={} -DVECTOR={} -DBLOCK_WIDTH={} -DBLOCK_HEIGHT={}", work.filter.width,
          vector_width(work.device), width, height));
}

// The baseline: one pass.
Launch naive(const Work& work, const KernelEntry& entry) {
  return per_pixel(work, entry, build(work, entry));
}

// Two passes: row by row, then column by column.
Launch separable(const Work& work, const KernelEntry& entry) {
  const Factors factors = factorize(work.filter);
  const cl::Program program = build(work, entry);
  const cl::Buffer row = work.upload(factors.row);
  const cl::Buffer column = work.upload(factors.column);
  // What the first pass hands to the second: as wide as the output, as high as the input.
  const int input_height = work.height + work.filter.width - 1;
  const GuardedBuffer middle(
      work.context, work.device, std::size_t(work.width) * std::size_t(input_height));

  cl::Kernel rows(program, "Convolve_Separable_Rows");
  rows.setArg(0, work.input);
  rows.setArg(1, row);
  rows.setArg(2, middle.buffer());
  rows.setArg(3, work.padded.width);
  rows.setArg(4, work.filter.width);

  cl::Kernel columns(program, "Convolve_Separable");
  columns.setArg(0, middle.buffer());
  columns.setArg(1, column);
  columns.setArg(2, work.output.buffer());
  columns.setArg(3, work.width);
  columns.setArg(4, work.filter.width);

  // Two launches, two events. The queue runs one after the other, so the second pass finds what the
  // first has written; `between` is full of NaN before, so no forgotten pixel is right by chance.
  const Launch first = {rows, cl::NDRange(work.width, input_height), cl::NullRange};
  return {
      .kernel = columns,
      .global = cl::NDRange(work.width, work.height),
      .local = cl::NullRange,
      .kept = {row, column},
      .before = {first},
      .between = {middle}};
}

// Both passes in one kernel, with a block of outputs in each work-item.
Launch blocks(const Work& work, const KernelEntry& entry) {
  const Factors factors = factorize(work.filter);
  const cl::Buffer row = work.upload(factors.row);
  const cl::Buffer column = work.upload(factors.column);
  cl::Kernel kernel(build(work, entry), entry.name().c_str());
  kernel.setArg(0, work.input);
  kernel.setArg(1, column);
  kernel.setArg(2, work.output.buffer());
  kernel.setArg(3, work.padded.width);
  kernel.setArg(4, work.filter.width);
  kernel.setArg(5, work.width);
  kernel.setArg(6, work.height);
  kernel.setArg(7, row);
  const auto [block_width, block_height] = entry.shape.block;
  const auto [group_width, group_height] = group_of(work, entry);
  const cl::NDRange local(group_width, group_height);
  const cl::NDRange items(ceil_div(work.width, block_width), ceil_div(work.height, block_height));
  return {
      .kernel = kernel, .global = round_up(items, local), .local = local, .kept = {row, column}};
}

}  // namespace

std::vector<KernelEntry> kernels() {
  const std::string file = FOLDER "convolution.cl";
  return {
      {"Convolve", file, naive},  // the baseline
      {"Convolve_Separable", file, separable},
      {"Convolve_Separable_Block16", file, blocks, {.block = {256, 4}, .block8 = {256, 8}}},
      {"Convolve_Separable_Shared", file, blocks, {{1, 16}, {128, 1}}, 0, true},
  };
}

}  // namespace tutorial::two_passes
