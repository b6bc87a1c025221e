// --against: a reader's kernels beside ours. Which fault turns this red alone: a program that does
// not read the reader's kernels, that calls a wrong one right or times it, or names another file
// where it does not build.
#include <fmt/ranges.h>

#include <filesystem>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Against : public DeviceTest {};

const std::string convolve = "step1_naive/convolution.cl";

/// The kernels of a CSV, each once.
std::string kernels_of_csv(const std::string& path) {
  const Csv csv(path);
  std::string names;
  for (std::size_t row = 0; row < csv.size(); row++) {
    if (csv.text(row, "kind") == "kernel") {
      names += csv.text(row, "kernel") + " ";
    }
  }
  return names;
}

/// A kernel in a copy that writes nothing but a number in front of its output. Is it really the
/// copy that runs, and are the number and what the kernel before has left seen?
void expect_idle_is_seen(
    const std::string& name, const std::string& kernel, const std::string& path,
    const std::string& wrong = "", const std::string& arguments = "") {
  write_whole("idle.cl", edited(source(path), R"(\{$)", "{ output[-1] = 0; return;", kernel));
  const Ran ran = program(
      name, "--size 37x23 --verify-only --against idle.cl --kernel " + wrong + kernel + arguments);
  expect(2, ran);
  expect_output(ran, "^width +[37]  " + kernel + "  +ok,");
  std::string found;
  for (const std::string& line : lines_with("filter width .*: wrong at", ran.errors)) {
    found += replaced(line, "^[^:]*: (.*), filter width.*", "$1,");
  }
  EXPECT_EQ(found, wrong + kernel + ":idle,") << ran;
  expect_errors(ran, name + ": " + kernel + ":idle.*wrote outside");
}

class AgainstEach : public DeviceTest, public testing::WithParamInterface<KernelFile> {};

TEST_P(AgainstEach, ReadersKernelRuns) {
  const KernelFile& file = GetParam();
  std::string kernel = file.kernels.back();
  kernel = kernel.find(':') == std::string::npos ? kernel : file.kernels.at(0);
  // In Part II and later beside a Convolve that is wrong by one and a half times its tolerance,
  // which is not that of other kernels.
  const bool later = !file.path.ends_with("/convolution.cl");
  write_whole("imprecise.cl", edited(source(convolve), "= sum;", "= sum * 1.0000088f;"));
  expect_idle_is_seen(
      file.program, kernel, file.path, later ? "Convolve," : "",
      later ? " --kernel-file imprecise.cl --filter box" : "");
}

/// Of each program the last file that any device can run with any filter.
std::vector<KernelFile> last_files() {
  std::map<std::string, KernelFile> last;
  for (const KernelFile& file : kernel_files()) {
    if (!file.nvidia && !file.sparse && !file.slow) {
      last[file.program] = file;
    }
  }
  std::vector<KernelFile> files;
  std::ranges::transform(last, std::back_inserter(files), [](auto& one) { return one.second; });
  return files;
}

INSTANTIATE_TEST_SUITE_P(Steps, AgainstEach, testing::ValuesIn(last_files()), [](const auto& info) {
  return info.param.name;
});

TEST_F(Against, ReadersKernelRunsInStudies) {
  expect_idle_is_seen("two_passes_new", "My_Kernel", "studies/two_passes/new/convolution.cl");
  expect_idle_is_seen("median", "median_gray_x16", "median/median.cl");
  expect_idle_is_seen("edge_conditions", "Smooth_Clamp", "studies/edge_conditions/smooth.cl");
}

// The table, the comparison, the CSV; a copy that is wrong is named and not timed, all else is.
TEST_F(Against, PairIsCompared) {
  const std::string arguments = "--size 37x23 --time-budget 0 --csv out.csv --against ";
  write_whole("my.cl", source(convolve));
  expect_output(
      expect(0, program("step1_naive", arguments + "my.cl")),
      "^(Convolve(:my)? is [0-9.]+ times as fast as Convolve(:my)? [(]|"
      "Convolve:my and Convolve: (no difference was shown [(]|not compared))");
  EXPECT_EQ(kernels_of_csv("out.csv"), "Convolve Convolve:my ");
  const std::string unroll = source("step2_unroll/convolution.cl");
  write_whole("wrong.cl", edited(unroll, R"(input_row \+ c\])", "input_row + c + 1]"));
  expect_errors(
      expect(2, program("step2_unroll", arguments + "wrong.cl")),
      R"(^step2_unroll: Convolve_Unroll:wrong, filter width 1: wrong at \(0, 0\))");
  EXPECT_EQ(kernels_of_csv("out.csv"), "Convolve Convolve_Unroll ");
}

