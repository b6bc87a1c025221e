// The kernels of each file of kernels.csv: at all filter widths; at sizes that break such code,
// such as single pixels, rows and columns, and more than two work-groups both ways; in odd blocks
// and groups; and with every access watched. Most of it runs on the simulator, the telling part on
// the device.
#include "tests/kernels.hpp"

#include <fmt/ranges.h>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

using Widths = std::vector<int>;

/// From 1 or 2 to 32.
Widths widths(int from, int step) {
  Widths all;
  for (int width = from; width <= 32; width += step) {
    all.push_back(width);
  }
  return all;
}

/// All that was asked for has run and is right, but for what this work-group or device cannot do.
void expect_right(const Ran& ran) {
  expect(0, ran);
  EXPECT_FALSE(says(ran.errors, "^Invalid|^(?!MESA|=== Rusticl).*warning")) << ran;
  EXPECT_FALSE(
      says(ran.output, "skipped(?!.*(multiple of 4|no images of single floats|no such groups))"))
      << ran;
}

/// On Oclgrind, which watches every access.
void expect_nothing_found(const std::string& name, const std::string& arguments) {
  if (!installed("oclgrind")) {
    GTEST_SKIP() << "Oclgrind is not installed";
  }
  const Watched ran = watched(name, arguments);
  expect(0, ran);
  EXPECT_FALSE(says(ran.output, "skipped")) << ran;
  EXPECT_EQ(ran.findings.substr(0, 2000), "") << ran;
}

/// On Mesa's rusticl: what only works by the grace of one compiler shows up here.
void expect_right_elsewhere(const std::string& name, const std::string& arguments) {
  const Environment rusticl = {
      {"OCL_ICD_VENDORS", "rusticl.icd"}, {"RUSTICL_ENABLE", "llvmpipe"}, {"TUTORIAL_DEVICE", ""}};
  if (program("devices", "", rusticl).status != 0) {
    GTEST_SKIP() << "Mesa's rusticl is not installed";
  }
  for (const char* size : {" --size 31x17", " --size 48x7"}) {
    expect_right(program(name, "--verify-only" + arguments + size, rusticl));
  }
}

class Kernels : public DeviceTest, public testing::WithParamInterface<KernelFile> {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    write_inputs();
    const std::string trial = " --verify-only --size 8x8 --filter-width 1" + file.option();
    if (file.nvidia && says(program(file.program, trial).output, "skipped: needs NVIDIA's")) {
      GTEST_SKIP() << "the device is no GPU of NVIDIA's";
    }
  }

  /// The kernels whose name contains `part`.
  void on_device(const std::string& arguments, const std::string& part = "") const {
    expect_right(program(file.program, "--verify-only" + file.option(part) + arguments));
  }

  /// On the simulator; if it does not know these kernels, or they take too long to interpret, on
  /// the device.
  void small(const std::string& arguments, const std::string& part = "") const {
    const auto where = file.nvidia ? program : file.tiles ? unoptimised : simulated;
    expect_right(where(file.program, "--verify-only" + file.option(part) + arguments, {}));
  }

  /// The same for these filter widths; most taps are 0 if the kernels want that.
  void at(const Widths& widths, const std::string& arguments) const {
    if (!file.sparse) {
      small(fmt::format(" --filter-width {}{}", fmt::join(widths, ","), arguments));
      return;
    }
    for (const int width : widths) {
      small(fmt::format(" --filter cross{}.txt{}", width, arguments));
    }
  }

  void at_all_widths() const {
    if (file.tiles) {  // of which each width has two pairs to the right and two downwards
      at(widths(1, 1), " --size 259x99");
    } else if (file.slow) {
      at({4, 7}, " --size 37x19");
    } else if (file.unit > 0) {  // a block costs as much where the image has only its corner
      at(widths(1, 2), file.block(1, 2) + " --size 5x2");
      at(widths(2, 2), file.block(1, 2) + " --size 4x3");
    } else {
      at(widths(1, 1), " --size 5x3");
    }
  }

  void at_odd_sizes() const {
    const Widths some = file.tiles || file.slow ? Widths{6}
                        : file.sparse           ? Widths{4, 7}
                                                : Widths{1, 2, 3, 4, 7, 8};
    for (const char* size : {"1x1", "1x40", "40x1", "15x17"}) {
      at(some, file.block(1, 2) + " --size " + size);
    }
    at({file.slow ? 3 : 31}, file.block(1, 2) + " --size 1x18");
    at({file.slow ? 3 : 32}, file.block(1, 2) + " --size 18x1");
  }

  void in_odd_groups() const {
    for (const char* size : {"8x5", "15x8", "17x3", "21x11"}) {
      small(std::string(" --filter-width 1,2,3,4,7 --work-group 8x4 --size ") + size, "Local");
    }
    for (const char* group :
         {"8x32 --size 21x19", "20x3 --size 21x19", "1x16 --size 21x19", "32x4 --size 35x5",
          "64x1 --size 35x5"}) {
      small(std::string(" --filter-width 1,2,5 --work-group ") + group, "Local");
    }
  }

  void in_odd_blocks() const {
    // Rows of the image that are ragged or whole vectors; blocks that are higher than the filter,
    // wider than the image, of one row.
    const int unit = file.unit;
    const std::vector<std::string> others = {
        file.block(1, 1), file.block(2, 5), file.block(std::min(4, 64 / unit), 16)};
    for (const auto& size : {fmt::format("{}x17", 2 * unit + 5), fmt::format("{}x16", 3 * unit)}) {
      for (const std::string& other : others) {
        at({2, 7}, other + " --size " + size);
      }
    }
    for (const char* group : {"2x2", "3x5", "32x4"}) {
      at({1, 4},
         file.block(1, 2) + fmt::format(" --size {}x11 --block-group {}", 5 * unit + 3, group));
    }
    // The highest block and one of the widest filters.
    small((file.any_filter ? " --filter cross32.txt" : "") + (" --size 5x16" + file.block(1, 16)));
  }

  void with_special_values() const {
    std::vector<std::string> filters;
    if (file.constant_taps) {  // taps of 0, which the compiler sees
      filters = {"motion-blur --filter-width 7,8", "cross9.txt", "zeros4.txt", "zeros9.txt"};
    }
    if (file.bytes) {  // sums that are limited; sums halfway between two grey levels
      filters.insert(filters.end(), {"limits.txt", "edges.txt", "box --filter-width 2,4"});
    }
    small(file.block(1, 2) + filter + " --filter-width 7 --input extremes.pgm");
    for (const std::string& special : filters) {
      for (const char* size : {"21x17", "32x6"}) {
        small(file.block(1, 2) + " --filter " + special + " --size " + size);
      }
    }
  }

  const KernelFile file = as_program_has(GetParam());
  const std::string filter = file.sparse ? " --filter motion-blur" : "";
};

