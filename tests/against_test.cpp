// --against: a reader's kernels beside ours. Which fault turns this red alone: a program that does
// not read the reader's kernels, that calls a wrong one right or times it, or names another file
// where it does not build.
#include <fmt/ranges.h>

#include <filesystem>
#include <regex>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Against : public DeviceTest {};

std::string kernel_text(const std::string& path) {
  return read_text(in_repository(path));
}

/// The first field of each line of a CSV.
std::string kernels_of_csv(const std::string& path) {
  std::vector<std::string> names;
  for (const std::string& line : lines_with("^[A-Za-z]", read_file(path))) {
    names.push_back(split(line, ',')[0]);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

/// A kernel in a copy that writes nothing but a number in front of its output. Is it really the
/// copy that runs, and are the number and what the kernel before has left seen?
void expect_idle_is_seen(
    const std::string& name, const std::string& kernel, const std::string& path, int width,
    const std::string& wrong = "", const std::string& arguments = "") {
  write_whole("idle.cl", edited(read_text(path), R"(\{$)", "{ output[-1] = 0; return;", kernel));
  const Ran ran = program(
      name, "--size 37x23 --verify-only --against idle.cl --kernel " + wrong + kernel + arguments);
  EXPECT_EQ(ran.status, 2) << ran;
  EXPECT_TRUE(says(ran.output, fmt::format("^width +{}  {}  +ok,", width, kernel)));
  std::string found;
  for (const std::string& line : lines_with("filter width .*: wrong at", ran.errors)) {
    found += std::regex_replace(line, std::regex("^[^:]*: (.*), filter width.*"), "$1,");
  }
  EXPECT_EQ(found, wrong + kernel + ":idle,") << ran;
  EXPECT_TRUE(says(ran.errors, name + ": " + kernel + ":idle.*wrote outside")) << ran;
}

class AgainstEach : public DeviceTest, public testing::WithParamInterface<std::string> {};

// Of every step the last kernel that it adds.
TEST_P(AgainstEach, ReadersKernelRuns) {
  KernelFile last;
  for (const KernelFile& file : kernel_files()) {
    if (!file.nvidia && file.program == GetParam()) {
      last = file;
    }
  }
  while (last.kernels.back().find(':') != std::string::npos) {
    last.kernels.pop_back();
  }
  // In Part II and later beside a Convolve that is wrong by one and a half times its tolerance,
  // which is not that of other kernels.
  const bool later = !last.path.ends_with("/convolution.cl");
  write_whole(
      "imprecise.cl",
      edited(kernel_text("step1_naive/convolution.cl"), "= sum;", "= sum * 1.0000088f;"));
  expect_idle_is_seen(
      GetParam(), last.kernels.back(), last.path, 7, later ? "Convolve," : "",
      later ? " --kernel-file imprecise.cl --filter box" : "");
}

std::vector<std::string> steps_with_kernels() {
  std::vector<std::string> steps;
  for (const KernelFile& file : kernel_files()) {
    if (file.program.starts_with("step") && (steps.empty() || steps.back() != file.program)) {
      steps.push_back(file.program);
    }
  }
  return steps;
}

INSTANTIATE_TEST_SUITE_P(
    Step, AgainstEach, testing::ValuesIn(steps_with_kernels()),
    [](const auto& info) { return info.param; });

TEST_F(Against, ReadersKernelRunsInStudies) {
  const auto in = [](const std::string& path) { return in_repository(path); };
  expect_idle_is_seen("own_step_new", "My_Kernel", in("studies/two_passes/new/convolution.cl"), 7);
  expect_idle_is_seen("median", "median_gray_x16", in("median/median.cl"), 3);
  expect_idle_is_seen(
      "edge_conditions", "Smooth_Clamp", in("studies/edge_conditions/smooth.cl"), 3);
}

// The table, the comparison, the CSV; a copy that is wrong is named and not timed, all else is.
TEST_F(Against, PairIsCompared) {
  write_whole("my.cl", kernel_text("step1_naive/convolution.cl"));
  Ran ran = program("step1_naive", "--size 37x23 --against my.cl --time-budget 0 --csv out.csv");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(
      ran.output,
      R"(^(Convolve(:my)? is [0-9.]+ times as fast as Convolve(:my)? \(|Convolve:my and Convolve: no difference was shown \())"));
  EXPECT_EQ(kernels_of_csv("out.csv"), "kernel,Convolve,Convolve:my");

  write_whole(
      "wrong.cl", edited(
                      kernel_text("step2_unroll/convolution.cl"), R"(input\[input_row \+ c\])",
                      "input[input_row + c + 1]"));
  ran = program("step2_unroll", "--size 37x23 --against wrong.cl --time-budget 0 --csv out.csv");
  EXPECT_EQ(ran.status, 2) << ran;
  EXPECT_TRUE(says(
      ran.errors, R"(^step2_unroll: Convolve_Unroll:wrong, filter width 1: wrong at \(0, 0\))"));
  EXPECT_EQ(kernels_of_csv("out.csv"), "kernel,Convolve,Convolve_Unroll");
}

/// A kernel that computes the `sum` of its pixel `i`, and then does this.
std::string kernel_that(
    const std::string& name, const std::string& at_the_end, const std::string& first = "") {
  const std::string text = kernel_text("step6_float4/convolution.cl");
  const std::size_t begin = text.find("__kernel void " + name + "(");
  const std::size_t end = text.find("{\n", begin);
  const bool local = name.find("Local") != std::string::npos;
  return text.substr(begin, end - begin) +
         "{\n  const int width = " + (local ? "output_width" : "get_global_size(0)") + R"(;
  const int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
  const int taps = filter_width * filter_width;
  float sum = 0;
  )" + first +
         R"(
  for (int t = 0; t < taps; t++)
    sum += filter[t] * input[(y + t / filter_width) * input_width + x + t % filter_width];
  )" + at_the_end +
         "\n}\n";
}

