// Which fault turns this test red alone: a ceiling of a kernel that does not do the work it is
// timed for, or of which another amount is counted.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include "common/device.hpp"
#include "common/text.hpp"
#include "roofline/ceilings.hpp"

namespace tutorial {
namespace {

class CeilingKernels : public testing::Test {
 protected:
  CeilingKernels() { options.time_budget_s = 0.0; }
  void TearDown() override { std::remove(path_.c_str()); }

  struct Edit {
    const char *from, *to;
    const char* kernel;  ///< one that is wrong then
  };

  /// Writes the kernel file with these edits made everywhere; returns its path.
  std::string edited(const std::vector<Edit>& edits) {
    std::string text = read_file(ROOFLINE_KERNEL_FILE);
    for (const auto& [from, to, kernel] : edits) {
      EXPECT_NE(text.find(from), std::string::npos) << from;
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
        text.replace(at, std::strlen(from), to);
        at += std::strlen(to);
      }
    }
    path_ = testing::TempDir() + "roofline_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".cl";
    std::ofstream(path_) << text;
    return path_;
  }

  CeilingMeter meter(const std::string& kernel_file = ROOFLINE_KERNEL_FILE) {
    return CeilingMeter(queue, options, Image(256, 256), kernel_file);
  }

  cl::Device device = select_device("");
  cl::CommandQueue queue = cl::CommandQueue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  Options options;
  std::string path_;
};

TEST_F(CeilingKernels, DoWhatTheyAreTimedFor) {
  EXPECT_EQ(meter().verify(), "");
  options.pixel_bytes = 1;  // units for products of bytes, where the compiler has them
  CeilingMeter for_bytes = meter();
  EXPECT_EQ(for_bytes.verify(), "");
  const bool has_pairs = for_bytes.kernels().back().name == "MultiplyAdd_pairs";
  const std::string wrong = meter(edited({{"LINK(s3) LINK(s4)", "LINK(s3)", ""}})).verify();
  EXPECT_EQ(wrong.find("MultiplyAdd_pairs: wrong at ") != std::string::npos, has_pairs);
  EXPECT_EQ(meter(edited({{"defined(VNNI)", "0", ""}})).verify(), "");  // older processors
  EXPECT_EQ(meter(edited({{"defined(__AVX512BW__)", "0", ""}})).verify(), "");
  const std::vector<Edit> files[] = {
      // Half of the links; a copy of one place; a cache that is read once.
      {{"EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS", "EIGHT_CHAINS EIGHT_CHAINS",
        "MultiplyAdd_float"},
       {"= input[i];", "= input[0];", "Copy_float4"},
       {"source + (place)", "source + item", "CachedRead_float"}},
      // A chain that is not summed, reads that are left out.
      {{"((a4 + a5) + (a6 + a7))", "((a4 + a5) + a6)", "MultiplyAdd_float4"},
       {"s5 += next[5];", "", "CachedRead_float16"}},
      // One whose links are not computed; nothing at all.
      {{"a3 = MULTIPLY_ADD(a3, factor, addend);", "", "MultiplyAdd_float16"},
       {"output[get_global_id(0)] = SUM_OF_4(sum);", "", "LocalRead_float4"}},
  };
  for (const auto& edits : files) {
    const std::string problems = meter(edited(edits)).verify();
    for (const auto& [from, to, kernel] : edits) {
      EXPECT_NE(problems.find(std::string(kernel) + ": wrong at "), std::string::npos) << from;
    }
  }
  EXPECT_FALSE(meter(path_).measure({}).ceilings);
}

// What a work-item does in one turn of its loop, counted in roofline.cl: 8 links of 8 chains of
// multiply-adds; a float, float4 or float16 (4, 16 or 64 bytes) read and written, or read 8 times.
const std::map<std::string, double> work = {
    {"MultiplyAdd_float", 64},      {"MultiplyAdd_float4", 256},
    {"MultiplyAdd_float16", 1024},  {"Copy_float4", 32},
    {"Copy_float16", 128},          {"Copy_Nontemporal_float4", 32},
    {"CachedRead_float", 32},       {"Copy_Nontemporal_float16", 128},
    {"CachedRead_float4", 128},     {"CachedRead_float16", 512},
    {"LocalRead_float4", 128},      {"MultiplyAdd_pairs", 2048},
    {"MultiplyAdd_matrices", 4096},
};

TEST_F(CeilingKernels, CountWhatTheyDo) {
  options.time_budget_s = 1e-4;  // for more than one turn
  options.pixel_bytes = 1;
  CeilingMeter ceilings = meter();
  const Comparison comparison = ceilings.measure({});
  EXPECT_TRUE(comparison.measurements.empty());
  const Ceilings best = comparison.ceilings.value();
  for (const CeilingKernel& kernel : ceilings.kernels()) {
    const auto items = static_cast<double>(kernel.global);
    EXPECT_EQ(kernel.work(), items * kernel.turns * work.at(kernel.name)) << kernel.name;
    EXPECT_DOUBLE_EQ(kernel.per_s, 1e3 * kernel.work() / summarize(kernel.rounds).median);
    if (kernel.name.starts_with("Copy")) {
      EXPECT_EQ(kernel.work(), 2 * 256 * 256) << "the image, read and written";
      EXPECT_GE(best.copy_bytes_per_s, kernel.per_s);
    } else if (kernel.name.starts_with("MultiplyAdd")) {
      EXPECT_GE(best.multiply_adds_per_s, kernel.per_s);
    } else if (kernel.name.starts_with("CachedRead")) {
      EXPECT_GE(best.cached_bytes_per_s, kernel.per_s);
      EXPECT_GE(best.cached_loads_per_s, 8 * kernel.per_s / work.at(kernel.name));
    } else {
      EXPECT_EQ(best.local_bytes_per_s, kernel.per_s);
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
