// A step of your own: its kernels, how they are launched, and the table. What the program does with
// them (upload, verify, time) is run_kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/device.hpp"
#include "common/lab/work.hpp"
#include "step7_register_block/launch.hpp"

namespace {

// filter[r][c] = column[r] * row[c]
struct Factors {
  std::vector<float> column;
  std::vector<float> row;
};

// The factors of a filter of rank 1, nothing for any other: all its rows must be multiples of one
// of them, here of the row with the largest tap.
std::optional<Factors> factorize(const tutorial::Filter& filter) {
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
      return {};
    }
  }
  return factors;
}

// The kernels of a file are built together, so all of them need a block.
cl::Program build(const tutorial::Work& work, const tutorial::KernelEntry& entry) {
  const auto [width, height] = entry.has_block() ? entry.shape.block : tutorial::Extent{16, 1};
  return tutorial::build_program(
      work.context, work.device, entry.file,
      fmt::format(
          "-DFILTER_WIDTH={} -DVECTOR={} -DBLOCK_WIDTH={} -DBLOCK_HEIGHT={}", work.filter.width,
          tutorial::vector_width(work.device), width, height));
}

// The baseline: one pass.
tutorial::Launch per_pixel(const tutorial::Work& work, const tutorial::KernelEntry& entry) {
  return tutorial::per_pixel(work, entry, build(work, entry));
}

// Two passes: row by row, then column by column.
tutorial::Launch separable(const tutorial::Work& work, const tutorial::KernelEntry& entry) {
  const std::optional<Factors> factors = factorize(work.filter);
  if (!factors) {
    throw tutorial::CannotRun("this filter is not a column times a row");
  }
  const cl::Program program = build(work, entry);
  const cl::Buffer row = work.upload(factors->row);
  const cl::Buffer column = work.upload(factors->column);
  // What the first pass hands to the second: as wide as the output, as high as the input.
  const int input_height = work.height + work.filter.width - 1;
  const tutorial::GuardedBuffer middle(
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
  const tutorial::Launch first = {rows, cl::NDRange(work.width, input_height), cl::NullRange};
  return {
      .kernel = columns,
      .global = cl::NDRange(work.width, work.height),
      .local = cl::NullRange,
      .kept = {row, column},
      .before = {first},
      .between = {middle}};
}

// Both passes in one kernel, with a block of outputs in each work-item.
tutorial::Launch blocks(const tutorial::Work& work, const tutorial::KernelEntry& entry) {
  const std::optional<Factors> factors = factorize(work.filter);
  if (!factors) {
    throw tutorial::CannotRun("this filter is not a column times a row");
  }
  const cl::Buffer row = work.upload(factors->row);
  const cl::Buffer column = work.upload(factors->column);
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
  const auto [group_width, group_height] = tutorial::group_of(work, entry);
  const cl::NDRange local(group_width, group_height);
  const cl::NDRange items(
      tutorial::ceil_div(work.width, block_width), tutorial::ceil_div(work.height, block_height));
  return {
      .kernel = kernel,
      .global = tutorial::round_up(items, local),
      .local = local,
      .kept = {row, column}};
}

}  // namespace

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "A separable filter in two passes",
      .kernel_file = KERNEL_FILE,
      .kernels =
          {
              {"Convolve", "", per_pixel},  // the baseline
              {"Convolve_Separable", "", separable},
              {"Convolve_Separable_Block16", "", blocks, {.block = {256, 4}, .block8 = {256, 8}}},
              {"Convolve_Separable_Shared", "", blocks, {{1, 16}, {128, 1}}, 0, true},
          },
      .filter = "separable",
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(options, tutorial::Extent{255, 15});  // a block, at most
  });
}
