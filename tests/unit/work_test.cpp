// Which fault turns this test red alone: what a kernel does beside its work, or only when it is
// timed, that passes for right; a time that is not that of all passes; bytes that are one level off
// without a reason, and taps in matrices that are not the filter.
#include "common/lab/work.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "common/system.hpp"
#include "common/text.hpp"
#include "step11_bytes/taps.hpp"

namespace tutorial {
namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// Two passes; MISTAKE is what one of them does beside its work. The filter is one tap, which the
/// second one applies. With 4 and 5 it leaves alone what looks right already: a pixel, or a group
/// whose first is right.
const char* const passes = R"(
__kernel void First(__global float* input, __global float* between, const int pitch) {
  const int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
  if (MISTAKE != 1 || i != 5) between[i] = input[y * pitch + x];
  if (MISTAKE == 2 && i == 0) between[-1] = 0;
  if (MISTAKE == 3 && i == 0) input[3] += 1;
}
__kernel void Second(
    const __global float* between, __global float* taps, __global float* output) {
  const int width = get_global_size(0), y = get_global_id(1), i = y * width + get_global_id(0);
  const bool is_right = MISTAKE == 4 ? fabs(output[i]) < 1e30f
                        : MISTAKE == 5 && output[y * width] == taps[0] * between[y * width];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (!is_right) output[i] = taps[0] * between[i];
  if (MISTAKE == 6 && i == 0) taps[0] = -taps[0];
  if (MISTAKE >= 7 && i == 0) output[BESIDE] = 0;
}
)";

/// Where the last mistakes write: next to the output's 851 pixels, and that and 64 KiB away.
const std::array beside = {-1, 851, -851 - 16384, 851 + 851 + 16384};

Launch launch_passes(const Work& work, const KernelEntry& entry) {
  const int mistake = std::stoi(entry.label.substr(7));
  const std::string macros = fmt::format(
      "#define MISTAKE {}\n#define BESIDE {}\n", mistake, beside.at(std::max(mistake, 7) - 7));
  const cl::Program program = build_program(work.context, work.device, entry.file, "", macros);
  const GuardedBuffer between(
      work.context, work.device, std::size_t(work.width) * std::size_t(work.height));
  const cl::NDRange global(work.width, work.height);
  cl::Kernel first(program, "First"), second(program, "Second");
  first.setArg(0, work.input);
  first.setArg(1, between.buffer());
  first.setArg(2, work.padded.width);
  second.setArg(0, between.buffer());
  second.setArg(1, work.taps);
  second.setArg(2, work.output.buffer());
  Launch launch = {second, global, cl::NDRange(work.width, 1)};
  launch.before = {{first, global, cl::NullRange}};
  launch.between = {between};
  return launch;
}

class WorkTest : public testing::Test {
 protected:
  WorkTest() { write_whole(file, passes); }

  KernelEntry entry(int mistake) const {
    return {"Second:" + std::to_string(mistake), file, launch_passes};
  }

  TemporaryFolder folder;
  const std::string file = folder.path() + "/passes.cl";
  const cl::Device device = select_device("");
  const cl::CommandQueue queue{cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE};
  const Image image = make_test_card(37, 23);
  Work work{queue, image, Filter{1, {0.75F}}};
};

TEST_F(WorkTest, VerifyFindsWhatAKernelDoesBesideItsWork) {
  const std::string outside = "wrote outside of the output buffer", input = "changed its input";
  const std::vector<std::string> damages = {"",    "",      outside, input,   "",     "",
                                            input, outside, outside, outside, outside};
  for (int mistake = 0; mistake < 11; mistake++) {
    const Verdict verdict = work.verify(work.launch(entry(mistake)));
    EXPECT_EQ(verdict.damage, damages[mistake]) << mistake;
    EXPECT_EQ(verdict.passed, damages[mistake].empty() && mistake != 1) << mistake;
    if (mistake == 1) {
      EXPECT_TRUE(verdict.bad_count == 1 && verdict.bad_x == 5);
    }
  }
}

TEST_F(WorkTest, WhatIsPreparedIsVerifiedBeforeAndAfterItIsTimed) {
  Options options;
  options.kernels = {entry(0)};
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Results results(options, device, image);
  EXPECT_FALSE(work.prepare(entry(1), results)) << "wrong";
  KernelEntry sparse = entry(0);
  sparse.sparse = true;
  EXPECT_FALSE(work.prepare(sparse, results)) << "does not suit the filter";
  const Variant right = *work.prepare(entry(0), results);
  EXPECT_TRUE(bool(right.run_ms)) << "the time of both passes";
  const std::vector<Measurement> times =
      measure({right, *work.prepare(entry(4), results), *work.prepare(entry(5), results)}, 0.0);
  EXPECT_TRUE(
      says(testing::internal::GetCapturedStdout(), "Second:0 skipped: for filters with at"));
  EXPECT_TRUE(
      says(testing::internal::GetCapturedStderr(), "Second:1, filter width 1: wrong at (5, 0)"));
  EXPECT_TRUE(times[0].verdict.value().passed);
  EXPECT_GT(times[1].verdict->bad_count, 20U) << "it works where there is poison alone";
  EXPECT_GT(times[2].verdict->bad_count, 20U);
  EXPECT_EQ(times[0].max_error, work.verify(work.launch(entry(0))).max_error);
}

