// Which fault turns this test red alone: a ceiling of a kernel that does not do the work it is
// timed for, or of which another amount is counted.
#include <gtest/gtest.h>

#include <map>

#include "common/lab/ceilings.hpp"
#include "common/system.hpp"

namespace tutorial {
namespace {

class CeilingKernels : public testing::Test {
 protected:
  CeilingKernels() {
    options.pixel_bytes = 1;       // units for products of bytes, where the compiler has them
    options.time_budget_s = 1e-4;  // for more than one turn
  }

  CeilingMeter meter(const std::string& kernel_file = ROOFLINE_KERNEL_FILE) {
    return CeilingMeter(queue, options, Image(256, 256), kernel_file);
  }

  cl::Device device = select_device("");
  cl::CommandQueue queue = cl::CommandQueue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  Options options;
};

// Half of the links; a copy of one place; a cache that is read once; nothing at all.
TEST_F(CeilingKernels, DoWhatTheyAreTimedFor) {
  EXPECT_EQ(meter().verify(), "");
  std::string text = read_file(ROOFLINE_KERNEL_FILE);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS", "EIGHT_CHAINS EIGHT_CHAINS"},
           {"= input[i];", "= input[0];"},
           {"source + (place)", "source + item"},
           {"output[get_global_id(0)] = SUM_OF_4(sum);", ""}}) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  }
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/roofline.cl";
  write_whole(path, text);
  const std::string problems = meter(path).verify();
  for (const char* kernel :
       {"MultiplyAdd_float", "Copy_float4", "CachedRead_float", "LocalRead_float4"}) {
    EXPECT_NE(problems.find(std::string(kernel) + ": wrong at "), std::string::npos) << kernel;
  }
  EXPECT_FALSE(meter(path).measure({}).ceilings);
}

TEST_F(CeilingKernels, CountWhatTheyDo) {
  CeilingMeter ceilings = meter();
  const Ceilings best = ceilings.measure({}).ceilings.value();
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
    EXPECT_GE(
        is("MultiplyAdd")  ? best.multiply_adds_per_s
        : is("Copy")       ? best.copy_bytes_per_s
        : is("CachedRead") ? best.cached_bytes_per_s
                           : best.local_bytes_per_s,
        kernel.per_s);
    EXPECT_TRUE(!is("CachedRead") || best.cached_loads_per_s >= kernel.per_s / (4 * wide));
  }
}

// The medians of the program's rounds, of that type which is best by the median, not by one run.
TEST(CeilingRounds, AreOfTheBestTypeByTheMedian) {
  using Kind = CeilingKernel::Kind;
  std::vector<CeilingKernel> kernels = {
      {"steady", Kind::multiply_add, 1, "float", {}, 1000},
      {"jumping", Kind::multiply_add, 1, "float4", {}, 1000},
      {"copy", Kind::copy, 1, "float", {}, 1000}};
  const auto measured = [](const std::string& name, const std::vector<double>& ms) {
    return Measurement{name, {}, 0.0, {}, false, {ms, {false, false, true}}};
  };
  // At the second width the median of all six is still 2, and the rounds are this width's.
  for (const double ms : {2.0, 9.0}) {
    const Comparison comparison = with_ceilings(
        {measured("mine", {1, 1, 1}), measured("steady", {2, ms, 2}),
         measured("jumping", {3, 3, 1}), measured("copy", {4, 5, 6})},
        kernels);
    ASSERT_EQ(comparison.measurements.size(), 1U);
    EXPECT_EQ(comparison.measurements[0].name, "mine");
    EXPECT_EQ(comparison.ceilings->multiply_add_type, "float");
    EXPECT_DOUBLE_EQ(comparison.ceilings->multiply_adds_per_s, 1000 * 64 / 2e-3);
    EXPECT_DOUBLE_EQ(comparison.ceilings->copy_bytes_per_s, 1000 * 8 / 5e-3);
    EXPECT_EQ(comparison.multiply_adds.work, 1000 * 64);
    EXPECT_EQ(comparison.multiply_adds.rounds.ms, (std::vector<double>{2, ms, 2}));
    EXPECT_EQ(comparison.copies.work, 1000 * 8);
    EXPECT_EQ(comparison.copies.rounds.disturbed, (std::vector{false, false, true}));
  }
}

}  // namespace
}  // namespace tutorial