TEST_P(Kernels, AreRight) {
  at_all_widths();
  at_odd_sizes();
  if (file.groups) {
    in_odd_groups();
  } else if (file.unit > 0) {
    in_odd_blocks();
  }
  with_special_values();
}

TEST_P(Kernels, AreRightOnTheDevice) {
  if (file.slow) {
    on_device(" --filter-width 4,7 --size 37x19");
    return;
  }
  on_device((file.any_filter ? " --filter motion-blur" : "") + std::string(" --size 64x64"));
  if (!file.tiles) {
    const std::string width = file.sparse ? "6,8,9,32" : file.unit > 0 ? "1,2,4" : "1,2,4,7";
    on_device(filter + file.block(1, 2) + " --filter-width " + width + " --size 31x17");
  }
  if (file.groups) {
    on_device(" --filter-width 7 --size 33x31 --work-group 20x3", "Local");
  } else if (file.unit > 0) {
    on_device(filter + file.block(2, 5) + " --filter-width 7 --size 101x67 --block-group 3x5");
  }
  if (file.bytes) {
    on_device(file.block(1, 2) + " --filter limits.txt --size 101x67");
  }
  if (file.nvidia && file.unit == 0) {
    for (const char* size : {"131x17", "256x33"}) {
      at(widths(1, 1), std::string(" --size ") + size);
    }
  }
  // What it makes for older processors.
  std::string older = file.text;
  for (const char* form : {"VNNI", "__AVX512BW__", "__AVX2__"}) {
    if (older.find(fmt::format("defined({})", form)) != std::string::npos) {
      older = edited(older, fmt::format("defined\\({}\\)", form), "0");
      write_whole("older.cl", older);
      on_device(file.block(1, 2) + " --filter-width 4,7 --size 101x67 --kernel-file older.cl");
    }
  }
}

TEST_P(Kernels, TouchOnlyWhatTheyMay) {
  if (file.nvidia) {
    GTEST_SKIP() << "not on Oclgrind";
  }
  const std::string arguments = file.option() + filter + file.block(1, 2);
  if (file.tiles) {
    expect_nothing_found(file.program, arguments + " --filter-width 31 --size 33x18");
    return;
  }
  const std::string width = file.slow ? "3" : file.sparse ? "7" : "1,4,7";
  const std::string group = file.unit > 0 ? " --block-group 2x4" : "";
  for (const char* size : {"17x5", file.unit > 0 ? "67x9" : "18x17"}) {
    expect_nothing_found(
        file.program, arguments + group + " --filter-width " + width + " --size " + size);
  }
}