/// A kernel that computes the `sum` of its pixel `i`, and then does this.
std::string kernel_that(
    const std::string& name, const std::string& at_the_end, const std::string& first = "") {
  const std::string text = source("step6_float4/convolution.cl");
  const std::size_t begin = text.find("__kernel void " + name + "(");
  const bool local = name.find("Local") != std::string::npos;
  return text.substr(begin, text.find("{\n", begin) - begin) +
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

// Wrong kernels that are right, or stay so, as the options ask: 64 x 64 pixels, a filter that is
// the same from behind.
TEST_F(Against, WrongKernelsAreRefused) {
  const struct {
    std::string reason, kernel, at_the_end, first = "";
  } wrong[] = {
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
       "for (int t = 0; t < taps; t++) sum += filter[taps - 1 - t] * input[(y + t / filter_width)"
       " * input_width + x + t % filter_width]; output[i] = sum; return;"},
      {"18: wrong at", "Convolve_Local",
       "if (x < width && y < output_height) output[i] = get_local_size(0) == 16 ? sum : 0;"},
  };
  std::string text;
  for (const auto& each : wrong) {
    text += kernel_that(each.kernel, each.at_the_end, each.first);
  }
  write_whole("wrong.cl", text);
  const std::string arguments = "--size 64x64 --time-budget 0 --against ";
  const Ran ran =
      expect(2, program("step6_float4", arguments + "wrong.cl --filter box --csv out.csv"));
  for (const auto& each : wrong) {
    expect_errors(ran, "^step6_float4: " + each.kernel + ":wrong, filter width " + each.reason);
  }
  EXPECT_FALSE(says(read_file("out.csv"), ":wrong"));
  write_whole("even.cl", kernel_that("Convolve_Unroll", "output[i] = width % 2 ? 0 : sum;"));
  expect(0, program("step2_unroll", arguments + "even.cl --as-asked"));
}

// A file's only kernel may have a name of its own; several are each held against the kernel that
// they are launched as.
TEST_F(Against, NamesAreFree) {
  const std::string unroll = "Convolve_Unroll", arguments = "--size 37x23 --time-budget 0 ";
  const std::string mine = edited(kernel_that(unroll, "output[i] = sum;"), unroll, "Mine");
  const auto expect_pair = [](const Ran& ran, const std::string& name) {
    expect_output(ran, "^(" + name + " .*Convolve_Unroll|Convolve_Unroll .*" + name + ")[ :]");
  };
  write_whole("only.cl", mine);
  expect_pair(
      expect(0, program("step2_unroll", arguments + "--kernel Convolve_Unroll --against only.cl")),
      "Mine:only");
  write_whole("two.cl", mine + edited(mine, "Mine", "Yours"));
  const Ran two =
      expect(0, program("step2_unroll", arguments + "--baseline Convolve_Unroll --against two.cl"));
  expect_pair(two, "Mine:two");
  expect_pair(two, "Yours:two");
}

// What no look at results finds, Oclgrind does, as the line says; a crash says whose it is.
TEST_F(Against, RacesAndCrashesAreTold) {
  const std::string arguments = "--size 64x64 --time-budget 0 --against ";
  write_whole(
      "race.cl", kernel_that("Convolve", "if (x + 1 < width) output[i + 1] = 0; output[i] = sum;"));
  const Ran ran = expect(0, program("step1_naive", arguments + "race.cl"));
  expect_output(ran, "^checked: .*; not checked: data races");
  if (installed("oclgrind")) {
    const std::string line = lines_with("^checked: .*: oclgrind ", ran.output).at(0);
    const std::string command = line.substr(line.find(": oclgrind ") + 11);
    expect_errors(program("oclgrind", command), "data race");
  }
  write_whole("crash.cl", kernel_that("Convolve", "((__global float*)8)[i] = sum;"));
  expect_errors(
      program("step1_naive", arguments + "crash.cl"),
      "^step1_naive: Convolve:crash, .*crashed|Sanitizer");
}

// What does not build names the reader's file and line, whatever the compiler was given, and as
// seen from here.
TEST_F(Against, PlaceOfAnErrorIsNamed) {
  std::filesystem::create_directory("folder");
  const std::string file = "folder/with space.cl";
  const std::string text = edited(source(convolve), "float sum", "floot sum");
  write_whole(file, text);
  const auto line = std::ranges::count(text.substr(0, text.find("floot")), '\n') + 1;
  const Environment rusticl = {{"RUSTICL_ENABLE", "llvmpipe"}};
  for (const char* device : {"", "llvmpipe"}) {
    const std::string arguments = std::string("--size 8x8 --time-budget 0 --device=") + device;
    if (program("step1_naive", arguments, rusticl).status == 0) {
      const std::string absolute = std::filesystem::absolute(file).string();
      expect_errors(
          program("step1_naive", arguments + " --against \"" + absolute + "\"", rusticl),
          fmt::format("{}:{}:3: error: ", file, line));
    }
  }
}

}  // namespace
}  // namespace tutorial
