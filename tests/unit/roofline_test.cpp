// Which fault turns this test red alone: a ceiling of a kernel that does not do the work it is
// timed for, or of which another amount is counted.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "common/device.hpp"
#include "common/lab/ceilings.hpp"
#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

class CeilingKernels : public testing::Test {
 protected:
  CeilingKernels() { options.time_budget_s = 0.0; }

  CeilingMeter meter(const std::string& kernel_file = ROOFLINE_KERNEL_FILE) {
    return CeilingMeter(queue, options, Image(256, 256), kernel_file);
  }

  cl::Device device = select_device("");
  cl::CommandQueue queue = cl::CommandQueue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  Options options;
};

TEST_F(CeilingKernels, DoWhatTheyAreTimedFor) {
  EXPECT_EQ(meter().verify(), "");
  options.pixel_bytes = 1;  // units for products of bytes, where the compiler has them
  CeilingMeter for_bytes = meter();
  EXPECT_EQ(for_bytes.verify(), "");
  const bool has_pairs = for_bytes.kernels().back().name == "MultiplyAdd_pairs";
  // A text of the kernel file, another in its place, and the kernel that is wrong then, if one is.
  const std::vector<std::array<std::string, 3>> edits = {
      {"LINK(s3) LINK(s4)", "LINK(s3)", has_pairs ? "MultiplyAdd_pairs" : ""},
      {"defined(VNNI)", "0", ""},  // older processors
      // Half of the links; a copy of one place; a cache that is read once.
      {"EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS", "EIGHT_CHAINS EIGHT_CHAINS",
       "MultiplyAdd_float"},
      {"= input[i];", "= input[0];", "Copy_float4"},
      {"source + (place)", "source + item", "CachedRead_float"},
      // A chain that is not summed; reads that are left out; nothing at all.
      {"((a4 + a5) + (a6 + a7))", "((a4 + a5) + a6)", "MultiplyAdd_float4"},
      {"s5 += next[5];", "", "CachedRead_float16"},
      {"output[get_global_id(0)] = SUM_OF_4(sum);", "", "LocalRead_float4"},
  };
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/roofline.cl";
  for (const auto& [from, to, wrong] : edits) {
    std::string text = read_file(ROOFLINE_KERNEL_FILE);
    EXPECT_NE(text.find(from), std::string::npos) << from;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
    write_whole(path, text);
    const std::string problems = meter(path).verify();
    EXPECT_EQ(problems.empty(), wrong.empty()) << from;
    EXPECT_TRUE(wrong.empty() || problems.find(wrong + ": wrong at ") != std::string::npos) << from;
  }
  EXPECT_FALSE(meter(path).measure({}).ceilings);
}

TEST_F(CeilingKernels, CountWhatTheyDo) {
  options.time_budget_s = 1e-4;  // for more than one turn
  options.pixel_bytes = 1;
  CeilingMeter ceilings = meter();
  const Comparison comparison = ceilings.measure({});
  EXPECT_TRUE(comparison.measurements.empty());
  const Ceilings best = comparison.ceilings.value();
  const std::map<std::string, int> lanes = {
      {"float", 1}, {"float4", 4}, {"float16", 16}, {"pairs", 32}, {"matrices", 64}};
  for (const CeilingKernel& kernel : ceilings.kernels()) {
    const auto is = [&kernel](const char* name) { return kernel.name.starts_with(name); };
    // What a work-item does in one turn of its loop, counted in roofline.cl: 8 links of 8 chains of
    // multiply-adds; a float (4 bytes) read and written, or read 8 times.
    const int each = is("MultiplyAdd") ? 8 * 8 : is("Copy") ? 4 * 2 : 4 * 8;
    const double turns = static_cast<double>(kernel.global) * kernel.turns;
    const int wide = lanes.at(kernel.name.substr(kernel.name.rfind('_') + 1));
    EXPECT_EQ(kernel.work(), turns * wide * each) << kernel.name;
    EXPECT_DOUBLE_EQ(kernel.per_s, 1e3 * kernel.work() / summarize(kernel.rounds).median);
    EXPECT_GE(
        is("MultiplyAdd")  ? best.multiply_adds_per_s
        : is("Copy")       ? best.copy_bytes_per_s
        : is("CachedRead") ? best.cached_bytes_per_s
                           : best.local_bytes_per_s,
        kernel.per_s);
    if (is("CachedRead")) {
      EXPECT_GE(best.cached_loads_per_s, kernel.per_s / (4 * wide));
    }
  }
}

// The medians of the program's rounds, of that type which is best by the median, not by one run.
TEST(CeilingRounds, AreOfTheBestTypeByTheMedian) {
  std::vector<CeilingKernel> kernels = {
      {"steady", CeilingKernel::Kind::multiply_add, 1, "float"},
      {"jumping", CeilingKernel::Kind::multiply_add, 1, "float4"},
      {"copy", CeilingKernel::Kind::copy, 1, "float"}};
  for (CeilingKernel& kernel : kernels) {
    kernel.global = 1000;
  }
  const auto measured = [](const std::string& name, const std::vector<double>& ms) {
    return Measurement{name, {}, 0.0, {}, false, {ms, {false, false, true}}};
  };
  const auto measure_once = [&](double ms) {
    return with_ceilings(
        {measured("mine", {1, 1, 1}), measured("steady", {2, ms, 2}),
         measured("jumping", {3, 3, 1}), measured("copy", {4, 5, 6})},
        kernels);
  };
  Comparison comparison = measure_once(2);
  ASSERT_EQ(comparison.measurements.size(), 1U);
  EXPECT_EQ(comparison.measurements[0].name, "mine");
  EXPECT_EQ(comparison.ceilings->multiply_add_type, "float");
  EXPECT_DOUBLE_EQ(comparison.ceilings->multiply_adds_per_s, 1000 * 64 / 2e-3);
  EXPECT_DOUBLE_EQ(comparison.ceilings->copy_bytes_per_s, 1000 * 8 / 5e-3);
  EXPECT_EQ(comparison.multiply_adds.work, 1000 * 64);
  EXPECT_EQ(comparison.multiply_adds.rounds.ms, (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(comparison.copies.work, 1000 * 8);
  EXPECT_EQ(comparison.copies.rounds.disturbed, (std::vector{false, false, true}));
  // A second width: the median of all six is still 2, the rounds are this width's.
  comparison = measure_once(9);
  EXPECT_DOUBLE_EQ(comparison.ceilings->multiply_adds_per_s, 1000 * 64 / 2e-3);
  EXPECT_EQ(comparison.multiply_adds.rounds.ms, (std::vector<double>{2, 9, 2}));
}

}  // namespace
}  // namespace tutorial