// Wrong kernels that are right, or stay so, as the options ask: 64 x 64 pixels, a filter that is the
// same from behind.
TEST_F(Against, WrongKernelsAreRefused) {
  struct {
    const char *reason, *kernel, *at_the_end, *first = "";
  } const wrong[] = {
      // After the first run it does nothing.
      {"1: wrong at", "Convolve", "output[i] = sum;", "if (!isnan(output[i])) return;"},
      {"1: wrong at", "Convolve_Unroll", "output[i] = isnan(output[i]) ? sum : 2 * sum;"},
      {"1: wrote outside", "Convolve_UnrollIf", "output[i] = sum; if (i == 0) output[-20000] = 1;"},
      {"1: wrote outside", "Convolve_Def",
       "output[i] = sum; if (i == 0) output[-1] = as_float(0x7fc5a5a5);"},
      {"1: .*changed its input", "Convolve_Def_Unroll",
       "output[i] = sum; ((__global float*)input)[i] = sum;"},
      {"1: wrong at", "Convolve_Def_UnrollIf", "output[i] = width % 2 ? 0 : sum;"},
      {"18: wrong at", "Convolve_Def_UnrollAll", "output[i] = width % 4 == 3 ? 0 : sum;"},
      {"18: wrong at", "Convolve_Float4", "output[i] = filter_width > 8 ? 0 : sum;"},
      // OpenCL chooses the groups.
      {"18: wrong at", "Convolve_Def_Float4", "output[i] = get_local_size(0) < 32 ? 0 : sum;"},
      {"4: wrong at", "Convolve_Float4If", "output[i] = sum;",
       "for (int t = 0; t < taps; t++) sum += filter[taps - 1 - t] * "
       "input[(y + t / filter_width) * input_width + x + t % filter_width]; output[i] = sum; "
       "return;"},
      {"18: wrong at", "Convolve_Local",
       "if (x < width && y < output_height) output[i] = get_local_size(0) == 16 ? sum : 0;"},
  };
  std::string text;
  for (const auto& each : wrong) {
    text += kernel_that(each.kernel, each.at_the_end, each.first);
  }
  write_whole("wrong.cl", text);
  const Ran ran = program(
      "step6_float4", "--size 64x64 --filter box --time-budget 0 --against wrong.cl --csv out.csv");
  EXPECT_EQ(ran.status, 2) << ran;
  for (const auto& each : wrong) {
    const std::string label = std::string(each.kernel) + ":wrong";
    EXPECT_TRUE(says(ran.errors, "^step6_float4: " + label + ", filter width " + each.reason));
  }
  EXPECT_FALSE(says(read_file("out.csv"), ":wrong"));
  write_whole("even.cl", kernel_that("Convolve_Unroll", "output[i] = width % 2 ? 0 : sum;"));
  const Ran asked =
      program("step2_unroll", "--size 64x64 --time-budget 0 --against even.cl --as-asked");
  EXPECT_EQ(asked.status, 0) << asked;
}

