// Which fault turns this test red alone: a floor that is not the work over the ceiling, a ceiling
// of a kernel that does not do the work it is timed for, and a kernel below its floor that nobody
// mentions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/floor.hpp"
#include "common/text.hpp"
#include "roofline/ceilings.hpp"

namespace tutorial {
namespace {

// CH.1, as in roofline/README.md: 160 instructions per clock at 750 MHz, one instruction per tap,
// 7 x 7 taps for each of 1024 x 1024 pixels. The times are the README's.
TEST(Floor, IsTheSlowerOfTheTwoInTheExampleOfTheSlides) {
  const auto floor_at = [](double instructions_per_s, double bytes_per_s) {
    Ceilings ceilings;
    ceilings.multiply_adds_per_s = instructions_per_s;
    ceilings.copy_bytes_per_s = bytes_per_s;
    return convolution_floor(1024, 1024, 7, ceilings);
  };
  EXPECT_NEAR(1e3 * floor_at(120e9, 1e15).seconds, 0.428, 0.0005);
  EXPECT_NEAR(1e3 * floor_at(5 * 120e9, 1e15).seconds, 0.086, 0.0005);
  // 8.4 MB and the padding's 0.05 MB in 0.428 ms are 19.7 GB/s.
  const Floor below = floor_at(120e9, 19.6e9);
  EXPECT_STREQ(below.bound, "memory");
  EXPECT_EQ(below.seconds, below.memory_s);
  const Floor above = floor_at(120e9, 19.8e9);
  EXPECT_STREQ(above.bound, "compute");
  EXPECT_EQ(above.seconds, above.compute_s);
}

// --- The kernels ---------------------------------------------------------------------------------

class CeilingKernels : public testing::Test {
 protected:
  CeilingKernels() {
    options.time_budget_s = 0.0;
    options.kernels = {
        {"Convolve"},
        {.label = "Convolve_Fast", .pairs = true},
        {.label = "Convolve:my", .original = "Convolve"}};
  }
  void TearDown() override { std::remove(path_.c_str()); }

  /// Writes the kernel file with `from` replaced by `to` everywhere; returns its path.
  std::string edited(const std::string& from, const std::string& to) {
    std::string text = read_file(ROOFLINE_KERNEL_FILE);
    EXPECT_NE(text.find(from), std::string::npos) << from;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
    path_ = testing::TempDir() + "roofline_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".cl";
    std::ofstream(path_) << text;
    return path_;
  }

  CeilingMeter meter(const std::string& kernel_file = ROOFLINE_KERNEL_FILE) {
    return CeilingMeter(queue, options, Image(128, 128), kernel_file);
  }

  /// Does a kernel of the file give a wrong result?
  bool any_wrong(const std::string& kernel_file) {
    CeilingMeter ceilings = meter(kernel_file);
    ceilings.build();
    return std::ranges::any_of(ceilings.kernels(), [&](const auto& kernel) {
      return !ceilings.problem_of(kernel).empty();
    });
  }

  /// A kernel that reports `ms`.
  static Variant pretend(const std::string& name, double ms) {
    return {name, cl::NullRange, 0.0, nullptr, [ms] { return ms; }};
  }

  /// Measures `variants` at filter width 7; what is printed stays in `printed`.
  Comparison measure(
      const std::vector<Variant>& variants, const std::string& kernel_file = ROOFLINE_KERNEL_FILE) {
    testing::internal::CaptureStdout();
    const Comparison result = meter(kernel_file).measure(7, variants);
    printed = testing::internal::GetCapturedStdout();
    return result;
  }

