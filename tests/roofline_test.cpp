// Which fault turns this test red alone: a ceiling of a kernel that does not do the work it is
// timed for, or of which another amount is counted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include "common/csv.hpp"
#include "common/device.hpp"
#include "common/text.hpp"
#include "roofline/ceilings.hpp"
#include "tests/event_times.hpp"

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

  /// Without kept ceilings: the file cannot be written.
  CeilingMeter meter(
      const std::string& kernel_file = ROOFLINE_KERNEL_FILE, const std::string& kept = "") {
    return CeilingMeter(queue, options, Image(128, 128), kernel_file, kept);
  }

  cl::Device device = select_device("");
  cl::CommandQueue queue = cl::CommandQueue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  Options options;
  std::string path_;
};

TEST_F(CeilingKernels, DoWhatTheyAreTimedFor) {
  EXPECT_EQ(meter().verify(), "");
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
  testing::internal::CaptureStdout();
  EXPECT_FALSE(meter(path_).measure({}).ceilings);
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find(": wrong at "), std::string::npos) << printed;
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
  event_times = {0, 0, 500000, 2500000};  // 2 ms
  const Ceilings best = ceilings.measure({}).ceilings.value();
  event_times.reset();
  for (const CeilingKernel& kernel : ceilings.kernels()) {
    const auto items = static_cast<double>(kernel.global);
    EXPECT_EQ(kernel.work(), items * kernel.turns * work.at(kernel.name)) << kernel.name;
    EXPECT_DOUBLE_EQ(kernel.per_s, kernel.work() / 2e-3) << kernel.name;
    if (kernel.name.starts_with("Copy")) {
      EXPECT_EQ(kernel.work(), 2 * 4 * 128 * 128) << "the image, read and written";
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

TEST_F(CeilingKernels, AreKeptIfThreeRunsReachThem) {
  path_ = testing::TempDir() + "kept_ceilings.csv";
  std::ofstream(path_) << "something,else\n1,2\n";
  CeilingMeter first = meter(ROOFLINE_KERNEL_FILE, path_);
  EXPECT_EQ(first.measure({}).ceilings.value().reached, 1.0);
  double fastest = 0.0, kept = 0.0;
  for (std::size_t row = 0; row < first.kernels().size(); row++) {
    fastest += first.kernels()[row].per_s;
    kept += Csv(path_).number(row, "per_s");
  }
  EXPECT_LT(kept, fastest) << "what one run reached";

  const auto after = [&](const std::string& ceiling) {
    std::ofstream(path_) << "ceiling,per_s\n\"" << ceiling << "\",8e18\n";
    return meter(ROOFLINE_KERNEL_FILE, path_).measure({}).ceilings.value();
  };
  const std::string key = fmt::format(
      "{}, {}, {} units: ", device_name(device), device.getInfo<CL_DRIVER_VERSION>(),
      device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  const Ceilings best = after(key + "MultiplyAdd_float4");
  EXPECT_EQ(best.multiply_adds_per_s, 8e18);
  EXPECT_EQ(best.multiply_add_type, "float4");
  EXPECT_NE(best.describe().find("\nThis run reached only 0 % "), std::string::npos);
  EXPECT_NE(best.csv_head().find("multiply_adds_per_s: 8e+18\n"), std::string::npos);
  EXPECT_LT(after(key + "Copy_float4 131072").reached, 1e-3);
  // Another size, another device.
  EXPECT_EQ(after(key + "Copy_float4 64").reached, 1.0);
  EXPECT_EQ(after("another, " + key + "MultiplyAdd_float4").reached, 1.0);
}

}  // namespace
}  // namespace tutorial