// A file's only kernel may have a name of its own; several are each held against the kernel that
// they are launched as.
TEST_F(Against, NamesAreFree) {
  const std::string mine =
      edited(kernel_that("Convolve_Unroll", "output[i] = sum;"), "Convolve_Unroll", "Mine");
  const auto expect_pair = [](const Ran& ran, const std::string& name) {
    EXPECT_EQ(ran.status, 0) << ran;
    EXPECT_TRUE(
        says(ran.output, "^(" + name + " .*Convolve_Unroll|Convolve_Unroll .*" + name + ")[ :]"))
        << ran;
  };
  write_whole("only.cl", mine);
  expect_pair(
      program(
          "step2_unroll",
          "--size 37x23 --time-budget 0 --kernel Convolve_Unroll --against only.cl"),
      "Mine:only");
  write_whole("two.cl", mine + edited(mine, "Mine", "Yours"));
  const Ran two = program(
      "step2_unroll", "--size 37x23 --time-budget 0 --baseline Convolve_Unroll --against two.cl");
  expect_pair(two, "Mine:two");
  expect_pair(two, "Yours:two");
}

// What no look at results finds, Oclgrind does, as the line says; a crash says whose it is.
TEST_F(Against, RacesAndCrashesAreTold) {
  write_whole(
      "race.cl", kernel_that("Convolve", "if (x + 1 < width) output[i + 1] = 0; output[i] = sum;"));
  const Ran ran = program("step1_naive", "--size 64x64 --time-budget 0 --against race.cl");
  EXPECT_EQ(ran.status, 0) << ran;
  ASSERT_TRUE(says(ran.output, "^checked: .*; not checked: data races"));
  if (installed("oclgrind")) {
    const std::string command = lines_with("^checked: .*: oclgrind ", ran.output).at(0);
    const Ran found = program("oclgrind", command.substr(command.find(": oclgrind ") + 11));
    EXPECT_TRUE(says(found.errors, "data race")) << found;
  }
  write_whole("crash.cl", kernel_that("Convolve", "((__global float*)8)[i] = sum;"));
  const Ran crash = program("step1_naive", "--size 64x64 --time-budget 0 --against crash.cl");
  EXPECT_TRUE(says(crash.errors, "^step1_naive: Convolve:crash, .*crashed|Sanitizer")) << crash;
}

// What does not build names the reader's file and line, whatever the compiler was given, and as
// seen from here.
TEST_F(Against, PlaceOfAnErrorIsNamed) {
  std::filesystem::create_directory("folder");
  const std::string file = "folder/with space.cl";
  const std::string text =
      edited(kernel_text("step1_naive/convolution.cl"), "float sum", "floot sum");
  write_whole(file, text);
  const auto line = std::ranges::count(text.substr(0, text.find("floot")), '\n') + 1;
  for (const std::string device : {"", "llvmpipe"}) {
    const std::string arguments = "--size 8x8 --filter-width 7 --device=" + device;
    const Environment rusticl = {{"RUSTICL_ENABLE", "llvmpipe"}};
    if (program("step1_naive", arguments + " --time-budget 0", rusticl).status == 0) {
      const std::string absolute = std::filesystem::absolute(file);
      const Ran ran =
          program("step1_naive", arguments + " --against \"" + absolute + "\"", rusticl);
      EXPECT_TRUE(says(ran.errors, fmt::format("{}:{}:3: error: ", file, line))) << ran;
    }
  }
}

}  // namespace
}  // namespace tutorial