TEST_F(WorkTest, LoopsOnTheHostAreCheckedAsKernelsAre) {
  Options options;
  options.openmp = {
      {"Never", [](auto&, auto&, auto&) {}},
      {"Once", [](auto& input, auto& filter, Image& result) {
         static int runs = 0;
         runs++ == 0 ? host_loops[0].convolve(input, filter, result) : void();
       }}};
  Results results(options, device, image);
  std::vector<Variant> variants;
  testing::internal::CaptureStderr();
  append_openmp(variants, options, work.padded, work.filter, work.reference, results);
  EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "Never, filter width 1: wrong at (0, "));
  EXPECT_TRUE(variants.size() == 1 && !variants[0].verify().passed);
}

TEST_F(WorkTest, ATimeIsThatOfAllPassesFromStartToEnd) {
  const std::vector<cl::Event> events = work.launch(entry(0))(queue);
  EXPECT_EQ(events.size(), 2U);
  double expected_ms = 0.0;
  for (const cl::Event& event : events) {
    event.wait();
    expected_ms += 1e-6 * double(
                              event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                              event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  }
  EXPECT_DOUBLE_EQ(total_ms(events), expected_ms);
}

// --- Bytes ---------------------------------------------------------------------------------------

// One patch of a result from the matrices, as matrix.cl uses them, on devices that we may not have.
TEST(Bytes, MatricesOfTapsAreTheFilter) {
  for (int width = 1; width <= max_filter_width; width++) {
    const FixedFilter fixed = to_fixed_point(make_filter("random", width, 1));
    const std::vector<std::uint32_t> matrices = tap_matrices(fixed);
    const int patches_x = (width + 14) / 8;
    const int patches_y = (width + 6) / 4;
    ASSERT_EQ(matrices.size(), std::size_t(2 * patches_x * patches_y * 2 * 32 * 4));
    ByteImage input(8 * patches_x, 4 * patches_y);
    std::ranges::generate(input.pixels, std::mt19937(1));
    std::array<std::uint32_t, 32> sums = {};  // of the outputs (x, y) at 8 * y + x
    for (std::size_t i = 0; i < matrices.size(); i++) {
      // [high, low][patch][half][lane = 4 * g + q][2 * d + b], see taps.hpp
      const int b = i % 2, d = i / 2 % 2, q = i / 4 % 4, g = i / 16 % 8, half = i / 128 % 2;
      const int patch = i / 256 % (patches_x * patches_y);
      const bool high = i < matrices.size() / 2;
      for (int e = 0; e < 4; e++) {
        const auto byte = std::uint8_t(matrices[i] >> 8 * e);
        const int tap = high ? 256 * std::int8_t(byte) : byte;
        const int x = patch % patches_x * 8 + 4 * d + e;
        const int y = patch / patches_x * 4 + q;
        sums[8 * (g / 2) + 4 * (g % 2) + 2 * half + b] += tap * input.pixels[input.index(x, y)];
      }
    }
    const ByteImage exact = convolve_exactly(input, fixed, 8, 4);
    for (int i = 0; i < 32; i++) {
      const int sum = int(sums[i] + (1U << fixed.shift) / 2);
      EXPECT_EQ(std::clamp(sum >> fixed.shift, 0, 255), exact.pixels[i]) << width;
    }
  }
}

TEST(Bytes, OnlyASumInFloatsMayBeOneLevelOffAndOnlyAtATie) {
  ByteImage input(2, 1);
  input.pixels = {3, 3};
  for (const auto& [tap, off, floats, tile, truncates, wrong] :
       {std::tuple{0.5F, 0, false, 0, false, false},  // 1.5 becomes 2
        {0.5F, -1, false, 0, false, true},
        {0.5F, -1, true, 0, false, false},
        {0.5F, +1, true, 0, false, true},
        {0.5F, -2, true, 0, false, true},
        {0.501F, -1, true, 0, false, true},
        {0.5F, -1, true, 128, false, false},
        {0.501F, -1, true, 128, false, true},
        {0.6F, -1, true, 0, true, false},  // 1.8 becomes 1
        {0.6F, -1, true, 0, false, true},
        {0.4F, -1, true, 0, true, true},
        {0.4F, +1, true, 0, true, true}}) {
    const FixedFilter fixed = to_fixed_point({1, {tap}});
    const ByteImage exact = convolve_exactly(input, fixed, 2, 1);
    ByteImage output = exact;
    output.pixels.at(1) += off;
    const auto verdict = check_bytes(input, fixed, exact, output, floats, tile, truncates);
    EXPECT_EQ(verdict.wrong, wrong) << tap << ' ' << off << ' ' << tile;
    EXPECT_EQ(verdict.rounded, off != 0 && !wrong) << tap << ' ' << off << ' ' << tile;
    EXPECT_EQ(verdict.bad_x, wrong ? 1 : -1);
  }
}

}  // namespace
}  // namespace tutorial