  cl::Device device = select_device("");
  cl::CommandQueue queue = cl::CommandQueue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  Options options;
  std::string printed;
  std::string path_;
};

TEST_F(CeilingKernels, DoWhatTheyAreTimedFor) {
  EXPECT_FALSE(any_wrong(ROOFLINE_KERNEL_FILE));
  const std::pair<const char*, const char*> edits[] = {
      // Half of the links, a chain that is not summed, one whose links are not computed.
      {"EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS", "EIGHT_CHAINS EIGHT_CHAINS"},
      {"((a4 + a5) + (a6 + a7))", "((a4 + a5) + a6)"},
      {"a3 = MULTIPLY_ADD(a3, factor, addend);", ""},
      // A copy of one place; local memory and a cache that are read once, or in part.
      {"= input[i];", "= input[0];"},
      {"(position & (mask))", "item"},
      {"s5 += next[5];", ""},
      {"output[get_global_id(0)] = SUM_OF_4(sum);", ""},
  };
  for (const auto& [from, to] : edits) {
    const std::string file = edited(from, to);
    EXPECT_TRUE(any_wrong(file)) << from << " -> " << to;
  }
  EXPECT_FALSE(measure({pretend("Convolve", 1e6)}, path_).ceilings);
  EXPECT_NE(printed.find(": wrong at "), std::string::npos) << printed;
  EXPECT_THROW(any_wrong(edited("Copy_float16", "Copy_other")), Error);
}

// What a work-item does in one turn of its loop, counted in roofline.cl: 8 links of 8 chains of
// multiply-adds; a float, float4 or float16 (4, 16 or 64 bytes) read and written, or read 8 times.
const std::map<std::string, double> work = {
    {"MultiplyAdd_float", 64},     {"MultiplyAdd_float4", 256},
    {"MultiplyAdd_float16", 1024}, {"Copy_float4", 32},
    {"Copy_float16", 128},         {"Copy_Nontemporal_float4", 32},
    {"CachedRead_float", 32},      {"Copy_Nontemporal_float16", 128},
    {"CachedRead_float4", 128},    {"CachedRead_float16", 512},
    {"LocalRead_float4", 128},
};

TEST_F(CeilingKernels, CountWhatTheyDo) {
  CeilingMeter ceilings = meter();
  ceilings.build();
  ceilings.prepare();
  for (CeilingKernel& kernel : ceilings.kernels()) {
    const auto items = static_cast<double>(kernel.global);
    EXPECT_EQ(kernel.work(), items * kernel.turns * work.at(kernel.name)) << kernel.name;
    if (kernel.name.starts_with("Copy")) {
      EXPECT_EQ(kernel.work(), 2 * 4 * 128 * 128) << "the image, read and written";
    }
    for (const double ms : {4.0, kernel.name == "CachedRead_float16" ? 3.2 : 2.0, 8.0}) {
      kernel.global = 1000;
      kernel.turns = kernel.name.starts_with("Copy") ? 1 : 3;
      kernel.record(ms);
    }
  }
  const Ceilings best = ceilings.best();  // of the fastest run, 2 or 3.2 ms
  EXPECT_DOUBLE_EQ(best.multiply_adds_per_s, 3000 * 1024 / 2e-3);
  EXPECT_EQ(best.multiply_add_type, "float16");
  EXPECT_DOUBLE_EQ(best.copy_bytes_per_s, 1000 * 128 / 2e-3);
  EXPECT_DOUBLE_EQ(best.cached_loads_per_s, 3000 * 8 / 2e-3);
  EXPECT_DOUBLE_EQ(best.cached_bytes_per_s, 3000 * 512 / 3.2e-3);
  EXPECT_DOUBLE_EQ(best.local_bytes_per_s, 3000 * 128 / 2e-3);
}

// 2e-6 ms for a kernel is beyond any device.
TEST_F(CeilingKernels, FasterThanTheFloorIsAContradiction) {
  measure({pretend("Convolve", 2e-6)});
  EXPECT_EQ(printed.rfind("width  7  Convolve: x floor ", 0), 0U) << printed;
  // Not where a kernel saves multiply-adds, is not the program's, or the filter has zeros.
  measure({pretend("Convolve_Fast", 2e-6), pretend("cuDNN", 2e-6), pretend("Convolve:my", 2e-6)});
  EXPECT_EQ(printed, "");
  options.filter = "motion-blur";
  measure({pretend("Convolve", 2e-6)});
  EXPECT_EQ(printed, "");
}

}  // namespace
}  // namespace tutorial