TEST_P(Kernels, AreRightOnAnotherImplementation) {
  if (file.tiles || file.slow || file.nvidia || file.unit == 32) {
    GTEST_SKIP() << "too slow there, or more than it has";
  }
  const std::string width = file.sparse ? "7" : file.unit > 0 ? "1,4,7" : "1,2,3,4,7,8,17,32";
  const std::string group = file.groups ? " --work-group 8x4" : "";  // 32 work-items at most
  expect_right_elsewhere(
      file.program, file.option() + filter + file.block(1, 2) + group + " --filter-width " + width);
}

INSTANTIATE_TEST_SUITE_P(Steps, Kernels, testing::ValuesIn(kernel_files()), [](const auto& info) {
  return info.param.name;
});

class OtherPrograms : public DeviceTest, public testing::WithParamInterface<const char*> {};

TEST_P(OtherPrograms, TouchOnlyWhatTheyMay) {
  expect_nothing_found(GetParam(), "--size 17x5");
  expect_nothing_found(GetParam(), "--size 18x17");
}

TEST_P(OtherPrograms, AreRightOnAnotherImplementation) {
  expect_right_elsewhere(GetParam(), "");
}

INSTANTIATE_TEST_SUITE_P(
    With, OtherPrograms, testing::Values("edge_conditions", "median", "roofline"),
    [](const auto& info) { return info.param; });

// Rows that are ragged, where the input has hardly any room beyond the image, and whole vectors.
TEST_F(DeviceTest, SearchFindsWhatIsRight) {
  for (const char* arguments :
       {"--filter-width 8 --size 33x17", "--filter-width 1 --size 1x1",
        "--filter-width 7 --size 64x16 --filter motion-blur"}) {
    expect_right(
        simulated("step9_autotune", std::string("--verify-only --kernel Tuned ") + arguments));
  }
  // What a GPU's search tries.
  for (const char* block : {"4x4", "4x2", "4x8", "4x6", "8x4"}) {
    expect_right(simulated(
        "step9_autotune",
        std::string("--kernel Convolve_Block,Convolve_Block_Restrict,Convolve_Baked,Convolve_Fast "
                    "--verify-only --filter-width 3 --size 33x17 --block-group 32x4 --block ") +
            block));
  }
  expect_nothing_found("step9_autotune", "--filter-width 3 --kernel Tuned --size 18x17");
}

// Does it find what it is there for?
TEST_F(DeviceTest, OclgrindFindsMistakes) {
  if (!installed("oclgrind")) {
    GTEST_SKIP() << "Oclgrind is not installed";
  }
  const std::string kernel = "Convolve_Local", shared = "Convolve_Separable_Shared";
  const struct {
    std::string finding, program, kernel, file, regex, by;
  } mistakes[] = {
      {"data race", "step5_local_memory", kernel, "convolution.cl", "barrier\\(", "//"},
      // Each of its barriers: a mutant without one may pass, as its work-items run in turn.
      {"data race", "studies/two_passes", shared, "convolution.cl", ".*all sums are there", ""},
      {"data race", "studies/two_passes", shared, "convolution.cl", ".*everybody has read", ""},
      {"data race", "studies/two_passes", shared, "convolution.cl", ".*all outputs are there", ""},
      // Two work-items write the same value to the same place; the second is mistake 2 of
      // HISTORY.md.
      {"Write-write data race", "step5_local_memory", kernel, "convolution.cl",
       R"(output\[y \* output_width \+ x\] = sum)", "output[y * output_width + x / 2] = 0.25f"},
      {"Write-write data race", "studies/edge_conditions", "Smooth_Clamp", "smooth.cl",
       R"(output\[.*\] =)", "output[centre] ="},
      {"Uninitialized", "step5_local_memory", kernel, "convolution.cl", "sum = 0.0f", "sum"},
      {"Invalid read", "step5_local_memory", kernel, "convolution.cl",
       R"(input\[\(group_y \+ tile_y)", "input[1000 + (group_y + tile_y"},
      {"Invalid write", "step5_local_memory", kernel, "convolution.cl",
       R"(output\[y \* output_width)", "output[-9999999 + y * output_width"}};
  for (const auto& [finding, folder, kernel, file, regex, by] : mistakes) {
    const std::string text = read_text(in_repository(folder + "/" + file));
    write_whole("broken.cl", edited(text, regex, by, kernel));
    const Watched ran = watched(
        folder.substr(folder.find('/') + 1),
        "--size 17x5 --kernel-file broken.cl --kernel " + kernel);
    EXPECT_TRUE(says(ran.findings, finding)) << regex << " in\n" << ran;
  }
}

}  // namespace
}  // namespace tutorial
